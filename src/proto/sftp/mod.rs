//! `sftp:` URLs: files and directories of a server that `ssh` logs in to, read only. What comes is the listing that an FTP
//! server's MLSD would be, and files that can be gone on with.
//!
//! Refuses: to write anything there, to log in by a password, and to know hosts or keys: that is ssh's affair.

mod file;
mod listing;
mod packet;
mod session;
mod ssh;

pub use ssh::{Call, Pipes, Ssh};

use self::listing::Listing;
use self::packet::{Attributes, Verb, What};
use self::session::Session;
use super::net::Endpoint;
use super::relay::{Relay, Room};
use super::{Context, End, Exchange, FetchError, Fetching, Head, Kind, Request, Stage, Verdict};
use crate::format::{guess, media};
use crate::url::Url;
use crate::url::scheme::{self, Act};
use jiff::Timestamp;

/// Fetches a file or a directory.
pub fn fetch<'a>(request: &'a Request, exchange: &'a mut Exchange, context: &'a Context) -> Fetching<'a> {
    Box::pin(run(request, exchange, context))
}

async fn run(request: &Request, exchange: &mut Exchange, context: &Context) -> Result<End, FetchError> {
    let url = request.url.without_fragment();
    let Act::Ssh { arguments, path } = scheme::plan(&url)?.act else {
        return Err(FetchError::new(Kind::Malformed, format!("{} names no server of ssh.", url.redacted())));
    };
    let host = url.host().unwrap_or_default().to_owned();
    let port = url.port().unwrap_or_default();
    let errand = Errand { request, url, path, context };
    let tried = format!("ssh {}, {}", arguments.join(" "), String::from_utf8_lossy(&errand.path));
    exchange.ledger.goes_to(&Endpoint { host: host.clone(), port }, None);
    let (kept, limits) = (context.ssh.kept(&arguments), &context.limits);
    if let Some(mut session) = kept {
        exchange.ledger.because("by a run of ssh that was kept");
        exchange.stage(Stage::Waiting).await?;
        match errand.run(&mut session, exchange).await {
            // It failed before anything of the page came: a new one decides.
            Err(Failure { error, begun: false }) if session.is_dead() => {
                exchange.ledger.came(format!("{} Asked anew.", error.detail));
            }
            outcome => return settle(context, arguments, session, outcome, tried),
        }
    }
    exchange.stage(Stage::Connecting).await?;
    exchange.ledger.wrote(format!("ssh {}", arguments.join(" ")));
    let begun = match context.ssh.start(&arguments, limits.connect).await {
        Ok(pipes) => Session::begin(pipes, &host, limits.connect + limits.silence, limits.silence).await,
        Err(error) => Err(error),
    };
    let mut session = begun.map_err(|error| error.tried(tried.clone()))?;
    exchange.stage(Stage::Waiting).await?;
    let outcome = errand.run(&mut session, exchange).await;
    settle(context, arguments, session, outcome, tried)
}

/// Keeps the run if the visit ended as it should, and says what was tried if it did not.
fn settle(
    context: &Context,
    arguments: Vec<String>,
    session: Session,
    outcome: Result<End, Failure>,
    tried: String,
) -> Result<End, FetchError> {
    if session.is_sound() {
        context.ssh.keep(arguments, session);
    }
    outcome.map_err(|failure| match failure.error {
        error if error.tried.is_empty() => error.tried(tried),
        error => error,
    })
}

/// A failure, and whether the page had begun.
struct Failure {
    error: FetchError,
    begun: bool,
}

impl From<FetchError> for Failure {
    fn from(error: FetchError) -> Failure {
        Failure { error, begun: false }
    }
}

impl Failure {
    fn late(error: impl Into<FetchError>) -> Failure {
        Failure { error: error.into(), begun: true }
    }
}

/// What is wanted, whichever run of ssh gets it.
struct Errand<'a> {
    request: &'a Request,
    url: Url,
    path: Vec<u8>,
    context: &'a Context,
}

impl Errand<'_> {
    async fn run(&self, session: &mut Session, exchange: &mut Exchange) -> Result<End, Failure> {
        // A path in the user's own directory has an address of its own, by which the links of its page lead on.
        let (path, url) = match self.path.starts_with(b"/") {
            true => (self.path.clone(), self.url.clone()),
            false => {
                let path = session.real(&self.path).await?;
                let url = scheme::sftp::at(&self.url, &path, self.path.ends_with(b"/")).map_err(FetchError::from)?;
                (path, url)
            }
        };
        exchange.ledger.wrote(format!("STAT {}", scheme::on_the_wire(&path)));
        let attributes = session.attributes(&path).await?;
        match attributes.what() {
            What::Directory => self.directory(session, &path, url, exchange).await,
            What::Other | What::Link => {
                let name = String::from_utf8_lossy(&path);
                let detail = format!("{name} is neither a file nor a directory: reading it could take for ever.");
                Err(FetchError::new(Kind::NoFile, detail).into())
            }
            What::File | What::Unsaid => self.file(session, &path, url, attributes, exchange).await,
        }
    }

    async fn directory(
        &self,
        session: &mut Session,
        path: &[u8],
        url: Url,
        exchange: &mut Exchange,
    ) -> Result<End, Failure> {
        exchange.ledger.wrote(format!("OPENDIR {}", scheme::on_the_wire(path)));
        let mut listing = Listing::open(session, path).await?;
        let url = match url.path().ends_with('/') {
            true => url,
            false => scheme::sftp::at(&url, path, true).map_err(FetchError::from)?,
        };
        let media = self.request.media.clone().unwrap_or_else(|| media::DIRECTORY.into());
        let head = Head { title: Some(String::from_utf8_lossy(path).into_owned()), ..Head::new(url, media) };
        let mut relay = Relay::new(exchange, &head.media, &self.context.limits);
        let mut left_out = 0;
        let mut verdict = Verdict::Accept;
        let mut first = Some(listing.more().await?);
        let mut head = Some(head);
        while let Some(batch) = match first.take() {
            Some(batch) => batch,
            None => listing.more().await.map_err(Failure::late)?,
        } {
            if let Some(head) = head.take() {
                verdict = relay.head(head).await.map_err(Failure::late)?;
            }
            if verdict == Verdict::Refuse {
                listing.session.leave();
                break;
            }
            left_out += batch.left_out;
            if relay.pass(batch.lines).await.map_err(Failure::late)? == Room::Full {
                listing.session.leave();
                return Ok(End { cut: Some(relay.cut()) });
            }
        }
        if let Some(head) = head {
            relay.head(head).await.map_err(Failure::late)?;
        }
        let cut = match left_out {
            0 => None,
            1 => Some(
                "one name that no file can have here is left out (empty, or with a line break, a slash or a NUL)"
                    .into(),
            ),
            _ => Some(format!(
                "{left_out} names that no file can have here are left out (empty, or with a line break, a slash or a NUL)"
            )),
        };
        Ok(End { cut })
    }

    async fn file(
        &self,
        session: &mut Session,
        path: &[u8],
        url: Url,
        attributes: Attributes,
        exchange: &mut Exchange,
    ) -> Result<End, Failure> {
        let start = file::start(&attributes, self.request.resume.as_ref());
        exchange.ledger.wrote(format!("OPEN {}", scheme::on_the_wire(path)));
        let handle = session.open(Verb::Open, path).await?;
        let mut reading = file::Reading::new(session, path, handle, start, attributes.size);
        let mut octets = reading.more().await?;
        let name = path.rsplit(|octet| *octet == b'/').next().unwrap_or_default();
        let name = String::from_utf8_lossy(name).into_owned();
        let media = self.request.media.clone().unwrap_or_else(|| guess::of_file(&name, &octets));
        let modified = attributes.modified.and_then(|seconds| Timestamp::from_second(seconds.into()).ok());
        let head = Head {
            length: attributes.size,
            start,
            validator: file::validator(&attributes),
            modified,
            filename: (!matches!(name.as_str(), "" | "." | "..")).then_some(name),
            ..Head::new(url, media)
        };
        let mut relay = Relay::new(exchange, &head.media, &self.context.limits);
        if relay.head(head).await.map_err(Failure::late)? == Verdict::Refuse {
            reading.session.leave();
            return Ok(End::default());
        }
        let why = loop {
            if octets.is_empty() {
                break None;
            }
            if relay.pass(octets).await.map_err(Failure::late)? == Room::Full {
                reading.session.leave();
                return Ok(End { cut: Some(relay.cut()) });
            }
            octets = match reading.more().await {
                Ok(octets) => octets,
                Err(error) => break Some(error.detail),
            };
        };
        let came = start + relay.sent();
        let cut = match (attributes.size, why) {
            (Some(length), Some(why)) => Some(format!("{came} of {length} octets came: {why}")),
            (Some(length), None) if came < length => Some(format!("{came} of {length} octets came")),
            (_, why) => why,
        };
        Ok(End { cut })
    }
}
