/**
 * The .des language of vaults. What each header takes is in headers.js, which editors/generate
 * writes; the rest of a header's line is read loosely, so that a mistake in it marks that header
 * alone. Blocks of Lua end at the first line that ends in `}}`, which src/scanner.c looks for.
 */

const headers = require("./headers.js");

const keyword = ($, ...names) =>
  alias(names.length === 1 ? names[0] : token(choice(...names)), $.keyword);
const list = (item) => seq(item, repeat(seq(",", item)));

module.exports = grammar({
  name: "des",

  externals: ($) => [$.lua_block_code, $._end_of_file, $._recovery],

  extras: ($) => [/[ \t\r]/, $.continuation],

  rules: {
    // Lua behind a default-depth line, which ends the vault before it, belongs to no vault.
    source_file: ($) => repeat(choice($._file_item, $.default_depth, $.vault)),

    vault: ($) => prec.right(seq($.name, repeat(choice($._item, $.header)))),

    _file_item: ($) => choice("\n", $.comment, $.lua_line, $.lua_block),

    _item: ($) => choice($._file_item, $.drawing),

    comment: () => token(/#[^\n]*/),

    continuation: () => token(/\\[ \t\r]*\n/),

    name: ($) => seq(keyword($, "NAME:"), field("name", alias($._text, $.vault_name)), $._end),

    default_depth: ($) => seq(keyword($, "default-depth:"), optional($.places), $._end),

    header: ($) =>
      choice(
        seq(keyword($, ...headers.text), optional(alias($._text, $.text)), $._end),
        seq(keyword($, ...headers.places), optional($.places), $._end),
        seq(keyword($, ...headers.keyed), optional($._keyed), $._end),
        seq(keyword($, ...headers.keyed_lists), optional(list($.keyed_item)), $._end),
        seq(keyword($, ...headers.lists), optional($.value), $._end),
        seq(keyword($, ...headers.glyph_substitutions), optional(list($.substitution)), $._end),
        seq(keyword($, ...headers.glyph_lists), optional(list($.replacement)), $._end),
        seq(keyword($, ...headers.markers), optional($._marker), $._end),
        seq(keyword($, ...headers.words), repeat(choice($.tag, $.parenthesised))),
        seq(keyword($, ...headers.numbers), optional($._numbers)),
      ),

    // --- what stands behind a header ---

    _text: ($) => repeat1($._fragment),
    _fragment: () => choice(/[^ \t\r\n\\]([^\r\n\\]*[^ \t\r\n\\])?/, "\\"),

    places: ($) => repeat1(choice($.place, ",")),
    place: () => /[^ \t\r\n\\,]+/,

    _keyed: ($) => seq(field("glyphs", $.glyphs), $._separator, optional($.value)),
    glyphs: () => /[^ \t\r\n]([^=:\r\n]*[^=: \t\r\n])?/,
    _separator: () => choice("=", ":"),

    keyed_item: ($) =>
      seq(field("glyphs", alias($._list_glyphs, $.glyphs)), $._separator, alias($._item_value, $.value)),
    _list_glyphs: () => /[^ \t\r\n,]([^=:\r\n,]*[^=: \t\r\n,])?/,

    value: ($) => repeat1(choice($._word, ",")),
    _item_value: ($) => repeat1($._word),
    _word: ($) => choice($.attribute, $.word, $.number, $.operator, $._other),
    attribute: () => /[A-Za-z_]+:/,
    word: () => /[A-Za-z_][A-Za-z0-9_'\-]*/,
    number: () => /[+\-]?[0-9]+(\.[0-9]*)?%?/,
    operator: () => choice("/", "|", "&", ";", "!"),
    _other: () => /[^ \t\r\n,A-Za-z_0-9\/|&;!]/,

    substitution: ($) =>
      seq(field("glyphs", alias($._list_glyphs, $.glyphs)), $._separator, $.replacement),
    replacement: ($) => repeat1(choice($.count, $.weight, $.operator, alias($._glyph_run, $.glyphs))),
    count: () => /([0-9]+(-[0-9]+)?%?|\*)[ \t]*[=:]/,
    weight: () => /:[0-9]+/,
    _glyph_run: () => choice(/[^ \t\r\n,:\\\/]+/, ":", "\\"),

    _marker: ($) =>
      seq(
        field("glyphs", $.glyphs),
        $._separator,
        choice(seq("lua:", optional($.lua_expression)), $.value),
      ),
    lua_expression: ($) => $._text,

    tag: () => /[A-Za-z0-9_\-]+/,
    parenthesised: () => /\([^()\r\n]*\)/,

    // Line ends do not count behind a comma.
    _numbers: ($) => seq($._entry, repeat(seq(",", repeat(choice("\n", $.comment)), $._entry))),
    _entry: ($) => seq(optional($.priority), $.number, optional("%"), optional($.parenthesised)),

    priority: () => /[0-9]+[ \t]*:/,

    _end: ($) => choice("\n", $._end_of_file),

    // --- drawings ---

    drawing: ($) => seq(alias("MAP", $.keyword), "\n", repeat($._line_of_drawing), choice(alias($._map_end, $.keyword), $._end_of_file)),
    // With blanks behind it ENDMAP is as long as a row, and stands before it here.
    _map_end: () => token(prec(1, /ENDMAP */)),
    _line_of_drawing: ($) => seq($.row, "\n"),
    row: () => token(prec(1, /[^\r\n\t]+/)),

    // --- Lua ---

    lua_line: ($) => seq(":", optional($.lua_code), $._end),
    lua_code: () => token(prec(1, /[^ \t\r\n][^\r\n]*/)),

    lua_block: ($) =>
      seq(
        optional(field("chunk", alias(choice("prelude", "lua", "validate", "veto", "epilogue"), $.chunk))),
        "{{",
        optional(alias($.lua_block_code, $.lua_code)),
        choice(/\}\}+/, $._end_of_file),
      ),
  },
});
