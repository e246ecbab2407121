//! Secrets in what others say: a server that was told a password may say it again, and what it says is shown and kept.
//!
//! A secret is looked for in the text as people will see it, after [`sanitise`]: what the sanitiser drops between two letters
//! hides nothing, and neither does another case. Refuses: a server that writes it in a code of its own (base64, backwards).

use super::sanitise::{sanitise, sequence, shows};
use memchr::memmem;
use std::ops::Range;

/// The least letters of a secret that is looked for: a shorter one stands in every other sentence by chance.
const LEAST: usize = 3;
/// The least letters of a secret that is looked for inside words; of a shorter one only a whole word is taken for it.
pub const INSIDE: usize = 4;

/// A text that shows secrets, sanitised and with stars for them; `None` when it shows none.
pub fn conceal(text: &str, secrets: &[String]) -> Option<String> {
    let once = starred(text, &secrets_in(text, secrets))?;
    let shown: Vec<_> = once.split('\n').map(sanitise).collect();
    let shown = shown.join("\n");
    // What stood between two halves may have gone with the stars.
    Some(starred(&shown, &secrets_in(&shown, secrets)).unwrap_or(shown))
}

/// Where a text shows secrets, in order, whatever stands between their letters that is not seen, as they are and as addresses
/// write them: escaped, once or twice, with a plus for a space.
pub fn secrets_in(text: &str, secrets: &[String]) -> Vec<Range<usize>> {
    let sought: Vec<String> = secrets.iter().flat_map(|secret| spellings(secret)).collect();
    let mut found: Vec<Range<usize>> = Vec::new();
    if sought.is_empty() {
        return found;
    }
    let escapes = text.contains(['%', '+']);
    // Of an escape that begins no sequence the letter behind it is one, and of a sequence none is.
    for letters in [letters(text, false), letters(text, true)] {
        let once = escapes.then(|| decoded(&letters));
        let twice = once.as_deref().map(decoded);
        let spaced = [&once, &twice].into_iter().flatten().map(|read| spaced(read));
        for read in std::iter::once(letters.clone()).chain(spaced) {
            let octets: Vec<u8> = read.iter().map(|(octet, _)| *octet).collect();
            for secret in &sought {
                let hits = memmem::find_iter(&octets, secret.as_bytes());
                let is_short = secret.chars().nth(INSIDE - 1).is_none();
                let hits = hits.filter(|at| !is_short || is_word(&octets, *at..at + secret.len()));
                found.extend(hits.map(|at| read[at].1.start..read[at + secret.len() - 1].1.end));
            }
            found.extend(sought.iter().filter_map(|secret| begun(&read, &octets, secret)).max_by_key(Range::len));
        }
    }
    merged(found)
}

/// Whether octets are no part of a longer word; those beyond ASCII are letters.
pub fn is_word(octets: &[u8], place: Range<usize>) -> bool {
    let goes_on = |octet: Option<&u8>| octet.is_some_and(|octet| octet.is_ascii_alphanumeric() || !octet.is_ascii());
    let before = place.start.checked_sub(1).and_then(|before| octets.get(before));
    !goes_on(before) && !goes_on(octets.get(place.end))
}

/// Places in order, those that meet as one.
pub fn merged(mut places: Vec<Range<usize>>) -> Vec<Range<usize>> {
    places.sort_by_key(|range| range.start);
    places.dedup_by(|next, before| {
        let meets = next.start < before.end;
        before.end = if meets { before.end.max(next.end) } else { before.end };
        meets
    });
    places
}

/// A text with stars in places; `None` where there are no places.
pub fn starred(text: &str, places: &[Range<usize>]) -> Option<String> {
    let (mut out, mut done) = (String::with_capacity(text.len()), 0);
    for place in places {
        out.push_str(&text[done..place.start]);
        out.push_str("***");
        done = place.end;
    }
    (done > 0).then(|| out + &text[done..])
}

/// The letters of a secret, as UTF-8 and as those see it who read Latin-1.
fn spellings(secret: &str) -> Vec<String> {
    let latin: String = secret.bytes().map(char::from).collect();
    let ways = if secret.is_ascii() { vec![secret.to_owned()] } else { vec![secret.to_owned(), latin] };
    let mut spelt = Vec::new();
    for way in ways {
        let octets = letters(&way, false).into_iter().map(|(octet, _)| octet).collect();
        let lower = String::from_utf8(octets).unwrap_or_default();
        // A secret may hold a plus of its own, and where it is taken for a space, so is that.
        let blank = lower.replace('+', " ");
        for spelling in [lower, blank] {
            if spelling.chars().nth(LEAST - 1).is_some() && !spelt.contains(&spelling) {
                spelt.push(spelling);
            }
        }
    }
    spelt
}

/// An octet of a text, decoded or not, and where it stands there.
pub type Read = (u8, Range<usize>);

/// What can be seen of a text, in one case.
fn letters(text: &str, sequences: bool) -> Vec<Read> {
    let mut letters = Vec::with_capacity(text.len());
    let mut at = 0;
    while let Some(c) = text[at..].chars().next() {
        let end = at + c.len_utf8();
        match sequence(&text[at..]).filter(|_| sequences && !shows(c)) {
            Some(len) => at += len,
            None => {
                if let Some(lower) = c.to_lowercase().next().filter(|_| shows(c)) {
                    letters.extend(lower.encode_utf8(&mut [0; 4]).bytes().map(|octet| (octet, at..end)));
                }
                at = end;
            }
        }
    }
    letters
}

/// What is written with escapes, without one layer of them.
pub fn decoded(read: &[Read]) -> Vec<Read> {
    let digit = |at: usize| read.get(at).and_then(|(octet, _)| char::from(*octet).to_digit(16));
    let mut out = Vec::with_capacity(read.len());
    let mut at = 0;
    while let Some((octet, range)) = read.get(at) {
        match (octet, digit(at + 1), digit(at + 2)) {
            (b'%', Some(high), Some(low)) => {
                let octet = u8::try_from(high * 16 + low).unwrap_or(b'?');
                out.push((octet, range.start..read[at + 2].1.end));
                at += 3;
            }
            _ => {
                out.push((*octet, range.clone()));
                at += 1;
            }
        }
    }
    out
}

/// What was decoded, in one case, a plus as the space for which it stands.
fn spaced(read: &[Read]) -> Vec<Read> {
    let octets: Vec<u8> = read.iter().map(|(octet, _)| *octet).collect();
    let (mut out, mut at) = (Vec::with_capacity(read.len()), 0);
    for chunk in octets.utf8_chunks() {
        for c in chunk.valid().chars() {
            let end = at + c.len_utf8();
            let place = read[at].1.start..read[end - 1].1.end;
            let folded = if c == '+' { ' ' } else { c.to_lowercase().next().unwrap_or(c) };
            out.extend(folded.encode_utf8(&mut [0; 4]).bytes().map(|octet| (octet, place.clone())));
            at = end;
        }
        let end = at + chunk.invalid().len();
        out.extend_from_slice(&read[at..end]);
        at = end;
    }
    out
}

/// The beginning of a secret at the end of a text that was cut short, be it within an escape.
fn begun(read: &[Read], octets: &[u8], secret: &str) -> Option<Range<usize>> {
    let cut = octets.strip_suffix(b".").unwrap_or(octets).strip_suffix("…".as_bytes())?;
    let torn = [1, 2].into_iter().find(|len| cut.len().checked_sub(*len).is_some_and(|at| cut[at] == b'%'));
    let kept = &cut[..cut.len() - torn.unwrap_or_default()];
    let lengths = secret.char_indices().map(|(at, _)| at).skip(LEAST);
    let len = lengths.filter(|len| kept.ends_with(&secret.as_bytes()[..*len])).last()?;
    Some(read[kept.len() - len].1.start..read[cut.len() - 1].1.end)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_short_secret_is_a_whole_word_or_nothing() {
        let secrets = ["the".to_owned(), "12".to_owned(), "\u{e9}t\u{e9}".to_owned()];
        for text in ["other", "then", "bathe", "theé", "12 of 12", "10:12", "étés", "th e"] {
            assert_eq!(conceal(text, &secrets), None, "{text}");
        }
        for text in ["530 PASS the", "(THE)", "the.", "x=the&y", "t\u{200b}he", "%74he", "\u{e9}t\u{c9}"] {
            assert!(conceal(text, &secrets).is_some_and(|shown| shown.contains("***")), "{text}");
        }
        // A longer one is hidden inside words.
        assert_eq!(conceal("bothered", &["ther".to_owned()]).as_deref(), Some("bo***ed"));
    }

    #[test]
    fn what_the_sanitiser_drops_tears_no_secret() {
        let secrets = ["Hunter2xyz".to_owned(), "pässe".to_owned(), "ab".to_owned(), String::new()];
        for between in [
            "",
            "\x1b[1m",
            "\x1b]0;t\x07",
            "\x1b",
            "\x1b\x1b[1m",
            "\u{9b}1m",
            "\u{85}",
            "\u{200b}",
            "\u{200d}",
            "\u{202e}",
            "\u{2066}",
            "\u{e0041}",
            "\u{ad}",
            "\u{feff}",
            "\0",
            "\x08",
            "\u{2028}",
            "\u{fe0f}",
            "\u{301}",
            "\u{3164}",
        ] {
            for (head, tail) in
                [("hunter", "2xyz"), ("", "hunter2xyz"), ("h", "UNTER2XYZ"), ("pä", "sse"), ("pÃ¤", "sse")]
            {
                let text = format!("530 PASS {head}{between}{tail} is wrong");
                let shown = conceal(&text, &secrets).unwrap_or_default();
                assert!(shown.starts_with("530 PASS ") && shown.ends_with("*** is wrong"), "{text:?}: {shown:?}");
                assert_eq!(sanitise(&shown), shown);
            }
        }
        for text in ["ab", "530 no", "hunter 2xyz", "hunte…"] {
            assert_eq!(conceal(text, &secrets[2..]), None);
        }
        assert_eq!(conceal("it is hunter2…", &secrets).as_deref(), Some("it is ***…"));
        assert_eq!(conceal("it is hunter2….", &secrets).as_deref(), Some("it is ***…."));
        for text in ["Hunter2%20Z%C3%84", "hunter2+zä", "hunter2%20z%c3%a4", "%68unter2%2520z%25C3%25A4", "hunter2 zä"]
        {
            let shown = conceal(&format!("51 {text} is wrong"), &["hunter2 Zä".to_owned()]);
            assert_eq!(shown.as_deref(), Some("51 *** is wrong"), "{text}");
        }
        assert_eq!(conceal("is a+b/c%25", &["a+b/c%".to_owned()]).as_deref(), Some("is ***"));
        assert_eq!(conceal("it is hunter2%2…", &["hunter2 z".to_owned()]).as_deref(), Some("it is ***…"));
        assert_eq!(conceal("one\nhunter2xyz\u{7}", &secrets).as_deref(), Some("one\n***␇"));
    }
}
