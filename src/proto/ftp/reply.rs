//! Commands as lines, replies as codes and words (RFC 959, 4.2).

use crate::proto::said::sentence;
pub(super) use crate::proto::said::text;

/// Octets as characters, one for each: how commands and names go through the library unharmed.
pub(super) fn raw(octets: &[u8]) -> String {
    octets.iter().map(|&octet| char::from(octet)).collect()
}

/// A command line.
pub(super) fn line(verb: &str, argument: &[u8]) -> String {
    format!("{verb} {}", raw(argument))
}

/// A server's answer to a command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Reply {
    /// The code; 0 when there is none.
    pub code: u16,
    /// Its lines, codes included.
    pub lines: Vec<String>,
}

impl Reply {
    /// Reads a whole reply. Its last line has the code that counts.
    pub fn of(octets: &[u8]) -> Reply {
        let lines: Vec<String> = octets
            .split(|octet| *octet == b'\n')
            .map(|line| text(line).trim_end_matches(['\r', '\0']).to_owned())
            .filter(|line| !line.is_empty())
            .collect();
        let code = lines.last().and_then(|line| line.get(..3)?.parse().ok()).unwrap_or_default();
        Reply { code, lines }
    }

    /// Whether the server has done what it was asked.
    pub fn is_done(&self) -> bool {
        (200..300).contains(&self.code)
    }

    /// Whether the server does not do it, now or ever.
    pub fn is_refusal(&self) -> bool {
        (400..600).contains(&self.code)
    }

    /// Code and words for a sentence: `550 No such file.`
    pub fn words(&self) -> String {
        let words: Vec<&str> =
            self.lines.iter().map(|line| self.said(line).trim()).filter(|said| !said.is_empty()).collect();
        sentence(self.code, &words.join(" "))
    }

    /// A line without its code.
    pub fn said<'a>(&self, line: &'a str) -> &'a str {
        let coded = line.get(..3).is_some_and(|code| code.parse() == Ok(self.code));
        let rest = if coded { &line[3..] } else { line };
        rest.strip_prefix(['-', ' ']).filter(|_| coded).unwrap_or(rest)
    }

    pub fn mentions(&self, words: &[&str]) -> bool {
        let said = self.words().to_ascii_lowercase();
        words.iter().any(|word| said.contains(word))
    }

    /// Whether it is there and may not be read.
    pub fn denies(&self) -> bool {
        matches!(self.code, 530 | 532)
            || self.mentions(&["permission", "denied", "not allowed", "not permitted", "prohibited"])
    }

    /// Whether the server has too many visitors. Many refuse a login that failed too often in nearly the same words.
    pub fn is_crowded(&self) -> bool {
        const CROWD: &[&str] =
            &["too many", "maximum", " limit ", " limit.", "busy", "is full", "again later", "try later"];
        const PEOPLE: &[&str] = &["users", "clients", "connections", "sessions", "visitors"];
        const LOGIN: &[&str] = &["attempts", "failures", "failed", "incorrect", "invalid", "tries", "password"];
        let crowd = matches!(self.code, 400..=499 | 530 | 550) && self.mentions(CROWD);
        crowd && (self.mentions(PEOPLE) || !self.mentions(LOGIN))
    }

    /// Whether the server wants TLS first.
    pub fn wants_tls(&self) -> bool {
        matches!(self.code, 522 | 534) || self.mentions(&["encrypt", "tls", "ssl", "secure connection"])
    }

    /// Whether a refused RETR may have named a directory. Most servers say 550; VxWorks, for one, says 450 or 501.
    pub fn may_be_directory(&self) -> bool {
        matches!(self.code, 450 | 451 | 501 | 504 | 550..=553)
    }

    /// Whether a listing command is unknown, or found nothing it could list: another may do better.
    pub fn leaves_others(&self) -> bool {
        matches!(self.code, 450 | 451 | 500..=504 | 522 | 550)
    }

    /// Whether it says that a directory is empty, which wu-ftpd and others call a failure.
    pub fn says_empty(&self) -> bool {
        matches!(self.code, 450 | 550) && self.mentions(&["no files", "no such file", "empty", "not found"])
    }

    /// The words of its last line, when the server has done what it was asked.
    pub fn value(&self) -> Option<&str> {
        let last = self.lines.last().filter(|_| self.is_done())?;
        last.get(4..).map(str::trim)
    }

    /// The number that it ends with.
    pub fn number(&self) -> Option<u64> {
        self.value()?.parse().ok()
    }

    /// Whether it is as replies are: one code from beginning to end, and one that FTP knows.
    pub fn is_regular(&self) -> bool {
        let first = self.lines.first().and_then(|line| line.get(..3)?.parse().ok());
        (100..600).contains(&self.code) && first == Some(self.code)
    }

    /// Whether the server takes the session for one without a login.
    pub fn wants_login(&self) -> bool {
        matches!(self.code, 503 | 530)
    }

    /// Whether FEAT offers AUTH TLS (RFC 4217, 6): `AUTH TLS`, or several mechanisms on one line.
    pub fn offers_tls(&self) -> bool {
        self.is_done()
            && self.lines.iter().any(|line| {
                let said = self.said(line).trim().to_ascii_uppercase();
                said.strip_prefix("AUTH ").is_some_and(|means| means.split([' ', ';', ',']).any(|word| word == "TLS"))
            })
    }

    /// Whether FEAT offers something (RFC 2389, 3.2): lines between the first and the last, each one feature.
    pub fn offers(&self, feature: &str) -> bool {
        self.feature(feature).is_some()
    }

    /// What FEAT says behind the name of something that it offers.
    pub fn feature(&self, feature: &str) -> Option<&str> {
        self.lines.iter().filter(|_| self.is_done()).find_map(|line| {
            let said = self.said(line).trim();
            let (first, rest) = said.split_once(' ').unwrap_or((said, ""));
            first.eq_ignore_ascii_case(feature).then_some(rest)
        })
    }
}

/// Whether an answer of several lines has not come to its last one (RFC 959, 4.2): lines inside may begin with other codes.
pub(super) fn is_torn(octets: &[u8]) -> bool {
    let [a, b, c, b'-', ..] = octets else { return false };
    let last = octets.strip_suffix(b"\n").unwrap_or(octets);
    let last = memchr::memrchr(b'\n', last).map_or(last, |at| &last[at + 1..]);
    last.get(..3).is_none_or(|code| code != [*a, *b, *c])
}

/// The directory in an answer to PWD (RFC 959, appendix II): in quotes, a quote in it doubled.
pub(super) fn directory(octets: &[u8]) -> Option<Vec<u8>> {
    let mut rest = octets.strip_prefix(b"257")?;
    rest = &rest[rest.iter().position(|octet| *octet == b'"')? + 1..];
    let mut name = Vec::new();
    loop {
        match rest {
            [b'"', b'"', ..] => {
                name.push(b'"');
                rest = &rest[2..];
            }
            [b'"', ..] => break,
            [b'\r' | b'\n' | 0, ..] | [] => return None,
            [octet, ..] => {
                name.push(*octet);
                rest = &rest[1..];
            }
        }
    }
    (!name.is_empty()).then_some(name)
}
