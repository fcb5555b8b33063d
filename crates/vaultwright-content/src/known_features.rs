//! The features that the builder puts down by name. Each has to be in the tables, and to be what
//! its name says: a pack that breaks one is told when it is loaded.

use crate::features::{FeatureId, Features};

/// Declares the features: the name, and what has to hold of it.
macro_rules! known {
    ($($name:ident $($predicate:ident)?;)*) => {
        /// Features that the builder puts down by name.
        #[derive(Clone, Copy, Debug, Default)]
        #[allow(missing_docs)] // the fields are the names of the features
        pub struct KnownFeatures {
            $(pub $name: FeatureId,)*
        }

        impl KnownFeatures {
            /// Looks the features up; with each that is missing, or is not what it is taken for,
            /// why.
            pub(crate) fn of(features: &Features) -> (KnownFeatures, Vec<(&'static str, String)>) {
                let mut faults = Vec::new();
                let mut known = KnownFeatures::default();
                $(match features.by_name(stringify!($name)) {
                    None => {
                        let message = concat!("the builder needs a feature '", stringify!($name), "'");
                        faults.push((stringify!($name), message.to_owned()));
                    }
                    Some(id) => {
                        known.$name = id;
                        $(if !features.get(id).flags.$predicate() {
                            let message = concat!(
                                "the builder puts '", stringify!($name), "' where '",
                                stringify!($predicate), "' has to be: add it to \"is\"",
                            );
                            faults.push((stringify!($name), message.to_owned()));
                        })?
                    }
                })*
                (known, faults)
            }
        }
    };
}

known! {
    floor floor;
    rock_wall wall;
    stone_wall wall;
    shallow_water shallow_water;
    deep_water deep_water;
    lava lava;
    open_sea solid;
    tree tree;
    mangrove tree;
    closed_door closed_door;
    escape_hatch_up hatch;
    escape_hatch_down hatch;
    exit_dungeon stair;
    transit_pandemonium stair;
    enter_hell stair;
    enter_shop;
    transporter;
    altar_lugonu altar;
    trap_net trap;
    trap_zot trap;
}

#[cfg(test)]
mod tests {
    use crate::{Content, Edition, PackTables, Rules, TableText};

    #[test]
    fn every_release_has_what_the_builder_puts_down() {
        for edition in Edition::ALL {
            let content = Content::new(Rules::of(edition));
            assert_eq!(content.features().faults(), [], "{}", edition.name());
        }
    }

    #[test]
    fn a_pack_that_breaks_one_is_told_where() {
        let text = "[{\"name\": \"moss\", \"glyph\": \",\"},\n {\"name\": \"deep_water\", \"is\": [\"water\"]}]";
        let table = TableText { file: "features.json".to_owned(), text: text.to_owned() };
        let tables = PackTables { features: Some(table), ..PackTables::default() };
        let error =
            Content::with_tables(Rules::of(Edition::Trunk), &tables).err().expect("an error");
        assert_eq!((error.line, error.column), (2, 2));
        assert!(error.message.contains("'deep_water'"), "{error}");
    }
}
