//! What compiled functions do, without what only tells where they are written: two texts that differ
//! in comments, spaces, or other functions have functions of the same code.

use std::collections::BTreeSet;

use mlua::Function;

/// A Lua function as it is compiled, with those that are written in it.
pub struct Code {
    /// The line on which it begins.
    pub line: usize,
    /// All that it does: instructions, constants, the functions in it, names of upvalues.
    pub bytes: Vec<u8>,
    /// The globals that it or one in it reads.
    pub globals: BTreeSet<Vec<u8>>,
    /// The texts that it or one in it has as constants: among them are the names of fields.
    pub texts: BTreeSet<Vec<u8>>,
    /// Those that are written in it.
    pub inner: Vec<Code>,
}

impl Code {
    /// Reads a function; none for one of the host.
    pub fn of(function: &Function) -> Option<Code> {
        let dumped = function.dump(false);
        let mut reader = Reader(dumped.strip_prefix(&HEADER[..])?);
        reader.function()
    }

    /// Adds it and all that are written in it.
    pub fn collect<'a>(&'a self, all: &mut Vec<&'a Code>) {
        all.push(self);
        self.inner.iter().for_each(|inner| inner.collect(all));
    }
}

/// What precedes the functions in the format of Lua 5.1: whole numbers of 4 bytes, sizes of 8,
/// instructions of 4, numbers that are floats of 8, all with the least byte first.
const HEADER: [u8; 12] = *b"\x1bLua\x51\x00\x01\x04\x08\x04\x08\x00";

/// The instruction that reads a global: its name is the constant of a number in the higher bits.
const READ_GLOBAL: u32 = 5;
const OPERATION: u32 = 0x3f;
const CONSTANT_SHIFT: u32 = 14;

struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    fn take(&mut self, count: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(count)?;
        self.0 = rest;
        Some(taken)
    }

    fn number(&mut self) -> Option<usize> {
        let bytes = self.take(4)?.try_into().ok()?;
        usize::try_from(u32::from_le_bytes(bytes)).ok()
    }

    /// A text without the 0 that ends it.
    fn text(&mut self) -> Option<&'a [u8]> {
        let bytes = self.take(8)?.try_into().ok()?;
        let length = usize::try_from(u64::from_le_bytes(bytes)).ok()?;
        let text = self.take(length)?;
        Some(text.strip_suffix(&[0]).unwrap_or(text))
    }

    fn function(&mut self) -> Option<Code> {
        let _source = self.text()?;
        let line = self.number()?;
        let _last_line = self.number()?;
        let mut bytes = Vec::new();
        // The counts of upvalues, parameters and registers.
        bytes.extend(self.take(4)?);
        let count = self.number()?;
        let instructions = self.take(count.checked_mul(4)?)?;
        bytes.extend((count as u64).to_le_bytes());
        bytes.extend(instructions);
        let (constants, start) = (self.number()?, self.0);
        let texts: Vec<Option<&[u8]>> =
            (0..constants).map(|_| self.constant()).collect::<Option<_>>()?;
        bytes.extend(&start[..start.len() - self.0.len()]);
        let inner = (0..self.number()?).map(|_| self.function()).collect::<Option<Vec<Code>>>()?;
        bytes.extend((inner.len() as u64).to_le_bytes());
        bytes.extend(inner.iter().flat_map(|inner| &inner.bytes));
        // Lines, then local variables with their first and last instruction.
        let lines = self.number()?;
        self.take(lines.checked_mul(4)?)?;
        for _ in 0..self.number()? {
            self.text()?;
            self.take(8)?;
        }
        for _ in 0..self.number()? {
            bytes.extend(self.text()?);
            bytes.push(0);
        }
        let read = instructions.chunks_exact(4).filter_map(|instruction| {
            let instruction = u32::from_le_bytes(instruction.try_into().ok()?);
            let constant = usize::try_from(instruction >> CONSTANT_SHIFT).ok()?;
            let reads = instruction & OPERATION == READ_GLOBAL;
            texts.get(constant).copied().flatten().filter(|_| reads)
        });
        let mut globals: BTreeSet<Vec<u8>> = read.map(<[u8]>::to_vec).collect();
        let mut texts: BTreeSet<Vec<u8>> =
            texts.into_iter().flatten().map(<[u8]>::to_vec).collect();
        for inner in &inner {
            globals.extend(inner.globals.iter().cloned());
            texts.extend(inner.texts.iter().cloned());
        }
        Some(Code { line, bytes, globals, texts, inner })
    }

    /// A constant; what it is if it is a text.
    fn constant(&mut self) -> Option<Option<&'a [u8]>> {
        match self.take(1)? {
            [0] => Some(None),
            [1] => self.take(1).map(|_| None),
            [3] => self.take(8).map(|_| None),
            [4] => self.text().map(Some),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use mlua::Lua;

    use super::*;

    fn code(text: &str) -> Code {
        let lua = Lua::new();
        let function = lua.load(text).into_function().expect("a function");
        Code::of(&function).expect("its code")
    }

    #[test]
    fn code_is_the_same_wherever_it_is_written() {
        let text = "local a = 1 function f(x) return g(x.y, a, 'z', nil, true, 2.5) end";
        let other = "-- a comment\nlocal a=1\n\n  function f(another)\n return g(another.y,a,\n'z',nil,true,2.5) end";
        let (first, second) = (code(text), code(other));
        assert!(first.bytes == second.bytes);
        assert_eq!((first.inner[0].line, second.inner[0].line), (1, 4));
        let names = |names: &BTreeSet<Vec<u8>>| {
            names.iter().map(|name| String::from_utf8_lossy(name).into_owned()).collect::<Vec<_>>()
        };
        assert_eq!(names(&first.globals), ["g"]);
        assert_eq!(names(&first.inner[0].texts), ["g", "y", "z"]);
    }

    #[test]
    fn other_code_is_other() {
        let texts = [
            "local a, b = 1, 2 function f(x) return x.y + a end",
            "local a, b = 1, 2 function f(x) return x.y + b end",
            "local a, b = 1, 2 function f(x) return x.z + a end",
            "local a, b = 1, 2 function f(x) return x.y - a end",
            "local a, b = 1, 2 function f(x, ...) return x.y + a end",
            "local a, b = 1, 3 function f(x) return x.y + a end",
        ];
        let codes: BTreeSet<Vec<u8>> = texts.iter().map(|text| code(text).bytes).collect();
        assert_eq!(codes.len(), texts.len());
    }

    #[test]
    fn functions_of_the_host_have_none() {
        let lua = Lua::new();
        let print: Function = lua.globals().get("print").expect("a function");
        assert!(Code::of(&print).is_none());
    }
}
