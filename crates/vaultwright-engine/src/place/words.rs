//! Words for names, drawn from the texts of the data folder (spec 10 §9.5, spec 11 §4.2). Without
//! that folder every key is unknown: nothing is drawn, and names stay empty.

use vaultwright_content::TextBase;
use vaultwright_map::Context;

const MAX_REPLACEMENTS: usize = 100;

/// Returns a text for a key, `key + suffix` before `key`; nothing, without a draw, for an unknown
/// one.
pub(crate) fn look_up(
    base: TextBase,
    key: &str,
    suffix: &str,
    ctx: &mut Context,
) -> Option<String> {
    let mut text = draw_variant(base, key, suffix, ctx)?;
    let mut from = 0;
    for _ in 0..MAX_REPLACEMENTS {
        let Some(start) = text[from..].find('@').map(|at| from + at) else { break };
        let Some(end) = text[start + 1..].find('@').map(|at| start + 1 + at) else { break };
        match draw_variant(base, &text[start + 1..end], suffix, ctx) {
            Some(word) => {
                // What it says may have marks, too.
                text.replace_range(start..=end, &word);
                from = start;
            }
            None => from = end + 1,
        }
    }
    Some(text)
}

fn draw_variant(base: TextBase, key: &str, suffix: &str, ctx: &mut Context) -> Option<String> {
    let texts = ctx.content.texts();
    let longer = format!("{key}{suffix}");
    let variants = texts.variants(base, &longer).or_else(|| texts.variants(base, key))?;
    let weights: Vec<i32> = variants.iter().map(|(weight, _)| *weight).collect();
    let index = ctx.rng.weighted_table(&weights)?;
    Some(variants[index].1.clone())
}

/// Returns a finished name with Xom and the god that it names; who died how, and where, is drawn
/// but not written.
pub(crate) fn fill_in_name(name: &str, ctx: &mut Context) -> String {
    let has = |mark: &str| name.contains(mark);
    if has("@player_death@") || has("@player_doom@") {
        look_up(TextBase::Artefacts, "killer_name", "", ctx);
        look_up(TextBase::Artefacts, "death_or_doom", "", ctx);
    }
    if has("@branch_name@") {
        ctx.rng.random2(ctx.content.branches().len() as i32);
    }
    // Drawn whether it is used or not.
    let last_name =
        if ctx.rng.coinflip() { look_up(TextBase::Other, "Xom lastname", "", ctx) } else { None };
    let xom = last_name.map_or("Xom".to_owned(), |last| format!("Xom {last}"));
    let filled = name.replace("@xom_name@", &xom);
    if !(has("@god_name@") || has("@god_name_possessive@")) {
        return filled;
    }
    let names = ctx.content.names();
    let with_altars = names.gods().iter().filter(|g| !g.altar.is_empty() && g.altar != "floor");
    let most = with_altars.count().saturating_sub(1).max(1);
    let god = loop {
        let god = names.gods().get(1 + ctx.rng.random2(most as i32) as usize);
        if !god.is_some_and(|god| names.bookless_gods.contains(&god.name)) {
            break god.map_or("", |god| god.name.as_str());
        }
    };
    filled.replace("@god_name@", god).replace("@god_name_possessive@", &format!("{god}'s"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use vaultwright_content::{Content, Edition, Rules, TextDatabase};
    use vaultwright_map::{Dungeon, LevelPlace};
    use vaultwright_rng::Streams;

    #[test]
    fn words_in_texts_are_drawn_one_by_one() {
        let folder = std::env::temp_dir().join(format!("vaultwright-words-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        let text = "%%%%\nname\n\nThe @colour@ @thing@ of @nobody@\n%%%%\ncolour\n\nred\n\nblue\n\n\
                    w:980\n@shade@ green\n%%%%\nshade\n\ndark\n%%%%\nthing look\n\nLook\n%%%%\n";
        std::fs::write(folder.join("randbook.txt"), text).expect("a file");
        let texts = TextDatabase::in_folder(folder.clone(), Edition::V0_28, |path| {
            std::fs::read(path).ok()
        });
        let content = Content::new(Rules::of(Edition::V0_28)).with_texts(texts);
        let dungeon = Dungeon::standard(content.branches());
        let mut rng = Streams::from_seed(1, 43);
        let mut ctx = Context::new(&content, &mut rng, LevelPlace::START, &dungeon);
        let name = look_up(TextBase::Artefacts, "Name", " look", &mut ctx).expect("a name");
        assert_eq!(look_up(TextBase::Artefacts, "nobody", "", &mut ctx), None);
        assert_eq!(look_up(TextBase::Other, "name", "", &mut ctx), None);
        assert_eq!(name, "The dark green Look of @nobody@");
        assert_eq!(rng.draws().map(|(_, count)| count).sum::<u64>(), 4, "one for each text");
        std::fs::remove_dir_all(folder).expect("the folder goes");
    }

    #[test]
    fn a_name_is_as_long_as_that_of_its_god() {
        let content = Content::new(Rules::of(Edition::V0_28));
        let dungeon = Dungeon::standard(content.branches());
        let mut rng = Streams::from_seed(1, 43);
        let mut ctx = Context::new(&content, &mut rng, LevelPlace::START, &dungeon);
        let names: Vec<String> =
            (0..200).map(|_| fill_in_name("of @god_name@'s Wrath", &mut ctx)).collect();
        let has = |god: &str| names.iter().any(|name| *name == format!("of {god}'s Wrath"));
        assert!(has("Zin") && has("Nemelex Xobeh") && !has("Trog") && !has("Jiyva"));
        assert_eq!(fill_in_name("of @xom_name@", &mut ctx), "of Xom");
    }
}
