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

use super::{By, Charset, Said, Tail, detect, in_mail, known};
use crate::doc::{ReadBy, sanitise};
use encoding_rs::WINDOWS_1252;
use memchr::memchr;

/// How many octets, from the first that is not ASCII, a judgement may look at.
pub(super) const WINDOW: usize = 4096;
/// So many characters of UTF-8 are no accident in a charset of two octets a character, of which one or two may look so.
const BEYOND_DOUBT: usize = 4;

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
        let silent = |name: &str| name.trim().is_empty() || name.trim().to_ascii_lowercase().ends_with("ascii");
        let unknown = said.filter(|said| says.is_none() && !silent(&said.name)).map(|said| said.name.clone());
        let tld = host.and_then(|host| host.rsplit('.').next()).map(str::to_ascii_lowercase);
        // The detector panics at what is no label.
        let tld = tld.filter(|tld| !tld.is_empty() && tld.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-'));
        Judge { says, unknown, tld, used: None, within: None }
    }

    /// A judge that asks the text itself before it guesses.
    pub(in crate::format) fn asking(self, within: Within) -> Judge {
        Judge { within: Some(within), ..self }
    }

    /// The charset that needs no look at the text: asked for, or one whose ASCII octets are not ASCII.
    pub(in crate::format) fn at_once(&mut self) -> Option<Charset> {
        let (charset, by) = self.says.filter(|(charset, by)| *by == By::Asked || !charset.extends_ascii())?;
        self.used = Some((charset, Why::Said(by)));
        Some(charset)
    }

    /// A byte order mark was found.
    pub(in crate::format) fn marked(&mut self, charset: Charset) {
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

    /// The charset of octets that begin with the first that is not ASCII; `None` while more must be seen.
    pub(in crate::format) fn judge(&mut self, window: &[u8], tail: Tail) -> Option<Charset> {
        let seen = &window[..window.len().min(WINDOW)];
        let line = memchr(b'\n', seen).map(|end| &seen[..end]);
        let whole = seen.len() == WINDOW || tail == Tail::Last;
        if line.is_none() && !whole {
            return None;
        }
        let some = line.unwrap_or(seen);
        let guesses = whole && self.says.is_none() && !is_utf8(some, line.is_none());
        if guesses && let Some(charset) = self.within.take().and_then(|within| known(&within(seen)?)) {
            self.says = Some((charset, By::Declared));
        }
        let (charset, why) = match self.says {
            Some((Charset::Utf8, by)) => match is_utf8(some, line.is_none()) || (whole && mostly_utf8(seen)) {
                true => (Charset::Utf8, Why::Said(by)),
                false if !whole => return None,
                false => (detect::detect(seen, tail, self.tld.as_deref()), Why::Guessed),
            },
            Some((said, _)) if overrules(some, line.is_none(), said) => (Charset::Utf8, Why::Valid),
            Some((said, by)) => (said, Why::Said(by)),
            None if is_utf8(some, line.is_none()) => (Charset::Utf8, Why::Valid),
            None if !whole => return None,
            None => (detect::detect(seen, tail, self.tld.as_deref()), Why::Guessed),
        };
        self.used = Some((charset, why));
        Some(charset)
    }

    /// Whether a line that is read by itself is UTF-8 whatever the others are: menus and listings are put together from many
    /// hands.
    pub(in crate::format) fn overrules(&self, line: &[u8]) -> bool {
        let Some((charset @ Charset::Web(_), why)) = self.used else { return false };
        match why {
            Why::Guessed => std::str::from_utf8(line).is_ok(),
            Why::Said(By::Chosen | By::Declared | By::Default) => overrules(line, false, charset),
            Why::Mark | Why::Valid | Why::Said(By::Asked) => false,
        }
    }

    /// What reads the octets of a text in UTF-8 that are none.
    pub(in crate::format) fn fallback(&self) -> Charset {
        match self.says {
            Some((said, _)) if said.is_of_octets() => said,
            _ => Charset::Web(WINDOWS_1252),
        }
    }

    /// Whether the octets of a text in UTF-8 that are none were said to be something.
    pub(in crate::format) fn says_more(&self) -> bool {
        self.says.is_some_and(|(said, _)| said.is_of_octets())
    }

    /// Whether there is something to say of the charset.
    pub(in crate::format) fn knows(&self) -> bool {
        self.used.is_some() || self.says.is_some()
    }

    /// What the text was read by, and why.
    pub(in crate::format) fn used(&self) -> ReadBy {
        // Of nothing but ASCII it is true as well what was said.
        let Some((charset, why)) = self.used.or(self.says.map(|(said, by)| (said, Why::Said(by)))) else {
            return ReadBy { name: ASCII.into(), why: "nothing else has come".into() };
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
        ReadBy { name: charset.name(), why }
    }

    /// What the reader should know of how the text was read.
    pub(in crate::format) fn notes(&self, strays: bool) -> Vec<String> {
        let mut notes = Vec::new();
        notes.extend(self.unknown.as_ref().map(|name| format!("unknown charset \"{}\"", sanitise(name))));
        if let Some((charset, Why::Guessed)) = self.used {
            notes.push(format!("charset guessed: {}", charset.name()));
        }
        if strays {
            notes.push(format!("some octets are not utf-8; they were read as {}", self.fallback().name()));
        }
        notes
    }
}

/// Whether octets are UTF-8, if need be cut within a character by the window itself.
fn is_utf8(octets: &[u8], may_be_cut: bool) -> bool {
    match std::str::from_utf8(octets) {
        Ok(_) => true,
        Err(error) => may_be_cut && error.error_len().is_none() && error.valid_up_to() > 0,
    }
}

/// Whether octets are UTF-8 although another charset was said.
fn overrules(octets: &[u8], may_be_cut: bool, said: Charset) -> bool {
    let enough = if said.is_of_octets() && matches!(said, Charset::Web(_)) { 1 } else { BEYOND_DOUBT };
    // Each character beyond ASCII has one octet that begins it.
    let begun = || octets.iter().filter(|b| **b >= 0xC0).take(enough).count();
    begun() == enough && is_utf8(octets, may_be_cut)
}

/// Whether more characters are UTF-8 than octets are not.
fn mostly_utf8(octets: &[u8]) -> bool {
    let (mut good, mut bad) = (0_usize, 0_usize);
    for chunk in octets.utf8_chunks() {
        good += chunk.valid().bytes().filter(|b| *b >= 0xC0).count();
        bad += chunk.invalid().len();
    }
    good >= bad
}
