//! How a body is read as a page: as what, by which charset, with how much memory.

use super::part;
use crate::app::Sight;
use crate::app::page::address;
use crate::format::{Input, Intake, media, packed};
use crate::proto::Head;

/// How a compressed file is read that a head announces, where it may be a page.
pub(super) fn packed(head: &Head) -> Option<&'static str> {
    let name = head.filename.clone().unwrap_or_else(|| packed::name_of(&head.url));
    packed::of(&head.media, &name)
}

/// Reads what a head announces as a media type.
pub(in crate::app) fn intake(sight: Sight<'_>, wanted: &str, head: &Head) -> Intake {
    let charset = sight.said_of(&head.url, head.charset.as_deref());
    let wanted = match packed(head) {
        Some(_) if wanted == media::PLAIN => media::PACKED_TEXT,
        Some(packed) if wanted == head.media => packed,
        _ if wanted == media::DIRECTORY && sight.desk.owners.contains(&address::place(&head.url)) => {
            media::DIRECTORY_LONG
        }
        _ => wanted,
    };
    let input = Input {
        media: wanted.into(),
        charset,
        groups: sight.desk.settings.charset.groups.as_slice().into(),
        url: part::outermost(head).clone(),
        notices: head.notices.clone(),
    };
    Intake { input, title: head.title.clone(), keep: part::keep(head), memory: sight.desk.settings.limits.memory }
}
