//! Hints for functions that only exist in another Lua version, or that Crawl removes.

use vaultwright_content::Rules;

use crate::near::Near;

/// Functions of Lua 5.1 that 5.4 lacks, and what to use instead.
const ONLY_51: &[(&str, &str)] = &[
    ("unpack", "write table.unpack"),
    ("setfenv", "write crawl.setfenv"),
    ("getfenv", "write _ENV"),
    ("getn", "write #list"),
    ("maxn", "write #list"),
    ("foreach", "write for … in pairs"),
    ("foreachi", "write for … in ipairs"),
    ("mod", "write math.fmod"),
    ("pow", "write x ^ y, and math.floor(x ^ y) where a whole number is to be read"),
    ("arg", "write {...} for the arguments behind the others"),
    ("atan2", "write math.atan with both arguments"),
    ("gfind", "write string.gmatch"),
];

/// Functions of Lua 5.4 that 5.1 lacks: their name in messages, their full name, and what to use
/// instead.
const ONLY_54: &[(&str, &str, &str)] = &[
    ("field 'unpack'", "table.unpack", "write unpack"),
    (
        "field 'pack'",
        "pack of table or string",
        "for table.pack write { n = select('#', ...), ... }, Crawl's scripts have no string.pack here",
    ),
    ("field 'move'", "table.move", "write a loop"),
    ("field 'tointeger'", "math.tointeger", "write math.floor"),
    ("field 'ult'", "math.ult", "write a comparison"),
    ("global 'rawlen'", "rawlen", "write #list"),
    ("global 'warn'", "warn", "write print"),
    ("field 'setfenv'", "crawl.setfenv", "write setfenv"),
];

/// Names that no version of Crawl has, or that were removed.
const TAKEN_AWAY: &[(&str, &str)] = &[
    ("global 'require'", "crawl_require loads files of the library; require did so up to 0.22"),
    ("global 'load'", "Crawl takes load away; loadstring takes a text"),
    ("global 'utf8'", "Crawl does not open the library utf8"),
    ("global 'bit32'", "Crawl does not open the library bit32"),
    ("global 'os'", "Crawl takes os away: scripts reach nothing outside the game"),
    ("global 'io'", "Crawl takes io away: scripts reach nothing outside the game"),
    ("field 'pack'", "Crawl's scripts have no string.pack here"),
];

/// Returns what to use instead of a function of the other Lua, if it was only renamed.
pub(crate) fn renamed(message: &str, rules: &Rules) -> Option<Near> {
    if !message.contains("a nil value") {
        return None;
    }
    let renamed = match rules.lua_54 {
        true => [("global 'unpack'", "unpack", "table.unpack"), SETFENV],
        false => [
            ("field 'unpack'", "table.unpack", "unpack"),
            ("field 'setfenv'", "crawl.setfenv", "setfenv"),
        ],
    };
    let (_, old, new) = renamed.into_iter().find(|(called, ..)| message.contains(called))?;
    Some(Near::renamed(old, new))
}

const SETFENV: (&str, &str, &str) = ("global 'setfenv'", "setfenv", "crawl.setfenv");

/// Functions of Lua 5.1, by table and name, that scripts with the embedded library also have under
/// the rules of 5.4, and that the game does not have.
const KEPT_FROM_51: [&str; 12] = [
    "arg",
    "unpack",
    "setfenv",
    "getfenv",
    "table.getn",
    "table.maxn",
    "table.foreach",
    "table.foreachi",
    "math.mod",
    "math.pow",
    "math.atan2",
    "string.gfind",
];

/// Returns whether only one version of Lua has a function, so that scripts may ask for it.
pub(crate) fn differ_in(path: &str) -> bool {
    KEPT_FROM_51.contains(&path) || path == "table.unpack"
}

/// Returns what to use instead of a function that the Lua of the rules lacks, although the embedded
/// library has it.
pub(crate) fn instead_of(path: &str, rules: &Rules) -> Option<String> {
    let is_kept = match rules.lua_54 {
        true => KEPT_FROM_51.contains(&path),
        false => path == "table.unpack",
    };
    let name = path.rsplit('.').next().unwrap_or(path);
    is_kept.then(|| hint(&format!("field '{name}' (a nil value)"), rules)).flatten()
}

/// Returns what to do about an undefined name, if the reason is the Lua version of the rules.
pub(crate) fn hint(message: &str, rules: &Rules) -> Option<String> {
    if !message.contains("a nil value") {
        return None;
    }
    let edition = rules.edition.name();
    if rules.lua_54 {
        let quoted = |name: &str| message.contains(&format!("'{name}'"));
        if let Some((name, instead)) = ONLY_51.iter().find(|(name, _)| quoted(name)) {
            return Some(format!(
                "{name} is Lua 5.1, and the rules of {edition} want Lua 5.4: {instead}"
            ));
        }
    } else if let Some((_, name, instead)) =
        ONLY_54.iter().find(|(called, ..)| message.contains(called))
    {
        return Some(format!(
            "{name} is Lua 5.4, and the rules of {edition} want Lua 5.1: {instead}"
        ));
    }
    let taken = TAKEN_AWAY.iter().find(|(called, _)| message.contains(called));
    taken.map(|(_, why)| (*why).to_owned())
}
