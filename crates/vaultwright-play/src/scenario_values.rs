//! Lua values as text, for comparing and showing them in expectations.

use mlua::{Error, Table, Value};

/// The maximum depth to which tables are shown.
const MAX_DEPTH: usize = 8;

/// So many bytes of a value are shown. A table is shown each time it is referred to, so what takes
/// little memory could have no end as text.
const MAX_SHOWN: usize = 1 << 20;

/// Returns a value as a literal. Tables have their keys in order.
pub(crate) fn shown(value: &Value) -> String {
    Text::new().value(value, MAX_DEPTH)
}

/// Returns a value as a literal; `None` if it has more than can be compared.
pub(crate) fn shown_whole(value: &Value) -> Option<String> {
    let mut text = Text::new();
    let shown = text.value(value, MAX_DEPTH);
    (!text.is_cut).then_some(shown)
}

/// What may still be shown of a value.
struct Text {
    left: usize,
    /// Whether anything has been left out because of that.
    is_cut: bool,
}

impl Text {
    fn new() -> Text {
        Text { left: MAX_SHOWN, is_cut: false }
    }

    fn value(&mut self, value: &Value, depth: usize) -> String {
        if self.is_full() {
            return "…".to_owned();
        }
        let text = match value {
            Value::Nil => "nil".to_owned(),
            Value::Boolean(value) => value.to_string(),
            Value::Integer(value) => value.to_string(),
            Value::Number(value) => value.to_string(),
            Value::String(text) => format!("{:?}", text.to_string_lossy()),
            Value::Table(_) if depth == 0 => "{…}".to_owned(),
            Value::Table(table) => return self.table(table, depth - 1),
            other => other.type_name().to_owned(),
        };
        self.left = self.left.saturating_sub(text.len());
        text
    }

    /// Returns a table whose values have the given depth.
    fn table(&mut self, table: &Table, depth: usize) -> String {
        self.left = self.left.saturating_sub(2);
        let length = table.raw_len();
        let mut listed: Vec<String> = Vec::new();
        for index in 1..=length {
            if self.is_full() {
                break;
            }
            let inner = table.raw_get::<Value>(index).unwrap_or(Value::Nil);
            listed.push(self.value(&inner, depth));
        }
        let mut keyed: Vec<(String, String)> = Vec::new();
        let is_listed =
            |key: &Value| position(key).is_some_and(|index| (1..=length).contains(&index));
        for (key, value) in table.pairs::<Value, Value>().filter_map(Result::ok) {
            if is_listed(&key) {
                continue;
            }
            if self.is_full() {
                break;
            }
            keyed.push((self.key(&key, depth), self.value(&value, depth)));
        }
        keyed.sort();
        listed.extend(keyed.into_iter().map(|(key, value)| format!("{key} = {value}")));
        format!("{{{}}}", listed.join(", "))
    }

    fn key(&mut self, key: &Value, depth: usize) -> String {
        match key {
            Value::String(text) => {
                self.left = self.left.saturating_sub(text.as_bytes().len());
                text.to_string_lossy()
            }
            other => format!("[{}]", self.value(other, depth)),
        }
    }

    /// Returns whether nothing more is shown.
    fn is_full(&mut self) -> bool {
        self.is_cut |= self.left == 0;
        self.left == 0
    }
}

fn position(key: &Value) -> Option<usize> {
    match key {
        Value::Integer(index) => usize::try_from(*index).ok(),
        Value::Number(index) if index.fract() == 0.0 && *index >= 0.0 => Some(*index as usize),
        _ => None,
    }
}

/// Returns a number or a list of numbers.
pub(crate) fn number_list(value: &Value) -> mlua::Result<Vec<i32>> {
    match value {
        Value::Table(list) => list.sequence_values().collect(),
        value => match value.as_f64().or_else(|| value.as_i64().map(|n| n as f64)) {
            Some(number) => Ok(vec![number as i32]),
            None => Err(Error::runtime("a number or a list of numbers expected")),
        },
    }
}

#[cfg(test)]
mod tests {
    use mlua::{Lua, Value};

    use super::{MAX_SHOWN, shown, shown_whole};

    fn value(lua: &Lua, text: &str) -> Value {
        lua.load(text).eval().expect("a value")
    }

    #[test]
    fn tables_are_shown_with_their_keys_in_order() {
        let lua = Lua::new();
        let table = value(&lua, "return { 1, 'x', nil, b = { true }, a = 2, [{ 3 }] = 4 }");
        assert_eq!(shown(&table), "{1, \"x\", [{3}] = 4, a = 2, b = {true}}");
        let deep = value(&lua, "local t = {} for _ = 1, 9 do t = { t } end return t");
        assert_eq!(shown(&deep), "{{{{{{{{{…}}}}}}}}}");
    }

    #[test]
    fn what_refers_to_a_table_often_is_shown_within_limits() {
        let lua = Lua::new();
        let doubled = "for _ = 1, 7 do x = { x, x, x, x, x, x, x, x } end return x";
        let much = value(&lua, &format!("local x = {{ 1 }} {doubled}"));
        assert!(shown_whole(&much).is_none() && shown(&much).len() < 4 * MAX_SHOWN);
        let own_key = value(&lua, "local x = {} x[x] = 1 return x");
        assert!(shown(&own_key).starts_with("{[{[{"));
    }
}
