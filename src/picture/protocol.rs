//! What terminals show pictures by, and which can what: by their own word for themselves (XTVERSION), and where a name is that of
//! many, by what they say they are (DECRQSS of DECSCL).
//!
//! Of the kinds of answer this question has the one that comes among the keys as letters, and can be taken out of them; what comes
//! as a control sequence would be lost, or be taken for keys.

/// What asks a terminal for its name and version.
pub const NAME: &str = "\x1b[>q";
/// What asks it which terminal it is like.
pub const LEVEL: &str = "\x1bP$q\"p\x1b\\";

/// The way in which a terminal is given pixels.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Protocol {
    /// Two in each cell, as a half block in two colours: every terminal can.
    #[default]
    Blocks,
    /// kitty's, by placeholders, which move with the text.
    Kitty,
    /// Sixel.
    Sixel,
    /// iTerm2's.
    Iterm2,
}

/// What a terminal can show.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Graphics {
    /// How.
    pub protocol: Protocol,
    /// How large its cells are, in pixels.
    pub cell: (u16, u16),
}

impl Default for Graphics {
    fn default() -> Graphics {
        Graphics::new(Protocol::Blocks, None)
    }
}

impl Graphics {
    /// What a terminal can whose cells have so many pixels. Where nobody knows how large they are, there are only half blocks, which
    /// have a pixel above another; kitty fits what it gets into the cells that it is told.
    pub fn new(protocol: Protocol, cell: Option<(u16, u16)>) -> Graphics {
        match (protocol, cell.filter(|(width, height)| *width > 0 && *height > 0)) {
            (Protocol::Blocks, _) | (Protocol::Sixel | Protocol::Iterm2, None) => {
                Graphics { protocol: Protocol::Blocks, cell: (1, 2) }
            }
            (protocol, cell) => Graphics { protocol, cell: cell.unwrap_or((10, 20)) },
        }
    }
}

/// What a terminal's name says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Answer {
    /// What it can.
    Can(Protocol),
    /// That depends on what it is like.
    Ask,
}

/// How terminals begin to call themselves, from which version on they can, and what.
const TERMINALS: &[(&str, [u32; 2], Answer)] = &[
    // Placeholders came with 0.28.
    ("kitty", [0, 28], Answer::Can(Protocol::Kitty)),
    ("ghostty", [0, 0], Answer::Can(Protocol::Kitty)),
    // It has all three, and the others of them with gaps.
    ("WezTerm", [0, 0], Answer::Can(Protocol::Iterm2)),
    ("iTerm2", [3, 0], Answer::Can(Protocol::Iterm2)),
    ("mintty", [2, 3], Answer::Can(Protocol::Iterm2)),
    ("Konsole", [22, 4], Answer::Can(Protocol::Iterm2)),
    ("foot", [1, 0], Answer::Can(Protocol::Sixel)),
    ("contour", [0, 0], Answer::Can(Protocol::Sixel)),
    ("mlterm", [3, 1], Answer::Can(Protocol::Sixel)),
    // Only where it is to be like a terminal that had graphics.
    ("XTerm", [0, 0], Answer::Ask),
];

/// What a terminal can that calls itself so: `kitty(0.32.2)`, `WezTerm 20240203-110809-5046fc22`.
pub fn by_name(said: &str) -> Answer {
    let begins = |name: &str| said.get(..name.len()).is_some_and(|start| start.eq_ignore_ascii_case(name));
    let found = TERMINALS.iter().find(|(name, ..)| begins(name));
    match found {
        Some((name, least, answer)) if version(&said[name.len()..]) >= *least => *answer,
        _ => Answer::Can(Protocol::Blocks),
    }
}

/// The first two numbers.
fn version(said: &str) -> [u32; 2] {
    let mut numbers = said.split(|c: char| !c.is_ascii_digit()).filter(|digits| !digits.is_empty());
    let mut next = || numbers.next().and_then(|digits| digits.parse().ok()).unwrap_or_default();
    [next(), next()]
}

/// What an xterm can that says so: `63;1"p` is that of a VT340, which is what one makes it that is to show graphics.
pub fn by_level(said: &str) -> Protocol {
    if said.starts_with("63;") { Protocol::Sixel } else { Protocol::Blocks }
}
