//! What a link of the page in view leads to.

use super::Sight;
use crate::app::Page;
use crate::app::page::veil::Veil;
use crate::doc::{Link, LinkId};
use crate::format::media;
use crate::url::scheme::news;
use crate::url::{Resolved, Url, escape};
use std::borrow::Cow;

impl<'a> Sight<'a> {
    /// What servers were told in secret on the way to the page in view.
    pub fn veil(self) -> Cow<'a, Veil> {
        let mut veil = Cow::Borrowed(&self.tab.veil);
        if let Some(entry) = self.entry().filter(|entry| !entry.veil.is_empty()) {
            veil.to_mut().join(&entry.veil);
        }
        veil
    }

    /// A URL to which the page in view leads, as people may see it: without passwords, and with stars for what servers were told
    /// in secret.
    pub fn told(self, url: &Url) -> String {
        self.veil().url(url).as_ref().unwrap_or(url).redacted()
    }

    /// A URL to which the page in view leads, with stars for what servers were told in secret.
    pub fn starred(self, url: &Url) -> Cow<'_, Url> {
        self.veil().url(url).map_or(Cow::Borrowed(url), Cow::Owned)
    }

    /// Words about it, or an address that was copied there: the same.
    pub fn veiled(self, text: String) -> String {
        let veil = self.veil();
        match Url::parse(&text) {
            Ok(url) => veil.url(&url).map_or(text, |starred| starred.redacted()),
            Err(_) => veil.over(text),
        }
    }

    /// A link of the page in view, resolved; what looks like an address and is the id of an article leads to the article.
    pub fn link(self, link: LinkId) -> Option<Link> {
        let entry = self.entry()?;
        let mut found = entry.document()?.link(link, &entry.bases)?;
        if let Ok(Resolved::Url(url)) = &found.target
            && let Some(article) = meant(self, url)
        {
            found.target = Ok(Resolved::Url(article));
        }
        Some(found)
    }
}

/// The article that an address in an article's text is, when it stands among the articles of a group in history or was read:
/// `<name@host>` is written for both.
fn meant(sight: Sight<'_>, url: &Url) -> Option<Url> {
    let on = sight.entry().filter(|entry| entry.page.as_deref().is_some_and(Page::is_article) && url.is("mailto"))?;
    let address =
        url.as_str().split_once(':').map(|(_, address)| escape::decode(address)).filter(|id| !id.contains(&b'?'))?;
    let article = news::article_at(&on.url, &address)?;
    let id = escape::encode(&address, escape::NEWS_ID);
    let names =
        |reference: &str| reference.strip_suffix(id.as_str()).is_some_and(|before| before.ends_with([':', '/']));
    let listed = |page: &Page| {
        let given = page.given();
        let links = (0..given.link_count()).filter_map(|link| given.reference(LinkId(link)));
        page.head.media == media::NEWSGROUP && links.into_iter().any(names)
    };
    let held = sight.tab.history.iter().any(|entry| entry.page.as_deref().is_some_and(listed));
    (held || sight.has_visited(&article)).then_some(article)
}
