//! Secrets in what others say: a server that was told a password may say it again, and what it says is shown and kept.
//!
//! A secret is looked for in the text as people will see it, after [`sanitise`]: what the sanitiser drops between two letters
//! hides nothing, and neither does another case. Refuses: a server that writes it in a code of its own (base64, backwards).

use super::sanitise::{sanitise, sequence, shows};
use memchr::memmem;
use std::ops::Range;

/// The least letters of a secret that is looked for: a shorter one stands in every other sentence by chance.
const LEAST: usize = 3;

/// A text that shows secrets, sanitised and with stars for them; `None` when it shows none.
pub fn conceal(text: &str, secrets: &[String]) -> Option<String> {
    let once = starred(text, &secrets_in(text, secrets))?;
    let shown: Vec<_> = once.split('\n').map(sanitise).collect();
    let shown = shown.join("\n");
    // What stood between two halves may have gone with the stars.
    Some(starred(&shown, &secrets_in(&shown, secrets)).unwrap_or(shown))
}

/// Where a text shows secrets, in order, whatever stands between their letters that is not seen.
pub fn secrets_in(text: &str, secrets: &[String]) -> Vec<Range<usize>> {
    let sought: Vec<String> = secrets.iter().flat_map(|secret| spellings(secret)).collect();
    let mut found: Vec<Range<usize>> = Vec::new();
    if sought.is_empty() {
        return found;
    }
    // Of an escape that begins no sequence the letter behind it is one, and of a sequence none is.
    for letters in [Letters::of(text, false), Letters::of(text, true)] {
        for secret in &sought {
            let hits = memmem::find_iter(letters.text.as_bytes(), secret.as_bytes());
            found.extend(hits.map(|at| letters.range(at, at + secret.len())));
        }
        found.extend(sought.iter().filter_map(|secret| letters.begun(secret)).max_by_key(Range::len));
    }
    merged(found)
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
    ways.iter().map(|way| Letters::of(way, false).text).filter(|way| way.chars().nth(LEAST - 1).is_some()).collect()
}

/// What can be seen of a text, in one case, and where it stands there.
struct Letters {
    text: String,
    /// Where each begins, here and in the text.
    places: Vec<(usize, Range<usize>)>,
}

impl Letters {
    fn of(text: &str, sequences: bool) -> Letters {
        let mut letters = Letters { text: String::with_capacity(text.len()), places: Vec::new() };
        let mut at = 0;
        while let Some(c) = text[at..].chars().next() {
            let end = at + c.len_utf8();
            match sequence(&text[at..]).filter(|_| sequences && !shows(c)) {
                Some(len) => at += len,
                None => {
                    if shows(c) {
                        letters.places.push((letters.text.len(), at..end));
                        letters.text.extend(c.to_lowercase().next());
                    }
                    at = end;
                }
            }
        }
        letters
    }

    /// Where it stands in the text what is here between two offsets.
    fn range(&self, start: usize, end: usize) -> Range<usize> {
        let place = |offset: usize| &self.places[self.places.partition_point(|(at, _)| *at <= offset).max(1) - 1].1;
        place(start).start..place(end - 1).end
    }

    /// The beginning of a secret at the end of a text that was cut short.
    fn begun(&self, secret: &str) -> Option<Range<usize>> {
        let kept = self.text.strip_suffix('.').unwrap_or(&self.text).strip_suffix('…')?;
        let lengths = secret.char_indices().map(|(at, _)| at).skip(LEAST);
        let len = lengths.filter(|len| kept.ends_with(&secret[..*len])).last()?;
        Some(self.range(kept.len() - len, kept.len()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
        assert_eq!(conceal("one\nhunter2xyz\u{7}", &secrets).as_deref(), Some("one\n***␇"));
    }
}
