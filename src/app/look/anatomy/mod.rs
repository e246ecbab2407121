//! The anatomy of link and page, a table whose rows can be gone through, copied and opened: every part, the bases and the one in
//! force, the steps of resolution, what would be sent, and of the page what was.

mod parts;
mod table;

use self::table::Table;
use super::related;
use crate::app::forms::web;
use crate::app::hands::{Row, RowAct, RowsOf, TextRows};
use crate::app::motion::{focus, window};
use crate::app::navigation::{follow, gateway, kept, part};
use crate::app::page::address::shareable;
use crate::app::state::Cx;
use crate::app::{Effect, Entry, Linking, Opening, Overlay, PageState, Sight, TextOwner, news};
use crate::doc::{Anchor, Document, Layout, Link, Marks, Wrap};
use crate::proto::{Certificate, Dispatch, Security, Trust, host_on_the_wire};
use crate::role::Role;
use crate::url::scheme::{self, Family};
use crate::url::{Layer, Resolved, Step, Url};

/// The overlay's title.
const TITLE: &str = "Anatomy";
/// Lines of what a server said that are there before the reader asks for all.
const SAID: usize = 3;

/// Shows the anatomy of the link under focus and of the page.
pub(in crate::app) fn anatomy(cx: &mut Cx<'_>, _: &str) -> Vec<Effect> {
    let Some((document, rows)) = written(cx.sight(), false) else {
        cx.say("nothing is open");
        return Vec::new();
    };
    cx.hands.raise(Overlay::Text {
        owner: TextOwner::Anatomy(Box::new(rows)),
        title: TITLE.into(),
        document: Box::new(document),
        top: Anchor::default(),
        hint: String::new(),
    });
    kept::ask_linking(cx).into_iter().collect()
}

/// Where the anatomy lies over the page it says what is known by now, of the page that is below by now. The reader stays in the row
/// that they have chosen, as long as it is there; Enter that may be meant for a row of another page does nothing.
pub(in crate::app) fn tend(cx: &mut Cx<'_>) {
    let mut over = cx.hands.overlays().iter();
    let before = over.find_map(|overlay| match overlay {
        Overlay::Text { owner: TextOwner::Anatomy(rows), .. } => Some((rows.of, rows.unfolded)),
        _ => None,
    });
    let Some((before, unfolded)) = before.filter(|(before, _)| *before != of(cx.sight())) else { return };
    let Some((written, fresh)) = written(cx.sight(), unfolded) else { return };
    let same = before.page == fresh.of.page;
    for overlay in cx.hands.all_mut() {
        let Overlay::Text { owner: TextOwner::Anatomy(rows), document, top, .. } = overlay else { continue };
        let mut fresh = TextRows { anew: rows.anew || !same, moved: rows.moved, ..fresh.clone() };
        if !rows.moved && *top == Anchor::default() {
            (**rows, **document) = (fresh, written.clone());
            continue;
        }
        let is_chosen = |row: &Row, chosen: &Row| row.copies == chosen.copies && row.act == chosen.act;
        let there = rows.chosen().and_then(|chosen| fresh.all.iter().position(|row| is_chosen(row, chosen)));
        match there.or(same.then_some(rows.at)) {
            Some(at) => {
                let before = rows.block().unwrap_or_default();
                fresh.at = at.min(fresh.all.len().saturating_sub(1));
                let block = fresh.block().unwrap_or_default();
                top.block = top.block.saturating_add(block).saturating_sub(before).min(block);
            }
            None => *top = Anchor::default(),
        }
        (**rows, **document) = (fresh, written.clone());
    }
}

/// What there is of what the anatomy tells of.
fn of(sight: Sight<'_>) -> RowsOf {
    let Some(entry) = sight.entry() else { return RowsOf::default() };
    let page = entry.page.as_deref();
    let lines = |sent: &Dispatch| sent.lines.len() + sent.more + usize::from(sent.came.is_some()) + 1;
    RowsOf {
        page: page.map(|page| page.id),
        focus: entry.focus,
        came: page.map_or((0, false), |page| (page.received, page.state == PageState::Arriving)),
        sent: page.map_or(0, |page| page.dispatched.iter().map(lines).sum()),
        linked: page.map_or(0, |page| page.linked.len()),
    }
}

/// The anatomy as a page has it.
pub(in crate::app) fn document(sight: Sight<'_>) -> Option<Document> {
    let (mut document, _) = written(sight, true)?;
    document.title = Some(TITLE.into());
    Some(document)
}

/// Enter: what the chosen row does, else the link is followed.
pub(in crate::app) fn accept(cx: &mut Cx<'_>) -> Vec<Effect> {
    let Some(Overlay::Text { owner: TextOwner::Anatomy(rows), .. }) = cx.hands.top_mut() else { return Vec::new() };
    let (act, anew) = (rows.act().cloned(), std::mem::take(&mut rows.anew));
    if anew {
        cx.say("this has just come; press that again");
        return Vec::new();
    }
    match act {
        Some(RowAct::Unfold) => {
            unfold(cx);
            Vec::new()
        }
        Some(RowAct::Open(url)) => {
            cx.hands.drop_top();
            cx.open(Opening::followed(url));
            Vec::new()
        }
        Some(RowAct::Kept) => {
            cx.hands.drop_top();
            kept::copy(cx, "")
        }
        Some(RowAct::Follow) | None => {
            let follows = window::focus(cx.sight()).is_some();
            cx.hands.drop_top();
            if follows { follow::follow(cx, "") } else { Vec::new() }
        }
    }
}

/// All that a server said is there.
fn unfold(cx: &mut Cx<'_>) {
    let Some((whole, all)) = written(cx.sight(), true) else { return };
    if let Some(Overlay::Text { owner: TextOwner::Anatomy(rows), document, .. }) = cx.hands.top_mut() {
        let at = rows.at;
        (**rows, **document) = (TextRows { at, moved: true, ..all }, whole);
    }
}

/// Goes so many rows on or back.
pub(in crate::app) fn step(cx: &mut Cx<'_>, rows: isize, height: usize) {
    move_to(cx, height, |all| all.step(rows));
}

/// Goes to the other half.
pub(in crate::app) fn other_half(cx: &mut Cx<'_>, step: isize, height: usize) {
    move_to(cx, height, |all| all.other_half(step));
}

fn move_to(cx: &mut Cx<'_>, height: usize, go: impl FnOnce(&mut TextRows)) {
    let width = cx.desk.screen.columns.saturating_sub(4).max(1);
    let Some(Overlay::Text { owner: TextOwner::Anatomy(rows), document, top, .. }) = cx.hands.top_mut() else { return };
    let before = rows.chosen().map(|row| row.under);
    rows.anew = false;
    go(rows);
    let Some(row) = rows.chosen() else { return };
    let layout = Layout { width, measure: None, wrap: Wrap::On, marks: Marks::Words };
    let first = rows.all.iter().find(|other| other.under == row.under) == Some(row);
    let start = Anchor { block: if first { row.under } else { row.block }, offset: 0 };
    if start < *top || before != Some(row.under) && first {
        // The heading is seen with the first row under it.
        *top = start.min(layout.bottom(document, height));
        return;
    }
    // The row is there as a whole, or else its beginning.
    while *top < start && !layout.lines(document, *top, height).iter().any(|line| line.anchor.block > row.block) {
        let next = layout.down(document, *top, 1);
        if next <= *top || layout.bottom(document, height) <= *top {
            break;
        }
        *top = next;
    }
}

/// Copies the chosen row; `None` where the anatomy is not on top.
pub(in crate::app) fn copy(cx: &mut Cx<'_>) -> Option<Vec<Effect>> {
    let Some(Overlay::Text { owner: TextOwner::Anatomy(rows), .. }) = cx.hands.top() else { return None };
    let copies = rows.chosen().map(|row| row.copies.clone())?;
    let shown = cx.sight().veiled(copies.clone());
    cx.say(format!("copied {shown}"));
    Some(vec![Effect::Copy(copies)])
}

/// The text and its rows; `None` when nothing is open.
fn written(sight: Sight<'_>, unfolded: bool) -> Option<(Document, TextRows)> {
    // Where nothing has come there is an address at least.
    let coming = || sight.tab.loading.as_ref().map(|coming| Entry::ahead(coming.opening.public().clone(), None));
    let ahead = if sight.entry().is_none() { coming() } else { None };
    let entry = sight.entry().or(ahead.as_ref())?;
    let mut table = Table::over(sight.veil().into_owned());
    let document = entry.document();
    let long = entry.focus.filter(|focus| document.is_some_and(|document| document.is_long(*focus, &entry.bases)));
    if let Some(reference) = long.and_then(|focus| document?.reference(focus)) {
        table.heading("Where the link leads");
        parts::long("written", &sight.veil().reference(&crate::url::redact(reference)), &mut table);
    } else if let Some(link) = &focus::link(sight) {
        match entry.focus.and_then(|focus| web::anatomy(sight, focus)) {
            Some(rows) => {
                table.heading("What the field is");
                rows.iter().for_each(|(label, said)| table.row(label, said, Role::Overlay));
            }
            None => {
                table.heading("Where the link leads");
                leads(sight, entry, link, &mut table);
            }
        }
    }
    table.heading("Where you are");
    place(sight, entry, unfolded, &mut table);
    let (document, rows) = table.finish();
    Some((document, TextRows { unfolded, of: of(sight), ..rows }))
}

fn place(sight: Sight<'_>, entry: &Entry, unfolded: bool, out: &mut Table) {
    let long = entry.url.as_str().len() > parts::LONG;
    if long {
        parts::long("address", &entry.url.redacted(), out);
    } else {
        out.pieces("address", &shareable(&entry.url), &[(entry.url.redacted(), Role::OverlayFocus)]);
        parts::write(sight, &entry.url, out);
    }
    bases(entry, out);
    let security = entry.page.as_deref().and_then(|page| page.head.security.as_ref());
    security.into_iter().for_each(|security| secured(security, out));
    // Another place may have answered: a mirror, or the end of a redirection.
    let answered = entry.page.as_deref().map_or(&entry.url, |page| &page.head.url);
    if answered.without_fragment() != entry.url.without_fragment() {
        let through = gateway(&sight.desk.settings, &entry.url).is_some() && entry.hops.is_empty();
        let label = if through { "gateway" } else { "answered" };
        out.pieces(label, &shareable(answered), &[(answered.redacted(), Role::Overlay)]);
        if through {
            out.row("", gateways_base(&entry.url), Role::OverlayDim);
        }
    }
    match entry.page.as_deref().map(|page| page.dispatched.as_slice()).filter(|sent| !sent.is_empty()) {
        Some(sent) => dispatched("sent", sent, out),
        None if long => {}
        // Nothing was asked of anybody, or it is no longer known.
        None => request(sight, "would send", answered, out),
    }
    let Some(page) = &entry.page else { return };
    if let Some(time) = page.head.offered {
        out.row("kept", &format!("a copy, {}; Enter opens it", kept::ago(sight, time)), Role::OverlayFocus);
        out.acts(RowAct::Kept);
    }
    linking(&page.linked, unfolded, out);
    let document = page.given();
    // Of nothing but ASCII nobody wonders how it was read.
    let read = document.charset.as_ref().filter(|read| read.name != "us-ascii");
    let rows =
        [("charset", read.map(|read| format!("{} ({})", read.name, read.why))), ("packed", document.packed.clone())];
    for (label, said) in rows {
        said.into_iter().for_each(|said| out.row(label, &said, Role::Overlay));
    }
    for (at, said) in news::why(sight).iter().enumerate() {
        out.row(if at == 0 { "score" } else { "" }, said, Role::Overlay);
    }
    for (at, note) in document.notes.iter().enumerate() {
        out.row(if at == 0 { "noted" } else { "" }, note, Role::Overlay);
    }
    let lines = &page.head.lines;
    let shown = if unfolded || lines.len() <= SAID + 1 { lines.len() } else { SAID };
    for (i, line) in lines.iter().take(shown).enumerate() {
        out.row(if i == 0 { "said" } else { "" }, line, Role::OverlayDim);
    }
    if shown < lines.len() {
        out.row("", &format!("… {} more lines", lines.len() - shown), Role::Overlay);
        out.acts(RowAct::Unfold);
    }
}

/// Which of the pages that were read link here; Enter opens one.
fn linking(all: &[Linking], unfolded: bool, out: &mut Table) {
    let shown = if unfolded || all.len() <= SAID + 1 { all.len() } else { SAID };
    for (at, Linking { url, title }) in all.iter().take(shown).enumerate() {
        let told = url.redacted();
        let mut pieces = vec![(told, Role::Overlay)];
        if !title.is_empty() {
            pieces.insert(0, (format!("{title}  "), Role::Overlay));
        }
        out.pieces(if at == 0 { "links here" } else { "" }, &shareable(url), &pieces);
        out.opens(url);
    }
    if shown < all.len() {
        out.row("", &format!("… {} more pages that you read link here", all.len() - shown), Role::Overlay);
        out.acts(RowAct::Unfold);
    }
}

fn bases(entry: &Entry, out: &mut Table) {
    let force = entry.bases.effective().map(|(layer, _)| layer);
    for (at, layer) in Layer::ALL.into_iter().enumerate() {
        let base = entry.bases.get(layer);
        let text = base.map_or("–".into(), |base| parts::cut(&base.redacted()));
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
        let copies = base.map_or_else(|| text.clone(), shareable);
        let said = format!("{:<9}  {text}{origin}{hops}{mark}", layer.name());
        out.pieces(if at == 0 { "bases" } else { "" }, &copies, &[(said, role)]);
        base.filter(|base| base.has_hierarchy()).into_iter().for_each(|base| out.opens(base));
    }
    for (at, hop) in entry.hops.iter().enumerate() {
        let said = format!("{} said {}", hop.from.redacted(), hop.status);
        out.row(if at == 0 { "came by" } else { "" }, &said, Role::Overlay);
        dispatched("", &hop.dispatched, out);
    }
    for (at, related) in related::rows(entry).iter().enumerate() {
        out.row(if at == 0 { "related" } else { "" }, related, Role::Overlay);
    }
}

fn secured(security: &Security, out: &mut Table) {
    let trust = match security.trust {
        Trust::Authority => "TLS, vouched for by an authority",
        Trust::Pinned => "TLS, the key seen on earlier visits",
        Trust::Reader => "TLS, a key that you alone trust, until the end",
        Trust::FirstUse => "TLS, first visit: nobody vouches yet, the key is remembered",
    };
    out.row("secured", trust, Role::Overlay);
    let Certificate { fingerprint, described } = &security.certificate;
    out.row("", &format!("SHA-256 {fingerprint}"), Role::OverlayDim);
    if !described.is_empty() {
        out.row("", &format!("it says: {described}"), Role::OverlayDim);
    }
}

/// What a page from a gateway takes for its base (GATE-05).
fn gateways_base(url: &Url) -> &'static str {
    match url.has_hierarchy() {
        true => "has it for you; what its page leads to is relative to the page's own address",
        false => {
            "has it for you; such a name is no base, so what its page leads to is relative to the gateway's address"
        }
    }
}

/// What following a URL sends, or why nothing is sent.
fn request(sight: Sight<'_>, label: &str, url: &Url, out: &mut Table) {
    if part::is_name(url) && scheme::plan(url).is_ok() {
        let sent = match url.is("cid") {
            true => "nothing; it is taken out of its message",
            false => "nothing when the message is here; else its article is fetched by its id",
        };
        return out.row(label, sent, Role::Code);
    }
    if let Some(gateway) = gateway(&sight.desk.settings, url).and_then(|gateway| Url::parse(gateway).ok()) {
        out.pieces("gateway", &shareable(&gateway), &[(gateway.redacted(), Role::Overlay)]);
        out.row("", gateways_base(url), Role::OverlayDim);
        return request(sight, label, &gateway, out);
    }
    match sight.desk.settings.http.proxies.plan(url) {
        Ok(plan) => {
            let lines = sight.would_send(url, &plan);
            for (i, line) in lines.iter().enumerate() {
                out.row(if i == 0 { label } else { "" }, line, Role::Code);
            }
            if let Some(why) = &plan.confirm {
                out.row("asks", why, Role::Warning);
            }
        }
        Err(error) => out.row(label, &format!("nothing: {error}"), Role::OverlayError),
    }
}

/// What left this machine: to whom, how, and each line.
fn dispatched(label: &str, sent: &[Dispatch], out: &mut Table) {
    let mut label = label;
    for Dispatch { host, port, address, tls, why, lines, more, came } in sent {
        let named = address.as_ref().filter(|address| **address != format!("{host}:{port}"));
        let place = format!("to {host}:{port}");
        let words = [
            named.map(|address| format!(" ({address})")),
            tls.then(|| " over TLS".into()),
            why.as_ref().map(|why| format!(", {why}")),
        ];
        out.row(label, &words.into_iter().flatten().fold(place, |place, word| place + &word), Role::Overlay);
        lines.iter().for_each(|line| out.row("", line, Role::Code));
        if *more > 0 {
            out.row("", &format!("… and {more} more"), Role::OverlayDim);
        }
        if let Some(came) = came {
            out.row("", &format!("→ {came}"), Role::OverlayDim);
        }
        label = "";
    }
}

fn leads(sight: Sight<'_>, entry: &Entry, link: &Link, out: &mut Table) {
    // A part that is shown within its message has bases of its own.
    let inset = entry.focus.and_then(|focus| entry.page.as_deref()?.inset(focus));
    let (written, bases) = inset.unwrap_or((&link.reference, &entry.bases));
    let veil = sight.veil();
    out.row("written", &veil.reference(&crate::url::redact(written)), Role::Overlay);
    let attributed = |focus| inset.is_none() && entry.document().is_some_and(|document| document.has_attributes(focus));
    if entry.focus.is_some_and(attributed) {
        out.row("menu says", "it has Gopher+ attributes", Role::Overlay);
    }
    if bases.sibling(written).is_some() {
        let kept = matches!(&link.target, Ok(Resolved::Url(url)) if scheme::family(url) == Family::Archive);
        let how =
            if kept { "by its address, in the same file" } else { "by its Content-Location, in the same message" };
        out.row("found", how, Role::Overlay);
    }
    match &link.target {
        Ok(Resolved::Url(url)) => {
            let copies = shareable(&news::shareable(sight, url));
            out.pieces("resolved", &copies, &[(sight.told(url), Role::OverlayFocus)]);
            out.choose();
            parts::write(sight, veil.url(url).as_ref().unwrap_or(url), out);
        }
        Ok(Resolved::SameDocument { fragment }) => {
            let place = fragment.as_deref().filter(|f| !f.is_empty()).map_or("its start".into(), |f| format!("#{f}"));
            out.row("resolved", &format!("this document, {place}; nothing is fetched"), Role::OverlayFocus);
        }
        Err(error) => out.row("resolved", &error.to_string(), Role::OverlayError),
    }
    let (_, mut steps) = bases.explain(written);
    if let Ok(Resolved::Url(url)) = &link.target {
        steps.extend(renamed(url));
    }
    let relative = crate::url::split(written.trim_ascii_start()).scheme.is_none();
    if let Some((layer, base)) = bases.effective().filter(|_| relative) {
        let origin = bases.entity_origin().filter(|_| layer == Layer::Entity);
        let origin = origin.map(|origin| format!(" ({origin})")).unwrap_or_default();
        let said = format!("{:<9}  {}{origin}", layer.name(), base.redacted());
        out.pieces("base", &shareable(base), &[(said, Role::Overlay)]);
        if base.has_hierarchy() {
            out.opens(base);
        }
    }
    for (i, step) in steps.iter().enumerate() {
        out.row(if i == 0 { "steps" } else { "" }, &format!("{:<5}  {}", step.number, step.did), Role::Overlay);
    }
    if let Ok(Resolved::Url(url)) = &link.target {
        request(sight, "would send", veil.url(url).as_ref().unwrap_or(url), out);
    }
}

/// The step of a host of the web that is another spelling of a number: resolution tells of all others (RFC 3986, 3.2.2).
fn renamed(url: &Url) -> Option<Step> {
    let (host, name) = (url.host().filter(|host| host.is_ascii())?, host_on_the_wire(url)?);
    let other = !name.eq_ignore_ascii_case(host) && scheme::family(url) == Family::Web;
    other.then(|| Step { number: "3.2.2", did: format!("the host goes out as {name} (as browsers read it)") })
}

/// Whether the topmost overlay is the anatomy.
pub(in crate::app) fn is_open(sight: Sight<'_>) -> bool {
    matches!(sight.hands.top(), Some(Overlay::Text { owner: TextOwner::Anatomy(_), .. }))
}
