//! How what is drawn looks here: the theme that the reader wants, on the ground and in as many colours as the terminal has.

use super::ground::Ground;
use crate::config::{self, Colours, ConfigError, Settings};
use crate::theme::{Depth, Theme};
use std::path::{Path, PathBuf};

/// The look of the screen. It follows the settings as they change.
pub(super) struct Looks {
    /// The theme as this terminal can show it.
    pub(super) theme: Theme,
    /// Whether the reader's theme is the ground's.
    pub(super) by_ground: bool,
    /// The reader's folder, with themes of their own.
    folder: Option<PathBuf>,
    no_colour: bool,
    utf8: bool,
    ground: Ground,
    /// What the theme was made of.
    made_of: Option<(String, Colours, Ground)>,
}

impl Looks {
    /// Nothing is looked at yet but the ground, as far as it is known.
    pub(super) fn new(folder: Option<&Path>, no_colour: bool, utf8: bool, ground: Ground) -> Looks {
        let theme = Theme::plain();
        let folder = folder.map(Path::to_path_buf);
        Looks { theme, by_ground: false, folder, no_colour, utf8, ground, made_of: None }
    }

    /// The ground turned out to be this.
    pub(super) fn stand_on(&mut self, ground: Ground) {
        self.ground = ground;
    }

    /// The files of themes may have changed.
    pub(super) fn look_again(&mut self) {
        self.made_of = None;
    }

    /// Takes the settings' theme, where it is not there already; says whether it is another one, and what is wrong with it.
    pub(super) fn follow(&mut self, settings: &Settings) -> (bool, Vec<ConfigError>) {
        let same = |(theme, colours, ground): &(String, Colours, Ground)| {
            *theme == settings.theme && *colours == settings.colours && *ground == self.ground
        };
        if self.made_of.as_ref().is_some_and(same) {
            return (false, Vec::new());
        }
        self.made_of = Some((settings.theme.clone(), settings.colours, self.ground));
        let depth = match settings.colours {
            _ if self.no_colour => Depth::Mono,
            Colours::Never => Depth::Mono,
            Colours::Ansi16 => Depth::Ansi16,
            Colours::Indexed => Depth::Indexed,
            Colours::True => Depth::True,
            Colours::Auto => terminal(variable),
        };
        let mut errors = Vec::new();
        let mut theme =
            config::theme(&settings.theme, self.ground.name(), self.folder.as_deref(), &mut errors).at(depth);
        self.by_ground = settings.theme == config::AUTO && depth != Depth::Mono;
        theme.unicode &= self.utf8;
        (std::mem::replace(&mut self.theme, theme) != self.theme, errors)
    }
}

/// What the environment says under a name, where it says something.
pub(super) fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|value| !value.is_empty())
}

/// The depth that an environment speaks of (<https://no-color.org>; COLORTERM and TERM by custom).
fn terminal(variable: impl Fn(&str) -> Option<String>) -> Depth {
    let term = variable("TERM").unwrap_or_default();
    let colourless = ["dumb", "vt100", "vt102", "vt220", "linux-m", "xterm-mono"].contains(&term.as_str());
    match variable("COLORTERM").as_deref() {
        _ if variable("NO_COLOR").is_some() || colourless || term.is_empty() => Depth::Mono,
        Some("truecolor" | "24bit") => Depth::True,
        _ if term.ends_with("-direct") => Depth::True,
        _ if term.contains("256") || term.contains("kitty") || term.contains("alacritty") => Depth::Indexed,
        _ => Depth::Ansi16,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_environment_decides_the_depth() {
        let depth = |pairs: &[(&str, &str)]| {
            terminal(|name| pairs.iter().find(|(n, _)| *n == name).map(|(_, value)| (*value).to_owned()))
        };
        assert_eq!(depth(&[("TERM", "xterm-256color")]), Depth::Indexed);
        assert_eq!(depth(&[("TERM", "xterm-256color"), ("COLORTERM", "truecolor")]), Depth::True);
        assert_eq!(depth(&[("TERM", "xterm-256color"), ("NO_COLOR", "1")]), Depth::Mono);
        assert_eq!(depth(&[("TERM", "linux")]), Depth::Ansi16);
        assert_eq!(depth(&[("TERM", "vt100")]), Depth::Mono);
        assert_eq!(depth(&[]), Depth::Mono);
    }
}
