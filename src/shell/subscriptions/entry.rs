//! An item of a feed of which no copy is kept itself: its text is in the copy of the feed.

use super::lock;
use crate::format::feed_entry_anchor;
use crate::store::Store;
use crate::url::Url;
use jiff::Timestamp;
use std::sync::Mutex;

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

/// What copies of other pages stand for, as that of a feed does for an item: it is read when that is shown.
#[derive(Debug, Default)]
pub(in crate::shell) struct Led(Mutex<Vec<(Option<Url>, Url)>>);

/// Of so much it is remembered.
const LED: usize = 20;

impl Led {
    /// What is wanted leads to the copy of another place; whether that was shown before: who is there already is not shown it again.
    pub(in crate::shell) fn leads(&self, wanted: Url, to: Url) -> bool {
        let (to, mut led) = (to.without_fragment(), lock(&self.0));
        if let Some((waits, _)) = led.iter_mut().find(|(_, place)| *place == to) {
            // Of two that wait for one place the later is shown.
            let shown = waits.is_none();
            *waits = waits.take().map(|_| wanted);
            return shown;
        }
        led.push((Some(wanted), to));
        let over = led.len().saturating_sub(LED);
        led.drain(..over);
        false
    }

    /// A place is shown: what it stands for.
    pub(in crate::shell) fn shown(&self, place: &Url) -> Option<Url> {
        let (place, mut led) = (place.without_fragment(), lock(&self.0));
        led.iter_mut().find(|(_, to)| *to == place)?.0.take()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An item was read as soon as it led to the copy of its feed, whether that was shown or not.
    #[test]
    fn an_item_is_read_when_the_copy_that_stands_for_it_is_shown() {
        let url = |text: &str| Url::parse(text).unwrap();
        let (led, feed) = (Led::default(), url("http://h/feed"));
        assert!(!led.leads(url("http://h/a"), url("http://h/feed#a")));
        assert_eq!(led.shown(&url("http://h/")), None);
        assert!(!led.leads(url("http://h/b"), url("http://h/feed#b")));
        assert_eq!((led.shown(&feed), led.shown(&feed)), (Some(url("http://h/b")), None));
        // From one entry to the next nothing is fetched.
        assert!(led.leads(url("http://h/c"), url("http://h/feed#c")));
        (0..100).for_each(|at| assert!(!led.leads(url("http://h/a"), url(&format!("http://h/{at}")))));
        assert_eq!(lock(&led.0).len(), LED);
    }
}
