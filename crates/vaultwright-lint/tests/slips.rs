//! Errors of Lua say what is meant, and their fixes write it.

use vaultwright_content::Edition;
use vaultwright_engine::{DataRoot, Engine, EngineOptions, Problem};
use vaultwright_lint::{findings, fixed};
use vaultwright_syntax::Source;

fn problems(edition: Edition, text: &str) -> Vec<Problem> {
    let options =
        EngineOptions { root: DataRoot::Bare, edition: Some(edition), ..EngineOptions::default() };
    let mut engine = Engine::new(options).expect("an engine");
    let loaded = engine.load(vec![Source::new("a.des", text.as_bytes().to_vec())]);
    findings(&mut engine, loaded, &|_| true)
}

fn file(prelude: &str, lines: &str) -> String {
    format!("{{{{\n{prelude}\n}}}}\nNAME: a\nDEPTH: D\n{lines}\nMAP\n.x@\nENDMAP\n")
}

/// The lines and hints of what is found under the rules of 0.28.
fn told(prelude: &str, lines: &str) -> Vec<(u32, String)> {
    let found = problems(Edition::V0_28, &file(prelude, lines)).into_iter();
    let line = |problem: &Problem| problem.file.lines.position(problem.span.start).line;
    found.map(|problem| (line(&problem), problem.hint.unwrap_or_default())).collect()
}

fn mended(prelude: &str, lines: &str) -> Option<String> {
    let text = file(prelude, lines);
    let (bytes, _) = fixed(text.as_bytes(), &problems(Edition::V0_28, &text))?;
    Some(String::from_utf8(bytes).expect("UTF-8"))
}

#[test]
fn environments_are_handed_over_where_they_are_missing() {
    let own = "function own_wall(e)\n  e.kfeat('x = w')\nend";
    let hint = "call it with _G, the environment of the map: own_wall(_G)";
    assert_eq!(told(own, ": own_wall()"), [(8, hint.to_owned())]);
    assert_eq!(mended(own, ": own_wall()"), Some(file(own, ": own_wall(_G)")));
    let bare = own.replace("e.kfeat", "kfeat");
    let hint = "outside a map write e.kfeat(…): 'e' is the map's environment";
    assert_eq!(told(&bare, ": own_wall(_G)"), [(3, hint.to_owned())]);
    assert_eq!(mended(&bare, ": own_wall(_G)"), Some(file(own, ": own_wall(_G)")));
    // No environment is meant.
    let other = "function own_wall(p)\n  return p.x\nend";
    assert!(told(other, ": own_wall()")[0].1.starts_with("a name is misspelt"));
    assert_eq!(mended(other, ": own_wall()"), None);
}

#[test]
fn commas_are_written_where_only_they_can_be_missing() {
    let table = "own_list = {\n  a = 1\n  b = 2,\n}";
    assert_eq!(told(table, ""), [(3, "a comma is missing at the end of line 3".to_owned())]);
    assert_eq!(mended(table, ""), Some(file(&table.replace("1\n", "1,\n"), "")));
    let open = "own_list = { 1, 2\nown_other = 3";
    assert_eq!(told(open, "")[0].1, "a comma or a '}' is missing at the end of line 2");
    assert_eq!(mended(open, ""), None);
}

#[test]
fn slashes_may_be_a_comment_or_divide() {
    let hint = |lua: &str| told(lua, "").swap_remove(0).1;
    assert_eq!(hint("own = 1 // the first one"), "a comment begins with --");
    let both = "a comment begins with --; to divide write math.floor(a / b)";
    assert_eq!(hint("own = 6 // own_half"), both);
    assert!(!hint("own = 6 // 2").contains("comment"));
}

#[test]
fn functions_of_a_prelude_that_fails_are_not_missing() {
    let broken = "function own_a() end\nown = 'x\n";
    let found = told(broken, ": own_a()");
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(found[0].0, 3);
    // What nothing gives is a mistake of its own.
    let found = told(broken, ": own_b()");
    assert_eq!(found.len(), 2, "{found:?}");
}

#[test]
fn what_leaves_a_chunk_is_no_answer() {
    let codes = |lines: &str| -> Vec<&str> {
        let found = problems(Edition::V0_28, &file("own = 1", lines));
        found.iter().map(vaultwright_lint::code_of).collect()
    };
    assert_eq!(codes(": return you.depth() > 3"), ["VW389"]);
    assert_eq!(codes(": if crawl.coinflip() then\n: return true\n: end"), [""; 0]);
    assert_eq!(codes("epilogue {{ crawl.mpr('Hm.') }}"), [""; 0]);
    assert_eq!(codes("epilogue {{ subst('x = w') }}"), ["VW389"]);
}

#[test]
fn values_at_wrong_places_are_told_in_their_order() {
    let only = |prelude: &str, lines: &str| {
        let told = told(prelude, lines);
        told.first().map(|(_, hint)| hint.clone()).unwrap_or_default()
    };
    for (lines, part) in [
        (": util.foreach(function(x) return x end, { 1 })", "util.foreach(list, function)"),
        (": util.map({ 1 }, function(x) return x end)", "util.map(function, list)"),
        (": local is = util.contains(you.branch(), { 'D' })", "util.contains(list, value)"),
        (": util.random_choose_weighted({ { 5, 'rat' } })", "{ value, weight }"),
        (": kfeat('x = w / \\\nt')", "does not go on below"),
    ] {
        assert!(only("", lines).contains(part), "{lines}: {}", only("", lines));
    }
    let method = "function own_guard(e)\n  e:mons('rat')\nend";
    assert!(only(method, ": own_guard(_G)").contains("write e.mons(…)"));
    let inside = ": lua_marker('x', function_at_spot('own_click', {}, false))\n\
                  : function own_click() end";
    assert!(only("", inside).contains("line 7 has it within a map"), "{}", only("", inside));
}
