//! What a command would act on in the place in view: the link under focus, the page, or nothing of it. Help for here is written
//! by it. It decides nothing: a command that is run all the same says itself why it does nothing.

use crate::app::ahead::ABOUT_IT;
use crate::app::commands::named;
use crate::app::internal::{self, Which};
use crate::app::look::related;
use crate::app::motion::{marking, window};
use crate::app::navigation::trust;
use crate::app::page::address;
use crate::app::{Entry, Page, Sight, news, transfer};
use crate::doc::{FieldKind, FoldKind};
use crate::format::{Order, is_plain, media, message};
use crate::keys::Mode;
use crate::url::scheme::gopher::Gopher;
use crate::url::scheme::{self, Family};

/// What a command is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Serving {
    /// The link under focus.
    Link,
    /// What is on this page and not on every other.
    Page,
    /// Any page.
    Anywhere,
}

/// Orders about the articles of a group beside those about one of them: its page has them, or one of them is in view.
const OF_ARTICLES: &[&str] = &["mark-range", "thread", "conversation", "fetch"];

/// What a command serves here; `None` where it would do nothing.
pub(super) fn serving(sight: Sight<'_>, mode: Mode, command: &str) -> Option<Serving> {
    let (entry, document) = (sight.entry(), window::document(sight));
    let page = entry.and_then(|entry| entry.page.as_deref());
    let link = entry.and_then(|entry| entry.focus);
    let is_of = |family: Family| entry.is_some_and(|entry| scheme::family(&entry.url) == family);
    let (gopher, of_ftp) = (|| is_of(Family::Gopher), || is_of(Family::Ftp));
    let directory = || page.is_some_and(|page| page.head.media == media::DIRECTORY);
    let plus = || {
        let asked = |entry: &Entry| Gopher::of(&entry.url).is_ok_and(|gopher| gopher.plus.is_some());
        page.is_some_and(|page| !page.given().attributed.is_empty()) || entry.is_some_and(asked)
    };
    let fold = |is: fn(FoldKind) -> bool| page.is_some_and(|page| page.given().folds.iter().any(|fold| is(fold.kind)));
    let article = || page.is_some_and(|page| message::is_message(&page.head.media));
    let own = entry.and_then(|entry| internal::of(&entry.url));
    let (on_link, on_page) =
        (|serves: bool| serves.then_some(Serving::Link), |serves: bool| serves.then_some(Serving::Page));
    match command {
        "follow" | "follow-tab" | "follow-behind" | "edit-link-url" | "copy-link-url" => on_link(link.is_some()),
        "edit-field" => {
            let field = link.and_then(|link| document?.field_of(link));
            on_link(field.is_some_and(|field| matches!(field.kind, FieldKind::Text(_)) && !field.readonly))
        }
        "attributes" => match link {
            Some(link) if gopher() => on_link(plus() || document?.has_attributes(link)),
            // Whether the server of a text speaks Gopher+ is not known.
            None if gopher() => on_page(plus() || page.is_some_and(|page| page.head.media != media::MENU)),
            _ => on_page(entry.is_some_and(|entry| scheme::in_full(&entry.url).is_some())),
        },
        "caps" => on_page(gopher()),
        "hidden" => on_page(of_ftp()),
        "owners" => on_page(directory()),
        "put" => on_page(directory() && of_ftp()),
        "download-tree" => on_page(directory()),
        "whole-tree" => on_page(directory() && is_of(Family::Archive)),
        "upload" => on_page(is_of(Family::Gemini)),
        "archive" => on_page(entry.is_some_and(|entry| sight.desk.settings.in_archive(&entry.url).is_some())),
        "mark-row" | "mark-rows" => on_page(marking::has_rows(sight)),
        "download" if entry.is_some_and(|entry| !entry.marked.is_empty()) => Some(Serving::Page),
        "download" => on_link(link.is_some()),
        "next-link" | "previous-link" | "hints" | "hints-tab" | "number" | "find-link" | "links" => {
            anywhere(document.is_some_and(|document| document.link_count() > 0))
        }
        "next-heading" | "previous-heading" | "headings" => {
            on_page(document.is_some_and(|document| document.headings().next().is_some()))
        }
        "content" => {
            on_page(document.is_some_and(|document| document.content.is_some() || document.headings().next().is_some()))
        }
        "left" | "right" => on_page(window::beyond(sight) > 0 || entry.is_some_and(|entry| entry.left > 0)),
        "find-next" | "find-previous" => on_page(sight.tab.search.is_some()),
        "next-page" | "previous-page" => on_page(related::beside(sight, command == "next-page").is_some()),
        "back" => anywhere(sight.tab.at > 0),
        "forward" => anywhere(sight.tab.at + 1 < sight.tab.history.len()),
        "parent" => anywhere(entry.is_some_and(|entry| scheme::up(&entry.url).is_some())),
        "root" => anywhere(entry.is_some_and(|entry| scheme::root(&entry.url).is_some())),
        "stop" => on_page(sight.tab.loading.is_some() || !sight.tab.arriving.is_empty()),
        "other-pane" | "only" => anywhere(sight.split().is_some()),
        "split" => anywhere(page.is_some()),
        "next-tab" | "previous-tab" | "tab" | "move-tab" | "tabs" => anywhere(sight.tab_count > 1),
        "sort" => on_page(page.is_some_and(|page| page.has_rows() || !page.given().tables.is_empty())),
        "readme" => on_page(page.is_some_and(Page::has_rows)),
        "folds" => on_page(fold(|_| true)),
        "reader" => on_page(
            fold(FoldKind::is_aside)
                || entry.is_some_and(|entry| sight.desk.reader.contains(&address::place(&entry.url))),
        ),
        "headers" => on_page(fold(|kind| kind == FoldKind::Headers)),
        "colours" => on_page(page.is_some_and(|page| is_plain(&page.head.media))),
        "rot13" => on_page(article()),
        "followup" | "reply-mail" | "forward-mail" => on_page(article() || news::is_group(sight)),
        "quoted" | "next-in-thread" | "previous-in-thread" | "parent-article" => on_page(article()),
        "cancel-article" | "supersede" => on_page(article() || news::is_group(sight)),
        "thread" | "mark-range" => on_page(news::is_group(sight)),
        "unread-only" => on_page(news::is_group(sight) || news::is_list(sight)),
        "save-mailbox" => on_page(page.is_some_and(Page::is_article) || news::is_group(sight)),
        "post" => on_page(news::is_news(sight)),
        "drafts" if news::is_news(sight) => Some(Serving::Page),
        "drafts" => anywhere(sight.desk.choices.unfinished > 0),
        "mark" | "mark-unread" if mode == Mode::New => on_link(link.is_some()),
        "catch-up" if news::is_list(sight) => on_link(link.is_some()),
        // A list has groups, and their articles are elsewhere.
        name if news::is_list(sight) && [ABOUT_IT, OF_ARTICLES].iter().any(|of| of.contains(&name)) => None,
        "trust" => on_page(trust::is_refused(sight)),
        "verify" => {
            let saved = sight.transfers.downloads.iter().any(transfer::verify::is_whole);
            anywhere(saved || transfer::article::is_here(sight))
        }
        "move-up" | "move-down" => on_page(own == Some(Which::Bookmarks)),
        "edit" => on_page(matches!(own, Some(Which::Bookmarks | Which::Settings))),
        "undo" => on_page(
            matches!(mode, Mode::News | Mode::New)
                || matches!(own, Some(Which::Bookmarks | Which::Settings | Which::Marks)),
        ),
        _ => Some(if mode == Mode::Page { Serving::Anywhere } else { Serving::Page }),
    }
}

/// The command that a line is about: itself, or one that is begun for the reader to type on.
pub(super) fn about(line: &str) -> &str {
    named(line.strip_prefix("command ").unwrap_or(line))
}

/// Whether a command line does something here: its command does, and so does what it asks of it.
pub fn means(sight: Sight<'_>, line: &str) -> bool {
    let command = about(line);
    let modes = sight.modes();
    // What lies over a page has orders of its own.
    if modes.contains(&Mode::Page) && modes.iter().all(|mode| serving(sight, *mode, command).is_none()) {
        return false;
    }
    let Some(order) = line.strip_prefix("sort ").map(str::trim) else { return true };
    let Some(page) = sight.entry().and_then(|entry| entry.page.as_deref()) else { return false };
    let (rows, wishes) = (page.rows.as_ref().filter(|_| page.has_rows()), &page.arrangement.wishes);
    match (rows, order) {
        (None, "column" | "reverse" | "given") => !page.given().tables.is_empty(),
        (None, _) => false,
        (Some(_), "reverse") => true,
        (Some(_), "given") => wishes.order != Order::Given || wishes.reverse,
        (Some(rows), order) => rows.orders().iter().any(|offered| offered.name() == order),
    }
}

fn anywhere(serves: bool) -> Option<Serving> {
    serves.then_some(Serving::Anywhere)
}
