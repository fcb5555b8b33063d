//! `crawl`: noise functions (spec 06 Appendix B, spec 05 §21).

use vaultwright_lua::mlua::{self, Value, Variadic};

use super::table::Api;
use crate::script::arguments::{Num, number};
use vaultwright_map::noise::{simplex2, simplex3, simplex4, worley};

pub(crate) fn install(api: &Api) -> mlua::Result<()> {
    api.function("simplex", |_, _, args: Variadic<Value>| {
        let c: Vec<f64> = args.iter().take(4).filter_map(number).collect();
        Ok(match c[..] {
            [x, y] => Some(simplex2(x, y)),
            [x, y, z] => Some(simplex3(x, y, z)),
            [x, y, z, w] => Some(simplex4(x, y, z, w)),
            _ => None,
        }
        .into_iter()
        .collect::<Variadic<f64>>())
    })?;
    api.function("worley", |_, _, (x, y, z): (Num, Num, Num)| {
        let [a, b] = worley(x.0, y.0, z.0);
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
    api.function("worley_diff", |_, _, (x, y, z): (Num, Num, Num)| {
        let [a, b] = worley(x.0, y.0, z.0);
        Ok((b.distance - a.distance, f64::from(a.id)))
    })?;
    api.function("split_bytes", |_, _, n: Num| {
        let [a, b, c, d] = (n.0 as i64 as u32).to_be_bytes();
        Ok((a, b, c, d))
    })
}
