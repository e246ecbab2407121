//! `about:downloads`: what is being sent, what is being saved and what was, the newest first, with how far it has come; it keeps up with them. Enter
//! asks what to do with one, as in the list of downloads.

use super::{Made, asked};
use crate::app::state::Cx;
use crate::app::transfer::said;
use crate::app::{Download, Effect, Outgoing, Sight, transfer};
use crate::doc::{BlockKind, Builder, Marker, sanitise};
use crate::format::count;
use crate::role::Role;
use crate::url::Url;

/// Makes the page in view anew when it does not say how downloads stand.
pub(super) fn tend(cx: &mut Cx<'_>) {
    let made = written(cx.sight(), &super::words(cx.sight()));
    super::show_other(cx, made);
}

fn written(sight: Sight<'_>, words: &str) -> Made {
    let wanted: Vec<String> = words.split_whitespace().map(str::to_lowercase).collect();
    let holds = |(download, _): &(&Download, Option<usize>)| {
        let text = format!("{} {}", download.path, download.url.redacted()).to_lowercase();
        wanted.iter().all(|word| text.contains(word))
    };
    let sent: Vec<&(usize, Outgoing)> = sight
        .transfers
        .outgoing
        .iter()
        .filter(|(_, outgoing)| {
            let text = format!("{} {}", outgoing.name, outgoing.to.redacted()).to_lowercase();
            wanted.iter().all(|word| text.contains(word))
        })
        .collect();
    let all = sight.transfers.downloads.iter().zip(said::in_line(sight));
    let found: Vec<(&Download, Option<usize>)> = all.rev().filter(holds).collect();
    let mut out = Builder::new();
    out.document_mut().title = Some("Downloads".into());
    out.block(BlockKind::Heading(1), Role::Heading);
    out.text("Downloads");
    let said = introduction(sight, words, found.len());
    out.block(BlockKind::Line, Role::Dim);
    out.text(&said);
    let mut source = format!("{said}\n");
    if !found.is_empty() || !sent.is_empty() {
        out.block(BlockKind::Line, Role::Text);
    }
    for (tab, outgoing) in sent {
        let (standing, to) = (said::sent(sight, *tab, outgoing), outgoing.to.redacted());
        out.marked(BlockKind::Entry, Role::Text, Marker::None, 1);
        out.text(&outgoing.name);
        for (words, role) in [(&standing, Role::Text), (&to, Role::Dim)] {
            out.marked(BlockKind::Entry, role, Marker::None, 2);
            out.text(&sanitise(words));
        }
        source.push_str(&format!("{standing}\t{}\t{to}\n", outgoing.name));
    }
    for (download, place) in found {
        let (name, standing) = (name(&download.path), said::row(sight, download, place));
        let from = download.url.redacted();
        out.marked(BlockKind::Entry, Role::Text, Marker::None, 1);
        out.link(&sanitise(name), Role::Link, &reference(download));
        let wrong = download.verified.as_ref().is_some_and(|verified| verified.agrees == Some(false));
        for (words, role) in
            [(&standing, if wrong { Role::Error } else { Role::Text }), (&download.path, Role::Dim), (&from, Role::Dim)]
        {
            out.marked(BlockKind::Entry, role, Marker::None, 2);
            out.text(&sanitise(words));
        }
        source.push_str(&format!("{standing}\t{}\t{from}\n", download.path));
    }
    Made { document: out.finish(), source }
}

fn introduction(sight: Sight<'_>, words: &str, found: usize) -> String {
    let all = sight.transfers.downloads.len();
    let key = |command: &str, what: &str| Some(format!("{} {what}", sight.key_on_own(command)?));
    let said = match (all, words.trim(), found) {
        (0, ..) if !sight.transfers.outgoing.is_empty() => return "No downloads; what is being sent:".into(),
        (0, ..) => {
            let how = key("download", "saves what the link under focus leads to");
            return format!("There are none.{}", how.map(|how| format!(" {how}.")).unwrap_or_default());
        }
        (_, "", _) => format!("{} download{}", count(all), if all == 1 { "" } else { "s" }),
        (_, words, found) => format!("{} of {} with \"{}\"", count(found), count(all), sanitise(words)),
    };
    let keys = [key("follow", "pause, go on, open and more"), key("remove", "forget"), key("filter", "find")];
    [said].into_iter().chain(keys.into_iter().flatten()).collect::<Vec<_>>().join(" · ")
}

fn name(path: &str) -> &str {
    let path = path.trim_end_matches('/');
    path.rsplit_once('/').map_or(path, |(_, name)| name)
}

/// What a row leads to: the number tells a download from others, also from one that has written the same file since.
fn reference(download: &Download) -> String {
    format!("about:downloads?number={}", download.number.0)
}

/// The download that a URL stands for on this page.
fn at(sight: Sight<'_>, url: &Url) -> Option<usize> {
    super::open_one(sight).filter(|which| *which == super::Which::Downloads)?;
    super::of(url).filter(|which| *which == super::Which::Downloads)?;
    let number: u64 = asked(url, "number")?.parse().ok()?;
    sight.transfers.downloads.iter().position(|download| download.number.0 == number)
}

/// Asks what to do with a download, when a URL is that of a row of the page in view.
pub(super) fn act(cx: &mut Cx<'_>, url: &Url) -> Option<Vec<Effect>> {
    let at = at(cx.sight(), url)?;
    Some(transfer::act_on(cx, at))
}

/// Checks the download under focus, else the last one that is whole, by what stands beside it or by a sum.
pub(in crate::app) fn verify(cx: &mut Cx<'_>, sum: &str) -> Vec<Effect> {
    if sum.trim().is_empty() && transfer::article::is_here(cx.sight()) {
        return transfer::article::verify(cx);
    }
    let focused = match super::open_one(cx.sight()) {
        Some(super::Which::Downloads) => crate::app::motion::focus::target(cx).and_then(|url| at(cx.sight(), &url)),
        _ => None,
    };
    match focused.or_else(|| cx.transfers.downloads.iter().rposition(transfer::verify::is_whole)) {
        Some(at) => transfer::verify::verify(cx, at, sum),
        None => {
            cx.say("nothing was saved that could be checked");
            Vec::new()
        }
    }
}

/// Takes the download under focus out of the list; asks about one that is on its way.
pub(super) fn remove(cx: &mut Cx<'_>) -> Vec<Effect> {
    let url = crate::app::motion::focus::target(cx);
    match url.and_then(|url| at(cx.sight(), &url)) {
        Some(at) if cx.transfers.downloads[at].state.is_open() => transfer::act_on(cx, at),
        Some(at) => transfer::forget(cx, at),
        None => Vec::new(),
    }
}
