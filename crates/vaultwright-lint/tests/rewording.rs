//! Wrong words beside right names, and Lua that ends or goes on elsewhere: hints and safe fixes.

use std::sync::Arc;

use vaultwright_engine::{DataRoot, Engine, EngineOptions, Problem, SourceFile};
use vaultwright_lint::{findings, fixed};
use vaultwright_syntax::Source;

fn problems_of(text: &str) -> Vec<Problem> {
    let options = EngineOptions { root: DataRoot::Bare, ..EngineOptions::default() };
    let mut engine = Engine::new(options).expect("an engine");
    engine.note_glyphs();
    let file = Arc::new(SourceFile::new(Source::new("a.des", text.as_bytes())));
    let loaded = engine.load_files(vec![file], &mut |_, _| true);
    findings(&mut engine, loaded, &|_| true)
}

fn map(lines: &str, row: &str) -> String {
    format!("NAME: a\nDEPTH: D\n{lines}\nMAP\nx{row}x\nENDMAP\n")
}

/// The hints for a map, and the lines to which safe fixes change its own.
fn told(lines: &str, row: &str) -> (String, Option<String>) {
    let text = map(lines, row);
    let problems = problems_of(&text);
    let hints: Vec<&str> = problems.iter().filter_map(|problem| problem.hint.as_deref()).collect();
    let mended = fixed(text.as_bytes(), &problems).map(|(bytes, _)| {
        let text = String::from_utf8(bytes).expect("UTF-8");
        let start = "NAME: a\nDEPTH: D\n".len();
        text[start..text.find("\nMAP").expect("a drawing")].to_owned()
    });
    (hints.join("; "), mended)
}

#[test]
fn tags_of_monsters_that_are_written_wrong_are_mended() {
    for (wrong, right) in [
        ("rat w5", "rat w:5"),
        ("rat hd=5", "rat hd:5"),
        ("rat hp=20 w5", "rat hp:20 w:5"),
        ("generate_awak rat", "generate_awake rat"),
        ("patroling rat", "patrolling rat"),
        ("friendly rat", "att:friendly rat"),
        ("rat attitude:friendly", "rat att:friendly"),
        ("rat colour:red", "rat col:red"),
        ("the rat", "rat"),
        ("ogre zombie w5", "ogre zombie w:5"),
        ("zombie ogre", "ogre zombie"),
        ("orc warrior . hand axe", "orc warrior ; hand axe"),
        ("orc with hand axe", "orc ; hand axe"),
    ] {
        let (hint, mended) = told(&format!("MONS: {wrong}"), "1");
        assert_eq!(mended, Some(format!("MONS: {right}")), "{wrong}: {hint}");
    }
}

#[test]
fn tags_of_items_that_are_written_wrong_are_mended() {
    for (wrong, right) in [
        ("any weapon good_itme", "any weapon good_item"),
        ("potion of curing quantity:2", "potion of curing q:2"),
        ("long sword plus3", "long sword plus:3"),
        ("+3 long sword", "plus:3 long sword"),
        ("long sword ego flaming", "long sword ego:flaming"),
        ("any weapon w5", "any weapon w:5"),
        ("singing sord", "Singing Sword"),
        ("none", "nothing"),
    ] {
        let (hint, mended) = told(&format!("ITEM: {wrong}"), "d");
        assert_eq!(mended, Some(format!("ITEM: {right}")), "{wrong}: {hint}");
    }
}

#[test]
fn what_is_doubtful_is_only_told() {
    for (lines, row, part) in [
        ("MONS: huge gnoll", "1", "'gnoll' is known: 'huge'"),
        ("MONS: rat name:x n_rpll", "1", "did you mean 'n_rpl'?"),
        ("ITEM: any potion ; any scroll", "d", "between alternatives stands '/'"),
        ("KITEM: A = any potion, B = any scroll", "AB", "KITEM: B = "),
        ("KPROP: . = no_tele", ".", "no_tele_into"),
        ("COLOUR: . = grey", ".", "'lightgrey' or 'darkgrey'"),
    ] {
        let (hint, _) = told(lines, row);
        assert!(hint.contains(part), "{lines}: {hint}");
    }
    for (lines, row, part) in
        [("COLOUR: . = lightgold", ".", "gray"), ("KFEAT: . = exit", ".", "exit_dis")]
    {
        let (hint, _) = told(lines, row);
        assert!(!hint.contains(part), "{lines}: {hint}");
    }
    let (hint, mended) = told("MONS: orc \\\nKITEM: . = any weapon", "1");
    assert_eq!(mended.as_deref(), Some("MONS: orc\nKITEM: . = any weapon"), "{hint}");
}

#[test]
fn names_are_read_before_words_beside_them() {
    assert!(told("MONS: orc warior", "1").0.contains("did you mean 'orc warrior'?"));
    assert!(told("MONS: orc wizar", "1").0.contains("did you mean 'orc wizard'?"));
    let (hint, mended) = told("MONS: no such thing w5", "1");
    assert_eq!(mended, None, "{hint}");
}

#[test]
fn a_condition_without_then_is_told_where_it_stands() {
    for (wrong, right) in [
        (
            ": if you.depth() == 1\nSUBST: x = c\n: end",
            ": if you.depth() == 1 then\nSUBST: x = c\n: end",
        ),
        (": for i = 1, 2\nSUBST: x = c\n: end", ": for i = 1, 2 do\nSUBST: x = c\n: end"),
        (": if true then\nSUBST: x = c\nend", ": if true then\nSUBST: x = c\n: end"),
    ] {
        let (hint, mended) = told(wrong, ".");
        assert_eq!(mended.as_deref(), Some(right), "{wrong}: {hint}");
    }
    let (hint, mended) = told("{{\nif true then\nx = ) 1\nend\n}}", ".");
    assert!(mended.is_none() && !hint.contains("colon"), "{hint}");
    let problems = problems_of(&map(": if you.depth() == 1\nSUBST: x = c\n: end", "."));
    let lines = problems.iter().map(|p| p.file.lines.position(p.span.start).line);
    assert_eq!(lines.collect::<Vec<_>>(), [3]);
}

#[test]
fn the_end_of_a_table_that_ends_the_block_is_told() {
    let wrong = "{{\nlocal t = {{'rat'}, {'bat'}}\nmons(t[1][1])\n}}";
    let (hint, mended) = told(wrong, "1");
    assert_eq!(mended.as_deref(), Some(&*wrong.replace("'bat'}}", "'bat'} }")), "{hint}");
    assert!(hint.contains("has ended the block of Lua"), "{hint}");
}

#[test]
fn names_that_functions_complain_of_have_hints() {
    for (lua, part) in [
        (": hook('post_placed', 'x')", "'post_place'"),
        (": if you.in_branch('Snakes') then mons('rat') end", "'Snake'"),
        (": mons('ra' + 't')", "joined with '..'"),
    ] {
        let (hint, _) = told(lua, "1");
        assert!(hint.contains(part), "{lua}: {hint}");
    }
}

#[test]
fn first_words_of_tags_that_are_misspelt_are_told() {
    for (tag, part) in [
        ("uniqe_frog", "'uniq_frog'"),
        ("unqi_frog", "'uniq_frog'"),
        ("chanc_frog", "'chance_frog'"),
        ("NO_ROTATE", "'no_rotate'"),
        ("dummmy", "'dummy'"),
        ("extras", "'extra'"),
        ("lunique", "'luniq'"),
    ] {
        let (hint, _) = told(&format!("TAGS: {tag}"), ".");
        assert!(hint.contains(part), "{tag}: {hint}");
    }
    for tag in ["uniq_frog", "unit_frog_room", "extra_rooms", "abysmal"] {
        assert_eq!(told(&format!("TAGS: {tag}"), ".").0, "", "{tag}");
    }
}

#[test]
fn what_a_call_behind_return_complains_of_is_found() {
    let lua = "KFEAT: B = altar_zin\nvalidate {{ return has_exit_from_glyph('Q') }}";
    let problems = problems_of(&map(lua, "B."));
    let lines = problems.iter().map(|p| p.file.lines.position(p.span.start).line);
    assert_eq!(lines.collect::<Vec<_>>(), [4]);
}

#[test]
fn weights_with_commas_between_them_are_told() {
    let hint = |monsters: &str| told(&format!("KMONS: A = {monsters}"), "A").0;
    assert!(hint("rat w:20, bat w:5").contains("stands '/'"));
    assert_eq!(hint("rat w:20 / bat w:5"), "");
    assert_eq!(hint("Sigmund, rat"), "");
}
