//! An article, by its id or by its number in a group.

use super::Visit;
use super::command::{ARTICLE, GROUP};
use super::page::{Ended, Page};
use super::reply::text;
use super::server::Key;
use crate::format::media;
use crate::proto::{End, FetchError, Kind};

impl Visit<'_> {
    /// By its id, which has no group.
    pub(super) async fn article(self, id: &[u8]) -> Result<End, FetchError> {
        let heard = self.session.ask(&ARTICLE, &[b"<", id, b">"].concat()).await?;
        self.session.good(&ARTICLE, heard, &format!("<{}>", text(id)))?;
        self.pour().await
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
                Ok(_) => return self.pour().await,
                // What came since the group was chosen is known to many servers only when it is chosen again.
                Err(_) if chosen => chosen = false,
                Err(reply) => {
                    let error = self.session.refused(&ARTICLE, &reply, &what);
                    return Err(match error.kind {
                        Kind::NotFound => error.hint("The group's page shows which articles there are: u leads to it."),
                        _ => error,
                    });
                }
            }
        }
    }

    async fn pour(mut self) -> Result<End, FetchError> {
        let head = self.head(media::MESSAGE, None);
        let Some(mut page) = Page::begin(self, media::MESSAGE, head).await? else { return Ok(End::default()) };
        Ok(match page.octets().await? {
            Ended::Whole => End::default(),
            Ended::Cut(remark) => End { cut: Some(remark) },
        })
    }
}

/// No server has it: which were asked, and what else can be done (NEWS-08).
pub(super) fn nowhere(last: FetchError, before: &[FetchError], keys: &[Key]) -> FetchError {
    let words: Vec<&str> = before.iter().chain([&last]).map(|failure| failure.detail.as_str()).collect();
    let tried: Vec<&str> = before.iter().chain([&last]).map(|failure| failure.tried.as_str()).collect();
    let kind = last.kind;
    let hint = match keys {
        [_] => {
            "Articles are kept for some time only, and not every server has every group. Another server may have it: \
             [news.servers] in settings.toml names more of them. The rest of its thread is on the group's page."
        }
        _ => "Articles are kept for some time only. The rest of its thread is on the group's page.",
    };
    FetchError::new(kind, words.join(" ")).tried(tried.join("; ")).hint(hint)
}
