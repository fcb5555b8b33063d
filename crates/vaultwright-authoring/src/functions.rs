//! The functions of scripts, as in `docs/lua.md` and `docs/lair-lua.md`.

use std::sync::LazyLock;

use serde::Deserialize;

/// A function that Lua in vaults can call, or that LAIR scripts can define or call.
#[derive(Clone, Debug, Deserialize)]
pub struct ScriptFunction {
    /// Its name, with its table: `dgn.map_by_tag`. Functions of the map have no table: `subst`.
    pub name: String,
    /// The syntax of a call.
    pub call: String,
    /// What it returns.
    #[serde(default)]
    pub gives: String,
    /// What it does.
    #[serde(default)]
    pub says: String,
    /// The draws that it makes.
    #[serde(default)]
    pub draws: String,
    /// The library file that must be loaded first.
    #[serde(default)]
    pub needs: String,
}

#[derive(Deserialize)]
struct Table {
    functions: Vec<ScriptFunction>,
}

static OF_VAULTS: LazyLock<Vec<ScriptFunction>> =
    LazyLock::new(|| read(const { vaultwright_packs::file("tables/common/lua_api.json") }));
static OF_LAIR: LazyLock<Vec<ScriptFunction>> =
    LazyLock::new(|| read(const { vaultwright_packs::file("tables/common/lair_api.json") }));

fn read(table: &str) -> Vec<ScriptFunction> {
    // The tables are embedded, and a test reads them.
    serde_json::from_str::<Table>(table).map_or_else(|_| Vec::new(), |table| table.functions)
}

/// Returns all functions available in vaults.
#[must_use]
pub fn script_functions() -> &'static [ScriptFunction] {
    &OF_VAULTS
}

/// Returns all functions and variables available in LAIR scripts.
#[must_use]
pub fn lair_functions() -> &'static [ScriptFunction] {
    &OF_LAIR
}

impl ScriptFunction {
    /// Returns the signature and the documentation in Markdown.
    #[must_use]
    pub fn markdown(&self) -> String {
        let gives =
            if self.gives.is_empty() { String::new() } else { format!(" → {}", self.gives) };
        let mut text = format!("```lua\n{}{gives}\n```\n{}", self.call, self.says);
        if !self.draws.is_empty() {
            text += &format!("\n\nDraws: {}.", self.draws);
        }
        if !self.needs.is_empty() {
            text += &format!("\n\nNeeds `crawl_require(\"{}\")`.", self.needs);
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tables_can_be_read() {
        assert!(script_functions().len() > 500);
        assert!(script_functions().iter().any(|function| function.name == "dgn.map_by_tag"));
        assert!(lair_functions().iter().any(|function| function.name == "carve.maze"));
    }
}
