//! Permissions and owners as columns of directories: chosen by the reader, by host.

use super::{arrival, journey};
use crate::app::page::address;
use crate::app::state::Cx;
use crate::app::{Effect, Kept, SiteChoice};
use crate::format::media;

/// Shows them in the directories of this host, or no more.
pub(in crate::app) fn toggle(cx: &mut Cx<'_>, _: &str) -> Vec<Effect> {
    let page = cx.entry().and_then(|entry| entry.page.as_deref());
    let Some(host) = page.filter(|page| page.head.media == media::DIRECTORY).map(|page| address::place(&page.head.url))
    else {
        cx.say("only directories have permissions and owners");
        return Vec::new();
    };
    let on = cx.desk.owners.insert(host.clone());
    if !on {
        cx.desk.owners.remove(&host);
    }
    let said = if on { "permissions and owners, where this host tells them" } else { "without permissions and owners" };
    let again = arrival::reread(cx, media::DIRECTORY, Some(said), None);
    let mut effects = again.unwrap_or_else(|| {
        let effects = journey::reload(cx, "");
        cx.say(said);
        effects
    });
    effects.push(Effect::Keep(Kept::Site { host, choice: SiteChoice::Owners(on) }));
    effects
}
