//! `about:` pages that are the same for everyone, embedded. Pages of this run's state (history, help from the live key map)
//! are the browser's own and never come here.

use super::{Context, End, Exchange, FetchError, Fetching, Head, Kind, Request, Verdict};
use crate::format::media;

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
    Page { name: "urls", title: "Addresses", text: include_str!("../../assets/about/urls.txt") },
    Page { name: "safety", title: "Safety", text: include_str!("../../assets/about/safety.txt") },
    Page { name: "license", title: "Licence", text: include_str!("../../assets/about/license.txt") },
];

/// Fetches an embedded page.
pub fn fetch<'a>(request: &'a Request, exchange: &'a mut Exchange, _: &'a Context) -> Fetching<'a> {
    Box::pin(async move {
        let name = request.url.path();
        if name.eq_ignore_ascii_case("output") {
            let failure = FetchError::new(Kind::NotFound, "What a program said is not kept.");
            return Err(failure.tried(request.url.redacted()).hint("Go back, and give the page to the program again."));
        }
        let Some(page) = PAGES.iter().find(|page| page.name.eq_ignore_ascii_case(name)) else {
            let names: Vec<String> = PAGES.iter().map(|page| format!("about:{}", page.name)).collect();
            let failure = FetchError::new(Kind::NotFound, format!("There is no page about:{name}."));
            return Err(failure.tried(request.url.redacted()).hint(format!("There are {}.", names.join(", "))));
        };
        let head = Head {
            charset: Some("utf-8".into()),
            length: Some(page.text.len() as u64),
            title: (!page.title.is_empty()).then(|| page.title.into()),
            ..Head::new(request.url.without_fragment(), request.media.as_deref().unwrap_or(media::OWN))
        };
        if exchange.head(head).await? == Verdict::Accept && !page.text.is_empty() {
            exchange.body(page.text.into()).await?;
        }
        Ok(End::default())
    })
}
