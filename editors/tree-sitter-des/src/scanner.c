// The Lua of a block: everything up to the `}}` that ends a line, blanks behind it not counted.

#include "tree_sitter/parser.h"

// No rule has the last one: it is asked for only while the parser recovers from an error.
enum Symbol { LUA_BLOCK_CODE, END_OF_FILE, RECOVERY };

void *tree_sitter_des_external_scanner_create(void) { return NULL; }

void tree_sitter_des_external_scanner_destroy(void *payload) { (void)payload; }

void tree_sitter_des_external_scanner_deserialize(void *payload, const char *buffer,
                                                  unsigned length) {
  (void)payload;
  (void)buffer;
  (void)length;
}

unsigned tree_sitter_des_external_scanner_serialize(void *payload, char *buffer) {
  (void)payload;
  (void)buffer;
  return 0;
}

static bool is_white(int32_t character) {
  return character == ' ' || character == '\t' || character == '\r';
}

// The token ends where the closing braces begin, or with the file.
static bool scan_block(TSLexer *lexer) {
  bool any = false;
  lexer->result_symbol = LUA_BLOCK_CODE;
  while (!lexer->eof(lexer)) {
    if (lexer->lookahead != '}') {
      lexer->advance(lexer, false);
      any = true;
      continue;
    }
    lexer->mark_end(lexer);
    unsigned braces = 0;
    for (; lexer->lookahead == '}'; braces++) lexer->advance(lexer, false);
    while (is_white(lexer->lookahead)) lexer->advance(lexer, false);
    if (braces >= 2 && (lexer->eof(lexer) || lexer->lookahead == '\n')) return any;
    any = true;
  }
  lexer->mark_end(lexer);
  return any;
}

bool tree_sitter_des_external_scanner_scan(void *payload, TSLexer *lexer, const bool *valid) {
  (void)payload;
  if (valid[RECOVERY]) return false;
  if (lexer->eof(lexer)) {
    lexer->result_symbol = END_OF_FILE;
    return valid[END_OF_FILE];
  }
  return valid[LUA_BLOCK_CODE] && scan_block(lexer);
}
