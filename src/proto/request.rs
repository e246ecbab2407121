//! What is asked of a fetch: the address, and all that its owner knows or wants besides.

use crate::url::{BaseStack, EntityBase, Siblings, Url};
use std::fmt;
use std::sync::Arc;

/// What to fetch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Request {
    /// The URL; its fragment is never sent.
    pub url: Url,
    /// The media type the reader wants it taken for (`--type`, source view), instead of what the protocol says.
    pub media: Option<String>,
    /// Other places with the same content (gopher `+` items), tried in order when the first cannot be reached.
    pub mirrors: Vec<Url>,
    /// What the reader answered when a server wanted a login; goes before what the URL says.
    pub login: Option<Login>,
    /// Where to go on, when the beginning is there from an earlier time.
    pub resume: Option<Resume>,
    /// Nothing behind so many octets of the content is wanted. Protocols that have no way to say so send all of it.
    pub until: Option<u64>,
    /// What the listing that named it said: a server need not be asked for it again. Only FTP takes notice of it.
    pub listed: Option<Listed>,
    /// The [`super::Head::validator`] of a copy that is here: the content is not sent again as long as it is the same
    /// ([`super::FetchEvent::Unchanged`]). Protocols that have no way to ask send it again.
    pub unless: Option<String>,
    /// What is to be sent there, where the URL names a place that takes something: an article for a newsgroup, a form for a
    /// web server. Protocols that send nothing take no notice of it.
    pub body: Option<Content>,
    /// When the groups of a news server were listed before, by the server's clock ([`super::Head::clock`]): those that came since are
    /// told of. Only lists of all groups take notice of it.
    pub since: Option<jiff::Timestamp>,
    /// What the URL names, when the owner has it: a part of a message that is open. Only schemes that stand for nothing on
    /// any server take notice of it.
    pub held: Option<Arc<Held>>,
    /// `url` with stars for the secrets that it holds, where it holds any: what is written down of the request.
    pub told: Option<Url>,
    /// The page that led there: its site tells which cookies may go. `None` where the reader named the place.
    pub led: Option<Url>,
    /// Articles of the news server that the URL names, by their ids without `< >`, that are to be kept on disk for later. How far
    /// that is comes as the body. Only news takes notice of it.
    pub articles: Option<Arc<[Vec<u8>]>>,
    /// Files are listed, too, whose names begin with a dot, where a server leaves them out unless it is asked. Only FTP takes notice
    /// of it.
    pub hidden: bool,
    /// Where links lead is asked for, too, where a listing names them without it. Only FTP takes notice of it.
    pub targets: bool,
    /// The articles of the thread that is wanted as one page, by their ids without `< >`, messages of mailboxes by their URLs; the URL
    /// names the first. Only news and files take notice of it.
    pub conversation: Option<Arc<[Vec<u8>]>>,
    /// The reader wants it fetched again, whatever is at hand of it. Only archives take notice of it.
    pub anew: bool,
    /// The articles that hold the parts of a file, in order, by their ids without `< >`: the file is wanted, joined. The URL names
    /// the first. Only news takes notice of it.
    pub parts: Option<Arc<[Vec<u8>]>>,
    /// A file of this machine that is to go into the directory that the URL names. Only FTP takes notice of it.
    pub put: Option<Put>,
    /// The server's own checksum of the file is wanted, as hexadecimal digits, instead of the file. Only FTP takes notice of it.
    pub sum: bool,
    /// It goes into a file: those of one host come a few at a time, whoever asks for more of them. Only FTP takes notice of it.
    pub saved: bool,
    /// Nothing of it may be kept: neither cookies nor certificates, nor from where a file comes.
    pub private: bool,
    /// Nobody watches, so nobody can be asked, either: cookies that were taken before go along, and none is taken.
    pub unwatched: bool,
    /// No copy of the page is to be kept: it answers a form, or a place that was told a secret led there.
    pub unkept: bool,
    /// The address that was asked for, where servers led from there to `url`, and nothing but addresses was sent.
    pub redirected: Option<Arc<Redirected>>,
    /// Whether the copy that was kept of it will do.
    pub kept: KeptCopy,
    /// What is kept of it may come before the server has answered ([`super::Head::ahead`]). Only news takes notice of it.
    pub ahead: bool,
}

/// An address that was asked for, and led elsewhere.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Redirected {
    /// It.
    pub from: Url,
    /// What servers said of it: "301 Moved Permanently"; of several each in turn, without the addresses between: these are nobody's
    /// to forget.
    pub said: String,
}

impl Redirected {
    /// The same, where the address to which it led said that it is elsewhere.
    #[must_use]
    pub fn on(self, status: &str) -> Redirected {
        Redirected { said: format!("{}, then {status}", self.said), ..self }
    }
}

/// What a listing says of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Listed {
    /// Octets.
    pub length: u64,
    /// The last change, where it was told to the second.
    pub modified: Option<jiff::Timestamp>,
}

/// What a URL names, taken out of a message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Held {
    /// The media type, lower case, without parameters.
    pub media: String,
    /// The declared charset.
    pub charset: Option<String>,
    /// The name that it gives its file.
    pub filename: Option<String>,
    /// The octets.
    pub octets: Vec<u8>,
    /// Of what it is a part.
    pub within: Arc<Within>,
}

/// The message that a part was taken out of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Within {
    /// Where the message came from.
    pub url: Url,
    /// The base that its headings give to the part.
    pub base: Option<EntityBase>,
    /// What the part can lead to within the message.
    pub siblings: Option<Arc<Siblings>>,
}

impl Within {
    /// The bases of the part: where all of it came from, and what the headings around it say (BASE-04).
    pub fn bases(&self, default: Option<Url>) -> BaseStack {
        let mut bases = BaseStack::retrieved(self.url.without_fragment(), default);
        self.base.clone().into_iter().for_each(|base| bases.set_entity(base));
        self.siblings.clone().into_iter().for_each(|siblings| bases.set_siblings(siblings));
        bases
    }
}

/// What a request sends.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Content {
    /// The media type, with its parameters.
    pub media: String,
    /// The octets.
    pub octets: Vec<u8>,
}

/// A file of this machine on its way into a directory of a server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Put {
    /// Where it lies. Its last part is its name on the server.
    pub path: String,
    /// What the reader was told is there, and has agreed to; `None` has nothing sent, and tells what is there
    /// ([`super::FetchError::found`]). Where it, or the file, is something else by now, nothing is sent either.
    pub agreed: Option<There>,
    /// The octets that the reader was told it has.
    pub length: Option<u64>,
    /// Goes on behind the part that is there, not from the beginning.
    pub goes_on: bool,
}

/// What a directory has by the name of a file that is to go into it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum There {
    /// Nothing.
    Nothing,
    /// So many octets of this very file, from an earlier try of this run.
    Part(u64),
    /// Something, of so many octets where the server tells.
    Other(Option<u64>),
    /// The server does not tell.
    Untold,
}

/// A file that is to go into a directory, and what the directory has by its name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// Its name, for people.
    pub name: String,
    /// Its octets.
    pub length: u64,
    /// What is there.
    pub there: There,
}

/// Whether a copy that was kept of a page will do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum KeptCopy {
    /// The page is asked for.
    #[default]
    Unwanted,
    /// Where there is one; else the page is asked for.
    Rather,
    /// Nothing else: nobody is asked.
    Only,
}

/// The beginning of a file that is there already.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Resume {
    /// Its length in octets.
    pub from: u64,
    /// The [`super::Head::validator`] of the file it is the beginning of. Where the server's differs now, the fetch begins anew.
    pub validator: String,
    /// A listing says the same time of the file as it did when the beginning came.
    pub as_listed: bool,
}

/// A user and a password, as octets.
#[derive(Clone, PartialEq, Eq, Default)]
pub struct Login {
    /// The user.
    pub user: Vec<u8>,
    /// The password.
    pub password: Vec<u8>,
    /// The account, for FTP servers that ask for one besides (RFC 959, 4.1.1).
    pub account: Option<Vec<u8>>,
}

/// Never the password.
impl fmt::Debug for Login {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Login {{ user: {:?}, password: *** }}", String::from_utf8_lossy(&self.user))
    }
}

impl Request {
    /// A plain request.
    pub fn new(url: Url) -> Request {
        Request {
            url,
            media: None,
            mirrors: Vec::new(),
            login: None,
            resume: None,
            until: None,
            listed: None,
            unless: None,
            body: None,
            since: None,
            held: None,
            told: None,
            led: None,
            articles: None,
            hidden: false,
            targets: false,
            conversation: None,
            anew: false,
            parts: None,
            put: None,
            sum: false,
            saved: false,
            private: false,
            unwatched: false,
            unkept: false,
            redirected: None,
            kept: KeptCopy::Unwanted,
            ahead: false,
        }
    }

    /// Whether it is an address alone that is asked for, of anybody, and what comes of it is anybody's.
    pub fn is_by_address(&self) -> bool {
        let Request {
            private,
            unkept,
            login,
            body,
            told,
            held,
            media,
            resume,
            articles,
            conversation,
            parts,
            since,
            ..
        } = self;
        !private
            && !unkept
            && login.is_none()
            && body.is_none()
            && told.is_none()
            && held.is_none()
            && media.is_none()
            && resume.is_none()
            && articles.is_none()
            && conversation.is_none()
            && parts.is_none()
            && since.is_none()
    }
}
