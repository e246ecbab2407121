//! `dict:` (RFC 2229, 5): what dictionaries say of a word, which words are like it, or which dictionaries a server has.
//!
//! Words go between quotation marks with `"` and `\` escaped (RFC 2229, 2.2), so that nothing in them is a command's. Refuses:
//! line breaks, lines that no server need take, commands of other kinds, logging in.

use super::{Act, Ask, Part, PartKind, Paths, Plan, Ways, known, server, show, wire};
use crate::url::{Url, UrlError, escape};
use serde_json::json;

/// The longest line that a server need take, its end included (RFC 2229, 2.3).
const LONGEST: usize = 1024;
/// What a database or a strategy is called, mostly.
const PLAIN: &[u8] = b"!*._-";

/// What a URL asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Dict {
    /// Which databases there are, and by which strategies words are compared.
    Front,
    /// `d:`: what is said of a word.
    Define {
        /// The word; empty where it is still to be given.
        word: Vec<u8>,
        /// The database; `!` is the first that has it, `*` all of them.
        database: Vec<u8>,
        /// Which of the definitions, from 1; all when nothing is said.
        number: Option<u32>,
    },
    /// `m:`: words that are like it.
    Match {
        /// The word; empty where it is still to be given.
        word: Vec<u8>,
        /// The database, as above.
        database: Vec<u8>,
        /// How words are compared; `.` is the server's own way.
        strategy: Vec<u8>,
        /// Which of the matches, from 1; all when nothing is said.
        number: Option<u32>,
    },
}

impl Dict {
    /// Reads what a URL asks for; what is left out of it is what RFC 2229 says. A word without a letter before it is defined.
    ///
    /// # Errors
    /// Another letter than `d` or `m`, too many fields, a number that is none, CR, LF or NUL in a field.
    pub fn of(url: &Url) -> Result<Dict, UrlError> {
        let path = super::joined_path(url)?;
        if path.is_empty() {
            return Ok(Dict::Front);
        }
        let mut fields = path.split(':');
        let first = fields.next().unwrap_or_default();
        let rest: Vec<&str> = fields.collect();
        let field = |at: usize, what: &str, other: &[u8]| {
            let said = wire::decode(what, rest.get(at).copied().unwrap_or_default())?;
            Ok::<_, UrlError>(if said.is_empty() { other.to_vec() } else { said })
        };
        let most = match (first, rest.len()) {
            (_, 0) => {
                let word = wire::decode("word", first)?;
                return Ok(Dict::Define { word, database: b"!".to_vec(), number: None });
            }
            ("d", _) => 3,
            ("m", _) => 4,
            _ => {
                let why = "a dict URL asks by d:word:database:number or by m:word:database:strategy:number";
                return Err(UrlError::Malformed(why.into()));
            }
        };
        if rest.len() > most {
            return Err(UrlError::Malformed("a dict URL has a colon too many: one inside a word is %3A".into()));
        }
        let (word, database) = (field(0, "word", b"")?, field(1, "database", b"!")?);
        let number = match rest.get(most - 1).filter(|number| !number.is_empty()) {
            None => None,
            Some(number) => {
                let number = number.parse().ok().filter(|number| *number > 0);
                Some(number.ok_or_else(|| UrlError::Malformed("the last field of a dict URL is a number".into()))?)
            }
        };
        Ok(match first {
            "d" => Dict::Define { word, database, number },
            _ => Dict::Match { word, database, strategy: field(2, "strategy", b".")?, number },
        })
    }

    /// The commands that ask for it, without their line ends and without the farewell.
    ///
    /// # Errors
    /// A line that no server need take.
    pub fn commands(&self) -> Result<Vec<Vec<u8>>, UrlError> {
        let commands = match self {
            Dict::Front => vec![b"SHOW DB".to_vec(), b"SHOW STRAT".to_vec()],
            Dict::Define { word, database, .. } => vec![[b"DEFINE ", &*name(database), b" ", &*quoted(word)].concat()],
            Dict::Match { word, database, strategy, .. } => {
                vec![[b"MATCH ", &*name(database), b" ", &*name(strategy), b" ", &*quoted(word)].concat()]
            }
        };
        match commands.iter().any(|command| command.len() + 2 > LONGEST) {
            true => {
                Err(UrlError::Refused(format!("the word is too long: dictionaries take lines of {LONGEST} octets")))
            }
            false => Ok(commands),
        }
    }

    /// Words like one that is not there; `None` where that was the question.
    pub fn near(&self) -> Option<Dict> {
        match self {
            Dict::Define { word, database, .. } => Some(Dict::Match {
                word: word.clone(),
                database: database.clone(),
                strategy: b".".to_vec(),
                number: None,
            }),
            Dict::Front | Dict::Match { .. } => None,
        }
    }

    /// The reference by which a page of a server leads to it, from the slash on.
    pub fn path(&self) -> String {
        let coded = |field: &[u8]| escape::encode(field, PLAIN);
        let end = |number: &Option<u32>| number.map(|number| format!(":{number}")).unwrap_or_default();
        match self {
            Dict::Front => "/".into(),
            Dict::Define { word, database, number } => {
                format!("/d:{}:{}{}", coded(word), coded(database), end(number))
            }
            Dict::Match { word, database, strategy, number } => {
                format!("/m:{}:{}:{}{}", coded(word), coded(database), coded(strategy), end(number))
            }
        }
    }

    fn lacks_word(&self) -> bool {
        matches!(self, Dict::Define { word, .. } | Dict::Match { word, .. } if word.is_empty())
    }
}

/// Octets as a quoted word.
fn quoted(octets: &[u8]) -> Vec<u8> {
    let mut out = vec![b'"'];
    for octet in octets {
        if matches!(octet, b'"' | b'\\') {
            out.push(b'\\');
        }
        out.push(*octet);
    }
    out.push(b'"');
    out
}

/// A name, quoted where it is not of letters and digits.
fn name(octets: &[u8]) -> Vec<u8> {
    let plain = octets.iter().all(|octet| octet.is_ascii_alphanumeric() || PLAIN.contains(octet));
    if plain { octets.to_vec() } else { quoted(octets) }
}

/// The URL with a word for the one that it lacks.
pub(super) fn with_word(url: &Url, words: &[u8]) -> Result<Url, UrlError> {
    let mut dict = Dict::of(url)?;
    if let Dict::Define { word, .. } | Dict::Match { word, .. } = &mut dict {
        *word = words.to_vec();
    }
    super::with_path(url, &dict.path()).ok_or_else(|| UrlError::Malformed("this word makes no URL".into()))
}

pub(super) const WAYS: Ways = Ways {
    paths: Paths::Own,
    parts: |url| {
        let part = |kind, label, octets: &[u8]| Part { kind, label, text: show::octets(octets) };
        let mut parts = Vec::new();
        let number = match Dict::of(url)? {
            Dict::Front => None,
            Dict::Define { word, database, number } => {
                parts.push(part(PartKind::Query, "word", &word));
                parts.push(part(PartKind::Name, "database", &database));
                number
            }
            Dict::Match { word, database, strategy, number } => {
                parts.push(part(PartKind::Query, "words like", &word));
                parts.push(part(PartKind::Name, "database", &database));
                parts.push(part(PartKind::Extra, "strategy", &strategy));
                number
            }
        };
        parts.extend(number.map(|number| part(PartKind::Extra, "number", number.to_string().as_bytes())));
        Ok(parts)
    },
    fields: |url| {
        let text = |octets: &[u8]| show::field(octets);
        Ok(match Dict::of(url)? {
            Dict::Front => json!({ "form": "front" }),
            Dict::Define { word, database, number } => {
                json!({ "form": "define", "word": text(&word), "database": text(&database), "number": number })
            }
            Dict::Match { word, database, strategy, number } => json!({
                "form": "match", "word": text(&word), "database": text(&database), "strategy": text(&strategy),
                "number": number,
            }),
        })
    },
    plan: |url| {
        let (dict, server) = (Dict::of(url)?, server::server(url)?);
        if dict.lacks_word() {
            return Ok(Plan { act: Act::Ask(Ask::Search), confirm: server.confirm });
        }
        let mut commands: Vec<String> = dict.commands()?.iter().map(|command| wire::latin1(command)).collect();
        commands.push("QUIT".into());
        let act = Act::Commands { host: Some(server.host), port: server.port, commands };
        Ok(Plan { act, confirm: server.confirm })
    },
    up: |url| (url.path().len() > 1).then(|| super::with_path(url, "/")).flatten(),
    root: |url| (url.authority().is_some() && url.path().len() > 1).then(|| super::with_path(url, "/")).flatten(),
    ..known::OTHER
};
