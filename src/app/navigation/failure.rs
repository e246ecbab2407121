//! The page of a failure: what was tried, what came, what the reader can do next, in the words of their own keys.

use super::kept;
use crate::app::internal::schemes;
use crate::app::state::Cx;
use crate::app::{Arrangement, Effect, Opening, Page, PageState, Sight, news};
use crate::format::{self, ErrorPage, Input, media};
use crate::proto::{FetchError, Head, Kind};
use crate::url::scheme::about::{Certificates, Kept};
use crate::url::{Url, relativize::relativize, scheme};
use std::sync::Arc;
use std::time::Duration;

/// The page that tells of a failure.
pub(in crate::app) fn page(cx: &mut Cx<'_>, opening: &Opening, error: FetchError) -> Page {
    page_with(cx, opening, error, Vec::new())
}

/// The page of what was coming back by itself when the program was killed: it leads to the copy that came.
pub(in crate::app) fn page_of_waiting(cx: &mut Cx<'_>, opening: &Opening, error: FetchError) -> Page {
    let copy = Kept::Copy.url().map(|copy| (copy.as_str().to_owned(), "open the copy that is kept of it".into()));
    page_with(cx, opening, error, copy.into_iter().collect())
}

fn page_with(cx: &mut Cx<'_>, opening: &Opening, error: FetchError, links: Vec<(String, String)>) -> Page {
    let url = opening.public().clone();
    let mut error = without_network(cx, &url, error);
    if let Some(path) = &opening.draft {
        let before = error.hint.take().map(|hint| format!("{hint} ")).unwrap_or_default();
        error.hint = Some(format!("{before}What you wrote is in {path}; :upload takes it as a file."));
    }
    let mut told = told(cx, &url, &error);
    told.links.splice(0..0, links);
    let mut text = told.text();
    if matches!(error.kind, Kind::Unsupported | Kind::NoFile) {
        text.push_str(&format!("\n{}", schemes::account_for(&url)));
    }
    let input = Input {
        media: media::OWN.into(),
        charset: Some("utf-8".into()),
        groups: Default::default(),
        url: url.clone(),
        notices: Vec::new(),
    };
    let given = format::parse(&input, text.as_bytes()).unwrap_or_default();
    let head = Head::new(url, media::OWN);
    let (state, source) = (PageState::Failed(error), Some(text.into_bytes().into()));
    Page {
        id: cx.page_id(),
        head,
        given: Arc::new(given),
        rows: None,
        state,
        received: 0,
        elapsed: Duration::ZERO,
        source,
        arrangement: Arrangement::default(),
        made_of: None,
        dispatched: opening.dispatched.clone(),
        linked: Vec::new(),
        fresh: Vec::new(),
    }
}

/// Of one name that is not found the spelling may be wrong; of two, one after the other, it is the network that is missing.
fn without_network(cx: &mut Cx<'_>, url: &Url, error: FetchError) -> FetchError {
    const DETAIL: &str = "This machine seems to have no network: no host is found by its name.";
    const HINT: &str = "See whether it is connected, then try again. Until then there are your files, and about:tour.";
    if error.kind != Kind::NoSuchHost {
        return error;
    }
    let host = url.host().unwrap_or_default().to_ascii_lowercase();
    match cx.desk.unfound.replace(host.clone()) {
        Some(other) if other != host => FetchError { detail: DETAIL.into(), hint: Some(HINT.into()), ..error },
        _ => error,
    }
}

/// Where a page of the web may be found without TLS when TLS does not come about; never with a password, and never by itself.
fn in_clear_text(url: &Url, kind: Kind) -> Option<Url> {
    let possible = url.is("https") && url.user().is_none() && url.port_text().is_none();
    if !possible || !matches!(kind, Kind::Refused | Kind::TimedOut | Kind::Secure | Kind::Broken) {
        return None;
    }
    let (_, rest) = url.as_str().split_once(':')?;
    Url::parse(format!("http:{rest}")).ok()
}

/// Where an archive may have kept a page that is gone, or whose host is: a link, and nothing is asked before the reader follows it.
fn archived(sight: Sight<'_>, url: &Url, kind: Kind) -> Option<(String, String)> {
    let gone = matches!(kind, Kind::NoSuchHost | Kind::NotFound);
    let kept = sight.desk.settings.in_archive(url).filter(|_| gone)?;
    Some((kept.as_str().to_owned(), format!("as the archive at {} kept it", kept.host().unwrap_or_default())))
}

/// `archive`: the page in view as the archive kept it.
pub(in crate::app) fn archive(cx: &mut Cx<'_>, _: &str) -> Vec<Effect> {
    let Some(url) = cx.entry().map(|entry| entry.url.clone()) else { return Vec::new() };
    match cx.desk.settings.in_archive(&url) {
        Some(kept) => cx.open(Opening::typed(kept)),
        None if cx.desk.settings.archive.is_empty() => cx.say("no archive is named in the settings: archive"),
        None => cx.say("an archive keeps pages of the web, from hosts that all can reach"),
    }
    Vec::new()
}

fn told(cx: &mut Cx<'_>, url: &Url, error: &FetchError) -> ErrorPage {
    let mut next: Vec<String> = error.hint.clone().into_iter().collect();
    let again = !matches!(error.kind, Kind::Unsafe | Kind::Unsupported | Kind::NoFile | Kind::Malformed);
    let keys = [
        // On a small screen the link to it is below the last row.
        ("kept", "open its copy", error.kept.is_some()),
        ("reload", "try again", again),
        ("back", "go back", true),
        ("anatomy", "look at the URL", true),
    ];
    let offered = keys.iter().filter(|(_, _, useful)| *useful);
    let said: Vec<String> =
        offered.filter_map(|(command, what, _)| Some(format!("{} {what}", cx.key_for(command)?))).collect();
    next.push(said.join(" · "));
    let mut links = Vec::new();
    if let Some(time) = error.kept
        && let Ok(copy) = Kept::Copy.url()
    {
        let ago = kept::ago(cx.sight(), time);
        links.push((copy.as_str().to_owned(), format!("the copy that was kept {ago}")));
    }
    if error.kind == Kind::NeedsCertificate
        && let Ok(choice) = Certificates::For(url.clone()).url()
    {
        links.push((choice.as_str().to_owned(), "choose a certificate of yours, or make one".into()));
    }
    if let Some(ftp) = scheme::file::ftp_instead(url) {
        links.push((ftp.as_str().to_owned(), format!("the same by FTP: {}", ftp.redacted())));
    }
    if let Some(clear) = in_clear_text(url, error.kind) {
        links.push((
            clear.as_str().to_owned(),
            format!("the same in clear text, readable on the way: {}", clear.redacted()),
        ));
    }
    if !matches!(error.kind, Kind::Unsafe | Kind::NeedsLogin) {
        links.extend(news::elsewhere(cx, url));
    }
    if matches!(error.kind, Kind::NotFound | Kind::Said | Kind::Denied)
        && let Some(up) = scheme::up(url)
    {
        // Relative, so that the page holds no password of the URL.
        links.push((relativize(url, &up), format!("one level up: {}", up.redacted())));
    }
    links.extend(archived(cx.sight(), url, error.kind));
    ErrorPage { title: error.detail.clone(), tried: error.tried.clone(), received: None, next, links }
}
