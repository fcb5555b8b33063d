//! SUBST, NSUBST, SHUFFLE and CLEAR (spec 02): what parses can be applied to a grid.
#![no_main]

use libfuzzer_sys::fuzz_target;
use vaultwright::map::{Grid, Transform};

fuzz_target!(|text: &[u8]| {
    let transforms = [
        Transform::subst(text),
        Transform::nsubst(text),
        Transform::shuffle(text).map(Some),
        Transform::clear(text).map(Some),
    ];
    vaultwright_fuzz::with_contexts(|ctx| {
        let mut grid = Grid::from_rows(["abcdabcd  ", "xxaa/bb", "1234?????", "?abcd"]);
        grid.normalise();
        for transform in transforms.iter().flatten().flatten() {
            transform.apply(&mut grid, ctx);
        }
    });
});
