//! The features that the builder uses by name. Each must be in the tables and have the properties
//! that its name implies. A pack that breaks one gets an error when it is loaded.

use crate::features::{FeatureId, Features};

/// Declares the features: the name, and the required properties, or the replacement in releases
/// that do not have it yet.
macro_rules! known {
    (@missing $features:ident $faults:ident $name:ident or $other:ident) => {
        $features.by_name(stringify!($other)).or($features.by_name("floor")).unwrap_or_default()
    };
    (@missing $features:ident $faults:ident $name:ident $($predicate:ident)?) => {{
        let message = concat!("the builder needs a feature '", stringify!($name), "'");
        $faults.push((stringify!($name), message.to_owned()));
        $features.by_name("floor").unwrap_or_default()
    }};
    (@fault $features:ident $id:ident $name:ident or $other:ident) => {
        None
    };
    (@fault $features:ident $id:ident $name:ident) => {
        None
    };
    (@fault $features:ident $id:ident $name:ident $predicate:ident) => {
        (!$features.get($id).flags.$predicate()).then(|| {
            let message = concat!(
                "the builder puts '", stringify!($name), "' where '", stringify!($predicate),
                "' has to be: add it to \"is\"",
            );
            (stringify!($name), message.to_owned())
        })
    };
    ($($name:ident $($what:ident)*;)*) => {
        /// Features that the builder uses by name.
        #[derive(Clone, Copy, Debug, Default)]
        #[allow(missing_docs)] // the fields are the names of the features
        pub struct KnownFeatures {
            $(pub $name: FeatureId,)*
        }

        impl KnownFeatures {
            /// Looks up the features. Also returns those that are missing or have unexpected
            /// properties, each with the reason.
            pub(crate) fn of(features: &Features) -> (KnownFeatures, Vec<(&'static str, String)>) {
                let mut faults = Vec::new();
                let mut known = KnownFeatures::default();
                $(match features.by_name(stringify!($name)) {
                    None => known.$name = known!(@missing features faults $name $($what)*),
                    Some(id) => {
                        known.$name = id;
                        let fault: Option<(&'static str, String)> =
                            known!(@fault features id $name $($what)*);
                        faults.extend(fault);
                    }
                })*
                (known, faults)
            }
        }
    };
}

known! {
    floor traversable;
    rock_wall solid;
    stone_wall solid;
    shallow_water water;
    deep_water water;
    lava lava;
    open_sea;
    tree;
    mangrove or floor;
    closed_door door;
    escape_hatch_up;
    escape_hatch_down;
    exit_dungeon;
    transit_pandemonium;
    enter_hell;
    enter_shop;
    transporter;
    altar_lugonu;
    trap_net or floor;
    trap_zot or floor;
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
        let text = "[{\"name\": \"moss\", \"glyph\": \",\"},\n {\"name\": \"deep_water\", \"is\": [\"floor\"]}]";
        let table = TableText { file: "features.json".to_owned(), text: text.to_owned() };
        let tables = PackTables { features: Some(table), ..PackTables::default() };
        let error =
            Content::with_tables(Rules::of(Edition::Trunk), &tables).err().expect("an error");
        assert_eq!((error.line, error.column), (2, 2));
        assert!(error.message.contains("'deep_water'"), "{error}");
    }
}
