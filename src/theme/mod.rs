//! Themes: role → style, read from TOML with fallback along the dots of a role's name; glyphs and borders.
//! Refuses: I/O, terminal capabilities (the shell says how many colours there are).

mod colour;
mod file;
mod style;

use crate::role::Role;
use std::collections::BTreeMap;

pub use colour::{Colour, Depth, contrast};
pub use file::Source;
pub use style::Style;

/// A theme, complete for every role.
#[derive(Debug, Clone, PartialEq)]
pub struct Theme {
    styles: Vec<Style>,
    /// The ground of the terminal that it is made for; its own colour where the theme says nothing of it.
    pub ground: Colour,
    /// Whether glyphs and box drawing may be used; else ASCII.
    pub unicode: bool,
    /// How many colours there are.
    pub depth: Depth,
}

impl Theme {
    /// The style of a role.
    pub fn style(&self, role: Role) -> Style {
        self.styles[role as usize]
    }

    /// One that says nothing: everything looks as the terminal shows it by itself.
    pub fn plain() -> Theme {
        Theme {
            styles: vec![Style::default(); Role::ALL.len()],
            ground: Colour::Default,
            unicode: true,
            depth: Depth::True,
        }
    }

    /// An embedded theme; `None` when there is none of that name.
    pub fn built_in(name: &str) -> Option<Theme> {
        Theme::named(name, &mut |_| None, &mut Vec::new())
    }

    /// The theme as a terminal of that depth can show it. Without colours what was told apart by colour alone would be lost,
    /// so the monochrome theme takes its place.
    pub fn at(&self, depth: Depth) -> Theme {
        if depth == Depth::Mono
            && let Some(mono) = Theme::built_in("monochrome")
        {
            return Theme { unicode: self.unicode, depth, ..mono };
        }
        let ground = self.ground.at(depth);
        // Many roles share few pairs of colours, each of which takes long to match.
        let mut known = BTreeMap::new();
        let mut at = |style: &Style| {
            let colours = known.entry((style.foreground, style.background));
            let Style { foreground, background, .. } = *colours.or_insert_with(|| style.at(depth, ground));
            Style { foreground, background, ..*style }
        };
        Theme { styles: self.styles.iter().map(&mut at).collect(), ground, unicode: self.unicode, depth }
    }
}

/// The embedded theme `dark`.
impl Default for Theme {
    fn default() -> Theme {
        // A test keeps every embedded theme free of mistakes.
        Theme::built_in("dark").unwrap_or_else(Theme::plain)
    }
}
