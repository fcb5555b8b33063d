//! Which parameters each method has. What is misspelt, or is no value of its kind, is told instead
//! of being passed over as if it had not been said.

use serde_json::{Map, Value};

use super::answer::Refusal;

/// Checks the parameters of a request; a method that is not known has none to check.
///
/// # Errors
///
/// If one is not known to the method or is of another kind; the refusal names it.
pub fn check(method: &str, params: &Map<String, Value>) -> Result<(), Refusal> {
    let Some((_, own)) = METHODS.iter().find(|(name, _)| *name == method) else { return Ok(()) };
    check_fields(method, "", params, own, EVERYWHERE).map_err(Refusal::bad)
}

/// What a parameter may be; `null` says that it is not given.
enum Kind {
    Text,
    /// A whole number from 0 on.
    Count,
    Integer,
    /// A whole number from 0 on, or its digits, since pages cannot count as far.
    Seed,
    Flag,
    List(&'static Kind),
    Fields(&'static [Field]),
    /// The method looks at it itself.
    Any,
}

type Field = (&'static str, Kind);

use Kind::{Any, Count, Fields, Flag, Integer, List, Seed, Text};

/// What pages say with each request.
const EVERYWHERE: &[Field] =
    &[("page", Text), ("channel", Text), ("generation", Count), ("id", Any)];

const FILE: Kind = Fields(&[("path", Text), ("text", Text), ("encoding", Text)]);

const ACTION: Kind = Fields(&[
    ("do", Text),
    ("dx", Integer),
    ("dy", Integer),
    ("x", Integer),
    ("y", Integer),
    ("turns", Count),
    ("on", Flag),
]);

const CONDITION: Kind = Fields(&[("column", Text), ("op", Text), ("value", Any)]);

const MEASURE: Kind = Fields(&[("of", Text), ("column", Text)]);

const POSITION: Kind = Fields(&[("line", Count), ("column", Count)]);

const METHODS: &[(&str, &[Field])] = &[
    ("hello", &[]),
    ("files", &[]),
    ("read", &[("path", Text)]),
    ("save", &[("path", Text), ("text", Text), ("revision", Text)]),
    ("create", &[("path", Text), ("text", Text), ("revision", Text)]),
    (
        "campaign.start",
        &[("games", Count), ("seed", Seed), ("places", List(&Text)), ("file", Text)],
    ),
    ("campaign.status", &[]),
    ("campaign.stop", &[("campaign", Text)]),
    ("campaign.tables", &[("campaign", Text)]),
    (
        "campaign.query",
        &[
            ("campaign", Text),
            ("table", Text),
            ("where", List(&CONDITION)),
            ("group", List(&Text)),
            ("measure", List(&MEASURE)),
            ("order", Text),
            ("descending", Flag),
            ("limit", Count),
        ],
    ),
    ("campaign.compare", &[("a", Text), ("b", Text)]),
    (
        "play.start",
        &[
            ("file", FILE),
            ("map", Text),
            ("place", Text),
            ("seed", Seed),
            ("wander", Flag),
            ("actions", List(&ACTION)),
            ("done", Count),
        ],
    ),
    ("play.act", &[("session", Text), ("action", ACTION)]),
    ("play.back", &[("session", Text), ("to", Count)]),
    ("play.scenario", &[("session", Text)]),
    ("play.end", &[("session", Text)]),
    ("import", &[("kind", Text), ("name", Text), ("base64", Text), ("palette", Fields(&[]))]),
    ("build", &[("place", Text), ("seed", Seed), ("file", FILE), ("map", Text)]),
    (
        "animate",
        &[
            ("place", Text),
            ("seed", Seed),
            ("file", FILE),
            ("map", Text),
            ("format", Text),
            ("side", Count),
            ("frames", Count),
        ],
    ),
    ("cell", &[("file", FILE), ("map", Text), ("seed", Seed), ("x", Integer), ("y", Integer)]),
    ("check", &[("file", FILE)]),
    ("complete", &[("file", FILE), ("position", POSITION)]),
    ("coverage", &[("file", FILE), ("map", Text), ("seed", Seed), ("rolls", Count)]),
    ("hover", &[("file", FILE), ("position", POSITION)]),
    ("lair.cell", LAIR_CELL),
    ("lair.floors", LAIR),
    ("odds", &[("file", FILE), ("map", Text)]),
    ("palette", &[("file", FILE), ("map", Text), ("seed", Seed)]),
    ("place", &[("file", FILE), ("map", Text), ("places", List(&Text)), ("seeds", List(&Seed))]),
    ("rolls", &[("file", FILE), ("map", Text), ("seed", Seed), ("count", Count)]),
    ("tokens", &[("file", FILE)]),
];

const LAIR: &[Field] = &[
    ("file", FILE),
    ("seed", Seed),
    ("size", Text),
    ("count", Count),
    ("rooms", List(&Count)),
    ("room", List(&Count)),
];

const LAIR_CELL: &[Field] = &[
    ("file", FILE),
    ("seed", Seed),
    ("size", Text),
    ("count", Count),
    ("rooms", List(&Count)),
    ("room", List(&Count)),
    ("floor", Count),
    ("x", Integer),
    ("y", Integer),
];

/// Checks the fields of what is called `within` (nothing: the parameters themselves).
fn check_fields(
    method: &str,
    within: &str,
    given: &Map<String, Value>,
    own: &[Field],
    common: &[Field],
) -> Result<(), String> {
    for (name, value) in given {
        let Some((_, kind)) = own.iter().chain(common).find(|(known, _)| known == name) else {
            let whose = if within.is_empty() { method } else { within };
            let known: Vec<&str> = own.iter().map(|(name, _)| *name).collect();
            let known = match known.is_empty() {
                true => "nothing".to_owned(),
                false => known.join(", "),
            };
            return Err(format!("'{name}' is no parameter of {whose}, which takes {known}"));
        };
        let path = match within.is_empty() {
            true => name.clone(),
            false => format!("{within}.{name}"),
        };
        check_value(method, &path, value, kind)?;
    }
    Ok(())
}

fn check_value(method: &str, path: &str, value: &Value, kind: &Kind) -> Result<(), String> {
    let digits = |text: &str| text.trim().parse::<u64>().is_ok();
    let (fits, what) = match kind {
        _ if value.is_null() => return Ok(()),
        Any => return Ok(()),
        Text => (value.is_string(), "a text"),
        Count => (value.is_u64(), "a whole number from 0 on"),
        Integer => (value.is_i64(), "a whole number"),
        Seed => {
            let fits = value.is_u64() || value.as_str().is_some_and(digits);
            (fits, "a seed, a whole number from 0 on")
        }
        Flag => (value.is_boolean(), "true or false"),
        List(of) => {
            for (index, one) in value.as_array().into_iter().flatten().enumerate() {
                check_value(method, &format!("{path}[{index}]"), one, of)?;
            }
            (value.is_array(), "a list")
        }
        Fields(own) => {
            if let (Some(given), false) = (value.as_object(), own.is_empty()) {
                check_fields(method, path, given, own, &[])?;
            }
            (value.is_object(), "an object")
        }
    };
    match fits {
        true => Ok(()),
        false => Err(format!("'{path}' of {method} has to be {what}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn told(method: &str, params: &Value) -> String {
        let refusal = check(method, params.as_object().expect("an object"));
        let message = |refusal: Refusal| refusal.body["error"]["message"].clone();
        refusal.map_or_else(
            |refusal| message(refusal).as_str().unwrap_or("").to_owned(),
            |()| String::new(),
        )
    }

    #[test]
    fn what_is_wrong_is_named() {
        let wrong = [
            ("campaign.start", json!({ "games": "many" }), "'games' of campaign.start has to be"),
            ("campaign.start", json!({ "places": "D:1" }), "'places' of campaign.start has to be"),
            ("campaign.start", json!({ "places": ["D:1", 2] }), "'places[1]' of campaign.start"),
            ("campaign.start", json!({ "game": 3 }), "'game' is no parameter of campaign.start"),
            ("campaign.start", json!({ "seed": -1 }), "'seed' of campaign.start has to be a seed"),
            (
                "files",
                json!({ "path": "x" }),
                "'path' is no parameter of files, which takes nothing",
            ),
            ("rolls", json!({ "file": "a.des" }), "'file' of rolls has to be an object"),
            ("rolls", json!({ "file": { "txt": "" } }), "'txt' is no parameter of file, which"),
            ("play.act", json!({ "action": { "turns": 1.5 } }), "'action.turns' of play.act has"),
            ("campaign.query", json!({ "descending": 1 }), "'descending' of campaign.query has to"),
        ];
        for (method, params, start) in wrong {
            let told = told(method, &params);
            assert!(told.starts_with(start), "{method} {params}: {told}");
        }
    }

    #[test]
    fn what_is_right_or_left_out_is_none_of_its_business() {
        let right = [
            ("campaign.start", json!({ "games": 2, "seed": "18446744073709551615", "page": "p" })),
            ("rolls", json!({ "map": null, "channel": "rolls", "generation": 7 })),
            ("import", json!({ "palette": { "#ff0000": "x" } })),
            ("no.such", json!({ "x": 1 })),
        ];
        for (method, params) in right {
            assert_eq!(told(method, &params), "", "{method} {params}");
        }
    }
}
