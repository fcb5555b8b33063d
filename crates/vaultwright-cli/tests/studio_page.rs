//! The studio's page in a real browser: what people do there, and what may go wrong meanwhile.

#![cfg(feature = "studio")]

mod scene;

use std::process::Command;

use crate::common::own_tiles;
use scene::scene;

const POND: &str = "\
NAME:   pond
DEPTH:  D:2-5
MONS:   bat / bullfrog w:5
SUBST:  w = w:30 W
MAP
xxxxx+xxxxx
x.........x
x..wwwww..x
x..ww1ww..x
x..wwwww..x
x.........x
xxxxxxxxxxx
ENDMAP
";

#[test]
fn a_mistake_is_found_while_one_types_and_mended() {
    scene("mistake", POND, async |scene| {
        scene.until_rolled().await;
        scene.retype("bullfrog", "bullforg").await;
        scene.until_told("unknown monster: \"bullforg\"").await;
        scene
            .until(
                "it is underlined",
                "document.querySelector('.lines .mark.error')?.textContent === 'bullforg'",
            )
            .await;
        // What one cannot roll stays as it was, and says why.
        scene.until("the rolls are old", "document.querySelector('.wall-view.stale')").await;
        scene.click(".fix").await;
        scene
            .until("it is mended", "document.getElementById('text').value.includes('bullfrog')")
            .await;
        scene.until_told("Nothing to complain of").await;
        scene.until_rolled().await;
        scene.control('z').await;
        assert!(scene.text().await.contains("bullforg"), "a fix is undone like anything else");
        scene.control('z').await;
        assert_eq!(scene.text().await, POND);
    });
}

#[test]
fn drawing_writes_and_writing_draws() {
    scene("drawing", POND, async |scene| {
        scene.until_rolled().await;
        scene
            .until(
                "there is a drawing",
                "document.querySelector('.drawing').ariaLabel.includes('11 by 7')",
            )
            .await;
        scene.click("[data-glyph=\"T\"]").await;
        // 13 cells across with the margin, 9 down: the second row of the drawing, its third to
        // sixth column.
        let (y, cell) = (2.5 / 9.0, |column: f64| (column + 1.5) / 13.0);
        scene.drag(".drawing", &[(cell(2.0), y), (cell(5.0), y)]).await;
        scene
            .until(
                "the text has it",
                "document.getElementById('text').value.includes('x.TTTT....x')",
            )
            .await;
        scene
            .until(
                "the palette knows it",
                "document.querySelector('[data-glyph=\"T\"] .count')?.textContent === '4'",
            )
            .await;
        scene.control('z').await;
        assert_eq!(scene.text().await, POND, "one stroke is one step of undo");
        let before = scene.text_of("document.querySelector('.drawing').toDataURL()").await;
        scene.retype("xxxxx+xxxxx", "xxxx+++xxxx").await;
        let picture = "document.querySelector('.drawing').toDataURL()";
        scene
            .until("the picture has it", &format!("{picture} !== {}", serde_json::json!(before)))
            .await;
        // By keys alone: a typed glyph is drawn, and the cursor moves on.
        scene.js("document.querySelector('.drawing').focus()").await;
        scene.keys("\u{e015}\u{e014}GG").await;
        scene
            .until("it is drawn", "document.getElementById('text').value.includes('xGG.......x')")
            .await;
    });
}

#[test]
fn cells_lead_to_lines_and_lines_to_cells() {
    scene("cells", POND, async |scene| {
        scene.until_rolled().await;
        let dark = scene.text_of("document.querySelector('.wall').toDataURL()").await;
        scene.caret("SUBST:", false).await;
        let lit = "document.querySelector('.wall').toDataURL()";
        scene.until("its cells light up", &format!("{lit} !== {}", serde_json::json!(dark))).await;
        scene.js("document.querySelector('.wall').focus()").await;
        scene.keys("\u{e014}").await;
        scene
            .until(
                "the cell is told",
                "document.querySelector('.cell-report').textContent.includes('rock_wall')",
            )
            .await;
        scene
            .until(
                "its line is lit",
                "document.querySelector('.lines .lit')?.textContent.startsWith('x')",
            )
            .await;
        scene.keys("\u{e007}").await;
        scene
            .until(
                "the caret is there",
                "/^line ([6-9]|1[0-2]),/.test(document.getElementById('place').textContent)",
            )
            .await;
        assert_eq!(scene.text_of("document.activeElement.id").await, "text");
        let told =
            scene.text_of("document.querySelector('.wall').getAttribute('aria-label')").await;
        assert_eq!(told, "24 rolls of pond");
    });
}

#[test]
fn a_vault_is_forced_into_levels() {
    scene("levels", POND, async |scene| {
        scene.click("#tab-place").await;
        let status = "document.getElementById('place-status').textContent";
        scene
            .until(
                "it stands in all",
                &format!("{status}.startsWith('pond stands in 12 of 12 levels')"),
            )
            .await;
        scene.click("[data-seed=\"3\"]").await;
        let command = scene.text_of("document.querySelector('dialog code').textContent").await;
        assert!(command.starts_with("vaultwright generate "), "{command}");
        assert!(command.contains("--seed 3 ") && command.contains("--force pond"), "{command}");
        // The command makes the same level.
        let line = command.replacen("vaultwright", env!("CARGO_BIN_EXE_vaultwright"), 1);
        let output = Command::new("sh").args(["-c", &format!("{line} --format json")]).output();
        let output = output.expect("it runs");
        let printed = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(output.status.success() && printed.contains("\"pond\""), "{command}\n{printed}");
        scene.press("Watch it being built").await;
        scene
            .until("it is built", "document.querySelectorAll('.steps [data-step]').length > 20")
            .await;
    });
}

#[test]
fn a_campaign_is_counted_and_its_report_read() {
    scene("numbers", POND, async |scene| {
        scene.click("#tab-numbers").await;
        scene.js("document.querySelector('[aria-label=Games]').value = '2'").await;
        scene.press("Start").await;
        let rows = "document.querySelectorAll('.numbers tbody tr').length > 3";
        scene.until("its tables are asked", rows).await;
        scene
            .until(
                "it is done",
                "document.querySelector('.numbers .chosen legend')?.textContent.includes('done')",
            )
            .await;
        scene.press("Report").await;
        scene.until("a report is framed", "document.querySelector('.report iframe')").await;
        scene.enter_frame(".report iframe").await;
        scene.until("its own script has run", "document.querySelectorAll('svg').length > 1").await;
        let reached =
            "(() => { try { return Boolean(parent.document); } catch { return false; } })()";
        assert_eq!(scene.js(&format!("return {reached}")).await, false, "a report reaches nothing");
        scene.leave_frame().await;
    });
}

const PLATE: &str = "\
NAME:   plate
DEPTH:  D:2-5
KFEAT:  m = floor
MARKER: m = lua:message_at_spot(\"A plate clicks under your foot.\")
MAP
xxxxxxx
x.....x
x..m..x
x.....+
xxxxxxx
ENDMAP
";

#[test]
fn a_trigger_is_played() {
    scene("trigger", PLATE, async |scene| {
        scene.click("#tab-play").await;
        let said = "document.querySelector('.messages').textContent";
        scene.until("there is a marker", "document.querySelector('.side li button')").await;
        assert!(!scene.text_of(said).await.contains("plate clicks"));
        scene.click(".side li button").await;
        scene
            .until("it speaks", &format!("{said}.includes('A plate clicks under your foot.')"))
            .await;
        scene.js("document.querySelector('.play-map').focus()").await;
        scene.keys("\u{e003}").await;
        scene.until("it is taken back", &format!("!{said}.includes('plate clicks')")).await;
        scene.click("[aria-label='One step on again']").await;
        scene.until("it is done again", &format!("{said}.includes('plate clicks')")).await;
        scene.click("#record-scenario").await;
        scene
            .until(
                "there is a scenario",
                "document.querySelector('dialog .scenario')?.textContent.includes('plate')",
            )
            .await;
    });
}

#[test]
fn a_drawing_that_is_dropped_becomes_a_vault() {
    scene("import", POND, async |scene| {
        scene.until_rolled().await;
        let drop = "const data = new DataTransfer();
            data.items.add(new File(['####\\n#.~@\\n####\\n'], 'My Cave.txt'));
            document.body.dispatchEvent(
                new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }));";
        scene.js(drop).await;
        let shown = "document.querySelector('dialog .scenario')?.textContent";
        scene.until("it is shown", &format!("{shown}?.includes('NAME: my_cave')")).await;
        scene.press("Put it at the end").await;
        let text = "document.getElementById('text').value";
        scene.until("it is in the text", &format!("{text}.includes('x.w@')")).await;
        assert!(scene.text().await.starts_with(POND), "nothing else has changed");
        assert_eq!(scene.on_disk(), POND, "nothing is saved that nobody saves");
        scene.until_rolled().await;
        // What nobody can read is told.
        let drop = drop.replace("My Cave.txt", "cave.doc");
        scene.js(&drop).await;
        scene.until("it is told", "document.body.innerText.includes('cave.doc: only')").await;
    });
}

#[test]
fn a_level_in_the_making_is_saved_as_a_film() {
    scene("film", POND, async |scene| {
        scene
            .js("window.saved = []; URL.createObjectURL = (blob) => {
            blob.arrayBuffer().then((all) => saved.push(
                String.fromCharCode(...new Uint8Array(all.slice(0, 6))) + all.byteLength));
            return '#'; }")
            .await;
        scene.click("#tab-build").await;
        scene
            .until("it is built", "document.querySelectorAll('.steps [data-step]').length > 20")
            .await;
        scene.press("GIF").await;
        scene.until("a GIF is saved", "saved[0]?.startsWith('GIF89a')").await;
        scene.press("PNG").await;
        scene.until("a PNG is saved", "saved[1]?.includes('PNG')").await;
        let size = scene.text_of("saved[0].slice(6)").await;
        assert!(size.parse::<u64>().expect("a size") > 10_000, "{size}");
    });
}

#[test]
fn a_tower_redraws_while_its_script_is_written() {
    scene("tower", POND, async |scene| {
        let script = "function map_cares_insert()\n  return generator_coarse_x.x == 3\nend\n";
        std::fs::write(scene.folder.join("dungeon.lua"), script).expect("a script");
        scene.go_to_page().await;
        scene.click("#tab-lair").await;
        scene.press("dungeon.lua").await;
        let floors = "document.querySelectorAll('.floors canvas').length === 4";
        scene.until("there are four floors", floors).await;
        scene.until_told("Nothing to complain of").await;
        // Every size that is offered is one.
        let sizes = scene.js("return document.querySelector('[aria-label=Size]').length").await;
        assert_eq!(sizes, 7);
        scene
            .js("const box = document.querySelector('[aria-label=Size]'); box.value = 'oneroom';
            box.dispatchEvent(new Event('change'))")
            .await;
        scene.retype("generator_coarse_x", "genorator").await;
        scene.until_told("attempt to index global 'genorator'").await;
        scene.until("its line is marked", "document.querySelector('.lines .mark.warning')").await;
    });
}

#[test]
fn the_page_outlives_its_server() {
    scene("server", POND, async |scene| {
        scene.until_rolled().await;
        scene.kill_studio();
        scene.until("it is told", "document.querySelector('.banner.lost')").await;
        scene.retype("bullfrog", "bullforg").await;
        scene.start_studio();
        scene.until("it is back", "document.getElementById('banner').hidden").await;
        scene.until_told("unknown monster: \"bullforg\"").await;
        scene.control('s').await;
        scene
            .until("it is saved", "document.getElementById('state').textContent === 'saved'")
            .await;
        assert!(scene.on_disk().contains("bullforg"));
    });
}

#[test]
fn a_file_that_is_removed_can_be_saved_again() {
    scene("removed", POND, async |scene| {
        scene.until_rolled().await;
        scene.retype("bullfrog", "rat").await;
        std::fs::remove_file(scene.folder.join("vaults.des")).expect("removed");
        scene.until("it is told", "document.getElementById('save-again')").await;
        assert!(scene.text().await.contains("bat / rat"), "the text is still there");
        scene.click("#save-again").await;
        scene
            .until("it is saved", "document.getElementById('state').textContent === 'saved'")
            .await;
        assert!(scene.on_disk().contains("bat / rat"));
    });
}

#[test]
fn of_two_pages_the_later_is_told_and_nothing_is_lost() {
    scene("two-pages", POND, async |scene| {
        scene.until_rolled().await;
        let first = scene.client.window().await.expect("a window");
        let second = scene.client.new_window(true).await.expect("another").handle;
        scene.client.switch_to_window(second.clone()).await.expect("there");
        scene.go_to_page().await;
        scene.retype("bullfrog", "rat").await;
        scene.client.switch_to_window(first.clone()).await.expect("back");
        scene.retype("pond", "lake").await;
        scene.control('s').await;
        scene
            .until("it is saved", "document.getElementById('state').textContent === 'saved'")
            .await;
        assert!(scene.on_disk().contains("lake") && scene.on_disk().contains("bullfrog"));

        scene.client.switch_to_window(second).await.expect("there");
        scene.until("the other one is told", "document.getElementById('look-at-both')").await;
        assert!(scene.text().await.contains("bat / rat"), "its own text stays");
        scene.control('s').await;
        scene.until("both are shown", "document.querySelector('dialog .mine') && document.querySelector('dialog .theirs')").await;
        assert!(scene.on_disk().contains("lake"), "nothing is overwritten unasked");
        scene.click("#take-theirs").await;
        scene.until("it is taken", "document.getElementById('text').value.includes('lake')").await;
        scene.control('z').await;
        assert!(scene.text().await.contains("bat / rat"), "one's own text is one undo away");
        scene.control('s').await;
        scene
            .until("it is saved", "document.getElementById('state').textContent === 'saved'")
            .await;
        assert!(scene.on_disk().contains("bat / rat"));

        scene.client.switch_to_window(first).await.expect("back");
        let follows = "document.getElementById('text').value.includes('bat / rat')";
        scene.until("a page without changes follows", follows).await;
    });
}

#[test]
fn a_vault_that_never_ends_leaves_the_page_alive() {
    let text = POND.replace("MAP\nx", ": while true do end\nMAP\nx");
    scene("hostile", &text, async |scene| {
        scene.until_told("error").await;
        scene.caret(": while true do end", true).await;
        scene.keys(": local calm = 1").await;
        assert!(scene.text().await.contains("local calm"));
        scene.until_rolled().await;
    });
}

#[test]
fn rolls_show_the_games_tiles_where_there_are_some() {
    scene("tiles", POND, async |scene| {
        scene.until_rolled().await;
        let label = "[...document.querySelectorAll('.wall-view label')].find((l) => l.textContent.includes('tiles'))";
        scene.until("there are none", &format!("{label}.hidden")).await;
        scene.kill_studio();
        let tiles = own_tiles::tiles(&scene.folder);
        scene.words = vec!["--tiles".to_owned(), tiles.to_str().expect("UTF-8").to_owned()];
        scene.start_studio();
        scene.go_to_page().await;
        scene.until_rolled().await;
        let [red, green, blue, _] = own_tiles::WALL;
        let has_walls = format!(
            "(() => {{ const wall = document.querySelector('.wall');
               const {{ data }} = wall.getContext('2d').getImageData(0, 0, wall.width, wall.height);
               for (let i = 0; i < data.length; i += 4)
                 if (data[i] === {red} && data[i + 1] === {green} && data[i + 2] === {blue}) return true;
               return false; }})()"
        );
        scene.until("walls are tiles", &has_walls).await;
        scene.js(&format!("{label}.querySelector('input').click()")).await;
        scene.until("letters are chosen", &format!("!{has_walls}")).await;
    });
}

#[test]
fn messages_are_text_and_never_html() {
    let evil = "<img src=x onerror=\"document.title='owned'\">";
    let text = POND.replace("MAP\nx", &format!(": error([[{evil}]])\nMAP\nx"));
    scene("html", &text, async |scene| {
        scene.until_told(evil).await;
        assert_eq!(scene.text_of("document.images.length").await, "0");
        assert_ne!(scene.text_of("document.title").await, "owned");
    });
}

#[test]
fn what_is_not_saved_is_there_after_a_reload() {
    scene("draft", POND, async |scene| {
        scene.until_rolled().await;
        scene.retype("bullfrog", "rat").await;
        scene.go_to_page().await;
        scene
            .until("it is there", "document.getElementById('text').value.includes('bat / rat')")
            .await;
        scene
            .until(
                "it is not saved",
                "document.getElementById('state').textContent === 'not saved'",
            )
            .await;
        assert!(scene.on_disk().contains("bullfrog"), "nothing is written before one saves");
    });
}

#[test]
fn a_save_in_another_editor_is_followed() {
    scene("followed", POND, async |scene| {
        scene.until_rolled().await;
        std::fs::write(scene.folder.join("vaults.des"), POND.replace("bullfrog", "rat"))
            .expect("it");
        scene
            .until("it is there", "document.getElementById('text').value.includes('bat / rat')")
            .await;
        scene
            .until("it is saved", "document.getElementById('state').textContent === 'saved'")
            .await;
    });
}
