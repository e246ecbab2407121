//! JSON as text, written straight away: one line for each answer, in the order in which it is said.
//!
//! Characters that a terminal obeys instead of showing stand in strings only, and are written as JSON's own escapes.

use crate::doc::keeps;
use serde_json::Value;
use std::ops::Range;

/// Characters that a terminal obeys instead of showing: controls, bidi controls, invisible ones.
pub(super) fn hidden(c: char) -> bool {
    c.is_control() || matches!(c, '\u{200B}'..='\u{200F}') || !keeps(c)
}

/// A character as JSON escapes it: in units of UTF-16.
fn escaped(c: char) -> String {
    c.encode_utf16(&mut [0; 2]).iter().map(|unit| format!("\\u{unit:04x}")).collect()
}

/// One line of JSON.
pub(super) fn line(value: &Value) -> String {
    let line = value.to_string();
    if !line.contains(hidden) {
        return line;
    }
    line.chars().map(|c| if hidden(c) { escaped(c) } else { c.into() }).collect()
}

/// An object that grows name by name; names are plain words.
pub(super) struct Object {
    text: String,
    empty: bool,
}

impl Object {
    pub(super) fn new() -> Object {
        Object { text: String::from("{"), empty: true }
    }

    pub(super) fn with_capacity(octets: usize) -> Object {
        let mut text = String::with_capacity(octets);
        text.push('{');
        Object { text, empty: true }
    }

    /// An object within a list, written where the list is: no text of its own is made for it.
    pub(super) fn within(out: &mut String, write: impl FnOnce(&mut Object)) {
        let mut text = std::mem::take(out);
        text.push('{');
        let mut object = Object { text, empty: true };
        write(&mut object);
        *out = object.done();
    }

    /// Names are known where they are written: as part of that, they are a few octets to store and nothing to copy.
    #[inline(always)]
    fn name(&mut self, name: &'static str) {
        if !self.empty {
            self.text.push(',');
        }
        self.empty = false;
        self.text.push('"');
        self.text.push_str(name);
        self.text.push_str("\":");
    }

    /// A text.
    #[inline(always)]
    pub(super) fn text(&mut self, name: &'static str, value: &str) {
        self.name(name);
        push_text(&mut self.text, value);
    }

    /// A word of this program's own, in which nothing has to be escaped.
    #[inline(always)]
    pub(super) fn word(&mut self, name: &'static str, value: &str) {
        self.name(name);
        push_word(&mut self.text, value);
    }

    /// A text of which it may be known already that nothing in it has to be escaped.
    #[inline(always)]
    pub(super) fn known(&mut self, name: &'static str, value: &str, plain: bool) {
        if plain { self.word(name, value) } else { self.text(name, value) }
    }

    /// A text, or `null`.
    #[inline(always)]
    pub(super) fn option(&mut self, name: &'static str, value: Option<&str>) {
        match value {
            Some(value) => self.text(name, value),
            None => self.raw(name, "null"),
        }
    }

    /// A number.
    pub(super) fn number(&mut self, name: &'static str, value: usize) {
        self.name(name);
        push_number(&mut self.text, value);
    }

    /// Octets, from and to.
    #[inline(always)]
    pub(super) fn range(&mut self, name: &'static str, at: &Range<usize>) {
        self.name(name);
        push_range(&mut self.text, at);
    }

    /// What is JSON already.
    #[inline(always)]
    pub(super) fn raw(&mut self, name: &'static str, json: &str) {
        self.name(name);
        self.text.push_str(json);
    }

    /// A list, each entry written by a function; `null` where there is none.
    pub(super) fn list<T>(
        &mut self,
        name: &'static str,
        entries: Option<impl Iterator<Item = T>>,
        mut write: impl FnMut(&mut String, T),
    ) {
        let Some(entries) = entries else { return self.raw(name, "null") };
        self.name(name);
        self.text.push('[');
        for (at, entry) in entries.enumerate() {
            if at > 0 {
                self.text.push(',');
            }
            write(&mut self.text, entry);
        }
        self.text.push(']');
    }

    /// The whole object.
    pub(super) fn done(mut self) -> String {
        self.text.push('}');
        self.text
    }
}

/// A word of this program's own, in which nothing has to be escaped.
fn push_word(out: &mut String, word: &str) {
    out.reserve(word.len() + 2);
    out.push('"');
    out.push_str(word);
    out.push('"');
}

/// Octets, from and to.
fn push_range(out: &mut String, at: &Range<usize>) {
    out.push('[');
    push_number(out, at.start);
    out.push(',');
    push_number(out, at.end);
    out.push(']');
}

/// A number, without the machinery of formatting: every answer has a dozen.
fn push_number(out: &mut String, mut value: usize) {
    let mut digits = [0; 20];
    let mut at = digits.len();
    loop {
        at -= 1;
        // below ten
        digits[at] = b'0' + u8::try_from(value % 10).unwrap_or_default();
        value /= 10;
        if value == 0 {
            break;
        }
    }
    digits[at..].iter().for_each(|digit| out.push(char::from(*digit)));
}

/// Octets that stand in a JSON string, and on a terminal, for themselves.
const AS_IT_IS: [bool; 256] = {
    let mut plain = [false; 256];
    let mut b = b' ';
    while b <= b'~' {
        plain[b as usize] = b != b'"' && b != b'\\';
        b += 1;
    }
    plain
};

/// Whether a text is the same within a JSON string.
pub(super) fn stands_as_it_is(text: &str) -> bool {
    text.bytes().all(|b| AS_IT_IS[usize::from(b)])
}

/// A JSON string. Most are short: a table is quicker than looking for several octets at a time.
pub(super) fn push_text(out: &mut String, text: &str) {
    out.push('"');
    if stands_as_it_is(text) {
        out.push_str(text);
    } else {
        for c in text.chars() {
            match c {
                '"' => out.push_str("\\\""),
                '\\' => out.push_str("\\\\"),
                '\n' => out.push_str("\\n"),
                '\r' => out.push_str("\\r"),
                '\t' => out.push_str("\\t"),
                '\u{8}' => out.push_str("\\b"),
                '\u{c}' => out.push_str("\\f"),
                c if hidden(c) => out.push_str(&escaped(c)),
                c => out.push(c),
            }
        }
    }
    out.push('"');
}
