//! What was fetched as one message (RFC 2557): each part with the address that leads to it, and with the base that it had.

use super::Kept;
use crate::format::mhtml::{Part, write};
use crate::url::Layer;
use jiff::tz::TimeZone;

pub(super) fn file(kept: &[Kept]) -> Vec<u8> {
    let part = |kept: &'_ Kept| {
        let head = &kept.got.head;
        // What the document says of its base itself, it says again.
        let outer = kept.page.as_deref().and_then(|page| page.bases.get(Layer::Entity));
        (kept.asked.without_fragment(), outer.unwrap_or(&head.url).without_fragment())
    };
    let urls: Vec<_> = kept.iter().map(part).collect();
    let parts: Vec<Part> = kept
        .iter()
        .zip(&urls)
        .map(|(kept, (location, base))| Part {
            location,
            base,
            media: &kept.got.head.media,
            charset: kept.got.head.charset.as_deref(),
            octets: &kept.got.octets,
        })
        .collect();
    let first = kept.first();
    let title = first.and_then(|kept| kept.page.as_deref()).map(|page| page.document.title.clone().unwrap_or_default());
    let title = title.filter(|title| !title.trim().is_empty()).or_else(|| first.map(|kept| kept.asked.redacted()));
    let date = first.map(|kept| kept.date.to_zoned(TimeZone::UTC).strftime("%a, %d %b %Y %H:%M:%S +0000").to_string());
    write(&parts, &title.unwrap_or_default(), &date.unwrap_or_default())
}
