//! Which names of Lua are local variables: their scopes, as far as words alone tell them.

use std::collections::HashMap;
use std::ops::Range;

use vaultwright::lint::LuaWord;

/// What a name is by the scopes around it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Scope {
    /// It declares a local variable or a parameter.
    Declares,
    /// It is a local variable or a parameter.
    Local,
    /// It is something else.
    Free,
}

/// Returns what each word is, of words without comments. Functions that are local count as free:
/// they are functions.
pub(crate) fn scopes(source: &[u8], words: &[(LuaWord, Range<usize>)]) -> Vec<Scope> {
    let mut reader = Reader {
        source,
        words,
        blocks: vec![Block::default()],
        known: HashMap::new(),
        parameters: Vec::new(),
        is_for: false,
        parameters_end: 0,
    };
    (0..words.len()).map(|index| reader.read(index)).collect()
}

/// What stands between `do`, `then`, `repeat` or a function's name and its end.
#[derive(Default)]
struct Block<'s> {
    names: Vec<&'s [u8]>,
    /// Names of a `local` that is not yet at its end: what they are given does not see them.
    coming: Vec<&'s [u8]>,
    /// Names are being listed, behind `local` or `for`.
    is_listing: bool,
}

struct Reader<'s> {
    source: &'s [u8],
    words: &'s [(LuaWord, Range<usize>)],
    blocks: Vec<Block<'s>>,
    /// How many open blocks have a name.
    known: HashMap<&'s [u8], usize>,
    /// Names of a `for`, which belong to the block that follows.
    parameters: Vec<&'s [u8]>,
    /// Whether the names that are being listed are those of a `for`.
    is_for: bool,
    /// The word behind the parameters of the last function.
    parameters_end: usize,
}

impl<'s> Reader<'s> {
    /// Returns a word; nothing if there is none at that place.
    fn word(&self, index: usize) -> &'s [u8] {
        self.words.get(index).map_or(b"", |(_, span)| &self.source[span.clone()])
    }

    fn before(&self, index: usize) -> &'s [u8] {
        index.checked_sub(1).map_or(b"", |index| self.word(index))
    }

    fn block(&mut self) -> &mut Block<'s> {
        if self.blocks.is_empty() {
            self.blocks.push(Block::default());
        }
        let last = self.blocks.len() - 1;
        &mut self.blocks[last]
    }

    fn read(&mut self, index: usize) -> Scope {
        let word = self.word(index);
        if self.begins_statement(index) {
            let coming = std::mem::take(&mut self.block().coming);
            self.declare(coming);
        }
        match self.words[index].0 {
            LuaWord::Keyword => {
                self.keyword(index, word);
                Scope::Free
            }
            LuaWord::Name => self.name(index, word),
            _ => {
                if word != b"," {
                    self.block().is_listing = false;
                }
                Scope::Free
            }
        }
    }

    fn keyword(&mut self, index: usize, word: &[u8]) {
        self.block().is_listing = false;
        self.is_for = word == b"for";
        match word {
            b"local" if self.word(index + 1) != b"function" => self.block().is_listing = true,
            b"for" => self.block().is_listing = true,
            b"function" => {
                let names = self.take_parameters(index);
                self.open(names);
            }
            b"do" => {
                let names = std::mem::take(&mut self.parameters);
                self.open(names);
            }
            b"then" | b"repeat" => self.open(Vec::new()),
            b"else" => {
                self.close();
                self.open(Vec::new());
            }
            b"elseif" | b"end" | b"until" => self.close(),
            _ => {}
        }
    }

    fn declare(&mut self, names: Vec<&'s [u8]>) {
        for name in &names {
            *self.known.entry(name).or_default() += 1;
        }
        self.block().names.extend(names);
    }

    fn open(&mut self, names: Vec<&'s [u8]>) {
        self.blocks.push(Block::default());
        self.declare(names);
    }

    /// Closes a block; the outermost one never ends.
    fn close(&mut self) {
        if self.blocks.len() > 1 {
            let names = self.blocks.pop().map_or(Vec::new(), |block| block.names);
            for name in names {
                self.known.entry(name).and_modify(|count| *count = count.saturating_sub(1));
            }
        }
    }

    /// Returns the names in the brackets of a function that begins at a word.
    fn take_parameters(&mut self, index: usize) -> Vec<&'s [u8]> {
        let is_name = |at: &usize| {
            let is_name = self.words.get(*at).is_some_and(|(word, _)| *word == LuaWord::Name);
            is_name || matches!(self.word(*at), b"." | b":")
        };
        let open = (index + 1..).find(|at| !is_name(at)).unwrap_or(index);
        if self.word(open) != b"(" {
            return Vec::new();
        }
        let is_listed = |at: &usize| is_name(at) || matches!(self.word(*at), b"," | b"...");
        let end = (open + 1..).find(|at| !is_listed(at)).unwrap_or(open);
        let names = (open + 1..end).filter(|at| self.words[*at].0 == LuaWord::Name);
        let names = names.map(|at| self.word(at)).collect();
        self.parameters_end = end;
        names
    }

    fn name(&mut self, index: usize, word: &'s [u8]) -> Scope {
        let before = self.before(index);
        if self.block().is_listing && matches!(before, b"local" | b"for" | b",") {
            match self.is_for {
                true => self.parameters.push(word),
                false => self.block().coming.push(word),
            }
            return Scope::Declares;
        }
        self.block().is_listing = false;
        let is_known = self.known.get(word).is_some_and(|count| *count > 0);
        match is_known && !matches!(before, b"." | b":" | b"function") {
            true if index < self.parameters_end => Scope::Declares,
            true => Scope::Local,
            false => Scope::Free,
        }
    }

    /// Returns whether a statement begins with a word: behind the end of an expression, or with a
    /// keyword that cannot go on with one.
    fn begins_statement(&self, index: usize) -> bool {
        let word = self.word(index);
        let ends_expression = |at: usize| match self.words[at].0 {
            LuaWord::Name | LuaWord::Number | LuaWord::Text => true,
            LuaWord::Sign => matches!(self.word(at), b")" | b"]" | b"}" | b"..."),
            LuaWord::Keyword => matches!(self.word(at), b"end" | b"nil" | b"true" | b"false"),
            LuaWord::Comment => false,
        };
        match self.words[index].0 {
            LuaWord::Name => index.checked_sub(1).is_some_and(ends_expression),
            LuaWord::Sign => word == b";",
            LuaWord::Keyword => {
                !matches!(word, b"and" | b"or" | b"not" | b"nil" | b"true" | b"false")
                    && index.checked_sub(1).is_some_and(ends_expression)
            }
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use vaultwright::lint::lua_words;

    use super::*;

    /// Returns the names of a text, those that are local in capitals.
    fn shown(source: &str) -> String {
        let words = lua_words(source.as_bytes());
        let scopes = scopes(source.as_bytes(), &words);
        let names = words.iter().zip(scopes).filter(|((word, _), _)| *word == LuaWord::Name);
        let shown = names.map(|((_, span), scope)| match scope {
            Scope::Free => source[span.clone()].to_owned(),
            _ => source[span.clone()].to_uppercase(),
        });
        shown.collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn locals_end_with_their_blocks() {
        assert_eq!(shown("local a = 5 print(a) b(c.a)"), "A print A b c a");
        assert_eq!(shown("do local a a() end a()"), "A A a");
        assert_eq!(shown("if x then local a, b = a f(b) else a() end"), "x A B a f B a");
        assert_eq!(shown("for i, v in all(v) do f(i) end v()"), "I V all v f I v");
        assert_eq!(shown("function f(a, b) return a end a = b"), "f A B A a b");
        assert_eq!(shown("function t.x:f(a) a() end a()"), "t x f A A a");
        assert_eq!(shown("x = function (a) a() end a()"), "x A A a");
    }

    #[test]
    fn what_a_local_is_given_does_not_see_it() {
        assert_eq!(shown("local f = f f()"), "F f F");
        assert_eq!(shown("local f = g(f, { f }) f()"), "F g f f F");
        assert_eq!(shown("local f = function () f() end f()"), "F f F");
        assert_eq!(shown("local function f() f() end f()"), "f f f");
        assert_eq!(shown("local a\nb()"), "A b");
    }

    #[test]
    fn unfinished_lua_is_read_to_its_end() {
        for text in
            ["local", "for", "function (", "function f(a", "end end", "until x", "local a ="]
        {
            shown(text);
        }
        assert_eq!(shown("end local a a()"), "A A");
    }
}
