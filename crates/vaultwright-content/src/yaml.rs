//! YAML documents as trees whose nodes know their place.

use saphyr_parser::{Event, Marker, Parser, ScalarStyle};

/// A place in a text, from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    pub(crate) line: usize,
    pub(crate) column: usize,
}

impl Place {
    const START: Place = Place { line: 1, column: 1 };

    fn of(marker: &Marker) -> Place {
        Place { line: marker.line().max(1), column: marker.col() + 1 }
    }
}

/// A node of a document.
#[derive(Debug)]
pub(crate) struct Node {
    pub(crate) place: Place,
    pub(crate) value: Value,
}

#[derive(Debug)]
pub(crate) enum Value {
    /// A word, number or text; empty for nothing.
    Scalar(String),
    List(Vec<Node>),
    /// Keys in their order, with their places; a key may come twice.
    Map(Vec<(String, Place, Node)>),
}

/// Parses the only document of a text.
pub(crate) fn parse(text: &str) -> Result<Node, (Place, String)> {
    let mut events = Parser::new_from_str(text);
    let mut document = None;
    loop {
        match next(&mut events)? {
            (Event::StreamStart | Event::DocumentStart(_) | Event::DocumentEnd, _) => {}
            (Event::StreamEnd, place) => {
                return Ok(document.unwrap_or(Node { place, value: Value::Map(Vec::new()) }));
            }
            event => {
                let node = node(event, &mut events, DEEPEST)?;
                if !matches!(&node.value, Value::Scalar(text) if text.is_empty()) {
                    if document.is_some() {
                        return Err((node.place, "this is a second document".to_owned()));
                    }
                    document = Some(node);
                }
            }
        }
    }
}

/// How many lists and maps may stand inside one another.
const DEEPEST: usize = 32;

type Events<'a> = Parser<'a, saphyr_parser::StrInput<'a>>;

fn next<'a>(events: &mut Events<'a>) -> Result<(Event<'a>, Place), (Place, String)> {
    match events.next() {
        Some(Ok((event, span))) => Ok((event, Place::of(&span.start))),
        Some(Err(error)) => Err((Place::of(error.marker()), error.info().to_owned())),
        None => Err((Place::START, "the text ends too early".to_owned())),
    }
}

fn node<'a>(
    (event, place): (Event<'a>, Place),
    events: &mut Events<'a>,
    deepest: usize,
) -> Result<Node, (Place, String)> {
    let Some(deeper) = deepest.checked_sub(1) else {
        return Err((place, "too many lists and maps inside one another".to_owned()));
    };
    let value = match event {
        // In quotes they are words.
        Event::Scalar(text, ScalarStyle::Plain, ..) if matches!(&*text, "~" | "null") => {
            Value::Scalar(String::new())
        }
        Event::Scalar(text, ..) => Value::Scalar(text.into_owned()),
        Event::SequenceStart(..) => {
            let mut list = Vec::new();
            loop {
                match next(events)? {
                    (Event::SequenceEnd, _) => break Value::List(list),
                    event => list.push(node(event, events, deeper)?),
                }
            }
        }
        Event::MappingStart(..) => {
            let mut map = Vec::new();
            loop {
                let (key, place) = match next(events)? {
                    (Event::MappingEnd, _) => break Value::Map(map),
                    (Event::Scalar(key, ..), place) => (key.into_owned(), place),
                    (_, place) => return Err((place, "a key is a word".to_owned())),
                };
                let event = next(events)?;
                map.push((key, place, node(event, events, deeper)?));
            }
        }
        _ => return Err((place, "anchors and aliases are not understood here".to_owned())),
    };
    Ok(Node { place, value })
}
