//! The gopher server of the tour: RFC 1436; Gopher+ of July 1993 (attributes, views, forms); and on the same port a phone book
//! (RFC 2378), told apart by its commands. One question for each connection. Refuses: anything but what the table of items lists.

mod answer;
mod item;
mod phone_book;
mod plus;
mod question;

use self::item::Body;
use self::question::{Question, Wish};
use super::Doors;
use super::visitor::{Heard, Visitor, receive};
use std::io::Result;
use tokio::net::TcpListener;

/// Octets of a line; selectors are at most 255 (RFC 1436, appendix), the words of a search may be more.
const LINE: usize = 2048;

/// Serves until it is dropped.
pub(super) async fn serve(listener: TcpListener, doors: Doors) {
    receive(listener, move |visitor| visit(visitor, doors)).await;
}

async fn visit(mut visitor: Visitor, doors: Doors) -> Result<()> {
    let line = match visitor.hear(LINE).await? {
        Heard::Line(line) => line,
        Heard::TooLong => return visitor.say(&answer::error("No selector is as long as that")).await,
        Heard::Nothing => return Ok(()),
    };
    if phone_book::is_command(&line) {
        return phone_book::talk(visitor, &line).await;
    }
    let question = Question::of(&line);
    let answer = match (item::find(&question.selector), question.wish) {
        (None, Wish::Plain) => answer::error("There is nothing of this name here"),
        (None, _) => plus::refusal(1, "There is nothing of this name here."),
        (Some(item), Wish::Plain) => match item.body {
            Body::Search => answer::found(&question.words, &doors),
            _ => answer::plain(item, &doors),
        },
        (Some(item), Wish::View(view)) => plus::view(item, &view, &question.words, &doors),
        (Some(item), Wish::Attributes) => plus::counted(plus::attributes(item, &doors).as_bytes()),
        (Some(item), Wish::AllAttributes) => plus::counted(plus::all_attributes(item, &doors).as_bytes()),
        (Some(item), Wish::Filled) => match (&item.body, plus::answers(&mut visitor, LINE).await?) {
            (Body::Form, Some(lines)) => plus::counted(plus::thanks(&lines, &doors).as_bytes()),
            (Body::Form, None) => plus::refusal(1, "These are not the answers to the questions of this form."),
            _ => plus::refusal(1, "This item asks no questions."),
        },
    };
    visitor.say(&answer).await
}
