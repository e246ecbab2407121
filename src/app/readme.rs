//! What a directory says of itself: its README, fetched when the reader asks and shown below the listing, as a fold.

use super::{App, Effect, FetchId, PageState, Tab, arranging, arrival, focus, login};
use crate::doc::{BlockKind, Document, FoldKind, LinkId, sanitise};
use crate::proto::{End, FetchEvent, Head, Request, Verdict};
use crate::role::Role;
use crate::url::{Url, escape};

/// Names by custom, in small letters, the likeliest first; `*` stands for any end.
const NAMES: &[&str] = &[
    "readme",
    "readme.txt",
    "readme.md",
    "readme*",
    "read.me*",
    "_readme*",
    "00readme*",
    "00-readme*",
    "00_readme*",
    "0readme*",
    "!readme*",
    "index",
    "00index*",
    "00-index*",
    "index.txt",
    ".message",
    "welcome.msg",
];
/// Octets of it that are shown.
const MOST: usize = 1 << 20;

/// A README on its way.
#[derive(Debug)]
pub(super) struct Coming {
    id: FetchId,
    /// The directory it belongs to.
    directory: Url,
    name: String,
    head: Option<Head>,
    octets: Vec<u8>,
}

impl Coming {
    /// Its fetch.
    pub(super) fn id(&self) -> FetchId {
        self.id
    }
}

/// Shows the README of the directory in view, or folds it away.
pub(super) fn readme(app: &mut App, _: &str) -> Vec<Effect> {
    let Some(entry) = app.entry() else { return Vec::new() };
    let Some(page) = entry.page.as_deref().filter(|page| page.has_rows()) else {
        app.say("only directories have a README");
        return Vec::new();
    };
    if let Some(head) = page.given().folds.iter().find(|fold| fold.kind == FoldKind::Details).map(|fold| fold.head) {
        arranging::toggle_given(app, head);
        return Vec::new();
    }
    if page.state == PageState::Arriving || app.tab.readme.is_some() {
        app.say("wait a moment: it is still coming");
        return Vec::new();
    }
    let Some((name, url)) = find(page.given())
        .and_then(|link| Some((page.given().link_text(link).to_owned(), page.given().link_url(link, &entry.bases)?)))
    else {
        app.say("this directory has no README");
        return Vec::new();
    };
    let directory = entry.url.clone();
    let request = Request { login: login::of(app, &url), private: app.tab.private, ..Request::new(url) };
    let id = app.fresh();
    app.say(format!("fetching {name}"));
    app.tab.readme = Some(Coming { id, directory, name, head: None, octets: Vec::new() });
    vec![Effect::Fetch { id, request }]
}

/// The likeliest README among the files of a directory.
fn find(directory: &Document) -> Option<LinkId> {
    let rank = |link: &LinkId| {
        let name = directory.reference(*link).map(escape::decode)?.to_ascii_lowercase();
        NAMES.iter().position(|known| match known.strip_suffix('*') {
            Some(beginning) => name.starts_with(beginning.as_bytes()) && !name.ends_with(b"/"),
            None => name == known.as_bytes(),
        })
    };
    let ranked = (0..directory.link_count()).map(LinkId).filter_map(|link| Some((rank(&link)?, link)));
    ranked.min().map(|(_, link)| link)
}

/// Whether a tab waits for a README by this fetch.
pub(super) fn is_coming(tab: &Tab, id: FetchId) -> bool {
    tab.readme.as_ref().is_some_and(|coming| coming.id == id)
}

/// The reader does not want to wait for it.
pub(super) fn give_up(app: &mut App) -> Option<Effect> {
    app.tab.readme.take().map(|coming| Effect::Cancel(coming.id))
}

/// Takes what its fetch says.
pub(super) fn event(app: &mut App, id: FetchId, event: FetchEvent) -> Vec<Effect> {
    match event {
        FetchEvent::Head(head) => {
            let shows = arrival::parser(app, &head.media, &head).is_some();
            let Some(coming) = app.tab.readme.as_mut().filter(|_| shows) else {
                let name = app.tab.readme.take().map(|coming| coming.name).unwrap_or_default();
                app.complain(format!("{name} is no text: {}", head.media));
                return vec![Effect::Verdict { id, verdict: Verdict::Refuse }];
            };
            coming.head = Some(*head);
            vec![Effect::Verdict { id, verdict: Verdict::Accept }]
        }
        FetchEvent::Body(octets) => {
            if let Some(coming) = &mut app.tab.readme {
                let room = MOST.saturating_sub(coming.octets.len());
                coming.octets.extend_from_slice(&octets[..octets.len().min(room)]);
                if octets.len() > room {
                    show(app, Some("only its beginning is shown".into()));
                    return vec![Effect::Cancel(id)];
                }
            }
            Vec::new()
        }
        FetchEvent::End(End { cut }) => {
            show(app, cut);
            Vec::new()
        }
        FetchEvent::Failed(error) => {
            app.tab.readme = None;
            app.complain(error.detail);
            Vec::new()
        }
        FetchEvent::Moved(_) | FetchEvent::Unchanged => {
            let name = app.tab.readme.take().map(|coming| coming.name).unwrap_or_default();
            app.complain(format!("{name} is elsewhere; follow its link"));
            vec![Effect::Cancel(id)]
        }
        FetchEvent::Stage(_) => Vec::new(),
    }
}

/// Writes it below the listing, unless the reader has gone.
fn show(app: &mut App, cut: Option<String>) {
    let Some(Coming { directory, name, head: Some(head), octets, .. }) = app.tab.readme.take() else { return };
    let parser = arrival::parser(app, &head.media, &head);
    let here = app.entry().is_some_and(|entry| entry.url == directory);
    let key = app.key_for("follow").unwrap_or_default();
    let (Some(mut parser), Some(page)) = (parser, app.page_mut().filter(|page| here && page.has_rows())) else {
        return;
    };
    let out = &mut page.builder;
    out.block(BlockKind::Line, Role::Info);
    let title = out.link(&format!("┄ {}", sanitise(&name)), Role::Info, "");
    out.begin_fold(FoldKind::Details, title, true);
    parser.feed(&octets, out);
    parser.finish(out);
    out.end_fold();
    out.shrink();
    page.append(&key);
    let shown = page.arrangement.shown.as_ref();
    let link = shown.map_or(Some(title), |shown| shown.shown_link(title));
    if let Some(link) = link {
        focus::go_to(app, link);
    }
    app.say(cut.unwrap_or_else(|| format!("{name} is below the listing")));
}
