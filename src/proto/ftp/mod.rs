//! FTP on the wire: RFC 959 as RFC 1738 (3.2) uses it, over TLS by RFC 4217 for `ftps:`.
//!
//! One connection for each fetch, passive data connections only, and those to the control connection's host (SEC-08). What a
//! URL means as commands is `url::scheme::ftp`'s knowledge. Refuses: writing, PORT, and clear text in place of TLS.

mod directory;
mod file;
mod log;
mod login;
mod reply;
mod secure;
mod session;

use self::login::Identity;
use self::reply::{Reply, line, text};
use self::session::{Channel, Session};
use super::net::Place;
use super::{Context, End, Exchange, FetchError, Fetching, Head, Kind, Request, Stage};
use crate::url::Url;
use crate::url::scheme::ftp::{Ftp, Typecode};
use crate::url::scheme::{self, Act};

/// The port on which FTP is spoken over TLS from the first octet.
const IMPLICIT: u16 = 990;
/// FTP's own port.
const USUAL: u16 = 21;

/// Fetches a file or a directory.
pub fn fetch<'a>(request: &'a Request, exchange: &'a mut Exchange, context: &'a Context) -> Fetching<'a> {
    Box::pin(run(request, exchange, context))
}

async fn run(request: &Request, exchange: &mut Exchange, context: &Context) -> Result<End, FetchError> {
    let url = request.url.without_fragment();
    let Act::Commands { host: Some(host), port, .. } = scheme::plan(&url)?.act else {
        return Err(FetchError::new(Kind::Malformed, format!("{} names no FTP server.", url.redacted())));
    };
    let ftp = Ftp::of(&url)?;
    let identity = Identity::of(request.login.as_ref(), &ftp, &context.ftp)?;
    let mut session = connect(&url, Place { host, port }, exchange, context).await?;
    let visit = Visit { url, ftp, media: request.media.clone(), session: &mut session, exchange, context };
    let outcome = visit.run(&identity).await;
    outcome.map_err(|error| if error.tried.is_empty() { error.tried(session.tried()) } else { error })
}

/// `ftps:` is TLS from the first octet on its own port and AUTH TLS on any other; where the URL writes no port and nobody
/// listens on 990, AUTH TLS on FTP's usual port, which is what most servers have.
async fn connect(url: &Url, place: Place, exchange: &mut Exchange, context: &Context) -> Result<Session, FetchError> {
    let channel = match place.port {
        _ if !url.is("ftps") => Channel::Clear,
        IMPLICIT => Channel::Implicit,
        _ => Channel::Explicit,
    };
    let tried = format!("{place}{}", channel.words());
    let failure = match session::open(&place, channel, exchange, context).await {
        Ok(session) => return Ok(session),
        Err(failure) => failure.tried(tried),
    };
    let silent = matches!(failure.kind, Kind::Refused | Kind::TimedOut);
    if channel != Channel::Implicit || url.port_text().is_some() || !silent {
        return Err(failure);
    }
    let usual = Place { port: USUAL, ..place };
    let tried = format!("{}; then {usual}{}", failure.tried, Channel::Explicit.words());
    session::open(&usual, Channel::Explicit, exchange, context).await.map_err(|error| error.tried(tried))
}

/// A URL, a session, and all that the answer needs.
struct Visit<'a> {
    url: Url,
    ftp: Ftp,
    media: Option<String>,
    session: &'a mut Session,
    exchange: &'a mut Exchange,
    context: &'a Context,
}

impl Visit<'_> {
    async fn run(mut self, identity: &Identity) -> Result<End, FetchError> {
        self.exchange.stage(Stage::Waiting).await?;
        login::login(self.session, identity, &self.url).await?;
        let offers = self.session.offers().await?;
        let ftp = self.ftp.clone();
        match ftp.directory() {
            Some(segments) => {
                let entered = self.descend(&segments).await;
                entered.map_err(|error| perhaps_file(error, &self.url))?;
                self.list(offers).await
            }
            None => {
                self.descend(&ftp.cwd.iter().map(Vec::as_slice).collect::<Vec<_>>()).await?;
                self.retrieve(ftp.name.as_deref().unwrap_or_default(), ftp.typecode, offers).await
            }
        }
    }

    /// One CWD for each segment (FTP-08). An empty one is sent as it is, since the specification says so; where that is
    /// refused, the first is taken for the root and others for nothing (D08).
    async fn descend(&mut self, segments: &[&[u8]]) -> Result<(), FetchError> {
        for (at, segment) in segments.iter().enumerate() {
            let mut reply = self.session.ask(&line("CWD", segment)).await?;
            if segment.is_empty() && !reply.is_done() {
                if at > 0 {
                    continue;
                }
                reply = self.session.ask("CWD /").await?;
            }
            if !reply.is_done() {
                return Err(no_directory(segment, &reply));
            }
        }
        Ok(())
    }

    /// RETR, and where that is refused, CWD and a listing: a name without a slash may be a directory's (D10), or a link to
    /// one. A typecode says that it is a file.
    async fn retrieve(
        mut self,
        name: &[u8],
        typecode: Option<Typecode>,
        offers: session::Offers,
    ) -> Result<End, FetchError> {
        let command = typecode.and_then(Typecode::command).unwrap_or_else(|| "TYPE I".into());
        let reply = self.session.ask(&command).await?;
        if !reply.is_done() {
            let detail = format!("The server does not transfer files as \"{command}\": {}", reply.words());
            return Err(FetchError::new(Kind::Said, detail).hint("Try the address without its \";type=\"."));
        }
        let length = match command.as_str() {
            // As text a file has another length than on the server's disk.
            "TYPE I" => self.facts(name, offers).await?,
            _ => None,
        };
        let refusal = match self.session.data(&line("RETR", name)).await? {
            Ok(data) => return self.file(name, length, data).await,
            Err(reply) => reply,
        };
        if typecode.is_none() && refusal.may_be_directory() && self.session.ask(&line("CWD", name)).await?.is_done() {
            return self.list(offers).await;
        }
        Err(no_file(name, &refusal))
    }

    /// The length of a file and the time of its last change, from servers that have commands for them; the time stands in
    /// the head's lines.
    async fn facts(&mut self, name: &[u8], offers: session::Offers) -> Result<Option<u64>, FetchError> {
        if !offers.size {
            return Ok(None);
        }
        let length = self.session.ask(&line("SIZE", name)).await?.number();
        if length.is_some() && offers.mdtm {
            self.session.ask(&line("MDTM", name)).await?;
        }
        Ok(length)
    }

    fn head(&mut self, url: Url, media: String) -> Head {
        Head { security: self.session.security.clone(), lines: self.session.log.take_lines(), ..Head::new(url, media) }
    }
}

fn no_directory(segment: &[u8], reply: &Reply) -> FetchError {
    let name = text(segment);
    if reply.denies() {
        return FetchError::new(
            Kind::Denied,
            format!("The server does not let you into \"{name}\": {}", reply.words()),
        );
    }
    let kind = if reply.code == 550 { Kind::NotFound } else { Kind::Said };
    FetchError::new(kind, format!("There is no directory \"{name}\" there: {}", reply.words()))
}

/// A slash at the end says that it is a directory, and whoever wrote it may have been wrong.
fn perhaps_file(error: FetchError, url: &Url) -> FetchError {
    let file = url.as_str().strip_suffix('/').filter(|_| url.path().len() > 1).and_then(|file| Url::parse(file).ok());
    match file {
        Some(file) if error.kind == Kind::NotFound => error.hint(format!("If it is a file, it is {}", file.redacted())),
        _ => error,
    }
}

fn no_file(name: &[u8], reply: &Reply) -> FetchError {
    let name = text(name);
    let (kind, what) = match reply.code {
        _ if reply.denies() => (Kind::Denied, "does not let you read"),
        550 => (Kind::NotFound, "has no"),
        _ => (Kind::Said, "does not send"),
    };
    FetchError::new(kind, format!("The server {what} \"{name}\": {}", reply.words()))
}
