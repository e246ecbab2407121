//! Gopher on the wire: RFC 1436, Gopher+ of July 1993, `gophers:` (TLS from the first octet), phone books.
//!
//! One request per connection. What a URL means as octets is `url::scheme::gopher`'s knowledge; what a menu looks like is the
//! format's. Refuses: asking for words or forms, following what a server says has moved.

mod call;
pub mod frame;
mod media;
mod phone_book;
mod reply;

use self::call::{Asks, Call, reach};
use self::frame::{Flow, Frame, Framing};
use self::reply::{Dialect, Expected, Opening};
use super::net::{self, Channel, Endpoint, Lost, Wire};
use super::relay::{Relay, Room};
use super::{Context, End, Exchange, FetchError, Fetching, Head, Kind, Request, Stage, Verdict};
use crate::url::scheme::{gopher::Gopher, on_the_wire};

/// Read at once, and passed on at once.
const CHUNK: usize = 64 * 1024;

/// As much of an error's text as is kept.
const WORDS: usize = 8 * 1024;

/// Fetches a gopher URL, or the first of its mirrors that can be reached.
pub fn fetch<'a>(request: &'a Request, exchange: &'a mut Exchange, context: &'a Context) -> Fetching<'a> {
    Box::pin(run(request, exchange, context))
}

async fn run(request: &Request, exchange: &mut Exchange, context: &Context) -> Result<End, FetchError> {
    let asked = Call::asked(&request.url, request.told.as_ref())?;
    let (mut first, mut mirrors) = (asked.clone(), request.mirrors.as_slice());
    let mut before: Option<FetchError> = None;
    loop {
        let (call, wire, lines, left) = match reach(first, (&asked, mirrors), exchange, context).await {
            Ok(reached) => reached,
            Err(error) => return Err(before.unwrap_or(error)),
        };
        let tried = call.tried();
        let talk = Talk { call, lines, media: request.media.clone(), exchange, context };
        let answered = match talk.call.asks.clone() {
            Asks::PhoneBook(commands) => phone_book::ask(commands, wire, talk).await,
            Asks::Item(bytes) => talk.item(bytes, wire).await,
        };
        let error = match answered {
            Err(error) if error.tried.is_empty() => error.tried(tried),
            Err(error) => error,
            Ok(end) => return Ok(end),
        };
        // A server that has not got the item may have a mirror that has.
        let others =
            left.iter().enumerate().find_map(|(at, url)| Some((Call::mirror(url, &asked).ok()?, &left[at + 1..])));
        match others.filter(|_| matches!(error.kind, Kind::Said | Kind::NotFound)) {
            Some((other, left)) => {
                exchange.ledger.came(error.detail.clone());
                exchange.ledger.because("a mirror");
                before.get_or_insert(error);
                (first, mirrors) = (other, left);
            }
            None => return Err(before.unwrap_or(error)),
        }
    }
}

/// A connection whose answer has begun.
struct Answer {
    wire: Wire,
    /// What has come so far.
    start: Vec<u8>,
    /// Why nothing more will come, when that is known already.
    over: Option<Over>,
}

/// Why nothing more comes.
enum Over {
    Closed,
    Lost(Lost),
}

/// A question and all that its answer needs.
struct Talk<'a> {
    call: Call,
    lines: Vec<String>,
    media: Option<String>,
    exchange: &'a mut Exchange,
    context: &'a Context,
}

impl Talk<'_> {
    async fn item(mut self, bytes: Vec<u8>, wire: Wire) -> Result<End, FetchError> {
        let (mut all_attributes, mut two_tabs) = (self.call.all_attributes(), self.call.two_tabs());
        let (mut bytes, mut wire) = (bytes, wire);
        loop {
            let (answer, opening) = self.ask(&bytes, wire).await?;
            let (failure, other) = match opening {
                Opening::Head(octets, framing) => return self.plus(answer, octets, framing).await,
                Opening::Plain | Opening::Unclear => match all_attributes.take() {
                    Some(other) if !self.is_attributes(&answer) => ("an answer without attributes".into(), other),
                    _ if self.call.wants_attributes() && !self.is_attributes(&answer) => return Err(self.no_plus()),
                    _ => return self.plain(answer).await,
                },
                error => {
                    // Gopher+ has errors of its own: who answers with a line of an old menu knows none of it.
                    let old = matches!(error, Opening::Complaint(_)) && self.call.wants_attributes();
                    let (failure, settled) = self.failure(answer, error).await;
                    let other = if settled { None } else { all_attributes.take().or_else(|| two_tabs.take()) };
                    let Some(other) = other else { return Err(if old { self.no_plus() } else { failure }) };
                    (failure.detail, other)
                }
            };
            self.exchange.ledger.came(failure.clone());
            self.lines.push(format!("{failure} (asked once more, as {})", other.escape_ascii()));
            bytes = other;
            wire = net::open(&self.call.endpoint, self.call.channel, self.exchange, self.context).await?;
        }
    }

    /// What an error says, and whether that settles the matter: to ask in other words is no use then.
    async fn failure(&self, answer: Answer, opening: Opening) -> (FetchError, bool) {
        let (failure, settled) = match opening {
            Opening::Refusal(octets, framing) => {
                let words = refusal_words(answer, octets, framing).await;
                let refusal = reply::refusal(&words, self.call.channel == Channel::Tls);
                (refusal.failure, refusal.settled)
            }
            Opening::Complaint(words) => (FetchError::new(Kind::Said, format!("The server says: {words}")), false),
            _ => (FetchError::new(Kind::Malformed, "The server's answer makes no sense."), true),
        };
        (self.with_plain_way(failure), settled)
    }

    /// The item itself came, or nothing.
    fn no_plus(&self) -> FetchError {
        let detail = format!("{} does not speak Gopher+: it tells no attributes.", self.call.endpoint.host);
        FetchError::new(Kind::Unsupported, detail)
    }

    fn is_attributes(&self, answer: &Answer) -> bool {
        let (media, _) = media::plain(&self.call.gopher, &answer.start);
        matches!(media.as_str(), crate::format::media::ATTRIBUTES | crate::format::media::FORM)
    }

    /// Sends the request and reads until the beginning of the answer is clear.
    async fn ask(&mut self, bytes: &[u8], mut wire: Wire) -> Result<(Answer, Opening), FetchError> {
        let endpoint = &self.call.endpoint;
        self.exchange.ledger.wrote(on_the_wire(self.call.told.as_deref().unwrap_or(bytes)));
        wire.write(bytes).await.map_err(|lost| lost.error(endpoint))?;
        self.exchange.stage(Stage::Waiting).await?;
        let dialect = self.call.dialect();
        // Attributes are told by the first octet; all else is hung up on.
        let expected = if self.call.wants_attributes() { Expected::Menu } else { media::expected(&self.call.gopher) };
        let mut answer = Answer { wire, start: Vec::new(), over: None };
        let mut buffer = vec![0; CHUNK];
        loop {
            let opening = reply::opening(&answer.start, answer.over.is_some(), expected, dialect);
            if opening != Opening::Unclear || answer.over.is_some() {
                return Ok((answer, opening));
            }
            match answer.wire.read(&mut buffer).await {
                Ok(0) => answer.over = Some(Over::Closed),
                Ok(count) => answer.start.extend_from_slice(&buffer[..count]),
                Err(lost) if answer.start.is_empty() => return Err(lost.error(endpoint)),
                Err(lost) => answer.over = Some(Over::Lost(lost)),
            }
        }
    }

    async fn plus(mut self, mut answer: Answer, octets: usize, framing: Framing) -> Result<End, FetchError> {
        let line = String::from_utf8_lossy(&answer.start[..octets]).trim_end().to_owned();
        self.lines.push(line);
        answer.start.drain(..octets);
        // The kind of an item may have to be seen in its first octets.
        if answer.start.is_empty() && answer.over.is_none() && framing != Framing::Exactly(0) {
            let mut buffer = vec![0; CHUNK];
            match answer.wire.read(&mut buffer).await {
                Ok(0) => answer.over = Some(Over::Closed),
                Ok(count) => answer.start.extend_from_slice(&buffer[..count]),
                Err(lost) => answer.over = Some(Over::Lost(lost)),
            }
        }
        let media = media::plus(&self.call.gopher, &answer.start);
        let length = if let Framing::Exactly(length) = framing { Some(length) } else { None };
        self.body(answer, media, framing, length, None).await
    }

    async fn plain(mut self, answer: Answer) -> Result<End, FetchError> {
        let (media, framing) = media::plain(&self.call.gopher, &answer.start);
        if self.call.dialect() == Dialect::Plus {
            self.lines.push("an answer without a Gopher+ head".into());
        }
        let remark = match self.call.gopher.plus.as_deref() {
            _ if answer.start.is_empty() => Some("the server closed the connection without sending anything"),
            Some([b'$' | b'?', ..]) if !self.is_attributes(&answer) => {
                Some("the server does not speak Gopher+: it sent no attributes, but the item itself")
            }
            // pygopherd, for one, serves forms but takes no answers.
            Some(_) if self.call.gopher.is_filled_form() => {
                Some("the answer is not one of Gopher+, so the server may not have read the form")
            }
            _ => None,
        };
        self.body(answer, media, framing, None, remark.map(str::to_owned)).await
    }

    /// Says the head and streams the body.
    async fn body(
        mut self,
        answer: Answer,
        media: String,
        framing: Framing,
        length: Option<u64>,
        remark: Option<String>,
    ) -> Result<End, FetchError> {
        let Answer { mut wire, start, mut over } = answer;
        let head = self.head(&wire, media, length);
        // The rows of a menu are whole lines, the last one as well; texts of many servers lack the end of their last line.
        let in_lines = framing == Framing::UntilClose && head.media == crate::format::media::MENU;
        let mut relay = Relay::new(self.exchange, &head.media, &self.context.limits);
        if relay.head(head).await? == Verdict::Refuse {
            return Ok(End::default());
        }
        let mut end = LastLine::default();
        let mut frame = Frame::new(framing);
        let mut buffer = vec![0; CHUNK];
        let mut out = Vec::new();
        let mut flow = frame.feed(&start, &mut out);
        loop {
            end.see(&out);
            if relay.pass(std::mem::take(&mut out)).await? == Room::Full {
                return Ok(End { cut: Some(relay.cut()) });
            }
            if flow == Flow::Done {
                return Ok(End { cut: remark });
            }
            if over.is_some() {
                break;
            }
            match wire.read(&mut buffer).await {
                Ok(0) => over = Some(Over::Closed),
                Ok(count) => flow = frame.feed(&buffer[..count], &mut out),
                Err(lost) => over = Some(Over::Lost(lost)),
            }
        }
        let complete = frame.is_terminated();
        let mut rest = Vec::new();
        let missing = frame.finish(&mut rest);
        if relay.pass(rest).await? == Room::Full {
            return Ok(End { cut: Some(relay.cut()) });
        }
        let cut = match over {
            Some(Over::Lost(lost)) if !complete => Some(lost.remark(relay.sent())),
            Some(Over::Closed) if in_lines && end.is_cut() => {
                Some("the server closed the connection in the middle of a line".into())
            }
            _ => missing,
        };
        Ok(End { cut: cut.or(remark) })
    }

    fn head(&mut self, wire: &Wire, media: String, length: Option<u64>) -> Head {
        let mut lines = vec![format!("answered by {}", wire.peer)];
        lines.append(&mut self.lines);
        let (filename, security) = (media::filename(&self.call.gopher), wire.security.clone());
        let media = self.media.take().unwrap_or(media);
        Head { length, filename, security, lines, ..Head::new(self.call.url.clone(), media) }
    }

    /// An item that cannot be had with Gopher+ may be had without; but a form's item never unasked (GPP-13).
    fn with_plain_way(&self, failure: FetchError) -> FetchError {
        let Gopher { plus: Some(plus), search, .. } = &self.call.gopher else { return failure };
        if failure.hint.is_some() || !plus.starts_with(b"+") || self.call.gopher.is_filled_form() {
            return failure;
        }
        let search = search.clone().filter(|search| !search.is_empty());
        let plain = Gopher { plus: None, search, ..self.call.gopher.clone() };
        let Endpoint { host, port } = &self.call.endpoint;
        match plain.url(host, *port, self.call.channel == Channel::Tls) {
            Ok(url) => failure.hint(format!("Without Gopher+ the item may be at {url}")),
            Err(_) => failure,
        }
    }
}

/// The last line of what came, as far as it tells whether it is whole.
#[derive(Default)]
struct LastLine {
    /// Its first octets.
    begins: Vec<u8>,
}

impl LastLine {
    fn see(&mut self, octets: &[u8]) {
        const ENOUGH: usize = 3;
        // Menus of old Macintoshes end their lines with CR alone.
        let line = match memchr::memrchr2(b'\n', b'\r', octets) {
            Some(at) => {
                self.begins.clear();
                &octets[at + 1..]
            }
            None => octets,
        };
        let room = ENOUGH - self.begins.len().min(ENOUGH);
        self.begins.extend(line.iter().take(room));
    }

    /// It has no end and is not the lone dot.
    fn is_cut(&self) -> bool {
        !matches!(self.begins.as_slice(), b"" | b".")
    }
}

/// The text of a Gopher+ error, as much as came of it.
async fn refusal_words(mut answer: Answer, octets: usize, framing: Framing) -> Vec<u8> {
    let mut frame = Frame::new(framing);
    let mut words = Vec::new();
    let mut flow = frame.feed(&answer.start[octets..], &mut words);
    let mut buffer = vec![0; WORDS];
    while flow == Flow::More && words.len() < WORDS && answer.over.is_none() {
        match answer.wire.read(&mut buffer).await {
            Ok(0) => answer.over = Some(Over::Closed),
            Ok(count) => flow = frame.feed(&buffer[..count], &mut words),
            Err(lost) => answer.over = Some(Over::Lost(lost)),
        }
    }
    words.truncate(WORDS);
    words
}
