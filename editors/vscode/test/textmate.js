// Reads files with the grammar as VS Code does. Every line has to be a header's, a comment's, a drawing's
// or Lua's; the sample's words have to have the scopes below.

const fs = require("node:fs");
const path = require("node:path");
const { loadWASM, OnigScanner, OnigString } = require("vscode-oniguruma");
const { INITIAL, Registry, parseRawGrammar } = require("vscode-textmate");

const GRAMMAR = path.join(__dirname, "../syntaxes/des.tmLanguage.json");
const SAMPLE = path.join(__dirname, "../../vim/test/sample.des");
// A Lua of its own: the editor brings the real one.
const LUA = { scopeName: "source.lua", patterns: [{ name: "keyword.lua", match: "\\b(local|return|end)\\b" }] };

const EXPECTED = [
  [1, "A pond", "comment.line"],
  [2, "default-depth", "keyword.other.header"],
  [2, "Lair", "constant.other.place"],
  [3, "local", "keyword.lua"],
  [4, "sample_pond", "entity.name.function.vault"],
  [5, "no_rotate", "support.constant.tag"],
  [5, "uniq_pond", "support.constant.tag"],
  [5, "mine", "entity.name.tag"],
  [6, "WEIGHT", "keyword.other.header"],
  [6, "(D)", "constant.other.place"],
  [7, "a =", "constant.character.glyph"],
  [7, "w:", "variable.parameter"],
  [8, "rat", "string.unquoted"],
  [9, "? =", "constant.character.glyph"],
  [9, ":20", "constant.numeric.weight"],
  [10, "3:", "constant.numeric.count"],
  [11, "no_item_gen", "support.constant"],
  [12, "single_cloud", "support.function"],
  [12, "single_cloud", "meta.embedded.line.lua"],
  [13, "float", "support.constant.orient"],
  [14, "MAP", "keyword.control.map"],
  [16, "# not", "meta.drawing"],
  [18, "ENDMAP", "keyword.control.map"],
  [20, "return", "keyword.lua"],
  [20, "has_tag", "support.function"],
  [21, "}}", "punctuation.section.embedded.end"],
  [22, "reuse_map", "support.function"],
  [23, "sample_second", "entity.name.function.vault"],
];

async function main(files) {
  const engine = path.join(path.dirname(require.resolve("vscode-oniguruma")), "onig.wasm");
  await loadWASM(fs.readFileSync(engine).buffer);
  const registry = new Registry({
    onigLib: Promise.resolve({
      createOnigScanner: (patterns) => new OnigScanner(patterns),
      createOnigString: (text) => new OnigString(text),
    }),
    loadGrammar: async (scope) =>
      scope === "source.lua" ? LUA : parseRawGrammar(fs.readFileSync(GRAMMAR, "utf8"), GRAMMAR),
  });
  const grammar = await registry.loadGrammar("source.des");
  const faults = sampleFaults(grammar);
  for (const file of files) {
    for (const [number, line, tokens] of lines(grammar, file)) {
      if (line.trim() && tokens.every((token) => token.scopes.length === 1)) {
        faults.push(`${file}:${number}: nothing knows ${line}`);
      }
    }
  }
  if (faults.length) {
    console.error(faults.slice(0, 20).join("\n"));
    process.exit(1);
  }
}

function* lines(grammar, file) {
  let stack = INITIAL;
  const all = fs.readFileSync(file, "latin1").split(/\r?\n/);
  for (const [index, line] of all.entries()) {
    const { tokens, ruleStack } = grammar.tokenizeLine(line, stack);
    stack = ruleStack;
    yield [index + 1, line, tokens];
  }
}

function sampleFaults(grammar) {
  const faults = [];
  const sample = [...lines(grammar, SAMPLE)];
  for (const [number, text, scope] of EXPECTED) {
    const [, line, tokens] = sample[number - 1];
    const column = line.indexOf(text);
    const token = tokens.find((token) => token.startIndex <= column && column < token.endIndex);
    if (!token?.scopes.some((known) => known.startsWith(scope))) {
      faults.push(`line ${number}, ${text}: ${token?.scopes.join(" ")} instead of ${scope}`);
    }
  }
  return faults;
}

main(process.argv.slice(2));
