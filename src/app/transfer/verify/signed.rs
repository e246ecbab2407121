//! What `gpg` says of a signature, by the status lines that it writes for programs (`doc/DETAILS` of GnuPG).
//!
//! A file may hold several signatures: what is said of one, a good name or that its key is trusted, is never put to another's.

use super::verdict::DIFFERS;
use crate::doc::sanitise;

/// What is said of one signature.
#[derive(Default)]
struct Signature<'a> {
    /// The word that says how it is, and behind it the owner of its key, as the key says it.
    verdict: Option<(&'a str, String)>,
    /// The lines that a signature has which is right in all, and whose key is known to be its owner's.
    valid: bool,
    trusted: bool,
}

impl Signature<'_> {
    fn is(&self, word: &str) -> bool {
        self.verdict.as_ref().is_some_and(|(verdict, _)| *verdict == word)
    }
}

const VERDICTS: &[&str] = &["GOODSIG", "BADSIG", "ERRSIG", "EXPSIG", "EXPKEYSIG", "REVKEYSIG"];

fn signatures(text: &str) -> Vec<Signature<'_>> {
    let mut found = vec![Signature::default()];
    for line in text.lines().filter_map(|line| line.strip_prefix("[GNUPG:] ")) {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        let verdict = VERDICTS.contains(&word);
        // each has one
        if word == "NEWSIG" || verdict && found.last().is_some_and(|last| last.verdict.is_some()) {
            found.push(Signature::default());
        }
        let Some(last) = found.last_mut() else { continue };
        match word {
            // what follows a key's number is its owner
            _ if verdict => {
                let owner = rest.split_once(' ').map_or(rest, |(_, owner)| owner);
                last.verdict = Some((word, sanitise(owner.trim()).into_owned()));
            }
            "VALIDSIG" => last.valid = true,
            "TRUST_FULLY" | "TRUST_ULTIMATE" => last.trusted = true,
            _ => {}
        }
    }
    found
}

/// What came of all of them.
enum Outcome {
    /// One is not of what it is beside: the owner of its key.
    Bad(String),
    /// One is right, and its key its owner's.
    Good(String),
    /// One is right, but its key is past it: what became of it, and its owner.
    Past(&'static str, String),
    /// One is right, by a key that says whose it is.
    Unproven(String),
    /// Nothing could tell: the key that is not here, if that is why.
    Unknown(Option<String>),
}

fn outcome(status: &[u8]) -> Outcome {
    let text = String::from_utf8_lossy(status);
    let all = signatures(&text);
    let owner = |one: &Signature<'_>| one.verdict.as_ref().map(|(_, owner)| owner.clone()).unwrap_or_default();
    let of = |word: &str| all.iter().find(|one| one.is(word)).map(owner);
    if let Some(owner) = of("BADSIG") {
        return Outcome::Bad(owner);
    }
    if let Some(owner) = all.iter().find(|one| one.is("GOODSIG") && one.valid && one.trusted).map(owner) {
        return Outcome::Good(owner);
    }
    for (word, why) in [
        ("REVKEYSIG", "was made with a key that its owner has revoked"),
        ("EXPKEYSIG", "was made with a key that has expired"),
        ("EXPSIG", "has expired"),
    ] {
        if let Some(owner) = of(word) {
            return Outcome::Past(why, owner);
        }
    }
    if let Some(owner) = of("GOODSIG") {
        return Outcome::Unproven(owner);
    }
    let key = text.lines().find_map(|line| line.strip_prefix("[GNUPG:] NO_PUBKEY "));
    Outcome::Unknown(key.map(|key| sanitise(key).into_owned()))
}

/// What a signature is of that has in it what it signs.
pub(super) const ITSELF: &str = "its own text";

/// Whether a signature of what is called so is right, and that in words; `None` when nothing could tell. What `gpg` says for people goes
/// to nobody.
pub(super) fn judged(name: &str, of: &str, status: &[u8]) -> (Option<bool>, String) {
    match outcome(status) {
        Outcome::Bad(owner) => {
            (Some(false), format!("{DIFFERS}: {name} is no signature of {of}; it names the key of {owner}"))
        }
        Outcome::Good(owner) => (Some(true), format!("{name} is a good signature of {owner}")),
        Outcome::Past(why, owner) => (None, format!("the signature {name} {why}: {owner}")),
        Outcome::Unproven(owner) => {
            (None, format!("{name} is a good signature by a key that says it is of {owner}; gpg has no proof of that"))
        }
        Outcome::Unknown(key) => (None, format!("the signature {name} is not checked: {}", unknown(key))),
    }
}

/// The owner of the key, if a signature is right, and its key its owner's.
pub(super) fn good(status: &[u8]) -> Option<String> {
    if let Outcome::Good(owner) = outcome(status) { Some(owner) } else { None }
}

/// The same of an article, whose header no signature covers.
pub(in crate::app::transfer) fn told(status: &[u8]) -> (Option<bool>, String) {
    match outcome(status) {
        Outcome::Bad(owner) => {
            (Some(false), format!("the text was CHANGED, or is not by whom it says: it names the key of {owner}"))
        }
        Outcome::Good(owner) => (Some(true), format!("the text is signed by {owner}; nothing vouches for the header")),
        Outcome::Past(why, owner) => (None, format!("the signature {why}: {owner}")),
        Outcome::Unproven(owner) => {
            (None, format!("signed by a key that says it is of {owner}; gpg has no proof of that"))
        }
        Outcome::Unknown(key) => (None, format!("nothing was checked: {}", unknown(key))),
    }
}

fn unknown(key: Option<String>) -> String {
    match key {
        Some(key) => format!("gpg has no key {key}"),
        None => "gpg finds no signature that it can read".into(),
    }
}
