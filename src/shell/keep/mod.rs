//! `wayfarer save`: a page, and if wished what it leads to on its own host, in one file that is a space of its own: MHTML or WARC.
//!
//! What is asked for is bounded: so many requests, so deep, one at a time with a pause for each host, by the rules that servers have for
//! robots; nothing is sent that a reader would be asked about, nor what is kept of the reader. The file is written whole or not at
//! all, under a temporary name first, and never over another one.

mod mhtml;
mod warc;

use super::check::{Asker, Bounds, Got, Manner, Page, judge};
use super::cli::{USAGE, complain, print};
use super::once;
use super::outside::{Outside, Threads};
use super::setup::Setup;
use crate::app::NotWritten;
use crate::format::html::Purpose;
use crate::format::{human, media};
use crate::proto::Moved;
use crate::url::scheme::{self, Act};
use crate::url::{Resolved, Url, equal};
use jiff::Timestamp;
use std::collections::{BTreeSet, VecDeque};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// The most requests.
const REQUESTS: u32 = 1000;
/// Between two requests to one host.
const PAUSE: Duration = Duration::from_millis(200);
/// What has not ended by then is cut.
const LONGEST: Duration = Duration::from_secs(60);
/// Octets of one page or file.
const MOST: usize = 16 << 20;
/// Octets of all of them.
const ALL: usize = 128 << 20;

/// Of how many it is said which.
const NAMED: usize = 20;

/// How the file is made; its name says so.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    Mhtml,
    Warc { packed: bool },
}

/// The names of files by which forms are told.
const FORMS: &[(&str, Form)] = &[
    (".mht", Form::Mhtml),
    (".mhtml", Form::Mhtml),
    (".warc", Form::Warc { packed: false }),
    (".warc.gz", Form::Warc { packed: true }),
];

impl Form {
    fn of(path: &Path) -> Option<Form> {
        let name = path.file_name()?.to_string_lossy().to_ascii_lowercase();
        FORMS.iter().find(|(ending, _)| name.ends_with(ending) && name.len() > ending.len()).map(|(_, form)| *form)
    }
}

/// What is kept of one request.
struct Kept {
    /// What was asked for.
    asked: Url,
    /// The page that led there.
    led: Option<Url>,
    /// Where servers said that it is instead, in turn.
    hops: Vec<Moved>,
    got: Got,
    date: Timestamp,
    /// What it is, if it is a page.
    page: Option<Arc<Page>>,
}

/// Saves a page; the exit status is 1 where it cannot be read, or its file not be written.
pub(super) fn run(setup: &Setup, place: &Url, depth: u32, path: &Path) -> u8 {
    let Some(form) = Form::of(path) else {
        complain(
            "the name of the file says how it is made: .mht or .mhtml (one message), .warc or .warc.gz (records of the web)",
        );
        return USAGE;
    };
    if setup.safe {
        return complain("Nothing was written: --safe forbids it.");
    }
    if path.symlink_metadata().is_ok() {
        return complain(&format!("{} is there already; nothing was asked for, nothing written", path.display()));
    }
    // Begun here, its threads may write: those that read from servers may not.
    let writing = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build();
    let (writing, folder) = match writing.and_then(|writing| Ok((writing, std::env::current_dir()?))) {
        Ok(both) => both,
        Err(error) => return complain(&format!("cannot start: {error}")),
    };
    let outside = Outside { folder, threads: Threads::of(writing.handle().clone()) };
    let status = once::run(setup, std::slice::from_ref(place), async |world| {
        let manner = Manner { cookies: false, max: REQUESTS, pause: PAUSE, longest: LONGEST, media: None };
        let mut walk = Walk { asker: Asker::new(manner, setup, world), setup, kept: Vec::new(), octets: 0 };
        if let Err(why) = walk.all(place, depth).await {
            return Ok(complain(&format!("{}: {why}; nothing was written", place.redacted())));
        }
        let octets = match form {
            Form::Mhtml => mhtml::file(&walk.kept),
            Form::Warc { packed } => warc::file(&walk.kept, packed)?,
        };
        Ok(written(&outside, path, &octets, &walk.kept).await)
    });
    writing.shutdown_background();
    status
}

async fn written(outside: &Outside, path: &Path, octets: &[u8], kept: &[Kept]) -> u8 {
    let Some(path) = path.to_str() else { return complain("the name of the file is no text") };
    match super::save::write(Some(outside), path, octets, false).await {
        Ok(path) => {
            let (size, path) = (human(octets.len() as u64), crate::doc::sanitise(&path));
            if kept.len() == 1 {
                return print(format!("{path}: one page, {size}\n").as_bytes());
            }
            let mut said = format!("{path}: {} pages and files, {size}\n", kept.len());
            for Kept { asked, .. } in kept.iter().take(NAMED) {
                said.push_str(&format!("  {}\n", crate::doc::sanitise(&asked.redacted())));
            }
            if kept.len() > NAMED {
                said.push_str(&format!("  and {} more\n", kept.len() - NAMED));
            }
            print(said.as_bytes())
        }
        Err(NotWritten::Exists(path)) => complain(&format!("{path} is there already; nothing was written")),
        Err(NotWritten::Failed(sentence)) => complain(&sentence),
    }
}

/// The way from page to page.
struct Walk<'a> {
    asker: Asker<'a>,
    setup: &'a Setup,
    kept: Vec<Kept>,
    octets: usize,
}

impl Walk<'_> {
    /// Fetches a page, and what it leads to on its own host, so deep. What cannot be had is told, and costs itself.
    async fn all(&mut self, place: &Url, depth: u32) -> Result<(), String> {
        let key = |url: &Url| equal::of_page(url).into_owned();
        let mut seen = BTreeSet::from([key(place)]);
        let mut bounds = Bounds::new(std::slice::from_ref(place));
        let mut next = VecDeque::from([(place.clone(), 0, None::<Url>)]);
        while let Some((asked, far, led)) = next.pop_front() {
            let kept = match self.one(&asked, led.clone()).await {
                Ok(kept) => kept,
                Err(why) if far == 0 => return Err(why),
                Err(why) => {
                    complain(&format!("{}: {why}", asked.redacted()));
                    continue;
                }
            };
            if far == 0 {
                bounds.widen(&kept.got.head.url);
            }
            if let Some(cut) = &kept.got.cut {
                complain(&format!("{}: {cut}", asked.redacted()));
            }
            // The row of a listing that leads up is the program's own.
            let listing = matches!(&*kept.got.head.media, media::DIRECTORY | media::DIRECTORY_LONG);
            let above = scheme::up(&kept.got.head.url).filter(|_| listing);
            let page = kept.page.clone().filter(|_| far < depth);
            self.octets += kept.got.octets.len();
            self.kept.push(kept);
            if self.octets > ALL {
                complain(&format!("more than {} are not saved: the rest is left out", human(ALL as u64)));
                return Ok(());
            }
            let Some(page) = page else { continue };
            for link in page.links.iter().filter(|link| link.purpose != Purpose::Sent) {
                let Ok(Resolved::Url(url)) = page.bases.resolve(&link.reference) else { continue };
                let url = url.without_fragment();
                if above.as_ref() == Some(&url) {
                    continue;
                }
                if bounds.hold(&url) && seen.insert(key(&url)) {
                    next.push_back((url, far + 1, Some(page.url.clone())));
                }
            }
        }
        Ok(())
    }

    async fn one(&mut self, asked: &Url, led: Option<Url>) -> Result<Kept, String> {
        let mut plan = self.asker.plan(asked);
        let mut target = asked.clone();
        // An address may stand within another one, as it does in menus.
        if let Ok(Act::Open(within)) = plan.as_ref().map(|plan| &plan.act) {
            target = within.clone();
            plan = self.asker.plan(&target);
        }
        if let Some(judged) = judge(&target, led.as_ref(), plan) {
            return Err(judged.detail);
        }
        let date = Timestamp::now();
        let (hops, got) = self.asker.take(&target, led.as_ref(), MOST).await?;
        let page = Page::read(got.clone(), self.setup.base.as_ref());
        Ok(Kept { asked: asked.clone(), led, hops, got, date, page })
    }
}

impl Kept {
    /// A media type with its charset.
    fn media(&self) -> String {
        let charset = self.got.head.charset.as_ref().map(|charset| format!("; charset={charset}")).unwrap_or_default();
        format!("{}{charset}", self.got.head.media)
    }
}
