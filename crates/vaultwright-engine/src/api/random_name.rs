//! `crawl.make_name` (spec 06 Appendix C).

use vaultwright_lua::mlua;
use vaultwright_rng::Streams;

use super::table::Api;

pub(crate) fn install(api: &Api) -> mlua::Result<()> {
    api.function("make_name", |_, host, ()| {
        let rng = &mut host.game.streams;
        let word = rng.word();
        Ok(make_name(rng.seed(), word))
    })
}

const CLUSTERS: [&str; 67] = [
    "kl", "gr", "cl", "cr", "fr", "pr", "tr", "tw", "br", "pl", "bl", "str", "shr", "thr", "sm",
    "sh", "ch", "th", "ph", "pn", "kh", "gh", "mn", "ps", "st", "sk", "sch", "ts", "cs", "xt",
    "nt", "ll", "rr", "ss", "wk", "wn", "ng", "cw", "mp", "ck", "nk", "dd", "tt", "bb", "pp", "nn",
    "mm", "kk", "gg", "ff", "pt", "tz", "dgh", "rgh", "rph", "rch", "cz", "xk", "zx", "xz", "cv",
    "vv", "nl", "rh", "dw", "nw", "khl",
];
const VOWELS: &[u8] = b"aeiouaeiouaeiouy  ";
const CONSONANTS: &[u8] = b"bcdfghjklmnpqrstvwxzcdfghlmnrstlmnrst";
/// ROT13 of names that would read badly: such a name is shown in ROT13.
const REPLACED: [&str; 17] = [
    "puvax", "snt", "avt", "avttre", "xvxr", "ovgpu", "juber", "tvzc", "ergneq", "phag", "pbba",
    "fdhnj", "jbt", "qlxr", "ubzb", "genaal", "anmv",
];

fn is_consonant(byte: u8) -> bool {
    byte.is_ascii_lowercase() && !b"aeiouy".contains(&byte)
}

fn make_name(seed: u64, word: u32) -> String {
    let mut rng = Streams::single(seed, u64::from(word));
    let mut length = 3 + rng.random2(5);
    length += if rng.random2(5) == 0 { rng.random2(6) } else { 1 };
    let mut name: Vec<u8> = Vec::new();
    let mut has_space = false;
    for _ in 0..150 {
        let len = name.len() as i32;
        if len >= length {
            break;
        }
        let p = name.last().copied();
        let q = name.len().checked_sub(2).map(|at| name[at]);
        if p.is_none_or(|p| p == b' ') {
            name.push(b'a' + rng.random2(26) as u8);
        } else if !has_space && len > 5 && len < length - 4 && rng.random2(5) != 0 {
            name.push(b' ');
            has_space = true;
        } else if wants_vowel(p, q, &mut rng) {
            let vowel = VOWELS[rng.random2(18) as usize];
            if vowel == b' ' {
                let both = p.is_some_and(is_consonant) && q.is_some_and(is_consonant);
                let room = (3..length - 3).contains(&len) && length >= 7;
                let refused = !room || p == Some(b' ') || q == Some(b' ') || both;
                if refused {
                    continue;
                }
                has_space = true;
            } else if len > 1
                && Some(vowel) == p
                && (matches!(vowel, b'y' | b'i') || rng.random2(5) <= 1)
            {
                continue;
            }
            name.push(vowel);
        } else {
            add_consonants(&mut name, &mut length, &mut rng);
        }
    }
    let last = name.last().copied().unwrap_or(b' ');
    let ends_in_vowel = last != b'y' && last != b' ' && !is_consonant(last);
    let too_short = (name.len() as i32) < length;
    if ends_in_vowel && (too_short || (length < 8 && rng.random2(3) != 0)) {
        // A single one: the recorded "Fizeseh" has no draw for a cluster.
        name.push(single_consonant(&mut rng));
    }
    let text = String::from_utf8_lossy(&name).trim_end().to_owned();
    if text.len() < 4 { capitalised("plog") } else { capitalised(&text) }
}

fn wants_vowel(p: Option<u8>, q: Option<u8>, rng: &mut Streams) -> bool {
    p.is_some_and(is_consonant) || (q.is_some_and(is_consonant) && rng.random2(5) <= 1)
}

fn add_consonants(name: &mut Vec<u8>, length: &mut i32, rng: &mut Streams) {
    if rng.random2(7) <= 1 {
        let last = name.len() as i32 >= *length - 2;
        let index = if last { 14 + rng.random2(42) } else { rng.random2(67) };
        let cluster = CLUSTERS[index as usize];
        name.extend_from_slice(cluster.as_bytes());
        *length += cluster.len() as i32 - 2;
    } else {
        name.push(single_consonant(rng));
    }
}

fn single_consonant(rng: &mut Streams) -> u8 {
    CONSONANTS[rng.random2(CONSONANTS.len() as i32) as usize]
}

fn capitalised(text: &str) -> String {
    let word = |word: &str| {
        let turned: String = word.chars().map(rot13).collect();
        let word = if REPLACED.contains(&turned.as_str()) { turned } else { word.to_owned() };
        let mut chars = word.chars();
        chars
            .next()
            .map_or_else(String::new, |c| c.to_ascii_uppercase().to_string() + chars.as_str())
    };
    text.split(' ').map(word).collect::<Vec<_>>().join(" ")
}

fn rot13(c: char) -> char {
    match c {
        'a'..='m' => (c as u8 + 13) as char,
        'n'..='z' => (c as u8 - 13) as char,
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_match_the_recorded_ones() {
        let mut rng = Streams::from_seed(42, 43);
        let names: Vec<String> = (0..5).map(|_| make_name(42, rng.word())).collect();
        assert_eq!(names, ["Ecupoa", "Qosose", "Fizeseh", "Boar", "Amia"]);
    }
}
