//! The public items of a crate, read from its sources.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use quote::ToTokens;
use syn::{
    Attribute, Fields, ImplItem, Item, ItemUse, Signature, TraitItem, Type, UseTree, Visibility,
};

/// A module with the modules inside it.
struct Module {
    items: Vec<Item>,
    inner: BTreeMap<String, Module>,
}

/// Returns a line for each public item of the crate whose root this file is.
pub fn public_items(root: &Path) -> BTreeSet<String> {
    let folder = root.parent().expect("a file lies in a folder");
    let file = syn::parse_file(&std::fs::read_to_string(root).expect("the root of a crate"));
    let root = Module::of(file.expect("Rust").items, folder);
    let mut found = Found { lines: BTreeSet::new(), types: BTreeMap::new() };
    found.export(&root, &root, &[], "");
    found.implementations(&root);
    found.lines
}

impl Module {
    fn of(items: Vec<Item>, folder: &Path) -> Module {
        let mut inner = BTreeMap::new();
        for item in &items {
            let Item::Mod(module) = item else { continue };
            if is_for_tests(&module.attrs) {
                continue;
            }
            let name = module.ident.to_string();
            let folder = folder.join(&name);
            let items = match &module.content {
                Some((_, items)) => items.clone(),
                None => {
                    let beside = folder.with_extension("rs");
                    let file = if beside.exists() { beside } else { folder.join("mod.rs") };
                    let text = std::fs::read_to_string(&file);
                    let text = text.unwrap_or_else(|error| panic!("{}: {error}", file.display()));
                    syn::parse_file(&text).expect("Rust").items
                }
            };
            inner.insert(name, Module::of(items, &folder));
        }
        Module { items, inner }
    }

    fn at(&self, path: &[String]) -> Option<&Module> {
        path.iter().try_fold(self, |module, name| module.inner.get(name))
    }
}

struct Found {
    lines: BTreeSet<String>,
    /// The types that are handed out: by name, where each is defined and under which path it is
    /// known.
    types: BTreeMap<String, (*const Item, String)>,
}

impl Found {
    /// Lists what a module hands out; `under` is the path by which others know it.
    fn export(&mut self, root: &Module, module: &Module, path: &[String], under: &str) {
        for item in &module.items {
            match item {
                Item::Mod(inner) if is_public(&inner.vis) => {
                    let name = inner.ident.to_string();
                    if let Some(module) = module.inner.get(&name) {
                        let path = [path, std::slice::from_ref(&name)].concat();
                        self.export(root, module, &path, &format!("{under}{name}."));
                    }
                }
                Item::Use(import) if is_public(&import.vis) => {
                    for (from, known_as) in imported(import) {
                        self.import(root, path, &from, &known_as, under);
                    }
                }
                item => {
                    if let Some((visibility, name)) = named(item)
                        && is_public(visibility)
                    {
                        self.list(item, &format!("{under}{name}"));
                    }
                }
            }
        }
    }

    /// Lists what an import hands out; of other crates, where it comes from.
    fn import(
        &mut self,
        root: &Module,
        path: &[String],
        from: &[String],
        known_as: &str,
        under: &str,
    ) {
        let mut at = path.to_vec();
        let mut rest = from;
        while let [first, others @ ..] = rest {
            match first.as_str() {
                "crate" => at.clear(),
                "super" => {
                    at.pop();
                }
                "self" => {}
                _ => break,
            }
            rest = others;
        }
        let Some((last, modules)) = rest.split_last() else { return };
        at.extend(modules.iter().cloned());
        let Some(module) = root.at(&at) else {
            self.lines.insert(format!("{under}{known_as} = {}", from.join("::")));
            return;
        };
        if last == "*" {
            return self.export(root, module, &at, under);
        }
        if let Some(inner) = module.inner.get(last) {
            at.push(last.clone());
            return self.export(root, inner, &at, &format!("{under}{known_as}."));
        }
        for item in &module.items {
            if named(item).is_some_and(|(_, name)| name == *last) {
                self.list(item, &format!("{under}{known_as}"));
            } else if let Item::Use(import) = item {
                for (from, name) in imported(import) {
                    if name == *last {
                        self.import(root, &at, &from, known_as, under);
                    }
                }
            }
        }
    }

    fn list(&mut self, item: &Item, path: &str) {
        let mut add = |line: String| {
            self.lines.insert(tidy(&line));
        };
        match item {
            Item::Fn(function) => add(format!("{path} {}", shown(&function.sig))),
            Item::Const(it) => add(format!("{path} const: {}", it.ty.to_token_stream())),
            Item::Static(it) => add(format!("{path} static: {}", it.ty.to_token_stream())),
            Item::Type(it) => add(format!("{path} = {}", it.ty.to_token_stream())),
            Item::Trait(it) => {
                add(format!("{path} trait{}", it.generics.to_token_stream()));
                for item in &it.items {
                    match item {
                        TraitItem::Fn(function) => {
                            let default = if function.default.is_some() { " provided" } else { "" };
                            let name = &function.sig.ident;
                            add(format!("{path}.{name} {}{default}", shown(&function.sig)));
                        }
                        TraitItem::Const(it) => {
                            add(format!("{path}.{} const: {}", it.ident, it.ty.to_token_stream()));
                        }
                        TraitItem::Type(it) => add(format!("{path}.{} type", it.ident)),
                        _ => {}
                    }
                }
            }
            Item::Struct(it) => {
                add(format!("{path} struct{}", it.generics.to_token_stream()));
                attributes(&it.attrs, path, &mut add);
                fields(&it.fields, path, &mut add);
            }
            Item::Enum(it) => {
                add(format!("{path} enum{}", it.generics.to_token_stream()));
                attributes(&it.attrs, path, &mut add);
                for variant in &it.variants {
                    let held = variant.fields.iter().map(|field| {
                        let name = field.ident.as_ref().map(|name| format!("{name}: "));
                        format!("{}{}", name.unwrap_or_default(), field.ty.to_token_stream())
                    });
                    let held = held.collect::<Vec<_>>().join(", ");
                    add(format!("{path}.{} variant({held})", variant.ident));
                }
            }
            _ => {}
        }
        if let (Item::Struct(_) | Item::Enum(_), Some((_, name))) = (item, named(item)) {
            self.types.insert(name, (item, path.to_owned()));
        }
    }

    /// Lists what the types that are handed out can do.
    fn implementations(&mut self, module: &Module) {
        for item in &module.items {
            let Item::Impl(block) = item else { continue };
            let Type::Path(of) = &*block.self_ty else { continue };
            let Some(name) = of.path.segments.last().map(|segment| segment.ident.to_string())
            else {
                continue;
            };
            let Some((defined, path)) = self.types.get(&name) else { continue };
            // Another type of that name stands in this module.
            let is_other = module.items.iter().any(|item| {
                matches!(item, Item::Struct(_) | Item::Enum(_))
                    && named(item).is_some_and(|(_, own)| own == name)
                    && !std::ptr::eq(item, *defined)
            });
            if is_other || is_for_tests(&block.attrs) {
                continue;
            }
            if let Some((_, of, _)) = &block.trait_ {
                let of = of.segments.last().map(|segment| segment.to_token_stream());
                let of = of.unwrap_or_default();
                self.lines.insert(tidy(&format!("{path} impl {of}")));
                continue;
            }
            let mut lines = Vec::new();
            for item in &block.items {
                match item {
                    ImplItem::Fn(it) if is_public(&it.vis) => {
                        lines.push(format!("{path}.{} {}", it.sig.ident, shown(&it.sig)));
                    }
                    ImplItem::Const(it) if is_public(&it.vis) => {
                        let kind = it.ty.to_token_stream();
                        lines.push(format!("{path}.{} const: {kind}", it.ident));
                    }
                    _ => {}
                }
            }
            self.lines.extend(lines.iter().map(|line| tidy(line)));
        }
        module.inner.values().for_each(|inner| self.implementations(inner));
    }
}

fn is_public(visibility: &Visibility) -> bool {
    matches!(visibility, Visibility::Public(_))
}

fn is_for_tests(attributes: &[Attribute]) -> bool {
    let is_test = |attribute: &Attribute| {
        attribute.path().is_ident("cfg")
            && attribute.meta.to_token_stream().to_string().contains("test")
    };
    attributes.iter().any(is_test)
}

fn named(item: &Item) -> Option<(&Visibility, String)> {
    let (visibility, name) = match item {
        Item::Fn(it) => (&it.vis, &it.sig.ident),
        Item::Const(it) => (&it.vis, &it.ident),
        Item::Static(it) => (&it.vis, &it.ident),
        Item::Type(it) => (&it.vis, &it.ident),
        Item::Trait(it) => (&it.vis, &it.ident),
        Item::Struct(it) => (&it.vis, &it.ident),
        Item::Enum(it) => (&it.vis, &it.ident),
        _ => return None,
    };
    Some((visibility, name.to_string()))
}

/// The paths of an import, each with the name that it gives; `*` for all of a module.
fn imported(import: &ItemUse) -> Vec<(Vec<String>, String)> {
    fn walk(tree: &UseTree, path: &[String], found: &mut Vec<(Vec<String>, String)>) {
        let with = |name: &dyn ToString| [path, &[name.to_string()]].concat();
        match tree {
            UseTree::Path(it) => walk(&it.tree, &with(&it.ident), found),
            UseTree::Name(it) if it.ident == "self" => {
                found.push((path.to_vec(), path.last().cloned().unwrap_or_default()));
            }
            UseTree::Name(it) => found.push((with(&it.ident), it.ident.to_string())),
            UseTree::Rename(it) => found.push((with(&it.ident), it.rename.to_string())),
            UseTree::Glob(_) => found.push((with(&"*"), "*".to_owned())),
            UseTree::Group(it) => it.items.iter().for_each(|tree| walk(tree, path, found)),
        }
    }
    let mut found = Vec::new();
    walk(&import.tree, &[], &mut found);
    found
}

/// Traits that are derived, and whether more may be added to a type.
fn attributes(attributes: &[Attribute], path: &str, add: &mut impl FnMut(String)) {
    for attribute in attributes {
        if attribute.path().is_ident("derive") {
            let _ = attribute.parse_nested_meta(|derived| {
                let of = derived.path.segments.last().map(|segment| &segment.ident);
                add(format!("{path} impl {}", of.to_token_stream()));
                Ok(())
            });
        } else if attribute.path().is_ident("non_exhaustive") {
            add(format!("{path} non_exhaustive"));
        }
    }
}

fn fields(fields: &Fields, path: &str, add: &mut impl FnMut(String)) {
    for (number, field) in fields.iter().enumerate() {
        if is_public(&field.vis) {
            let name = field.ident.as_ref().map_or(number.to_string(), ToString::to_string);
            add(format!("{path}.{name}: {}", field.ty.to_token_stream()));
        }
    }
}

/// What a function takes and gives; names of arguments may change.
fn shown(signature: &Signature) -> String {
    let arguments = signature.inputs.iter().map(|argument| match argument {
        syn::FnArg::Receiver(receiver) => receiver.to_token_stream().to_string(),
        syn::FnArg::Typed(argument) => argument.ty.to_token_stream().to_string(),
    });
    let arguments = arguments.collect::<Vec<_>>().join(", ");
    let (generics, output) = (&signature.generics, &signature.output);
    let bounds = generics.where_clause.to_token_stream();
    let unsafety = signature.unsafety.to_token_stream();
    let generics = generics.to_token_stream();
    format!("{unsafety} fn{generics}({arguments}) {} {bounds}", output.to_token_stream())
}

/// Takes out blanks that mean nothing.
fn tidy(line: &str) -> String {
    let mut text = line.split_whitespace().collect::<Vec<_>>().join(" ");
    for (wide, close) in [
        (" :: ", "::"),
        (":: ", "::"),
        (" ::", "::"),
        (" < ", "<"),
        ("< ", "<"),
        (" <", "<"),
        (" >", ">"),
        ("& ", "&"),
        (" ,", ","),
        (" (", "("),
        ("( ", "("),
        (" )", ")"),
        (" ;", ";"),
        ("[ ", "["),
        (" ]", "]"),
        ("' ", "'"),
        (" : ", ": "),
        (", )", ")"),
    ] {
        text = text.replace(wide, close);
    }
    text.replace("->", " -> ").replace("  ", " ").replace("- >", "->").trim().to_owned()
}
