//! The difference of two texts, as `diff -u` shows it.

use std::ops::Range;

use similar::{Algorithm, DiffTag, capture_diff_slices};

/// How many lines around a change are shown.
const AROUND: usize = 3;

/// Returns the difference between two texts of a file; empty if there is none.
pub fn unified(name: &str, before: &[u8], after: &[u8]) -> Vec<u8> {
    let (old, new) = (lines(before), lines(after));
    let mut out = Vec::new();
    for hunk in hunks(&changes(&old, &new)) {
        if out.is_empty() {
            out.extend_from_slice(format!("--- {name}\n+++ {name}\n").as_bytes());
        }
        write_hunk(&hunk, &old, &new, &mut out);
    }
    out
}

/// Lines that go and the lines that come in their place.
type Change = (Range<usize>, Range<usize>);

fn lines(text: &[u8]) -> Vec<&[u8]> {
    text.split_inclusive(|&byte| byte == b'\n').collect()
}

/// Returns the changes that make one text of the other.
fn changes(old: &[&[u8]], new: &[&[u8]]) -> Vec<Change> {
    let steps = capture_diff_slices(Algorithm::Myers, old, new);
    let steps = steps.into_iter().filter(|step| step.tag() != DiffTag::Equal);
    let mut found: Vec<Change> = Vec::new();
    for step in steps {
        let (gone, come) = (step.old_range(), step.new_range());
        match found.last_mut().filter(|(before, _)| before.end == gone.start) {
            Some(before) => *before = (before.0.start..gone.end, before.1.start..come.end),
            None => found.push((gone, come)),
        }
    }
    found
}

/// Changes whose surroundings meet are shown together.
fn hunks(changes: &[Change]) -> Vec<Vec<Change>> {
    let mut hunks: Vec<Vec<Change>> = Vec::new();
    for change in changes {
        let near = hunks
            .last()
            .and_then(|hunk| hunk.last())
            .is_some_and(|(before, _)| change.0.start - before.end <= 2 * AROUND);
        match hunks.last_mut().filter(|_| near) {
            Some(hunk) => hunk.push(change.clone()),
            None => hunks.push(vec![change.clone()]),
        }
    }
    hunks
}

fn write_hunk(hunk: &[Change], old: &[&[u8]], new: &[&[u8]], out: &mut Vec<u8>) {
    let (Some(first), Some(last)) = (hunk.first(), hunk.last()) else { return };
    let lead = first.0.start.min(AROUND);
    let trail = (old.len() - last.0.end).min(AROUND);
    let range = |start: usize, count: usize| match count {
        0 => format!("{start},0"),
        1 => format!("{}", start + 1),
        _ => format!("{},{count}", start + 1),
    };
    let (from, to) = (first.0.start - lead, last.0.end + trail);
    let (new_from, new_to) = (first.1.start - lead, last.1.end + trail);
    let head =
        format!("@@ -{} +{} @@\n", range(from, to - from), range(new_from, new_to - new_from));
    out.extend_from_slice(head.as_bytes());
    let mut at = from;
    for (gone, come) in hunk {
        old[at..gone.start].iter().for_each(|line| write_line(b' ', line, out));
        old[gone.clone()].iter().for_each(|line| write_line(b'-', line, out));
        new[come.clone()].iter().for_each(|line| write_line(b'+', line, out));
        at = gone.end;
    }
    old[at..to].iter().for_each(|line| write_line(b' ', line, out));
}

fn write_line(sign: u8, line: &[u8], out: &mut Vec<u8>) {
    out.push(sign);
    out.extend_from_slice(line);
    if !line.ends_with(b"\n") {
        out.extend_from_slice(b"\n\\ No newline at end of file\n");
    }
}

#[cfg(test)]
mod tests {
    use super::unified;

    fn told(before: &str, after: &str) -> String {
        String::from_utf8(unified("a.des", before.as_bytes(), after.as_bytes())).expect("a text")
    }

    #[test]
    fn changes_stand_with_the_lines_around_them() {
        assert_eq!(told("a\nb\n", "a\nb\n"), "");
        assert_eq!(
            told("1\n2\n3\n4\n5\n6\n", "1\n2\n3\n4\nfive\n6\n"),
            "--- a.des\n+++ a.des\n@@ -2,5 +2,5 @@\n 2\n 3\n 4\n-5\n+five\n 6\n"
        );
        assert_eq!(told("", "a\n"), "--- a.des\n+++ a.des\n@@ -0,0 +1 @@\n+a\n");
        assert_eq!(
            told("a", "a\nb"),
            "--- a.des\n+++ a.des\n@@ -1 +1,2 @@\n-a\n\\ No newline at end of file\n+a\n+b\n\
             \\ No newline at end of file\n"
        );
    }

    #[test]
    fn what_changes_everywhere_takes_no_longer() {
        let of = |line: &str| line.repeat(20_000);
        let told = told(&of("TAGS: a a\n\n"), &of("TAGS: a\n\n"));
        assert_eq!(told.matches("\n-TAGS: a a\n+TAGS: a\n").count(), 20_000);
    }

    #[test]
    fn far_changes_have_their_own_piece() {
        let before: String = (0..40).map(|n| format!("{n}\n")).collect();
        let after =
            before.replace("\n3\n", "\nthree\n").replace("30\n", "").replace("39\n", "39\nx\n");
        let told = told(&before, &after);
        assert_eq!(told.matches("@@ -").count(), 3, "{told}");
        assert!(told.contains("@@ -28,7 +28,6 @@\n"), "{told}");
        assert!(told.ends_with(" 39\n+x\n"), "{told}");
    }
}
