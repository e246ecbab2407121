//! What the reader says of a page's rows: their order, and the words that they must hold.

use crate::app::asking::ask;
use crate::app::{App, Effect, Kept, PromptKind, SiteChoice, own, reading};
use crate::config::{Settings, SortBy};
use crate::format::{Order, Wishes, media};

/// The order of a media type's rows: that of directories is in the settings, groups are threads.
pub fn default_order(settings: &Settings, media: &str) -> Order {
    match settings.sort {
        _ if media == media::NEWSGROUP => Order::Thread,
        _ if media == media::NEWSGROUPS => Order::Given,
        SortBy::Given => Order::Given,
        SortBy::Name => Order::Name,
        SortBy::Size => Order::Size,
        SortBy::Date => Order::Date,
        SortBy::Kind => Order::Kind,
    }
}

/// How the pages of a host are to be ordered.
pub(in crate::app) fn wishes(app: &App, host: &str, media: &str) -> Wishes {
    let order = default_order(&app.settings, media);
    let kept = app.orders.get(&host.to_ascii_lowercase()).and_then(|words| parse(words));
    // A host may have pages of other kinds, with other rows.
    let offered: &[Order] = match media {
        media::NEWSGROUP => &[Order::Thread, Order::Date, Order::Given],
        media::NEWSGROUPS => &[Order::Name, Order::Size, Order::Given],
        _ => &[Order::Given, Order::Name, Order::Size, Order::Date, Order::Kind],
    };
    kept.filter(|kept| offered.contains(&kept.order)).unwrap_or(Wishes { order, ..Wishes::default() })
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

/// `sort name`, `sort size reverse`, `sort reverse`: for this page, and from now on for its host's.
pub(in crate::app) fn sort(app: &mut App, words: &str) -> Vec<Effect> {
    let Some(page) = app.page_mut() else { return Vec::new() };
    if !page.has_rows() {
        app.say("this page has no rows to sort");
        return Vec::new();
    }
    let now = &page.arrangement.wishes;
    let wished = match words.trim() {
        "reverse" => Some(Wishes { reverse: !now.reverse, ..now.clone() }),
        words => parse(words).map(|wished| Wishes { order: wished.order, reverse: wished.reverse, ..now.clone() }),
    };
    let offered = page.parser.as_ref().map_or(&[][..], |parser| parser.orders());
    let offered: Vec<&str> = [Order::Given].iter().chain(offered).map(|order| order.name()).collect();
    let Some(wished) = wished.filter(|wished| offered.contains(&wished.order.name())) else {
        app.complain(format!("sort {}; sort reverse turns it round", offered.join(", sort ")));
        return Vec::new();
    };
    let host = page.head.url.host().unwrap_or_default().to_ascii_lowercase();
    let name = wished.order.name();
    let words = if wished.reverse { format!("{name} reverse") } else { name.to_owned() };
    page.arrangement.wishes = wished;
    page.arrangement.anew();
    app.say(match words.as_str() {
        "given" => "in the server's own order".into(),
        words => format!("sorted by {words}"),
    });
    app.orders.insert(host.clone(), words.clone());
    vec![Effect::Keep(Kept::Site { host, choice: SiteChoice::Order(words) })]
}

/// `filter` asks for words; `filter WORDS` shows only the lines that hold them.
pub(in crate::app) fn filter(app: &mut App, words: &str) -> Vec<Effect> {
    if app.page_mut().is_none() {
        return Vec::new();
    }
    if !words.trim().is_empty() {
        narrow(app, words);
        return Vec::new();
    }
    let now = own::words(app).or_else(|| Some(app.page_mut()?.arrangement.wishes.filter.clone())).unwrap_or_default();
    ask(app, PromptKind::Filter, "only", &now, None);
    Vec::new()
}

/// Shows only what holds the words.
pub(in crate::app) fn narrow(app: &mut App, words: &str) {
    if own::is_open(app) {
        return own::narrow(app, words);
    }
    reading::take_over(app);
    if let Some(page) = app.page_mut().filter(|page| page.arrangement.wishes.filter != words) {
        page.arrangement.wishes.filter = words.into();
        page.arrangement.anew();
    }
}
