//! `archive:` URLs: the archive is fetched by its own protocol, and a folder of it is a listing, a member a file.
//!
//! A whole archive is held while its members are looked at, up to what one page may hold (`limits.memory`); one of this machine
//! stays on its disk, and a large zip on its server where that sends parts ([`far`]). Of a recursive listing the names are held, and
//! its files are where it came from. The last few stay at hand, so that a walk through one fetches it once; a reload fetches it again.
//! All unpacking is done by threads for what may block, a piece at a time, and ends when its fetch does.

mod far;
mod fetched;
mod octets;
mod shelf;

pub use self::shelf::Shelf;

use self::far::Way;
use self::fetched::{Came, Fetched, fetched};
use self::octets::{Octets, on_disk, within};
use self::shelf::{Met, Opened, Text};
use super::catalogue;
use super::relay::{Relay, Room};
use super::space::{self, Onward};
use super::{Again, Context, End, Exchange, FetchError, Fetching, Head, Kind, Moved, Request, Verdict};
use crate::archive::{Archive, Begins, Fault, Found, Member, Why, is_catalogue, is_named};
use crate::doc::sanitise;
use crate::format::html::{LINKED, is_html};
use crate::format::{charset, guess, media};
use crate::stop::Stop;
use crate::url::scheme::archive::{Archive as Named, tree, words};
use crate::url::scheme::{self, Act, Family};
use crate::url::{self, Url};
use jiff::Timestamp;
use jiff::tz::TimeZone;
use std::io::Read;
use std::pin::Pin;
use std::sync::Arc;
use tokio::sync::mpsc;

/// What is looked at to tell the kind of a member.
const SNIFF: usize = 1024;
/// Octets of a member that are read in one go.
const PIECE: usize = 64 * 1024;
/// Said of an archive that stays where it is.
const STAYS: &str = "Of this archive only the table was fetched; each file is when it is opened.";

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

/// The file that a request names, where it was fetched just now as a listing of files and is none: it need not come twice.
pub(super) fn text_at_hand(request: &Request, context: &Context) -> Option<Text> {
    let as_it_is = request.media.as_deref() == Some(media::PLAIN) && !request.anew;
    as_it_is.then(|| context.archives.take_text(&request.url.without_fragment())).flatten()
}

/// Passes such a file on.
pub(super) async fn pass_text(
    text: Text,
    request: &Request,
    exchange: &mut Exchange,
    context: &Context,
) -> Result<End, FetchError> {
    let url = request.url.without_fragment();
    let (length, filename, modified) = (Some(text.octets.len() as u64), Some(last(&url)), text.modified);
    let head = Head { length, filename, modified, ..Head::new(url, media::PLAIN) };
    whole(text.octets.to_vec(), head, exchange, context).await
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
    let Some(opened) = open(&file, false, request, exchange, context).await? else { return Ok(End::default()) };
    let charset = opened.archive.charset();
    let place = format!("in {} ({})", file, opened.archive.form().name());
    let line = |path: &[u8]| match path {
        [] => place,
        path => format!("{}, {place}", sanitise(&text(path, charset))),
    };
    let (wanted, seen) = (request.media.clone(), Arc::clone(&opened));
    // What is true of all of it is told at its root.
    let at_root = member.is_empty();
    let notes = opened.archive.notes().iter().filter(|_| at_root);
    let mut notices: Vec<String> =
        opened.remark.iter().chain(notes).map(|words| sanitise(words).into_owned()).collect();
    let begins = opened.begins(&member, &url);
    if let Some(Begins::Page(page)) = begins {
        let title = Some(title(&file, "", None));
        let head = Head { title, notices, lines: vec![line(b"")], ..Head::new(url, media::GEMTEXT) };
        return whole(page, head, exchange, context).await;
    }
    let member = match begins {
        Some(Begins::Member(path)) => path,
        _ => member,
    };
    let wanted_path = member.clone();
    let from = line(&member);
    let met = aside(move |stop| seen.find(&member, stop)).await?;
    let head = |url: Url, media: String, notices| Head { notices, lines: vec![from], ..Head::new(url, media) };
    let found = match met {
        Met::Folder(path) => {
            let words = words(&url);
            let bare = url.as_str().split('?').next().unwrap_or_default();
            let at = match (&words, url.path().ends_with('/')) {
                (_, true) => url.clone(),
                (Some(words), false) => tree(&url, &String::from_utf8_lossy(&words.join(&b' ')))?,
                (None, false) => Url::parse(format!("{bare}/"))?,
            };
            let title = Some(title(&file, &text(&path, charset), words.as_deref()));
            let (listing, remark) = aside(move |stop| opened.listing(&path, words.as_deref(), stop)).await?;
            notices.extend(remark);
            let head = head(at, media::DIRECTORY.into(), notices);
            let head = Head { title, charset: charset.map(Into::into), ..head };
            return whole(listing, head, exchange, context).await;
        }
        Met::Elsewhere(to) => {
            let (to, status) = (to.as_str().to_owned(), "a listing names it".into());
            exchange.moved(Moved { from: url, to, status, again: Again::Get, unkept: false }).await?;
            return Ok(End::default());
        }
        Met::Member(found) => found,
    };
    // A name may stand for another one, as an archive itself does for the page that it opens with.
    let url = match found.path == wanted_path && !at_root {
        true => url,
        false if opened.archive.zim().is_some() || at_root => Named::url(&file, &found.path)?,
        false => url,
    };
    let said = found.said.as_deref().cloned().unwrap_or_default();
    let siblings = opened.siblings.clone();
    match space::moved(&said, siblings.as_deref()) {
        Some(Onward::Here(to)) => {
            let status = sanitise(said.status.as_deref().unwrap_or_default()).into_owned();
            exchange
                .moved(Moved { from: url, to: to.as_str().into(), status, again: Again::Get, unkept: false })
                .await?;
            return Ok(End::default());
        }
        Some(Onward::Elsewhere(page)) => {
            let head = head(url, media::GEMTEXT.into(), notices);
            return whole(page, head, exchange, context).await;
        }
        None => {}
    }
    let within = space::within(&url, &said, siblings.as_ref());
    let status = said.status.as_deref().map(|status| sanitise(status).into_owned());
    let brought = bring(opened, found, &file, request, exchange, context).await?;
    let Some(Brought { opened, member: found, octets }) = brought else { return Ok(End::default()) };
    let length = Some(found.size).filter(|size| *size != u64::MAX);
    let modified = found.modified.filter(|modified| !modified.local);
    let (_wanted, mut pieces) = pieces(&opened, found, octets);
    let first = match pieces.recv().await {
        Some(first) => first.map_err(failure)?,
        None => Vec::new(),
    };
    let name = last(&url);
    let media = wanted.or_else(|| said.media.filter(|media| media != guess::OCTETS));
    let media = media.unwrap_or_else(|| guess::of_file(&name, &first[..first.len().min(SNIFF)]));
    let modified = modified.and_then(|modified| Timestamp::from_second(modified.seconds).ok());
    if is_html(&media) {
        let beside = [("next", &said.next), ("prev", &said.previous)];
        let at = |path: &Option<Vec<u8>>| Named::url(&file, path.as_ref()?).ok();
        notices
            .extend(beside.into_iter().filter_map(|(way, path)| Some(format!("{LINKED}<{}>; rel={way}", at(path)?))));
    }
    let (charset, filename) = (said.charset, Some(name));
    let head = Head { length, modified, filename, charset, status, within, ..head(url, media, notices) };
    let mut relay = Relay::new(exchange, &head.media, &context.limits);
    if relay.head(head).await? == Verdict::Refuse {
        return Ok(End::default());
    }
    let mut next = Some(Ok::<_, Fault>(first));
    while let Some(piece) = next {
        match piece {
            Ok(piece) => {
                if relay.pass(piece).await? == Room::Full {
                    return Ok(End { cut: Some(relay.cut()) });
                }
            }
            // What is made to do harm is of no use as far as it came.
            Err(fault) if matches!(fault.why, Why::TooLarge | Why::Unsafe) => return Err(failure(fault)),
            Err(fault) => return Ok(End { cut: Some(failure(fault).detail) }),
        }
        next = pieces.recv().await;
    }
    Ok(End::default())
}

/// Passes on a page that is there.
async fn whole(page: Vec<u8>, head: Head, exchange: &mut Exchange, context: &Context) -> Result<End, FetchError> {
    let mut relay = Relay::new(exchange, &head.media, &context.limits);
    if relay.head(head).await? == Verdict::Refuse {
        return Ok(End::default());
    }
    match relay.pass(page).await? {
        Room::Full => Ok(End { cut: Some(relay.cut()) }),
        Room::Left => Ok(End::default()),
    }
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
fn pieces(opened: &Arc<Opened>, member: Member, octets: Octets) -> (Wanted, mpsc::Receiver<Result<Vec<u8>, Fault>>) {
    let (sender, pieces) = mpsc::channel(2);
    let (stop, opened) = (Stop::new(), Arc::clone(opened));
    let wanted = Wanted(stop.clone());
    tokio::task::spawn_blocking(move || {
        let begun = octets.source().and_then(|source| opened.archive.open(&member, source, &stop));
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

/// A member, with the octets that it is made of at hand.
struct Brought {
    opened: Arc<Opened>,
    member: Member,
    octets: Octets,
}

/// Brings a member here. An archive that has become another one on its server is fetched again, as a whole. `None` when it is
/// elsewhere.
async fn bring(
    opened: Arc<Opened>,
    member: Member,
    file: &Url,
    request: &Request,
    exchange: &mut Exchange,
    context: &Context,
) -> Result<Option<Brought>, FetchError> {
    let Octets::Far(far) = &opened.octets else {
        let octets = opened.octets.clone();
        return Ok(Some(Brought { opened, member, octets }));
    };
    let mut way = Way { request, exchange: &mut *exchange, context };
    if let Some(octets) = far.member(&opened, &member, &mut way).await? {
        return Ok(Some(Brought { opened, member, octets }));
    }
    context.archives.drop(file);
    let Some(opened) = open(file, true, request, exchange, context).await? else { return Ok(None) };
    let path = member.path;
    let member = match opened.archive.find(&path).map_err(failure)? {
        Found::Member(member) => member.clone(),
        Found::Folder(_) => {
            let name = sanitise(&String::from_utf8_lossy(&path)).into_owned();
            return Err(FetchError::new(Kind::NotFound, format!("{name} has become a folder.")));
        }
    };
    let octets = opened.octets.clone();
    Ok(Some(Brought { opened, member, octets }))
}

/// Whatever opens an archive; it may have to open the one around it.
type Opening<'a> = Pin<Box<dyn Future<Output = Result<Option<Arc<Opened>>, FetchError>> + Send + 'a>>;

/// The archive that a URL names, from the shelf, else fetched: as a `whole`, or as little of it as that needs. `None` when it turned
/// out to be elsewhere.
fn open<'a>(
    file: &'a Url,
    whole: bool,
    request: &'a Request,
    exchange: &'a mut Exchange,
    context: &'a Context,
) -> Opening<'a> {
    Box::pin(async move {
        match context.archives.find(file) {
            Some(_) if request.anew => context.archives.drop(file),
            Some(opened) if opened.octets.stands() => return Ok(Some(opened)),
            _ => {}
        }
        let most = context.limits.memory;
        let (mut made, mut told) = (Timestamp::now(), None);
        let (octets, remark) = match scheme::plan(file)?.act {
            _ if scheme::family(file) == Family::Archive => {
                let Named { file: outer, member } = Named::of(file)?;
                let Some(opened) = open(&outer, false, request, exchange, context).await? else { return Ok(None) };
                let found = opened.archive.find(&member).map_err(failure)?;
                let (opened, octets) = match found {
                    Found::Member(found) => {
                        let found = found.clone();
                        let brought = bring(opened, found, &outer, request, exchange, context).await?;
                        let Some(Brought { opened, octets, .. }) = brought else { return Ok(None) };
                        (opened, octets)
                    }
                    Found::Folder(_) => (Arc::clone(&opened), opened.octets.clone()),
                };
                (aside(move |stop| within(&opened.archive, &member, &octets, most, stop)).await?, None)
            }
            Act::File(path) => {
                let octets = on_disk(path).await?;
                made = made.min(octets.modified().unwrap_or(made));
                (octets, None)
            }
            _ => match come(file, whole, request, exchange, context).await? {
                Come::Opened(opened) => return Ok(Some(opened)),
                Come::Elsewhere => return Ok(None),
                Come::Whole(Fetched { octets, modified, remark }) => {
                    (made, told) = (made.min(modified.unwrap_or(made)), modified);
                    (Octets::Held(octets.into()), remark)
                }
            },
        };
        let url = file.clone();
        let named = is_catalogue(&last(file));
        let held = if let Octets::Held(octets) = &octets { Some(Arc::clone(octets)).filter(|_| named) } else { None };
        let opened = aside(move |stop| {
            let archive = Archive::read(&mut *octets.source()?, TimeZone::UTC.to_datetime(made), stop)?;
            let archive = archive.in_one_charset(|name| text(name, Some("cp437")));
            let place = archive.top().map(|top| catalogue::place(&archive, top, &url)).transpose()?;
            // Whoever has the names needs their list no more.
            let octets = if place.is_some() { octets.left() } else { octets };
            let siblings = space::siblings(&archive, &url).map(Arc::new);
            Ok(Arc::new(Opened { archive, octets, remark, place, siblings }))
        })
        .await;
        if let (Some(octets), Err(Kind::Malformed)) = (held, opened.as_ref().map_err(|error| error.kind)) {
            context.archives.put_by(file, Text { octets, modified: told });
        }
        let hint = match named || !is_named(guess::OCTETS, &last(file)) {
            true => ":as text shows it as it is.",
            false => "Save it by :download of its own address, which is shown by =.",
        };
        let opened = opened.map_err(|error| error.hint(hint))?;
        context.archives.keep(file, &opened, most);
        Ok(Some(opened))
    })
}

/// What came of an archive on a server.
enum Come {
    /// Its table; it stays there.
    Opened(Arc<Opened>),
    /// All of it.
    Whole(Fetched),
    /// It is elsewhere.
    Elsewhere,
}

/// Asks a server for an archive.
async fn come(
    file: &Url,
    whole: bool,
    request: &Request,
    exchange: &mut Exchange,
    context: &Context,
) -> Result<Come, FetchError> {
    let far = match fetched(file, whole, request, exchange, context).await? {
        Came::Whole(fetched) => return Ok(Come::Whole(fetched)),
        Came::Elsewhere => return Ok(Come::Elsewhere),
        Came::Stays(far) => far,
    };
    if let Some(archive) = far.table(&mut Way { request, exchange: &mut *exchange, context }).await? {
        let archive = archive.in_one_charset(|name| text(name, Some("cp437")));
        let (octets, remark) = (Octets::Far(far), Some(STAYS.into()));
        let opened = Arc::new(Opened { archive, octets, remark, place: None, siblings: None });
        context.archives.keep(file, &opened, context.limits.memory);
        return Ok(Come::Opened(opened));
    }
    match fetched(file, true, request, exchange, context).await? {
        Came::Whole(fetched) => Ok(Come::Whole(fetched)),
        Came::Stays(_) | Came::Elsewhere => Ok(Come::Elsewhere),
    }
}
