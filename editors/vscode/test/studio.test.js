// The studio's panel, with an editor that only writes down what it is asked for.

const assert = require("node:assert");
const { EventEmitter } = require("node:events");
const fs = require("node:fs");
const Module = require("node:module");
const os = require("node:os");
const path = require("node:path");
const test = require("node:test");

const editor = { panels: [], opened: [], errors: [], settings: {} };
const nothing = () => {};

const vscode = {
  Uri: {
    parse(text) {
      const url = new URL(text);
      return { scheme: url.protocol.slice(0, -1), authority: url.host, toString: () => text };
    },
  },
  ViewColumn: { Beside: -2 },
  env: { asExternalUri: async (uri) => uri, openExternal: (uri) => editor.opened.push(`${uri}`) },
  window: {
    createOutputChannel: () => ({ append: nothing, appendLine: nothing, show: nothing, dispose: nothing }),
    createWebviewPanel(kind, title) {
      const events = new EventEmitter();
      const panel = { title, webview: {}, revealed: 0 };
      panel.onDidDispose = (action) => events.once("dispose", action);
      panel.dispose = () => events.emit("dispose");
      panel.reveal = () => (panel.revealed += 1);
      editor.panels.push(panel);
      return panel;
    },
    showErrorMessage: (message) => editor.errors.push(message),
    showWarningMessage: (message) => editor.errors.push(message),
  },
  workspace: {
    textDocuments: [],
    getConfiguration: () => ({ get: (name) => editor.settings[name] }),
  },
};

const load = Module._load;
Module._load = (name, ...rest) => (name === "vscode" ? vscode : load(name, ...rest));
const { Studio } = require("../src/studio");

// A program that prints its address and its arguments, and stays.
function program(t, source) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "vaultwright-"));
  t.after(() => fs.rmSync(folder, { recursive: true }));
  const file = path.join(folder, "vaultwright");
  fs.writeFileSync(file, `#!${process.execPath}\n${source}`, { mode: 0o755 });
  return file;
}

const STUDIO = `
console.log("http://127.0.0.1:4711/?token=a&to=" + process.argv.slice(2).join("+"));
setInterval(() => {}, 1000);
`;

function file(name) {
  return { scheme: "file", fsPath: `/${name}`, path: `/${name}`, toString: () => `file:///${name}` };
}

test("the page is shown in a panel, once for each file, and closing the panel ends the studio", async (t) => {
  editor.settings = { path: program(t, STUDIO), "studio.view": "beside" };
  const studio = new Studio({});
  t.after(() => studio.dispose());
  await studio.show(file("pond.des"));
  await studio.show(file("pond.des"));
  assert.deepStrictEqual(editor.errors, []);
  const [panel, ...others] = editor.panels;
  assert.deepStrictEqual([others.length, panel.title, panel.revealed], [0, "Studio: pond.des", 1]);
  const { html } = panel.webview;
  assert.match(html, /frame-src http:\/\/127\.0\.0\.1:4711;/);
  assert.match(html, /<iframe src="http:\/\/127\.0\.0\.1:4711\/\?token=a&#38;to=studio\+\/pond\.des\+--no-open\+--frame/);
  const { process: server } = studio.servers.get("/pond.des");
  const ended = new Promise((resolve) => server.once("exit", resolve));
  panel.dispose();
  await ended;
  assert.strictEqual(studio.servers.size, 0);
});

test("the browser is opened if the settings say so", async (t) => {
  editor.settings = { path: program(t, STUDIO), "studio.view": "browser" };
  const studio = new Studio({});
  t.after(() => studio.dispose());
  await studio.show(file("lake.des"));
  assert.match(editor.opened[0], /^http:\/\/127\.0\.0\.1:4711\/\?token=a&to=studio\+\/lake\.des/);
});

test("a studio that cannot start is told", async () => {
  editor.settings = { path: "/nowhere/vaultwright" };
  const studio = new Studio({});
  await studio.show(file("pond.des"));
  assert.match(editor.errors.pop(), /did not start: .*ENOENT/);
  await studio.show({ scheme: "untitled" });
  assert.match(editor.errors.pop(), /save the text first/);
});
