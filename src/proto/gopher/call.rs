//! What to send where, and the first of several places that can be reached (gopher `+` items name the others).

use super::reply::Dialect;
use crate::proto::net::{self, Channel, Endpoint, Wire};
use crate::proto::{Context, Exchange, FetchError, Kind};
use crate::url::Url;
use crate::url::scheme::gopher::{Gopher, plan_filled};
use crate::url::scheme::{self, Act};

/// What to send where.
#[derive(Debug, Clone)]
pub(super) struct Call {
    pub(super) url: Url,
    pub(super) gopher: Gopher,
    pub(super) endpoint: Endpoint,
    pub(super) channel: Channel,
    pub(super) asks: Asks,
    /// The request with stars for its secrets, where it holds any.
    pub(super) told: Option<Vec<u8>>,
}

#[derive(Debug, Clone)]
pub(super) enum Asks {
    /// A request in octets.
    Item(Vec<u8>),
    /// Commands to a phone book.
    PhoneBook(Vec<String>),
}

impl Call {
    /// The reader's own URL. A filled form was agreed to before the fetch began (D14), so its port is not judged again.
    pub(super) fn asked(url: &Url, told: Option<&Url>) -> Result<Call, FetchError> {
        let told = told.map(Gopher::of).transpose()?.map(|told| told.request());
        Ok(Call { told, ..Call::planned(url, plan_filled(url, Some(url))?.act)? })
    }

    /// A mirror: named by a menu, so nothing that needs the reader's consent, and no clear text in place of TLS.
    pub(super) fn mirror(url: &Url, first: &Call) -> Result<Call, String> {
        let plan = scheme::plan(url).map_err(|error| error.to_string())?;
        if let Some(question) = plan.confirm {
            return Err(question);
        }
        let call = Call::planned(url, plan.act).map_err(|error| error.detail)?;
        match (first.channel, call.channel) {
            (Channel::Tls, Channel::Clear) => Err("it would be in clear text, and TLS was asked for".into()),
            _ => Ok(call),
        }
    }

    fn planned(url: &Url, act: Act) -> Result<Call, FetchError> {
        let gopher = Gopher::of(url)?;
        let tls = |tls| if tls { Channel::Tls } else { Channel::Clear };
        let (host, port, channel, asks) = match act {
            Act::Octets { host, port, tls: secure, bytes } => (host, port, tls(secure), Asks::Item(bytes)),
            Act::Commands { host: Some(host), port, commands } => {
                (host, port, tls(scheme::is_secure(url)), Asks::PhoneBook(commands))
            }
            Act::Ask(_) => {
                return Err(FetchError::new(Kind::Unsupported, "This address needs words or a filled form first."));
            }
            _ => return Err(FetchError::new(Kind::Unsupported, "This address leads out of gopher space.")),
        };
        Ok(Call { url: url.without_fragment(), gopher, endpoint: Endpoint { host, port }, channel, asks, told: None })
    }

    /// The wish for named attributes, or for the form, as one for all attributes: pygopherd knows no names and answers such a
    /// request with the item itself.
    pub(super) fn all_attributes(&self) -> Option<Vec<u8>> {
        let bare = match self.gopher.plus.as_deref()? {
            b"?" => b"!",
            [b'!', _, ..] => b"!",
            [b'$', _, ..] => b"$",
            _ => return None,
        };
        Some(Gopher { plus: Some(bare.to_vec()), ..self.gopher.clone() }.request())
    }

    /// The same request with two TABs (D13): one is what Gopher+ says, two are what RFC 1738 says, servers know one or both.
    pub(super) fn two_tabs(&self) -> Option<Vec<u8>> {
        let Asks::Item(bytes) = &self.asks else { return None };
        // A filled form is sent once: an error may come after the server has acted on it.
        if self.gopher.plus.is_none() || self.gopher.is_filled_form() {
            return None;
        }
        Some(self.gopher.request_two_tabs()).filter(|other| other != bytes)
    }

    /// Whether what is known of an item is asked for, and not the item.
    pub(super) fn wants_attributes(&self) -> bool {
        matches!(self.gopher.plus.as_deref(), Some([b'!', ..]))
    }

    pub(super) fn dialect(&self) -> Dialect {
        if self.gopher.plus.is_some() { Dialect::Plus } else { Dialect::Plain }
    }

    /// For error pages: where, and what for.
    pub(super) fn tried(&self) -> String {
        let text = |octets: &[u8]| String::from_utf8_lossy(octets).into_owned();
        let mut tried = format!("{}, selector \"{}\"", self.endpoint, text(&self.gopher.selector));
        if let Some(search) = self.gopher.search.as_deref().filter(|search| !search.is_empty()) {
            tried.push_str(&format!(", search \"{}\"", text(search)));
        }
        match &self.gopher.plus {
            Some(_) if self.gopher.is_filled_form() => tried.push_str(", a filled form"),
            Some(plus) => tried.push_str(&format!(", Gopher+ \"{}\"", text(plus))),
            None => {}
        }
        if self.channel == Channel::Tls {
            tried.push_str(", over TLS");
        }
        tried
    }
}

/// A place that was reached, its connection, what happened on the way there, and the mirrors that were not tried.
pub(super) type Reached<'a> = (Call, Wire, Vec<String>, &'a [Url]);

/// The first place that can be reached; `asked` is the one that the reader named, whose channel no mirror is less than.
pub(super) async fn reach<'a>(
    first: Call,
    (asked, mirrors): (&Call, &'a [Url]),
    exchange: &mut Exchange,
    context: &Context,
) -> Result<Reached<'a>, FetchError> {
    let mut lines = Vec::new();
    let failure = match net::open(&first.endpoint, first.channel, exchange, context).await {
        Ok(wire) => return Ok((first, wire, lines, mirrors)),
        Err(failure) => failure.tried(first.tried()),
    };
    // A key that has changed is no server that is down.
    if !matches!(failure.kind, Kind::NoSuchHost | Kind::Refused | Kind::TimedOut) {
        return Err(failure);
    }
    exchange.ledger.came(failure.detail.clone());
    lines.push(format!("{}: {}", first.endpoint, failure.detail));
    let mut tried = failure.tried.clone();
    for (at, url) in mirrors.iter().enumerate() {
        let call = match Call::mirror(url, asked) {
            Ok(call) => call,
            Err(why) => {
                lines.push(format!("mirror {} left out: {why}", url.redacted()));
                continue;
            }
        };
        match net::open(&call.endpoint, call.channel, exchange, context).await {
            Ok(wire) => {
                exchange.ledger.because("a mirror");
                lines.push(format!("mirror {} answered in its place", call.endpoint));
                return Ok((call, wire, lines, &mirrors[at + 1..]));
            }
            Err(other) => {
                exchange.ledger.because("a mirror");
                exchange.ledger.came(other.detail.clone());
                lines.push(format!("mirror {}: {}", call.endpoint, other.detail));
                tried.push_str(&format!("; then its mirror {}", call.tried()));
            }
        }
    }
    Err(failure.tried(tried))
}
