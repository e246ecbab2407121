//! Certificates that were refused: one of the web, for which no authority vouches, is trusted until the program ends if the reader
//! says so; another one than was pinned to a server takes its place.

use crate::app::hands::question::confirm;
use crate::app::state::Cx;
use crate::app::state::intent::Intent;
use crate::app::{Effect, Opening, PageState, Pending, Sight};
use crate::proto::{Certificate, RefusedCertificate};
use crate::url::Url;
use crate::url::scheme::about::Certificates;
use crate::url::scheme::{self, Family};

/// Whether the page in view tells of a certificate that was refused.
pub(in crate::app) fn is_refused(sight: Sight<'_>) -> bool {
    refused(sight).is_some()
}

/// The host in view and its certificate, when that is why there is no page.
fn refused(sight: Sight<'_>) -> Option<(String, RefusedCertificate)> {
    let entry = sight.entry()?;
    match &entry.page.as_deref()?.state {
        PageState::Failed(error) => Some((entry.url.host()?.to_owned(), *error.certificate.clone()?)),
        _ => None,
    }
}

/// `trust`: asks whether the certificate that was refused is the right one.
pub(in crate::app) fn trust(cx: &mut Cx<'_>, _: &str) -> Vec<Effect> {
    let Some((host, RefusedCertificate { certificate, pin, first })) = refused(cx.sight()) else {
        cx.say("no certificate was refused here");
        return Vec::new();
    };
    let private = cx.tab.private;
    let pinned = pin.is_some() || first.is_some();
    let for_good = if private { "in private tabs, until Wayfarer ends" } else { "for good" };
    let (mut text, server) = match (&pin, first) {
        (None, Some(server)) => {
            let damaged = "Of a line in the file of pinned certificates nobody knows whose it was. It may have been this server's.";
            (vec![format!("{damaged} Take its certificate {for_good}?")], server)
        }
        (None, None) => {
            (vec![format!("Nobody vouches that this is {host}. Trust its certificate until Wayfarer ends?")], host)
        }
        (Some(pin), _) => {
            let server = &pin.server;
            let question = match private {
                true => format!(
                    "The certificate of {server} has changed. Take the new one in private tabs, until Wayfarer ends?"
                ),
                false => {
                    format!("The certificate of {server} has changed. Take the new one in place of the old, for good?")
                }
            };
            (vec![question], server.clone())
        }
    };
    // First what is not to be missed: on a small screen what stands below is cut.
    text.push("Nothing but the fingerprint proves it, named by its owner, or by you, in another way.".into());
    if let Some(pin) = &pin {
        text.push(format!("Known since {}:", pin.since));
        told(&pin.certificate, &mut text);
        text.push("Shown now:".into());
    }
    told(&certificate, &mut text);
    let pending = Pending::Trust { server, certificate, pinned, private };
    cx.hands.queue(confirm(text, "trust it", pending));
    Vec::new()
}

/// `certificates`: those of the reader's own, and in Gemini space what of them may be shown to the page in view.
pub(in crate::app) fn certificates(cx: &mut Cx<'_>, _: &str) -> Vec<Effect> {
    let here = cx.entry().map(|entry| entry.url.without_fragment());
    let here = here.filter(|url| scheme::family(url) == Family::Gemini).map_or(Certificates::List, Certificates::For);
    if let Ok(url) = here.url() {
        cx.open(Opening::typed(url));
    }
    Vec::new()
}

/// `netrc`: the hosts that the reader's file of logins names.
pub(in crate::app) fn netrc(cx: &mut Cx<'_>, _: &str) -> Vec<Effect> {
    if let Ok(url) = Url::parse("about:netrc") {
        cx.open(Opening::typed(url));
    }
    Vec::new()
}

/// The rows that tell of a certificate.
fn told(certificate: &Certificate, out: &mut Vec<String>) {
    out.push(certificate.fingerprint.clone());
    out.extend(Some(&certificate.described).filter(|described| !described.is_empty()).cloned());
}

/// The reader trusts it: the page is asked for again.
pub(in crate::app) fn trusted(cx: &mut Cx<'_>, trust: Effect) -> Vec<Effect> {
    cx.intend(Intent::Reload);
    vec![trust]
}
