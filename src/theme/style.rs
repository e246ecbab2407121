//! Styles, and the notation themes write them in: `"bold #88c0d0 on black"`.

use super::{Colour, Depth, contrast};
use std::collections::BTreeMap;

/// How text of a role is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Style {
    /// Text colour.
    pub foreground: Colour,
    /// Ground colour.
    pub background: Colour,
    /// Bold.
    pub bold: bool,
    /// Dim.
    pub dim: bool,
    /// Italic.
    pub italic: bool,
    /// Underlined.
    pub underline: bool,
    /// Foreground and background exchanged.
    pub reverse: bool,
}

impl Style {
    /// The style with what `words` say changed: a colour, `on` and a colour, and any of `bold dim italic underline reverse`.
    /// `plain` takes away the attributes there were. `palette` holds a theme's own names of colours.
    ///
    /// # Errors
    /// The word that means nothing, in a sentence.
    pub fn with(self, words: &str, palette: &BTreeMap<String, Colour>) -> Result<Style, String> {
        let mut style = self;
        let mut ground = false;
        for word in words.split_ascii_whitespace() {
            match word {
                "on" if !ground => {
                    ground = true;
                    continue;
                }
                "plain" => {
                    (style.bold, style.dim, style.italic) = (false, false, false);
                    (style.underline, style.reverse) = (false, false);
                }
                "bold" => style.bold = true,
                "dim" => style.dim = true,
                "italic" => style.italic = true,
                "underline" => style.underline = true,
                "reverse" => style.reverse = true,
                name => {
                    let colour = palette.get(name).copied().or_else(|| Colour::named(name));
                    let colour = colour.ok_or_else(|| format!("\"{name}\" is neither a colour nor an attribute"))?;
                    *(if ground { &mut style.background } else { &mut style.foreground }) = colour;
                    ground = false;
                    continue;
                }
            }
            if ground {
                return Err(format!("a colour is wanted after \"on\", not \"{word}\""));
            }
        }
        if ground { Err("a colour is wanted after \"on\"".into()) } else { Ok(style) }
    }

    /// The style with the nearest colours of a depth, still readable, be it on its own ground or on `ground`.
    pub fn at(self, depth: Depth, ground: Colour) -> Style {
        /// What text needs (WCAG 2, 1.4.3).
        const TEXT: f64 = 4.5;
        let mut style = self;
        style.foreground = self.foreground.at(depth);
        style.background = self.background.at(depth);
        let on = if style.background == Colour::Default { ground } else { style.background };
        let against = |colour| contrast(colour, on).unwrap_or(TEXT);
        if depth == Depth::Ansi16 && against(style.foreground) < TEXT {
            // The same hue, darker or brighter, then the lighter one beside blue, before none at all.
            let hues: &[u8] = match style.foreground {
                Colour::Ansi(n @ (4 | 12)) => &[n ^ 8, n | 2],
                Colour::Ansi(n) => &[n ^ 8],
                _ => &[],
            };
            let (black, white) = (Colour::Ansi(0), Colour::Ansi(15));
            let plain = if against(black) > against(white) { black } else { white };
            let hue = hues.iter().map(|hue| Colour::Ansi(*hue)).find(|hue| against(*hue) >= TEXT);
            style.foreground = hue.unwrap_or(plain);
        }
        // The colour that is nearest to one that can be read may be none.
        if depth == Depth::Indexed
            && against(style.foreground) < TEXT
            && contrast(self.foreground, if self.background == Colour::Default { ground } else { self.background })
                .is_some_and(|part| part >= TEXT)
        {
            style.foreground = self.foreground.readable(on, TEXT);
        }
        style
    }
}
