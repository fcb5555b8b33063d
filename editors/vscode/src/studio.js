// The studio: a server in a process of its own for each file shown, its page in a panel or the browser.

const { spawn } = require("child_process");
const vscode = require("vscode");
const { commandOf } = require("./command");
const { addressIn } = require("./address");

class Studio {
  constructor(context) {
    this.context = context;
    this.output = vscode.window.createOutputChannel("Vaultwright Studio");
    this.servers = new Map();
  }

  // Shows a file that is saved; one server for each file, and its page again if it is there.
  async show(uri) {
    if (uri?.scheme !== "file") {
      return vscode.window.showWarningMessage("The studio shows a file: save the text first.");
    }
    const document = vscode.workspace.textDocuments.find((known) => `${known.uri}` === `${uri}`);
    if (document?.isDirty) await document.save();
    let server = this.servers.get(uri.fsPath);
    if (!server) {
      server = this.start(uri.fsPath);
      this.servers.set(uri.fsPath, server);
    }
    try {
      const address = await vscode.env.asExternalUri(vscode.Uri.parse(await server.address));
      await this.page(server, uri, address);
    } catch (error) {
      server.process.kill();
      this.output.show(true);
      vscode.window.showErrorMessage(`The studio did not start: ${error.message}`);
    }
  }

  start(file) {
    const settings = vscode.workspace.getConfiguration("vaultwright");
    // The panel is a page of the editor, and the studio has to be told that it may show it.
    const frames = ["vscode-webview:", "vscode-file:"].flatMap((scheme) => ["--frame", scheme]);
    const [command, args] = commandOf(settings, "studio", file, "--no-open", ...frames);
    this.output.appendLine(`${command} ${args.join(" ")}`);
    const process = spawn(command, args, { stdio: ["ignore", "pipe", "pipe"] });
    process.stderr.on("data", (data) => this.output.append(`${data}`));
    process.on("error", () => this.servers.delete(file));
    process.on("exit", () => this.servers.delete(file));
    return { process, address: addressIn(process) };
  }

  async page(server, uri, address) {
    const settings = vscode.workspace.getConfiguration("vaultwright");
    if (settings.get("studio.view") === "browser") return vscode.env.openExternal(address);
    if (server.panel) return server.panel.reveal(undefined, true);
    const title = `Studio: ${uri.path.split("/").pop()}`;
    const column = { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true };
    const panel = vscode.window.createWebviewPanel("vaultwright.studio", title, column, {
      // Without it the studio's own page, which is a guest of this one, has none either.
      enableScripts: true,
      retainContextWhenHidden: true,
    });
    panel.webview.html = frame(address);
    panel.onDidDispose(() => server.process.kill());
    server.process.on("exit", () => panel.dispose());
    server.panel = panel;
  }

  dispose() {
    for (const server of this.servers.values()) server.process.kill();
    this.output.dispose();
  }
}

// The panel holds nothing but the studio's page, which comes from this machine.
function frame(address) {
  const origin = `${address.scheme}://${address.authority}`;
  const source = escaped(address.toString(true));
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; frame-src ${escaped(origin)}; style-src 'unsafe-inline'">
<style>html, body, iframe { margin: 0; padding: 0; border: 0; width: 100%; height: 100%; overflow: hidden; }</style>
</head>
<body><iframe src="${source}" title="Vaultwright Studio"></iframe></body>
</html>`;
}

function escaped(text) {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

module.exports = { Studio };
