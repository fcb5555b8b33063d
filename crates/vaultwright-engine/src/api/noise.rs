//! `crawl`: noise functions (spec 06 Appendix B, spec 05 §21).

use vaultwright_lua::mlua::{self, Value, Variadic};
use vaultwright_lua::quick::Answer;

use super::table::Api;
use crate::script::arguments::number;
use crate::state::host::Host;
use vaultwright_map::noise::{simplex2, simplex3, simplex4, worley};

pub(crate) fn install(api: &Api) -> mlua::Result<()> {
    let simplex = |_: &mut Host, numbers: &[f64]| simplex(numbers).map(Answer::Number);
    api.quick_function("simplex", simplex, |_, _, args: Variadic<Value>| {
        let numbers: Vec<f64> = args.iter().take(4).filter_map(number).collect();
        Ok(self::simplex(&numbers).into_iter().collect::<Variadic<f64>>())
    })?;
    // What is no number is 0.
    type Place = (Value, Value, Value);
    let number_or_0 = |value: &Value| number(value).unwrap_or(0.0);
    api.function("worley", move |_, _, (x, y, z): Place| {
        let [a, b] = worley(number_or_0(&x), number_or_0(&y), number_or_0(&z));
        let numbers = [
            a.distance,
            b.distance,
            f64::from(a.id),
            f64::from(b.id),
            a.offset[0],
            a.offset[1],
            a.offset[2],
            b.offset[0],
            b.offset[1],
            b.offset[2],
        ];
        Ok(numbers.into_iter().collect::<Variadic<f64>>())
    })?;
    let gap = |x, y, z| {
        let [a, b] = worley(x, y, z);
        (b.distance - a.distance, f64::from(a.id))
    };
    let worley_diff = move |_: &mut Host, numbers: &[f64]| {
        let &[x, y, z] = numbers else { return None };
        let (gap, id) = gap(x, y, z);
        Some(Answer::Numbers(gap, id))
    };
    api.quick_function("worley_diff", worley_diff, move |_, _, (x, y, z): Place| {
        Ok(gap(number_or_0(&x), number_or_0(&y), number_or_0(&z)))
    })?;
    api.function("split_bytes", move |_, _, n: Value| {
        let [a, b, c, d] = (number_or_0(&n) as i64 as u32).to_be_bytes();
        Ok((a, b, c, d))
    })
}

/// Returns simplex noise in two, three or four dimensions.
fn simplex(at: &[f64]) -> Option<f64> {
    match *at {
        [x, y] => Some(simplex2(x, y)),
        [x, y, z] => Some(simplex3(x, y, z)),
        [x, y, z, w] => Some(simplex4(x, y, z, w)),
        _ => None,
    }
}
