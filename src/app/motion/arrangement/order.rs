//! What the reader says of a page's rows: their order, and the words that they must hold.

use super::columns;
use crate::app::motion::window;
use crate::app::page::address;
use crate::app::state::Cx;
use crate::app::{Effect, Kept, PromptKind, Sight, SiteChoice};
use crate::config::{NewsThreads, Settings, SortBy};
use crate::format::{Order, Threads, Wishes, media};

/// The order of a media type's rows: that of directories is in the settings, articles stand in threads, groups by name.
pub fn default_order(settings: &Settings, media: &str) -> Order {
    match settings.sort {
        _ if media == media::NEWSGROUP => Order::Thread,
        _ if media == media::NEWSGROUPS => Order::Name,
        SortBy::Given => Order::Given,
        SortBy::Name => Order::Name,
        SortBy::Size => Order::Size,
        SortBy::Date => Order::Date,
        SortBy::Kind => Order::Kind,
    }
}

/// How the pages of a host are to be ordered.
pub(in crate::app) fn wishes(sight: Sight<'_>, host: &str, media: &str) -> Wishes {
    let order = default_order(&sight.desk.settings, media);
    let kept = sight.desk.orders.get(&host.to_ascii_lowercase()).and_then(|words| parse(words));
    // A host may have pages of other kinds, with other rows.
    let offered: &[Order] = match media {
        media::NEWSGROUP => &[Order::Thread, Order::Date, Order::Score, Order::Given],
        media::NEWSGROUPS => &[Order::Name, Order::Size, Order::Given],
        _ => &[Order::Given, Order::Name, Order::Size, Order::Date, Order::Kind],
    };
    let mut wishes = kept.filter(|kept| offered.contains(&kept.order)).unwrap_or(Wishes { order, ..Wishes::default() });
    wishes.reading.threads = match sight.desk.settings.news.threads {
        NewsThreads::Folded => Threads::Closed,
        NewsThreads::Unread => Threads::Unread,
        NewsThreads::Open => Threads::Open,
    };
    wishes
}

/// `name`, or `name reverse`.
fn parse(words: &str) -> Option<Wishes> {
    let mut words = words.split_whitespace();
    let name = words.next()?;
    let (_, order) = Order::ALL.iter().find(|(known, _)| *known == name)?;
    match (words.next(), words.next()) {
        (None, _) => Some(Wishes { order: *order, ..Wishes::default() }),
        (Some("reverse"), None) => Some(Wishes { order: *order, reverse: true, ..Wishes::default() }),
        _ => None,
    }
}

/// `sort name`, `sort size reverse`, `sort reverse`: for this page, and from now on for its host's. A page without rows may have a
/// table.
pub(in crate::app) fn sort(cx: &mut Cx<'_>, words: &str) -> Vec<Effect> {
    let Some(page) = cx.page_mut() else { return Vec::new() };
    if !page.has_rows() {
        columns::sort(cx, words);
        return Vec::new();
    }
    let now = &page.arrangement.wishes;
    let wished = match words.trim() {
        "reverse" => Some(Wishes { reverse: !now.reverse, ..now.clone() }),
        words => parse(words).map(|wished| Wishes { order: wished.order, reverse: wished.reverse, ..now.clone() }),
    };
    let offered = page.rows.as_ref().map_or(&[][..], |rows| rows.orders());
    let offered: Vec<&str> = [Order::Given].iter().chain(offered).map(|order| order.name()).collect();
    let Some(wished) = wished.filter(|wished| offered.contains(&wished.order.name())) else {
        cx.complain(format!("sort {}; sort reverse turns it round", offered.join(", sort ")));
        return Vec::new();
    };
    let host = address::host(&page.head.url);
    let name = wished.order.name();
    let words = if wished.reverse { format!("{name} reverse") } else { name.to_owned() };
    page.arrangement.wishes = wished;
    page.arrangement.anew();
    cx.say(match words.as_str() {
        "given" => "in the server's own order".into(),
        words => format!("sorted by {words}"),
    });
    cx.desk.orders.insert(host.clone(), words.clone());
    vec![Effect::Keep(Kept::Site { host, choice: SiteChoice::Order(words) })]
}

/// `filter` asks for words; `filter WORDS` shows only the lines that hold them.
pub(in crate::app) fn filter(cx: &mut Cx<'_>, words: &str) -> Vec<Effect> {
    if cx.page_mut().is_none() {
        return Vec::new();
    }
    if !words.trim().is_empty() {
        narrow(cx, words);
        return Vec::new();
    }
    let now = cx.page_mut().map(|page| page.arrangement.wishes.filter.clone()).unwrap_or_default();
    cx.hands.ask(PromptKind::Filter, "only", &now, None);
    Vec::new()
}

/// Shows only what holds the words.
pub(in crate::app) fn narrow(cx: &mut Cx<'_>, words: &str) {
    window::take_over(cx);
    if let Some(page) = cx.page_mut().filter(|page| page.arrangement.wishes.filter != words) {
        page.arrangement.wishes.filter = words.into();
        page.arrangement.anew();
    }
}
