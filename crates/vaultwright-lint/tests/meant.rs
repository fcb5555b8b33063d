//! What is meant by what is wrong: hints and fixes that fit, and none where they do not.

use std::sync::Arc;

use vaultwright_engine::{DataRoot, Engine, EngineOptions, Problem, SourceFile};
use vaultwright_lint::{code_of, findings, fixed, look_deeply, sorted, without_allowed};
use vaultwright_map::MapId;
use vaultwright_syntax::Source;

/// What is found in the first of some files, of which the others are not compiled.
fn problems_of(files: &[&str]) -> Vec<Problem> {
    let options = EngineOptions { root: DataRoot::Bare, ..EngineOptions::default() };
    let mut engine = Engine::new(options).expect("an engine");
    engine.note_glyphs();
    let sources = files.iter().enumerate();
    let sources = sources.map(|(at, text)| Source::new(format!("{at}.des"), text.as_bytes()));
    let files = sources.map(|source| Arc::new(SourceFile::new(source))).collect();
    let loaded = engine.load_files(files, &mut |file, _| &*file.source.name == "0.des");
    let wanted = |file: &SourceFile| &*file.source.name == "0.des";
    let problems = findings(&mut engine, loaded, &wanted);
    without_allowed(problems, &engine.library().files, &wanted)
}

fn map(lines: &str, row: &str) -> String {
    format!("NAME: a\nDEPTH: D\n{lines}MAP\nx{row}x\nENDMAP\n")
}

/// The codes and hints of what is found in a map.
fn hints(lines: &str, row: &str) -> Vec<(&'static str, String)> {
    let told = problems_of(&[&map(lines, row)]).into_iter();
    told.map(|problem| (code_of(&problem), problem.hint.unwrap_or_default())).collect()
}

/// The codes and messages of what is found in a map.
fn messages(lines: &str, row: &str) -> Vec<(&'static str, String)> {
    let told = problems_of(&[&map(lines, row)]).into_iter();
    told.map(|problem| (code_of(&problem), problem.message)).collect()
}

fn mended(text: &str) -> Option<String> {
    let problems = problems_of(&[text]);
    let (bytes, _) = fixed(text.as_bytes(), &problems)?;
    Some(String::from_utf8(bytes).expect("UTF-8"))
}

#[test]
fn tags_that_something_asks_for_are_no_mistakes() {
    let own = map("TAGS: arrivals\n", ".");
    let codes = |others: &[&str]| -> Vec<&str> {
        let mut files = vec![own.as_str()];
        files.extend(others);
        problems_of(&files).iter().map(code_of).collect()
    };
    assert_eq!(codes(&[]), ["VW341"]);
    assert_eq!(codes(&["NAME: b\nSUBVAULT: A : arrivals\nMAP\nA\nENDMAP\n"]), [""; 0]);
    assert_eq!(codes(&["{{\nlocal m = dgn.map_by_tag('arrivals')\n}}\n"]), [""; 0]);
    assert_eq!(codes(&["NAME: b\n: tags('arrivals')\nMAP\n.\nENDMAP\n"]), ["VW341"]);
}

#[test]
fn tags_of_files_that_are_not_compiled_count() {
    let others = "NAME: b\nTAGS: no_flood uniq_sewer\nMAP\n.\nENDMAP\n\
                  NAME: c\nTAGS: no_flood uniq_sewer\nMAP\n.\nENDMAP\n";
    let told = |tag: &str| -> Vec<String> {
        let problems = problems_of(&[&map(&format!("TAGS: {tag}\n"), "."), others]);
        problems.into_iter().filter_map(|problem| problem.hint).collect()
    };
    assert_eq!(told("no_flood"), [""; 0]);
    assert_eq!(told("uniq_sewre"), ["did you mean 'uniq_sewer'?"]);
}

#[test]
fn a_fix_is_certain_only_of_what_is_alone() {
    assert_eq!(mended(&map("TAGS: no_mirror\n", ".")), None);
    assert_eq!(hints("ITEM: any dager\n", "d"), [("VW103", WHOLE_ITEM.to_owned())]);
    let staff = "did you mean 'magical staff'?".to_owned();
    assert_eq!(hints("ITEM: any staff\n", "d"), [("VW103", staff)]);
    assert!(mended(&map("ITEM: any staff\n", "d")).is_none());
    assert!(mended(&map("ITEM: dagger ego:flames\n", "d")).is_none());
    let right = mended(&map("ITEM: w:5 dagger ego:flamng\n", "d")).expect("a fix");
    assert!(right.contains("ego:flaming"), "{right}");
}

const WHOLE_ITEM: &str = "write the full name (pair of boots), or any CLASS";

#[test]
fn what_looks_like_the_end_of_a_drawing_becomes_it() {
    let right = "NAME: a\nDEPTH: D\nMAP\n...\nENDMAP\n\nNAME: b\nDEPTH: D\nMAP\n.\nENDMAP\n";
    for end in [" ENDMAP", "END MAP", "END", "ENDMAP."] {
        let wrong = right.replacen("ENDMAP", end, 1);
        assert_eq!(mended(&wrong).as_deref(), Some(right), "{end}");
        let told = problems_of(&[&wrong]);
        let told = told.iter().find(|problem| code_of(problem) == "VW007").expect("a finding");
        assert!(told.message.contains(&format!("'{end}'")), "{}", told.message);
        // Without a blank line, and at the end of the file.
        let close = right.replacen("\n\n", "\n", 1);
        assert_eq!(mended(&close.replacen("ENDMAP", end, 1)), Some(close), "{end}");
    }
}

#[test]
fn fixes_write_the_ends_of_lines_that_the_file_has() {
    let wrong = "NAME: a\r\nDEPTH: D # deep\r\nMAP\r\n...\r\n\r\nNAME: b\r\nDEPTH: D\r\nMAP\r\n\
                 .\r\nENDMAP\r\n";
    let mut text = wrong.to_owned();
    while let Some(next) = mended(&text) {
        text = next;
    }
    let right = wrong.replace("DEPTH: D # deep", "# deep\r\nDEPTH: D");
    assert_eq!(text, right.replace("...\r\n", "...\r\nENDMAP\r\n"));
}

#[test]
fn glyphs_that_only_transforms_bring_are_looked_at() {
    for line in ["SUBST: . = x / w", "NSUBST: . = 1:x / *:.q"] {
        let told = messages(&format!("{line}\n"), "...@");
        assert!(told.iter().any(|(code, _)| *code == "VW319"), "{line}: {told:?}");
    }
    assert_eq!(messages("SUBST: . = xq\nKFEAT: q = w\n", "...@"), []);
}

#[test]
fn the_first_segment_that_gets_no_cell_is_told() {
    let w = |line: &str, row: &str| -> Vec<&str> {
        let told = messages(&format!("{line}\n"), row).into_iter();
        told.filter(|(_, message)| message.contains("'w'")).map(|(code, _)| code).collect()
    };
    assert_eq!(w("NSUBST: A = 3:x / 3:w", "AA@"), ["VW318"]);
    assert_eq!(w("NSUBST: A = 3:x / *:w", "AAA@"), [""; 0]);
    assert_eq!(w("NSUBST: A = 3:x / 3:w", "AAAA@"), [""; 0]);
}

#[test]
fn depths_that_are_only_taken_away_are_none() {
    let told = |lines: &str| -> Vec<&str> {
        let text = format!("NAME: a\n{lines}MAP\n.\nENDMAP\n");
        problems_of(&[&text]).iter().map(code_of).collect()
    };
    assert!(told("DEPTH: !D:3\n").contains(&"VW322"));
    assert!(!told("DEPTH: !D:3\nTAGS: my_own_rooms\n").contains(&"VW322"));
}

#[test]
fn a_slot_that_another_header_replaces_says_so() {
    let told = messages("MONS: rat\nKMONS: 1 = bat\n", "1");
    let message = "this MONS entry is never used: KMONS gives '1' another meaning".to_owned();
    assert_eq!(told, [("VW314", message)]);
}

#[test]
fn a_function_of_the_map_that_is_hidden_is_told() {
    let told = messages(": mons = \"rat\"\n: weight = 5\n", ".");
    let hidden = |name: &str| format!("'{name}' is a function of the map: this only hides it");
    assert_eq!(told, [("VW366", hidden("mons")), ("VW366", hidden("weight"))]);
    assert_eq!(messages(": colour = 5\n: if colour > 4 then mons('rat') end\n", "1"), []);
    let called = hints(": mons = \"rat\"\n: mons(\"rat\")\n", ".");
    assert!(called[0].1.starts_with("something has been assigned to 'mons'"), "{called:?}");
}

#[test]
fn a_spell_of_a_parchment_is_written_with_underscores() {
    let told = messages("ITEM: parchment of Bolt of Fire\n", "d");
    assert!(told[0].1.ends_with("write 'bolt_of_fire'"), "{told:?}");
}

#[test]
fn hints_fit_what_is_wrong() {
    let hint = |lines: &str| -> String {
        let told = hints(&format!("{lines}\n"), ".").into_iter();
        let unused = ["VW314", "VW315", "VW312"];
        let told = told.filter(|(code, _)| !unused.contains(code)).map(|(_, hint)| hint);
        told.collect::<Vec<_>>().join("; ")
    };
    for (lines, part) in [
        ("MONS: rat ench:foo", "no enchantment of that name"),
        ("MONS: rat spells:glacial_breath", "write a spell that monsters cast"),
        ("MONS: rat ; dagger", "only monsters that use items"),
        ("FHEIGHT: . = tall", "write a whole number"),
        (": if x != 1 then mons('rat') end", "Lua writes ~="),
        (": if x = 1 then mons('rat') end", "write == to compare"),
        (": if x == 1 than mons('rat') end", "write `then`"),
        (": mons(\"rat)", "close the text"),
        ("{{\nif x then y()\nelse if z then y() end\n}}", "an `end` is missing"),
        ("MONS: orc | gnoll", "'/', not '|'"),
        ("KITEM: . = dagger | club", "'/', not '|'"),
        ("KFEAT: . = altar_xom, altar_trog", "'/', not ','"),
        (": mons(\"orc, rat\")", "'/', not ','"),
        ("MONS: orc ; dagger / club . robe", "stands '|'"),
        ("SUBVAULT: . : a", "a map has this name"),
        ("MONS: orc ; orc priest", "that is a monster: before the next one stands ',' or '/'"),
        ("KMONS: . = orc ; orc priest", "stands '/', and ';' before"),
        ("MONS: ogre mage spells:blink.40.magical,haste_other.30.magical", "stands ';'"),
        ("MONS: zombie:ogre", "write 'ogre zombie'"),
        ("KMONS: . = ogre hd:9 name:gate keeper name_replace ; giant club", "'name:gate_keeper'"),
        ("MONS: ogre name:of_the_hill name_sufix", "did you mean 'name_suffix'?"),
        ("MONS: ogre name:gate friendly", "write 'att:friendly'"),
        ("MONS: yak / \\\n# rare", "no comment may stand between lines that go on"),
        ("KITEM: . = any potion | any scroll", "'/', not '|'"),
        ("KITEM: . = superb_item any weapon", "'any weapon' is known: 'superb_item'"),
        ("KMASK: . = opaque, no_monster_gen", "between masks stands '/', not ','"),
        ("KFEAT: . = fountain_blue, B = dry_fountain", "another line, KFEAT: B = …"),
        ("KFEAT: . = general shop ; potion of curing , potion of haste", "stands '|', not ','"),
        ("KFEAT: . = general shop ; potion of curing / potion of haste", "stands '|', not '/'"),
        (": if x then\nTAGS: a_b\n: elif y then\n: end", "`elseif`, in one word"),
        (": if you.depth() > 11 then", "the `: if` in line 3 needs a line `: end`"),
        ("MARKER: . lua:foo()", "MARKER: G = lua:expression"),
        ("MARKER: . = fog_machine { size = 3, delay = 1 }", "write lua:fog_machine { …"),
        ("MARKER: . = luafog_machine { size = 3, delay = 1 }", "write lua:fog_machine { …"),
        ("MARKER: . = lua:MonPropsMarker { a = 1 }", "write MonPropsMarker:new: "),
        ("CHANCE: 0.05", "write CHANCE: 5%"),
        ("CHANCE: 0.001%", "the least is CHANCE: 1"),
        ("WEIGHT: 5 D:2-4, 10", "in parentheses, as in WEIGHT: 5 (D:2-4)"),
        ("ORIENT float", "write ORIENT:"),
        (
            "{{\nlocal b = TriggerableFunction:new { func = 'crawl.mpr' }\n\
          b:add_triggerer(DgnTriggerer.new { type = 'player_move' })\n}}",
            "DgnTriggerer:new:",
        ),
        (
            "{{\nlocal b = TriggerableFunction:new { func = 'crawl.mpr' }\n\
          b.add_triggerer(DgnTriggerer:new { type = 'player_move' })\n}}",
            "b:add_triggerer:",
        ),
    ] {
        let hint = hint(lines);
        assert!(hint.contains(part), "{lines}: {hint}");
    }
}

#[test]
fn names_in_a_message_give_no_hints() {
    let items = " ; a".to_owned() + &". a".repeat(12);
    let told = problems_of(&[&map(&format!("MONS: spellspark servitor{items}\n"), "1")]);
    assert!(told[0].message.starts_with("More items"), "{told:?}");
    assert_eq!((told[0].hint.as_deref(), &told[0].fix), (None, &None));
}

#[test]
fn a_map_that_does_not_compile_has_the_chance_that_it_writes() {
    let codes = |lines: &str| -> Vec<&str> {
        hints(&format!("TAGS: chance_a\n{lines}\n"), ".").into_iter().map(|(c, _)| c).collect()
    };
    assert_eq!(codes("CHANCE: 20%\nKMONS: . = rta"), ["VW102"]);
    assert_eq!(codes(": foo()\nCHANCE: 20%"), ["VW201"]);
    assert_eq!(codes("KMONS: . = rta"), ["VW341", "VW102"]);
}

#[test]
fn a_drawing_with_a_colon_is_one() {
    let wrong = map("", "..").replace("MAP\nx", "MAP:\nx");
    let told = problems_of(&[&wrong]);
    let told: Vec<_> = told.iter().map(|p| (code_of(p), &*p.message)).collect();
    assert_eq!(told, [("VW003", "MAP has no colon")]);
    assert_eq!(mended(&wrong), Some(map("", "..")));
}

#[test]
fn words_of_other_headers_are_told_with_these() {
    let hint = |lines: &str| -> String {
        let told = hints(&format!("{lines}\n"), ".").into_iter();
        let unused = ["VW312", "VW314", "VW316"];
        let told = told.filter(|(code, _)| !unused.contains(code)).map(|(_, hint)| hint);
        told.collect::<Vec<_>>().join("; ")
    };
    for (lines, part) in [
        ("KFEAT: . = bush", "a monster is called so: KMONS"),
        ("KFEAT: . = any weapon", "an item is called so: KITEM"),
        ("KMONS: . = altar_zin", "a feature is called so: KFEAT"),
        ("KMONS: . = any weapon", "an item is called so: KITEM"),
        ("KITEM: . = orc warrior", "a monster is called so: KMONS"),
        ("KITEM: . = tree", "a feature is called so: KFEAT"),
        ("KMONS: . = rat:5 / quokka:10", "the weight is w:5"),
        ("KFEAT: . = rock_wall:5 / floor", "the weight is w:5"),
        ("KITEM: . = dagger:12", "the weight is w:12"),
        ("KITEM: . = acquire:trog any weapon", "write 'acquire:trog weapon'"),
        ("KITEM: . = acquire useful armour", "write 'acquire armour'"),
        ("KFEAT: . = altar_tso", "did you mean 'altar_the_shining_one'?"),
        ("KFEAT: . = weapon shop name:Bob the Smith", "write 'name:Bob_the_Smith'"),
        ("MONS: dancing weapon ; robe", "as in dancing weapon ; any weapon"),
        ("MONS: 9", "or put 9 on the map"),
        ("SUBVAULT: . : own_a, own_b", "stands '/', not ','"),
        ("DEPTH: Snake|Swamp", "',' stands between ranges"),
        ("DEPTH: Lair:1-3 Orc", "',' stands between ranges"),
        ("DEPTH: Orc 2", "did you mean 'Orc:2'?"),
    ] {
        assert!(hint(lines).contains(part), "{lines}: {}", hint(lines));
    }
    for wrong in ["KITEM: . = rat", "KMONS: . = rat:5"] {
        assert_eq!(mended(&map(&format!("{wrong}\n"), ".")), None, "{wrong}");
    }
}

#[test]
fn what_is_missing_is_told_where_it_stands() {
    let place = |text: &str, code: &str| {
        let told = problems_of(&[text]).into_iter().find(|problem| code_of(problem) == code);
        told.map(|problem| text[problem.span].to_owned())
    };
    assert_eq!(place(&map("MONS: rat\n", "12"), "VW315").as_deref(), Some("2"));
    let brought = map("MONS: rat\nSUBST: w = 13\n", &("w".repeat(24) + "1"));
    assert_eq!(place(&brought, "VW315").as_deref(), Some("w = 13"));
    let glued = map("SUBST: w = x t5\n", &"w".repeat(24));
    assert_eq!(place(&glued, "VW315").as_deref(), Some("t5"));
    let cleared = "NAME: a\nDEPTH: D\nCLEAR: A = .\nMAP\nA.A\nENDMAP\n";
    assert_eq!(place(cleared, "VW122").as_deref(), Some("A = ."));
    let ended = "NAME: a\ndefault-depth: D\nTAGS: no_exits\nMAP\n..\nENDMAP\n";
    let told = problems_of(&[ended]);
    let places: Vec<&str> = told.iter().map(|problem| &ended[problem.span.clone()]).collect();
    assert_eq!(places, ["default-depth:"]);
}

#[test]
fn a_weight_in_front_of_its_glyph_is_told_where_it_stands() {
    let text = map("MONS: rat\nSUBST: ? = 20:t . w\n", &("?".repeat(24) + "1"));
    let told = problems_of(&[&text]);
    let told = told.iter().find(|problem| code_of(problem) == "VW315").expect("a finding");
    assert_eq!(&text[told.span.clone()], "20:t");
    assert!(told.hint.as_ref().is_some_and(|hint| hint.contains("write t:20")), "{told:?}");
}

#[test]
fn a_spec_that_is_put_together_is_told_once() {
    let lua = "{{\nlocal f = crawl.coinflip() and 'lava' or 'deep_water'\nkfeat('. ' .. f)\n}}\n";
    let codes: Vec<_> = hints(lua, ".").into_iter().map(|(code, _)| code).collect();
    assert_eq!(codes, ["VW112"]);
}

#[test]
fn fields_that_a_callback_needs_are_given() {
    let told = |data: &str, lua: &str| -> Vec<String> {
        let marker =
            format!("MARKER: . = lua:function_at_spot('callback.a', {{ {data} }}, true)\n");
        let block = format!(
            "{{{{\nfunction callback.a(data, triggerable, \
             triggerer, marker, ev)\n  {lua}\nend\n}}}}\n"
        );
        let told = problems_of(&[&(block + &map(&marker, "."))]).into_iter();
        told.filter(|p| code_of(p) == "VW361").filter_map(|p| p.hint).collect()
    };
    let bring = "the marker has to bring it: { steps = … } in its data";
    let count = "data.steps = data.steps + 1 crawl.mpr('A step')";
    assert_eq!(told("", count), [bring]);
    assert_eq!(told("steps = 0", count), [""; 0]);
    assert_eq!(told("", "data.steps = (data.steps or 0) + 1"), [""; 0]);
    assert_eq!(told("", "if data.steps then crawl.mpr(data.steps .. 'a') end"), [""; 0]);
    assert_eq!(told("stepps = 0", "data.steps = data.steps + 1"), ["did you mean 'stepps'?"]);
}

#[test]
fn names_without_quotation_marks_are_told() {
    let told = |lines: &str| -> Vec<String> {
        let told = hints(lines, ".").into_iter();
        told.filter(|(code, _)| *code == "VW361").map(|(_, hint)| hint).collect()
    };
    let fog =
        "MARKER: . = lua:fog_machine { cloud_type = steam, pow_max = 8, size = 3, delay = 9 }\n";
    assert_eq!(told(fog), ["a name is text: write \"steam\""]);
}

#[test]
fn an_allowed_error_is_told_as_one() {
    let told = messages("# vaultwright: allow-map VW102\nMONS: no such thing\n", "1");
    let message = "VW102 is an error here, and errors cannot be allowed".to_owned();
    assert!(told.contains(&("VW391", message)), "{told:?}");
}

#[test]
fn letters_of_several_bytes_are_told_where_they_are_glyphs() {
    let told = |lines: &str, row: &str| -> Vec<String> {
        let told = messages(lines, row).into_iter();
        told.filter(|(code, _)| *code == "VW320").map(|(_, message)| message).collect()
    };
    let two = ["'é' is 2 glyphs, since each byte is one"];
    assert_eq!(told("", ".é@"), two);
    for line in ["KMONS: é = rat", "SUBST: . = é", "COLOUR: é = red", "SHUFFLE: é."] {
        assert_eq!(told(&format!("{line}\n"), "..@"), two, "{line}");
    }
    assert_eq!(told("KMONS: . = rat name:étain\nDESC: é\n", "..@"), [""; 0]);
    // A blank that looks like any other is told by its number.
    assert_eq!(told("", ".\u{a0}@"), ["U+00A0 is 2 glyphs, since each byte is one"]);
    // In another encoding it is one byte.
    let mut latin = map("", ".e@").into_bytes();
    let at = latin.iter().rposition(|&byte| byte == b'e').expect("the letter");
    latin[at] = 0xe9;
    let source = Source::new("0.des", latin);
    let options = EngineOptions { root: DataRoot::Bare, ..EngineOptions::default() };
    let mut engine = Engine::new(options).expect("an engine");
    let loaded = engine.load(vec![source]);
    let found = findings(&mut engine, loaded, &|_| true);
    assert!(found.iter().all(|problem| code_of(problem) != "VW320"));
}

#[test]
fn markers_of_lua_for_glyphs_that_nothing_shows_are_told() {
    let told = |lua: &str, row: &str| -> Vec<String> {
        let told = messages(&format!("{{{{\n{lua}\n}}}}\n"), row).into_iter();
        told.filter(|(code, _)| *code == "VW312").map(|(_, message)| message).collect()
    };
    let marker = "lua_marker('Z', props_marker { x = 1 })";
    assert_eq!(told(marker, "..@"), ["marker: no 'Z' is on the map"]);
    assert_eq!(told("marker(\"Z = lua:props_marker { x = 1 }\")", "..@").len(), 1);
    for (lua, row) in [
        (marker.to_owned(), ".Z@"),
        (format!("subst('. = Z')\n{marker}"), "..@"),
        (format!("-- {marker}"), "..@"),
        (format!("mapgrd[1][1] = 'Z'\n{marker}"), "..@"),
        ("for _, glyph in ipairs { 'Z' } do lua_marker(glyph, {}) end".to_owned(), "..@"),
    ] {
        assert_eq!(told(&lua, row), [""; 0], "{lua}");
    }
}

#[test]
fn names_behind_the_first_word_of_a_tag_are_looked_at() {
    let told = |tag: &str| messages(&format!("TAGS: {tag}\n"), ".");
    let one = |tag: &str, what: &str| {
        let message = format!("the tag '{tag}' names no {what}, so it says nothing");
        assert_eq!(told(tag), [("VW341", message)]);
    };
    one("ruin_liar", "branch");
    one("no_species_xx", "species");
    for tag in ["ruin_lair", "no_species_mi", "layout_rooms"] {
        assert_eq!(told(tag), [], "{tag}");
    }
    let layout = "NAME: b\nTAGS: layout layout_type_rooms\nMAP\n.\nENDMAP\n";
    let told = |tag: &str| {
        let text = map(&format!("TAGS: {tag}\n"), ".");
        problems_of(&[&text, layout]).iter().map(code_of).collect::<Vec<_>>()
    };
    assert_eq!(told("layout_roms"), ["VW341"]);
    assert_eq!(told("nolayout_rooms layout_encompass"), [""; 0]);
}

#[test]
fn groups_without_a_chance_are_told() {
    let codes = |files: &[&str]| -> Vec<&str> { problems_of(files).iter().map(code_of).collect() };
    let group = |lines: &str| map(&format!("TAGS: chance_frogs\n{lines}"), ".");
    assert_eq!(codes(&[&group("")]), ["VW341"]);
    let chance = group("CHANCE: 20%\n");
    assert_eq!(codes(&[&chance]), [""; 0]);
    assert_eq!(codes(&[&group(""), &chance.replace("NAME: a", "NAME: b")]), [""; 0]);
    let chance = chance.replace("NAME: a", "NAME: b");
    let fallback = |name: &str| map(&format!("TAGS: fallback_{name}\n"), ".");
    assert_eq!(codes(&[&fallback("frogs"), &chance]), [""; 0]);
    assert_eq!(codes(&[&fallback("forgs"), &chance]), ["VW341"]);
}

#[test]
fn a_tag_that_bars_depth_is_told_unless_something_asks_for_it() {
    let own = map("TAGS: uniq_garden_entry\n", ".");
    let codes = |files: &[&str]| -> Vec<&str> { problems_of(files).iter().map(code_of).collect() };
    assert_eq!(codes(&[&own]), ["VW321"]);
    assert_eq!(
        codes(&[&own, "NAME: b\nSUBVAULT: A : uniq_garden_entry\nMAP\nA\nENDMAP\n"]),
        ["VW321"],
        "maps are not asked for by what excludes others"
    );
    let plain = own.replace("uniq_garden_entry", "garden_entry");
    assert_eq!(codes(&[&plain, "NAME: b\nSUBVAULT: A : garden_entry\nMAP\nA\nENDMAP\n"]), [""; 0]);
    let entry = "TAGS: lair_entry uniq_lair_entry\nKFEAT: O = enter_lair\n";
    assert_eq!(codes(&[&map(entry, "O")]), [""; 0]);
    assert_eq!(codes(&[&own.replace("DEPTH: D", "PLACE: D:3")]), [""; 0]);
}

#[test]
fn a_count_in_place_of_the_glyph_is_told_as_such() {
    let hint = |line: &str| {
        let told = hints(&format!("{line}\n"), "...@").into_iter();
        told.filter(|(code, _)| *code == "VW311").map(|(_, hint)| hint).collect::<Vec<_>>()
    };
    let told = hint("NSUBST: 3:x / *:w");
    assert!(told.len() == 1 && told[0].starts_with("a count stands here"), "{told:?}");
    let told = hint("NSUBST: z = 3:x / *:w");
    assert!(told.len() == 1 && told[0].starts_with("statements act"), "{told:?}");
}

#[test]
fn letters_of_a_row_that_is_meant_as_the_end_are_told_with_it_alone() {
    let text = "NAME: a\nDEPTH: D\nMAP\n...@\n END MAP\n";
    let codes: Vec<&str> = problems_of(&[text]).iter().map(code_of).collect();
    assert_eq!(codes, ["VW011"]);
}

/// What is found in all of some files, of which all are compiled.
fn codes_of_all(files: &[&str]) -> Vec<&'static str> {
    let options = EngineOptions { root: DataRoot::Bare, ..EngineOptions::default() };
    let mut engine = Engine::new(options).expect("an engine");
    let sources = files.iter().enumerate();
    let sources = sources.map(|(at, text)| Source::new(format!("{at}.des"), text.as_bytes()));
    let loaded = engine.load(sources.collect());
    findings(&mut engine, loaded, &|_| true).iter().map(code_of).collect()
}

/// As 0.28 was asked.
#[test]
fn lua_of_later_files_is_not_there_yet() {
    let given = "{{ function later(e) e.mons('gnoll') end }}\n";
    let uses = map(": later(_G)\n", ".1");
    let giver = given.to_owned() + &map("", ".").replace("NAME: a", "NAME: b");
    assert_eq!(codes_of_all(&[&uses, &giver]), ["VW368"]);
    assert_eq!(codes_of_all(&[&giver, &uses]), [""; 0]);
    // A file without maps runs its Lua when all maps have been read.
    assert_eq!(codes_of_all(&[given, &uses]), ["VW368"]);
    for harmless in [
        ": hook('post_place', function() later(_G) end)\n",
        ": if later then later(_G) end\n",
        "veto {{ return later(_G) }}\n",
        ": local function later() end\n: later()\n",
    ] {
        assert_eq!(codes_of_all(&[&map(harmless, "."), &giver]), [""; 0], "{harmless}");
    }
    for harmful in ["validate {{ return later(_G) or true }}\n", "epilogue {{ later(_G) }}\n"] {
        assert_eq!(codes_of_all(&[&map(harmful, "."), &giver]), ["VW368"], "{harmful}");
    }
}

/// From 2^53 on, one number more is the same number.
#[test]
fn ranges_of_huge_numbers_end() {
    let chain = |range| {
        let lua = format!(
            ": local i = crawl.random_range({range})\n\
             : if i == 3 then crawl.mpr('a') elseif i == 4 then crawl.mpr('b') end\n"
        );
        codes_of_all(&[&map(&lua, ".")])
    };
    assert_eq!(chain("3, 4"), [""; 0]);
    assert!(!chain("10000000000000000, 10000000000000004").is_empty());
}

/// What only rolls of a map show, each with its code.
fn deep(text: &str) -> Vec<(&'static str, String)> {
    let options = EngineOptions { root: DataRoot::Bare, ..EngineOptions::default() };
    let mut engine = Engine::new(options).expect("an engine");
    assert!(engine.load(vec![Source::new("a.des", text.as_bytes())]).is_empty(), "{text}");
    let told = look_deeply(&mut engine, MapId(0), 3).into_iter();
    told.map(|problem| (code_of(&problem), problem.message)).collect()
}

#[test]
fn maps_that_are_refused_each_time_are_told() {
    let refused = |lines: &str| deep(&map(lines, "."));
    let told = |why: &str| [("VW387", format!("the map is refused in 24 of 24 rolls: {why}"))];
    assert_eq!(refused("validate {{ return false }}\n"), told("its validation fails"));
    assert_eq!(refused("veto {{ return true }}\n"), told("it is vetoed"));
    assert_eq!(refused("veto {{ return crawl.game_started() }}\n"), told("it is vetoed"));
    assert_eq!(refused("veto {{ return you.depth() ~= 7 }}\n"), []);
    assert_eq!(refused("validate {{ return crawl.coinflip() }}\n"), []);
    assert_eq!(refused("veto {{ return not dgn.persist.told }}\n"), []);
}

#[test]
fn a_block_that_always_refuses_is_told_once() {
    let text = map("veto {{ return true }}\n", ".");
    let options = EngineOptions { root: DataRoot::Bare, ..EngineOptions::default() };
    let mut engine = Engine::new(options).expect("an engine");
    let loaded = engine.load(vec![Source::new("a.des", text.as_bytes())]);
    let mut problems = findings(&mut engine, loaded, &|_| true);
    problems.extend(look_deeply(&mut engine, MapId(0), 3));
    let codes: Vec<&str> = problems.iter().map(code_of).collect();
    assert_eq!(codes, ["VW387", "VW387"]);
    let codes: Vec<&str> = sorted(problems, &engine).iter().map(code_of).collect();
    assert_eq!(codes, ["VW387"]);
}

#[test]
fn hooks_that_always_fail_are_told() {
    let hook =
        |code: &str| deep(&map(&format!(": hook('post_place', function() {code} end)\n"), "."));
    let told = hook("error('no')");
    let [(code, message)] = &told[..] else { panic!("{told:?}") };
    assert!(*code == "VW201" && message.ends_with("(3 of 3 placements)"), "{message}");
    assert_eq!(hook("crawl.mpr('yes')"), []);
}

#[test]
fn entrances_that_lua_leaves_out_are_told() {
    let entrance = |lines: &str| {
        let text = format!("NAME: a\nTAGS: orc_entry\n{lines}MAP\n..O..\nENDMAP\n");
        deep(&text).iter().map(|(code, _)| *code).collect::<Vec<_>>()
    };
    assert_eq!(entrance(": kfeat('O = stone_arch')\n"), ["VW383"]);
    assert_eq!(entrance(": kfeat('O = enter_orcish_mines')\n"), [""; 0]);
}

#[test]
fn drawings_of_walls_are_told_only_where_nothing_else_can_be_meant() {
    let codes = |lines: &str, rows: &str| -> Vec<&str> {
        let text = format!("NAME: a\nDEPTH: D\n{lines}MAP\n{rows}\nENDMAP\n");
        problems_of(&[&text]).iter().map(code_of).collect()
    };
    // A door between two corners, one into the open, one onto walls alone.
    assert_eq!(codes("", "xxxxx\n..xxx\nxx+xx\n..xxx\nxxxxx"), [""; 0]);
    assert_eq!(codes("", "xxxxx\nx...x\nxx+xx\n.....\nxxxxx"), [""; 0]);
    assert_eq!(codes("", "xxxxx\n....x\nxx+xx\nxxxxx"), ["VW307"]);
    assert_eq!(codes("SUBST: c = x.\n", "xxxxx\n....x\nxx+xx\nxxcxx"), [""; 0]);
    // An exit further in.
    assert_eq!(codes("", "xxxx\n...@\n...x"), [""; 0]);
    assert_eq!(codes("", "xxxx\n..@\n...x"), [""; 0]);
    assert_eq!(codes("", "xxxx\n@..\nxxxx"), ["VW306"]);
    // The walls of a ruin have other holes, too; and a hole may be the only way in.
    assert_eq!(codes("", "xx.xx\nx...x\nx...\nx...x\nxx@xx"), [""; 0]);
    assert_eq!(codes("", "xxxxx\nx...x\nx...\nx...x\nxxxxx"), [""; 0]);
    // Rooms for diggers.
    let closed = |loot: &str| format!(".......\n.xxxxx.\n.x{loot}x.\n.xxxxx.\n.......");
    assert_eq!(codes("", &closed("*.*")), ["VW308"]);
    assert_eq!(codes("", &closed("*9*")), [""; 0]);
    assert_eq!(codes("KPROP: A = no_tele_into\n", &closed("*A*")), [""; 0]);
    assert_eq!(codes("SUBST: x = xxx.\n", &closed("*.*")), [""; 0]);
}

#[test]
fn answers_about_the_depth_are_told_if_they_are_always_the_same() {
    let codes = |lines: &str| -> Vec<&str> {
        let text = map(lines, ".").replace("DEPTH: D\n", "DEPTH: D:5-9\n");
        problems_of(&[&text]).iter().map(code_of).collect()
    };
    assert_eq!(codes("veto {{ return you.depth() > 4 }}\n"), ["VW387"]);
    assert_eq!(codes("veto {{ return not (you.depth() < 5) }}\n"), ["VW387"]);
    assert_eq!(codes("veto {{ return you.depth() > 5 }}\n"), [""; 0]);
    assert_eq!(codes("veto {{ return you.depth() > 4 and crawl.coinflip() }}\n"), [""; 0]);
    assert_eq!(codes("validate {{ return you.depth() > 4 }}\n"), [""; 0]);
    assert_eq!(codes("validate {{ return you.depth() > 9 }}\n"), ["VW387"]);
}

#[test]
fn functions_of_a_file_are_given_once() {
    let given = "{{\nfunction a_bell() end\nfunction a_gong() end\n}}\n".to_owned() + &map("", ".");
    assert_eq!(codes_of_all(&[&given]), [""; 0]);
    assert_eq!(codes_of_all(&[&given.replace("gong", "bell")]), ["VW369"]);
}

#[test]
fn keys_in_blocks_of_lua_are_looked_at() {
    let told = |lua: &str, row: &str| -> Vec<String> {
        let told = messages(&format!("{{{{\n{lua}\n}}}}\n"), row).into_iter();
        told.filter(|(code, _)| *code == "VW312").map(|(_, message)| message).collect()
    };
    assert_eq!(told("kmons('Z = rat')", "..@"), ["kmons: no 'Z' is on the map"]);
    assert_eq!(told("kitem('YZ = any book')", ".Z@"), [""; 0]);
    assert_eq!(told("kfeat('A = Z')\nkmask('Z = opaque')", ".A@"), [""; 0]);
    assert_eq!(told("subst('A = Z')\nkmons('Z = rat')", ".A@"), [""; 0]);
}
