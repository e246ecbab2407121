//! An article, by its id or by its number in a group.

use super::Visit;
use super::command::{ARTICLE, GROUP};
use super::page::{Ended, Page};
use super::reply::text;
use crate::format::media;
use crate::proto::{End, FetchError, Kind};

const EXPIRED: &str = "Articles are kept for some time only. The rest of its thread is on the group's page.";

impl Visit<'_> {
    /// By its id, which has no group.
    pub(super) async fn article(self, id: &[u8]) -> Result<End, FetchError> {
        let heard = self.session.ask(&ARTICLE, &[b"<", id, b">"].concat()).await?;
        let reply = self.session.good(&ARTICLE, heard, &format!("<{}>", text(id)))?;
        let given = reply.rest.split(u8::is_ascii_whitespace).nth(1).filter(|given| given.starts_with(b"<"));
        if let Some(given) = given.filter(|given| *given != [b"<", id, b">"].concat()) {
            self.session.distrust();
            let (endpoint, given, id) = (&self.session.key.endpoint, text(given), text(id));
            let detail = format!("{endpoint} answers with the article {given} where <{id}> was asked for.");
            return Err(FetchError::new(Kind::Malformed, detail));
        }
        let id = id.to_vec();
        self.pour(id).await
    }

    /// By its number; the group comes first (NNTP-04), unless it is chosen already.
    pub(super) async fn number(self, group: &[u8], number: u64) -> Result<End, FetchError> {
        let what = format!("number {number} of {}", text(group));
        let number = number.to_string();
        let mut chosen = self.session.group.as_deref() == Some(group);
        loop {
            if !chosen {
                let heard = self.session.ask(&GROUP, group).await?;
                self.session.good(&GROUP, heard, &format!("\"{}\"", text(group)))?;
                self.session.group = Some(group.to_vec());
            }
            match self.session.ask(&ARTICLE, number.as_bytes()).await? {
                Ok(reply) => {
                    let id = reply.rest.split(u8::is_ascii_whitespace).nth(1).unwrap_or_default();
                    let id = id.strip_prefix(b"<").and_then(|id| id.strip_suffix(b">")).unwrap_or_default().to_vec();
                    return self.pour(id).await;
                }
                // What came since the group was chosen is known to many servers only when it is chosen again.
                Err(_) if chosen => chosen = false,
                Err(reply) => {
                    let error = self.session.refused(&ARTICLE, &reply, &what);
                    return Err(match error.kind {
                        Kind::NotFound => error.hint("The group's page shows which articles there are."),
                        _ => error,
                    });
                }
            }
        }
    }

    /// Passes it on, and keeps it under its id, where that is known.
    async fn pour(mut self, id: Vec<u8>) -> Result<End, FetchError> {
        let head = self.head(media::MESSAGE, None);
        let articles = self.context.kept.articles(&self.session.key.name()).filter(|_| !id.is_empty());
        let Some(mut page) = Page::begin(self, media::MESSAGE, head).await? else { return Ok(End::default()) };
        let mut copy = articles.as_ref().map(|_| Vec::new());
        let mut seen = |octets: &[u8]| {
            copy.iter_mut().for_each(|copy| copy.extend_from_slice(octets));
            copy.take_if(|copy| articles.as_ref().is_none_or(|articles| !articles.fits(copy.len())));
        };
        Ok(match page.octets(&mut seen).await? {
            Ended::Whole => {
                if let (Some(articles), Some(copy)) = (&articles, copy) {
                    articles.keep(&id, &copy);
                }
                End::default()
            }
            Ended::Cut(remark) => End { cut: Some(remark) },
        })
    }
}

/// No server gave it: what each said, and what else can be done (NEWS-08).
pub(super) fn nowhere(failures: Vec<FetchError>) -> FetchError {
    if failures.len() < 2 {
        let failure = failures.into_iter().next();
        let failure = failure.unwrap_or_else(|| FetchError::new(Kind::Unsupported, "There is no server to ask."));
        return match failure.kind {
            Kind::NotFound => failure.hint(format!(
                "{EXPIRED} Another server may have it: [news.servers] in settings.toml names more of them, to be asked in turn."
            )),
            _ => failure,
        };
    }
    let kind = match failures.iter().all(|failure| failure.kind == Kind::NotFound) {
        true => Kind::NotFound,
        // What keeps one of them from answering is worth more than that the others do not have it; but no login, which would
        // be sent to the first.
        false => failures.iter().map(|failure| failure.kind).find(|kind| *kind != Kind::NotFound).unwrap_or(Kind::Said),
    };
    let kind = if kind == Kind::NeedsLogin { Kind::Denied } else { kind };
    let words: Vec<&str> = failures.iter().map(|failure| failure.detail.as_str()).collect();
    let tried: Vec<&str> = failures.iter().map(|failure| failure.tried.as_str()).collect();
    FetchError::new(kind, words.join(" ")).tried(tried.join("; ")).hint(EXPIRED)
}
