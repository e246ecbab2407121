//! `about:new`: what is new in what the reader is subscribed to, and what can be asked of it.

use super::about::page;
use super::show;
use crate::url::{Url, UrlError, escape};

/// What `about:new` is asked to show or to do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum New {
    /// `about:new`: what is unread, by source.
    BySource,
    /// `about:new?by=time`: the same by time.
    ByTime,
    /// `about:new?by=list`: all subscriptions.
    List,
    /// `about:new?of=URL`: all that is kept of one source.
    Of(Url),
    /// `about:new?add=URL&title=WORDS`: it is subscribed to.
    Add {
        /// Which.
        url: Url,
        /// What it is called.
        title: String,
    },
    /// `about:new?drop=URL`: it is not any more.
    Drop(Url),
    /// `about:new?undo`: what was dropped last is subscribed to again, or what was marked last is as before.
    Undo,
    /// `about:new?next`, `about:new?next=URL`: the next unread item, after the one that is in view.
    Next(Option<Url>),
    /// `about:new?read=all`, `about:new?read=URL`: all is read, or all of a source.
    Read(Option<Url>),
    /// `about:new?mark=URL`: an item is read, or unread if it is; `about:new?unread=URL`: it is unread, whatever it was.
    Mark {
        /// Where it leads.
        url: Url,
        /// It is unread.
        unread: bool,
    },
    /// `about:new?check`: all sources are looked at now.
    Check,
}

impl New {
    /// What a URL asks for; `None` where it is another page's, or makes no sense.
    pub fn of(url: &Url) -> Option<New> {
        (url.is("about") && page(url).is_ok_and(|name| name == "new")).then_some(())?;
        let query = url.query().unwrap_or_default();
        let value = |name: &str| {
            let pair = query.split('&').filter_map(|pair| pair.split_once('=')).find(|(key, _)| *key == name);
            pair.map(|(_, value)| String::from_utf8_lossy(&escape::decode(&value.replace('+', " "))).into_owned())
        };
        let (name, first) = query.split('&').next().and_then(|pair| pair.split_once('=')).unwrap_or((query, ""));
        let address = || Url::parse(value(name)?).ok();
        match (name, first) {
            ("by", "time") => Some(New::ByTime),
            ("by", "list") => Some(New::List),
            ("by" | "", _) => Some(New::BySource),
            ("of", _) => Some(New::Of(address()?)),
            ("add", _) => Some(New::Add { url: address()?, title: value("title").unwrap_or_default() }),
            ("drop", _) => Some(New::Drop(address()?)),
            ("undo", _) => Some(New::Undo),
            ("next", "") => Some(New::Next(None)),
            ("next", _) => Some(New::Next(Some(address()?))),
            ("read", "all") => Some(New::Read(None)),
            ("read", _) => Some(New::Read(Some(address()?))),
            ("mark" | "unread", _) => Some(New::Mark { url: address()?, unread: name == "unread" }),
            ("check", _) => Some(New::Check),
            _ => None,
        }
    }

    /// The URL that asks for it.
    ///
    /// # Errors
    /// Never.
    pub fn url(&self) -> Result<Url, UrlError> {
        let coded = |text: &str| escape::encode(text.as_bytes(), b"");
        let of = |name: &str, url: &Url| format!("about:new?{name}={}", coded(url.as_str()));
        Url::parse(match self {
            New::BySource => "about:new".into(),
            New::ByTime => "about:new?by=time".into(),
            New::List => "about:new?by=list".into(),
            New::Of(url) => of("of", url),
            New::Add { url, title } => format!("{}&title={}", of("add", url), coded(title)),
            New::Drop(url) => of("drop", url),
            New::Undo => "about:new?undo".into(),
            New::Next(None) => "about:new?next".into(),
            New::Next(Some(url)) => of("next", url),
            New::Read(None) => "about:new?read=all".into(),
            New::Read(Some(url)) => of("read", url),
            New::Mark { url, unread } => of(if *unread { "unread" } else { "mark" }, url),
            New::Check => "about:new?check".into(),
        })
    }

    /// Whether it changes or asks something, and shows nothing itself.
    pub fn acts(&self) -> bool {
        !matches!(self, New::BySource | New::ByTime | New::List | New::Of(_))
    }

    /// The question before it is done; `None` where nothing is done.
    pub(super) fn question(&self) -> Option<String> {
        let word = |url: &Url| show::octets(url.redacted().as_bytes());
        match self {
            New::BySource | New::ByTime | New::List | New::Of(_) => None,
            New::Add { url, .. } => {
                Some(format!("Subscribe to {}? It will be looked at for what is new, now and then.", word(url)))
            }
            New::Drop(url) => Some(format!("Not be subscribed to {} any more?", word(url))),
            New::Undo => {
                Some("Subscribe again to what you unsubscribed from last, or take your last marks back?".into())
            }
            New::Next(_) => Some("Open the next item that is new?".into()),
            New::Read(None) => Some("Mark all that is new read?".into()),
            New::Read(Some(url)) => Some(format!("Mark all of {} read?", word(url))),
            New::Mark { url, .. } => Some(format!("Mark {} read, or unread?", word(url))),
            New::Check => Some("Look now at all that you are subscribed to?".into()),
        }
    }
}
