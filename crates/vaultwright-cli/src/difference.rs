//! The difference of two texts, as `diff -u` shows it.

use std::ops::Range;

/// How many lines around a change are shown.
const AROUND: usize = 3;

/// Returns the difference between two texts of a file; empty if there is none.
pub fn unified(name: &str, before: &[u8], after: &[u8]) -> Vec<u8> {
    let (old, new) = (lines(before), lines(after));
    let kept = kept(&old, &new);
    let mut out = Vec::new();
    for hunk in hunks(&changes(&kept, old.len(), new.len())) {
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

/// Returns the pairs of lines that stay, by the fewest changes (Myers 1986).
fn kept(old: &[&[u8]], new: &[&[u8]]) -> Vec<(usize, usize)> {
    let (rows, columns) = (old.len() as isize, new.len() as isize);
    let middle = rows + columns + 1;
    let at = |diagonal: isize| (diagonal + middle) as usize;
    let mut furthest = vec![0_isize; 2 * middle as usize + 1];
    let mut steps: Vec<Vec<isize>> = Vec::new();
    for distance in 0..=rows + columns {
        // Only the diagonals that this distance has reached can be asked for on the way back.
        steps.push(furthest[at(-distance - 1)..=at(distance + 1)].to_vec());
        for diagonal in (-distance..=distance).step_by(2) {
            let down = diagonal == -distance
                || (diagonal != distance
                    && furthest[at(diagonal - 1)] < furthest[at(diagonal + 1)]);
            let mut x = match down {
                true => furthest[at(diagonal + 1)],
                false => furthest[at(diagonal - 1)] + 1,
            };
            while x < rows
                && x - diagonal < columns
                && old[x as usize] == new[(x - diagonal) as usize]
            {
                x += 1;
            }
            furthest[at(diagonal)] = x;
            if x >= rows && x - diagonal >= columns {
                return path_back(&steps, rows, columns);
            }
        }
    }
    Vec::new()
}

fn path_back(steps: &[Vec<isize>], rows: isize, columns: isize) -> Vec<(usize, usize)> {
    let (mut x, mut y) = (rows, columns);
    let mut pairs = Vec::new();
    for (distance, furthest) in steps.iter().enumerate().rev() {
        let distance = distance as isize;
        let reached = |diagonal: isize| furthest[(diagonal + distance + 1) as usize];
        let diagonal = x - y;
        let down = diagonal == -distance
            || (diagonal != distance && reached(diagonal - 1) < reached(diagonal + 1));
        let before = if down { diagonal + 1 } else { diagonal - 1 };
        let (start, end) = match distance {
            0 => (0, 0),
            _ => (reached(before), reached(before) - before),
        };
        while x > start && y > end {
            (x, y) = (x - 1, y - 1);
            pairs.push((x as usize, y as usize));
        }
        (x, y) = (start, end);
    }
    pairs.reverse();
    pairs
}

fn changes(kept: &[(usize, usize)], old: usize, new: usize) -> Vec<Change> {
    let mut found = Vec::new();
    let (mut left, mut right) = (0, 0);
    for &(a, b) in kept.iter().chain(&[(old, new)]) {
        if a > left || b > right {
            found.push((left..a, right..b));
        }
        (left, right) = (a + 1, b + 1);
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
