//! What scripts see of the errors of host functions: where they were called, and what is wrong, as
//! of Lua's own functions and as in the reference.

/// The pieces of the text that a script sees of an error of a host function, of which all is known:
/// what is wrong, and a stack. Behind the functions of a map the stack stays, as in the reference.
pub(super) fn seen(text: &str) -> [&str; 7] {
    let (wrong, stack) = text.split_once("\nstack traceback:").unwrap_or((text, ""));
    let wrong = wrong.strip_prefix(RUNTIME).unwrap_or(wrong);
    let mut lines = stack.lines().map(str::trim_start).filter(|line| !line.is_empty()).peekable();
    while lines.next_if_eq(&"[C]: in ?").is_some() {}
    let called = lines.next_if(|line| line.starts_with("[C]"));
    let name = called.and_then(|line| line.split_once('\'')?.1.strip_suffix('\''));
    let name = name.map_or("?", |name| name.rsplit('.').next().unwrap_or(name));
    while lines.next_if(|line| line.starts_with(GRID)).is_some() {
        // What reads and writes plain cells calls it for others.
        lines.next_if_eq(&"[C]: in ?");
    }
    let caller = lines.next().and_then(|line| Some(line.split_once(": in ")?.0));
    // What a function that was called back has failed with is passed on as it is.
    let place = caller.filter(|place| *place != "[C]" && !has_place(wrong)).unwrap_or_default();
    if caller.is_some_and(|place| place.starts_with(ENVIRONMENT)) {
        let (told, stack) = text[text.find(wrong).unwrap_or(0)..].split_at(wrong.len());
        return match argument(wrong) {
            // Nothing tells how the map calls it.
            Some((number, expected)) => [number, " to '?' ", expected, stack, "", "", ""],
            None => [told, stack, "", "", "", "", ""],
        };
    }
    let colon = if place.is_empty() { "" } else { ": " };
    match argument(wrong) {
        Some((number, expected)) => [place, colon, number, " to '", name, "' ", expected],
        None => [place, colon, wrong, "", "", "", ""],
    }
}

/// What is put before an error that is a text alone.
const RUNTIME: &str = "runtime error: ";

/// What binds functions of the host to a map.
const ENVIRONMENT: &str = "kernel.lua:";

/// What asks the host for cells of `mapgrd`.
const GRID: &str = "mapgrd.lua:";

/// Whether a text begins with `chunk:12: `.
fn has_place(text: &str) -> bool {
    let Some((chunk, rest)) = text.split_once(':') else { return false };
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    !chunk.contains(' ') && digits > 0 && rest[digits..].starts_with(": ")
}

/// Of an argument that is wrong: `bad argument #1`, and what was expected in parentheses.
fn argument(wrong: &str) -> Option<(&str, &str)> {
    let rest = wrong.strip_prefix("bad argument #")?;
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    let told = rest[digits..].strip_prefix(": ")?;
    let told = told.strip_prefix(RUNTIME).unwrap_or(told);
    let at = told.starts_with("bad argument").then(|| told.find('('))??;
    Some((&wrong[..wrong.len() - rest.len() + digits], &told[at..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen_whole(text: &str) -> String {
        seen(text).concat()
    }

    #[test]
    fn an_error_is_told_with_where_the_function_was_called() {
        let stack = "\nstack traceback:\n\t[C]: in ?\n\t[C]: in function 'dgn.grid'\n\t\
                     a:3: in function <a:2>\n\t[C]: in function 'pcall'";
        assert_eq!(
            seen_whole(&format!("runtime error: out of bounds{stack}")),
            "a:3: out of bounds"
        );
        let wrong = "bad argument #1: runtime error: bad argument (string expected, got table)";
        let told = "a:3: bad argument #1 to 'grid' (string expected, got table)";
        assert_eq!(seen_whole(&format!("{wrong}{stack}")), told);
        assert_eq!(seen_whole(&format!("b:2: no{stack}")), "b:2: no");
        assert_eq!(seen_whole("as it is"), "as it is");
    }

    #[test]
    fn the_lua_between_a_map_and_its_grid_is_no_place() {
        let stack = "\nstack traceback:\n\t[C]: in upvalue 'set'\n\t\
                     mapgrd.lua:6: in function <mapgrd.lua:6>\n\t[C]: in ?\n\ta:3: in main chunk";
        assert_eq!(seen_whole(&format!("runtime error: no glyph{stack}")), "a:3: no glyph");
    }

    #[test]
    fn a_function_that_no_line_has_called_has_no_place() {
        let stack = "\nstack traceback:\n\t[C]: in function 'dgn.grid'\n\t[C]: in function 'pcall'";
        assert_eq!(seen_whole(&format!("runtime error: out of bounds{stack}")), "out of bounds");
    }

    #[test]
    fn behind_functions_of_a_map_the_stack_stays() {
        let stack = "\nstack traceback:\n\t[C]: in ?\n\t[C]: in function 'dgn.subst'\n\t\
                     kernel.lua:20: in function <kernel.lua:20>";
        let text = format!("malformed{stack}");
        assert_eq!(seen_whole(&text), text);
        assert_eq!(seen_whole(&format!("runtime error: {text}")), text);
        let wrong = "bad argument #2: runtime error: bad argument (number expected, got nil)";
        let told = "bad argument #2 to '?' (number expected, got nil)";
        assert_eq!(seen_whole(&format!("{wrong}{stack}")), format!("{told}{stack}"));
    }
}
