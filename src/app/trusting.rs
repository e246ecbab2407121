//! Certificates of the web that no authority vouches for: refused, unless the reader trusts one until the program ends.

use super::question::{self, confirm};
use super::{App, Effect, Kept, PageState, Pending, SiteChoice, journey};

/// The host in view and the fingerprint of its certificate, when that is why there is no page.
fn refused(app: &App) -> Option<(String, String)> {
    let entry = app.entry()?;
    match &entry.page.as_deref()?.state {
        PageState::Failed(error) => Some((entry.url.host()?.to_owned(), error.certificate.clone()?)),
        _ => None,
    }
}

/// `trust`: asks whether the certificate that was refused is the right one.
pub(super) fn trust(app: &mut App, _: &str) -> Vec<Effect> {
    match refused(app) {
        Some((host, fingerprint)) => {
            let text = vec![
                format!("Nobody vouches that this is {host}. Trust its certificate until Wayfarer ends?"),
                "Only if its owner, or you, named this fingerprint (SHA-256) in another way:".into(),
                fingerprint.clone(),
            ];
            question::raise(app, confirm(text, "trust it", Pending::Trust(host, fingerprint)));
        }
        None => app.say("no certificate was refused here"),
    }
    Vec::new()
}

/// The reader trusts it: the page is asked for again.
pub(super) fn trusted(app: &mut App, host: String, fingerprint: String) -> Vec<Effect> {
    let mut effects = vec![Effect::Keep(Kept::Site { host, choice: SiteChoice::Trust(fingerprint) })];
    effects.extend(journey::reload(app, ""));
    effects
}
