//! Which charset a text is in: what was said of it, what its octets are, and which of the two is believed.
//!
//! The order, the same for every format:
//!
//! 1. a byte order mark: nothing else begins so;
//! 2. what the reader asked for on this page;
//! 3. UTF-8, where the octets are valid UTF-8 with characters beyond ASCII: no other text is that by chance, while servers and
//!    templates declare for years what their pages have long ceased to be. What was said still reads the octets that are not;
//! 4. what the reader chose for the place (host, path, groups) that the text is from;
//! 5. what the protocol declares, then what the page declares of itself: the header is of whoever sends this copy;
//! 6. the settings' word for texts that say nothing;
//! 7. the detector, which falls back to Windows-1252.
//!
//! This is the order of browsers (HTML, 13.2.3.2: mark, the user's override, transport, the first octets, detector), but for
//! UTF-8, which they only look for where nothing was said. A text that is declared to be UTF-8 and in which more is not than is
//! goes to the detector as well.

use super::evidence::{self, is_utf8, telling, weigh};
use super::{By, Charset, Said, Tail, detect, in_mail, known, letters};
use crate::doc::{ReadBy, sanitise};
use encoding_rs::{ISO_2022_JP, WINDOWS_1252};
use memchr::memchr;

/// How many octets, from the first that is not ASCII, a judgement may look at.
pub(super) const WINDOW: usize = 4096;

/// What a text is called in which there is nothing but ASCII.
pub(super) const ASCII: &str = "us-ascii";

/// What octets of a text say of its charset.
type Within = fn(&[u8]) -> Option<String>;

/// Why a text is read as it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Why {
    Mark,
    Said(By),
    Valid,
    Guessed,
}

/// Decides once for a text.
pub(in crate::format) struct Judge {
    says: Option<(Charset, By)>,
    unknown: Option<String>,
    /// The last label of the host: the detector knows who writes what.
    tld: Option<String>,
    used: Option<(Charset, Why)>,
    /// There was too little to guess by: what follows may be UTF-8 as well, and is read as both.
    thin: bool,
    /// What the octets of a text in UTF-8 look like that are none.
    others: Option<Charset>,
    /// What a text is in that is not UTF-8, where its name tells.
    otherwise: Option<Charset>,
    /// What a text may say of itself among the octets that are judged.
    within: Option<Within>,
}

impl Judge {
    /// A judge of a text of which this is said, from this host.
    pub(in crate::format) fn new(said: Option<&Said>, host: Option<&str>) -> Judge {
        Judge::by(said, host, known)
    }

    /// The same for what a message declares, see [`in_mail`].
    pub(in crate::format) fn in_mail(said: Option<&Said>) -> Judge {
        Judge::by(said, None, in_mail)
    }

    fn by(said: Option<&Said>, host: Option<&str>, known: fn(&str) -> Option<Charset>) -> Judge {
        let says = said.and_then(|said| Some((known(&said.name)?, said.by)));
        // Escape sequences are looked for anyway, and a custom of seven bits says nothing of eight but in which language.
        let (says, custom) = match says {
            Some((Charset::Hz, By::Default)) => (None, Some("cn")),
            Some((Charset::Web(seven), By::Default)) if seven == ISO_2022_JP => (None, Some("jp")),
            says => (says, None),
        };
        let silent = |name: &str| name.trim().is_empty() || name.trim().to_ascii_lowercase().ends_with("ascii");
        let unknown =
            said.filter(|said| says.is_none() && custom.is_none() && !silent(&said.name)).map(|said| said.name.clone());
        let tld = host.and_then(|host| host.rsplit('.').next()).or(custom).map(str::to_ascii_lowercase);
        // The detector panics at what is no label.
        let tld = tld.filter(|tld| !tld.is_empty() && tld.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-'));
        Judge { says, unknown, tld, used: None, thin: false, others: None, otherwise: None, within: None }
    }

    /// A judge that asks the text itself before it guesses.
    pub(in crate::format) fn asking(self, within: Within) -> Judge {
        Judge { within: Some(within), ..self }
    }

    /// A judge of a text of which nothing is said but by its name: it is in this charset, or in UTF-8.
    pub(in crate::format) fn otherwise(charset: Charset) -> Judge {
        Judge { otherwise: Some(charset), ..Judge::new(None, None) }
    }

    /// The charset that needs no look at the text: asked for, or one whose ASCII octets are not ASCII.
    pub(in crate::format) fn at_once(&mut self) -> Option<Charset> {
        let (charset, by) = self.says.filter(|(charset, by)| *by == By::Asked || !charset.extends_ascii())?;
        self.used = Some((charset, Why::Said(by)));
        Some(charset)
    }

    /// A byte order mark was found.
    pub(in crate::format) fn marked(&mut self, charset: Charset) {
        self.others = self.says.filter(|(said, _)| said.is_of_octets()).map(|(said, _)| said);
        self.used = Some((charset, Why::Mark));
    }

    /// Escape sequences of a charset were found.
    pub(in crate::format) fn escaped(&mut self, charset: Charset) {
        self.used.get_or_insert((charset, Why::Guessed));
    }

    /// Whether escape sequences in plain ASCII may mean something.
    pub(in crate::format) fn may_be_escaped(&self) -> bool {
        self.used.is_none() && self.says.is_none_or(|(_, by)| by == By::Default)
    }

    /// The page's own word, which may come late; false when it comes too late, since the text was already read as another.
    pub(in crate::format) fn declare(&mut self, name: &str) -> bool {
        let Some(charset) = known(name).filter(|_| self.says.is_none_or(|(_, by)| by == By::Default)) else {
            return true;
        };
        let read = self.used.filter(|(_, why)| matches!(why, Why::Guessed | Why::Said(By::Default)));
        if let Some((other, _)) = read {
            return other.name() == charset.name();
        }
        self.says = Some((charset, By::Declared));
        true
    }

    /// The charset of octets that begin with the first that is not ASCII; `None` while more must be seen. What is said after that
    /// does not change how the octets are read that are none of it: how much of a text comes at a time is chance.
    pub(in crate::format) fn judge(&mut self, window: &[u8], tail: Tail) -> Option<Charset> {
        let charset = self.weighed(window, tail)?;
        if let Some((said, _)) = self.says.filter(|(said, _)| said.is_of_octets()) {
            self.others = Some(said);
        }
        Some(charset)
    }

    fn weighed(&mut self, window: &[u8], tail: Tail) -> Option<Charset> {
        let seen = &window[..window.len().min(WINDOW)];
        let line = memchr(b'\n', seen).map(|end| &seen[..end]);
        let whole = seen.len() == WINDOW || tail == Tail::Last;
        if line.is_none() && !whole {
            return None;
        }
        let first = line.unwrap_or(seen);
        let cut = line.is_none();
        let guesses = whole && self.says.is_none() && !is_utf8(first, cut);
        if guesses && let Some(charset) = self.within.take().and_then(|within| known(&within(seen)?)) {
            self.says = Some((charset, By::Declared));
        }
        let mostly = || matches!(weigh(seen), (good, bad) if good >= bad);
        let tells = || std::str::from_utf8(first).map_or(cut, |text| telling(text) > 0);
        let (charset, why) = match self.says {
            Some((Charset::Utf8, by)) if is_utf8(first, cut) || whole && mostly() => (Charset::Utf8, Why::Said(by)),
            Some((said, by)) if !matches!(said, Charset::Utf8) => match evidence::overrules(seen, whole, said)? {
                true => (Charset::Utf8, Why::Valid),
                false => (said, Why::Said(by)),
            },
            None if is_utf8(first, cut) && tells() || whole && is_utf8(seen, true) => (Charset::Utf8, Why::Valid),
            _ if !whole => return None,
            _ => return Some(self.guess(seen, tail)),
        };
        self.used = Some((charset, why));
        Some(charset)
    }

    /// What octets look like that are not UTF-8 alone.
    fn guess(&mut self, seen: &[u8], tail: Tail) -> Charset {
        if let Some(charset) = self.otherwise {
            self.used = Some((charset, Why::Guessed));
            return charset;
        }
        let tld = self.tld.as_deref();
        let (good, bad) = weigh(seen);
        let rest = evidence::without_utf8(seen);
        let thin = detect::is_western(tld) && evidence::is_thin(if good > 0 { &rest } else { seen });
        let western = Charset::Web(WINDOWS_1252);
        if good == 0
            && self.says.is_none()
            && detect::is_western(tld)
            && let Some(charset) = letters::by_letters(seen)
        {
            self.used = Some((charset, Why::Guessed));
            return charset;
        }
        if good > 0 && good >= bad && !detect::is_drawn(&rest) {
            let others = if thin { western } else { detect::detect(&rest, tail, tld) };
            self.others = Some(others).filter(|others| others.is_of_octets() && others.name() != western.name());
            self.used = Some((Charset::Utf8, Why::Valid));
            return Charset::Utf8;
        }
        if thin {
            self.thin = self.says.is_none();
            self.used = Some(match self.says {
                Some((said, by)) => (said, Why::Said(by)),
                None => (western, Why::Guessed),
            });
            return Charset::Utf8;
        }
        let charset = detect::detect(seen, tail, tld);
        self.used = Some((charset, Why::Guessed));
        charset
    }

    /// More of a text of which there was too little: UTF-8 in it says what it is.
    pub(in crate::format) fn meet(&mut self, octets: &[u8]) {
        if self.thin && weigh(octets).0 > 0 {
            self.thin = false;
            self.used = Some((Charset::Utf8, Why::Valid));
        }
    }

    /// Whether the charset is no more than a guess, beside which lines of UTF-8 stand for themselves.
    pub(super) fn is_guessed(&self) -> bool {
        matches!(self.used, Some((Charset::Web(_), Why::Guessed)))
    }

    /// What reads lines that cannot be in the charset of the others.
    fn otherwise_read(&self) -> Option<Charset> {
        match self.used?.0 {
            Charset::Web(_) if self.yields() => Some(Charset::Utf8),
            Charset::Utf8 if self.says_more() => Some(self.fallback()),
            _ => None,
        }
    }

    /// Whether a line of UTF-8 speaks for itself.
    fn yields(&self) -> bool {
        let told = |why| matches!(why, Why::Guessed | Why::Said(By::Chosen | By::Declared | By::Default));
        self.used
            .is_some_and(|(charset, why)| matches!(charset, Charset::Web(_)) && told(why) && charset.extends_ascii())
    }

    /// Whether a line that is read by itself is UTF-8 whatever the others are: menus and listings are put together from many
    /// hands.
    pub(in crate::format) fn overrules(&self, line: &[u8]) -> bool {
        let Some((charset, _)) = self.used.filter(|_| self.yields()) else { return false };
        evidence::overrules(line, true, charset) == Some(true)
    }

    /// What reads the octets of a text in UTF-8 that are none.
    pub(in crate::format) fn fallback(&self) -> Charset {
        let said = self.says.filter(|(said, _)| self.used.is_none() && said.is_of_octets()).map(|(said, _)| said);
        said.or(self.others).unwrap_or(Charset::Web(WINDOWS_1252))
    }

    /// Whether the octets of a text in UTF-8 that are none were said to be something, or look like something.
    pub(in crate::format) fn says_more(&self) -> bool {
        self.others.is_some() || self.used.is_none() && self.says.is_some_and(|(said, _)| said.is_of_octets())
    }

    /// Whether there is something to say of the charset.
    pub(in crate::format) fn knows(&self) -> bool {
        self.used.is_some() || self.says.is_some()
    }

    /// What the text was read by, and why.
    pub(in crate::format) fn used(&self) -> ReadBy {
        // Of nothing but ASCII it is true as well what was said.
        let Some((charset, why)) = self.used.or(self.says.map(|(said, by)| (said, Why::Said(by)))) else {
            return ReadBy { name: ASCII.into(), why: "nothing else has come".into(), otherwise: None };
        };
        let said = self.says.filter(|_| matches!(why, Why::Valid)).map(|(said, _)| said.name());
        let why = match why {
            Why::Mark => "byte order mark".into(),
            Why::Said(By::Asked | By::Chosen) => "chosen".into(),
            Why::Said(By::Declared) => "declared".into(),
            Why::Said(By::Default) => "set for texts that do not say".into(),
            Why::Valid => said.map_or("guessed".into(), |said| format!("it is valid; {said} was said")),
            Why::Guessed => "guessed".into(),
        };
        ReadBy { name: charset.name(), why, otherwise: self.otherwise_read().map(Charset::name) }
    }

    /// What the reader should know of how the text was read.
    pub(in crate::format) fn notes(&self, strays: bool) -> Vec<String> {
        let mut notes = Vec::new();
        notes.extend(self.unknown.as_ref().map(|name| format!("unknown charset \"{}\"", sanitise(name))));
        if let Some((charset, Why::Guessed)) = self.used {
            notes.push(format!("charset guessed: {}", charset.name()));
        } else if strays {
            notes.push(format!("some octets are not utf-8; they were read as {}", self.fallback().name()));
        }
        notes
    }
}
