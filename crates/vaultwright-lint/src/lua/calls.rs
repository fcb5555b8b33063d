//! The parameters of library functions: `packs/tables/common/lua_calls.json`.

use std::sync::LazyLock;

use foldhash::{HashMap, HashMapExt};
use serde::Deserialize;
use vaultwright_syntax::Header;

use super::name_kind::NameKind;

const TABLE: &str = vaultwright_packs::file("tables/common/lua_calls.json");

/// The function of a map that sets its tags, which its header takes one by one.
pub(super) const TAGS: &str = "tags";

static CALLS: LazyLock<Calls> = LazyLock::new(|| {
    #[expect(clippy::expect_used, reason = "compiled in, and parsed by a test")]
    let rows: Rows = serde_json::from_str(TABLE).expect("an embedded table parses");
    Calls {
        calls: rows.calls.into_iter().map(|row| (row.name.clone(), row)).collect(),
        fields: rows.fields,
        events: rows.events,
        numbers: rows.numbers,
        transporters: rows.transporters,
        results: rows.results.into_iter().map(|row| (row.name, row.gives)).collect(),
        statements_of_one: rows.statements_of_one,
        environment: rows.environment,
        tables: rows.tables,
        parameters_of: parameters_of(&rows.parameters),
        parameters: rows.parameters,
        headers: headers(),
        marker_properties: rows.marker_properties,
        properties_since_0_31: rows.properties_since_0_31,
    }
});

/// What is known about functions.
pub(super) struct Calls {
    pub(super) calls: HashMap<String, CallRow>,
    pub(super) fields: Vec<FieldRow>,
    /// The events of triggerers.
    pub(super) events: Vec<String>,
    /// Functions whose results are names of a kind.
    pub(super) results: HashMap<String, NameKind>,
    /// Functions whose results are numbers.
    pub(super) numbers: Vec<String>,
    /// Functions that create a marker with a name, and those that create its other end.
    pub(super) transporters: Vec<(String, String)>,
    /// Functions of a map that only use their first argument.
    pub(super) statements_of_one: Vec<String>,
    /// What the environment of a map contains besides the functions of `dgn`.
    pub(super) environment: Vec<String>,
    /// Tables whose fields are all known.
    pub(super) tables: Vec<String>,
    /// The parameters of marker classes.
    parameters: Vec<ParameterRow>,
    /// The index of each function's parameters.
    parameters_of: HashMap<String, usize>,
    /// The properties of markers that are used.
    pub(super) marker_properties: Vec<String>,
    /// Those of them that were renamed in 0.31, with the new name.
    pub(super) properties_since_0_31: Vec<(String, String)>,
    /// The headers for the functions of a map.
    pub(super) headers: HashMap<&'static str, Header>,
}

#[derive(Deserialize)]
struct Rows {
    calls: Vec<CallRow>,
    fields: Vec<FieldRow>,
    events: Vec<String>,
    results: Vec<ResultRow>,
    numbers: Vec<String>,
    transporters: Vec<(String, String)>,
    statements_of_one: Vec<String>,
    environment: Vec<String>,
    tables: Vec<String>,
    parameters: Vec<ParameterRow>,
    marker_properties: Vec<String>,
    #[serde(rename = "properties_since_0.31")]
    properties_since_0_31: Vec<(String, String)>,
}

#[derive(Deserialize)]
pub(super) struct ParameterRow {
    pub(super) functions: Vec<String>,
    pub(super) takes: Vec<String>,
    /// Whether it also takes properties of markers.
    #[serde(default)]
    pub(super) properties: bool,
    /// Whether the class reads these parameters and properties alone.
    #[serde(default)]
    pub(super) closed: bool,
    /// Whether these are all parameters: a painter of the program, which a map calls with one
    /// table.
    #[serde(default)]
    pub(super) all: bool,
}

#[derive(Deserialize)]
pub(super) struct CallRow {
    name: String,
    /// The kinds of the arguments.
    #[serde(default)]
    pub(super) takes: Vec<NameKind>,
    pub(super) least: Option<usize>,
    pub(super) most: Option<usize>,
}

#[derive(Deserialize)]
pub(super) struct FieldRow {
    pub(super) function: String,
    pub(super) field: String,
    pub(super) takes: NameKind,
}

#[derive(Deserialize)]
struct ResultRow {
    name: String,
    gives: NameKind,
}

impl Calls {
    pub(super) fn parameters_of(&self, function: &str) -> Option<&ParameterRow> {
        self.parameters_of.get(function).map(|&row| &self.parameters[row])
    }
}

fn parameters_of(rows: &[ParameterRow]) -> HashMap<String, usize> {
    let mut of_function = HashMap::new();
    for (index, row) in rows.iter().enumerate() {
        for function in &row.functions {
            of_function.entry(function.clone()).or_insert(index);
        }
    }
    of_function
}

/// Returns the headers whose functions take the text of a header.
fn headers() -> HashMap<&'static str, Header> {
    use Header::{Chance, DefaultDepth, Marker, Name, Order, Tags, Weight, Welcome};
    let mut of_function = HashMap::new();
    for (header, _) in Header::all() {
        let has_text = !matches!(
            header,
            Name | DefaultDepth | Order | Chance | Weight | Welcome | Tags | Marker
        );
        if has_text {
            of_function.entry(header.lua_function()).or_insert(header);
        }
    }
    of_function
}

/// Returns what is known about functions.
pub(super) fn calls() -> &'static Calls {
    &CALLS
}

/// Returns what a triggerer can wait for.
pub(crate) fn triggerer_types() -> impl Iterator<Item = &'static str> {
    calls().events.iter().map(String::as_str)
}

/// Returns those of some names that are no parameters of a function.
pub(crate) fn unknown_parameters<'n>(function: &str, names: &[&'n str]) -> Vec<&'n str> {
    let Some(row) = calls().parameters_of(function) else { return Vec::new() };
    let properties = row.properties.then_some(&calls().marker_properties);
    let known: Vec<&String> = row.takes.iter().chain(properties.into_iter().flatten()).collect();
    names.iter().copied().filter(|name| known.iter().all(|known| *known != name)).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[derive(Deserialize)]
    struct Reference {
        functions: Vec<Described>,
    }

    #[derive(Deserialize)]
    struct Described {
        name: String,
        call: String,
        #[serde(default)]
        map: bool,
    }

    #[test]
    fn all_options_of_painters_are_those_of_the_reference() {
        let table = vaultwright_packs::file("tables/common/lua_api.json");
        let reference: Reference = serde_json::from_str(table).expect("the reference");
        let mut described = 0;
        for function in reference.functions.iter().filter(|function| function.map) {
            let Some((_, options)) = function.call.split_once('{') else { continue };
            // A default may be a comma or a brace.
            let words = options.split([' ', ',']).map(|word| word.split('=').next().unwrap_or(""));
            let is_name = |word: &&str| {
                word.starts_with(|c: char| c.is_ascii_lowercase())
                    && word.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
            };
            let mut names: BTreeSet<&str> = words.filter(is_name).collect();
            if names.remove("box") {
                names.extend(["x1", "y1", "x2", "y2"]);
            }
            let row = calls().parameters.iter().find(|row| row.functions.contains(&function.name));
            let row = row.expect(&function.name);
            assert!(row.all && !row.properties, "{}", function.name);
            let known: BTreeSet<&str> = row.takes.iter().map(String::as_str).collect();
            assert_eq!(known, names, "{}", function.name);
            described += 1;
        }
        let rows = calls().parameters.iter().filter(|row| row.all);
        assert_eq!(rows.map(|row| row.functions.len()).sum::<usize>(), described);
    }

    #[test]
    fn the_table_can_be_read() {
        let rows: Rows = serde_json::from_str(TABLE).expect("the table");
        assert!(rows.calls.iter().all(|row| row.least <= row.most));
        assert!(calls().calls.contains_key("you.in_branch"));
    }
}
