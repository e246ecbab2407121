//! Gopher+ strings: the third field of a gopher URL (Gopher+ of July 1993; RFC 1738, 3.4.3 … 3.4.9).
//!
//! The grammar of a filled form (GPP-10) is checked here to the octet, because it is the only place where a line
//! break from a URL may reach a server (D14).

use super::super::UrlError;
use super::{show, wire};

/// The head of a filled form: a data block follows, it ends with a dot on a line of its own.
const BLOCK: &[u8] = b"\t1\r\n+-1\r\n";

/// The last line of a filled form.
const END: &[u8] = b".\r\n";

/// The answer to one question of a form, in the form's order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Answer {
    /// One line (Ask, AskP, AskF), or the chosen text (Choose).
    Line(Vec<u8>),
    /// Several lines (AskL); their number is sent before them.
    Lines(Vec<Vec<u8>>),
    /// The lines of a file (ChooseF), without their number: it is the rest of the block, so it comes last.
    File(Vec<Vec<u8>>),
    /// A box, checked or not (Select).
    Check(bool),
}

/// What a Gopher+ string asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Wish<'a> {
    /// `+`: the item, perhaps in a view and a language.
    View {
        /// The view, a media type; empty for the first.
        view: &'a [u8],
        /// The language, when one is named.
        language: Option<&'a [u8]>,
    },
    /// `?`: the form that has to be filled first.
    Form,
    /// `+…` with a data block: a filled form; so many lines of answers.
    Filled {
        /// The view asked for; empty for the first.
        view: &'a [u8],
        /// How many lines the answers take.
        lines: usize,
    },
    /// `!`: attributes of the item, all or those named.
    Attributes(&'a [u8]),
    /// `$`: attributes of all items of a menu.
    AllAttributes(&'a [u8]),
    /// Something else, passed on as it is (GPP-12).
    Other(&'a [u8]),
}

/// Reads a Gopher+ string.
pub fn wish(plus: &[u8]) -> Wish<'_> {
    if let Some((view, lines)) = filled_form(plus) {
        return Wish::Filled { view, lines };
    }
    match plus {
        b"?" => Wish::Form,
        [b'!', names @ ..] => Wish::Attributes(names),
        [b'$', names @ ..] => Wish::AllAttributes(names),
        [b'+', rest @ ..] if !rest.contains(&b'\t') => match rest.iter().position(|b| *b == b' ') {
            Some(space) => Wish::View { view: &rest[..space], language: Some(&rest[space + 1..]) },
            None => Wish::View { view: rest, language: None },
        },
        other => Wish::Other(other),
    }
}

/// The string for a filled form, with dots doubled where they begin a line.
///
/// # Errors
/// A line of an answer, the view or the language holds a line break or a NUL.
pub fn fill(view: &str, language: &str, answers: &[Answer]) -> Result<Vec<u8>, UrlError> {
    let mut out = view_string(view, language)?;
    out.extend_from_slice(BLOCK);
    for answer in answers {
        match answer {
            Answer::Line(line) => push_line(line, &mut out)?,
            Answer::Check(checked) => push_line(if *checked { b"1" } else { b"0" }, &mut out)?,
            Answer::File(lines) => lines.iter().try_for_each(|line| push_line(line, &mut out))?,
            Answer::Lines(lines) => {
                push_line(lines.len().to_string().as_bytes(), &mut out)?;
                lines.iter().try_for_each(|line| push_line(line, &mut out))?;
            }
        }
    }
    out.extend_from_slice(END);
    Ok(out)
}

/// The string for a view and a language; both may be empty (GPP-02, GPP-07).
///
/// # Errors
/// White space or a control character in either.
pub fn view_string(view: &str, language: &str) -> Result<Vec<u8>, UrlError> {
    let mut out = format!("+{view}");
    if !language.is_empty() {
        out = format!("{out} {language}");
    }
    if [view, language].iter().any(|part| part.bytes().any(|b| b <= b' ' || b == 0x7F)) {
        return Err(UrlError::Malformed("a Gopher+ view or language holds white space or a control character".into()));
    }
    Ok(out.into_bytes())
}

fn push_line(line: &[u8], out: &mut Vec<u8>) -> Result<(), UrlError> {
    wire::check("answer", line)?;
    if line.starts_with(b".") {
        out.push(b'.');
    }
    out.extend_from_slice(line);
    out.extend_from_slice(b"\r\n");
    Ok(())
}

/// Whether the string follows the grammar of a filled form exactly; its view and its number of lines.
fn filled_form(plus: &[u8]) -> Option<(&[u8], usize)> {
    let rest = plus.strip_prefix(b"+")?;
    let tab = rest.iter().position(|b| *b == b'\t')?;
    let mut words = rest[..tab].split(|b| *b == b' ');
    let view = words.next()?;
    let named = |word: &[u8]| word.iter().all(|b| *b > b' ' && *b != 0x7F);
    let (language, more) = (words.next(), words.next());
    if !named(view) || !language.is_none_or(|l| !l.is_empty() && named(l)) || more.is_some() {
        return None;
    }
    let mut block = rest[tab..].strip_prefix(BLOCK)?;
    let mut lines = 0;
    while block != END {
        let end = block.windows(2).position(|pair| pair == b"\r\n")?;
        let line = &block[..end];
        if line == b"." || line.iter().any(|b| matches!(b, b'\r' | b'\n' | 0)) {
            return None;
        }
        lines += 1;
        block = &block[end + 2..];
    }
    Some((view, lines))
}

/// Refuses line breaks and NUL, except in a filled form (SEC-03, D14).
pub(super) fn check(plus: &[u8]) -> Result<(), UrlError> {
    if filled_form(plus).is_some() { Ok(()) } else { wire::check("Gopher+ string", plus) }
}

/// For the status bar; the answers of a form stay hidden, since one of them may be a password (GPP-14).
pub(super) fn words(plus: &[u8]) -> String {
    match wish(plus) {
        Wish::Form => "form".into(),
        Wish::Filled { view: b"", lines } => format!("filled form, {lines} lines"),
        Wish::Filled { view, lines } => format!("filled form, {lines} lines, view {}", show::octets(view)),
        _ => show::octets(plus),
    }
}
