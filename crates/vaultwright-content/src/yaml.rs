//! YAML documents as trees whose nodes know their position.

use foldhash::{HashMap, HashMapExt, HashSet};
use saphyr_parser::{Event, Marker, Parser, ScalarStyle};

/// A position in a text, from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    pub(crate) line: usize,
    pub(crate) column: usize,
}

impl Place {
    pub(crate) const START: Place = Place { line: 1, column: 1 };

    fn of(marker: &Marker) -> Place {
        Place { line: marker.line().max(1), column: marker.col() + 1 }
    }
}

/// A node of a document.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    pub(crate) place: Place,
    pub(crate) value: Value,
}

#[derive(Clone, Debug)]
pub(crate) enum Value {
    /// A word, number or text; empty if there is no value.
    Scalar(String),
    List(Vec<Node>),
    /// Keys in order, with their positions; keys may be repeated.
    Map(Pairs),
}

/// Keys with their positions and values.
pub(crate) type Pairs = Vec<(String, Place, Node)>;

/// Parses a text with a single document. Aliases are expanded, including the keys of maps that are
/// merged into others (`<<`).
pub(crate) fn parse(text: &str) -> Result<Node, (Place, String)> {
    let mut reader = Reader {
        events: Parser::new_from_str(text),
        anchors: HashMap::new(),
        nodes_left: MAX_NODES,
    };
    let mut document = None;
    loop {
        match reader.next()? {
            (Event::StreamStart | Event::DocumentStart(_) | Event::DocumentEnd, _) => {}
            (Event::StreamEnd, place) => {
                return Ok(document.unwrap_or(Node { place, value: Value::Map(Vec::new()) }));
            }
            event => {
                let node = reader.node(event, MAX_DEPTH)?;
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

/// The maximum nesting depth of lists and maps.
const MAX_DEPTH: usize = 32;

/// The maximum number of words, lists and maps in a document, counted each time for aliases: a few
/// lines of nested aliases could mean billions. Behind an alias, a long text counts as several
/// words.
const MAX_NODES: usize = 100_000;

/// The size in bytes of a text that takes as much space as two nodes.
const BYTES_OF_A_NODE: usize = 128;

/// The key whose value is merged.
const MERGE: &str = "<<";

struct Reader<'a> {
    events: Parser<'a, saphyr_parser::StrInput<'a>>,
    /// The values of aliases, by number.
    anchors: HashMap<usize, Node>,
    nodes_left: usize,
}

impl<'a> Reader<'a> {
    fn next(&mut self) -> Result<(Event<'a>, Place), (Place, String)> {
        match self.events.next() {
            Some(Ok((event, span))) => Ok((event, Place::of(&span.start))),
            Some(Err(error)) => Err((Place::of(error.marker()), error.info().to_owned())),
            None => Err((Place::START, "the text ends too early".to_owned())),
        }
    }

    fn node(
        &mut self,
        (event, place): (Event<'a>, Place),
        deepest: usize,
    ) -> Result<Node, (Place, String)> {
        let Some(deeper) = deepest.checked_sub(1) else {
            return Err((place, "too many lists and maps inside one another".to_owned()));
        };
        self.count(1, place)?;
        let (value, anchor) = match event {
            // Quoted text is always a word.
            Event::Scalar(text, ScalarStyle::Plain, anchor, _)
                if matches!(&*text, "~" | "null") =>
            {
                (Value::Scalar(String::new()), anchor)
            }
            Event::Scalar(text, _, anchor, _) => (Value::Scalar(text.into_owned()), anchor),
            Event::SequenceStart(anchor, _) => (Value::List(self.list(deeper)?), anchor),
            Event::MappingStart(anchor, _) => (Value::Map(self.map(deeper)?), anchor),
            Event::Alias(anchor) => return self.alias(anchor, place, deepest),
            _ => return Err((place, "this is not understood here".to_owned())),
        };
        let node = Node { place, value };
        if anchor != 0 {
            self.anchors.insert(anchor, node.clone());
        }
        Ok(node)
    }

    fn list(&mut self, deeper: usize) -> Result<Vec<Node>, (Place, String)> {
        let mut list = Vec::new();
        loop {
            match self.next()? {
                (Event::SequenceEnd, _) => return Ok(list),
                event => list.push(self.node(event, deeper)?),
            }
        }
    }

    fn map(&mut self, deeper: usize) -> Result<Pairs, (Place, String)> {
        let (mut map, mut merged) = (Vec::new(), Vec::new());
        loop {
            let (key, style, place) = match self.next()? {
                (Event::MappingEnd, _) => break,
                (Event::Scalar(key, style, ..), place) => (key.into_owned(), style, place),
                (_, place) => return Err((place, "a key is a word".to_owned())),
            };
            let event = self.next()?;
            let value = self.node(event, deeper)?;
            match key == MERGE && style == ScalarStyle::Plain {
                true => merged.append(&mut self.lent(value)?),
                false => map.push((key, place, value)),
            }
        }
        // A map's own keys come before merged ones, and the first of those counts.
        let mut known: HashSet<String> = map.iter().map(|(key, ..)| key.clone()).collect();
        map.extend(merged.into_iter().filter(|(key, ..)| known.insert(key.clone())));
        Ok(map)
    }

    /// Returns the keys merged from the value of a merge key.
    fn lent(&self, value: Node) -> Result<Pairs, (Place, String)> {
        let refused = |place| (place, format!("'{MERGE}' takes a map, or a list of maps"));
        match value.value {
            Value::Map(map) => Ok(map),
            Value::List(list) => {
                let maps = list.into_iter().map(|node| match node.value {
                    Value::Map(map) => Ok(map),
                    _ => Err(refused(node.place)),
                });
                Ok(maps.collect::<Result<Vec<_>, _>>()?.concat())
            }
            Value::Scalar(_) => Err(refused(value.place)),
        }
    }

    fn alias(
        &mut self,
        anchor: usize,
        place: Place,
        deepest: usize,
    ) -> Result<Node, (Place, String)> {
        let inside = || (place, "this stands for what it is a part of".to_owned());
        let node = self.anchors.get(&anchor).ok_or_else(inside)?;
        let (count, depth) = node.extent();
        if depth > deepest {
            return Err((place, "too many lists and maps inside one another".to_owned()));
        }
        let left = self.nodes_left.checked_sub(count);
        self.nodes_left = left.ok_or_else(|| too_large(place))?;
        Ok(node.clone())
    }

    fn count(&mut self, nodes: usize, place: Place) -> Result<(), (Place, String)> {
        let left = self.nodes_left.checked_sub(nodes);
        self.nodes_left = left.ok_or_else(|| too_large(place))?;
        Ok(())
    }
}

fn too_large(place: Place) -> (Place, String) {
    (place, "this document is too large".to_owned())
}

impl Node {
    /// Returns the number of nodes, including itself, and their nesting depth.
    fn extent(&self) -> (usize, usize) {
        let parts: Vec<&Node> = match &self.value {
            Value::Scalar(text) => return (1 + text.len() / BYTES_OF_A_NODE, 1),
            Value::List(list) => list.iter().collect(),
            Value::Map(map) => map.iter().map(|(.., node)| node).collect(),
        };
        let extents = parts.into_iter().map(Node::extent);
        let sum = |(nodes, depth): (usize, usize), (more, deep)| (nodes + more, depth.max(deep));
        let (nodes, depth) = extents.fold((0, 0), sum);
        (nodes + 1, depth + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns a document as text: `{key: value, …}`.
    fn written(node: &Node) -> String {
        let all = |parts: Vec<String>| parts.join(", ");
        match &node.value {
            Value::Scalar(text) => text.clone(),
            Value::List(list) => format!("[{}]", all(list.iter().map(written).collect())),
            Value::Map(map) => {
                let pair =
                    |(key, _, node): &(String, Place, Node)| format!("{key}: {}", written(node));
                format!("{{{}}}", all(map.iter().map(pair).collect()))
            }
        }
    }

    #[test]
    fn aliases_are_what_they_stand_for() {
        for (text, meant) in [
            ("a: &x 1\nb: *x", "{a: 1, b: 1}"),
            ("a: &x [1, 2]\nb: [*x, *x]", "{a: [1, 2], b: [[1, 2], [1, 2]]}"),
            ("a: &x {k: 1}\nb: {<<: *x, l: 2}", "{a: {k: 1}, b: {l: 2, k: 1}}"),
            ("a: &x {k: 1}\nb:\n  k: 3\n  <<: *x", "{a: {k: 1}, b: {k: 3}}"),
            ("a: &x {k: 1}\n<<: [*x, {k: 2, l: 3}]", "{a: {k: 1}, k: 1, l: 3}"),
            ("'<<': {k: 1}", "{<<: {k: 1}}"),
            // If there are two anchors with the same name, the later one counts.
            ("a: &x 1\nb: &x 2\nc: *x", "{a: 1, b: 2, c: 2}"),
        ] {
            assert_eq!(parse(text).as_ref().map(written), Ok(meant.to_owned()), "{text}");
        }
    }

    #[test]
    fn aliases_of_too_much_are_errors() {
        let billions: String =
            (1..40).map(|n| format!("- &n{n} [*n{0}, *n{0}]\n", n - 1)).collect();
        let deep: String = (1..40).map(|n| format!("- &n{n} [*n{0}]\n", n - 1)).collect();
        for (text, told) in [
            (format!("- &n0 [1]\n{billions}"), "this document is too large"),
            (
                format!("- &n0 {}\n{}", "x".repeat(100_000), "- *n0\n".repeat(1000)),
                "this document is too large",
            ),
            (format!("- &n0 [1]\n{deep}"), "too many lists and maps inside one another"),
            ("a: &x [*x]".to_owned(), "this stands for what it is a part of"),
            ("<<: 3".to_owned(), "'<<' takes a map, or a list of maps"),
            ("<<: [3]".to_owned(), "'<<' takes a map, or a list of maps"),
            ("a: *nobody".to_owned(), "while parsing node, found unknown anchor"),
        ] {
            let Err((_, message)) = parse(&text) else { panic!("{text}: no error") };
            assert_eq!(message, told, "{text}");
        }
    }
}
