//! The expressions of S-Lang, in which slrn's score files are written, as those of the `regex` crate.
//!
//! `\(` `\)` `\|` `\{2,5\}` `\<` `\>` `\d` `\c` (capitals count from here on) `\C` are special, `( ) | { }` are letters, `^` and `$`
//! are special where a line may begin or end. What goes back to what was matched (`\1`) cannot be done in time proportional to the
//! text, and is refused.

use regex::RegexBuilder;
use std::fmt::Write;
use std::iter::Peekable;
use std::str::Chars;

/// The longest expression, in octets.
const LONGEST: usize = 1000;
/// How much memory one may take when it is made ready, in octets.
const SIZE: usize = 1 << 18;
/// How many expressions may stand within one another.
const DEEPEST: u32 = 50;

/// What is made of an expression.
#[derive(Default)]
struct Out {
    text: String,
    /// Groups that are open.
    open: usize,
    /// Whether there is something that can be repeated.
    atom: bool,
    /// Whether that is repeated already.
    repeated: bool,
    /// Whether a line may begin here.
    begins: bool,
}

impl Out {
    fn letter(&mut self, c: char) {
        self.text.push_str(&regex::escape(c.encode_utf8(&mut [0; 4])));
        self.stands();
    }

    fn class(&mut self, class: &str) {
        self.text.push_str(class);
        self.stands();
    }

    fn stands(&mut self) {
        (self.atom, self.repeated, self.begins) = (true, false, false);
    }

    /// What is of no width.
    fn place(&mut self, place: &str, begins: bool) {
        self.text.push_str(place);
        (self.atom, self.repeated, self.begins) = (false, false, begins);
    }

    fn repeat(&mut self, how: &str) -> Result<(), String> {
        if self.repeated {
            return Err(format!("\"{how}\" repeats what is repeated already"));
        }
        self.text.push_str(how);
        self.repeated = true;
        Ok(())
    }
}

/// An expression that has been tried, in the words of the `regex` crate; it is to be used without regard to capitals.
///
/// # Errors
/// Why it is none.
pub(super) fn translated(pattern: &str) -> Result<String, String> {
    if pattern.len() > LONGEST {
        return Err(format!("the expression is longer than {LONGEST} octets"));
    }
    let mut out = Out { begins: true, ..Out::default() };
    let mut chars = pattern.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '\\' => escaped(&mut chars, &mut out)?,
            '[' => class(&mut chars, &mut out)?,
            '.' => out.class("."),
            '*' | '+' | '?' if out.atom => out.repeat(c.encode_utf8(&mut [0; 4]))?,
            '^' if out.begins => out.place("^", false),
            '$' if ends(&chars) => out.place("$", false),
            c => out.letter(c),
        }
    }
    if out.open > 0 {
        return Err("a \\( is never closed by \\)".into());
    }
    let tried = RegexBuilder::new(&out.text).case_insensitive(true).size_limit(SIZE).nest_limit(DEEPEST).build();
    match tried {
        Ok(_) => Ok(out.text),
        Err(regex::Error::CompiledTooBig(_)) => Err("the expression asks for too much".into()),
        Err(_) => Err("this is no regular expression".into()),
    }
}

/// Whether a line may end here.
fn ends(rest: &Peekable<Chars<'_>>) -> bool {
    let rest: String = rest.clone().take(2).collect();
    matches!(rest.as_str(), "" | "\\)" | "\\|")
}

/// What follows a backslash.
fn escaped(chars: &mut Peekable<Chars<'_>>, out: &mut Out) -> Result<(), String> {
    match chars.next().ok_or("nothing follows the last \\")? {
        '(' => {
            out.open += 1;
            out.place("(?:", true);
        }
        ')' => {
            out.open = out.open.checked_sub(1).ok_or("a \\) closes no \\(")?;
            out.class(")");
        }
        '|' => out.place("|", true),
        '{' => counted(chars, out)?,
        '<' => out.place(r"\b{start}", false),
        '>' => out.place(r"\b{end}", false),
        'd' => out.class("[0-9]"),
        c @ ('D' | 's' | 'S' | 'w' | 'W') => out.class(&format!("\\{c}")),
        'e' => out.letter('\x1B'),
        't' => out.letter('\t'),
        // They hold until the group ends, and whatever stands before them cannot be repeated by what follows.
        'c' => out.place("(?-i)", out.begins),
        'C' => out.place("(?i)", out.begins),
        c @ '1'..='9' => return Err(format!("\\{c} goes back to what was matched, which Wayfarer does not")),
        '}' => return Err("a \\} closes no \\{".into()),
        c => out.letter(c),
    }
    Ok(())
}

/// `\{3\}`, `\{3,\}`, `\{3,5\}`.
fn counted(chars: &mut Peekable<Chars<'_>>, out: &mut Out) -> Result<(), String> {
    let wrong = || "after \\{ numbers and \\} are wanted, as in \\{2,5\\}".to_owned();
    let mut count = String::new();
    loop {
        match chars.next() {
            Some('\\') if chars.next() == Some('}') => break,
            Some(c @ ('0'..='9' | ',')) if count.len() < 8 => count.push(c),
            _ => return Err(wrong()),
        }
    }
    let (least, most) = count.split_once(',').unwrap_or((&count, ""));
    if !out.atom || least.is_empty() || most.contains(',') {
        return Err(wrong());
    }
    out.repeat(&format!("{{{count}}}"))
}

/// What stands in brackets.
fn class(chars: &mut Peekable<Chars<'_>>, out: &mut Out) -> Result<(), String> {
    let unclosed = || "a [ is never closed by ]".to_owned();
    let mut made = String::from("[");
    if chars.next_if_eq(&'^').is_some() {
        made.push('^');
    }
    let mut first = true;
    loop {
        let from = match chars.next().ok_or_else(unclosed)? {
            ']' if !first => break,
            '\\' => match chars.next().ok_or_else(unclosed)? {
                'd' => {
                    made.push_str("0-9");
                    first = false;
                    continue;
                }
                't' => '\t',
                c => c,
            },
            c => c,
        };
        first = false;
        let mut ahead = chars.clone();
        let range = ahead.next() == Some('-') && ahead.next().is_some_and(|to| to != ']');
        let mut to = from;
        if range {
            chars.next();
            to = match chars.next().ok_or_else(unclosed)? {
                '\\' => chars.next().ok_or_else(unclosed)?,
                c => c,
            };
        }
        if to < from {
            return Err(format!("[{from}-{to}] begins after its end"));
        }
        // In numbers nothing of it is special.
        write!(made, "\\x{{{:X}}}-\\x{{{:X}}}", u32::from(from), u32::from(to)).map_err(|_| unclosed())?;
    }
    made.push(']');
    out.class(&made);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::translated;
    use regex::RegexBuilder;

    fn fits(pattern: &str, text: &str) -> Result<bool, String> {
        let made = translated(pattern)?;
        Ok(RegexBuilder::new(&made).case_insensitive(true).build().unwrap().is_match(text))
    }

    #[test]
    fn expressions_of_slrn() {
        for (pattern, text, wanted) in [
            ("davis@space\\.mit\\.edu", "John <Davis@space.mit.edu>", true),
            ("a.b", "axb", true),
            ("a\\.b", "axb", false),
            ("\\<agent\\>", "an Agent 007", true),
            ("\\<agent\\>", "agents", false),
            ("Earn \\$", "EARN $ now", true),
            ("^Re:", "Re: x", true),
            ("^Re:", "x Re:", false),
            ("a^b$c", "a^b$c", true),
            ("x$", "xx", true),
            ("x$", "xy", false),
            ("\\cabc", "ABC", false),
            ("\\cABC", "ABC", true),
            ("x\\cY\\Cz", "XYZ", true),
            ("~\\c[a-z]", "~a", true),
            ("\\c[a-z]", "SHOUT", false),
            ("(x|y){2}", "(x|y){2}", true),
            ("\\(ab\\)*c$", "ababc", true),
            ("^\\(x\\|y\\)$", "y", true),
            ("a\\{2,3\\}$", "caa", true),
            ("^a\\{2\\}$", "aaa", false),
            ("[]x]", "]", true),
            ("[^0-9]", "7", false),
            ("[a\\]b]", "]", true),
            ("[&~[]", "&", true),
            ("[a-]", "-", true),
            ("\\d\\d", "x42", true),
            ("*star", "*star", true),
            ("café", "CAFÉ", true),
            ("", "anything", true),
        ] {
            assert_eq!(fits(pattern, text), Ok(wanted), "{pattern} {text}");
        }
    }

    #[test]
    fn what_is_none_is_told() {
        for pattern in ["\\(x", "x\\)", "\\(x\\)\\1", "[abc", "x\\", "[z-a]", "x\\{a\\}", "x\\}", "\\{2\\}", "x**"] {
            assert!(translated(pattern).is_err(), "{pattern}");
        }
        // Neither length nor what it would become is without bounds.
        assert!(translated(&"x".repeat(1001)).is_err());
        assert!(translated("\\(\\(\\(x\\{99\\}\\)\\{99\\}\\)\\{99\\}\\)\\{99\\}").is_err());
        assert!(translated(&format!("{}x{}", "\\(".repeat(200), "\\)".repeat(200))).is_err());
    }
}
