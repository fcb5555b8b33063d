//! The studio's page in a real browser: what people do there, and what may go wrong meanwhile.

#![cfg(feature = "studio")]

mod borrowed;
mod browser;
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
    scene("mistake", POND, |scene| {
        scene.until_rolled();
        scene.retype("bullfrog", "bullforg");
        scene.until_told("unknown monster: \"bullforg\"");
        scene.until(
            "it is underlined",
            "document.querySelector('.lines .mark.error')?.textContent === 'bullforg'",
        );
        // What one cannot roll stays as it was, and says why.
        scene.until("the rolls are old", "document.querySelector('.wall-view.stale')");
        scene.click(".fix");
        scene.until("it is mended", "document.getElementById('text').value.includes('bullfrog')");
        scene.until_told("Nothing to complain of");
        scene.until_rolled();
        scene.control('z');
        assert!(scene.text().contains("bullforg"), "a fix is undone like anything else");
        scene.control('z');
        assert_eq!(scene.text(), POND);
    });
}

#[test]
fn drawing_writes_and_writing_draws() {
    scene("drawing", POND, |scene| {
        scene.until_rolled();
        scene.until(
            "there is a drawing",
            "document.querySelector('.drawing').ariaLabel.includes('11 by 7')",
        );
        scene.click("[data-glyph=\"T\"]");
        // 13 cells across with the margin, 9 down: the second row of the drawing, its third to
        // sixth column.
        let (y, cell) = (2.5 / 9.0, |column: f64| (column + 1.5) / 13.0);
        scene.drag(".drawing", &[(cell(2.0), y), (cell(5.0), y)]);
        scene.until(
            "the text has it",
            "document.getElementById('text').value.includes('x.TTTT....x')",
        );
        scene.until(
            "the palette knows it",
            "document.querySelector('[data-glyph=\"T\"] .count')?.textContent === '4'",
        );
        scene.control('z');
        assert_eq!(scene.text(), POND, "one stroke is one step of undo");
        let before = scene.text_of("document.querySelector('.drawing').toDataURL()");
        scene.retype("xxxxx+xxxxx", "xxxx+++xxxx");
        let picture = "document.querySelector('.drawing').toDataURL()";
        scene.until("the picture has it", &format!("{picture} !== {}", serde_json::json!(before)));
        // By keys alone: a typed glyph is drawn, and the cursor moves on.
        scene.js("document.querySelector('.drawing').focus()");
        scene.keys("\u{e015}\u{e014}GG");
        scene.until("it is drawn", "document.getElementById('text').value.includes('xGG.......x')");
    });
}

#[test]
fn cells_lead_to_lines_and_lines_to_cells() {
    scene("cells", POND, |scene| {
        scene.until_rolled();
        let dark = scene.text_of("document.querySelector('.wall').toDataURL()");
        scene.caret("SUBST:", false);
        let lit = "document.querySelector('.wall').toDataURL()";
        scene.until("its cells light up", &format!("{lit} !== {}", serde_json::json!(dark)));
        scene.js("document.querySelector('.wall').focus()");
        scene.keys("\u{e014}");
        scene.until(
            "the cell is told",
            "document.querySelector('.cell-report').textContent.includes('rock_wall')",
        );
        scene.until(
            "its line is lit",
            "document.querySelector('.lines .lit')?.textContent.startsWith('x')",
        );
        scene.keys("\u{e007}");
        scene.until(
            "the caret is there",
            "/^line ([6-9]|1[0-2]),/.test(document.getElementById('place').textContent)",
        );
        assert_eq!(scene.text_of("document.activeElement.id"), "text");
        let told = scene.text_of("document.querySelector('.wall').getAttribute('aria-label')");
        assert_eq!(told, "24 rolls of pond");
    });
}

#[test]
fn addresses_keys_and_numbers_lead_to_what_is_there() {
    scene("addresses", POND, |scene| {
        scene.until_rolled();
        scene.js("location.hash = '#view=cover&file=vaults.des&map=nomap'");
        scene.until("the map is the one that is seen", "location.hash.includes('map=pond')");
        scene.js("location.hash = '#view=build&file=vaults.des&place=Zot:99&seed=-5'");
        let place = "document.querySelector('.build-view select').value";
        scene.until("the seed is the one that counts", "location.hash.includes('seed=0')");
        scene.until("so is the place", &format!("{place} && location.hash.includes({place}[0])"));
        scene.js("document.querySelector('.build-view input').focus()");
        const F6: &str = "\u{e036}";
        scene.keys(F6);
        scene
            .until("a tab has the focus", "document.activeElement.matches('[aria-selected=true]')");
    });
}

#[test]
fn a_vault_is_forced_into_levels() {
    scene("levels", POND, |scene| {
        scene.click("#tab-place");
        let status = "document.getElementById('place-status').textContent";
        scene.until(
            "it stands in all",
            &format!("{status}.startsWith('pond stands in 12 of 12 levels')"),
        );
        scene.click("[data-seed=\"3\"]");
        let command = scene.text_of("document.querySelector('dialog code').textContent");
        assert!(command.starts_with("vaultwright generate "), "{command}");
        assert!(command.contains("--seed 3 ") && command.contains("--force pond"), "{command}");
        // The command makes the same level.
        let line = command.replacen("vaultwright", env!("CARGO_BIN_EXE_vaultwright"), 1);
        let output = Command::new("sh").args(["-c", &format!("{line} --format json")]).output();
        let output = output.expect("it runs");
        let printed = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(output.status.success() && printed.contains("\"pond\""), "{command}\n{printed}");
        scene.press("Watch it being built");
        scene.until("it is built", "document.querySelectorAll('.steps [data-step]').length > 20");
    });
}

#[test]
fn a_campaign_is_counted_and_its_report_read() {
    scene("numbers", POND, |scene| {
        scene.click("#tab-numbers");
        scene.js("document.querySelector('[aria-label=Games]').value = '2'");
        scene.press("Start");
        let rows = "document.querySelectorAll('.numbers tbody tr').length > 3";
        scene.until("its tables are asked", rows);
        scene.until(
            "it is done",
            "document.querySelector('.numbers .chosen legend')?.textContent.includes('done')",
        );
        scene.press("Report");
        scene.until("a report is framed", "document.querySelector('.report iframe')");
        scene.browser.enter_frame(".report iframe");
        scene.until("its own script has run", "document.querySelectorAll('svg').length > 1");
        let reached =
            "(() => { try { return Boolean(parent.document); } catch { return false; } })()";
        assert_eq!(scene.js(&format!("return {reached}")), false, "a report reaches nothing");
        scene.browser.leave_frame();
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
    scene("trigger", PLATE, |scene| {
        scene.click("#tab-play");
        let said = "document.querySelector('.messages').textContent";
        scene.until("there is a marker", "document.querySelector('.side li button')");
        assert!(!scene.text_of(said).contains("plate clicks"));
        scene.click(".side li button");
        scene.until("it speaks", &format!("{said}.includes('A plate clicks under your foot.')"));
        scene.js("document.querySelector('.play-map').focus()");
        scene.keys("\u{e003}");
        scene.until("it is taken back", &format!("!{said}.includes('plate clicks')"));
        scene.click("[aria-label='One step on again']");
        scene.until("it is done again", &format!("{said}.includes('plate clicks')"));
        scene.click("#record-scenario");
        scene.until(
            "there is a scenario",
            "document.querySelector('dialog .scenario')?.textContent.includes('plate')",
        );
    });
}

#[test]
fn a_drawing_that_is_dropped_becomes_a_vault() {
    scene("import", POND, |scene| {
        scene.until_rolled();
        let drop = "const data = new DataTransfer();
            data.items.add(new File(['####\\n#.~@\\n####\\n'], 'My Cave.txt'));
            document.body.dispatchEvent(
                new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }));";
        scene.js(drop);
        let shown = "document.querySelector('dialog .scenario')?.textContent";
        scene.until("it is shown", &format!("{shown}?.includes('NAME: my_cave')"));
        scene.press("Put it at the end");
        let text = "document.getElementById('text').value";
        scene.until("it is in the text", &format!("{text}.includes('x.w@')"));
        assert!(scene.text().starts_with(POND), "nothing else has changed");
        assert_eq!(scene.on_disk(), POND, "nothing is saved that nobody saves");
        scene.until_rolled();
        // What nobody can read is told.
        let drop = drop.replace("My Cave.txt", "cave.doc");
        scene.js(&drop);
        scene.until("it is told", "document.body.innerText.includes('cave.doc: only')");
    });
}

#[test]
fn a_level_in_the_making_is_saved_as_a_film() {
    scene("film", POND, |scene| {
        scene.js("window.saved = []; URL.createObjectURL = (blob) => {
            blob.arrayBuffer().then((all) => saved.push(
                String.fromCharCode(...new Uint8Array(all.slice(0, 6))) + all.byteLength));
            return '#'; }");
        scene.click("#tab-build");
        scene.until("it is built", "document.querySelectorAll('.steps [data-step]').length > 20");
        scene.press("GIF");
        scene.until("a GIF is saved", "saved[0]?.startsWith('GIF89a')");
        scene.press("PNG");
        scene.until("a PNG is saved", "saved[1]?.includes('PNG')");
        let size = scene.text_of("saved[0].slice(6)");
        assert!(size.parse::<u64>().expect("a size") > 10_000, "{size}");
    });
}

#[test]
fn a_tower_redraws_while_its_script_is_written() {
    scene("tower", POND, |scene| {
        let script = "function map_cares_insert()\n  return generator_coarse_x.x == 3\nend\n";
        std::fs::write(scene.folder.join("dungeon.lua"), script).expect("a script");
        scene.go_to_page();
        scene.click("#tab-lair");
        scene.press("dungeon.lua");
        let floors = "document.querySelectorAll('.floors canvas').length === 4";
        scene.until("there are four floors", floors);
        scene.until_told("Nothing to complain of");
        // Every size that is offered is one.
        let sizes = scene.js("return document.querySelector('[aria-label=Size]').length");
        assert_eq!(sizes, 7);
        scene.js("const box = document.querySelector('[aria-label=Size]'); box.value = 'oneroom';
            box.dispatchEvent(new Event('change'))");
        scene.retype("generator_coarse_x", "genorator");
        scene.until_told("attempt to index global 'genorator'");
        scene.until("its line is marked", "document.querySelector('.lines .mark.warning')");
    });
}

#[test]
fn the_page_outlives_its_server() {
    scene("server", POND, |scene| {
        scene.until_rolled();
        scene.kill_studio();
        scene.until("it is told", "document.querySelector('.banner.lost')");
        scene.retype("bullfrog", "bullforg");
        scene.start_studio();
        scene.until("it is back", "document.getElementById('banner').hidden");
        scene.until_told("unknown monster: \"bullforg\"");
        scene.control('s');
        scene.until("it is saved", "document.getElementById('state').textContent === 'saved'");
        assert!(scene.on_disk().contains("bullforg"));
    });
}

#[test]
fn a_file_that_is_removed_can_be_saved_again() {
    scene("removed", POND, |scene| {
        scene.until_rolled();
        scene.retype("bullfrog", "rat");
        std::fs::remove_file(scene.folder.join("vaults.des")).expect("removed");
        scene.until("it is told", "document.getElementById('save-again')");
        assert!(scene.text().contains("bat / rat"), "the text is still there");
        scene.click("#save-again");
        scene.until("it is saved", "document.getElementById('state').textContent === 'saved'");
        assert!(scene.on_disk().contains("bat / rat"));
    });
}

#[test]
fn of_two_pages_the_later_is_told_and_nothing_is_lost() {
    scene("two-pages", POND, |scene| {
        scene.until_rolled();
        let first = scene.browser.window();
        let second = scene.browser.new_tab();
        scene.browser.switch_to(&second);
        scene.go_to_page();
        scene.retype("bullfrog", "rat");
        scene.browser.switch_to(&first);
        scene.retype("pond", "lake");
        scene.control('s');
        scene.until("it is saved", "document.getElementById('state').textContent === 'saved'");
        assert!(scene.on_disk().contains("lake") && scene.on_disk().contains("bullfrog"));

        scene.browser.switch_to(&second);
        scene.until("the other one is told", "document.getElementById('look-at-both')");
        assert!(scene.text().contains("bat / rat"), "its own text stays");
        scene.control('s');
        scene.until(
            "both are shown",
            "document.querySelector('dialog .mine') && document.querySelector('dialog .theirs')",
        );
        assert!(scene.on_disk().contains("lake"), "nothing is overwritten unasked");
        scene.click("#take-theirs");
        scene.until("it is taken", "document.getElementById('text').value.includes('lake')");
        scene.control('z');
        assert!(scene.text().contains("bat / rat"), "one's own text is one undo away");
        scene.control('s');
        scene.until("it is saved", "document.getElementById('state').textContent === 'saved'");
        assert!(scene.on_disk().contains("bat / rat"));

        scene.browser.switch_to(&first);
        let follows = "document.getElementById('text').value.includes('bat / rat')";
        scene.until("a page without changes follows", follows);
    });
}

#[test]
fn a_vault_that_never_ends_leaves_the_page_alive() {
    let text = POND.replace("MAP\nx", ": while true do end\nMAP\nx");
    scene("hostile", &text, |scene| {
        scene.until_told("error");
        scene.caret(": while true do end", true);
        scene.keys(": local calm = 1");
        assert!(scene.text().contains("local calm"));
        scene.until_rolled();
    });
}

#[test]
fn rolls_show_the_games_tiles_where_there_are_some() {
    scene("tiles", POND, |scene| {
        scene.until_rolled();
        let label = "[...document.querySelectorAll('.wall-view label')].find((l) => l.textContent.includes('tiles'))";
        scene.until("there are none", &format!("{label}.hidden"));
        scene.kill_studio();
        let tiles = own_tiles::tiles(&scene.folder);
        scene.words = vec!["--tiles".to_owned(), tiles.to_str().expect("UTF-8").to_owned()];
        scene.start_studio();
        scene.go_to_page();
        scene.until_rolled();
        let [red, green, blue, _] = own_tiles::WALL;
        let has_walls = format!(
            "(() => {{ const wall = document.querySelector('.wall');
               const {{ data }} = wall.getContext('2d').getImageData(0, 0, wall.width, wall.height);
               for (let i = 0; i < data.length; i += 4)
                 if (data[i] === {red} && data[i + 1] === {green} && data[i + 2] === {blue}) return true;
               return false; }})()"
        );
        scene.until("walls are tiles", &has_walls);
        scene.js(&format!("{label}.querySelector('input').click()"));
        scene.until("letters are chosen", &format!("!{has_walls}"));
    });
}

#[test]
fn messages_are_text_and_never_html() {
    let evil = "<img src=x onerror=\"document.title='owned'\">";
    let text = POND.replace("MAP\nx", &format!(": error([[{evil}]])\nMAP\nx"));
    scene("html", &text, |scene| {
        scene.until_told(evil);
        assert_eq!(scene.text_of("document.images.length"), "0");
        assert_ne!(scene.text_of("document.title"), "owned");
    });
}

#[test]
fn what_is_not_saved_is_there_after_a_reload() {
    scene("draft", POND, |scene| {
        scene.until_rolled();
        scene.retype("bullfrog", "rat");
        scene.go_to_page();
        scene.until("it is there", "document.getElementById('text').value.includes('bat / rat')");
        scene.until(
            "it is not saved",
            "document.getElementById('state').textContent === 'not saved'",
        );
        assert!(scene.on_disk().contains("bullfrog"), "nothing is written before one saves");
    });
}

#[test]
fn a_save_in_another_editor_is_followed() {
    scene("followed", POND, |scene| {
        scene.until_rolled();
        std::fs::write(scene.folder.join("vaults.des"), POND.replace("bullfrog", "rat"))
            .expect("it");
        scene.until("it is there", "document.getElementById('text').value.includes('bat / rat')");
        scene.until("it is saved", "document.getElementById('state').textContent === 'saved'");
    });
}
