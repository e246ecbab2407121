//! `url set`, `url diff`, `url relativize`, `url normalise`: another URL, or what tells two apart.

use super::answer::{Answer, refusal, visible};
use crate::url::component::{Component, changed, differences};
use crate::url::relativize::relativize;
use crate::url::{Url, equal};

pub(super) fn normalise(text: &str) -> Answer {
    match Url::parse(text) {
        Ok(url) => Answer::line(visible(&equal::normal(&url))),
        Err(error) => refusal(text, &error),
    }
}

pub(super) fn relative(base: &Url, text: &str) -> Answer {
    match Url::parse(text) {
        Ok(url) => Answer::line(visible(&relativize(base, &url))),
        Err(error) => refusal(text, &error),
    }
}

/// `same`, or the names of the parts that differ in normal form.
pub(super) fn diff(a: &str, b: &str) -> Answer {
    let (one, other) = match (Url::parse(a), Url::parse(b)) {
        (Ok(one), Ok(other)) => (one, other),
        (Err(error), _) => return refusal(a, &error),
        (_, Err(error)) => return refusal(b, &error),
    };
    let found: Vec<String> = differences(&one, &other).into_iter().map(|part| part.name().into()).collect();
    match found.is_empty() {
        true => Answer::line("same"),
        false => Answer { lines: found, failed: true },
    }
}

/// `PART=VALUE` sets, `PART=` empties, `-PART` removes.
pub(super) type Change = (Component, Option<String>);

/// Reads what is to be set.
pub(super) fn read(word: &str) -> Result<Change, String> {
    let unknown = |name: &str| {
        format!("no part is called \"{}\"; there are {}", visible(name), Component::ALL.map(Component::name).join(", "))
    };
    match (word.strip_prefix('-'), word.split_once('=')) {
        (Some(name), _) => Component::named(name).map(|part| (part, None)).ok_or_else(|| unknown(name)),
        (None, Some((name, value))) => {
            Component::named(name).map(|part| (part, Some(value.into()))).ok_or_else(|| unknown(name))
        }
        (None, None) => Err(format!("\"{}\" is neither PART=VALUE nor -PART", visible(word))),
    }
}

pub(super) fn set(changes: &[Change], text: &str) -> Answer {
    let changes: Vec<_> = changes.iter().map(|(part, value)| (*part, value.as_deref())).collect();
    match Url::parse(text) {
        Ok(url) => match changed(&url, &changes) {
            Ok(url) => Answer::line(visible(url.as_str())),
            Err(error) => Answer::failure(&error),
        },
        Err(error) => refusal(text, &error),
    }
}
