//! `text/enriched` (RFC 1896) and the older `text/richtext` (RFC 1341, 7.1.3) → plain text.

/// Which of the two.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Dialect {
    Enriched,
    Richtext,
}

/// The longest command with its brackets, in octets (RFC 1896, 3: 60 letters).
const LONGEST_COMMAND: usize = 64;

/// The text without its commands; in both, a line end is a space, and what makes a line differs.
pub(super) fn plain(text: &str, dialect: Dialect) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    // what must not be shown: the depth of param or comment
    let (mut hidden, mut filled) = (0_u32, true);
    while let Some(c) = rest.chars().next() {
        if c == '<' && !(dialect == Dialect::Enriched && rest.starts_with("<<")) {
            let near = &rest[1..rest.floor_char_boundary(LONGEST_COMMAND)];
            let Some((command, _)) = near.split_once('>') else {
                out.push('<');
                rest = &rest[1..];
                continue;
            };
            let after = &rest[command.len() + 2..];
            match command.trim().to_ascii_lowercase().as_str() {
                "param" | "comment" => hidden += 1,
                "/param" | "/comment" => hidden = hidden.saturating_sub(1),
                "nofill" => filled = false,
                "/nofill" => filled = true,
                "nl" | "/paragraph" if dialect == Dialect::Richtext => out.push('\n'),
                "np" if dialect == Dialect::Richtext => out.push('\x0C'),
                "lt" if dialect == Dialect::Richtext => out.push('<'),
                _ => {}
            }
            rest = after;
            continue;
        }
        let ends = rest.bytes().take_while(|b| matches!(b, b'\r' | b'\n')).count();
        if ends > 0 {
            let lines = rest[..ends].matches('\n').count();
            match (dialect, filled) {
                (Dialect::Enriched, true) if lines > 1 => out.extend(std::iter::repeat_n('\n', lines - 1)),
                (Dialect::Enriched, false) => out.extend(std::iter::repeat_n('\n', lines)),
                _ => out.push(' '),
            }
            rest = &rest[ends..];
            continue;
        }
        if hidden == 0 {
            out.push(c);
        }
        rest = &rest[if rest.starts_with("<<") { 2 } else { c.len_utf8() }..];
    }
    out
}
