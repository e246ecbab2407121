//! Whether letters stand on a dark ground or on a light one: by the terminal's own word (OSC 11), else by what the environment
//! says, else by the terminal's word of the last time. Refuses: asking and hearing, which is `ear`'s; which theme that means.

/// What the terminal is asked with. It ends by BEL, which terminals know that know nothing else of this.
pub(super) const QUESTION: &str = "\x1b]11;?\x07";

/// The ground of a terminal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Ground {
    /// Light letters can be read.
    #[default]
    Dark,
    /// Dark letters can be read.
    Light,
}

impl Ground {
    /// Its name, which is that of its theme, too.
    pub(super) fn name(self) -> &'static str {
        match self {
            Ground::Dark => "dark",
            Ground::Light => "light",
        }
    }

    /// The ground of that name.
    pub(super) fn named(name: &str) -> Option<Ground> {
        [Ground::Dark, Ground::Light].into_iter().find(|ground| ground.name() == name)
    }

    /// What an environment says: `COLORFGBG`, as rxvt and Konsole set it, the number of the ground's colour last.
    pub(super) fn of_environment(variable: impl Fn(&str) -> Option<String>) -> Option<Ground> {
        match variable("COLORFGBG")?.rsplit(';').next()?.parse() {
            Ok(7_u8 | 9..=15) => Some(Ground::Light),
            Ok(_) => Some(Ground::Dark),
            Err(_) => None,
        }
    }

    /// What an answer says: `rgb:RRRR/GGGG/BBBB`, with one to four digits each.
    pub(super) fn of_answer(words: &str) -> Option<Ground> {
        let (_, channels) = words.split_once(':').filter(|(form, _)| matches!(*form, "rgb" | "rgba"))?;
        let mut parts = channels.split('/').map(|digits| {
            let bits = u32::try_from(digits.len()).ok().filter(|digits| (1..=4).contains(digits))? * 4;
            let value = u32::from_str_radix(digits, 16).ok()?;
            Some(f64::from(value) / f64::from((1_u32 << bits) - 1))
        });
        let mut next = || parts.next().flatten().map(|share| share.powf(2.2));
        let (red, green, blue) = (next()?, next()?, next()?);
        // Where black and white letters part from it equally well (WCAG 2).
        let light = 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.179;
        Some(if light { Ground::Light } else { Ground::Dark })
    }
}

/// Whether a terminal of this name may be asked: a few would show the question.
pub(super) fn can_be_asked(term: &str) -> bool {
    let old = ["linux", "vt", "cons", "dumb", "eterm", "ansi", "sun", "wy"];
    !term.is_empty() && !old.iter().any(|name| term.starts_with(name))
}

/// Whether words may go on to be a colour: `rgb:`, `rgba:`, and hexadecimal digits with slashes between.
pub(super) fn may_be_a_colour(words: &str) -> bool {
    match words.split_once(':') {
        Some((form, digits)) => {
            ["rgb", "rgba"].contains(&form) && digits.chars().all(|c| c.is_ascii_hexdigit() || c == '/')
        }
        None => "rgba".starts_with(words),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_environment_may_know_the_ground() {
        let of = |said: &str| Ground::of_environment(|name| (name == "COLORFGBG").then(|| said.to_owned()));
        for (said, ground) in [
            ("15;0", Some(Ground::Dark)),
            ("0;15", Some(Ground::Light)),
            ("0;default;7", Some(Ground::Light)),
            ("12;8", Some(Ground::Dark)),
            ("", None),
            ("default;default", None),
        ] {
            assert_eq!(of(said), ground, "{said}");
        }
    }

    #[test]
    fn old_terminals_are_not_asked() {
        for (term, asked) in
            [("xterm", true), ("tmux-256color", true), ("linux", false), ("vt220", false), ("", false), ("dumb", false)]
        {
            assert_eq!(can_be_asked(term), asked, "{term}");
        }
    }
}
