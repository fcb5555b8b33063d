//! The code of compiled functions without their positions: two texts that differ only in comments,
//! spaces or other functions have functions with the same code.

use std::collections::BTreeSet;

use mlua::Function;

/// A compiled Lua function, with its inner functions.
pub struct Code {
    /// The line on which it starts.
    pub line: usize,
    /// What the function itself does: instructions, constants, names of upvalues.
    pub bytes: Vec<u8>,
    /// The globals that it reads, each with the fields accessed next: `math` and `floor`. If it
    /// uses the table in another way, there are no fields.
    pub reads: BTreeSet<Vec<Vec<u8>>>,
    /// The functions inside it.
    pub inner: Vec<Code>,
}

impl Code {
    /// Reads a function; `None` for a function of the host.
    pub fn of(function: &Function) -> Option<Code> {
        let dumped = function.dump(false);
        let mut reader = Reader(dumped.strip_prefix(&HEADER[..])?);
        reader.function()
    }

    /// Returns the function and all inner functions, each before those inside it.
    pub fn all(&self) -> Vec<&Code> {
        let (mut all, mut ahead) = (Vec::new(), vec![self]);
        while let Some(code) = ahead.pop() {
            all.push(code);
            ahead.extend(code.inner.iter().rev());
        }
        all
    }
}

/// What precedes the functions in the format of Lua 5.1: whole numbers of 4 bytes, sizes of 8,
/// instructions of 4, numbers that are floats of 8, all with the least byte first.
const HEADER: [u8; 12] = *b"\x1bLua\x51\x00\x01\x04\x08\x04\x08\x00";

/// The instructions that read a global, whose name is the constant of a number in the higher bits,
/// and a field of a table in a register.
const READ_GLOBAL: u32 = 5;
const READ_FIELD: u32 = 6;

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
        let instructions: Vec<Instruction> = instructions
            .chunks_exact(4)
            .filter_map(|bytes| Some(Instruction(u32::from_le_bytes(bytes.try_into().ok()?))))
            .collect();
        let places = 0..instructions.len();
        let reads = places.filter_map(|at| path(&instructions[at..], &texts));
        let reads = reads.collect();
        Some(Code { line, bytes, reads, inner })
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

/// The global that the first instruction reads, and the fields that the next ones go on with as
/// long as each takes the place of what it is a field of, so that nobody has that.
fn path(instructions: &[Instruction], texts: &[Option<&[u8]>]) -> Option<Vec<Vec<u8>>> {
    let (first, rest) = instructions.split_first()?;
    let text = |constant: u32| texts.get(usize::try_from(constant).ok()?).copied().flatten();
    if first.operation() != READ_GLOBAL {
        return None;
    }
    let mut path = vec![text(first.constant())?.to_vec()];
    let fields = rest.iter().map_while(|next| {
        let goes_on = next.operation() == READ_FIELD
            && next.target() == first.target()
            && next.table() == first.target();
        next.field_constant().filter(|_| goes_on).and_then(text)
    });
    path.extend(fields.map(<[u8]>::to_vec));
    Some(path)
}

#[derive(Clone, Copy)]
struct Instruction(u32);

impl Instruction {
    fn operation(self) -> u32 {
        self.0 & 0x3f
    }

    /// The register that it writes to.
    fn target(self) -> u32 {
        self.0 >> 6 & 0xff
    }

    /// The constant that is all that follows.
    fn constant(self) -> u32 {
        self.0 >> 14
    }

    /// The register of the table whose field it reads.
    fn table(self) -> u32 {
        self.0 >> 23
    }

    /// The constant that is the name of the field; none if that is in a register.
    fn field_constant(self) -> Option<u32> {
        (self.0 >> 14 & 0x1ff).checked_sub(0x100)
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

    fn all<'a, T>(code: &'a Code, of: impl Fn(&'a Code) -> T) -> Vec<T> {
        code.all().into_iter().map(of).collect()
    }

    #[test]
    fn code_is_the_same_wherever_it_is_written() {
        let text = "local a = 1 function f(x) return g(x.y, a, 'z', nil, true, 2.5) end";
        let other = "-- a comment\nlocal a=1\n\n  function f(another)\n
            return g(another.y,a,\n'z',nil,true,2.5) end";
        let (first, second) = (code(text), code(other));
        assert!(all(&first, |code| &code.bytes) == all(&second, |code| &code.bytes));
        assert_eq!((first.inner[0].line, second.inner[0].line), (1, 4));
    }

    #[test]
    fn globals_are_read_with_the_fields_that_code_goes_on_with() {
        for (text, expected) in [
            ("return g(math.floor(1), a.b.c.d)", vec!["a.b.c.d", "g", "math.floor"]),
            ("local a, b = lib.x, lib.x.y", vec!["lib.x", "lib.x.y"]),
            ("local l = lib local m = l.x return l.y", vec!["lib"]),
            ("local l = lib.t local m = l.x return l.y", vec!["lib.t"]),
            ("return lib[x], lib.t[y]", vec!["lib", "lib.t", "x", "y"]),
            ("return function() return (p or lib).x, lib:go() end", vec!["lib", "lib.x", "p"]),
            ("x = lib.t x.y = 1 lib.z = 2", vec!["lib", "lib.t", "x"]),
        ] {
            let code = code(text);
            let reads = all(&code, |code| &code.reads).into_iter().flatten();
            let reads = reads.map(|path| path.join(&b'.').escape_ascii().to_string());
            assert_eq!(reads.collect::<BTreeSet<_>>().into_iter().collect::<Vec<_>>(), expected);
        }
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
        let codes = texts.iter().map(|text| all(&code(text), |code| code.bytes.clone()));
        let codes: BTreeSet<Vec<Vec<u8>>> = codes.collect();
        assert_eq!(codes.len(), texts.len());
    }

    #[test]
    fn functions_of_the_host_have_none() {
        let lua = Lua::new();
        let print: Function = lua.globals().get("print").expect("a function");
        assert!(Code::of(&print).is_none());
    }
}
