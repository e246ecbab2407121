//! `search-news`: words in the subjects, the authors or the texts of a group, or of all groups that are kept. What is found is a page
//! of its own, under a URL that can be kept.

use super::is_scheme;
use super::marks::named;
use crate::app::state::Cx;
use crate::app::{Effect, Opening, PromptKind};
use crate::url::Url;
use crate::url::scheme::nntp;
use crate::url::scheme::sought::{Part, Sought};

/// Before the part, for all groups that are kept.
const EVERYWHERE: &str = "everywhere";

/// Whether a URL is that of such a page.
pub(super) fn is_one(url: &Url) -> bool {
    nntp::sought(url).is_some()
}

/// Whether it has articles of several groups.
pub(super) fn is_everywhere(url: &Url) -> bool {
    nntp::sought(url).is_some_and(|nntp| nntp.is_everywhere())
}

/// `search-news`: asks for words; `search-news tunnels`, `search-news author smith`, `search-news everywhere body lamp`.
pub(in crate::app) fn search(cx: &mut Cx<'_>, words: &str) -> Vec<Effect> {
    let words = words.trim();
    if words.is_empty() {
        cx.hands.ask(PromptKind::Command, ":", "search-news subject ", None);
        return Vec::new();
    }
    let first = |words: &str| words.split_whitespace().next().unwrap_or_default().to_owned();
    let (everywhere, words) = match words.strip_prefix(EVERYWHERE).filter(|_| first(words) == EVERYWHERE) {
        Some(rest) => (true, rest.trim_start()),
        None => (false, words),
    };
    let (part, words) = match Part::named(&first(words)) {
        Some(part) => (part, &words[part.name().len()..]),
        None => (Part::Subject, words),
    };
    let sought = match Sought::new(part, words) {
        Ok(sought) => sought,
        Err(_) => {
            cx.complain("search-news subject, author or body, and words; everywhere before it means all groups kept");
            return Vec::new();
        }
    };
    let of = match everywhere {
        true => cx.entry().map(|entry| entry.url.clone()).filter(is_scheme).map(|url| (url, b"*".to_vec())),
        false => named(cx),
    };
    match of.and_then(|(url, group)| nntp::search_at(&url, &group, &sought)) {
        Some(url) => cx.open(Opening::typed(url)),
        None => cx.say("no newsgroup is in view or under focus"),
    }
    Vec::new()
}
