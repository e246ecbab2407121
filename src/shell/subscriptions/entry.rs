//! An item of a feed of which no copy is kept itself: its text is in the copy of the feed.

use crate::format::feed_entry_anchor;
use crate::store::Store;
use crate::url::Url;
use jiff::Timestamp;

/// Where in the copy of a feed the entry is that leads to an address, and when that copy came; `None` where there is none.
pub(in crate::shell) async fn of(url: &Url, pages: &Store) -> Option<(Url, Timestamp)> {
    let feed = pages.feed_of(url.clone()).await.ok()??;
    let (copy, when) = (pages.copy(&feed).await.ok()??, pages.when(&feed).await?);
    let leads = url.clone();
    let entry = move || feed_entry_anchor(&copy.octets, &copy.head.url, &leads);
    // A long feed takes a while, and it is nobody's turn meanwhile.
    let anchor = tokio::task::spawn_blocking(entry).await.ok()??;
    Some((feed.with_fragment(Some(&anchor)), when))
}
