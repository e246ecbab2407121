//! What the head of an answer makes of it: a page, a form, an archive to go into, or a question to the reader.

use super::{intake, journey};
use crate::app::forms::{gopher, web};
use crate::app::hands::question::choice;
use crate::app::motion::arrangement;
use crate::app::state::Cx;
use crate::app::state::intent::Intent;
use crate::app::state::logins::whose;
use crate::app::{
    Arrangement, Consent, Effect, JobId, Loading, Opening, Overlay, Page, PageState, Pending, Sent, Sight, Way,
    navigation,
};
use crate::archive;
use crate::config::Pictures;
use crate::format::{begun, is_page, is_picture, media, packed};
use crate::proto::{Head, Login, Trust, Verdict};
use crate::url::scheme;
use crate::url::scheme::archive::{Archive as Named, beside};
use crate::url::{BaseStack, Url, escape};
use std::sync::Arc;
use std::time::Duration;

/// Page, form or question: the head says which.
pub(super) fn decide(cx: &mut Cx<'_>, id: JobId, head: Head, elapsed: Duration) -> Vec<Effect> {
    web::answered(cx);
    let Some(opening) = cx.tab.loading.as_ref().map(|loading| &loading.opening) else { return Vec::new() };
    if let Some(said) = head.nothing.as_deref().filter(|_| cx.entry().is_some()) {
        return journey::stay(cx, id, said);
    }
    let head = Head { url: opening.answered(head.url), ..head };
    let asked = cx.tab.loading.as_ref().and_then(|loading| loading.opening.media.clone());
    if asked.is_none() && head.media == media::FORM {
        return gopher::gather(cx, id);
    }
    let wanted = asked.unwrap_or_else(|| intake::packed(&head).map_or_else(|| head.media.clone(), Into::into));
    if let Some(inside) = inside(cx, &head, &wanted) {
        return unfold(cx, id, inside);
    }
    let drawn = !is_picture(&wanted) || cx.desk.settings.pictures != Pictures::Never;
    match is_page(&wanted) && drawn {
        true => accept(cx, id, head, &wanted, elapsed),
        false => {
            let question = body_question(&head, id);
            if let Some(loading) = &mut cx.tab.loading {
                loading.head = Some(head);
            }
            cx.hands.queue(question);
            Vec::new()
        }
    }
}

/// The address of what is in an archive that was asked for as a page, where it may be opened as a directory: the answer is to
/// nothing that cannot be asked again, and not too large to be held.
fn inside(cx: &Cx<'_>, head: &Head, wanted: &str) -> Option<Url> {
    let opening = &cx.tab.loading.as_ref()?.opening;
    let plain = opening.media.is_none() && opening.sent.is_none() && opening.shown.is_none() && opening.held.is_none();
    let local = scheme::place(&head.url).is("file");
    let held = local || head.length.is_none_or(|length| length <= cx.desk.settings.limits.memory as u64);
    let name = head.filename.clone().unwrap_or_else(|| packed::name_of(&head.url));
    // A listing is a text as well; what has an address beside it is a tree.
    let listing = || archive::is_catalogue(&name) && beside(&head.url).is_some() && !is_marked_up(wanted);
    let opens = plain && held && head.status.is_none();
    let opens = opens && (!is_page(wanted) && archive::is_named(&head.media, &name) || listing());
    Named::url(&head.url, b"").ok().filter(|url| opens && scheme::plan(url).is_ok())
}

/// Whether it is a page of links, whatever its name says.
fn is_marked_up(wanted: &str) -> bool {
    is_page(wanted) && !matches!(wanted, media::PLAIN | media::PACKED)
}

/// Goes on to what is in an archive; its octets are asked for there.
fn unfold(cx: &mut Cx<'_>, id: JobId, inside: Url) -> Vec<Effect> {
    let Some(Loading { opening, .. }) = cx.tab.loading.take() else { return Vec::new() };
    if let (Some(user), Some(password)) = (opening.url.user(), opening.url.password()) {
        // The address of what is inside says no password.
        let login = Login { user: escape::decode(user), password: escape::decode(password), ..Login::default() };
        cx.desk.logins.insert(whose(cx.sight(), &inside), login);
    }
    let mut effects = vec![Effect::Verdict { id, verdict: Verdict::Refuse }];
    let (url, consent) = (inside, Consent::Agreed);
    effects.extend(navigation::go(cx, Opening { url, consent, told: None, mirrors: Vec::new(), ..opening }));
    effects
}

fn body_question(head: &Head, id: JobId) -> Overlay {
    let size = head.length.map(|n| format!(", {}", crate::format::human(n))).unwrap_or_default();
    Overlay::Question {
        text: vec![format!("This is no page: {}{size}", head.media), head.url.redacted()],
        choices: vec![
            choice('s', "save"),
            choice('o', "open with a program"),
            choice('t', "show as text"),
            choice('c', "cancel"),
        ],
        pending: Pending::Body(id),
    }
}

/// The reader wants the body that waits for a verdict as text.
pub(in crate::app) fn as_text(cx: &mut Cx<'_>, id: JobId) -> Vec<Effect> {
    let Some(head) = cx.tab.loading.as_mut().filter(|l| l.id == id).and_then(|l| l.head.take()) else {
        return Vec::new();
    };
    let elapsed = Duration::ZERO;
    if let Some(loading) = &mut cx.tab.loading {
        loading.opening.media = Some(media::PLAIN.into());
    }
    accept(cx, id, head, media::PLAIN, elapsed)
}

/// The old page goes, the new one begins.
fn accept(cx: &mut Cx<'_>, id: JobId, head: Head, wanted: &str, elapsed: Duration) -> Vec<Effect> {
    let Some(Loading { mut opening, .. }) = cx.tab.loading.take() else { return Vec::new() };
    slash(cx, &mut opening, &head);
    if head.url.host().is_some_and(|host| !host.is_empty()) {
        cx.desk.unfound = None;
    }
    let retrieved = match &opening.shown {
        Some(asked) if opening.told.is_none() => BaseStack::through_gateway(asked, &head.url),
        Some(shown) => shown.clone(),
        None => head.url.clone(),
    };
    if let Some(name) = opening.charset.take() {
        // As if they had chosen it for this page, for as long as the program runs.
        cx.desk.charsets.insert(head.url.without_fragment().as_str().into(), name);
    }
    let intake = Box::new(intake::intake(cx.sight(), wanted, &head));
    let arrangement =
        Arrangement::by(arrangement::wishes(cx.sight(), head.url.host().unwrap_or_default(), &head.media));
    let page = Page {
        id: cx.page_id(),
        head,
        given: Arc::new(begun(&intake)),
        rows: None,
        state: PageState::Arriving,
        received: 0,
        elapsed,
        source: None,
        arrangement,
        made_of: None,
        dispatched: std::mem::take(&mut opening.dispatched),
        linked: Vec::new(),
        fresh: Vec::new(),
    };
    let remark = copied(cx.sight(), &page.head)
        .or_else(|| remark(&opening, &page.head))
        .or_else(|| gone(cx.sight(), &page.head));
    let mut effects = journey::arrive(cx, &opening, retrieved, page, Some(id));
    if let Some(remark) = remark {
        cx.say(remark);
    }
    effects.push(Effect::Parse { id, intake });
    cx.intend(Intent::Trim);
    effects
}

/// A name without a slash turned out to be a directory's: the page's URL gets its slash, and the next visit asks for no
/// file of that name.
fn slash(cx: &mut Cx<'_>, opening: &mut Opening, head: &Head) {
    let answered = &head.url;
    if head.media != media::DIRECTORY || answered.as_str().strip_suffix('/') != Some(opening.url.as_str()) {
        return;
    }
    let before = std::mem::replace(&mut opening.url, answered.clone());
    if !cx.tab.private {
        cx.library.visits.see(&before);
    }
    let at = match opening.way {
        Way::New | Way::Instead => return,
        Way::Reload => cx.tab.at,
        Way::Place(at) => at,
    };
    if let Some(entry) = cx.tab.history.get_mut(at).filter(|entry| entry.url == before) {
        entry.url = answered.clone();
    }
}

/// Of what the server does not have there is a copy.
fn copied(sight: Sight<'_>, head: &Head) -> Option<String> {
    let (status, ago) = (head.status.as_deref()?, navigation::kept::ago(sight, head.offered?));
    let key = sight.key_for("kept").unwrap_or_else(|| ":kept".into());
    Some(format!("{}; {key} opens the copy that was kept {ago}", crate::doc::sanitise(status)))
}

/// Of a page that is gone an archive may have a copy. `410 Gone` says that it was there; 404 as good as that.
fn gone(sight: Sight<'_>, head: &Head) -> Option<String> {
    let status = head.status.as_deref().filter(|status| status.starts_with("404") || status.starts_with("410"))?;
    let kept = sight.desk.settings.in_archive(&head.url)?;
    let host = kept.host().unwrap_or_default();
    Some(format!("{}; :archive opens it as {host} kept it", crate::doc::sanitise(status)))
}

/// What the reader would not expect of an answer.
fn remark(opening: &Opening, head: &Head) -> Option<String> {
    if matches!(opening.sent, Some(Sent::File(_))) {
        return head.notices.first().cloned();
    }
    let place = |url: &Url| (url.host().map(str::to_ascii_lowercase), url.port());
    let host = head.url.host().unwrap_or_default();
    if place(&head.url) != place(&opening.url) && place(&head.url) != place(opening.public()) {
        let port = head.url.port().map(|port| format!(" port {port}")).unwrap_or_default();
        return Some(format!("{host}{port} answered in its place"));
    }
    let first = head.security.as_ref().is_some_and(|security| security.trust == Trust::FirstUse);
    first.then(|| format!("first visit: the TLS key of {host} is remembered"))
}
