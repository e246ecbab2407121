//! `archive:` URLs: the archive is fetched by its own protocol, and a folder of it is a listing, a member a file.
//!
//! A whole archive is held while its members are looked at, up to what one page may hold (`limits.memory`); one of this machine
//! stays on its disk. Of a recursive listing the names are held, and its files are where it came from. The last few stay at hand, so that a walk through one fetches it once; a reload fetches it again. All
//! unpacking is done by threads for what may block, a piece at a time, and ends when its fetch does.

use super::relay::{Relay, Room};
use super::{Again, Context, End, Exchange, FetchError, FetchEvent, Fetching, Head, Kind, Moved, Request, Verdict};
use super::{catalogue, net};
use crate::archive::{Archive, Fault, Found, Member, Near, Source, Why, is_catalogue};
use crate::doc::sanitise;
use crate::format::{charset, guess, human, media};
use crate::stop::Stop;
use crate::url::scheme::archive::{Archive as Named, tree, words};
use crate::url::scheme::{self, Act, Family};
use crate::url::{self, Url, escape};
use jiff::Timestamp;
use jiff::tz::TimeZone;
use std::fs::File;
use std::io::{Cursor, Read};
use std::path::PathBuf;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::SystemTime;
use tokio::sync::mpsc;

/// Archives that stay at hand.
const AT_HAND: usize = 4;
/// What is looked at to tell the kind of a member.
const SNIFF: usize = 1024;
/// Octets of a member that are read in one go.
const PIECE: usize = 64 * 1024;

/// Archives that were read and stay at hand. Clones are one.
#[derive(Clone, Default)]
pub struct Shelf(Arc<Mutex<Vec<Row>>>);

/// The URL of an archive, and what was read of it; the one that was wanted last stands last.
type Row = (String, Arc<Opened>);

impl std::fmt::Debug for Shelf {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Shelf({})", self.all().len())
    }
}

impl Shelf {
    fn all(&self) -> MutexGuard<'_, Vec<Row>> {
        // Whoever panicked left a list behind that is whole.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn find(&self, file: &Url) -> Option<Arc<Opened>> {
        let mut all = self.all();
        let at = all.iter().position(|(url, _)| url == file.as_str())?;
        let found = all.remove(at);
        let opened = Arc::clone(&found.1);
        all.iter().for_each(|(_, other)| other.archive.rest());
        all.push(found);
        Some(opened)
    }

    fn drop(&self, file: &Url) {
        self.all().retain(|(url, _)| url != file.as_str());
    }

    /// Keeps one, and no more of the others than there is room for.
    fn keep(&self, file: &Url, opened: &Arc<Opened>, most: usize) {
        let mut all = self.all();
        all.retain(|(url, _)| url != file.as_str());
        all.iter().for_each(|(_, other)| other.archive.rest());
        all.push((file.as_str().into(), Arc::clone(opened)));
        let mut held = 0;
        let fits = |(_, opened): &&Row| {
            held += opened.memory();
            held <= most
        };
        let count = all.iter().rev().take(AT_HAND).take_while(fits).count().max(1);
        let gone = all.len() - count;
        all.drain(..gone);
    }
}

/// An archive whose table was read.
struct Opened {
    archive: Archive,
    octets: Octets,
    /// What is to be known of how it came.
    remark: Option<String>,
    /// Of a recursive listing, the URL of the directory that its top is.
    place: Option<String>,
}

/// What a path in an archive leads to.
enum Met {
    Folder(Vec<u8>),
    Member(Member),
    /// To a file of the server that a listing is of.
    Elsewhere(Url),
}

/// Where the octets of an archive are.
#[derive(Clone)]
enum Octets {
    Held(Arc<[u8]>),
    /// On this machine, with what told it from others of its name.
    Disk(PathBuf, Stamp),
}

/// Length and time of a file.
type Stamp = (u64, Option<SystemTime>);

impl Octets {
    fn source(&self) -> Result<Box<dyn Source>, Fault> {
        match self {
            Octets::Held(octets) => Ok(Box::new(Cursor::new(Arc::clone(octets)))),
            Octets::Disk(path, _) => Ok(Box::new(Near::new(File::open(path)?))),
        }
    }

    /// When a file of this machine was changed last.
    fn modified(&self) -> Option<Timestamp> {
        match self {
            Octets::Held(_) => None,
            Octets::Disk(_, (_, modified)) => Timestamp::try_from((*modified)?).ok(),
        }
    }

    /// What tells whether they are still what they were, without them.
    fn left(self) -> Octets {
        match self {
            Octets::Held(_) => Octets::Held(Arc::default()),
            Octets::Disk(..) => self,
        }
    }

    /// Whether it is still what it was.
    fn stands(&self) -> bool {
        match self {
            Octets::Held(_) => true,
            Octets::Disk(path, stamp) => std::fs::metadata(path).is_ok_and(|facts| self::stamp(&facts) == *stamp),
        }
    }
}

fn stamp(facts: &std::fs::Metadata) -> Stamp {
    (facts.len(), facts.modified().ok())
}

impl Opened {
    fn find(&self, path: &[u8]) -> Result<Met, Fault> {
        let elsewhere = |place: &str, path: &[u8]| {
            let url = Url::parse(format!("{place}{}", escape::encode(path, escape::FTP_PATH)));
            url.map(Met::Elsewhere).map_err(|error| Fault { why: Why::Broken, says: format!("{error}.") })
        };
        match (self.archive.find(path), &self.place) {
            (Ok(Found::Folder(path)), _) => Ok(Met::Folder(path)),
            (Ok(Found::Member(found)), _) if path.ends_with(b"/") => {
                let name = String::from_utf8_lossy(&found.path);
                Err(Fault { why: Why::Missing, says: format!("{name} is a file, no folder.") })
            }
            (Ok(Found::Member(found)), Some(place)) => elsewhere(place, &found.path),
            (Ok(Found::Member(found)), None) => Ok(Met::Member(found.clone())),
            // The server knows where its links lead.
            (Err(_), Some(place)) if self.archive.has(path) => elsewhere(place, path),
            (Err(fault), _) => Err(fault),
        }
    }

    /// What is in a folder; or all that is below it, where only what has these words is wanted.
    fn listing(&self, folder: &[u8], words: Option<&[Vec<u8>]>) -> Vec<u8> {
        let rows = match words {
            Some(words) => self.archive.tree(folder, words),
            None => self.archive.listing(folder),
        };
        let Some(place) = &self.place else { return rows };
        let slash = if folder.is_empty() { "" } else { "/" };
        let folder = escape::encode(folder, escape::FTP_PATH);
        [format!("type=cdir;x.place={place}{folder}{slash}; .\n").as_bytes(), &rows].concat()
    }

    fn memory(&self) -> usize {
        let held = match &self.octets {
            Octets::Held(octets) => octets.len(),
            Octets::Disk(..) => 0,
        };
        held + self.archive.memory()
    }
}

/// Gives work up when whoever waits for it goes.
struct Wanted(Stop);

impl Drop for Wanted {
    fn drop(&mut self) {
        self.0.give_up();
    }
}

/// Does work that takes long where it may, for as long as it is wanted.
async fn aside<T: Send + 'static>(
    work: impl FnOnce(&Stop) -> Result<T, Fault> + Send + 'static,
) -> Result<T, FetchError> {
    let stop = Stop::new();
    let wanted = Wanted(stop.clone());
    let done = tokio::task::spawn_blocking(move || work(&stop)).await;
    drop(wanted);
    match done {
        Ok(done) => done.map_err(failure),
        Err(error) => Err(FetchError::new(Kind::Broken, error.to_string())),
    }
}

fn failure(fault: Fault) -> FetchError {
    let kind = match fault.why {
        Why::Missing => Kind::NotFound,
        Why::Broken => Kind::Malformed,
        Why::Foreign => Kind::Unsupported,
        Why::Unsafe => Kind::Unsafe,
        Why::TooLarge => Kind::TooLarge,
        Why::Stopped => Kind::Stopped,
    };
    FetchError::new(kind, sanitise(&fault.says).into_owned())
}

/// Fetches a folder or a member of an archive.
pub fn fetch<'a>(request: &'a Request, exchange: &'a mut Exchange, context: &'a Context) -> Fetching<'a> {
    Box::pin(async move {
        let outcome = run(request, exchange, context).await;
        outcome.map_err(|error| match error.tried.is_empty() {
            true => error.tried(request.url.redacted()),
            false => error,
        })
    })
}

async fn run(request: &Request, exchange: &mut Exchange, context: &Context) -> Result<End, FetchError> {
    let url = request.url.without_fragment();
    scheme::plan(&url)?;
    let Named { file, member } = Named::of(&url)?;
    let Some(opened) = open(&file, request, exchange, context).await? else { return Ok(End::default()) };
    let charset = opened.archive.charset();
    let from = format!("{}, in {} ({})", sanitise(&text(&member, charset)), file, opened.archive.form().name());
    let (wanted, seen) = (request.media.clone(), Arc::clone(&opened));
    let met = aside(move |_| seen.find(&member)).await?;
    // What is true of all of it is told at its root.
    let at_root = matches!(&met, Met::Folder(path) if path.is_empty());
    let notes = opened.archive.notes().iter().filter(|_| at_root);
    let notices = opened.remark.iter().chain(notes).map(|words| sanitise(words).into_owned()).collect();
    let head = |url: Url, media: String| Head { notices, lines: vec![from], ..Head::new(url, media) };
    let found = match met {
        Met::Folder(path) => {
            let words = words(&url);
            let bare = url.as_str().split('?').next().unwrap_or_default();
            let whole = match (&words, url.path().ends_with('/')) {
                (_, true) => url.clone(),
                (Some(words), false) => tree(&url, &String::from_utf8_lossy(&words.join(&b' ')))?,
                (None, false) => Url::parse(format!("{bare}/"))?,
            };
            let title = Some(title(&file, &text(&path, charset), words.as_deref()));
            let head = Head { title, charset: charset.map(Into::into), ..head(whole, media::DIRECTORY.into()) };
            let listing = aside(move |_| Ok(opened.listing(&path, words.as_deref()))).await?;
            let mut relay = Relay::new(exchange, media::DIRECTORY, &context.limits);
            if relay.head(head).await? == Verdict::Refuse {
                return Ok(End::default());
            }
            return match relay.pass(listing).await? {
                Room::Full => Ok(End { cut: Some(relay.cut()) }),
                Room::Left => Ok(End::default()),
            };
        }
        Met::Elsewhere(to) => {
            let (to, status) = (to.as_str().to_owned(), "a listing names it".into());
            exchange.moved(Moved { from: url, to, status, again: Again::Get }).await?;
            return Ok(End::default());
        }
        Met::Member(found) => found,
    };
    let (length, modified) = (found.size, found.modified.filter(|modified| !modified.local));
    let (_wanted, mut pieces) = pieces(&opened, found);
    let first = match pieces.recv().await {
        Some(first) => first.map_err(failure)?,
        None => Vec::new(),
    };
    let name = last(&url);
    let media = wanted.unwrap_or_else(|| guess::of_file(&name, &first[..first.len().min(SNIFF)]));
    let modified = modified.and_then(|modified| Timestamp::from_second(modified.seconds).ok());
    let head = Head { length: Some(length), modified, filename: Some(name), ..head(url, media) };
    let mut relay = Relay::new(exchange, &head.media, &context.limits);
    if relay.head(head).await? == Verdict::Refuse {
        return Ok(End::default());
    }
    let mut next = Some(Ok(first));
    while let Some(piece) = next {
        match piece {
            Ok(piece) => {
                if relay.pass(piece).await? == Room::Full {
                    return Ok(End { cut: Some(relay.cut()) });
                }
            }
            Err(fault) => return Ok(End { cut: Some(failure(fault).detail) }),
        }
        next = pieces.recv().await;
    }
    Ok(End::default())
}

/// A name as characters.
fn text(name: &[u8], charset: Option<&str>) -> String {
    charset.and_then(charset::known).unwrap_or(charset::Charset::Utf8).decode(name).into_owned()
}

/// What the page of a folder is called.
fn title(file: &Url, folder: &str, words: Option<&[Vec<u8>]>) -> String {
    let archive = last(file);
    let place = if folder.is_empty() { archive } else { format!("{archive}: {folder}") };
    match words {
        Some([]) => format!("{place}, all below"),
        Some(words) => format!("{place}, {}", String::from_utf8_lossy(&words.join(&b' '))),
        None => place,
    }
}

/// The last name in the path of a URL.
fn last(url: &Url) -> String {
    let path = url.path().trim_end_matches('/');
    let name = url::escape::decode(path.rsplit('/').next().unwrap_or_default());
    String::from_utf8_lossy(&name).into_owned()
}

/// The octets of a member, a piece at a time, for as long as they are wanted.
fn pieces(opened: &Arc<Opened>, member: Member) -> (Wanted, mpsc::Receiver<Result<Vec<u8>, Fault>>) {
    let (sender, pieces) = mpsc::channel(2);
    let (stop, opened) = (Stop::new(), Arc::clone(opened));
    let wanted = Wanted(stop.clone());
    tokio::task::spawn_blocking(move || {
        let begun = opened.octets.source().and_then(|source| opened.archive.open(&member, source, &stop));
        let mut octets = match begun {
            Ok(octets) => octets,
            // Whoever has gone needs no word.
            Err(fault) => return drop(sender.blocking_send(Err(fault))),
        };
        loop {
            let mut piece = Vec::with_capacity(PIECE);
            let read = (&mut octets).take(PIECE as u64).read_to_end(&mut piece);
            let ends = piece.len() < PIECE;
            if !piece.is_empty() && sender.blocking_send(Ok(piece)).is_err() {
                return;
            }
            if let Err(error) = read {
                return drop(sender.blocking_send(Err(error.into())));
            }
            if ends {
                return;
            }
        }
    });
    (wanted, pieces)
}

/// Whatever opens an archive; it may have to open the one around it.
type Opening<'a> = Pin<Box<dyn Future<Output = Result<Option<Arc<Opened>>, FetchError>> + Send + 'a>>;

/// The archive that a URL names, from the shelf, else fetched. `None` when it turned out to be elsewhere.
fn open<'a>(file: &'a Url, request: &'a Request, exchange: &'a mut Exchange, context: &'a Context) -> Opening<'a> {
    Box::pin(async move {
        match context.archives.find(file) {
            Some(_) if request.anew => context.archives.drop(file),
            Some(opened) if opened.octets.stands() => return Ok(Some(opened)),
            _ => {}
        }
        let most = context.limits.memory;
        let mut made = Timestamp::now();
        let (octets, remark) = match scheme::plan(file)?.act {
            _ if scheme::family(file) == Family::Archive => {
                let Named { file: outer, member } = Named::of(file)?;
                let Some(opened) = open(&outer, request, exchange, context).await? else { return Ok(None) };
                (aside(move |stop| within(&opened, &member, most, stop)).await?, None)
            }
            Act::File(path) => {
                let octets = on_disk(path).await?;
                made = made.min(octets.modified().unwrap_or(made));
                (octets, None)
            }
            _ => match fetched(file, request, exchange, context).await? {
                Some(Fetched { octets, modified, remark }) => {
                    made = made.min(modified.unwrap_or(made));
                    (Octets::Held(octets.into()), remark)
                }
                None => return Ok(None),
            },
        };
        let url = file.clone();
        let opened = aside(move |stop| {
            let archive = Archive::read(&mut *octets.source()?, TimeZone::UTC.to_datetime(made), stop)?;
            let archive = archive.in_one_charset(|name| text(name, Some("cp437")));
            let place = archive.top().map(|top| catalogue::place(&archive, top, &url)).transpose()?;
            // Whoever has the names needs their list no more.
            let octets = if place.is_some() { octets.left() } else { octets };
            Ok(Arc::new(Opened { archive, octets, remark, place }))
        })
        .await;
        let hint = match is_catalogue(&last(file)) {
            true => ":as text shows it as it is.",
            false => "Save it by :download of its own address, which is shown by =.",
        };
        let opened = opened.map_err(|error| error.hint(hint))?;
        context.archives.keep(file, &opened, most);
        Ok(Some(opened))
    })
}

/// An archive within another one, held.
fn within(opened: &Opened, member: &[u8], most: usize, stop: &Stop) -> Result<Octets, Fault> {
    let Found::Member(member) = opened.archive.find(member)? else {
        return Err(Fault { why: Why::Broken, says: "This is a folder, no archive.".into() });
    };
    let too_large = || Fault { why: Why::TooLarge, says: too_large(most) };
    if member.size > most as u64 {
        return Err(too_large());
    }
    let mut octets = Vec::new();
    let mut source = opened.archive.open(member, opened.octets.source()?, stop)?;
    (&mut source).take(most as u64 + 1).read_to_end(&mut octets)?;
    if octets.len() > most { Err(too_large()) } else { Ok(Octets::Held(octets.into())) }
}

fn too_large(most: usize) -> String {
    format!("This archive is larger than {}, the most that is held of one (limits.memory).", human(most as u64))
}

/// A file of this machine.
async fn on_disk(path: Vec<u8>) -> Result<Octets, FetchError> {
    let path = super::file::path(path)?;
    let own = path.clone();
    let facts = tokio::task::spawn_blocking(move || std::fs::metadata(own)).await;
    let facts = facts.unwrap_or_else(|error| Err(std::io::Error::other(error)));
    match facts {
        Ok(facts) if facts.is_file() => Ok(Octets::Disk(path, stamp(&facts))),
        Ok(_) => Err(FetchError::new(Kind::Unsupported, format!("{} is no file.", path.display()))),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            Err(FetchError::new(Kind::NotFound, format!("There is no {}.", path.display())))
        }
        Err(error) => {
            let detail = format!("{} cannot be read ({}).", path.display(), net::words(&error));
            Err(FetchError::new(Kind::Broken, detail))
        }
    }
}

/// The octets of an archive that some server has, and what is to be known of them and of how they came.
struct Fetched {
    octets: Vec<u8>,
    modified: Option<Timestamp>,
    remark: Option<String>,
}

/// Fetches an archive. `None` when it is elsewhere.
async fn fetched(
    file: &Url,
    request: &Request,
    exchange: &mut Exchange,
    context: &Context,
) -> Result<Option<Fetched>, FetchError> {
    let (login, led, private) = (request.login.clone(), request.led.clone(), request.private);
    let asked = Request { login, led, private, ..Request::new(file.clone()) };
    let (mut inner, mut events, verdict) = Exchange::new(2);
    let fetch = async {
        let outcome = super::fetch(&asked, &mut inner, context).await;
        inner.close(outcome).await;
    };
    let take = take(request, exchange, context.limits.memory, &mut events, verdict);
    tokio::pin!(fetch, take);
    tokio::select! {
        taken = &mut take => taken,
        () = &mut fetch => take.await,
    }
}

/// Takes what the fetch of an archive says.
async fn take(
    request: &Request,
    exchange: &mut Exchange,
    most: usize,
    events: &mut mpsc::Receiver<FetchEvent>,
    verdict: tokio::sync::oneshot::Sender<Verdict>,
) -> Result<Option<Fetched>, FetchError> {
    let too_large = || FetchError::new(Kind::TooLarge, too_large(most)).hint("Save it, and open it from there.");
    let (mut octets, mut modified, mut verdict) = (Vec::new(), None, Some(verdict));
    while let Some(event) = events.recv().await {
        match event {
            FetchEvent::Stage(stage) => exchange.stage(stage).await?,
            FetchEvent::Sent(sent) => exchange.sent_for(sent).await?,
            FetchEvent::Head(head) => {
                if let Some(status) = head.status {
                    let detail = format!("The server answers \"{}\" instead of the archive.", sanitise(&status));
                    return Err(FetchError::new(Kind::NotFound, detail));
                }
                modified = head.modified;
                if head.length.is_some_and(|length| length > most as u64) {
                    return Err(too_large());
                }
                if let Some(verdict) = verdict.take() {
                    // A fetch that has just failed says so next.
                    let _ = verdict.send(Verdict::Accept);
                }
            }
            FetchEvent::Moved(moved) => {
                let to = url::redirect(&moved.from, &moved.to)?;
                let to = scheme::archive::moved(&request.url, &to)?.as_str().to_owned();
                let from = request.url.without_fragment();
                exchange.moved(Moved { from, to, ..*moved }).await?;
                return Ok(None);
            }
            FetchEvent::Unchanged => {}
            FetchEvent::Body(piece) => {
                if octets.len() + piece.len() > most {
                    return Err(too_large());
                }
                octets.extend(piece);
            }
            FetchEvent::End(End { cut: remark }) => return Ok(Some(Fetched { octets, modified, remark })),
            FetchEvent::Failed(error) => return Err(error),
        }
    }
    Err(FetchError::new(Kind::Broken, "The archive ended before its end."))
}
