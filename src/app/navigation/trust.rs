//! Certificates that were refused: one of the web, for which no authority vouches, is trusted until the program ends if the reader
//! says so; another one than was pinned to a server takes its place.

use crate::app::hands::question::confirm;
use crate::app::state::Cx;
use crate::app::state::intent::Intent;
use crate::app::{Effect, PageState, Pending, Sight};
use crate::proto::RefusedCertificate;

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
    let Some((host, RefusedCertificate { fingerprint, pin })) = refused(cx.sight()) else {
        cx.say("no certificate was refused here");
        return Vec::new();
    };
    const NAMED: &str = "Only if its owner, or you, named this fingerprint (SHA-256) in another way:";
    let pending =
        |server: &str, pinned| Pending::Trust { server: server.into(), fingerprint: fingerprint.clone(), pinned };
    let (text, pending) = match &pin {
        None => (
            vec![
                format!("Nobody vouches that this is {host}. Trust its certificate until Wayfarer ends?"),
                NAMED.into(),
                fingerprint.clone(),
            ],
            pending(&host, false),
        ),
        Some(pin) => (
            vec![
                format!(
                    "The certificate of {} has changed. Take the new one in place of the old, for good?",
                    pin.server
                ),
                "Shown now:".into(),
                fingerprint.clone(),
                format!("Known since {}:", pin.since),
                pin.fingerprint.clone(),
                "Only if its owner, or you, named the new one in another way.".into(),
            ],
            pending(&pin.server, true),
        ),
    };
    cx.hands.queue(confirm(text, "trust it", pending));
    Vec::new()
}

/// The reader trusts it: the page is asked for again.
pub(in crate::app) fn trusted(cx: &mut Cx<'_>, trust: Effect) -> Vec<Effect> {
    cx.intend(Intent::Reload);
    vec![trust]
}
