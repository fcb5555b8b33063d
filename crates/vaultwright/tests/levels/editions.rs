//! Each release takes its own words, and what its data folder says of itself.

use vaultwright::content::Edition;
use vaultwright::syntax::Source;
use vaultwright::{DataRoot, Engine, EngineOptions, lint};

fn engine(root: DataRoot, edition: Option<Edition>) -> Engine {
    Engine::new(EngineOptions { root, edition, ..EngineOptions::default() }).expect("an engine")
}

/// What is wrong with a vault of one header, in words, with the hints.
fn wrong(engine: &mut Engine, header: &str) -> Vec<String> {
    let name = header.replace(|c: char| !c.is_ascii_alphanumeric(), "_");
    let text = format!("NAME: {name}\nDEPTH: D\n{header}\nMAP\n@1Ad\nENDMAP\n");
    let mut problems = engine.load(vec![Source::new("a.des", text.into_bytes())]);
    for problem in &mut problems {
        lint::add_hint(problem, engine.content());
    }
    let shown =
        problems.into_iter().map(|p| format!("{} ({})", p.message, p.hint.unwrap_or_default()));
    shown.collect()
}

#[test]
fn each_release_takes_its_own_words() {
    use Edition::*;
    let words = [
        ("MONS: rat / orc priest / any draconian", V0_24, Trunk),
        ("KFEAT: A = any trap", V0_24, Trunk),
        ("KFEAT: A = alarm trap / net trap / shaft trap / zot trap", V0_24, V0_34),
        ("KFEAT: A = known alarm trap", V0_24, V0_25),
        ("KFEAT: A = trap_alarm / shaft", V0_24, Trunk),
        ("KFEAT: A = harlequin's trap / tyrant's trap", V0_33, V0_34),
        ("KMASK: A = allow_tele_closets", Trunk, Trunk),
        ("KMASK: A = UNUSED", V0_24, V0_34),
        ("KPROP: A = no_automap", V0_29, Trunk),
        ("MONS: spiny frog", V0_24, V0_25),
        ("MONS: cane toad", V0_26, Trunk),
        ("MONS: gelid blood saint / any demonspawn", V0_24, V0_27),
        ("MONS: demonspawn blood saint", V0_28, Trunk),
        ("MONS: rat draugr", V0_34, Trunk),
        ("MONS: rat skeleton", V0_24, V0_33),
        ("MONS: rat exp:20", V0_33, Trunk),
        ("MONS: the Royal Jelly", V0_24, V0_33),
        ("ITEM: cursed ring of strength / dagger plus2:3", V0_24, V0_27),
        ("ITEM: curse dagger / not_cursed dagger / dagger ident:curse", V0_24, V0_26),
        ("ITEM: any talisman", V0_31, Trunk),
        ("ITEM: no_exclude wand of flame", V0_29, Trunk),
        ("ITEM: dagger artprops:Str", V0_32, Trunk),
        ("ITEM: dagger ident:all", V0_24, V0_32),
        ("ITEM: dagger pre_id", V0_33, Trunk),
        ("ITEM: rat chunk", V0_24, V0_25),
    ];
    for edition in Edition::ALL {
        let mut engine = engine(DataRoot::Bare, Some(edition));
        for (header, first, last) in words {
            let wrong = wrong(&mut engine, header);
            let taken = (first..=last).contains(&edition);
            assert_eq!(wrong.is_empty(), taken, "{} {header}: {wrong:?}", edition.name());
        }
    }
}

#[test]
fn names_of_other_releases_are_told() {
    let mut trunk = engine(DataRoot::Bare, Some(Edition::Trunk));
    let told = wrong(&mut trunk, "KFEAT: A = alarm trap").join("\n");
    assert!(told.contains("'alarm trap' is 'trap_alarm' since trunk"), "{told}");
    let told = wrong(&mut trunk, "MONS: spiny frog").join("\n");
    assert!(told.contains("'spiny frog' is 'cane toad' since 0.26"), "{told}");
    let text = "NAME: a\nDEPTH: D\nMONS: hd:9 Spiny frog\nMAP\n@1\nENDMAP\n";
    let problems = trunk.load(vec![Source::new("a.des", text.as_bytes())]);
    let (place, name) = lint::replacement(&problems[0], trunk.content()).expect("another name");
    assert_eq!((&text[place], name.as_str()), ("Spiny frog", "cane toad"));
}

#[test]
fn a_folder_says_its_version_and_monsters() {
    let dir = std::env::temp_dir().join(format!("editions-{}", std::process::id()));
    let add = |file: &str, text: &str| {
        let path = dir.join(file);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("made");
        std::fs::write(path, text).expect("written");
    };
    let zebra = "name: zebra\nglyph: {char: Y, colour: white}\nhd: 4\nhp_10x: 200\nac: 2\nev: 9\nwill: 10\n\
                 attacks: [{type: kick, damage: 8}]\nintelligence: animal\nsize: large\nshape: quadruped\n";
    add("mons/zebra.yaml", zebra);
    add("mons/broken.yaml", "name: yak\nhd: many\n");
    add("species/drow.yaml", "enum: SP_DROW\nname: Drow\n");
    let mut own = engine(DataRoot::Directory(dir.clone()), None);
    assert_eq!(own.content().rules.edition, Edition::Trunk);
    assert_eq!(wrong(&mut own, "MONS: zebra / zebra zombie / yak"), [""; 0]);
    assert!(own.content().names().species.contains("Drow"));
    let problems = lint::data_problems(&own);
    assert!(problems.iter().all(|p| p.file.source.name.ends_with("mons/broken.yaml")));
    let at = |message: &str| {
        let problem = problems.iter().find(|p| p.message.contains(message)).expect(message);
        problem.file.lines.position(problem.span.start)
    };
    let place = at("'hd' is a number from 0 to 9999");
    assert_eq!((place.line, place.column), (2, 5));
    assert_eq!(at("the key 'glyph' is missing").line, 1);
    std::fs::remove_dir_all(&dir).expect("removed");
}
