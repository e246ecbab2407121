//! `about:` (RFC 6694): pages of the program itself, by name.

pub use super::about_new::New;
use super::{Act, Family, Part, PartKind, Paths, Plan, Ways, show};
use crate::url::{Url, UrlError, escape};
use serde_json::json;

/// The name of a built-in page, in lower case and without its query.
///
/// # Errors
/// A name with anything but letters, digits and `-`.
pub fn page(url: &Url) -> Result<String, UrlError> {
    let name = url.path();
    if url.authority().is_some() || !name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-') {
        return Err(UrlError::Malformed(format!("\"{}\" is not the name of a built-in page", show::component(name))));
    }
    Ok(name.to_ascii_lowercase())
}

/// The host whose cookies `about:cookies?forget=HOST` forgets.
pub fn forgets(url: &Url) -> Option<String> {
    let host = url.query()?.strip_prefix("forget=")?;
    let cookies = page(url).is_ok_and(|name| name == "cookies");
    cookies.then(|| String::from_utf8_lossy(&escape::decode(host)).into_owned())
}

/// What the pages about kept copies are asked to show or to do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Kept {
    /// `about:store`: what is kept.
    Store,
    /// `about:store?copy`: the copy of the page in view that could not be had; means something on the page of that failure alone.
    Copy,
    /// `about:search?q=WORDS`: pages and items with words in them.
    Search(String),
    /// `about:linked?to=URL`: which of the kept pages link there.
    Linked(Url),
    /// `about:later`: what is to be read later.
    Later,
    /// `about:later?put=URL&title=WORDS`: a page is put by; with `&links=host` behind it what it links to on its host is kept, too;
    /// with `&as=before` it was taken out, and comes back to its place.
    Put {
        /// Which.
        url: Url,
        /// What it is called.
        title: String,
        /// With what it links to.
        links: bool,
        /// As it was before it was taken out.
        back: bool,
    },
    /// `about:later?drop=URL`: it is not wanted any more.
    Drop(Url),
    /// `about:later?next`, `about:later?next=URL`: the next one, after the one that was read; with `&as=missed` behind it after one that
    /// could not be had, and stays.
    Next {
        /// After which.
        after: Option<Url>,
        /// It was not read.
        missed: bool,
    },
}

impl Kept {
    /// What a URL asks for; `None` where it is another page's, or makes no sense.
    pub fn of(url: &Url) -> Option<Kept> {
        let name = url.is("about").then(|| page(url).ok())??;
        let query = url.query().unwrap_or_default();
        let value = |name: &str| {
            let pair = query.split('&').filter_map(|pair| pair.split_once('=')).find(|(key, _)| *key == name);
            pair.map(|(_, value)| String::from_utf8_lossy(&escape::decode(&value.replace('+', " "))).into_owned())
        };
        let address = |name: &str| value(name).map(|text| Url::parse(text).ok());
        match name.as_str() {
            "store" if query == "copy" => Some(Kept::Copy),
            "store" => Some(Kept::Store),
            "search" => Some(Kept::Search(value("q").unwrap_or_default())),
            "linked" => Some(Kept::Linked(address("to")??)),
            "later" if query == "next" => Some(Kept::Next { after: None, missed: false }),
            "later" => match (address("put"), address("drop"), address("next")) {
                (Some(url), ..) => {
                    let links = value("links").is_some_and(|of| of == "host");
                    let back = value("as").is_some_and(|what| what == "before");
                    Some(Kept::Put { url: url?, title: value("title").unwrap_or_default(), links, back })
                }
                (None, Some(url), _) => Some(Kept::Drop(url?)),
                (None, None, Some(url)) => {
                    Some(Kept::Next { after: Some(url?), missed: value("as").is_some_and(|what| what == "missed") })
                }
                (None, None, None) => Some(Kept::Later),
            },
            _ => None,
        }
    }

    /// The URL that asks for it.
    ///
    /// # Errors
    /// Never.
    pub fn url(&self) -> Result<Url, UrlError> {
        let coded = |text: &str| escape::encode(text.as_bytes(), b"");
        Url::parse(match self {
            Kept::Store => "about:store".into(),
            Kept::Copy => "about:store?copy".into(),
            Kept::Search(words) if words.is_empty() => "about:search".into(),
            Kept::Search(words) => format!("about:search?q={}", coded(words)),
            Kept::Linked(url) => format!("about:linked?to={}", coded(url.as_str())),
            Kept::Later => "about:later".into(),
            Kept::Put { url, title, links, back } => {
                let links = if *links { "&links=host" } else { "" };
                let back = if *back { "&as=before" } else { "" };
                format!("about:later?put={}&title={}{links}{back}", coded(url.as_str()), coded(title))
            }
            Kept::Drop(url) => format!("about:later?drop={}", coded(url.as_str())),
            Kept::Next { after: None, .. } => "about:later?next".into(),
            Kept::Next { after: Some(url), missed } => {
                format!("about:later?next={}{}", coded(url.as_str()), if *missed { "&as=missed" } else { "" })
            }
        })
    }

    /// The question before it is done; `None` where nothing is done.
    fn question(&self) -> Option<String> {
        let word = |url: &Url| show::octets(url.redacted().as_bytes());
        match self {
            Kept::Store | Kept::Copy | Kept::Search(_) | Kept::Linked(_) | Kept::Later => None,
            Kept::Put { url, links: false, .. } => Some(format!("Put {} by, to be read later?", word(url))),
            Kept::Put { url, links: true, .. } => Some(format!(
                "Put {} by, to be read later, and ask its host for all pages that it links to there?",
                word(url)
            )),
            Kept::Drop(url) => Some(format!("Take {} out of what you read later?", word(url))),
            Kept::Next { .. } => Some("Open the next of what you put by, and take out the one before?".into()),
        }
    }
}

/// What `about:certificates` is asked to show or to do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Certificates {
    /// All that the reader has.
    List,
    /// What may be shown to a place: `?for=URL`.
    For(Url),
    /// A name is wanted for a new one: `?new=PATH&for=URL`.
    Unnamed(Place),
    /// One is made, and shown to a place from now on: `?make=NAME&below=PATH&for=URL`.
    Make(String, Place),
    /// One that is there is shown to a place from now on: `?use=FINGERPRINT&below=PATH&for=URL`.
    Use(String, Place),
    /// None is shown to a place any more: `?leave=PATH&for=URL`.
    Leave(Place),
    /// One goes, with its key: `?forget=FINGERPRINT`.
    Forget(String),
}

/// A part of a server, and where in it the reader wants to go.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// Where the reader wants to go.
    pub url: Url,
    /// The path that all of the part is below.
    pub below: String,
}

impl Place {
    /// As a reader knows it.
    pub fn shown(&self) -> String {
        let authority = self.url.authority().unwrap_or_default();
        show::octets(format!("{}://{authority}{}", self.url.scheme(), self.below).as_bytes())
    }
}

/// What an `about:certificates` URL asks for; `None` where it is another page's.
///
/// # Errors
/// Its query makes no sense.
pub fn certificates(url: &Url) -> Option<Result<Certificates, UrlError>> {
    page(url).is_ok_and(|name| name == "certificates").then(|| asked(url.query().unwrap_or_default()))
}

fn asked(query: &str) -> Result<Certificates, UrlError> {
    let wrong = || UrlError::Malformed("about:certificates has no such page".into());
    let value = |name: &str| {
        let pair = query.split('&').filter_map(|pair| pair.split_once('=')).find(|(key, _)| *key == name);
        pair.map(|(_, value)| String::from_utf8_lossy(&escape::decode(value)).into_owned())
    };
    let place = |below: Option<String>| {
        let url = Url::parse(value("for").ok_or_else(wrong)?)?;
        let below = below.filter(|below| below.starts_with('/') && below.bytes().all(|b| b.is_ascii_graphic()));
        super::gemini::line(&url)?;
        match super::family(&url) {
            Family::Gemini => Ok(Place { url, below: below.ok_or_else(wrong)? }),
            _ => Err(wrong()),
        }
    };
    if let Some(fingerprint) = value("forget") {
        return Ok(Certificates::Forget(fingerprint));
    }
    if let Some(name) = value("make") {
        return Ok(Certificates::Make(name, place(value("below"))?));
    }
    if let Some(fingerprint) = value("use") {
        return Ok(Certificates::Use(fingerprint, place(value("below"))?));
    }
    match (value("new"), value("leave")) {
        (Some(below), _) => Ok(Certificates::Unnamed(place(Some(below))?)),
        (None, Some(below)) => Ok(Certificates::Leave(place(Some(below))?)),
        (None, None) if query.is_empty() => Ok(Certificates::List),
        (None, None) => Ok(Certificates::For(place(Some("/".into()))?.url)),
    }
}

impl Certificates {
    /// The URL that asks for it.
    ///
    /// # Errors
    /// Never.
    pub fn url(&self) -> Result<Url, UrlError> {
        let coded = |text: &str| escape::encode(text.as_bytes(), b"");
        let at = |place: &Place| format!("below={}&for={}", coded(&place.below), coded(place.url.as_str()));
        let query = match self {
            Certificates::List => String::new(),
            Certificates::For(url) => format!("?for={}", coded(url.as_str())),
            Certificates::Unnamed(place) => format!("?new={}&for={}", coded(&place.below), coded(place.url.as_str())),
            Certificates::Make(name, place) => format!("?make={}&{}", coded(name), at(place)),
            Certificates::Use(fingerprint, place) => format!("?use={}&{}", coded(fingerprint), at(place)),
            Certificates::Leave(place) => format!("?leave={}&for={}", coded(&place.below), coded(place.url.as_str())),
            Certificates::Forget(fingerprint) => format!("?forget={}", coded(fingerprint)),
        };
        Url::parse(format!("about:certificates{query}"))
    }

    /// The question before it is done; `None` where nothing is done.
    fn question(&self) -> Option<String> {
        let word = |text: &str| show::octets(text.as_bytes());
        let short = |fingerprint: &str| word(&fingerprint.chars().take(SHORT).collect::<String>());
        match self {
            Certificates::List | Certificates::For(_) | Certificates::Unnamed(_) => None,
            Certificates::Make(name, place) => Some(format!(
                "Make a certificate that calls you \"{}\", and show it to {} and all below from now on?",
                word(name),
                place.shown()
            )),
            Certificates::Use(fingerprint, place) => Some(format!(
                "Show your certificate {}… to {} and all below from now on? Who sees one certificate twice knows that both are you.",
                short(fingerprint),
                place.shown()
            )),
            Certificates::Leave(place) => Some(format!("Show no certificate to {} any more?", place.shown())),
            Certificates::Forget(fingerprint) => Some(format!(
                "Forget your certificate {}… and its key? What knows you by it will not know you again.",
                short(fingerprint)
            )),
        }
    }
}

/// Digits of a fingerprint that tell one certificate from another.
pub const SHORT: usize = 16;

/// The URL that a name for a new certificate makes of one that asks for it.
pub(super) fn named(url: &Url, words: &[u8]) -> Result<Url, UrlError> {
    match certificates(url) {
        Some(Ok(Certificates::Unnamed(place))) => {
            Certificates::Make(String::from_utf8_lossy(words).into_owned(), place).url()
        }
        _ => Err(UrlError::Malformed("this page asks for no words".into())),
    }
}

/// The question before a page does something.
fn question(url: &Url) -> Result<Option<String>, UrlError> {
    if let Some(asked) = certificates(url) {
        return Ok(asked?.question());
    }
    if let Some(asked) = Kept::of(url) {
        return Ok(asked.question());
    }
    if let Some(asked) = New::of(url) {
        return Ok(asked.question());
    }
    Ok(forgets(url).map(|host| format!("Forget the cookies of {}?", show::component(&host))))
}

pub(super) const WAYS: Ways = Ways {
    family: Family::About,
    paths: Paths::Segments,
    parts: |url| Ok(vec![Part { kind: PartKind::Name, label: "page", text: page(url)? }]),
    fields: |url| Ok(json!({ "page": page(url)? })),
    plan: |url| {
        page(url)?;
        Ok(Plan { act: Act::Internal, confirm: question(url)? })
    },
    up: |_| None,
    root: |_| None,
};
