//! The language server as editors speak with it.
#![cfg(feature = "lsp")]

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use crate::common::temporary;
use serde_json::{Value, json};

const VAULTS: &str = "\
NAME: lsp_pond
TAGS: lsp_wet transparent
DEPTH: D:2-4
MONS: bullfrog / nothing
SUBST: w : w:3 W
MAP
.ww1.
ENDMAP

NAME: lsp_hall
DEPTH: D:3
SUBVAULT: B : lsp_wet
MAP
.BBBBB.
ENDMAP
";

/// An editor.
struct Editor {
    server: Child,
    to: ChildStdin,
    from: BufReader<ChildStdout>,
    uri: String,
    next: i64,
    /// What the server has told without being asked.
    told: Vec<Value>,
}

impl Editor {
    /// Starts a server and opens a file with this text.
    fn on(file: &Path, text: &str) -> Editor {
        Editor::with(&["--standalone"], file, text)
    }

    /// The same with options of the program.
    fn with(options: &[&str], file: &Path, text: &str) -> Editor {
        let mut server = Command::new(env!("CARGO_BIN_EXE_vaultwright"))
            .arg("lsp")
            .args(options)
            .env_remove("VAULTWRIGHT_DATA")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("the program runs");
        let to = server.stdin.take().expect("a pipe");
        let from = BufReader::new(server.stdout.take().expect("a pipe"));
        let uri = format!("file://{}", file.display());
        let mut editor = Editor { server, to, from, uri, next: 0, told: Vec::new() };
        let answer = editor.ask("initialize", json!({ "capabilities": {}, "processId": null }));
        assert_eq!(answer["result"]["capabilities"]["positionEncoding"], "utf-16");
        editor.tell("initialized", json!({}));
        let document =
            json!({ "uri": editor.uri, "languageId": "des", "version": 1, "text": text });
        editor.tell("textDocument/didOpen", json!({ "textDocument": document }));
        editor
    }

    fn send(&mut self, message: &Value) {
        let body = message.to_string();
        write!(self.to, "Content-Length: {}\r\n\r\n{body}", body.len())
            .expect("the server listens");
        self.to.flush().expect("the server listens");
    }

    fn tell(&mut self, method: &str, params: Value) {
        self.send(&json!({ "jsonrpc": "2.0", "method": method, "params": params }));
    }

    fn receive(&mut self) -> Value {
        let mut length = 0;
        loop {
            let mut line = String::new();
            assert!(self.from.read_line(&mut line).expect("the server speaks") > 0, "it is gone");
            match line.trim_end().strip_prefix("Content-Length: ") {
                Some(count) => length = count.parse().expect("a number"),
                None if line.trim_end().is_empty() => break,
                None => {}
            }
        }
        let mut body = vec![0; length];
        self.from.read_exact(&mut body).expect("a whole message");
        serde_json::from_slice(&body).expect("JSON")
    }

    /// Asks, and waits for the answer.
    fn ask(&mut self, method: &str, params: Value) -> Value {
        self.next += 1;
        let id = self.next;
        self.send(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }));
        loop {
            let message = self.receive();
            if message["id"] == id {
                return message;
            }
            self.told.push(message);
        }
    }

    /// Asks about a position, given as the line and what stands before it there.
    fn ask_at(&mut self, method: &str, line: u32, column: usize, more: Value) -> Value {
        let mut params = json!({
            "textDocument": { "uri": self.uri },
            "position": { "line": line, "character": column },
        });
        for (key, value) in more.as_object().expect("an object") {
            params[key] = value.clone();
        }
        self.ask(method, params)["result"].clone()
    }

    fn ask_file(&mut self, method: &str) -> Value {
        let uri = self.uri.clone();
        self.ask(method, json!({ "textDocument": { "uri": uri } }))["result"].clone()
    }

    /// Waits for the findings of a version.
    fn findings(&mut self, version: i64) -> Vec<Value> {
        let is_it = |message: &Value| {
            message["method"] == "textDocument/publishDiagnostics"
                && message["params"]["version"] == version
        };
        loop {
            if let Some(at) = self.told.iter().position(is_it) {
                let message = self.told.remove(at);
                return message["params"]["diagnostics"].as_array().expect("a list").clone();
            }
            let message = self.receive();
            self.told.push(message);
        }
    }

    fn change(&mut self, version: i64, change: &Value) {
        let params = json!({
            "textDocument": { "uri": self.uri, "version": version },
            "contentChanges": [change],
        });
        self.tell("textDocument/didChange", params);
    }

    fn leave(mut self) {
        self.ask("shutdown", Value::Null);
        self.tell("exit", Value::Null);
        assert!(self.server.wait().expect("it ends").success());
    }
}

fn file(name: &str) -> PathBuf {
    let file = temporary(name).join("vaults.des");
    fs::write(&file, VAULTS).expect("a file");
    fs::canonicalize(file).expect("it is there")
}

#[test]
fn a_mistake_is_told_as_it_is_typed_and_mended_by_an_action() {
    let mut editor = Editor::on(&file("lsp-mistake"), VAULTS);
    let findings = editor.findings(1);
    assert!(findings.iter().all(|finding| finding["severity"] != 1), "{findings:?}");
    // bullfrog becomes bullforg.
    let range =
        json!({ "start": { "line": 3, "character": 11 }, "end": { "line": 3, "character": 13 } });
    editor.change(2, &json!({ "range": range, "text": "or" }));
    let findings = editor.findings(2);
    assert_eq!(findings.len(), 1, "{findings:?}");
    assert_eq!(findings[0]["code"], "VW102");
    assert_eq!(findings[0]["range"]["start"], json!({ "line": 3, "character": 6 }));
    let params = json!({
        "textDocument": { "uri": editor.uri },
        "range": findings[0]["range"],
        "context": { "diagnostics": [] },
    });
    let actions = editor.ask("textDocument/codeAction", params)["result"].clone();
    let edits = &actions[0]["edit"]["changes"][&editor.uri];
    assert_eq!(edits[0]["newText"], "bullfrog", "{actions}");
    editor.leave();
}

#[test]
fn words_names_and_shares_are_known() {
    let mut editor = Editor::on(&file("lsp-words"), VAULTS);
    editor.findings(1);
    let found = editor.ask_at("textDocument/completion", 3, 10, json!({}));
    let labels: Vec<&str> = found["items"]
        .as_array()
        .expect("a list")
        .iter()
        .filter_map(|i| i["label"].as_str())
        .collect();
    assert!(labels.contains(&"bullfrog"), "{labels:?}");

    let hover = editor.ask_at("textDocument/hover", 3, 8, json!({}));
    assert!(hover["contents"]["value"].as_str().is_some_and(|t| t.contains("HD")), "{hover}");
    let hover = editor.ask_at("textDocument/hover", 6, 3, json!({}));
    let text = hover["contents"]["value"].as_str().unwrap_or_default();
    assert!(text.contains("bullfrog 50 %"), "{hover}");
    let hover = editor.ask_at("textDocument/hover", 3, 2, json!({}));
    let text = hover["contents"]["value"].as_str().unwrap_or_default();
    assert!(text.contains("`1` is the first"), "{hover}");

    let given = editor.ask_at("textDocument/definition", 11, 17, json!({}));
    assert_eq!(given[0]["range"]["start"], json!({ "line": 1, "character": 6 }), "{given}");
    let used = editor.ask_at(
        "textDocument/references",
        1,
        8,
        json!({ "context": { "includeDeclaration": true } }),
    );
    assert_eq!(used.as_array().map(Vec::len), Some(2), "{used}");
    let edit = editor.ask_at("textDocument/rename", 1, 8, json!({ "newName": "very_wet" }));
    let edits = &edit["changes"][&editor.uri];
    assert_eq!(edits.as_array().map(Vec::len), Some(2), "{edit}");

    let range =
        json!({ "start": { "line": 0, "character": 0 }, "end": { "line": 99, "character": 0 } });
    let params = json!({ "textDocument": { "uri": editor.uri }, "range": range });
    let hints = editor.ask("textDocument/inlayHint", params)["result"].clone();
    assert_eq!(hints[0]["label"], "w 23 %, W 77 %");
    let lenses = editor.ask_file("textDocument/codeLens");
    assert!(
        lenses[0]["command"]["title"].as_str().is_some_and(|t| t.contains("% on D:")),
        "{lenses}"
    );
    let symbols = editor.ask("workspace/symbol", json!({ "query": "lsphal" }))["result"].clone();
    assert_eq!(symbols[0]["name"], "lsp_hall");
    editor.leave();
}

#[test]
fn what_lua_names_is_renamed_and_names_of_the_engine_are_not() {
    let text = VAULTS.replace("SUBVAULT: B : lsp_wet", ": subvault(\"B : lsp_wet\")");
    let mut editor = Editor::on(&file("lsp-rename"), &text);
    editor.findings(1);
    let edit = editor.ask_at("textDocument/rename", 11, 17, json!({ "newName": "very_wet" }));
    let lines = edit["changes"][&editor.uri].as_array().expect("edits");
    let lines: Vec<&Value> = lines.iter().map(|edit| &edit["range"]["start"]["line"]).collect();
    assert_eq!(lines, [1, 11], "{edit}");
    let position = json!({ "line": 1, "character": 18 });
    let params = json!({ "textDocument": { "uri": editor.uri }, "position": position });
    for (method, name) in [("prepareRename", ""), ("rename", "mine")] {
        let mut params = params.clone();
        params["newName"] = json!(name);
        let answer = editor.ask(&format!("textDocument/{method}"), params);
        let message = answer["error"]["message"].as_str().unwrap_or_default();
        assert!(message.contains("the engine itself looks for the tag 'transparent'"), "{answer}");
    }
    editor.leave();
}

#[test]
fn scripts_of_lair_are_known_too() {
    let folder = fs::canonicalize(temporary("lsp-lair")).expect("it is there");
    let file = folder.join("dungeon.lua");
    let good = "function map_cares_insert()\n  return generator_coarse_x.x == 3\nend\n";
    fs::write(&file, good).expect("a file");
    let mut editor = Editor::on(&file, good);
    assert_eq!(editor.findings(1), [] as [Value; 0]);
    let hover = editor.ask_at("textDocument/hover", 1, 12, json!({}));
    let told = hover["contents"]["value"].as_str().unwrap_or_default();
    assert!(told.contains("Column of the cell in its room"), "{hover}");
    // What is said of vaults is not said of scripts: no layout, colours, folds.
    assert_eq!(editor.ask_file("textDocument/formatting"), Value::Null);
    let range =
        json!({ "start": { "line": 1, "character": 9 }, "end": { "line": 1, "character": 18 } });
    editor.change(2, &json!({ "range": range, "text": "genorator" }));
    let findings = editor.findings(2);
    assert_eq!(findings.len(), 1, "{findings:?}");
    assert_eq!(findings[0]["range"]["start"]["line"], 1);
    let message = findings[0]["message"].as_str().unwrap_or_default();
    assert!(message.contains("index global 'genorator_coarse_x'"), "{message}");
    let list = editor.ask_at("textDocument/completion", 0, 15, json!({}));
    let items = list["items"].as_array().expect("a list");
    assert!(items.iter().any(|item| item["label"] == "map_cares_insert"), "{list}");
    // A script that calls for ever is told, and the server goes on.
    editor.change(3, &json!({ "text": "function map_cares_insert()\n  while true do end\nend\n" }));
    let findings = editor.findings(3);
    let message = findings[0]["message"].as_str().unwrap_or_default();
    assert!(message.contains("budget used up"), "{message}");
    editor.leave();
}

#[test]
fn the_text_alone_gives_colours_folds_symbols_and_its_layout() {
    let text = VAULTS.replace("MONS: bullfrog", "MONS:  bullfrog");
    let mut editor = Editor::on(&file("lsp-text"), &text);
    let symbols = editor.ask_file("textDocument/documentSymbol");
    assert_eq!(symbols[1]["name"], "lsp_hall");
    let folds = editor.ask_file("textDocument/foldingRange");
    assert_eq!(folds[0]["startLine"], 0);
    let tokens = editor.ask_file("textDocument/semanticTokens/full");
    let count = tokens["data"].as_array().map_or(0, Vec::len);
    assert!(count > 50 && count.is_multiple_of(5), "{count}");
    let edits = editor.ask_file("textDocument/formatting");
    let edits = edits.as_array().expect("a list");
    let monsters = edits.iter().find(|edit| edit["range"]["start"]["line"] == 3).expect("an edit");
    assert_eq!(monsters["newText"], "MONS:   bullfrog / nothing");
    editor.leave();
}

#[test]
fn nothing_that_is_sent_ends_the_server() {
    let hostile = "{{\nwhile true do end\n}}\nNAME: loop\nDEPTH: D\n{{\nwhile true do end\n}}\nMAP\n.\nENDMAP\n";
    let mut editor = Editor::on(&file("lsp-hostile"), hostile);
    assert!(!editor.findings(1).is_empty());
    let noise = "\u{1f409}NAME:\n: ((\nMAP\n\u{7f}\nSUBST: \nMONS: ;;;\n{{ \"".repeat(20);
    editor.change(2, &json!({ "text": noise }));
    editor.findings(2);
    for line in 0..20 {
        for method in ["textDocument/completion", "textDocument/hover", "textDocument/definition"] {
            editor.ask_at(method, line, 3, json!({}));
        }
    }
    // Lua that ends anywhere, as it does while one types.
    let lua = "{{\n--[==[ a\n]==] x = [[ b\n]]\n}}\nNAME: a\n: --[[ c\n: ]] y = 'd\nMARKER: e = lua:f(--[[";
    let mut version = 2;
    for (end, _) in lua.char_indices() {
        version += 1;
        let text = &lua[..end];
        editor.change(version, &json!({ "text": text }));
        let tokens = editor.ask_file("textDocument/semanticTokens/full");
        assert!(tokens["data"].is_array(), "{text:?}: {tokens}");
        let (line, column) = (text.matches('\n').count(), text.lines().last().map_or(0, str::len));
        for method in ["textDocument/completion", "textDocument/hover"] {
            editor.ask_at(method, line as u32, column, json!({}));
        }
    }
    for wrong in [json!({}), json!({ "textDocument": 7 }), json!([1]), Value::Null] {
        let answer = editor.ask("textDocument/hover", wrong.clone());
        assert!(answer["error"].is_object(), "{answer}");
        editor.tell("textDocument/didChange", wrong);
    }
    let backwards =
        json!({ "start": { "line": 9, "character": 9 }, "end": { "line": 1, "character": 0 } });
    editor.change(version + 1, &json!({ "range": backwards, "text": "x" }));
    let far = json!({ "start": { "line": 9999, "character": 9 }, "end": { "line": 99999, "character": 0 } });
    editor.change(version + 2, &json!({ "range": far, "text": "\nNAME: end" }));
    editor.findings(version + 2);
    assert!(editor.ask("no/such", json!({}))["error"].is_object());
    fs::remove_dir_all(file("lsp-hostile").parent().expect("a folder")).expect("it was there");
    editor.ask_file("textDocument/documentSymbol");
    editor.leave();
}

#[test]
fn lines_keep_their_ends_when_a_file_is_formatted() {
    let text = "NAME: a\r\nMONS: rat name:\u{e9}  ,bat\r\nMAP\r\n...\r\nENDMAP\r\n";
    let mut editor = Editor::on(&file("lsp-returns"), text);
    let edits = editor.ask_file("textDocument/formatting");
    let edit = |line: u32, end: u32, text: &str| {
        let [start, end] = [0, end].map(|column| json!({ "line": line, "character": column }));
        json!({ "range": { "start": start, "end": end }, "newText": text })
    };
    let expected = [edit(0, 7, "NAME:   a"), edit(1, 22, "MONS:   rat name:\u{e9}, bat")];
    assert_eq!(edits, json!(expected));
    editor.leave();
}

/// Returns a tree of a game with these files of vaults.
fn tree(name: &str, files: &[(&str, &str)]) -> PathBuf {
    let folder = fs::canonicalize(temporary(name)).expect("it is there").join("dat/des");
    fs::create_dir_all(&folder).expect("a folder");
    for (name, text) in files {
        fs::write(folder.join(name), text).expect("a file");
    }
    folder
}

fn codes(findings: &[Value]) -> Vec<&str> {
    findings.iter().filter_map(|finding| finding["code"].as_str()).collect()
}

const GIVES: &str = "NAME: w_a\nTAGS: w_tag\nORIENT: float\nMAP\n...\nENDMAP\n";
const ASKS: &str = "NAME: w_b\nDEPTH: D\nORIENT: float\nSUBVAULT: B : w_tag\nMAP\nBBB\nENDMAP\n";

#[test]
fn a_tree_that_was_not_compiled_before_has_all_its_findings() {
    let text = "NAME: q_a\nDEPTH: D\nORIENT: float\nMAP\n..q..\nENDMAP\n";
    let file = tree("lsp-cold", &[("a.des", text)]).join("a.des");
    let mut editor = Editor::with(&["--cache", "none"], &file, text);
    assert_eq!(codes(&editor.findings(1)), ["VW319"]);
    editor.leave();
}

#[test]
fn files_that_change_on_the_disk_are_read_again() {
    let folder = tree("lsp-changed", &[("a.des", GIVES), ("b.des", ASKS)]);
    let mut editor = Editor::with(&["--cache", "none"], &folder.join("b.des"), ASKS);
    assert_eq!(editor.findings(1), [] as [Value; 0]);
    let given = format!("file://{}", folder.join("a.des").display());
    let watched = json!({ "changes": [{ "uri": given, "type": 2 }] });
    fs::write(folder.join("a.des"), format!("# x\n\n{GIVES}")).expect("a file");
    editor.tell("workspace/didChangeWatchedFiles", watched.clone());
    let edit = editor.ask_at("textDocument/rename", 3, 16, json!({ "newName": "fresh" }));
    assert_eq!(edit["changes"][&given][0]["range"]["start"]["line"], 3, "{edit}");
    // Without a word of the editor's it is noticed when something is saved.
    fs::remove_file(folder.join("a.des")).expect("it was there");
    let saved = json!({ "textDocument": { "uri": editor.uri } });
    editor.tell("textDocument/didSave", saved);
    assert_eq!(codes(&editor.findings(1)), ["VW331"]);
    let used = editor.ask_at("textDocument/definition", 3, 16, json!({}));
    assert_eq!(used, json!([]));
    editor.leave();
}

#[test]
fn each_tree_has_its_own_names_and_files_know_of_each_other() {
    let other = tree("lsp-other-tree", &[("x.des", "NAME: x\nMAP\n.\nENDMAP\n")]);
    let folder = tree("lsp-this-tree", &[("a.des", GIVES), ("b.des", ASKS)]);
    let text = fs::read_to_string(other.join("x.des")).expect("a file");
    let mut editor = Editor::with(&["--cache", "none"], &other.join("x.des"), &text);
    editor.findings(1);
    editor.uri = format!("file://{}", folder.join("b.des").display());
    let open = |editor: &mut Editor, uri: &str, version: i64, text: &str| {
        let document = json!({ "uri": uri, "languageId": "des", "version": version, "text": text });
        editor.tell("textDocument/didOpen", json!({ "textDocument": document }));
    };
    let asking = editor.uri.clone();
    open(&mut editor, &asking, 2, ASKS);
    assert_eq!(editor.findings(2), [] as [Value; 0]);
    let given = editor.ask_at("textDocument/definition", 3, 16, json!({}));
    assert!(given[0]["uri"].as_str().is_some_and(|uri| uri.ends_with("a.des")), "{given}");
    // What is typed in one file is told in the other, nothing being saved.
    let giving = format!("file://{}", folder.join("a.des").display());
    open(&mut editor, &giving, 3, &GIVES.replace("w_tag", "no_tag"));
    assert_eq!(codes(&editor.findings(2)), ["VW331"]);
    editor.tell("textDocument/didClose", json!({ "textDocument": { "uri": giving } }));
    assert_eq!(editor.findings(2), [] as [Value; 0]);
    editor.leave();
}

#[test]
fn an_editor_says_goodbye_before_it_leaves() {
    let mut editor = Editor::on(&file("lsp-goodbye"), VAULTS);
    editor.ask("shutdown", Value::Null);
    let answer = editor.ask("textDocument/hover", json!({}));
    assert_eq!(answer["error"]["code"], -32600, "{answer}");
    editor.tell("exit", Value::Null);
    assert!(editor.server.wait().expect("it ends").success());
    let mut editor = Editor::on(&file("lsp-no-goodbye"), VAULTS);
    editor.tell("exit", Value::Null);
    assert_eq!(editor.server.wait().expect("it ends").code(), Some(1));
}

/// What is no message is answered, and what comes after it, too.
#[test]
fn what_is_no_message_is_answered_with_an_error() {
    let mut editor = Editor::on(&file("lsp-no-message"), VAULTS);
    editor.findings(1);
    let broken: [(&[u8], i64); 6] = [
        (b"Content-Length: 9\r\n\r\n{ no JSON", -32700),
        (b"Content-Length: 4\r\n\r\n\"\xff\xfe\"", -32700),
        (b"Content-Length: 2\r\n\r\n[]", -32600),
        (b"Content-Length: much\r\n\r\n", -32700),
        (b"Content-Type: text/plain\r\n\r\n", -32700),
        // Its body runs into the header of the next message.
        (b"no header\r\n\r\n{\"jsonrpc\":\"2.0\"}", -32700),
    ];
    for (bytes, code) in broken {
        editor.to.write_all(bytes).expect("the server listens");
        let method = "textDocument/documentSymbol";
        assert!(editor.ask_file(method).is_array(), "{}", bytes.escape_ascii());
        let is_error = |message: &Value| message["error"].is_object();
        let told: Vec<Value> = editor.told.extract_if(.., |message| is_error(message)).collect();
        let [told] = &told[..] else { panic!("{} {told:?}", bytes.escape_ascii()) };
        assert_eq!(told["error"]["code"], code, "{told}");
        assert!(told.get("id").is_some_and(Value::is_null), "{told}");
    }
    editor.leave();
}

/// A library that fails is told in the file that is open: nothing else is found in it.
#[test]
fn a_tree_that_cannot_be_used_is_told_where_one_writes() {
    let folder = temporary("lsp-unusable");
    let file = folder.join("dat/des/a.des");
    for (path, text) in [("dat/dlua/dungeon.lua", "function broken("), ("dat/des/a.des", VAULTS)] {
        let path = folder.join(path);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(path, text).expect("written");
    }
    let mut editor = Editor::with(&[], &file, VAULTS);
    let found = editor.findings(1);
    let told = found[0]["message"].as_str().expect("a text");
    assert!(found.len() == 1 && told.contains("dungeon.lua:1: "), "{told}");
    // Once it is mended the file is looked at.
    fs::write(folder.join("dat/dlua/dungeon.lua"), "").expect("written");
    editor.change(2, &json!({ "text": VAULTS }));
    assert!(editor.findings(2).iter().all(|one| one["message"] != told));
    editor.leave();
}

#[test]
fn an_editor_may_leave_without_waiting_for_an_answer() {
    let mut editor = Editor::on(&file("lsp-hasty"), VAULTS);
    // What it sends meanwhile is read at once.
    let hover =
        json!({ "textDocument": { "uri": editor.uri }, "position": { "line": 0, "character": 0 } });
    for (id, method) in [(71, "textDocument/hover"), (72, "textDocument/hover"), (73, "shutdown")] {
        let params = if id == 73 { Value::Null } else { hover.clone() };
        editor.send(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }));
    }
    editor.tell("exit", Value::Null);
    assert!(editor.server.wait().expect("it ends").success());
}

#[test]
fn an_editor_that_is_gone_is_not_waited_for() {
    let editor = Editor::on(&file("lsp-gone"), VAULTS);
    let Editor { mut server, to, from, .. } = editor;
    drop((to, from));
    server.wait().expect("it ends by itself");
}

#[test]
fn neovim_is_served() {
    let Some(_) = crate::common::neovim() else { return };
    let folder = temporary("lsp-neovim");
    let mistaken = VAULTS.replace("bullfrog", "bullforg");
    fs::write(folder.join("vaults.des"), mistaken).expect("a file");
    fs::write(
        folder.join("try.lua"),
        format!(
            r#"
vim.cmd("edit vaults.des")
local client = vim.lsp.start_client({{
  name = "vaultwright", cmd = {{ "{program}", "lsp", "--standalone" }}, root_dir = vim.fn.getcwd(),
}})
vim.lsp.buf_attach_client(0, client)
local out = {{}}
vim.wait(20000, function() return #vim.diagnostic.get(0) > 0 end, 50)
for _, finding in ipairs(vim.diagnostic.get(0)) do
  table.insert(out, "finding " .. finding.lnum .. " " .. finding.code)
end
local function ask(method, params)
  local answers = vim.lsp.buf_request_sync(0, method, params, 20000) or {{}}
  return answers[client] and answers[client].result
end
local document = {{ uri = vim.uri_from_bufnr(0) }}
local list = ask("textDocument/completion",
  {{ textDocument = document, position = {{ line = 3, character = 8 }} }})
table.insert(out, "completions " .. tostring(list and #list.items > 0))
local hover = ask("textDocument/hover",
  {{ textDocument = document, position = {{ line = 1, character = 18 }} }})
table.insert(out, "hover " .. tostring(hover and hover.contents.value:match("transparent")))
local edit = ask("textDocument/rename",
  {{ textDocument = document, position = {{ line = 1, character = 7 }}, newName = "lsp_lake" }})
vim.lsp.util.apply_workspace_edit(edit, "utf-16")
table.insert(out, "renamed " .. vim.fn.getline(2) .. " | " .. vim.fn.getline(12))
vim.fn.writefile(out, "out.txt")
vim.cmd("qa!")
"#,
            program = env!("CARGO_BIN_EXE_vaultwright")
        ),
    )
    .expect("a file");
    let run = Command::new("nvim")
        .args(["--headless", "--clean", "-c", "luafile try.lua"])
        .current_dir(&folder)
        .output()
        .expect("nvim runs");
    let out = fs::read_to_string(folder.join("out.txt"))
        .unwrap_or_else(|_| panic!("{}", String::from_utf8_lossy(&run.stderr)));
    let expected = "finding 3 VW102\ncompletions true\nhover transparent\nrenamed TAGS: lsp_lake transparent | SUBVAULT: B : lsp_lake\n";
    assert_eq!(out, expected);
}

/// Through the mode of `editors/emacs`, which tells Eglot of the server.
#[test]
fn emacs_is_served() {
    let Some(_) = crate::common::emacs() else { return };
    let folder = temporary("lsp-emacs");
    fs::write(folder.join("vaults.des"), VAULTS.replace("bullfrog", "bullforg")).expect("a file");
    let script = format!(
        r#"
(package-initialize)
(add-to-list 'load-path "{mode}")
(require 'vaultwright-mode)
(require 'eglot)
(setq vaultwright-program "{program}"
      vaultwright-arguments '("--standalone")
      eglot-sync-connect 20
      eglot-confirm-server-initiated-edits nil)
(defvar out nil)
(defun told (format &rest values) (push (apply #'format format values) out))
(defun go-to (line column)
  (goto-char (point-min)) (forward-line line) (forward-char column))
(defun ask (method)
  (jsonrpc-request (eglot-current-server) method (eglot--TextDocumentPositionParams)))
(find-file "vaults.des")
(apply #'eglot--connect (eglot--guess-contact))
(flymake-mode 1)
(let ((until (+ (float-time) 20)))
  (while (and (null (flymake-diagnostics)) (< (float-time) until))
    (flymake-start)
    (accept-process-output nil 0.1)))
(dolist (finding (flymake-diagnostics))
  (told "finding %d %s" (line-number-at-pos (flymake-diagnostic-beg finding))
        (car (split-string (flymake-diagnostic-text finding) "
"))))
(go-to 3 8)
(told "completions %s" (> (length (plist-get (ask :textDocument/completion) :items)) 0))
(go-to 1 18)
(let ((said (plist-get (plist-get (ask :textDocument/hover) :contents) :value)))
  (told "hover %s" (and (string-match "transparent" said) (match-string 0 said))))
(go-to 1 7)
(eglot-rename "lsp_lake")
(go-to 1 0)
(told "renamed %s" (buffer-substring-no-properties (point) (line-end-position)))
(go-to 11 0)
(told "renamed %s" (buffer-substring-no-properties (point) (line-end-position)))
(with-temp-file "out.txt" (insert (mapconcat #'identity (reverse out) "
")))
"#,
        mode = concat!(env!("CARGO_MANIFEST_DIR"), "/../../editors/emacs"),
        program = env!("CARGO_BIN_EXE_vaultwright"),
    );
    fs::write(folder.join("try.el"), script).expect("a file");
    let run = Command::new("emacs")
        .args(["--batch", "-l", "try.el"])
        .current_dir(&folder)
        .output()
        .expect("emacs runs");
    let out = fs::read_to_string(folder.join("out.txt"))
        .unwrap_or_else(|_| panic!("{}", String::from_utf8_lossy(&run.stderr)));
    let expected = "finding 4 vaultwright [VW102]: unknown monster: \"bullforg\"\ncompletions t\n\
                    hover transparent\nrenamed TAGS: lsp_lake transparent\n\
                    renamed SUBVAULT: B : lsp_lake";
    assert_eq!(out, expected);
}
