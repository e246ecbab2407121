//! What `gpg` says of a signature, by the status lines that it writes for programs (`doc/DETAILS` of GnuPG).

use crate::doc::sanitise;

/// Whether a signature is right, and that in words; `None` when nothing could tell. `cut`: what it complains of.
pub(super) fn judged(name: &str, status: &[u8], cut: Option<&str>) -> (Option<bool>, String) {
    let text = String::from_utf8_lossy(status);
    let lines = || text.lines().filter_map(|line| line.strip_prefix("[GNUPG:] "));
    // what follows a key's number is its owner, as the key says it
    let of = |word: &str| {
        let line = lines().find_map(|line| line.strip_prefix(word)?.strip_prefix(' '))?;
        let owner = line.split_once(' ').map_or(line, |(_, owner)| owner);
        Some(sanitise(owner.trim()).into_owned())
    };
    let says = |word: &str| lines().any(|line| line.split(' ').next() == Some(word));
    if let Some(owner) = of("BADSIG") {
        return (
            Some(false),
            format!("does NOT agree: {name} is no signature of this file; it names the key of {owner}"),
        );
    }
    for (word, why) in [
        ("REVKEYSIG", "was made with a key that its owner has revoked"),
        ("EXPKEYSIG", "was made with a key that has expired"),
        ("EXPSIG", "has expired"),
    ] {
        if let Some(owner) = of(word) {
            return (None, format!("the signature {name} {why}: {owner}"));
        }
    }
    if let Some(owner) = of("GOODSIG") {
        let trusted = ["TRUST_MARGINAL", "TRUST_FULLY", "TRUST_ULTIMATE"].iter().any(|word| says(word));
        return match trusted {
            true => (Some(true), format!("{name} is a good signature of {owner}")),
            false => (
                None,
                format!("{name} is a good signature by a key that says it is of {owner}; gpg has no proof of that"),
            ),
        };
    }
    let key = lines().find_map(|line| line.strip_prefix("NO_PUBKEY ")).map(|key| sanitise(key).into_owned());
    let why = match (key, cut) {
        (Some(key), _) => format!("gpg has no key {key}"),
        (None, Some(cut)) => cut.to_owned(),
        (None, None) => "gpg says nothing of it".into(),
    };
    (None, format!("the signature {name} is not checked: {why}"))
}
