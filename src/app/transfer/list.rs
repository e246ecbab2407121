//! The list of downloads, which keeps up with them while it is open.

use super::said;
use crate::app::state::Cx;
use crate::app::{Download, Effect, ListItem, ListKind, Outgoing, Overlay, Sight};
use crate::doc::index;

/// What is being sent, and the downloads, the newest first.
pub(in crate::app) fn downloads(cx: &mut Cx<'_>, _: &str) -> Vec<Effect> {
    if cx.transfers.downloads.is_empty() && cx.transfers.outgoing.is_empty() {
        cx.say("no downloads");
        return Vec::new();
    }
    let items = download_items(cx.sight());
    cx.hands.list(ListKind::Downloads, "Downloads", items, 0);
    Vec::new()
}

fn download_items(sight: Sight<'_>) -> Vec<ListItem> {
    let folder = format!("{}/", sight.desk.settings.downloads.trim_end_matches('/'));
    let row = |(i, (download, place)): (usize, (&Download, Option<usize>))| ListItem {
        // Of most it is known which folder they are in.
        text: download.path.strip_prefix(&folder).unwrap_or(&download.path).into(),
        detail: said::row(sight, download, place),
        key: index(i),
    };
    let after = sight.transfers.downloads.len();
    let sent = |(i, (tab, outgoing)): (usize, &(usize, Outgoing))| ListItem {
        text: outgoing.name.clone(),
        detail: said::sent(sight, *tab, outgoing),
        key: index(after + i),
    };
    let sent = sight.transfers.outgoing.iter().enumerate().map(sent);
    sent.chain(sight.transfers.downloads.iter().zip(said::in_line(sight)).enumerate().rev().map(row)).collect()
}

/// The open list of downloads keeps up with them. Mostly there is none: each file of a directory comes by here.
pub(in crate::app) fn refresh(cx: &mut Cx<'_>) {
    let is_list = |overlay: &Overlay| matches!(overlay, Overlay::List { kind: ListKind::Downloads, .. });
    if cx.hands.all_mut().any(|overlay| is_list(overlay)) {
        let fresh = download_items(cx.sight());
        for overlay in cx.hands.all_mut().filter(|overlay| is_list(overlay)) {
            overlay.refill(fresh.clone().into());
        }
    }
    super::retry::refresh(cx);
}
