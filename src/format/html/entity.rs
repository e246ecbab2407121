//! What references mean in XHTML: characters, the names that HTML has for some, and plain texts that the page's own document type
//! declares (XML 1.0, 4.1 to 4.6).
//!
//! Nothing is fetched for a document type. A declared text that holds markup or other references is not expanded, so none can
//! grow by another; all together give [`MOST_GIVEN`] octets. What is not expanded stands on the page as it was written.

use html5ever::data::NAMED_ENTITIES;
use memchr::memmem;
use quick_xml::events::BytesRef;
use std::borrow::Cow;
use std::cell::Cell;
use std::collections::HashMap;

/// The most names that a document type may declare, and the most octets of a text.
const MOST_DECLARED: usize = 256;
const LONGEST: usize = 1024;
/// The most octets that declared texts give to one page.
const MOST_GIVEN: usize = 1 << 20;

/// What names mean.
#[derive(Debug, Default)]
pub(super) struct Entities {
    declared: HashMap<String, String>,
    given: Cell<usize>,
}

impl Entities {
    /// Takes what a document type declares in itself.
    pub fn take(&mut self, doctype: &str) {
        for at in memmem::find_iter(doctype.as_bytes(), b"<!ENTITY") {
            let Some((name, value)) = declaration(&doctype[at + "<!ENTITY".len()..]) else { continue };
            // the first of several declarations counts
            if self.declared.len() < MOST_DECLARED && !self.declared.contains_key(name) {
                self.declared.insert(name.into(), value);
            }
        }
    }

    /// What stands for a reference, given without `&` and `;`: nothing where no one knows; `Err` for a character that there is not.
    pub fn meaning(&self, name: &str) -> Result<Option<Cow<'_, str>>, ()> {
        if let Some(character) = character(name)? {
            return Ok(Some(character.to_string().into()));
        }
        if let Some(text) = self.declared.get(name) {
            let given = self.given.get() + text.len();
            self.given.set(given);
            return Ok((given <= MOST_GIVEN).then(|| text.into()));
        }
        Ok(named(name).map(Into::into))
    }

    /// An attribute's value with its references resolved; `Err` where one of them is none.
    pub fn resolved<'a>(&self, value: &'a str) -> Result<Cow<'a, str>, ()> {
        let mut parts = value.split('&');
        let first = parts.next().unwrap_or_default();
        if first.len() == value.len() {
            return Ok(value.into());
        }
        let mut out = first.to_owned();
        for part in parts {
            let (name, rest) = part.split_once(';').ok_or(())?;
            match self.meaning(name)? {
                Some(meant) => out.push_str(&meant),
                None => out.extend(["&", name, ";"]),
            }
            out.push_str(rest);
        }
        Ok(out.into())
    }
}

/// The character that a reference names by its number.
fn character(name: &str) -> Result<Option<char>, ()> {
    BytesRef::new(name).resolve_char_ref().map_err(drop)
}

/// What HTML means by a name; XML has `apos` and five of these.
fn named(name: &str) -> Option<String> {
    let (first, second) = NAMED_ENTITIES.get(&format!("{name};"))?;
    let characters = [*first, *second].map(|code| char::from_u32(code).filter(|c| *c != '\0'));
    Some(characters.into_iter().flatten().collect()).filter(|text: &String| !text.is_empty())
}

/// The name and the text of a declaration after its `<!ENTITY`; nothing for one that is no plain text.
fn declaration(rest: &str) -> Option<(&str, String)> {
    let (name, rest) = rest.trim_ascii_start().split_once(|c: char| c.is_ascii_whitespace())?;
    let rest = rest.trim_ascii_start();
    let quote = rest.chars().next().filter(|c| matches!(c, '"' | '\''))?;
    let value = rest[1..].split(quote).next().filter(|value| value.len() <= LONGEST)?;
    let mut parts = value.split('&');
    let mut text = parts.next()?.to_owned();
    for part in parts {
        let (name, rest) = part.split_once(';')?;
        text.push(character(name).ok()??);
        text.push_str(rest);
    }
    // what a reference to a character wrote is markup, too
    (name != "%" && !text.contains(['<', '&', '%'])).then_some((name, text))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(doctype: &str) -> Entities {
        let mut entities = Entities::default();
        entities.take(doctype);
        entities
    }

    #[test]
    fn references_mean_characters_names_and_declared_texts() {
        let entities = of("html [<!ENTITY who 'Ada &#38;co'><!ENTITY me \"Ada\"> <!ENTITY me 'other'>]");
        for (name, meant) in [
            ("#65", Some("A")),
            ("#x41", Some("A")),
            ("amp", Some("&")),
            ("apos", Some("'")),
            ("nbsp", Some("\u{a0}")),
            ("NotEqualTilde", Some("\u{2242}\u{338}")),
            ("me", Some("Ada")),
            ("who", None),
            ("nobody", None),
            ("nbs", None),
            ("", None),
        ] {
            assert_eq!(entities.meaning(name).unwrap().as_deref(), meant, "{name}");
        }
        assert!(entities.meaning("#0").is_err() && entities.meaning("#x110000").is_err());
        assert_eq!(entities.resolved("a?b=1&amp;c=&me;&nobody;").unwrap(), "a?b=1&c=Ada&nobody;");
        assert!(entities.resolved("a?b=1&c=2").is_err());
    }

    #[test]
    fn nothing_that_is_declared_grows() {
        let laughs: String =
            (1..10).map(|n| format!("<!ENTITY l{n} '{}'>", format!("&l{};", n - 1).repeat(10))).collect();
        let entities =
            of(&format!("html [<!ENTITY l0 'lol'>{laughs}<!ENTITY % p 'x'><!ENTITY f SYSTEM 'file:///etc/passwd'>]"));
        assert_eq!(entities.meaning("l0"), Ok(Some("lol".into())));
        for name in ["l1", "l9", "p", "f", "%"] {
            assert_eq!(entities.meaning(name), Ok(None), "{name}");
        }
        let long = of(&format!("html [<!ENTITY x '{}'>]", "x".repeat(1000)));
        let given: usize = (0..10_000).map(|_| long.meaning("x").unwrap().map_or(0, |text| text.len())).sum();
        assert!(given > MOST_GIVEN - 1000 && given <= MOST_GIVEN, "{given}");
    }
}
