// Starts `vaultwright lsp` for vaults, and shows files in the studio.

const vscode = require("vscode");
const { LanguageClient, TransportKind } = require("vscode-languageclient/node");
const { commandOf } = require("./command");
const { Studio } = require("./studio");

let client;

async function start() {
  const [command, args] = commandOf(vscode.workspace.getConfiguration("vaultwright"), "lsp");
  client = new LanguageClient(
    "vaultwright",
    "Vaultwright",
    { command, args, transport: TransportKind.stdio },
    {
      documentSelector: [{ language: "des" }, { language: "lua", pattern: "**/{dungeon,map,ai,player}.lua" }],
      synchronize: { fileEvents: vscode.workspace.createFileSystemWatcher("**/*.{des,lua}") },
    },
  );
  try {
    await client.start();
  } catch (error) {
    await client.dispose().catch(() => {});
    client = undefined;
    const settings = "Settings";
    const chosen = await vscode.window.showErrorMessage(
      `The language server did not start (${command}): ${error.message}`,
      settings,
    );
    if (chosen === settings) {
      vscode.commands.executeCommand("workbench.action.openSettings", "vaultwright.path");
    }
  }
}

async function stop() {
  const running = client;
  client = undefined;
  await running?.stop().catch(() => {});
}

async function restart() {
  await stop();
  await start();
}

function activate(context) {
  const studio = new Studio(context);
  context.subscriptions.push(
    studio,
    vscode.commands.registerCommand("vaultwright.restart", () => whenTrusted(restart)),
    vscode.commands.registerCommand("vaultwright.studio", (uri) =>
      whenTrusted(() => studio.show(uri ?? vscode.window.activeTextEditor?.document.uri)),
    ),
    vscode.workspace.onDidChangeConfiguration((change) => {
      const matters = ["path", "data", "rules"].some((name) =>
        change.affectsConfiguration(`vaultwright.${name}`),
      );
      if (matters && client) restart();
    }),
    vscode.workspace.onDidGrantWorkspaceTrust(start),
  );
  if (vscode.workspace.isTrusted) return start();
}

function whenTrusted(action) {
  if (vscode.workspace.isTrusted) return action();
  return vscode.window.showWarningMessage("Vaults are programs: trust this folder first.");
}

module.exports = { activate, deactivate: stop };
