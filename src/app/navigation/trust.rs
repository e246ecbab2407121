//! Certificates of the web that no authority vouches for: refused, unless the reader trusts one until the program ends.

use crate::app::hands::question::confirm;
use crate::app::state::Cx;
use crate::app::state::intent::Intent;
use crate::app::{Effect, PageState, Pending, Sight};

/// The host in view and the fingerprint of its certificate, when that is why there is no page.
fn refused(sight: Sight<'_>) -> Option<(String, String)> {
    let entry = sight.entry()?;
    match &entry.page.as_deref()?.state {
        PageState::Failed(error) => Some((entry.url.host()?.to_owned(), error.certificate.clone()?)),
        _ => None,
    }
}

/// `trust`: asks whether the certificate that was refused is the right one.
pub(in crate::app) fn trust(cx: &mut Cx<'_>, _: &str) -> Vec<Effect> {
    match refused(cx.sight()) {
        Some((host, fingerprint)) => {
            let text = vec![
                format!("Nobody vouches that this is {host}. Trust its certificate until Wayfarer ends?"),
                "Only if its owner, or you, named this fingerprint (SHA-256) in another way:".into(),
                fingerprint.clone(),
            ];
            cx.hands.queue(confirm(text, "trust it", Pending::Trust(host, fingerprint)));
        }
        None => cx.say("no certificate was refused here"),
    }
    Vec::new()
}

/// The reader trusts it: the page is asked for again.
pub(in crate::app) fn trusted(cx: &mut Cx<'_>, host: String, fingerprint: String) -> Vec<Effect> {
    cx.intend(Intent::Reload);
    vec![Effect::Trust { host, fingerprint }]
}
