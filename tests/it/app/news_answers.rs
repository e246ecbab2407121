//! Answers to articles: from their row on their group's page, to several authors, and to whoever says no address.

use super::news::{GROUP, Reader, plain_reader};
use wayfarer::app::{Effect, PageState};
use wayfarer::format::media;
use wayfarer::proto::{FetchError, Kind};

fn reader() -> Reader {
    let mut r = plain_reader("g.one:\ng.two:\n");
    r.j.choose(|choices| {
        (choices.drafts, choices.editor, choices.takes_mail) = ("/drafts".into(), vec!["ed".into()], true);
    });
    r.j.app.desk.settings.news.posting.from = "Me <me@h>".into();
    r
}

fn article(from: &str) -> Reader {
    let text = format!("From: {from}\r\nNewsgroups: g.one\r\nSubject: S\r\nMessage-ID: <8@x>\r\n\r\nHello.\r\n");
    reader().then(|j| j.open("news:8@x").answer(media::MESSAGE, text.as_bytes()))
}

#[track_caller]
fn draft(r: &Reader) -> String {
    match r.j.effects.last() {
        Some(Effect::Write { content, .. }) => String::from_utf8(content.clone()).unwrap(),
        other => panic!("{other:?}"),
    }
}

#[test]
fn an_author_without_an_address_is_answered_by_whoever_knows_one() {
    for from in ["nobody at all", "\"Bob <bob@example>", "Bob <>"] {
        let r = article(from).keys("W").keys("r").notes("names no address to answer to: write one behind To");
        let text = draft(&r);
        assert!(text.starts_with("From: Me <me@h>\nTo: \nSubject: Re: S\n"), "{from}: {text}");
        // Left empty it goes to nobody, and that is said.
        let r = r.then(|mut j| {
            j.effects.clear();
            let j = j.wrote(Ok("/drafts/re-s.txt".into())).ran(Ok(()));
            j.read(Ok(text.replace("> Hello.", "> Hello.\nYes.").into_bytes()))
        });
        assert!(r.j.over().contains("To nobody"), "{}", r.j.over());
    }
}

#[test]
fn two_authors_are_both_answered() {
    let r = article("Ann <ann@h>, Bob <bob@h>").keys("W").keys("r");
    let text = draft(&r);
    assert!(text.contains("\nTo: Ann <ann@h>, Bob <bob@h>\n") && text.contains("Ann and Bob wrote:"), "{text}");
    let r = r.then(|mut j| {
        j.effects.clear();
        let j = j.wrote(Ok("/drafts/re-s.txt".into())).ran(Ok(()));
        j.read(Ok(text.replace("> Hello.", "> Hello.\nYes.").into_bytes()))
    });
    assert!(r.j.over().contains("It has 2 authors, and this goes to all of them: ann@h, bob@h."), "{}", r.j.over());
    let text = draft(&article("Ann <ann@h>, Bob <bob@h>").keys("W").keys("f"));
    assert!(text.contains("\nNewsgroups: g.one\n") && text.contains("Ann and Bob wrote:"), "{text}");
    // Each of them may take it back.
    assert!(draft(&article("Ann <ann@h>, Me <me@h>").keys("W").keys("x")).contains("Control: cancel <8@x>"));
}

#[test]
fn an_article_is_answered_from_its_row() {
    for (key, line) in [("f", "Newsgroups: g.one\n"), ("r", "To: a@x\n")] {
        let r = reader().group("news:g.one").on("news:8@x").keys("W").keys(key);
        let r = r.comes("8@x", "Newsgroups: g.one\r\nMessage-ID: <8@x>\r\n").at("news:8@x");
        let text = draft(&r);
        assert!(text.contains(line) && text.contains("Re: 8@x\n"), "{text}");
    }
    // One that is gone is not answered; nor does it begin again, ever.
    let r = reader().group("news:g.one").keys("W").keys("f");
    let gone = FetchError::new(Kind::NotFound, "It is gone.");
    let mut r = r.then(|j| j.expect_fetch("news:8@x").fail(gone));
    r.j.effects.retain(|effect| !matches!(effect, Effect::SyncNewsrc { .. }));
    assert!(matches!(r.j.app.entry().unwrap().page.as_deref().unwrap().state, PageState::Failed(_)));
    r.then(|j| j.quiet());
    // Where no article is under focus there is none.
    let empty = GROUP.lines().next().unwrap().to_owned() + "\n";
    let r = reader().then(|j| j.open("news:g.one").answer(media::NEWSGROUP, empty.as_bytes()));
    r.keys("W").keys("f").notes("this is no article");
}

#[test]
fn who_answers_while_an_article_comes_answers_that_one() {
    let text = "From: Bob <bob@h>\r\nNewsgroups: g.one\r\nSubject: T\r\nMessage-ID: <9@x>\r\n\r\nHello.\r\n";
    let writes = |effect: &Effect| matches!(effect, Effect::Write { .. } | Effect::Work { .. });
    let begin = || article("Ann <ann@h>").then(|j| j.open("news:9@x"));
    // By either key, by the command's name, and from the first octets of the article on.
    for answer in ["W r", "M", "W f", "F", ":"] {
        for begun in [false, true] {
            let r = begin();
            let r = if begun { r.then(|j| j.head(media::MESSAGE).body(&text.as_bytes()[..50])) } else { r };
            let r = if answer == ":" { r.then(|j| j.run("reply-mail")) } else { r.keys(answer) };
            assert!(!r.j.effects.iter().any(writes), "{answer}: {:?}", r.j.effects);
            assert!(r.j.app.hands.note.is_none(), "{answer}: {:?}", r.j.app.hands.note);
            let r = match begun {
                true => r.then(|j| j.body(&text.as_bytes()[50..]).end()),
                false => r.then(|j| j.answer(media::MESSAGE, text.as_bytes())),
            };
            let wanted = if matches!(answer, "W f" | "F") {
                "\nSubject: Re: T\nReferences: <9@x>\n"
            } else {
                "\nTo: Bob <bob@h>\nSubject: Re: T\n"
            };
            assert!(draft(&r).contains(wanted), "{answer}: {}", draft(&r));
        }
    }
    // Where none comes, none is answered, and whoever goes elsewhere meanwhile answers nothing.
    let mut r = begin().keys("F");
    r.j.effects.clear();
    let r = r.then(|j| j.fail(FetchError::new(Kind::NotFound, "It is gone.")));
    assert!(!r.j.effects.iter().any(writes), "{:?}", r.j.effects);
    let r = begin().keys("F H");
    assert!(!r.j.effects.iter().any(writes), "{:?}", r.j.effects);
}

#[test]
fn an_article_is_written_to_the_group_under_focus() {
    let list = |of: &str| {
        let rows = b"g.one\t1\t2\t2\ty\t\ng.two\t1\t2\t2\ty\t\n";
        reader().then(|j| j.open(of).answer(media::NEWSGROUPS, rows))
    };
    for of in ["news:", "news:g.*"] {
        let text = draft(&list(of).keys("End").on("news:g.two").then(|j| j.run("post")));
        assert!(text.contains("\nNewsgroups: g.two\n"), "{text}");
    }
}
