//! How many colours the terminal has, by what the environment says of it.

use crate::config::{Colours, Loaded};
use crate::theme::{Depth, Theme};

/// The reader's theme as this terminal can show it.
pub(super) fn theme(loaded: &Loaded, no_colour: bool, utf8: bool) -> Theme {
    let depth = match loaded.settings.colours {
        _ if no_colour => Depth::Mono,
        Colours::Never => Depth::Mono,
        Colours::Ansi16 => Depth::Ansi16,
        Colours::Indexed => Depth::Indexed,
        Colours::True => Depth::True,
        Colours::Auto => terminal(|name| std::env::var(name).ok().filter(|value| !value.is_empty())),
    };
    let mut theme = loaded.theme.at(depth);
    theme.unicode &= utf8;
    theme
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
