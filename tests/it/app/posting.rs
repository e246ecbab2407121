//! Posting to the end: an id that no second try doubles, what is said and asked before, taking back, the drafts that are left.

use super::journey::Journey;
use wayfarer::app::{Effect, NotWritten, Overlay};
use wayfarer::format::media;
use wayfarer::proto::{End, FetchError, FetchEvent, Head, Kind, Stage, Verdict};
use wayfarer::url::Url;

const ARTICLE: &str = "From: Ann <ann@example.org>\r\nNewsgroups: a.b\r\nSubject: Gopher\r\nMessage-ID: <2@h>\r\n\
                       Date: Thu, 2 Jan 2025 10:00:00 +0000\r\n\r\nHello.\r\n";
const PATH: &str = "/drafts/re-gopher.txt";
const EDITED: &str = "From: Me <me@example.org>\nNewsgroups: a.b\nSubject: Re: Gopher\n\nHello too.\n";

fn reading(article: &str) -> Journey {
    let mut j = Journey::new();
    j.choose(|choices| {
        (choices.drafts, choices.editor) = ("/drafts".into(), vec!["ed".into()]);
        choices.seed = "5eed".into();
    });
    j.app.desk.settings.news.posting.from = "Me <me@example.org>".into();
    let mut j = j.open("nntp://h:1119/a.b/7").answer(media::MESSAGE, article.as_bytes());
    j.effects.retain(|effect| !matches!(effect, Effect::SyncNewsrc { .. }));
    j.quiet()
}

/// The draft's file is written, and the editor leaves this in it.
fn edits(mut j: Journey, text: &str) -> Journey {
    j.effects.retain(|effect| !matches!(effect, Effect::Write { .. }));
    let j = j.wrote(Ok(PATH.into())).expect_run(&["ed", PATH]).ran(Ok(())).expect_read(PATH).expect(Effect::Redraw);
    j.read(Ok(text.as_bytes().to_vec()))
}

/// What is written into the draft's file, and into which.
fn written(j: &Journey) -> (String, String) {
    match j.effects.last() {
        Some(Effect::Write { path, content, replace: true, .. }) => {
            (path.clone(), String::from_utf8(content.clone()).unwrap())
        }
        other => panic!("{other:?}"),
    }
}

fn sent(j: &Journey) -> String {
    let body = j.fetches.last().unwrap().1.body.as_ref().expect("an article");
    String::from_utf8(body.octets.clone()).unwrap()
}

fn answered(j: Journey, title: Option<&str>) -> Journey {
    let head = Head { title: title.map(Into::into), ..Head::new(Url::parse("nntp://h/a.b").unwrap(), media::PLAIN) };
    let j = j.event(FetchEvent::Head(Box::new(head))).expect_verdict(Verdict::Accept);
    j.event(FetchEvent::Body(b"240".to_vec())).event(FetchEvent::End(End::default()))
}

#[test]
fn an_article_that_may_have_been_taken_goes_again_with_the_same_id() {
    let mut j = edits(reading(ARTICLE).keys("W f"), EDITED).keys("s");
    let (path, draft) = written(&j);
    let id = draft.lines().next().unwrap().strip_prefix("Message-ID: ").unwrap().to_owned();
    assert!(path == PATH && id.ends_with("@example.org>") && draft.ends_with(EDITED), "{draft}");
    // Nothing is sent before the file has it.
    assert!(j.fetches.iter().all(|(_, request)| request.body.is_none()));
    j.effects.clear();
    let lost = FetchError::new(Kind::Broken, "It is not known whether the article was taken.");
    let j = j.wrote(Ok(PATH.into())).expect_fetch("news:a.b");
    assert!(sent(&j).contains(&format!("Message-ID: {id}\r\n")), "{}", sent(&j));
    let j = j.fail(lost);
    assert!(j.over().contains(&id), "{}", j.over());
    // Taken up again from its file it is the same article.
    let j = j.keys("p W d").expect_read("/drafts/").read(Ok(b"re-gopher.txt".to_vec())).expect_read(PATH);
    let j = j.read(Ok(draft.clone().into())).keys("Enter").expect_run(&["ed", PATH]).ran(Ok(()));
    let j = j.expect_read(PATH).expect(Effect::Redraw).read(Ok(draft.into())).keys("s").expect_fetch("news:a.b");
    assert!(sent(&j).contains(&format!("Message-ID: {id}\r\n")), "{}", sent(&j));
    answered(j, Some("It was taken already")).expect_remove(PATH).notes("was taken already").quiet();
}

#[test]
fn an_id_that_cannot_be_kept_keeps_the_article_from_going() {
    let mut j = edits(reading(ARTICLE).keys("W f"), EDITED).keys("s");
    j.effects.clear();
    let j = j.wrote(Err(NotWritten::Failed("The disk is full.".into()))).quiet();
    assert!(j.over().contains("The disk is full.") && j.over().contains("Nothing was sent"), "{}", j.over());
    // Again, when there is room.
    let mut j = j.keys("s");
    assert!(written(&j).1.starts_with("Message-ID: <"));
    j.effects.clear();
    j.wrote(Ok(PATH.into())).expect_fetch("news:a.b");
}

#[test]
fn an_id_never_has_the_name_of_a_house_in_it() {
    for from in ["me@localhost", "me@box", "me@box.local"] {
        let j = edits(reading(ARTICLE).keys("W f"), &EDITED.replace("me@example.org", from)).keys("s");
        let j = j.expect_fetch("news:a.b");
        assert!(!sent(&j).contains("Message-ID"), "{from}: the server makes it");
    }
    let mut j = reading(ARTICLE);
    j.app.desk.settings.news.posting.id_domain = "news.example.net".into();
    let j = edits(j.keys("W f"), &EDITED.replace("me@example.org", "me@box")).keys("s");
    assert!(written(&j).1.lines().next().unwrap().ends_with("@news.example.net>"));
}

#[test]
fn who_is_stopped_while_sending_may_send_again() {
    let mut j = edits(reading(ARTICLE).keys("W f"), EDITED).keys("s");
    j.effects.clear();
    let j = j.wrote(Ok(PATH.into())).expect_fetch("news:a.b").stage(Stage::Waiting).keys("Esc");
    assert!(j.over().contains("it cannot be there twice"), "{}", j.over());
}

#[test]
fn a_text_that_says_nothing_is_asked_about() {
    let quotes = EDITED.replace("Hello too.", "> Hello.");
    let j = edits(reading(ARTICLE).keys("W f"), &quotes).quiet();
    assert!(j.over().contains("nothing but what others wrote"), "{}", j.over());
    let j = j.keys("s").asks("Send it all the same?").quiet().keys("n").quiet();
    assert!(
        matches!(j.app.hands.overlays().last(), Some(Overlay::Text { title, .. }) if title == "Post this article?")
    );
    let j = j.keys("s y");
    assert!(written(&j).1.contains("> Hello."));
}

#[test]
fn where_an_answer_goes_is_said_when_its_author_moved_it() {
    let moved = ARTICLE.replace("Subject", "Followup-To: a.c\r\nSubject");
    let j = edits(reading(&moved).keys("W f"), &EDITED.replace("a.b", "a.c"));
    let words = "The article is in a.b; its author wants answers in a.c (Followup-To), so this goes there.";
    assert!(j.over().contains(words), "{}", j.over());
}

#[test]
fn the_author_is_answered_in_the_editor_where_somebody_takes_mails() {
    let mut j = reading(ARTICLE);
    j.app.desk.settings.handlers.insert("mailto".into(), vec!["xdg-open".into(), "{url}".into()]);
    j.app.desk.settings.handlers.insert("sendmail".into(), vec!["sendmail".into(), "-t".into()]);
    j.choose(|choices| choices.takes_mail = true);
    let j = j.keys("W r");
    let Some(Effect::Write { content: draft, .. }) = j.effects.last().cloned() else { panic!("{:?}", j.effects) };
    let draft = String::from_utf8(draft).unwrap();
    assert!(draft.contains("To: Ann <ann@example.org>\nSubject: Re: Gopher\nIn-Reply-To: <2@h>\n"), "{draft}");
    let j = edits(j, &draft.replace("> Hello.", "> Hello.\nYes.")).keys("s");
    let Some(Effect::Pipe { id, input, .. }) = j.effects.last().cloned() else { panic!("{:?}", j.effects) };
    assert!(String::from_utf8(input).unwrap().ends_with("Yes.\n"));
    let failed = FetchError::new(Kind::Broken, "sendmail could not be started.");
    let j = j.event_of(id, FetchEvent::Failed(failed));
    assert!(j.over().contains("The draft is kept"), "{}", j.over());
}

const OWN: &str = "From: Me <ME@example.org>\r\nNewsgroups: a.b\r\nSubject: Gopher\r\nMessage-ID: <9@example.org>\r\n\
                   Date: Thu, 2 Jan 2025 10:00:00 +0000\r\n\r\nMine.\r\n";

#[test]
fn an_own_article_is_cancelled_after_a_last_look() {
    let j = reading(OWN).keys("W x");
    let Some(Effect::Write { content, path, .. }) = j.effects.last().cloned() else { panic!("{:?}", j.effects) };
    let mut j = j;
    j.effects.clear();
    let j = j.wrote(Ok(path.clone())).quiet();
    assert!(
        matches!(j.app.hands.overlays().last(), Some(Overlay::Text { title, .. }) if title == "Cancel your article?")
    );
    for words in ["Control: cancel <9@example.org>", "asks all servers to delete \"Gopher\""] {
        assert!(j.over().contains(words), "{words}: {}", j.over());
    }
    let mut j = j.keys("s");
    assert!(written(&j).1.ends_with(&String::from_utf8(content).unwrap()));
    j.effects.clear();
    let j = j.wrote(Ok(path.clone())).expect_fetch("nntp://h:1119/a.b");
    assert!(sent(&j).contains("Control: cancel <9@example.org>\r\n"), "{}", sent(&j));
    answered(j, None).expect_remove(&path).notes("cancel <9@example.org>").quiet();
}

#[test]
fn an_own_article_is_replaced_by_another() {
    let j = reading(OWN).keys("W s");
    let Some(Effect::Write { content, .. }) = j.effects.last().cloned() else { panic!("{:?}", j.effects) };
    let draft = String::from_utf8(content).unwrap();
    assert!(draft.contains("Subject: Gopher\nSupersedes: <9@example.org>\n\nMine.\n"), "{draft}");
}

#[test]
fn what_others_wrote_is_neither_cancelled_nor_replaced() {
    for keys in ["W x", "W s"] {
        reading(ARTICLE).keys(keys).notes("only what you wrote").free().quiet();
        let mut j = reading(OWN);
        j.app.desk.settings.news.posting.from = String::new();
        j.keys(keys).notes("does not say who you are").free().quiet();
        reading(&OWN.replace("Message-ID: <9@example.org>\r\n", "")).keys(keys).notes("has no id").free().quiet();
    }
}

#[test]
fn drafts_are_listed_by_where_they_go_and_what_they_are_about() {
    let j = reading(ARTICLE).keys("W d").expect_read("/drafts/");
    let j = j.read(Ok(b"re-gopher.txt\nmail.txt\nodd\x1b[2J.txt\nbroken.txt".to_vec())).expect_read(PATH);
    let j = j.read(Ok(EDITED.into())).expect_read("/drafts/mail.txt");
    let j = j.read(Ok(b"To: Ann <ann@h>\nSubject: \x1b[2J\n\nx\n".to_vec())).expect_read("/drafts/broken.txt");
    let j = j.read(Err("it cannot be read".into())).quiet();
    let Some(Overlay::List { items, .. }) = j.app.hands.overlays().last() else { panic!() };
    let rows: Vec<String> = (0..items.len()).filter_map(|at| items.row(at)).map(|item| item.text).collect();
    assert_eq!(rows[0], "a.b: Re: Gopher");
    assert!(rows[1].starts_with("Ann <ann@h>: ") && !rows[1].contains('\u{1b}'), "{rows:?}");
    assert_eq!(rows[2..], ["broken.txt"]);
}

#[test]
fn drafts_that_are_left_are_mentioned_at_the_start() {
    for (unfinished, words) in [(1, "a draft of yours is not sent yet: W d"), (3, "3 drafts of yours are not sent yet")]
    {
        let mut j = Journey::new();
        j.choose(|choices| choices.unfinished = unfinished);
        j.remember(Default::default());
        j.notes(words);
    }
}

const GROUP: &str = "a.b\t1\t9\t3\t\n2\tGopher\tAnn <ann@h>\tThu, 2 Jan 2025 10:00:00 +0000\t<1@h>\t\t9\t1\t\n\
                     3\tRe: Gopher\tBob <b@h>\tThu, 2 Jan 2025 11:00:00 +0000\t<2@h>\t<1@h>\t9\t1\t\n\
                     1\tOther\tAnn <ann@h>\tThu, 2 Jan 2025 09:00:00 +0000\t<3@h>\t\t9\t1\t\n";

fn group() -> Journey {
    let mut j = Journey::new();
    j.app.desk.settings.downloads = "/dl".into();
    j.app.desk.settings.news.server = wayfarer::config::NewsServer::parse("h").ok();
    let mut j = j.open("news:a.b").answer(media::NEWSGROUP, GROUP.as_bytes());
    j.effects.clear();
    j
}

fn arrives(j: Journey, article: &[u8]) -> Journey {
    let head = Head::new(Url::parse("news:1@h").unwrap(), media::MESSAGE);
    let j = j.event(FetchEvent::Head(Box::new(head))).expect_verdict(Verdict::Accept);
    j.event(FetchEvent::Body(article.to_vec())).event(FetchEvent::End(End::default()))
}

#[test]
fn a_thread_is_saved_as_a_mailbox() {
    let j = group().run("save-mailbox").expect_fetch("news:1@h");
    let j = arrives(j, b"Subject: Gopher\r\n\r\nFrom here\r\n").expect_fetch("news:2@h");
    let j = arrives(j, b"Subject: Re: Gopher\r\n\r\nx\r\n");
    let Some(Effect::Write { path, content, replace: false, .. }) = j.effects.last() else { panic!("{:?}", j.effects) };
    assert_eq!(path, "/dl/a.b.mbox");
    let text = String::from_utf8(content.clone()).unwrap();
    assert_eq!(text.matches("From - ").count(), 2, "{text}");
    assert!(text.contains("\n>From here\n\nFrom - ") && text.ends_with("\n\nx\n\n"), "{text}");
}

#[test]
fn what_is_gone_is_left_out_of_a_mailbox_and_that_is_said() {
    let gone = || FetchError::new(Kind::NotFound, "gone");
    let j = group().run("save-mailbox all").expect_fetch("news:1@h").fail(gone()).expect_fetch("news:2@h");
    let j =
        arrives(j, b"Subject: x\r\n\r\nx\r\n").expect_fetch("news:3@h").fail(gone()).notes("could not be fetched: 2");
    assert!(matches!(j.effects.last(), Some(Effect::Write { .. })), "{:?}", j.effects);
    let j = group().run("save-mailbox").expect_fetch("news:1@h");
    let id = j.last();
    j.keys("Esc").expect(Effect::Cancel(id)).notes("no mailbox was written").quiet();
    reading(ARTICLE).run("save-mailbox").notes("article 1 of 1").expect_fetch("nntp://h:1119/a.b/7");
    Journey::at(&["0|A|/a"]).run("save-mailbox").notes("put the focus on one").quiet();
}

#[test]
fn offline_an_article_waits_as_a_draft_and_nobody_is_asked() {
    let mut j = edits(reading(ARTICLE).keys("W f"), EDITED);
    j.choose(|choices| choices.offline = true);
    let mut j = j.keys("s");
    j.effects.clear();
    let asked = j.fetches.len();
    let j = j.wrote(Ok(PATH.into()));
    assert!(j.over().contains("You are offline, so nothing was sent"), "{}", j.over());
    assert_eq!(j.fetches.len(), asked);
}
