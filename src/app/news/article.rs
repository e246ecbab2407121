//! What the header of an article says of its place: where else it was posted to (Xref; RFC 5536, 3.2.14), what it answers.

use super::{Name, is_scheme};
use crate::app::Sight;
use crate::app::tab::Xref;
use crate::url::{Url, escape};
use std::borrow::Cow;

/// Groups that are believed of one article.
const MOST: usize = 100;

impl Xref {
    /// Reads it from an article; `None` as long as the header is not whole.
    pub fn of(octets: &[u8], whole: bool) -> Option<Xref> {
        let header = header(octets).or(whole.then_some(octets))?;
        let value = field(header, b"xref").unwrap_or_default();
        // The first word is the server's name.
        let words = value.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty()).skip(1);
        let place = |word: &[u8]| {
            let colon = word.iter().rposition(|b| *b == b':')?;
            let number = std::str::from_utf8(&word[colon + 1..]).ok()?.parse().ok()?;
            (colon > 0 && number > 0).then(|| (word[..colon].to_vec(), number))
        };
        Some(Xref { places: words.filter_map(place).take(MOST).collect() })
    }
}

/// What comes before the first empty line.
fn header(octets: &[u8]) -> Option<&[u8]> {
    let mut at = 0;
    for line in octets.split_inclusive(|b| *b == b'\n') {
        if matches!(line, b"\n" | b"\r\n") {
            return Some(&octets[..at]);
        }
        at += line.len();
    }
    None
}

/// The value of the first field of a name, its folds as they are.
fn field<'a>(header: &'a [u8], name: &[u8]) -> Option<&'a [u8]> {
    let mut lines = header.split_inclusive(|b| *b == b'\n').scan(0, |at, line| {
        *at += line.len();
        Some((*at, line))
    });
    let is = |line: &[u8]| {
        line.get(..name.len()).is_some_and(|start| start.eq_ignore_ascii_case(name))
            && line.get(name.len()) == Some(&b':')
    };
    let (first_end, first) = lines.find(|(_, line)| is(line))?;
    let end =
        lines.take_while(|(_, line)| matches!(line.first(), Some(b' ' | b'\t'))).last().map_or(first_end, |l| l.0);
    Some(&header[first_end - first.len() + name.len() + 1..end])
}

/// The value of a field of the article in view.
pub(super) fn value<'a>(sight: Sight<'a>, name: &[u8]) -> Option<&'a [u8]> {
    let page = sight.entry()?.page.as_ref().filter(|page| page.is_article())?;
    let source = page.source.as_deref()?;
    field(header(source).unwrap_or(source), name)
}

/// Whether the message in view is a page that a browser saved (RFC 2557): nobody sent it, so that it has no name.
pub(super) fn is_saved_page(sight: Sight<'_>) -> bool {
    const RELATED: &[u8] = b"multipart/related";
    let kind = value(sight, b"content-type").unwrap_or_default().trim_ascii_start();
    let is_related = kind.get(..RELATED.len()).is_some_and(|kind| kind.eq_ignore_ascii_case(RELATED));
    is_related && value(sight, b"message-id").is_none()
}

/// The id of the article that the one in view answers.
pub(super) fn parent(sight: Sight<'_>) -> Option<Vec<u8>> {
    ids(value(sight, b"references")?).last().or_else(|| ids(value(sight, b"in-reply-to")?).next()).map(<[u8]>::to_vec)
}

/// The article in view with those before it in its thread, the first one first, as far as it names them.
pub(super) fn line(sight: Sight<'_>) -> Vec<Vec<u8>> {
    let all =
        |name| value(sight, name).map(|value| ids(value).map(<[u8]>::to_vec).collect::<Vec<_>>()).unwrap_or_default();
    let own = all(b"message-id");
    if own.is_empty() { own } else { all(b"references").into_iter().chain(own.into_iter().take(1)).collect() }
}

/// Whether an article refers to another, and then the one that stands before that in its References.
pub(super) fn refers_to(source: &[u8], id: &[u8]) -> Option<Option<Vec<u8>>> {
    let header = header(source).unwrap_or(source);
    let known: Vec<&[u8]> = ids(field(header, b"references").unwrap_or_default()).collect();
    match known.iter().position(|known| *known == id) {
        Some(at) => Some(at.checked_sub(1).map(|before| known[before].to_vec())),
        None => ids(field(header, b"in-reply-to").unwrap_or_default()).any(|known| known == id).then_some(None),
    }
}

/// The groups that the article in view was posted to.
pub(super) fn groups(sight: Sight<'_>) -> Vec<Vec<u8>> {
    let names = value(sight, b"newsgroups").unwrap_or_default().split(|b| *b == b',').map(<[u8]>::trim_ascii);
    names.filter(|name| !name.is_empty()).take(MOST).map(<[u8]>::to_vec).collect()
}

/// Everything in `< >`.
fn ids(value: &[u8]) -> impl Iterator<Item = &[u8]> {
    let pieces = value.split(|b| *b == b'<').skip(1);
    pieces.filter_map(|piece| piece.split(|b| *b == b'>').next()).filter(|id| id.contains(&b'@'))
}

/// What is told others of an article: its id, which is the same everywhere, and no server (NNTP-05, D18).
pub(in crate::app) fn shareable<'a>(sight: Sight<'_>, url: &'a Url) -> Cow<'a, Url> {
    let id = match is_scheme(url).then(|| Name::of(url)).flatten() {
        Some(Name::Id(id)) => Some(id),
        Some(Name::Number(..)) if sight.entry().is_some_and(|entry| entry.url == *url) => {
            value(sight, b"message-id").and_then(|value| ids(value).next().map(<[u8]>::to_vec))
        }
        _ => None,
    };
    let named = id.and_then(|id| Url::parse(format!("news:{}", escape::encode(&id, escape::NEWS_ID))).ok());
    named.map_or(Cow::Borrowed(url), Cow::Owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_xref_is_read_when_the_header_is_whole() {
        let article = b"From: a\r\nXref: news.example.org wf.test:17\r\n\twf.links:4 odd: :7 x:0 y:z\r\nSubject: s\r\n\r\nXref: s b:1\r\n";
        let places = vec![(b"wf.test".to_vec(), 17), (b"wf.links".to_vec(), 4)];
        assert_eq!(Xref::of(article, false), Some(Xref { places }));
        assert_eq!(Xref::of(&article[..60], false), None);
        assert_eq!(Xref::of(b"From: a\n\nbody", false), Some(Xref::default()));
        assert_eq!(Xref::of(b"no header", true), Some(Xref::default()));
        let many = format!("Xref: s{}\n\n", " g:1".repeat(MOST * 2));
        assert_eq!(Xref::of(many.as_bytes(), false).map(|xref| xref.places.len()), Some(MOST));
    }
}
