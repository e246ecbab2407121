//! Words that are sought in the articles of a group, in the place of an article's number: `nntp:group/subject=words`, likewise
//! `author=` and `body=`; with a wildmat for a group, in all groups that fit.
//!
//! RFC 5538, 4 has a number there and nothing else, so no other URL can mean this one; it is of ours, and never sent. What is sent is
//! made here: a pattern of RFC 2980, 2.9 in which nothing that the reader typed means anything to the server.

use crate::url::UrlError;

/// Words longer than this are none that anybody remembers.
const LONGEST: usize = 200;
/// Octets of a pattern; a command has 512.
const LONGEST_PATTERN: usize = 300;

/// The pattern for whatever holds encoded words (RFC 2047), in which no server sees what they say.
pub const ENCODED: &str = "*=[?]*";

/// Where words are sought.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// The subject.
    Subject,
    /// Who wrote it: name and address.
    Author,
    /// The text, which no server looks through.
    Body,
}

/// The parts: how they are named in URLs and by the reader, in a sentence, and by the protocol.
const PARTS: &[(Part, &str, &str, Option<&str>)] = &[
    (Part::Subject, "subject", "subjects", Some("Subject")),
    (Part::Author, "author", "authors", Some("From")),
    (Part::Body, "body", "texts", None),
];

impl Part {
    /// A part by its name.
    pub fn named(name: &str) -> Option<Part> {
        PARTS.iter().find(|(_, known, ..)| *known == name).map(|(part, ..)| *part)
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        self.row().1
    }

    /// Many of them, in a sentence.
    pub fn words(self) -> &'static str {
        self.row().2
    }

    /// The header in which it stands.
    pub fn header(self) -> Option<&'static str> {
        self.row().3
    }

    fn row(self) -> &'static (Part, &'static str, &'static str, Option<&'static str>) {
        PARTS.iter().find(|(part, ..)| *part == self).unwrap_or(&PARTS[0])
    }
}

/// What is sought.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sought {
    /// Where.
    pub part: Part,
    /// The words, one space between them.
    pub words: String,
    folded: String,
}

impl Sought {
    /// Words in a part.
    ///
    /// # Errors
    /// No words, or too many.
    pub fn new(part: Part, words: &str) -> Result<Sought, UrlError> {
        let words = spaced(words);
        match words.len() {
            0 => Err(UrlError::Malformed(format!("no words are sought in the {}", part.words()))),
            1..=LONGEST => Ok(Sought { part, folded: words.to_lowercase(), words }),
            _ => Err(UrlError::Malformed(format!("words of more than {LONGEST} octets are not sought"))),
        }
    }

    /// Reads `subject=words`, decoded; `None` for what is nothing of that kind.
    pub(super) fn of(text: &str) -> Option<Result<Sought, UrlError>> {
        let (name, words) = text.split_once('=')?;
        Some(Sought::new(Part::named(name)?, words))
    }

    /// Whether they stand in a text, whatever the case.
    pub fn is_in(&self, text: &str) -> bool {
        let text = text.to_lowercase();
        text.contains(&self.folded) || spaced(&text).contains(&self.folded)
    }

    /// Whether a line that is not decoded yet could hold them: it says so, or holds what must be decoded first.
    pub fn may_be_in(&self, octets: &[u8]) -> bool {
        if !octets.is_ascii() || memchr::memmem::find(octets, b"=?").is_some() {
            return true;
        }
        std::str::from_utf8(octets).is_ok_and(|text| self.is_in(text))
    }

    /// The pattern for a server, which may find more than is meant: each letter in both cases, and `?` for whatever has a meaning in
    /// patterns of any kind. `None` for a part that servers do not look through, and for words that they may have in any charset.
    pub fn pattern(&self) -> Option<String> {
        if self.part.header().is_none() || !self.words.is_ascii() {
            return None;
        }
        let mut pattern = String::from("*");
        for c in self.words.chars() {
            if pattern.len() > LONGEST_PATTERN {
                break;
            }
            match c {
                'a'..='z' | 'A'..='Z' => {
                    pattern.extend(['[', c.to_ascii_uppercase(), c.to_ascii_lowercase(), ']']);
                }
                '*' | '?' | '[' | ']' | '\\' | ',' | '!' | '^' | '\0'..=' ' | '\x7F' => pattern.push('?'),
                _ => pattern.push(c),
            }
        }
        pattern.push('*');
        Some(pattern)
    }
}

/// One space between words.
fn spaced(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sought(words: &str) -> Sought {
        Sought::new(Part::Subject, words).unwrap_or_else(|error| unreachable!("{error}"))
    }

    #[test]
    fn nothing_that_the_reader_typed_means_anything_in_a_pattern() {
        for (words, wanted) in [
            ("Tun 7", "*[Tt][Uu][Nn]?7*"),
            ("*?[a]\\,!^", "*???[Aa]?????*"),
            ("-x", "*-[Xx]*"),
            ("a\r\nb\0c", "*[Aa]?[Bb]?[Cc]*"),
        ] {
            assert_eq!(sought(words).pattern().as_deref(), Some(wanted), "{words:?}");
        }
        assert_eq!(sought("Köln").pattern(), None);
        let long = sought(&"x".repeat(200)).pattern().unwrap_or_default();
        assert!(long.len() < 310 && long.ends_with("[Xx]*"), "{long}");
        assert!(Sought::new(Part::Subject, " \t").is_err() && Sought::new(Part::Subject, &"x".repeat(201)).is_err());
    }

    #[test]
    fn words_are_found_in_any_case_and_with_any_space() {
        assert!(sought("KÖLN  am").is_in("Aus köln\tam Rhein"));
        assert!(!sought("koln").is_in("Köln") && !sought("a*b").is_in("axb"));
        assert!(sought("köln").may_be_in(b"=?utf-8?q?K=C3=B6ln?=") && sought("köln").may_be_in(b"K\xF6ln"));
        assert!(!sought("tunnel").may_be_in(b"Lamps") && sought("lamp").may_be_in(b"Lamps"));
    }
}
