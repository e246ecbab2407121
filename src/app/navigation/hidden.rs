//! Files whose names begin with a dot, which many FTP servers list only when they are asked: chosen by the reader, by host.

use super::journey;
use crate::app::page::address;
use crate::app::state::Cx;
use crate::app::{Effect, Kept, Sight, SiteChoice};
use crate::url::Url;
use crate::url::scheme::{self, Family};

/// Whether such files are asked for where a URL leads.
pub(super) fn is_listed(sight: Sight<'_>, url: &Url) -> bool {
    scheme::family(url) == Family::Ftp && sight.desk.hidden.contains(&address::place(url))
}

/// Lists them on this host, or no more, and asks for the directory in view again.
pub(in crate::app) fn toggle(cx: &mut Cx<'_>, _: &str) -> Vec<Effect> {
    let is_ftp = |url: &Url| scheme::family(url) == Family::Ftp;
    let Some(url) = cx.entry().map(|entry| entry.url.clone()).filter(is_ftp) else {
        cx.say("only FTP servers leave files out of their directories unless they are asked");
        return Vec::new();
    };
    let on = !is_listed(cx.sight(), &url);
    let host = address::place(&url);
    match on {
        true => cx.desk.hidden.insert(host.clone()),
        false => cx.desk.hidden.remove(&host),
    };
    let is_directory = cx.entry().and_then(|entry| entry.page.as_deref()).is_some_and(|page| page.has_rows());
    let mut effects = if is_directory { journey::reload(cx, "") } else { Vec::new() };
    cx.say(if on {
        "hidden files of this host are asked for"
    } else {
        "hidden files of this host are shown where its server lists them by itself"
    });
    effects.push(Effect::Keep(Kept::Site { host, choice: SiteChoice::Hidden(on) }));
    effects
}
