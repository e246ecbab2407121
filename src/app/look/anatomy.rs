//! The anatomy of page and link: every component raw and decoded, the bases and the one in force, the steps of resolution,
//! and the exact request that would be sent.

use super::related;
use crate::app::forms::web;
use crate::app::motion::focus;
use crate::app::navigation::part;
use crate::app::state::Cx;
use crate::app::{Effect, Entry, Overlay, Sight, TextOwner};
use crate::doc::{Anchor, BlockKind, Builder, Document, Link, sanitise};
use crate::proto::{Dispatch, Security, Trust};
use crate::role::Role;
use crate::url::scheme::{self, PartKind, would_send};
use crate::url::{Layer, Resolved, Url};

/// The overlay's title.
const TITLE: &str = "Where you are";
/// Columns for the labels.
const LABEL: u8 = 10;

/// Shows the anatomy of the page and of the link under focus.
pub(in crate::app) fn anatomy(cx: &mut Cx<'_>, _: &str) -> Vec<Effect> {
    let Some(entry) = cx.entry() else {
        cx.say("nothing is open");
        return Vec::new();
    };
    let link = focus::link(cx.sight());
    let hint = if link.is_some() { "y copy · Enter follow · Esc close" } else { "y copy · Esc close" };
    let document = Box::new(written(cx.sight(), entry, link.as_ref()));
    cx.hands.raise(Overlay::Text {
        owner: TextOwner::Anatomy,
        title: TITLE.into(),
        document,
        top: Anchor::default(),
        hint: hint.into(),
    });
    Vec::new()
}

fn written(sight: Sight<'_>, entry: &Entry, link: Option<&Link>) -> Document {
    let mut out = Builder::new();
    out.block(BlockKind::Line, Role::OverlayFocus);
    out.text(&sanitise(&entry.url.redacted()));
    components(&entry.url, &mut out);
    bases(entry, &mut out);
    // Another place may have answered: a mirror, or the end of a redirection.
    let answered = entry.page.as_deref().map_or(&entry.url, |page| &page.head.url);
    if *answered != entry.url {
        row("answered", &answered.redacted(), Role::Overlay, &mut out);
    }
    match entry.page.as_deref().map(|page| page.dispatched.as_slice()).filter(|sent| !sent.is_empty()) {
        Some(sent) => dispatched("sent", sent, &mut out),
        // Nothing was asked of anybody, or it is no longer known.
        None => request(sight, "would send", answered, &mut out),
    }
    if let Some(page) = &entry.page {
        if let Some(security) = &page.head.security {
            secured(security, &mut out);
        }
        let said = page.head.lines.iter().enumerate();
        said.for_each(|(i, line)| row(if i == 0 { "said" } else { "" }, line, Role::OverlayDim, &mut out));
    }
    if let Some(link) = link {
        out.block(BlockKind::Rule, Role::OverlayBorder);
        out.block(BlockKind::Line, Role::OverlayTitle);
        match entry.focus.and_then(|focus| web::anatomy(sight, focus)) {
            Some(rows) => {
                out.text("What the field is");
                rows.iter().for_each(|(label, said)| row(label, said, Role::Overlay, &mut out));
            }
            None => {
                out.text("Where the link leads");
                leads(sight, entry, link, &mut out);
            }
        }
    }
    out.finish()
}

/// A label and what it stands for; the label of a row that goes on is empty.
fn row(label: &str, value: &str, role: Role, out: &mut Builder) {
    out.block(BlockKind::Labelled(LABEL + 1), Role::Overlay);
    out.styled(&format!("{label:<width$}", width = LABEL.into()), Role::OverlayDim);
    out.text(" ");
    out.styled(&sanitise(value), role);
}

/// Each component in the scheme's own words, and as written where that says something else; in one run of words.
fn components(url: &Url, out: &mut Builder) {
    let parts = scheme::parts(url);
    let default = scheme::default_port(url.scheme());
    let mut facts = Vec::with_capacity(parts.len() + 2);
    for part in &parts {
        let said = match (part.kind, default) {
            (PartKind::PortOdd, Some(default)) => format!("{} (default {default})", part.text),
            (PartKind::PortDefault, _) => format!("{} (default)", part.text),
            (PartKind::Fragment, _) => format!("{} (never sent)", part.text),
            _ => part.text.clone(),
        };
        facts.push((part.label, said));
    }
    for (label, raw) in [("path as written", Some(url.path())), ("query as written", url.query())] {
        if let Some(raw) = raw.filter(|raw| !matches!(*raw, "" | "/") && !parts.iter().any(|part| part.text == *raw)) {
            facts.push((label, sanitise(raw).into_owned()));
        }
    }
    out.block(BlockKind::Line, Role::Overlay);
    for (at, (label, said)) in facts.iter().enumerate() {
        out.styled(if at > 0 { " · " } else { "" }, Role::OverlayDim);
        out.styled(label, Role::OverlayDim);
        out.text(" ");
        out.text(said);
    }
}

fn bases(entry: &Entry, out: &mut Builder) {
    let force = entry.bases.effective().map(|(layer, _)| layer);
    for (at, layer) in Layer::ALL.into_iter().enumerate() {
        let base = entry.bases.get(layer);
        let text = base.map_or("–".into(), Url::redacted);
        let (mark, role) = match force {
            Some(force) if force != layer => ("", Role::Overlay),
            None => ("", Role::Overlay),
            Some(_) if base.is_some_and(Url::has_hierarchy) => ("  ◀ in force", Role::OverlayForce),
            Some(_) => ("  ◀ in force, but opaque", Role::OverlayForce),
        };
        let origin = entry.bases.entity_origin().filter(|_| layer == Layer::Entity);
        let origin = origin.map(|origin| format!(" ({origin})")).unwrap_or_default();
        let hops = match (layer, entry.hops.len()) {
            (Layer::Retrieval, 1) => " (1 redirect)".into(),
            (Layer::Retrieval, hops) if hops > 1 => format!(" ({hops} redirects)"),
            _ => String::new(),
        };
        row(
            if at == 0 { "Base URLs" } else { "" },
            &format!("{:<width$} {text}{origin}{hops}{mark}", layer.name(), width = LABEL.into()),
            role,
            out,
        );
    }
    for (at, hop) in entry.hops.iter().enumerate() {
        let said = format!("{} said {}", hop.from.redacted(), hop.status);
        row(if at == 0 { "came by" } else { "" }, &said, Role::Overlay, out);
        dispatched("", &hop.dispatched, out);
    }
    for (at, related) in related::rows(entry).iter().enumerate() {
        row(if at == 0 { "related" } else { "" }, related, Role::Overlay, out);
    }
}

fn secured(security: &Security, out: &mut Builder) {
    let trust = match security.trust {
        Trust::Authority => "TLS, vouched for by an authority",
        Trust::Pinned => "TLS, the key seen on earlier visits",
        Trust::Reader => "TLS, a key that you alone trust, until the end",
        Trust::FirstUse => "TLS, first visit: nobody vouches yet, the key is remembered",
    };
    row("secured", trust, Role::Overlay, out);
    row("", &format!("SHA-256 {}", security.fingerprint), Role::OverlayDim, out);
}

/// What following a URL sends, or why nothing is sent.
fn request(sight: Sight<'_>, label: &str, url: &Url, out: &mut Builder) {
    if part::is_name(url) && scheme::plan(url).is_ok() {
        let sent = match url.is("cid") {
            true => "nothing; it is taken out of its message",
            false => "nothing when the message is here; else its article is fetched by its id",
        };
        return row(label, sent, Role::Code, out);
    }
    match sight.desk.settings.http.proxies.plan(url) {
        Ok(plan) => {
            let lines = would_send(&plan);
            for (i, line) in lines.iter().enumerate() {
                row(if i == 0 { label } else { "" }, line, Role::Code, out);
            }
            if let Some(why) = &plan.confirm {
                row("asks", why, Role::Warning, out);
            }
        }
        Err(error) => row(label, &format!("nothing: {error}"), Role::OverlayError, out),
    }
}

/// What left this machine: to whom, how, and each line.
fn dispatched(label: &str, sent: &[Dispatch], out: &mut Builder) {
    let mut label = label;
    for Dispatch { host, port, address, tls, why, lines, more, came } in sent {
        let named = address.as_ref().filter(|address| **address != format!("{host}:{port}"));
        let place = format!("to {host}:{port}");
        let words = [
            named.map(|address| format!(" ({address})")),
            tls.then(|| " over TLS".into()),
            why.as_ref().map(|why| format!(", {why}")),
        ];
        row(label, &words.into_iter().flatten().fold(place, |place, word| place + &word), Role::Overlay, out);
        lines.iter().for_each(|line| row("", line, Role::Code, out));
        if *more > 0 {
            row("", &format!("… and {more} more"), Role::OverlayDim, out);
        }
        if let Some(came) = came {
            row("", &format!("→ {came}"), Role::OverlayDim, out);
        }
        label = "";
    }
}

fn leads(sight: Sight<'_>, entry: &Entry, link: &Link, out: &mut Builder) {
    // A part that is shown within its message has bases of its own.
    let inset = entry.focus.and_then(|focus| entry.page.as_deref()?.inset(focus));
    let (written, bases) = inset.unwrap_or((&link.reference, &entry.bases));
    row("written", &crate::url::redact(written), Role::Overlay, out);
    if bases.sibling(written).is_some() {
        row("found", "by its Content-Location, in the same message", Role::Overlay, out);
    }
    match &link.target {
        Ok(Resolved::Url(url)) => row("resolved", &url.redacted(), Role::OverlayFocus, out),
        Ok(Resolved::SameDocument { fragment }) => {
            let place = fragment.as_deref().filter(|f| !f.is_empty()).map_or("its start".into(), |f| format!("#{f}"));
            row("resolved", &format!("this document, {place}; nothing is fetched"), Role::OverlayFocus, out);
        }
        Err(error) => row("resolved", &error.to_string(), Role::OverlayError, out),
    }
    let (_, steps) = bases.explain(written);
    let relative = crate::url::split(written).scheme.is_none();
    if let Some((layer, base)) = bases.effective().filter(|_| relative) {
        let origin = bases.entity_origin().filter(|_| layer == Layer::Entity);
        let origin = origin.map(|origin| format!(" ({origin})")).unwrap_or_default();
        match inset {
            Some(_) => row("base", &format!("{}  {}{origin}", layer.name(), base.redacted()), Role::Overlay, out),
            None => row("base", layer.name(), Role::Overlay, out),
        }
    }
    for (i, step) in steps.iter().enumerate() {
        row(if i == 0 { "steps" } else { "" }, &format!("{}  {}", step.number, step.did), Role::Overlay, out);
    }
    if let Ok(Resolved::Url(url)) = &link.target {
        components(url, out);
        request(sight, "would send", url, out);
    }
}

/// Whether the topmost overlay is the anatomy.
pub(in crate::app) fn is_open(sight: Sight<'_>) -> bool {
    matches!(sight.hands.top(), Some(Overlay::Text { owner: TextOwner::Anatomy, .. }))
}
