//! Themes: the embedded ones, files of the reader's, poorer terminals.
#![allow(clippy::unwrap_used)] // also in what the tests share

use std::collections::BTreeMap;
use wayfarer::role::Role;
use wayfarer::theme::{Colour, Depth, Source, Style, Theme, contrast};

/// Reads a theme; `others` are files that exist beside it.
fn read(text: &str, others: &[(&str, &str)]) -> (Theme, Vec<String>) {
    let mut errors = Vec::new();
    let find = &mut |name: &str| {
        let found = [("mine", text)].iter().chain(others).find(|(known, _)| *known == name).map(|(_, text)| *text)?;
        Some(Source { file: format!("{name}.toml"), text: found.into() })
    };
    let theme = Theme::named("mine", find, &mut errors).unwrap();
    (theme, errors.iter().map(ToString::to_string).collect())
}

#[test]
fn embedded_themes_have_no_mistakes() {
    for name in Theme::BUILT_IN {
        let mut errors = Vec::new();
        assert!(Theme::named(name, &mut |_| None, &mut errors).is_some());
        assert_eq!(errors, [], "{name}");
        // As a file of a reader's it would be told of every mistake; as a built-in one it is not looked at so closely.
        let text = std::fs::read_to_string(format!("{}/themes/{name}.toml", env!("CARGO_MANIFEST_DIR"))).unwrap();
        let (file, theme) = (format!("{name}.toml"), Theme::built_in(name));
        let own = &mut |asked: &str| (asked == *name).then(|| Source { file: file.clone(), text: text.clone() });
        assert_eq!(Theme::named(name, own, &mut errors), theme, "{name}");
        assert_eq!(errors, [], "{name}");
    }
    assert!(Theme::built_in("nothing").is_none());
}

#[test]
fn what_is_not_said_comes_from_the_role_above() {
    let (theme, errors) = read(
        "bar = \"red on blue bold\"\n\"bar.url\" = \"italic\"\n\"bar.url.host\" = \"plain green\"\n\"bar.url.port\" = \"on 200\"",
        &[],
    );
    assert_eq!(errors, [""; 0]);
    let style = Style { foreground: Colour::Ansi(1), background: Colour::Ansi(4), bold: true, ..Style::default() };
    assert_eq!(theme.style(Role::Bar), style);
    assert_eq!(theme.style(Role::BarPath), Style { italic: true, ..style });
    assert_eq!(theme.style(Role::BarHost), Style { foreground: Colour::Ansi(2), bold: false, ..style });
    assert_eq!(theme.style(Role::BarPortOdd), Style { italic: true, background: Colour::Indexed(200), ..style });
    assert_eq!(theme.style(Role::Line), Style::default());
}

#[test]
fn a_theme_may_change_only_the_palette_of_another() {
    let (theme, errors) = read(
        "inherit = \"base\"\n[palette]\naccent = \"#010203\"",
        &[("base", "\"page.link\" = \"accent\"\n[palette]\naccent = \"red\"")],
    );
    assert_eq!(errors, [""; 0]);
    assert_eq!(theme.style(Role::Link).foreground, Colour::Rgb(1, 2, 3));
    // The same name means the embedded theme below it.
    let own = &mut |name: &str| {
        (name == "dark").then(|| Source { file: "dark.toml".into(), text: "inherit = \"dark\"\nline = \"red\"".into() })
    };
    let theme = Theme::named("dark", own, &mut Vec::new()).unwrap();
    assert_eq!(theme.style(Role::Line).foreground, Colour::Ansi(1));
    assert_eq!(theme.style(Role::Link), Theme::default().style(Role::Link));
}

#[test]
fn every_mistake_is_reported_at_once_with_its_line() {
    let text = r##"inherit = "nothing"
"page.lnik" = "red"
"page.link" = "rde"
"page.code" = "red on"
"page.dim" = "on bold"
"page.rule" = true
"page.size" = "bold #88c0d0 on 17"
[palette]
ink = "#12345"
[bar.url]
host = "underline mauve"
"##;
    let (theme, errors) = read(text, &[]);
    assert_eq!(
        errors.join("\n"),
        r##"
mine.toml:1: there is no theme "nothing"
mine.toml:2: there is nothing called "page.lnik"; did you mean "page.link"?
mine.toml:3: "rde" is neither a colour nor an attribute
mine.toml:4: a colour is wanted after "on"
mine.toml:5: a colour is wanted after "on", not "bold"
mine.toml:6: a style in quotes is wanted, as "bold blue on black"
mine.toml:9: "#12345" is no colour
mine.toml:11: "mauve" is neither a colour nor an attribute"##
            .trim_start()
    );
    assert_eq!(theme.style(Role::Size).background, Colour::Indexed(17));
}

#[test]
fn a_circle_of_themes_ends() {
    let (_, errors) = read("inherit = \"other\"", &[("other", "inherit = \"mine\"")]);
    assert!(errors.iter().any(|error| error.contains("circle")), "{errors:?}");
}

#[test]
fn names_of_colours() {
    for (name, colour) in [
        ("default", Some(Colour::Default)),
        ("red", Some(Colour::Ansi(1))),
        ("bright-white", Some(Colour::Ansi(15))),
        ("grey", Some(Colour::Ansi(8))),
        ("7", Some(Colour::Ansi(7))),
        ("255", Some(Colour::Indexed(255))),
        ("#fF8000", Some(Colour::Rgb(255, 128, 0))),
        ("256", None),
        ("#ff80", None),
        ("#+f8000", None),
        ("bright-default", None),
        ("Rot", None),
    ] {
        assert_eq!(Colour::named(name), colour, "{name}");
    }
}

#[test]
fn poorer_terminals_get_only_what_they_have() {
    for name in Theme::BUILT_IN {
        let theme = Theme::built_in(name).unwrap();
        for role in Role::ALL {
            for depth in [Depth::Mono, Depth::Ansi16, Depth::Indexed] {
                let style = theme.at(depth).style(*role);
                for colour in [style.foreground, style.background] {
                    assert!(
                        match colour {
                            Colour::Default => true,
                            Colour::Ansi(n) => depth > Depth::Mono && n < 16,
                            Colour::Indexed(_) => depth > Depth::Ansi16,
                            Colour::Rgb(..) => false,
                        },
                        "{name} {role:?} {depth:?} {colour:?}"
                    );
                }
            }
        }
    }
}

/// Lines and bars that are no text.
const DRAWN: [Role; 5] = [Role::Rule, Role::Scrollbar, Role::ScrollbarThumb, Role::TabRule, Role::OverlayBorder];

/// What stands on which ground is readable, in every theme and at every depth.
#[test]
fn text_is_readable() {
    for name in Theme::BUILT_IN.iter().filter(|name| **name != "monochrome") {
        for depth in [Depth::True, Depth::Indexed, Depth::Ansi16] {
            let theme = Theme::built_in(name).unwrap().at(depth);
            assert_ne!(theme.ground, Colour::Default, "{name} says for which ground it is");
            // Only the ground of a new line counts: the next test is about that.
            for role in Role::ALL.iter().filter(|role| **role != Role::NewLine) {
                let Style { foreground, background, .. } = theme.style(*role);
                let on = if background == Colour::Default { theme.ground } else { background };
                let least = if DRAWN.contains(role) { 3.0 } else { 4.5 };
                // The nearest of few colours may be a little off.
                let least = match depth {
                    Depth::Indexed if DRAWN.contains(role) => 2.5,
                    _ => least,
                };
                match contrast(foreground, on) {
                    Some(part) => {
                        assert!(part >= least, "{name} at {depth:?}: {role:?} {foreground:?} on {on:?} is {part:.2}");
                    }
                    None => assert_eq!(background, Colour::Default, "{name}: {role:?} is the terminal's own on {on:?}"),
                }
            }
        }
    }
}

/// What is new after a jump keeps its colours on another ground.
#[test]
fn lines_that_are_marked_as_new_can_be_read() {
    for name in Theme::BUILT_IN {
        let theme = Theme::built_in(name).unwrap();
        let ground = theme.style(Role::NewLine).background;
        let of_page = Role::ALL.iter().filter(|role| role.name().starts_with("page.") && !DRAWN.contains(role));
        for role in of_page.filter(|role| theme.style(**role).background == theme.style(Role::Text).background) {
            let part = contrast(theme.style(*role).foreground, ground).unwrap_or(21.0);
            assert!(part >= 4.5, "{name}: {role:?} is {part:.2}");
        }
    }
}

/// Without colours nothing that matters is told by colour.
#[test]
fn monochrome_tells_things_apart() {
    let theme = Theme::default().at(Depth::Mono);
    for (a, b) in [
        (Role::Text, Role::Link),
        (Role::Link, Role::LinkFocus),
        (Role::Text, Role::Match),
        (Role::Match, Role::MatchCurrent),
        (Role::Text, Role::Bar),
        (Role::BarPath, Role::BarHost),
        (Role::BarPortDefault, Role::BarPortOdd),
        (Role::Overlay, Role::OverlayFocus),
        (Role::Text, Role::Error),
        (Role::Line, Role::LineLabel),
        (Role::Text, Role::Heading),
        (Role::Text, Role::Heading2),
        (Role::Text, Role::Heading3),
    ] {
        assert_ne!(theme.style(a), theme.style(b), "{a:?} and {b:?}");
    }
    assert!(theme.unicode);
}

/// The levels of headings are told apart in every theme, also by whoever sees no colours.
#[test]
fn headings_differ_by_level() {
    for name in Theme::BUILT_IN {
        let theme = Theme::built_in(name).unwrap();
        let plain = |style: Style| Style { foreground: Colour::Default, background: Colour::Default, ..style };
        let looks = [1, 2, 3].map(|level| plain(theme.style(Role::heading(level))));
        assert!(looks[0] != looks[1] && looks[1] != looks[2] && looks[0] != looks[2], "{name}: {looks:?}");
        assert!(!looks.contains(&Style::default()), "{name}: {looks:?}");
        assert_eq!(theme.style(Role::heading(6)), theme.style(Role::heading(3)));
    }
}

#[test]
fn dark_colours_become_sensible_ones_of_the_sixteen() {
    for (name, ansi) in
        [("#6fa8dc", 12), ("#8fbf6a", 10), ("#e5737d", 9), ("#23272f", 0), ("#ffffff", 15), ("#800000", 1)]
    {
        assert_eq!(Colour::named(name).unwrap().at(Depth::Ansi16), Colour::Ansi(ansi), "{name}");
    }
    let same =
        Style::default().with("#202020 on #101010", &BTreeMap::new()).unwrap().at(Depth::Ansi16, Colour::Default);
    assert_ne!(same.foreground, same.background, "never a colour on itself");
}
