// What can be looked at without VS Code: the manifest's files, command lines, the studio's address.

const assert = require("node:assert");
const { EventEmitter } = require("node:events");
const fs = require("node:fs");
const path = require("node:path");
const test = require("node:test");
const vm = require("node:vm");
const { addressIn } = require("../src/address");
const { commandOf } = require("../src/command");

const folder = path.join(__dirname, "..");
const read = (name) => fs.readFileSync(path.join(folder, name), "utf8");
const manifest = JSON.parse(read("package.json"));

test("the manifest names files that are there and commands that the program registers", () => {
  const [language] = manifest.contributes.languages;
  const [grammar] = manifest.contributes.grammars;
  assert.strictEqual(JSON.parse(read(grammar.path)).scopeName, grammar.scopeName);
  assert.ok(JSON.parse(read(language.configuration)).comments);
  const source = read(manifest.main);
  for (const { command } of manifest.contributes.commands) assert.ok(source.includes(`"${command}"`), command);
});

test("the rules are those that there are tables for", () => {
  const tables = path.join(folder, "../../packs/tables");
  const { enum: rules } = manifest.contributes.configuration.properties["vaultwright.rules"];
  const versions = fs.readdirSync(tables).filter((name) => fs.statSync(path.join(tables, name)).isDirectory());
  const known = versions.filter((name) => name !== "common");
  assert.deepStrictEqual([...rules].sort(), ["", "classic", ...known].sort());
});

test("every file of the program is JavaScript", () => {
  for (const name of fs.readdirSync(path.join(folder, "src"))) {
    new vm.Script(`(function () {${read(`src/${name}`)}\n})`, { filename: name });
  }
});

test("settings become the command line", () => {
  const settings = (values) => ({ get: (name) => values[name] ?? "" });
  assert.deepStrictEqual(commandOf(settings({}), "lsp"), ["vaultwright", ["lsp"]]);
  assert.deepStrictEqual(
    commandOf(settings({ path: "/opt/v", data: "/c d", rules: "0.28" }), "studio", "a.des", "--no-open"),
    ["/opt/v", ["studio", "a.des", "--no-open", "--data", "/c d", "--rules", "0.28"]],
  );
});

test("the address is read once its line has ended", async () => {
  const process = new EventEmitter();
  process.stdout = new EventEmitter();
  const address = addressIn(process);
  for (const part of ["http://127.0.0.1:80", "80/?token=ab", "c\nmore"]) process.stdout.emit("data", part);
  assert.strictEqual(await address, "http://127.0.0.1:8080/?token=abc");
});

test("a studio that ends before is told", async () => {
  const process = new EventEmitter();
  process.stdout = new EventEmitter();
  const address = addressIn(process);
  process.emit("exit", 2);
  await assert.rejects(address, /ended with 2/);
});
