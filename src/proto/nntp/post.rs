//! Posting an article to a group (RFC 3977, 6.3.1).

use super::Visit;
use super::block::stuffed;
use super::command::{POST, POSTED};
use super::page::Page;
use super::reply::text;
use crate::format::media;
use crate::proto::{End, FetchError, Kind};

impl Visit<'_> {
    /// Sends an article, headers and all; the page is the server's word on it.
    pub(super) async fn post(mut self, group: &[u8], article: &[u8]) -> Result<End, FetchError> {
        let heard = self.session.ask(&POST, b"").await?;
        self.session.good(&POST, heard, "").map_err(kept)?;
        self.session.expect();
        let article = stuffed(&dated(article));
        self.session.log.sent(&format!("({} octets of the article)", article.len()));
        let sent = self.session.write(&POSTED, &article).await;
        let heard = match sent {
            Ok(()) => self.session.hear(&POSTED).await,
            Err(error) => Err(error),
        };
        let reply = match heard {
            Ok(heard) => self.session.good(&POSTED, heard, "").map_err(kept)?,
            // The server may have taken it and only the word of it was lost: sending it again could make two of it.
            Err(error) if matches!(error.kind, Kind::Broken | Kind::TimedOut) => {
                let detail = format!("It is not known whether the article was taken. {}", error.detail);
                return Err(FetchError { detail, ..error }.hint("Look into the group before you send it again."));
            }
            Err(error) => return Err(kept(error)),
        };
        let words = format!("Posted to {}.\n\nThe server says: {}\n", text(group), reply.words());
        let head = self.head(media::PLAIN, Some(format!("Posted to {}", text(group))));
        if let Some(mut page) = Page::begin(self, media::PLAIN, head).await? {
            page.pass(words.as_bytes()).await?;
        }
        Ok(End::default())
    }
}

/// The article with a Date, which is the moment it is sent when it has none (RFC 5537, 3.4.1).
fn dated(article: &[u8]) -> Vec<u8> {
    let mut lines = article.split(|b| *b == b'\n').take_while(|line| !line.trim_ascii().is_empty());
    if lines.any(|line| line.len() > 5 && line[..5].eq_ignore_ascii_case(b"date:")) {
        return article.to_vec();
    }
    let now = jiff::Zoned::now().strftime("Date: %a, %d %b %Y %H:%M:%S %z\r\n").to_string();
    [now.as_bytes(), article].concat()
}

fn kept(error: FetchError) -> FetchError {
    if error.hint.is_some() || error.kind == Kind::NeedsLogin { error } else { error.hint("Nothing was posted.") }
}
