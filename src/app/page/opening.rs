//! A URL on its way to be opened: how far the reader has agreed, where its page goes, what else is to be known of it.

use super::entry::{Hop, Place};
use super::fields::{Sent, Submitted};
use super::listed::Listed;
use super::veil::Veil;
use crate::app::JobId;
use crate::doc::LinkId;
use crate::proto::{Dispatch, Head, Held, KeptCopy, Request, Stage};
use crate::url::Url;
use crate::work::Take;
use std::sync::Arc;

/// A URL on its way to be opened.
#[derive(Debug, Clone, PartialEq)]
pub struct Opening {
    /// What is fetched.
    pub url: Url,
    /// What history shows and keeps, when `url` holds a secret.
    pub shown: Option<Url>,
    /// `url` with stars for the secrets that it holds; `None` when it holds none.
    pub told: Option<Url>,
    /// How far the reader has agreed.
    pub consent: Consent,
    /// Where the page goes.
    pub way: Way,
    /// Page or file.
    pub aim: Aim,
    /// The media type the reader wants.
    pub media: Option<String>,
    /// The charset that the reader named for it beforehand.
    pub charset: Option<String>,
    /// Other places with the same content.
    pub mirrors: Vec<Url>,
    /// The item whose form was filled, when `url` carries its answers.
    pub form: Option<Url>,
    /// What it sends, where the URL does not tell.
    pub sent: Option<Sent>,
    /// The form that it sends.
    pub submitted: Option<Box<Submitted>>,
    /// What servers were told in secret on the way there: it is hidden in what they answer, and in where they lead.
    pub veil: Veil,
    /// What the reader is told, and asked about, before it goes.
    pub doubt: Option<String>,
    /// The file it goes into, when the reader named it beforehand.
    pub path: Option<String>,
    /// The redirects followed so far.
    pub hops: Vec<Hop>,
    /// What it names, when that was taken out of a message.
    pub held: Option<Arc<Held>>,
    /// What it names is to be looked for in these messages, not in those of the tab where it opens.
    pub sought: Option<Arc<Take>>,
    /// Whose words it shows, where its URL does not tell: of what a program made of a page, that page.
    pub origin: Option<Url>,
    /// The page that led there; `None` where the reader named it.
    pub led: Option<Url>,
    /// Where on its page the reader wants to be.
    pub place: Option<Place>,
    /// The words of the link that led there: how the page is called that has no title.
    pub named: Option<String>,
    /// The link of the page before the one in view that it is, where the reader goes on along that.
    pub item: Option<LinkId>,
    /// The list that leads there, where that is not the place before.
    pub listed: Option<Arc<Listed>>,
    /// What has left this machine for it, since the last redirect.
    pub dispatched: Vec<Dispatch>,
    /// The file of what the reader wrote to be sent: it goes when that has arrived.
    pub draft: Option<String>,
    /// Whether the copy that was kept of it will do.
    pub kept: KeptCopy,
}

impl Opening {
    /// The reader followed a link.
    pub fn followed(url: Url) -> Opening {
        let (way, aim) = (Way::New, Aim::Page);
        let (shown, told, media, charset, form, path) = (None, None, None, None, None, None);
        let (sent, doubt, item, place, listed, draft) = (None, None, None, None, None, None);
        let (consent, mirrors, hops, dispatched) = (Consent::Followed, Vec::new(), Vec::new(), Vec::new());
        let (held, sought, origin, submitted, led, named) = (None, None, None, None, None, None);
        Opening {
            url,
            shown,
            told,
            consent,
            way,
            aim,
            media,
            charset,
            mirrors,
            form,
            sent,
            doubt,
            path,
            hops,
            held,
            sought,
            origin,
            submitted,
            veil: Veil::default(),
            led,
            place,
            named,
            item,
            listed,
            dispatched,
            draft,
            kept: KeptCopy::Unwanted,
        }
    }

    /// The reader typed it.
    pub fn typed(url: Url) -> Opening {
        Opening { consent: Consent::Typed, ..Opening::followed(url) }
    }

    /// The URL that may be shown and kept.
    pub fn public(&self) -> &Url {
        self.shown.as_ref().unwrap_or(&self.url)
    }

    /// The URL that answered, as it may be shown and kept: a server says which one it is, and that one may hold a secret.
    pub(in crate::app) fn answered(&self, by: Url) -> Url {
        if self.told.is_some() { self.public().without_fragment() } else { by }
    }
}

/// How far the reader has agreed to open exactly this URL.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Consent {
    /// They followed a link.
    Followed,
    /// They typed it.
    Typed,
    /// They said yes to a question about it.
    Agreed,
}

/// Where the page goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Way {
    /// A new place after the one in view.
    New,
    /// The place in view, again.
    Reload,
    /// A place of history whose page was forgotten.
    Place(usize),
    /// In the place of the one in view: from article to article there are many steps, and one back leads to the group.
    Instead,
}

/// Page or file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Aim {
    /// A page to read.
    Page,
    /// A file to keep.
    File,
    /// A directory to keep with all that is below it.
    Tree,
    /// Those of its rows that were kept before.
    Rows,
}

/// What a program is to open.
#[derive(Debug, Clone, PartialEq)]
pub enum Target {
    /// A place.
    Url(Url),
    /// A file of this machine.
    File(String),
    /// A body that waits for a verdict, and its media type.
    Body(JobId, String),
}

/// A fetch for the page that has no document yet.
#[derive(Debug, Clone, PartialEq)]
pub struct Loading {
    /// Its number.
    pub id: JobId,
    /// How it came about.
    pub opening: Opening,
    /// What.
    pub request: Request,
    /// How far.
    pub stage: Option<Stage>,
    /// The head, once it was accepted or while a question about it is open.
    pub head: Option<Head>,
}
