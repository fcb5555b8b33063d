//! The files of a data folder that describe one species or background each, `species/*.yaml` and
//! `jobs/*.yaml`. Scripts only use the names.

use crate::yaml::{self, Place, Value};
use crate::{TableError, TableText};

/// Returns the `name` in a YAML file, or an error if it has none.
pub(crate) fn name_in(file: &TableText) -> Result<String, TableError> {
    let wrong = |Place { line, column }: Place, message: String| TableError {
        file: file.file.clone(),
        line,
        column,
        message,
    };
    let document = yaml::parse(&file.text)
        .map_err(|(place, message)| wrong(place, format!("this is no YAML: {message}")))?;
    let missing = |place| wrong(place, "the key 'name' is missing".to_owned());
    let Value::Map(keys) = document.value else { return Err(missing(document.place)) };
    match keys.into_iter().find(|(key, ..)| key == "name") {
        None => Err(missing(document.place)),
        Some((.., node)) => match node.value {
            Value::Scalar(name) if !name.is_empty() => Ok(name),
            _ => Err(wrong(node.place, "a name is missing here".to_owned())),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_has_a_name_or_is_told_why_not() {
        let told = |text: &str| {
            let file = TableText { file: "species/mole.yaml".to_owned(), text: text.to_owned() };
            name_in(&file).map_err(|error| error.to_string())
        };
        let wrong = |place: &str, what: &str| Err(format!("species/mole.yaml:{place}: {what}"));
        assert_eq!(told("enum: SP_MOLE\nname: \"Mole Rat\"\n"), Ok("Mole Rat".to_owned()));
        assert_eq!(told("enum: SP_MOLE\n"), wrong("1:1", "the key 'name' is missing"));
        assert_eq!(told("- a list\n"), wrong("1:1", "the key 'name' is missing"));
        assert_eq!(told("a: 1\nname: [x]\n"), wrong("2:7", "a name is missing here"));
        let broken = told("name: mole\naptitudes: {\n").expect_err("no YAML");
        assert!(broken.contains("this is no YAML: "), "{broken}");
    }
}
