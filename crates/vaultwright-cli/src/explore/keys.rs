//! Keys, and what they are for.

use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::game::Mode;

/// A key that was pressed, or stands in a script.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Key {
    Char(char),
    Up,
    Down,
    Left,
    Right,
    Enter,
    Escape,
    Tab,
}

/// What the player wants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Command {
    /// A step, or the cursor one cell on.
    Step((i32, i32)),
    Wait,
    Explore,
    /// So many turns at once.
    PushTime(u32),
    CloseDoors,
    PickUp,
    Drop,
    Kill,
    Stairs,
    NextLevel,
    /// To the cursor.
    Teleport,
    /// Looks about with a cursor, or no more.
    Look,
    /// Says what is at the cursor.
    Describe,
    /// Magic at the cursor.
    Dig,
    Fragment,
    Burn,
    Shatter,
    MapLevel,
    Fly,
    Berserk,
    Reveal,
    Links,
    Wander,
    Save,
    Load,
    Help,
    /// Leaves what is open.
    Close,
    Quit,
    Nothing,
}

/// What each key does, for the help screen.
pub const HELP: [(&str, &str); 22] = [
    ("arrows, hjkl yubn", "walk; a closed door is opened"),
    ("o", "explore until something turns up"),
    (".", "wait a turn"),
    ("5, %", "let 10, 100 turns pass"),
    ("c", "close the doors next to you"),
    ("g or , d", "pick up; drop what was picked up last"),
    ("K", "kill the nearest monster in sight"),
    ("< or >", "take the stairs, the hatch or the portal"),
    ("]", "go to the next level, by no stairs at all"),
    ("x", "look about with a cursor; Escape ends it"),
    ("t", "teleport to the cursor (while looking)"),
    ("v, Enter", "say what is at the cursor (while looking)"),
    ("D, F, B", "dig, blast or burn at the cursor (while looking)"),
    ("Z", "shatter all in sight"),
    ("M", "map the level by magic"),
    ("f, R", "fly, go berserk, or no more"),
    ("r", "reveal the level, or hide what you do not know"),
    ("m", "show which markers act together"),
    ("w", "let monsters wander, or stand"),
    ("S, L", "save, load"),
    ("?", "this help"),
    ("q", "quit"),
];

impl Command {
    /// Returns what a key means now.
    pub fn of(key: Key, mode: Mode) -> Command {
        if mode == Mode::Help {
            return Command::Close;
        }
        match key {
            Key::Up => Command::Step((0, -1)),
            Key::Down => Command::Step((0, 1)),
            Key::Left => Command::Step((-1, 0)),
            Key::Right => Command::Step((1, 0)),
            Key::Escape => Command::Close,
            Key::Enter => Command::Describe,
            Key::Tab => Command::Nothing,
            Key::Char(c) => match c {
                'h' => Command::Step((-1, 0)),
                'j' => Command::Step((0, 1)),
                'k' => Command::Step((0, -1)),
                'l' => Command::Step((1, 0)),
                'y' => Command::Step((-1, -1)),
                'u' => Command::Step((1, -1)),
                'b' => Command::Step((-1, 1)),
                'n' => Command::Step((1, 1)),
                'o' => Command::Explore,
                '.' => Command::Wait,
                '5' => Command::PushTime(10),
                '%' => Command::PushTime(100),
                'c' => Command::CloseDoors,
                'g' | ',' => Command::PickUp,
                'd' => Command::Drop,
                'K' => Command::Kill,
                '<' | '>' => Command::Stairs,
                ']' => Command::NextLevel,
                't' => Command::Teleport,
                'x' => Command::Look,
                'v' => Command::Describe,
                'D' => Command::Dig,
                'F' => Command::Fragment,
                'B' => Command::Burn,
                'Z' => Command::Shatter,
                'M' => Command::MapLevel,
                'f' => Command::Fly,
                'R' => Command::Berserk,
                'r' => Command::Reveal,
                'm' => Command::Links,
                'w' => Command::Wander,
                'S' => Command::Save,
                'L' => Command::Load,
                '?' => Command::Help,
                'q' => Command::Quit,
                _ => Command::Nothing,
            },
        }
    }
}

impl Key {
    /// Returns the key of a terminal's event; `None` for those that mean nothing here.
    pub fn of(event: &KeyEvent) -> Option<Key> {
        if event.modifiers.contains(KeyModifiers::CONTROL) {
            return (event.code == KeyCode::Char('c')).then_some(Key::Char('q'));
        }
        Some(match event.code {
            KeyCode::Char(c) => Key::Char(c),
            KeyCode::Up => Key::Up,
            KeyCode::Down => Key::Down,
            KeyCode::Left => Key::Left,
            KeyCode::Right => Key::Right,
            KeyCode::Enter => Key::Enter,
            KeyCode::Esc => Key::Escape,
            KeyCode::Tab => Key::Tab,
            _ => return None,
        })
    }
}

const NAMED: [(&str, Key); 7] = [
    ("up", Key::Up),
    ("down", Key::Down),
    ("left", Key::Left),
    ("right", Key::Right),
    ("enter", Key::Enter),
    ("esc", Key::Escape),
    ("tab", Key::Tab),
];

impl std::fmt::Display for Key {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Key::Char(c) => write!(f, "{c}"),
            other => {
                let name = NAMED.iter().find(|(_, key)| key == other).map_or("", |(name, _)| name);
                write!(f, "<{name}>")
            }
        }
    }
}

/// Returns the keys of a script: characters as they are, others as `<up>`; blanks mean nothing,
/// `#` begins a comment, `12*` before a key presses it twelve times. The error begins with the
/// line and column.
pub fn parse_script(text: &str) -> Result<Vec<Key>, String> {
    let mut keys = Vec::new();
    for (row, line) in text.lines().enumerate() {
        let mut rest = line;
        let mut times: Option<usize> = None;
        while let Some(c) = rest.chars().next() {
            let column = line[..line.len() - rest.len()].chars().count() + 1;
            let failed = |message: String| format!("{}:{column}: {message}", row + 1);
            if c == '#' {
                break;
            }
            if let Some((digits, after)) = repetition(rest) {
                let count = digits.parse().ok().filter(|&count| count <= MAX_PRESSES);
                let many = || format!("{digits} times are more than {MAX_PRESSES}");
                times = Some(count.ok_or_else(|| failed(many()))?);
                rest = after;
                continue;
            }
            rest = &rest[c.len_utf8()..];
            if c.is_whitespace() {
                continue;
            }
            let key = match (c, rest.split_once('>')) {
                ('<', Some((name, after)))
                    if name.chars().all(char::is_alphabetic) && !name.is_empty() =>
                {
                    let found = NAMED.iter().find(|(known, _)| *known == name);
                    rest = after;
                    found.map(|&(_, key)| key).ok_or_else(|| {
                        let names = NAMED.map(|(name, _)| format!("<{name}>")).join(" ");
                        failed(format!("no key is named <{name}>; there are {names}"))
                    })?
                }
                _ => Key::Char(c),
            };
            keys.extend(std::iter::repeat_n(key, times.take().unwrap_or(1)));
            if keys.len() > MAX_KEYS {
                return Err(failed(format!("these are more than {MAX_KEYS} keys")));
            }
        }
    }
    Ok(keys)
}

/// How often the next key is pressed at most.
const MAX_PRESSES: usize = 10_000;

/// How many keys a script has at most.
const MAX_KEYS: usize = 1_000_000;

/// Returns the number before a `*`, and what follows; `None` if there is none.
fn repetition(text: &str) -> Option<(&str, &str)> {
    let (digits, after) = text.split_once('*')?;
    let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then_some((digits, after))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scripts_become_keys() {
        let keys = parse_script("l<up> # a step\n3*. 5\n<")
            .map(|keys| keys.iter().map(Key::to_string).collect::<String>());
        assert_eq!(keys.as_deref(), Ok("l<up>...5<"));
        let error = parse_script(".\n.<pageup>").expect_err("no such key");
        assert!(error.starts_with("2:2: no key is named <pageup>"), "{error}");
        for many in ["10001", "99999999999999999999999"] {
            let error = parse_script(&format!(".\né{many}*.")).expect_err("too many");
            assert_eq!(error, format!("2:2: {many} times are more than 10000"));
        }
        assert!(parse_script(&"10000*.\n".repeat(101)).is_err());
    }

    #[test]
    fn any_key_leaves_the_help() {
        for key in [Key::Char('q'), Key::Char('x'), Key::Escape] {
            assert_eq!(Command::of(key, Mode::Help), Command::Close);
        }
    }

    #[test]
    fn every_key_of_the_help_does_something() {
        for (keys, _) in HELP {
            for key in keys.split([' ', ',']).filter(|key| key.chars().count() == 1) {
                let key = Key::Char(key.chars().next().unwrap_or(' '));
                assert_ne!(Command::of(key, Mode::Walk), Command::Nothing, "{key}");
            }
        }
    }
}
