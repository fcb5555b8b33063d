//! The studio's server, asked as a page asks it.
#![cfg(feature = "studio")]

mod server;

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::Command;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::common::temporary;
use server::{POND, Reply, Studio, TOKEN, children_of, file, is_alive};

#[test]
fn only_the_browser_of_the_author_is_let_in() {
    let studio = Studio::open("studio_guard");
    let cookie = ("Cookie", format!("vaultwright-studio-{}={TOKEN}", studio.port));
    let json = ("Content-Type", "application/json".to_owned());
    let status =
        |path: &str, headers: &[(&str, String)]| studio.send("POST", path, headers, "{}").status;
    assert_eq!(status("/api/files", &[json.clone(), cookie.clone()]), 200);
    assert_eq!(status(&format!("/api/files?token={TOKEN}"), std::slice::from_ref(&json)), 200);
    assert_eq!(status("/api/files", std::slice::from_ref(&json)), 403);
    assert_eq!(status("/api/files?token=0123456789abcdef", std::slice::from_ref(&json)), 403);
    for (name, value) in [
        ("Host", "evil.example".to_owned()),
        ("Host", format!("evil.example:{}", studio.port)),
        ("Origin", "http://evil.example".to_owned()),
        ("Origin", "null".to_owned()),
        ("Sec-Fetch-Site", "cross-site".to_owned()),
    ] {
        let headers = [json.clone(), cookie.clone(), (name, value)];
        assert_eq!(status("/api/files", &headers), 403, "{name}");
    }
    // A form of another page cannot send JSON.
    let form = ("Content-Type", "text/plain".to_owned());
    assert_eq!(status("/api/files", &[form, cookie.clone()]), 415);
    assert_eq!(studio.send("GET", "/", &[], "").status, 403);
    let page = studio.send("GET", &format!("/?token={TOKEN}"), &[], "");
    assert_eq!(page.status, 200);
    let head = page.head.to_lowercase();
    assert!(head.contains("httponly; samesite=strict"), "{head}");
    assert!(
        head.contains("content-security-policy: default-src 'none'; script-src 'self';"),
        "{head}"
    );
    assert_eq!(
        studio.send("GET", "/page/../Cargo.toml", std::slice::from_ref(&cookie), "").status,
        404
    );
    assert_eq!(studio.send("GET", "/page/style.css", &[cookie], "").status, 200);
}

#[test]
fn a_panel_of_an_editor_may_show_the_page_and_other_pages_may_not() {
    let folder = temporary("studio_frame");
    std::fs::write(folder.join("pond.des"), POND).expect("a file");
    let options = ["--frame", "vscode-webview:", "--frame", "http://localhost:9000"];
    let studio = Studio::with(folder, 0, &options);
    let page = studio.send("GET", &format!("/?token={TOKEN}"), &[], "");
    let head = page.head.to_lowercase();
    let ancestors = "frame-ancestors 'self' vscode-webview: http://localhost:9000\r\n";
    assert!(head.contains(ancestors), "{head}");
    assert!(head.contains("httponly; samesite=none; secure"), "{head}");
    // The cookie now comes along with what others ask: they are refused for who they are.
    let cookie = ("Cookie", format!("vaultwright-studio-{}={TOKEN}", studio.port));
    let json = ("Content-Type", "application/json".to_owned());
    let origin = ("Origin", "http://localhost:9000".to_owned());
    assert_eq!(studio.send("POST", "/api/files", &[json, cookie, origin], "{}").status, 403);
    let run = crate::common::run(&["studio", "--no-open", "--frame", "*; script-src *"]);
    assert_ne!(run.code, 0);
    assert!(run.stderr.contains("neither an origin nor a scheme"), "{}", run.stderr);
}

#[test]
fn files_stay_within_the_folder_and_are_never_lost() {
    let studio = Studio::open("studio_files");
    let outside = studio.folder.parent().expect("a parent").join("studio_outside.des");
    std::fs::write(&outside, "precious").expect("a file");
    for path in
        ["../studio_outside.des", "/etc/passwd", "a/../../b.des", "..\\b.des", "", "pond.txt"]
    {
        let reply = studio.call("read", &json!({ "path": path }));
        assert!(matches!(reply.status, 400 | 403), "{path}: {}", reply.status);
        let reply = studio.call("create", &json!({ "path": path, "text": "x" }));
        assert!(matches!(reply.status, 400 | 403), "{path}: {}", reply.status);
    }
    let read = studio.ask("read", &json!({ "path": "pond.des" }));
    assert_eq!(read["text"], POND);
    let text = POND.replace("DEPTH: D:2-4", "DEPTH: D:3");
    let save = json!({ "path": "pond.des", "text": text, "revision": read["revision"] });
    let saved = studio.ask("save", &save);
    assert_eq!(std::fs::read_to_string(studio.folder.join("pond.des")).expect("a file"), text);
    // Somebody else has the old revision still.
    let late = studio.call("save", &save);
    assert_eq!(late.status, 409);
    assert_eq!(late.json()["current"]["revision"], saved["revision"]);
    assert_eq!(late.json()["current"]["text"], text);
    std::fs::remove_file(studio.folder.join("pond.des")).expect("removed");
    let gone = json!({ "path": "pond.des", "text": "x", "revision": saved["revision"] });
    let reply = studio.call("save", &gone);
    assert_eq!((reply.status, reply.json()["current"].clone()), (409, Value::Null));
    studio.ask("create", &json!({ "path": "pond.des", "text": text }));
    assert_eq!(studio.call("create", &json!({ "path": "pond.des", "text": "y" })).status, 409);
    // What is no UTF-8 comes back byte for byte, and is not spoiled by what it cannot hold.
    let latin = b"# caf\xe9\r\nNAME: a\r\nMAP\r\nx\r\nENDMAP\r\n";
    std::fs::write(studio.folder.join("latin.des"), latin).expect("a file");
    let read = studio.ask("read", &json!({ "path": "latin.des" }));
    assert_eq!(
        (&read["encoding"], &read["text"]),
        (&json!("latin1"), &json!("# café\r\nNAME: a\r\nMAP\r\nx\r\nENDMAP\r\n"))
    );
    let typed = read["text"].as_str().expect("a text").replace('\r', "");
    let save = json!({ "path": "latin.des", "text": typed, "revision": read["revision"] });
    studio.ask("save", &save);
    assert_eq!(std::fs::read(studio.folder.join("latin.des")).expect("a file"), latin);
    let spoilt = json!({ "path": "latin.des", "text": "\u{2020}", "revision": read["revision"] });
    assert_eq!(studio.call("save", &spoilt).status, 422);
    assert_eq!(std::fs::read(studio.folder.join("latin.des")).expect("a file"), latin);
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(&outside, studio.folder.join("link.des")).expect("a link");
        std::os::unix::fs::symlink("..", studio.folder.join("up")).expect("a link");
        for path in ["link.des", "up/studio_outside.des"] {
            assert_eq!(studio.call("read", &json!({ "path": path })).status, 403, "{path}");
            let save = json!({ "path": path, "text": "evil", "revision": "" });
            assert_eq!(studio.call("save", &save).status, 403, "{path}");
        }
    }
    assert_eq!(std::fs::read_to_string(&outside).expect("a file"), "precious");
    let files = studio.ask("files", &json!({}));
    let files = files["files"].as_array().expect("a list").iter();
    let own: Vec<&Value> =
        files.filter(|file| file["inside"] != true).map(|file| &file["path"]).collect();
    assert_eq!(own, ["latin.des", "pond.des"]);
}

#[test]
fn files_inside_the_program_are_read_and_rolled_and_never_written() {
    let studio = Studio::open("studio_inside");
    let files = studio.ask("files", &json!({}));
    let inside: Vec<&Value> =
        files["files"].as_array().expect("a list").iter().filter(|f| f["inside"] == true).collect();
    assert!(inside.len() > 5, "{files}");
    let (path, map) = (&inside[0]["path"], &inside[0]["maps"][0]);
    assert!(path.as_str().is_some_and(|path| path.starts_with("pack:")), "{path}");
    let text = studio.ask("read", &json!({ "path": path }))["text"].clone();
    assert!(text.as_str().is_some_and(|text| text.contains("NAME:")));
    let shown = json!({ "path": path, "text": text });
    let rolls = studio.ask("rolls", &json!({ "file": shown, "map": map, "seed": 1, "count": 2 }));
    assert!(rolls["rolls"][0]["rows"].is_array(), "{rolls}");
    for method in ["save", "create"] {
        let params = json!({ "path": path, "text": "NAME: mine", "revision": "" });
        let refused = studio.call(method, &params);
        assert_eq!(refused.status, 403, "{method}");
        assert!(refused.message().contains("under a name of your own"), "{}", refused.message());
    }
    assert_eq!(studio.call("read", &json!({ "path": "pack:starter/../x.des" })).status, 403);
}

#[test]
fn a_text_is_seen_as_it_is_typed() {
    let studio = Studio::open("studio_sees");
    let hello = studio.ask("hello", &json!({}));
    assert_eq!((&hello["file"], &hello["data"]["kind"]), (&json!("pond.des"), &json!("embedded")));
    let request = json!({ "file": file(POND), "map": "test_pond", "seed": 1, "count": 24 });
    let rolls = studio.ask("rolls", &request);
    let rolls = rolls["rolls"].as_array().expect("rolls");
    assert_eq!(rolls.len(), 24);
    for roll in rolls {
        assert_eq!((&roll["width"], &roll["height"]), (&json!(5), &json!(3)));
        // The cell of the q: its row, then the SUBST.
        let lines = &roll["lineTable"][roll["lines"][7].as_u64().expect("a list") as usize];
        let wet = roll["rows"][1].as_str().expect("a row").chars().nth(2);
        assert_eq!(lines, &json!([8, 4]), "{wet:?}");
    }
    let shown: std::collections::BTreeSet<&str> =
        rolls.iter().filter_map(|roll| roll["rows"][1].as_str()).collect();
    assert_eq!(shown.len(), 2, "{shown:?}");
    let palette = studio.ask("palette", &json!({ "file": file(POND), "map": "test_pond" }));
    let glyphs = palette["glyphs"].as_array().expect("glyphs");
    let of = |glyph: &str| glyphs.iter().find(|row| row["glyph"] == glyph).expect("a glyph");
    assert_eq!((&of("1")["meaning"], &of("1")["lines"]), (&json!("rat"), &json!([3])));
    assert_eq!(of("q")["meaning"], "deep_water 50 %, floor 50 %");
    let cell = json!({ "file": file(POND), "map": "test_pond", "seed": 1, "x": 3, "y": 1 });
    let cell = studio.ask("cell", &cell);
    assert_eq!((&cell["glyph"], &cell["feature"]), (&json!("F"), &json!("fountain_blue")));
    let made: Vec<&Value> =
        cell["made_by"].as_array().expect("lines").iter().map(|by| &by["line"]).collect();
    assert_eq!(made, [&json!(8), &json!(5)]);
    // A mistake, its place and what mends it.
    let wrong = POND.replace("rat", "ratt");
    let check = studio.ask("check", &json!({ "file": file(&wrong) }));
    let finding = &check["findings"][0];
    assert_eq!(finding["severity"], "error");
    assert_eq!(finding["range"]["start"], json!({ "line": 3, "column": 6 }));
    assert_eq!(finding["fixes"][0]["edits"][0]["text"], "rat");
    let request = json!({ "file": file(&wrong), "map": "test_pond" });
    let reply = studio.call("rolls", &request);
    assert_eq!((reply.status, reply.json()["error"]["line"].clone()), (422, json!(3)));
    let check = studio.ask("check", &json!({ "file": file(POND) }));
    assert_eq!(check["findings"], json!([]));
    assert_eq!(check["maps"][0]["rows"], json!({ "first_line": 7, "count": 3, "column": 0 }));
    let asked = json!({ "file": file(POND), "map": "test_pond", "rolls": 100 });
    let coverage = studio.ask("coverage", &asked);
    let shares: f64 = coverage["cells"][7]
        .as_array()
        .expect("outcomes")
        .iter()
        .filter_map(|outcome| outcome["share"].as_f64())
        .sum();
    assert!((shares - 1.0).abs() < 1e-9);
}

#[test]
fn a_vault_stands_in_levels_is_built_and_played() {
    let studio = Studio::open("studio_levels");
    let request =
        json!({ "file": file(POND), "map": "test_pond", "places": ["D:2"], "seeds": [1, 2] });
    let placed = studio.ask("place", &request);
    for level in placed["levels"].as_array().expect("levels") {
        assert_eq!(level["placed"], true, "{level}");
        let own = level["vaults"].as_array().expect("vaults").iter().any(|v| v["own"] == true);
        assert!(own && level["symbols"].as_array().is_some_and(|cells| cells.len() == 80 * 70));
    }
    // The command line makes the same level.
    let command = placed["levels"][0]["command"].as_str().expect("a command");
    let words: Vec<&str> = command.split(' ').skip(1).chain(["--format", "json"]).collect();
    let level: Value = serde_json::from_str(&crate::common::run(&words).stdout).expect("a level");
    let names: Vec<&str> = level["vaults"]
        .as_array()
        .expect("vaults")
        .iter()
        .filter_map(|v| v["name"].as_str())
        .collect();
    let own: Vec<&str> = placed["levels"][0]["vaults"]
        .as_array()
        .expect("vaults")
        .iter()
        .filter_map(|v| v["name"].as_str())
        .collect();
    assert_eq!(names, own);
    let odds = studio.ask("odds", &json!({ "file": file(POND), "map": "test_pond" }));
    assert!(odds["game"].as_f64().is_some_and(|share| share > 0.0 && share < 1.0), "{odds}");
    let built = studio.ask("build", &json!({ "place": "D:2", "seed": 3 }));
    let steps = built["steps"].as_array().expect("steps");
    assert_eq!((&steps[0]["name"], &built["built"]), (&json!("attempt"), &json!(true)));
    assert!(steps.iter().any(|step| step["name"] == "vault_cells"));
    for (format, first) in [("gif", &b"GIF89a"[..]), ("apng", &b"\x89PNG"[..])] {
        let reply = studio.call("animate", &json!({ "place": "D:2", "seed": 3, "format": format }));
        assert!(reply.status == 200 && reply.body.starts_with(first), "{format}");
    }
    let play = json!({ "file": file(POND), "map": "test_pond", "seed": 1 });
    let begun = studio.ask("play.start", &play);
    let session = &begun["session"];
    let act = |action: Value| {
        studio.ask("play.act", &json!({ "session": session, "action": action }))["view"].clone()
    };
    act(json!({ "do": "wait", "turns": 4 }));
    let later = act(json!({ "do": "explore" }));
    assert_eq!(later["done"], 2);
    let back = studio.ask("play.back", &json!({ "session": session, "to": 0 }));
    assert_eq!(back["view"]["you"], begun["view"]["you"]);
    #[cfg(target_os = "linux")]
    {
        // A process that is gone is replaced, and what was done is done again.
        for worker in studio.workers() {
            let _ = Command::new("kill").args(["-9", &worker.to_string()]).status();
        }
        let reply = studio.call("play.back", &json!({ "session": session, "to": 2 }));
        if reply.status != 200 {
            assert_eq!(reply.status, 502);
        }
    }
    let forth = studio.ask("play.back", &json!({ "session": session, "to": 2 }));
    assert_eq!(forth["view"]["symbols"], later["symbols"]);
    assert_eq!(forth["view"]["turn"], later["turn"]);
    let scenario = studio.ask("play.scenario", &json!({ "session": session }));
    let path = studio.folder.join("walk.lua");
    std::fs::write(&path, scenario["text"].as_str().expect("a text")).expect("a file");
    let (walk, pond) =
        (path.display().to_string(), studio.folder.join("pond.des").display().to_string());
    let run = crate::common::run(&["scenario", &walk, "--file", &pond, "--standalone"]);
    assert_eq!(run.code, 0, "{}{}", run.stdout, run.stderr);
    studio.ask("play.end", &json!({ "session": session }));
    let ended = studio.call("play.act", &json!({ "session": session, "action": { "do": "wait" } }));
    assert_eq!(ended.status, 410);
}

#[test]
fn newer_requests_win_and_hostile_vaults_are_stopped() {
    let studio = Studio::open("studio_hostile");
    // Each map ends when it has used up what its Lua may use; all together take longer than a
    // request.
    let endless: String = (0..80)
        .map(|n| format!("NAME: endless_{n}\n: while true do end\nMAP\nx\nENDMAP\n"))
        .collect();
    let ask = |map: &str, generation: u64| {
        let params = json!({
            "file": file(&endless), "map": map, "count": 96, "page": "p", "channel": "rolls",
            "generation": generation,
        });
        studio.call("rolls", &params)
    };
    let began = Instant::now();
    let (slow, waiting, newest) = std::thread::scope(|scope| {
        let slow = scope.spawn(|| [ask("endless_0", 1), ask("endless_0", 1)]);
        let other = scope.spawn(|| ask("endless_0", 1));
        std::thread::sleep(Duration::from_millis(700));
        let waiting = scope.spawn(|| ask("endless_0", 2));
        std::thread::sleep(Duration::from_millis(300));
        let newest = scope.spawn(|| {
            studio.call("rolls", &json!({
            "file": file(POND), "map": "test_pond", "count": 2, "page": "p", "channel": "rolls",
            "generation": 3,
        }))
        });
        // Others are answered meanwhile.
        assert_eq!(studio.call("files", &json!({})).status, 200);
        let _ = other.join();
        (
            slow.join().expect("a thread"),
            waiting.join().expect("a thread"),
            newest.join().expect("a thread"),
        )
    });
    assert_eq!(newest.status, 200);
    assert_eq!((waiting.status, waiting.message()), (409, "superseded".to_owned()));
    assert_eq!((slow[0].status, slow[1].status), (504, 409), "{}", slow[0].message());
    assert!(began.elapsed() < Duration::from_secs(100), "{:?}", began.elapsed());
    let after = studio.ask("rolls", &json!({ "file": file(POND), "map": "test_pond", "count": 2 }));
    assert_eq!(after["rolls"].as_array().map(Vec::len), Some(2));
}

#[cfg(target_os = "linux")]
#[test]
fn a_killed_worker_is_replaced_and_a_killed_server_leaves_none() {
    let studio = Studio::open("studio_killed");
    let request = json!({ "file": file(POND), "map": "test_pond", "count": 2 });
    studio.ask("rolls", &request);
    let workers = studio.workers();
    assert!(!workers.is_empty() && workers.len() <= 2, "{workers:?}");
    for worker in &workers {
        let _ = Command::new("kill").args(["-9", &worker.to_string()]).status();
    }
    // The page is told of each that is lost, and asks again.
    let replies: Vec<u16> = (0..4).map(|_| studio.call("rolls", &request).status).collect();
    assert_eq!(replies.last(), Some(&200), "{replies:?}");
    // Campaigns are processes with processes of their own.
    studio.ask("campaign.start", &json!({ "games": 5000 }));
    std::thread::sleep(Duration::from_millis(500));
    let mut workers = studio.workers();
    assert!(workers.len() > 1, "{workers:?}");
    workers.extend(workers.clone().into_iter().flat_map(children_of));
    let (folder, port) = (studio.folder.clone(), studio.port);
    drop(studio);
    let gone = || workers.iter().all(|worker| !is_alive(*worker));
    let began = Instant::now();
    while !gone() && began.elapsed() < Duration::from_secs(60) {
        std::thread::sleep(Duration::from_millis(20));
    }
    assert!(gone(), "{workers:?}");
    // Another one at the same address lets the same page in.
    let again = Studio::of(folder, port);
    assert_eq!(again.call("files", &json!({})).status, 200);
    // Ctrl-C ends it and all that it has started.
    again.ask("rolls", &request);
    let workers = again.workers();
    let _ = Command::new("kill").args(["-INT", &again.child.id().to_string()]).status();
    let began = Instant::now();
    while (is_alive(again.child.id()) || workers.iter().any(|worker| is_alive(*worker)))
        && began.elapsed() < Duration::from_secs(60)
    {
        std::thread::sleep(Duration::from_millis(20));
    }
    assert!(!workers.iter().any(|worker| is_alive(*worker)));
}

#[test]
fn changes_on_the_disk_are_told() {
    let mut studio = Studio::open("studio_events");
    let mut stream = TcpStream::connect(("127.0.0.1", studio.port)).expect("it listens");
    stream.set_read_timeout(Some(Duration::from_secs(60))).expect("a limit");
    let port = studio.port;
    let request =
        format!("GET /api/events?token={TOKEN} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n");
    stream.write_all(request.as_bytes()).expect("sent");
    let mut events = BufReader::new(stream);
    let mut next = |kind: &str| loop {
        let mut line = String::new();
        assert!(events.read_line(&mut line).expect("an event") > 0);
        if let Some(data) = line.strip_prefix("data: ") {
            let event: Value = serde_json::from_str(data.trim()).expect("JSON");
            if event["kind"] == kind {
                return event;
            }
        }
    };
    let request = json!({ "file": { "path": "pond.des", "text": POND }, "map": "other_pond" });
    assert_eq!(studio.call("rolls", &request).status, 422);
    let path = studio.folder.join("other.des");
    std::fs::write(&path, POND.replace("test_pond", "other_pond")).expect("a file");
    let event = next("changed");
    assert_eq!(event["path"], "other.des");
    let read = studio.ask("read", &json!({ "path": "other.des" }));
    assert_eq!(read["revision"], event["revision"]);
    std::fs::remove_file(&path).expect("removed");
    assert_eq!(next("removed")["path"], "other.des");
    let _ = studio.child.kill();
    let mut rest = String::new();
    studio.output.read_to_string(&mut rest).expect("its output ends");
}

#[test]
fn drawings_of_others_become_vaults() {
    use base64::Engine as _;
    let studio = Studio::open("studio_import");
    let import = |kind: &str, bytes: &[u8]| {
        let packed = base64::engine::general_purpose::STANDARD.encode(bytes);
        studio.call("import", &json!({ "kind": kind, "name": "My Cave.x", "base64": packed }))
    };
    let compiles = |reply: &Reply| -> String {
        assert_eq!(reply.status, 200, "{}", String::from_utf8_lossy(&reply.body));
        let text = reply.json()["text"].as_str().expect("a text").to_owned();
        let check = studio.ask("check", &json!({ "file": { "path": "new.des", "text": text } }));
        assert_eq!(check["maps"][0]["compiles"], true, "{text}\n{check}");
        assert_eq!(check["maps"][0]["name"], "my_cave");
        text
    };
    let text = compiles(&import("text", "\n  #####\n  #.~.@\n  #####\n".as_bytes()));
    assert!(text.contains("MAP\nxxxxx\nx.w.@\nxxxxx\nENDMAP"), "{text}");
    let tmx = r#"<map width="3" height="2"><tileset firstgid="1"><tile id="0" type="rock_wall"/>
        <tile id="1" type="fountain_blue"/><tile id="2"><properties><property name="glyph" value="."/>
        </properties></tile></tileset><layer width="3" height="2"><data encoding="csv">1,2,3,
        1,3,2147483652</data></layer></map>"#;
    let text = compiles(&import("tmx", tmx.as_bytes()));
    assert!(text.contains("MAP\nxT.\nx.") || text.contains("fountain_blue"), "{text}");
    let tmj = json!({ "width": 2, "height": 1, "tilesets": [{ "firstgid": 1, "tiles": [
        { "id": 0, "type": "stone_wall" } ] }], "layers": [{ "layers": [{ "data": [1, 7] }] }] });
    compiles(&import("tmj", tmj.to_string().as_bytes()));
    let cell =
        |c: u8, background: [u8; 3]| [&[c, 0, 0, 0, 200, 200, 200][..], &background].concat();
    let numbers = |list: &[i32]| list.iter().flat_map(|n| n.to_le_bytes()).collect::<Vec<u8>>();
    let layer =
        [cell(b'#', [0; 3]), cell(b'.', [0; 3]), cell(b'<', [255, 0, 255]), cell(247, [0; 3])];
    let xp = [numbers(&[-1, 1, 2, 2]), layer.concat()].concat();
    let text = compiles(&import("xp", &gzip(&xp)));
    assert!(text.contains("MAP\nx\n.w\nENDMAP"), "{text}");
    let mut image = Vec::new();
    let mut encoder = png::Encoder::new(&mut image, 2, 1);
    encoder.set_color(png::ColorType::Rgb);
    let mut writer = encoder.write_header().expect("an image");
    writer.write_image_data(&[0, 0, 250, 130, 130, 130]).expect("an image");
    writer.finish().expect("an image");
    let text = compiles(&import("png", &image));
    assert!(text.contains("MAP\nwx\nENDMAP"), "{text}");
    // Bombs and nonsense are refused, and nothing comes down.
    let bomb = gzip(&vec![0; 40 << 20]);
    assert!(import("xp", &bomb).message().contains("more than"), "a bomb");
    for kind in ["tmx", "tmj", "xp", "png", "other"] {
        assert_eq!(import(kind, b"nonsense").status, 422, "{kind}");
    }
    let deep = "<map>".repeat(200_000);
    assert_eq!(import("tmx", deep.as_bytes()).status, 422);
    let huge = json!({ "width": 4_000_000_000_u64, "height": 2, "layers": [] });
    assert_eq!(import("tmj", huge.to_string().as_bytes()).status, 422);
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    encoder.write_all(bytes).expect("memory");
    encoder.finish().expect("memory")
}

#[test]
fn campaigns_are_counted_asked_and_compared() {
    let studio = Studio::open("studio_campaigns");
    let begin = |seed: u64| {
        let params = json!({ "places": ["D:1-2"], "games": 2, "seed": seed });
        studio.ask("campaign.start", &params)["campaign"].clone()
    };
    let ended = |campaign: &Value| {
        let began = Instant::now();
        loop {
            let status = studio.ask("campaign.status", &json!({}));
            let all = status["campaigns"].as_array().cloned().unwrap_or_default();
            let own = all.into_iter().find(|one| one["campaign"] == *campaign).expect("it is told");
            if own["state"] != "running" {
                return own;
            }
            assert!(began.elapsed() < Duration::from_secs(100), "{own}");
            std::thread::sleep(Duration::from_millis(50));
        }
    };
    let (first, second) = (begin(1), begin(5));
    assert_eq!(studio.call("campaign.start", &json!({ "games": 2 })).status, 400);
    let told = ended(&first);
    assert_eq!((&told["state"], &told["done"]), (&json!("done"), &json!(2)), "{told}");
    assert_eq!(ended(&second)["state"], "done");
    let tables = studio.ask("campaign.tables", &json!({ "campaign": first }));
    let names: Vec<&str> = tables["tables"]
        .as_array()
        .expect("tables")
        .iter()
        .filter_map(|t| t["name"].as_str())
        .collect();
    assert!(names.contains(&"levels") && names.contains(&"vaults"), "{names:?}");
    let query = json!({
        "campaign": first, "table": "levels", "group": ["place"], "order": "count", "descending": true,
    });
    let answer = studio.ask("campaign.query", &query);
    assert_eq!(answer["columns"], json!(["place", "count"]));
    assert_eq!(answer["rows"].as_array().map(Vec::len), Some(2));
    assert!(answer["rows"].as_array().expect("rows").iter().all(|row| row[1] == 2), "{answer}");
    let narrow = json!({
        "campaign": first, "table": "levels", "limit": 1,
        "where": [{ "column": "place", "op": "=", "value": "D:2" }, { "column": "seed", "op": ">", "value": 1 }],
    });
    assert_eq!(studio.ask("campaign.query", &narrow)["all"], 1);
    let seen = |condition: Value| {
        let query = json!({ "campaign": first, "table": "levels", "where": [condition] });
        let reply = studio.call("campaign.query", &query);
        (reply.status, reply.message())
    };
    let all = (200, String::new());
    assert_eq!(seen(json!({ "column": "seed", "op": "=", "value": "18446744073709551615" })), all);
    assert_eq!(seen(json!({ "column": "built", "op": "=", "value": "true" })), all);
    for (column, op, value, told) in [
        (
            "monsters",
            "<=",
            json!("five"),
            "'monsters' holds a number for each row: '<= \"five\"' says nothing",
        ),
        (
            "monsters",
            ">",
            Value::Null,
            "'monsters' holds a number for each row: '> null' says nothing",
        ),
        ("place", "=", json!(3), "'place' holds a text for each row: '= 3' says nothing"),
        (
            "seed",
            "contains",
            json!("1"),
            "'seed' holds a number for each row: 'contains \"1\"' says nothing",
        ),
    ] {
        let condition = json!({ "column": column, "op": op, "value": value });
        assert_eq!(seen(condition), (400, told.to_owned()));
    }
    for table in ["../levels", "", "nothing"] {
        let query = json!({ "campaign": first, "table": table });
        assert_eq!(studio.call("campaign.query", &query).status, 400, "{table}");
    }
    let compared = studio.ask("campaign.compare", &json!({ "a": first, "b": second }));
    let cookie = ("Cookie", format!("vaultwright-studio-{}={TOKEN}", studio.port));
    let page = |name: &Value, headers: &[(&str, String)]| {
        let name = name.as_str().expect("a name");
        studio.send("GET", &format!("/report/{name}"), headers, "")
    };
    for name in [&first, &compared["report"]] {
        let report = page(name, std::slice::from_ref(&cookie));
        assert!(report.status == 200 && report.body.starts_with(b"<!"), "{}", report.head);
        // Nothing in a report reaches the studio.
        let head = report.head.to_lowercase();
        assert!(head.contains("content-security-policy: sandbox allow-scripts allow-downloads;"));
        assert!(head.contains("default-src 'none'"), "{head}");
        assert_eq!(page(name, &[]).status, 403);
    }
    assert_eq!(page(&json!("nothing"), std::slice::from_ref(&cookie)).status, 404);
    for place in ["--out", "/tmp", "D:1;x", ""] {
        assert_eq!(
            studio.call("campaign.start", &json!({ "places": [place] })).status,
            400,
            "{place}"
        );
    }
    let long = studio.ask("campaign.start", &json!({ "games": 2000 }))["campaign"].clone();
    std::thread::sleep(Duration::from_millis(600));
    studio.ask("campaign.stop", &json!({ "campaign": long }));
    let told = ended(&long);
    assert!(told["state"] != "done" && told["done"].as_u64() < Some(2000), "{told}");
}

#[test]
fn parameters_that_are_wrong_are_named() {
    let studio = Studio::open("studio_parameters");
    let size = "'rooms' has to be two numbers: across and down";
    let tower = json!({ "path": "dungeon.lua", "text": "" });
    std::fs::write(studio.folder.join("dungeon.lua"), "").expect("a file");
    for (method, params, status, told) in [
        (
            "campaign.start",
            json!({ "games": "many" }),
            400,
            "'games' of campaign.start has to be a whole number from 0 on",
        ),
        (
            "campaign.start",
            json!({ "gmaes": 3 }),
            400,
            "'gmaes' is no parameter of campaign.start, which takes games, seed, places, file",
        ),
        ("rolls", json!({ "file": file(POND), "map": 7 }), 400, "'map' of rolls has to be a text"),
        ("lair.floors", json!({ "file": tower, "rooms": [1] }), 422, size),
        (
            "lair.floors",
            json!({ "file": tower, "count": 13 }),
            422,
            "'count' has to be from 1 to 12",
        ),
        ("campaign.start", json!({ "games": 0 }), 400, "'games' has to be from 1 to 100000"),
    ] {
        let reply = studio.call(method, &params);
        assert_eq!((reply.status, reply.message()), (status, told.to_owned()), "{method} {params}");
    }
}

#[test]
fn towers_are_made_while_their_script_is_written() {
    let studio = Studio::open("studio_lair");
    let script = "function map_cares_insert() return my_x() == 2 end\n\
                  function my_x() return current_x and 2 or 2 end\n\
                  function map_image_decide() return 'wall mossy' end\n";
    std::fs::write(studio.folder.join("dungeon.lua"), "-- empty\n").expect("a file");
    let file = json!({ "path": "dungeon.lua", "text": script });
    let request = json!({ "file": file, "count": 2, "seed": 4, "size": "tiny" });
    let made = studio.ask("lair.floors", &request);
    let floors = made["floors"].as_array().expect("floors");
    assert_eq!(floors.len(), 2);
    let mut request = request.clone();
    request["floor"] = 1.into();
    request["x"] = 3.into();
    request["y"] = 2.into();
    let cell = studio.ask("lair.cell", &request);
    let asked = cell["asked"].as_array().expect("questions");
    let first = &asked[0];
    assert_eq!(
        (&first["function"], &first["pass"]),
        (&json!("map_cares_insert"), &json!("pass 1"))
    );
    assert_eq!((&first["answer"], &first["line"]), (&json!("true"), &json!(0)));
    let outside = json!({ "path": "../dungeon.lua", "text": script });
    assert_eq!(studio.call("lair.floors", &json!({ "file": outside })).status, 422);
}
