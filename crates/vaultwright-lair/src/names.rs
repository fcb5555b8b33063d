//! The functions of scripts that are called, and names that are similar to one.

use std::collections::BTreeSet;

/// Called once for each cell, room or floor. Those of the map may have the number of a pass
/// appended.
const ASKED: [&str; 18] = [
    "map_cares_insert",
    "map_cares_remove",
    "map_image_decide",
    "map_sound_decide",
    "map_fonts_decide",
    "mob_cares_insert",
    "mob_image_decide",
    "mob_sound_decide",
    "mob_fonts_decide",
    "mob_ai_decide",
    "floor_cares_insert",
    "floor_image_decide",
    "floor_sound_decide",
    "floor_fonts_decide",
    "map_fill_decide",
    "map_reduce",
    "archive_old_map",
    "delete_old_map",
];
/// The maximum number of changes for a name to be considered similar.
const MAX_CHANGES: usize = 2;

/// Returns the name that is similar to another one, if there is one.
pub fn nearest<'n>(name: &str, known: impl Iterator<Item = &'n str>) -> Option<&'n str> {
    let near =
        |known: &&str| *known != name && are_near(name, known, MAX_CHANGES.min(name.len() / 2));
    known.filter(near).min_by_key(|known| strsim::damerau_levenshtein(name, known))
}

/// Returns messages about functions that are only called if others exist.
pub fn faults_of_company(names: &BTreeSet<String>) -> Vec<String> {
    let has = |name: &str| names.contains(name);
    let mut faults = Vec::new();
    let floor = ["floor_image_decide", "floor_sound_decide", "floor_fonts_decide"];
    if has("floor_cares_insert") && !floor.iter().any(|name| has(name)) {
        faults.push("nothing asks floor_cares_insert without floor_image_decide".to_owned());
    }
    for pass in 2..=8 {
        let cares = format!("map_cares_insert_{pass}");
        let lonely = ["image", "sound", "fonts"].map(|what| format!("map_{what}_decide_{pass}"));
        let lonely = lonely.iter().filter(|name| has(name) && !has(&cares));
        faults.extend(lonely.map(|name| format!("nothing asks {name} without {cares}")));
    }
    faults
}

/// Returns the message about a function of a script whose name seems to be wrong.
pub fn fault_of_name(name: &str) -> Option<String> {
    let (base, pass) = match name.rsplit_once('_') {
        Some((base, digits))
            if digits.bytes().all(|b| b.is_ascii_digit()) && !digits.is_empty() =>
        {
            (base, Some(digits))
        }
        _ => (name, None),
    };
    if ASKED.contains(&base) {
        let of_pass = base.starts_with("map_") && base.contains("s_");
        return match pass {
            Some(pass) if of_pass && !matches!(pass, "2" | "3" | "4" | "5" | "6" | "7" | "8") => {
                Some(format!("nothing asks {name}: passes have numbers from 2 to 8"))
            }
            _ => None,
        };
    }
    let near = |asked: &&&str| are_near(base, asked, MAX_CHANGES);
    let meant = ASKED.iter().filter(near).min_by_key(|asked| strsim::levenshtein(base, asked))?;
    Some(format!("nothing asks {name}: did you mean {meant}?"))
}

/// Returns whether two names differ by at most this many letters. Compares the lengths first, which
/// is fast.
fn are_near(one: &str, other: &str, most: usize) -> bool {
    let longer = one.chars().count().abs_diff(other.chars().count());
    longer <= most && strsim::damerau_levenshtein(one, other) <= most
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_that_need_another_are_found() {
        let names = |list: &[&str]| list.iter().map(|name| (*name).to_owned()).collect();
        let lonely = ["floor_cares_insert", "map_image_decide_3", "map_cares_insert_2"];
        assert_eq!(
            faults_of_company(&names(&lonely)),
            [
                "nothing asks floor_cares_insert without floor_image_decide",
                "nothing asks map_image_decide_3 without map_cares_insert_3"
            ]
        );
        let fine = ["floor_cares_insert", "floor_image_decide", "map_cares_insert_3"];
        assert!(faults_of_company(&names(&fine)).is_empty());
    }

    #[test]
    fn names_that_are_nearly_right_are_found() {
        for (name, told) in [
            ("map_cares_insert", None),
            ("map_cares_insert_3", None),
            ("map_image_decide_2", None),
            ("map_cares_insert_9", Some("passes have numbers from 2 to 8")),
            ("map_care_insert", Some("did you mean map_cares_insert?")),
            ("mob_images_decide", Some("did you mean mob_image_decide?")),
            ("map_font_decide", Some("did you mean map_fonts_decide?")),
            ("map_cares_isnert_2", Some("did you mean map_cares_insert?")),
            ("thinwall_cares_insert", None),
            ("wall_here", None),
        ] {
            let fault = fault_of_name(name);
            assert!(
                match (&fault, told) {
                    (Some(fault), Some(told)) => fault.contains(told),
                    (None, None) => true,
                    _ => false,
                },
                "{name}: {fault:?}"
            );
        }
    }
}
