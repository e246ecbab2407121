//! `about:` pages that are the same for everyone, embedded, and the list of cookies. Pages of this run's other state (history,
//! help from the live key map) are the browser's own and never come here.

use super::{Context, End, Exchange, FetchError, Fetching, Head, Kind, Request, Verdict};
use crate::config::CookieRule;
use crate::doc::flat;
use crate::format::media;
use crate::url::escape;
use crate::url::scheme::about;
use std::borrow::Cow;

/// A page: its name, its title, its text in the notation of `media::OWN`.
struct Page {
    name: &'static str,
    title: &'static str,
    text: &'static str,
}

const PAGES: &[Page] = &[
    Page { name: "home", title: "Wayfarer", text: include_str!("../../assets/about/home.txt") },
    Page { name: "blank", title: "", text: "" },
    Page { name: "help", title: "Help", text: include_str!("../../assets/about/help.txt") },
    Page { name: "gopher", title: "Gopher space", text: include_str!("../../assets/about/gopher.txt") },
    Page { name: "ftp", title: "Archives by FTP", text: include_str!("../../assets/about/ftp.txt") },
    Page { name: "gemini", title: "Gemini space", text: include_str!("../../assets/about/gemini.txt") },
    Page { name: "news", title: "News", text: include_str!("../../assets/about/news.txt") },
    Page { name: "web", title: "The web", text: include_str!("../../assets/about/web.txt") },
    Page { name: "urls", title: "Addresses", text: include_str!("../../assets/about/urls.txt") },
    Page { name: "safety", title: "Safety", text: include_str!("../../assets/about/safety.txt") },
    Page { name: "license", title: "Licence", text: include_str!("../../assets/about/license.txt") },
];

/// What an embedded page says, in the notation of `media::OWN`.
pub fn text(name: &str) -> Option<&'static str> {
    PAGES.iter().find(|page| page.name.eq_ignore_ascii_case(name)).map(|page| page.text)
}

/// What stands in a page for how fetches are kept from this machine.
const SANDBOX: &str = "{sandbox}";
/// The page that is written anew each time.
const COOKIES: &str = "cookies";
/// The page of the reader's own certificates.
const CERTIFICATES: &str = "certificates";
/// The page of the file of logins.
const NETRC: &str = "netrc";
/// The page that is written by whoever runs the servers that it leads to.
const TOUR: &str = "tour";

/// Those that others than this module write, whoever asks.
const OTHERS: [&str; 6] = ["later", "linked", "new", "schemes", "search", "store"];
/// Those that are made of what goes on in the browser, which alone shows them.
const BROWSER: [&str; 8] = ["bookmarks", "downloads", "history", "last", "marks", "scores", "settings", "trail"];

/// Fetches a page.
pub fn fetch<'a>(request: &'a Request, exchange: &'a mut Exchange, context: &'a Context) -> Fetching<'a> {
    Box::pin(async move {
        let name = request.url.path();
        if name.eq_ignore_ascii_case("output") {
            let failure = FetchError::new(Kind::NotFound, "What a program said is not kept.");
            return Err(failure.tried(request.url.redacted()).hint("Go back, and give the page to the program again."));
        }
        if name.eq_ignore_ascii_case("anatomy") {
            let failure = FetchError::new(Kind::NotFound, "The anatomy is written for the pane beside a page.");
            return Err(failure.tried(request.url.redacted()).hint("= shows it over any page."));
        }
        if let Some(asked) = about::certificates(&request.url) {
            return super::own::fetch(asked?, request, exchange, context).await;
        }
        let embedded = PAGES.iter().find(|page| page.name.eq_ignore_ascii_case(name));
        let written = name.eq_ignore_ascii_case(COOKIES).then(|| cookies(request, context));
        let logins = match name.eq_ignore_ascii_case(NETRC) {
            // The disk may take its time.
            true => {
                let netrc = context.netrc.clone();
                tokio::task::spawn_blocking(move || netrc.page()).await.ok().map(|text| ("Logins", Cow::from(text)))
            }
            false => None,
        };
        let page = embedded.map(|page| match page.text.contains(SANDBOX) {
            true => (page.title, Cow::from(page.text.replace(SANDBOX, &context.sandbox))),
            false => (page.title, Cow::from(page.text)),
        });
        let Some((title, text)) = page.or(written.map(|text| ("Cookies", text.into()))).or(logins) else {
            return Err(missing(name).tried(request.url.redacted()));
        };
        let head = Head {
            charset: Some("utf-8".into()),
            length: Some(text.len() as u64),
            title: (!title.is_empty()).then(|| title.into()),
            ..Head::new(request.url.without_fragment(), request.media.as_deref().unwrap_or(media::OWN))
        };
        if exchange.head(head).await? == Verdict::Accept && !text.is_empty() {
            exchange.body(text.into_owned().into()).await?;
        }
        Ok(End::default())
    })
}

/// Why nothing comes for a name.
fn missing(name: &str) -> FetchError {
    if let Some(own) = BROWSER.into_iter().find(|own| own.eq_ignore_ascii_case(name)) {
        let failure = FetchError::new(Kind::NotFound, format!("about:{own} is shown only while browsing."));
        return failure.hint(format!("wayfarer about:{own} opens it."));
    }
    let listed = |names: &mut dyn Iterator<Item = &str>| {
        names.map(|name| format!("about:{name}")).collect::<Vec<_>>().join(", ")
    };
    let anywhere = PAGES.iter().map(|page| page.name).chain([COOKIES, CERTIFICATES, NETRC, TOUR]).chain(OTHERS);
    let (anywhere, browser) = (listed(&mut { anywhere }), listed(&mut BROWSER.into_iter()));
    let failure = FetchError::new(Kind::NotFound, format!("There is no page about:{name}."));
    failure.hint(format!("There are {anywhere}, and while browsing {browser}."))
}

/// The cookies by site, never what they say; forgets those of a site first when the URL wants it.
fn cookies(request: &Request, context: &Context) -> String {
    let jar = &context.http.cookies;
    let mut text = String::from("# Cookies\n\n");
    if let Some(host) = about::forgets(&request.url) {
        let said = if jar.forget(&host) { "The cookies of %s are forgotten." } else { "There are no cookies of %s." };
        text.push_str(&format!("{}\n\n", said.replace("%s", &flat(&host))));
    }
    let sites = jar.sites();
    if sites.is_empty() {
        text.push_str("No site has any.\n");
    }
    for site in sites {
        let host = flat(&site.host);
        text.push_str(&format!("## {host}\n\n{}\n\n", rule(site.rule)));
        for (name, until) in &site.cookies {
            let until = until.as_ref().map_or("until Wayfarer ends".into(), |day| format!("until {day}"));
            text.push_str(&format!("* {}, {until}\n", flat(name)));
        }
        let coded = escape::encode(site.host.as_bytes(), b"");
        text.push_str(&format!("=> about:cookies?forget={coded} Forget those of {host}\n\n"));
    }
    text.push_str("What becomes of cookies is set by http.cookies and [http.cookie_hosts] in the settings.\n");
    text
}

fn rule(rule: CookieRule) -> &'static str {
    match rule {
        CookieRule::Session => "They are given back until Wayfarer ends.",
        CookieRule::Never => "None are taken.",
        CookieRule::Keep => "They are kept on disk for as long as the site says.",
        CookieRule::Ask => "You are asked before any are taken.",
    }
}
