//! The colours that a plain text asks for by escape sequences (SGR: ECMA-48, 8.3.117), as looks of the theme.
//!
//! Nothing of a sequence reaches the screen: it says which role the text behind it has, and the theme has for each a colour that
//! can be read on its ground. A ground is shown only where the ink is black or nobody chose one, as the ink. Drawings of DOS
//! (`.ans`) go on in the next line behind column 80, and their steps to the right are spaces.
//! Refuses: all other sequences, which are left out as everywhere.

use super::overstrike::Styled;
use crate::doc::{sanitise, sanitise_into, sequence};
use crate::role::Role;
use memchr::{memchr, memchr_iter, memchr2};
use std::borrow::Cow;

/// Columns of a DOS screen.
const WIDE: usize = 80;
/// The end of a text of DOS; behind it stands who drew it.
const END: u8 = 0x1A;

/// What a place looks like.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct Look {
    /// One of sixteen colours.
    ink: Option<u8>,
    ground: Option<u8>,
    bold: bool,
    italic: bool,
    underlined: bool,
    /// Ink and ground change places.
    turned: bool,
}

/// Reads lines, and keeps the look from one to the next.
#[derive(Debug, Default)]
pub(super) struct Paint {
    now: Look,
    drawing: bool,
}

/// A line that is being written.
#[derive(Default)]
struct Written {
    text: String,
    styled: Vec<Styled>,
    column: usize,
}

/// Whether a line asks for a look of any text.
pub(super) fn asked(line: &str) -> bool {
    let octets = line.as_bytes();
    memchr_iter(0x1B, octets).any(|at| parameters(&line[at..]).is_some_and(|written| !matches!(written, "" | "0")))
}

/// What stands in a sequence at the beginning of a text that asks for a look.
fn parameters(rest: &str) -> Option<&str> {
    let body = rest.strip_prefix("\x1b[").or_else(|| rest.strip_prefix('\u{9b}'))?;
    let end = body.bytes().take(64).position(|b| !matches!(b, b'0'..=b'9' | b';'))?;
    body[end..].starts_with('m').then_some(&body[..end])
}

impl Paint {
    /// Lines of a text, or of a drawing made for DOS.
    pub fn new(drawing: bool) -> Paint {
        Paint { now: Look::default(), drawing }
    }

    /// Reads one line; appends its text, lines of a drawing with an LF between them, and the looks of its pieces.
    pub fn line(&mut self, line: &str, out: &mut String, styled: &mut Vec<Styled>) {
        let line = if self.drawing { unsigned(line) } else { line };
        let mut written = Written::default();
        let (mut from, mut at) = (0, 0);
        while let Some(found) = memchr2(0x1B, 0xC2, &line.as_bytes()[at..]).map(|found| at + found) {
            let rest = &line[found..];
            at = match sequence(rest) {
                Some(len) => {
                    self.write(&line[from..found], &mut written);
                    self.obey(&rest[..len], &mut written);
                    from = found + len;
                    from
                }
                None => found + rest.chars().next().map_or(1, char::len_utf8),
            };
        }
        self.write(&line[from..], &mut written);
        // Pieces that are safe may together be more than one letter bears: such a line is as it would be without colours.
        let base = out.len();
        let mut safe = true;
        for (number, part) in written.text.split('\n').enumerate() {
            if number > 0 {
                out.push('\n');
            }
            let part = sanitise(part);
            safe &= matches!(part, Cow::Borrowed(_));
            out.push_str(&part);
        }
        if safe {
            let moved = |piece: Styled| Styled { start: base + piece.start, end: base + piece.end, ..piece };
            styled.extend(written.styled.into_iter().map(moved));
        }
    }

    fn write(&self, text: &str, to: &mut Written) {
        let (start, role) = (to.text.len(), self.now.role());
        match self.drawing {
            false => sanitise_into(text, &mut to.text),
            true => {
                for c in sanitise(text).chars() {
                    if to.column == WIDE {
                        to.text.push('\n');
                        to.column = 0;
                    }
                    to.text.push(c);
                    to.column += 1;
                }
            }
        }
        if role != Role::Text && to.text.len() > start {
            to.styled.push(Styled { start, end: to.text.len(), role });
        }
    }

    fn obey(&mut self, sequence: &str, to: &mut Written) {
        if let Some(written) = parameters(sequence) {
            return self.now.turn(written);
        }
        let step = sequence.strip_prefix("\x1b[").and_then(|body| body.strip_suffix('C'));
        if let Some(step) = step.filter(|_| self.drawing) {
            let step = step.parse().unwrap_or(1).clamp(1, WIDE).min(WIDE - to.column);
            to.text.extend(std::iter::repeat_n(' ', step));
            to.column += step;
        }
    }
}

/// A line of a drawing without what DOS no longer shows: who drew it, by the SAUCE record at its end.
fn unsigned(line: &str) -> &str {
    let Some(end) = memchr(END, line.as_bytes()) else { return line };
    let rest = &line[end + 1..];
    if rest.is_empty() || rest.starts_with("SAUCE") || rest.starts_with("COMNT") { &line[..end] } else { line }
}

impl Look {
    /// Does what the parameters of a sequence say; unknown ones are passed over.
    fn turn(&mut self, written: &str) {
        let mut numbers = written.split(';').map(|number| number.parse::<u8>().unwrap_or(0));
        while let Some(number) = numbers.next() {
            match number {
                0 => *self = Look::default(),
                1 => self.bold = true,
                3 => self.italic = true,
                4 => self.underlined = true,
                7 => self.turned = true,
                21 | 22 => self.bold = false,
                23 => self.italic = false,
                24 => self.underlined = false,
                27 => self.turned = false,
                30..=37 => self.ink = Some(number - 30),
                38 => self.ink = chosen(&mut numbers),
                39 => self.ink = None,
                40..=47 => self.ground = Some(number - 40),
                48 => self.ground = chosen(&mut numbers),
                49 => self.ground = None,
                90..=97 => self.ink = Some(number - 90 + 8),
                100..=107 => self.ground = Some(number - 100 + 8),
                _ => {}
            }
        }
    }

    fn role(self) -> Role {
        let (ink, ground) = if self.turned { (self.ground, self.ink) } else { (self.ink, self.ground) };
        let coloured = |colour: &u8| !matches!(colour, 0 | 7 | 8 | 15);
        let colour = match ink {
            None | Some(0) => ground.filter(coloured).or(ink),
            ink => ink,
        };
        // A PC showed what is bold as what is bright.
        match colour.map(|colour| if self.bold && colour < 8 { colour + 8 } else { colour }) {
            None | Some(7) if self.bold => Role::Strong,
            None | Some(7) if self.italic => Role::Emphasis,
            None | Some(7) if self.underlined => Role::Underlined,
            None | Some(7) => Role::Text,
            Some(1) => Role::Red,
            Some(2) => Role::Green,
            Some(3) => Role::Yellow,
            Some(4) => Role::Blue,
            Some(5) => Role::Magenta,
            Some(6) => Role::Cyan,
            Some(9) => Role::RedBright,
            Some(10) => Role::GreenBright,
            Some(11) => Role::YellowBright,
            Some(12) => Role::BlueBright,
            Some(13) => Role::MagentaBright,
            Some(14) => Role::CyanBright,
            Some(15) => Role::Strong,
            Some(_) => Role::Dim,
        }
    }
}

/// What follows 38 or 48: one of 256 colours, or red, green and blue; as one of sixteen.
fn chosen(numbers: &mut dyn Iterator<Item = u8>) -> Option<u8> {
    const LEVELS: [u8; 6] = [0, 95, 135, 175, 215, 255];
    match numbers.next()? {
        5 => match numbers.next()? {
            number @ ..16 => Some(number),
            number @ 16..232 => {
                let level = |part: u8| LEVELS[usize::from(part % 6)];
                let number = number - 16;
                Some(sixteenth([level(number / 36), level(number / 6), level(number)]))
            }
            number => Some(sixteenth([8 + 10 * (number - 232); 3])),
        },
        2 => Some(sixteenth([numbers.next()?, numbers.next()?, numbers.next()?])),
        _ => None,
    }
}

/// The one of sixteen colours that is most like it.
fn sixteenth(parts: [u8; 3]) -> u8 {
    let (most, least) = (parts.into_iter().max().unwrap_or(0), parts.into_iter().min().unwrap_or(0));
    if most - least < 48 {
        return match most {
            ..64 => 0,
            64..150 => 8,
            150..224 => 7,
            _ => 15,
        };
    }
    let half = least + (most - least) / 2;
    let hue = parts.into_iter().zip([1, 2, 4]).filter(|(part, _)| *part > half).map(|(_, bit)| bit).sum::<u8>();
    if most >= 224 { hue + 8 } else { hue }
}
