//! All threads of a newsgroup, opened or closed at once. What opens and closes a single one is with the reader of news.

use crate::app::Page;
use crate::app::motion::focus;
use crate::app::state::Cx;
use crate::doc::LinkId;
use crate::format::{Listed, Order, Roll, Threads, Wishes};
use std::sync::Arc;

/// Opens all, or closes all when all are open; `open`, `close`.
pub(super) fn all(cx: &mut Cx<'_>, words: &str) {
    let given = cx.entry().and_then(crate::app::Entry::given_focus);
    let Some(page) = cx.page_mut() else { return };
    let wishes = &page.arrangement.wishes;
    let threaded = matches!(wishes.order, Order::Thread | Order::Score) && wishes.filter.trim().is_empty();
    let Some(articles) = articles(page).filter(|_| threaded) else {
        cx.say("there are no threads to open or close here");
        return;
    };
    let opens = match words.trim() {
        "open" => true,
        "close" => false,
        "" => any_closed(page, &articles),
        _ => {
            cx.complain("folds open, folds close");
            return;
        }
    };
    // Who stands in a thread that closes stands on its row.
    let at = given.filter(|_| !opens).and_then(|given| articles.iter().position(|article| article.link == given));
    let head = at.and_then(|at| page.shown_link(articles[articles[at].thread].link));
    let threads = if opens { Threads::Open } else { Threads::Closed };
    let mut reading = page.arrangement.wishes.reading.clone();
    reading.folds.clear();
    reading.threads = threads;
    page.wish(Wishes { reading, ..page.arrangement.wishes.clone() });
    if let Some(head) = head {
        focus::go_to(cx, head);
    }
    cx.say(if opens { "all threads are open" } else { "all threads are folded" });
}

/// The articles of a group's page.
fn articles(page: &Page) -> Option<Arc<[Listed]>> {
    match page.roll()? {
        Roll::Articles { articles, .. } => Some(articles),
        Roll::Groups(_) => None,
    }
}

/// Whether something stands in a thread that is shown, and is not shown itself.
fn any_closed(page: &Page, articles: &[Listed]) -> bool {
    let shown = |link: LinkId| page.shown_link(link).is_some();
    articles.iter().any(|article| !shown(article.link) && shown(articles[article.thread].link))
}
