//! Posting an article to a group (RFC 3977, 6.3.1; RFC 5537, 3.4 and 3.5).
//!
//! An article with an id of its own cannot be there twice: whether a server that does not take it has it from an earlier try, STAT
//! tells. Date and locks are added on the way.

use super::Visit;
use super::block::stuffed;
use super::command::{POST, POSTED, STAT};
use super::lock::{id, value};
use super::page::Page;
use super::reply::text;
use crate::format::media;
use crate::proto::{End, FetchError, Kind};

/// The title of the answer where the server has had the article before.
pub const TAKEN_BEFORE: &str = "It was taken already";

impl Visit<'_> {
    /// Sends an article, headers and all; the page is the server's word on it.
    pub(super) async fn post(mut self, group: &[u8], article: &[u8]) -> Result<End, FetchError> {
        let secret = self.context.locks.secret().await;
        let locks = secret.map(|secret| secret.fields(article)).unwrap_or_default();
        let heard = self.session.ask(&POST, b"").await?;
        self.session.good(&POST, heard, "").map_err(kept)?;
        let own = value(article, b"message-id").and_then(id).map(<[u8]>::to_vec);
        self.session.expect();
        let article = stuffed(&[locks.as_bytes(), &dated(article)].concat());
        self.session.log.sent(&format!("({} octets of the article)", article.len()));
        let sent = self.session.write(&POSTED, &article).await;
        let heard = match sent {
            Ok(()) => self.session.hear(&POSTED).await,
            Err(error) => Err(error),
        };
        let heard = match heard {
            Ok(heard) => heard,
            // The server may have taken it and only the word of it was lost.
            Err(error) if matches!(error.kind, Kind::Broken | Kind::TimedOut) => {
                let detail = format!("It is not known whether the article was taken. {}", error.detail);
                let hint = match own {
                    Some(_) => "Send it again: it has an id of its own, so that it cannot be there twice.",
                    None => "Look into the group before you send it again.",
                };
                return Err(FetchError { detail, ..error }.hint(hint));
            }
            Err(error) => return Err(kept(error)),
        };
        let (group, words, title) = match heard {
            Ok(reply) => (text(group), reply.words(), None),
            Err(reply) => {
                let refused = kept(self.session.refused(&POSTED, &reply, ""));
                // 435 and 437 are said of transfers, and by some servers here.
                let may_be_there = matches!(reply.code, 435 | 437 | 441);
                match own.filter(|_| may_be_there) {
                    Some(id) if self.has(&id).await => (text(group), reply.words(), Some(TAKEN_BEFORE)),
                    _ => return Err(refused),
                }
            }
        };
        let said = match title {
            None => format!("Posted to {group}."),
            Some(_) => {
                format!("The server has this article already, from an earlier try: {group} does not get it twice.")
            }
        };
        let title = title.map_or_else(|| format!("Posted to {group}"), Into::into);
        let head = self.head(media::PLAIN, Some(title));
        if let Some(mut page) = Page::begin(self, media::PLAIN, head).await? {
            page.pass(format!("{said}\n\nThe server says: {words}\n").as_bytes()).await?;
        }
        Ok(End::default())
    }

    /// Whether the server has an article; who does not answer that has not said so.
    async fn has(&mut self, id: &[u8]) -> bool {
        matches!(self.session.ask(&STAT, id).await, Ok(Ok(_)))
    }
}

/// The article with a Date, which is the moment it is sent when it has none (RFC 5537, 3.4.1).
fn dated(article: &[u8]) -> Vec<u8> {
    if value(article, b"date").is_some_and(|date| !date.is_empty()) {
        return article.to_vec();
    }
    let now = jiff::Zoned::now().strftime("Date: %a, %d %b %Y %H:%M:%S %z\r\n").to_string();
    [now.as_bytes(), article].concat()
}

fn kept(error: FetchError) -> FetchError {
    if error.hint.is_some() || error.kind == Kind::NeedsLogin { error } else { error.hint("Nothing was posted.") }
}
