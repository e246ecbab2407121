//! Colours: their names, and the nearest one that a poorer terminal has.

/// A colour as themes name it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum Colour {
    /// The terminal's own.
    #[default]
    Default,
    /// One of the 16 colours.
    Ansi(u8),
    /// One of xterm's 256 colours, from 16.
    Indexed(u8),
    /// True colour.
    Rgb(u8, u8, u8),
}

/// How many colours a terminal has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum Depth {
    /// None: only bold, dim, italic, underlined, reversed.
    Mono,
    /// The sixteen.
    Ansi16,
    /// The 256 of xterm.
    Indexed,
    /// 16 million.
    #[default]
    True,
}

/// The first eight; the other eight are these with `bright-` before them.
const NAMES: [&str; 8] = ["black", "red", "green", "yellow", "blue", "magenta", "cyan", "white"];

/// What terminals show for the sixteen, roughly; every terminal has its own.
const SIXTEEN: [(u8, u8, u8); 16] = [
    (0, 0, 0),
    (205, 0, 0),
    (0, 205, 0),
    (205, 205, 0),
    (0, 0, 238),
    (205, 0, 205),
    (0, 205, 205),
    (229, 229, 229),
    (127, 127, 127),
    (255, 85, 85),
    (85, 255, 85),
    (255, 255, 85),
    (92, 92, 255),
    (255, 85, 255),
    (85, 255, 255),
    (255, 255, 255),
];

impl Colour {
    /// The colour of a name: `default`, one of the sixteen (`red`, `bright-red`, `grey`), `#rrggbb`, or a number below 256.
    pub fn named(name: &str) -> Option<Colour> {
        if let Some(hex) = name.strip_prefix('#') {
            let hex = Some(hex).filter(|hex| hex.len() == 6 && hex.bytes().all(|b| b.is_ascii_hexdigit()))?;
            let number = u32::from_str_radix(hex, 16).ok()?;
            let [_, red, green, blue] = number.to_be_bytes();
            return Some(Colour::Rgb(red, green, blue));
        }
        if let Ok(number) = name.parse::<u8>() {
            return Some(if number < 16 { Colour::Ansi(number) } else { Colour::Indexed(number) });
        }
        let (plain, bright) = name.strip_prefix("bright-").map_or((name, 0), |plain| (plain, 8));
        match name {
            "default" => Some(Colour::Default),
            "grey" | "gray" => Some(Colour::Ansi(8)),
            _ => NAMES.iter().zip(bright..).find(|(known, _)| **known == plain).map(|(_, i)| Colour::Ansi(i)),
        }
    }

    /// Red, green and blue; nothing for the terminal's own colour.
    pub fn rgb(self) -> Option<(u8, u8, u8)> {
        match self {
            Colour::Default => None,
            Colour::Ansi(n) => SIXTEEN.get(usize::from(n)).copied(),
            Colour::Rgb(r, g, b) => Some((r, g, b)),
            Colour::Indexed(n @ 232..) => Some((8 + (n - 232) * 10, 8 + (n - 232) * 10, 8 + (n - 232) * 10)),
            Colour::Indexed(n @ 16..) => Some((level((n - 16) / 36), level((n - 16) / 6 % 6), level((n - 16) % 6))),
            Colour::Indexed(n) => SIXTEEN.get(usize::from(n)).copied(),
        }
    }

    /// The colour itself, or what is nearest to it on a terminal of that depth.
    pub fn at(self, depth: Depth) -> Colour {
        match (depth, self) {
            (Depth::Mono, _) => Colour::Default,
            (Depth::True, _) | (_, Colour::Default | Colour::Ansi(_)) | (Depth::Indexed, Colour::Indexed(_)) => self,
            (Depth::Indexed, Colour::Rgb(r, g, b)) => {
                // Of the colour cube, what is nearest channel by channel is nearest of all.
                let cube = 16 + 36 * step(r) + 6 * step(g) + step(b);
                self.nearest(std::iter::once(cube).chain(232..=255).map(Colour::Indexed))
            }
            (Depth::Ansi16, _) => self.sixteenth(),
        }
    }

    /// The nearest of the 256 that parts so well from a ground.
    pub(super) fn readable(self, on: Colour, least: f64) -> Colour {
        let parts = |other: &Colour| contrast(*other, on).is_none_or(|part| part >= least);
        let mut all: Vec<Colour> = (16..=255).map(Colour::Indexed).collect();
        // To tell how well they part takes long: only of those that are near.
        all.sort_by_cached_key(|other| apart(self, *other));
        all.into_iter().find(parts).unwrap_or_default()
    }

    fn nearest(self, among: impl Iterator<Item = Colour>) -> Colour {
        among.min_by_key(|other| apart(self, *other)).unwrap_or_default()
    }

    /// Nearest by distance makes every muted colour grey; so greys go by lightness and the rest by hue.
    fn sixteenth(self) -> Colour {
        let Some((r, g, b)) = self.rgb() else { return Colour::Default };
        let (high, low) = (r.max(g).max(b), r.min(g).min(b));
        if high - low < 48 || u16::from(high - low) * 4 < u16::from(high) {
            return self.nearest([0, 8, 7, 15].into_iter().map(Colour::Ansi));
        }
        let bound = u16::from(low) + u16::from(high - low) * 11 / 20;
        let bit = |channel: u8, value: u8| if u16::from(channel) > bound { value } else { 0 };
        let hue = bit(r, 1) | bit(g, 2) | bit(b, 4);
        Colour::Ansi(if low > 100 { hue + 8 } else { hue })
    }
}

/// The brightness of a step of the colour cube, from 0 to 5.
fn level(step: u8) -> u8 {
    if step == 0 { 0 } else { 55 + step * 40 }
}

/// The step of the colour cube that is nearest to a brightness.
fn step(brightness: u8) -> u8 {
    (0..=5).min_by_key(|step| level(*step).abs_diff(brightness)).unwrap_or_default()
}

fn apart(a: Colour, b: Colour) -> u32 {
    let (Some(a), Some(b)) = (a.rgb(), b.rgb()) else { return u32::MAX };
    let squared = |x: u8, y: u8| u32::from(x.abs_diff(y)).pow(2);
    // The eye sees green best, blue least.
    squared(a.0, b.0) * 3 + squared(a.1, b.1) * 6 + squared(a.2, b.2)
}

/// How well two colours part, from 1 (not at all) to 21; nothing when one of them is the terminal's own.
pub fn contrast(a: Colour, b: Colour) -> Option<f64> {
    let linear = |c: u8| {
        let c = f64::from(c) / 255.0;
        if c <= 0.04045 { c / 12.92 } else { ((c + 0.055) / 1.055).powf(2.4) }
    };
    let light = |(r, g, b)| 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b) + 0.05;
    let (a, b) = (light(a.rgb()?), light(b.rgb()?));
    Some(if a > b { a / b } else { b / a })
}
