//! A control connection and its data connections, each step with a limit of time.
//!
//! The library's own commands are not used beyond opening: they keep no words of the server's, collect listings whole, and
//! take names for UTF-8. Refuses: active mode, and any address but the control connection's for data.

use super::aside::Aside;
use super::data::Data;
use super::log::{self, Written};
use super::notices::Notices;
use super::reply::{self, Reply};
use super::secure::Told;
use super::standing::Standing;
use super::steps::{Step, Steps};
use super::sum::Reckons;
use super::telnet::{self, Ahead, Doubling};
use super::times::Visited;
use super::{Channel, Way};
use crate::config::Limits;
use crate::proto::ledger::Ledger;
use crate::proto::log::Log;
use crate::proto::net::{self, Endpoint};
use crate::proto::{FetchError, Kind, Security};
use futures_util::FutureExt;
use std::io::ErrorKind;
use std::sync::Arc;
use std::time::Duration;
use suppaftp::tokio::{AsyncRustlsFtpStream, AsyncRustlsStream, TransferStream};
use suppaftp::types::Response;
use suppaftp::{FtpError, FtpResult, Mode, Status};
use tokio::time::{Instant, timeout};

/// How long the rest of an answer is waited for that ended with another code than it began with. Most send it at once; a few
/// servers end so and send nothing more.
pub(super) const REST: Duration = Duration::from_millis(500);
/// Octets of an answer at most.
const LONGEST: usize = 256 * 1024;

/// What FEAT lists, of the things that are used here.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Offers {
    pub mlsd: bool,
    pub size: bool,
    pub mdtm: bool,
    pub rest: bool,
}

/// What a session is good for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Health {
    /// Every command has had its answer.
    Sound,
    /// A transfer is under way, or was left.
    Busy,
    /// An answer was strange, though good enough to go on; not a session to keep.
    Odd,
    /// An answer did not come, or the server has forgotten who we are.
    Dead,
}

/// An open session.
pub(super) struct Session {
    pub(super) stream: AsyncRustlsFtpStream,
    pub(super) limits: Limits,
    mode: Mode,
    /// How far the way to the last data connection has been gone.
    steps: Steps,
    told: Arc<Told>,
    health: Health,
    /// The last TYPE command that was taken; `None` is how connections begin, as text.
    kind: Option<String>,
    /// How FF goes out.
    doubling: Doubling,
    /// What goes out ahead of the library's lines.
    pub(super) ahead: Ahead,
    /// What is asked while a data connection is being opened.
    pub(super) aside: Aside,
    /// The answer to that.
    pub(super) aside_reply: Option<Reply>,
    /// What the server is asked for the time of a file.
    pub(super) times: Visited,
    /// When it was opened.
    pub(super) born: Instant,
    /// Where it stands.
    pub(super) standing: Standing,
    /// How it was reached.
    pub way: Way,
    /// TLS facts; `None` in clear text.
    pub security: Option<Security>,
    /// What FEAT lists.
    pub offers: Offers,
    /// How the server reckons checksums, where it does.
    pub reckons: Option<Reckons>,
    /// Whether MLSD has not said where a link leads.
    pub(super) hides_targets: bool,
    /// What was said.
    pub log: Log,
    /// What of that is not in the log yet.
    pub written: Written,
    /// What was said to people.
    pub notices: Notices,
    /// The server was told who the reader is.
    pub knows: bool,
}

/// A connection that fails between a command and its answer.
pub(super) fn broken(endpoint: &Endpoint, line: &str, error: &FtpError) -> FetchError {
    let verb = line.split(' ').next().unwrap_or_default();
    match error {
        FtpError::ConnectionError(error) if error.kind() == ErrorKind::InvalidData => {
            FetchError::new(Kind::TooLarge, format!("{endpoint} answers {verb} without an end."))
        }
        FtpError::ConnectionError(error) if error.kind() == ErrorKind::UnexpectedEof => {
            FetchError::new(Kind::Broken, format!("{endpoint} closed the connection instead of answering {verb}."))
        }
        FtpError::ConnectionError(error) => {
            let words = net::words(error);
            FetchError::new(Kind::Broken, format!("{endpoint} broke the connection at {verb} ({words})."))
        }
        FtpError::SecureError(words) => FetchError::new(Kind::Secure, words.clone()),
        _ => FetchError::new(Kind::Malformed, format!("{endpoint} answers {verb} in a way that FTP does not know.")),
    }
}

impl Session {
    /// A session whose greeting was heard.
    pub fn new(stream: AsyncRustlsFtpStream, way: Way, limits: Limits, steps: Steps, told: Arc<Told>) -> Session {
        let security = told.security.get().cloned();
        let (mode, offers) = (Mode::ExtendedPassive, Offers::default());
        let (log, written, notices) = (Log::default(), Written::default(), Notices::default());
        let (health, kind, standing) = (Health::Sound, None, Standing::default());
        Session {
            stream,
            limits,
            mode,
            steps,
            told,
            health,
            kind,
            doubling: Doubling::default(),
            ahead: Ahead::default(),
            aside: Aside::default(),
            aside_reply: None,
            times: Visited::default(),
            born: Instant::now(),
            standing,
            way,
            security,
            offers,
            reckons: None,
            hides_targets: false,
            log,
            written,
            notices,
            knows: false,
        }
    }

    /// The server.
    pub fn endpoint(&self) -> &Endpoint {
        &self.way.endpoint
    }

    /// Sends a command and hears its answer, whatever it is.
    ///
    /// # Errors
    /// No answer, one that is none, or that the server closes the session.
    pub async fn ask(&mut self, line: &str) -> Result<Reply, FetchError> {
        self.ask_within(line, self.limits.silence).await
    }

    /// The same of a command that takes the server longer than the limit of silence; see [`Session::ask`].
    ///
    /// # Errors
    /// The same.
    pub async fn ask_within(&mut self, line: &str, limit: Duration) -> Result<Reply, FetchError> {
        let response = self.send_within(line, limit).await?;
        let reply = self.hear(&response)?;
        if !self.may_be_otherwise(line, Some(&reply)) {
            return Ok(reply);
        }
        self.doubling = Doubling::Once;
        let response = self.send_within(line, limit).await?;
        let other = self.hear(&response)?;
        if other.is_done() {
            return Ok(other);
        }
        self.doubling = Doubling::Untried;
        Ok(reply)
    }

    /// Whether a line was refused that may be understood when FF goes out otherwise; notes that it was understood as it was.
    fn may_be_otherwise(&mut self, line: &str, refusal: Option<&Reply>) -> bool {
        if self.doubling != Doubling::Untried || self.security.is_some() || !telnet::concerns(line) {
            return false;
        }
        if refusal.is_none_or(Reply::is_done) {
            self.doubling = Doubling::Twice;
        }
        refusal.is_some_and(telnet::is_unknown)
    }

    /// Where FF goes out once, holds what of a line is to go ahead of the library; what is left of it.
    async fn split<'l>(&self, line: &'l str) -> FtpResult<&'l str> {
        let once = self.doubling == Doubling::Once && telnet::concerns(line);
        let (beginning, rest) = telnet::cut(line).filter(|_| once).map_or((None, line), |(b, rest)| (Some(b), rest));
        if let Some(beginning) = beginning {
            let control = self.stream.get_ref().await;
            self.ahead.hold(&*control, beginning).map_err(FtpError::ConnectionError)?;
        }
        Ok(rest)
    }

    async fn send(&mut self, line: &str) -> Result<Response, FetchError> {
        self.send_within(line, self.limits.silence).await
    }

    async fn send_within(&mut self, line: &str, limit: Duration) -> Result<Response, FetchError> {
        // Nothing is expected, so that each answer comes with its words (and FEAT's whole: where its code is expected, the
        // library stops after the first line).
        let asking = async {
            let rest = self.split(line).await?;
            self.ahead.send().map_err(FtpError::ConnectionError)?;
            self.stream.custom_command(rest, &[]).await
        };
        let answer = timeout(limit, asking).await;
        self.written.tell(&mut self.log);
        let failure = match answer {
            Ok(Ok(response) | Err(FtpError::UnexpectedResponse(response))) => return Ok(self.whole(response).await),
            Ok(Err(error)) => broken(self.endpoint(), line, &error),
            Err(_) => self.silent(line, limit),
        };
        self.health = Health::Dead;
        Err(failure)
    }

    /// The answer with its rest. The library takes each line with a code and a blank for the last (`221 Baker Street`).
    async fn whole(&mut self, mut response: Response) -> Response {
        let end = Instant::now() + self.limits.silence;
        while reply::is_torn(&response.body) && response.body.len() < LONGEST && Instant::now() < end {
            match timeout(REST, self.stream.read_response_in(&[])).await {
                Ok(Ok(more) | Err(FtpError::UnexpectedResponse(more))) => response.body.extend(more.body),
                // A line of words, which it does not give.
                Ok(Err(FtpError::BadResponse)) => response.body.extend_from_slice("…\r\n".as_bytes()),
                Ok(Err(_)) | Err(_) => break,
            }
        }
        response
    }

    fn hear(&mut self, response: &Response) -> Result<Reply, FetchError> {
        self.hear_octets(&response.body)
    }

    pub(super) fn hear_octets(&mut self, octets: &[u8]) -> Result<Reply, FetchError> {
        let reply = log::reply(&mut self.log, octets);
        if !reply.is_regular() && self.health != Health::Dead {
            self.health = Health::Odd;
        }
        if reply.wants_login() || reply.code == 421 {
            self.health = Health::Dead;
        }
        if reply.code != 421 {
            return Ok(reply);
        }
        let (endpoint, words) = (self.endpoint(), reply.words());
        let detail = match reply.is_crowded() {
            true => format!("{endpoint} has too many visitors now: {words}"),
            false => format!("{endpoint} ends the session: {words}"),
        };
        Err(FetchError::new(Kind::Crowded, detail).hint("Reload in a minute or two."))
    }

    pub(super) fn silent(&self, line: &str, limit: Duration) -> FetchError {
        let verb = line.split(' ').next().unwrap_or_default();
        let time = net::seconds(limit);
        FetchError::new(Kind::TimedOut, format!("{} did not answer {verb} within {time}.", self.endpoint()))
    }

    /// Learns what the server has beyond RFC 959, and where the login has led. Servers that offer UTF-8 are asked for it,
    /// since IIS sends it only then.
    pub async fn look_around(&mut self) -> Result<(), FetchError> {
        let reply = self.ask("FEAT").await?;
        if reply.offers("UTF8") {
            self.ask("OPTS UTF8 ON").await?;
        }
        // RFC 3659 (7.8): whoever lists MLST has MLSD.
        let mlsd = reply.offers("MLST") || reply.offers("MLSD");
        self.offers =
            Offers { mlsd, size: reply.offers("SIZE"), mdtm: reply.offers("MDTM"), rest: reply.offers("REST") };
        self.reckons = Reckons::of(&reply);
        self.standing.home = self.where_it_is().await?;
        Ok(())
    }

    /// PWD: what the server calls the directory, as octets.
    pub(super) async fn where_it_is(&mut self) -> Result<Option<Vec<u8>>, FetchError> {
        let response = self.send("PWD").await?;
        self.hear(&response)?;
        Ok(reply::directory(&response.body))
    }

    /// It serves another visit.
    pub(super) fn goes_on(&mut self, ledger: &Ledger) {
        ledger.goes_to(self.endpoint(), None);
        ledger.because("on the connection kept from the visit before");
        self.log = Log::of(ledger);
        if self.security.is_some() {
            self.log.secured();
        }
        self.log.note("on the connection kept from the visit before".into());
    }

    /// It is good for nothing any more.
    pub(super) fn is_lost(&mut self) {
        self.health = Health::Dead;
    }

    /// Lists as text, as connections begin; a kept one may have transferred a file since.
    ///
    /// # Errors
    /// See [`Session::ask`].
    pub async fn list_as_text(&mut self) -> Result<(), FetchError> {
        const TEXT: &str = "TYPE A";
        if self.kind.as_deref().is_some_and(|kind| kind != TEXT) {
            self.transfer_as(TEXT).await?;
        }
        Ok(())
    }

    /// Sends a TYPE command, unless it is in force already.
    ///
    /// # Errors
    /// See [`Session::ask`].
    pub async fn transfer_as(&mut self, command: &str) -> Result<Option<Reply>, FetchError> {
        if self.kind.as_deref() == Some(command) {
            return Ok(None);
        }
        let reply = self.ask(command).await?;
        if !reply.is_done() {
            return Ok(Some(reply));
        }
        self.kind = Some(command.to_owned());
        Ok(None)
    }

    /// Whether it may serve another visit.
    pub fn is_sound(&self) -> bool {
        self.health == Health::Sound && self.standing.home.is_some()
    }

    /// Whether it failed, not what was asked of it.
    pub fn is_dead(&self) -> bool {
        self.health == Health::Dead
    }

    /// Whether the last data connection could not be opened.
    pub(super) fn is_dialling(&self) -> bool {
        self.steps.is_dialling()
    }

    /// Whether nothing has come on it that nobody asked for: a farewell, or the end.
    pub async fn is_quiet(&self) -> bool {
        let socket = self.stream.get_ref().await;
        socket.peek(&mut [0]).now_or_never().is_none()
    }

    /// Says good-bye.
    pub async fn quit(mut self) {
        // The connection is closed whatever the answer is.
        let _ = self.stream.quit().await;
    }

    /// Sends a command that is answered over a data connection, from an offset on: that connection, or the refusal.
    ///
    /// # Errors
    /// No answer, or no data connection.
    pub async fn data(&mut self, line: &str, from: u64) -> Result<Result<Data, Reply>, FetchError> {
        let mut outcome = self.open_data(line, from).await;
        let refusal = outcome.as_ref().map(|opened| opened.as_ref().err());
        if from == 0
            && let Ok(refusal) = refusal
            && self.may_be_otherwise(line, refusal.cloned().as_ref())
        {
            self.doubling = Doubling::Once;
            let other = self.open_data(line, from).await;
            match other {
                Ok(Err(_)) => self.doubling = Doubling::Untried,
                other => outcome = other,
            }
        }
        match &outcome {
            Ok(Ok(_)) if self.health == Health::Sound => self.health = Health::Busy,
            Ok(_) => {}
            Err(_) => self.health = Health::Dead,
        }
        outcome
    }

    async fn open_data(&mut self, line: &str, from: u64) -> Result<Result<Data, Reply>, FetchError> {
        loop {
            let tried = self.transfer(line, from).await;
            self.hear_aside()?;
            let (outcome, dialled) = tried?;
            let extended = self.mode == Mode::ExtendedPassive;
            match outcome {
                Ok((response, stream)) => {
                    self.hear(&response)?;
                    return Ok(Ok(Data { stream, silence: self.limits.silence }));
                }
                Err(FtpError::UnexpectedResponse(response)) if dialled => {
                    let reply = self.hear(&response)?;
                    if !reply.is_refusal() && self.health != Health::Dead {
                        // The answer to something else; its own is still to come.
                        self.health = Health::Odd;
                    }
                    if reply.code != 425 || !extended {
                        return Ok(Err(reply));
                    }
                }
                Err(error) if dialled => {
                    return Err(self
                        .told
                        .failure
                        .get()
                        .cloned()
                        .unwrap_or_else(|| broken(self.endpoint(), line, &error)));
                }
                // EPSV is unknown.
                Err(FtpError::UnexpectedResponse(response)) if extended => {
                    self.hear(&response)?;
                }
                // It is answered in another charset, or leads to a closed port.
                Err(_) if extended => self.health = Health::Odd,
                Err(error) => return Err(self.no_data(error)),
            }
            self.mode = Mode::Passive;
        }
    }

    /// One try: what came of it, and whether the data connection was opened.
    async fn transfer(&mut self, line: &str, from: u64) -> Result<(Opened, bool), FetchError> {
        let way = if self.mode == Mode::ExtendedPassive { "EPSV" } else { "PASV" };
        self.stream.set_mode(self.mode);
        let (silence, connects) = (self.limits.silence, self.limits.connect);
        // In the clear one answer is all that is waited for; else another one comes before it, or the data connection is made secure.
        let one = from == 0 && self.security.is_none();
        let limit = |step| if step == Step::Port || one && step == Step::Answer { silence } else { silence + connects };
        let ready = [Status::AlreadyOpen, Status::AboutToSend];
        let steps = self.steps.clone();
        let opening = async {
            if let Ok(offset @ 1..) = usize::try_from(from) {
                // It goes over the wire right before the command, as RFC 3659 (5.3) wants it.
                self.stream.resume_transfer(offset).await?;
                return self.stream.custom_data_command(line, &ready).await;
            }
            let rest = self.split(line).await?;
            self.stream.custom_data_command(rest, &ready).await
        };
        let (step, outcome) = steps.within(limit, opening).await;
        let dialled = step == Step::Answer;
        self.ahead.forget();
        self.written.tell(&mut self.log);
        let outcome = outcome.ok_or_else(|| self.silent(if dialled { line } else { way }, limit(step)))?;
        Ok((outcome, dialled))
    }

    fn no_data(&mut self, error: FtpError) -> FetchError {
        let endpoint = self.endpoint().clone();
        let why = match &error {
            FtpError::UnexpectedResponse(response) => match self.hear(response) {
                Ok(reply) => reply.words(),
                Err(closing) => return closing,
            },
            FtpError::ConnectionError(error) if error.kind() == ErrorKind::UnexpectedEof => {
                return FetchError::new(
                    Kind::Broken,
                    format!("{endpoint} closed the connection instead of answering PASV."),
                );
            }
            FtpError::ConnectionError(error) if error.kind() == ErrorKind::PermissionDenied => format!("{error}."),
            FtpError::ConnectionError(error) => format!("the port it names does not answer ({}).", net::words(error)),
            _ => "its answer to PASV makes no sense.".into(),
        };
        let detail = format!("{} opens no second connection for the data: {why}", self.endpoint());
        FetchError::new(Kind::Refused, detail).hint("A firewall may be in the way, here or there.")
    }

    /// Hears the server's word on a transfer: nothing if it is complete, else a remark.
    pub async fn finish(&mut self, data: Data) -> Option<String> {
        let remark = data.finish().await;
        if self.health == Health::Busy && remark.is_none() {
            self.health = Health::Sound;
        }
        remark
    }

    /// Gives up a transfer of which only the beginning was wanted; the connection stays where the server says its word on it.
    pub async fn leave(&mut self, data: Data) {
        if data.leave().await && self.health == Health::Busy {
            self.health = Health::Sound;
        }
    }

    /// What was tried, for error pages.
    pub fn tried(&self) -> String {
        let words = match self.way.channel {
            Channel::Offered if self.security.is_some() => Channel::Explicit.words(),
            channel => channel.words(),
        };
        format!("{}{words}: {}", self.endpoint(), self.log.commands())
    }
}

/// What came of a try to open a data connection.
type Opened = FtpResult<(Response, TransferStream<AsyncRustlsStream>)>;
