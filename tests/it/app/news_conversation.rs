//! A thread as one page (NEWS-09).

use super::news::{Reader, reader};
use wayfarer::app::Effect;
use wayfarer::format::media;
use wayfarer::format::message::conversation::{Framed, framed};

fn article(id: &str, references: &str, body: &str) -> Vec<u8> {
    let text = format!("From: N{id} <{id}>\r\nSubject: Re: Tunnels\r\nReferences: {references}\r\n\r\n{body}");
    framed(id.as_bytes(), Framed::Article(text.as_bytes()))
}

fn thread() -> Vec<u8> {
    let one = article("2@x", "", "The tunnel is closed.\r\n");
    let two = article("3@x", "<2@x>", "> The tunnel is closed.\r\n> All of it.\r\n\r\nIt is open.\r\n");
    [b"3\n".to_vec(), one, two, framed(b"4/e@x", Framed::Missing)].concat()
}

fn wanted(r: &Reader) -> Option<Vec<String>> {
    r.j.effects.iter().rev().find_map(|effect| match effect {
        Effect::Fetch { request, .. } => {
            let ids = request.conversation.as_ref()?.iter();
            Some(ids.map(|id| String::from_utf8_lossy(id).into_owned()).collect())
        }
        _ => None,
    })
}

#[test]
fn a_thread_opens_as_one_page_and_is_read_then() {
    let r = reader("g.one! 1\n").group("news:g.one").keys("Tab").keys("V");
    assert_eq!(wanted(&r).unwrap(), ["2@x", "3@x", "4/e@x"]);
    let r = r.then(|j| j.expect_fetch("news:2@x").answer(media::THREAD, &thread())).at("news:2@x");
    let r = r.shows("N3@x to N2@x").shows("2 quoted lines of N2@x").lacks("All of it.").shows("could not be had");
    let r = r.notes("thread: 3 read; C-_ takes it back").file("g.one! 1-4\n");
    let r = r.keys("C-_").file("g.one! 1\n").keys("R");
    assert_eq!(wanted(&r).unwrap(), ["2@x", "3@x", "4/e@x"], "reloaded without a question");
    let r = r.then(|j| j.answer(media::THREAD, &thread())).file("g.one! 1-4\n");
    // The next thread, then back to the group.
    let r = r.keys("n").comes("8@x", "").keys("Left").at("news:g.one");
    drop(r);
}

#[test]
fn what_is_cut_or_private_is_not_marked() {
    let r = reader("g.one! 1\n").group("news:g.one").keys("Tab").keys("V");
    let r = r.then(|j| j.answer_cut(media::THREAD, &thread()[..80])).file("g.one! 1\n");
    drop(r);
    let group = super::news::GROUP.as_bytes();
    let private = reader("").then(|j| j.run("private news:g.one").answer(media::NEWSGROUP, group)).keys("V");
    private.then(|j| j.answer(media::THREAD, &thread())).shows("It is open.").file("");
}

#[test]
fn an_article_without_a_group_names_its_thread_itself() {
    let r = reader("").then(|j| j.open("news:4/e@x"));
    let r = r.comes("4/e@x", "References: <2@x>\r\n <3@x>\r\nMessage-ID: <4/e@x>\r\n").keys("V");
    assert_eq!(wanted(&r).unwrap(), ["2@x", "3@x", "4/e@x"]);
    r.then(|j| j.expect_fetch("news:2@x"));
}

#[test]
fn five_hundred_articles_are_shown_and_that_is_said() {
    let mut group = String::from("g.big\t1\t600\t600\t\n");
    for n in 1..=600 {
        let references = if n > 1 { "<1@x>" } else { "" };
        group += &format!("{n}\tS\tA <a@x>\tMon, 02 Nov 2026 10:00:00 +0000\t<{n}@x>\t{references}\t1\t1\t\n");
    }
    let r = reader("").then(|j| j.open("news:g.big").answer(media::NEWSGROUP, group.as_bytes())).keys("V");
    let r = r.notes("the first 500 of 600 articles of the thread");
    assert_eq!(wanted(&r).unwrap().len(), 500);
}
