//! Articles and mails that the reader writes.

use super::journey::Journey;
use wayfarer::app::{Effect, NotWritten, Overlay};
use wayfarer::format::media;
use wayfarer::proto::{End, FetchError, FetchEvent, Head, Kind, Stage, Verdict};
use wayfarer::url::Url;

const ARTICLE: &str = "From: Ann <ann@h>\r\nNewsgroups: a.b\r\nSubject: Gopher\r\nMessage-ID: <2@h>\r\n\
                       References: <1@h>\r\nDate: Thu, 2 Jan 2025 10:00:00 +0000\r\n\r\nHello.\r\n-- \r\nAnn\r\n";
const PATH: &str = "/drafts/re-gopher.txt";
const EDITED: &str =
    "From: Me <me@h>\nNewsgroups: a.b\nSubject: Re: Gopher\nReferences: <1@h> <2@h>\n\n> Hello.\n\nHello too.\n";

fn reading(article: &str) -> Journey {
    let mut j = Journey::new();
    j.choose(|choices| (choices.drafts, choices.editor) = ("/drafts".into(), vec!["ed".into(), "-s".into()]));
    j.app.desk.settings.news.posting.from = "Me <me@h>".into();
    let mut j = j.open("nntp://h:1119/a.b/7").answer(media::MESSAGE, article.as_bytes());
    // That the article was read is remembered.
    j.effects.retain(|effect| !matches!(effect, Effect::SyncNewsrc { .. }));
    j.quiet()
}

trait Steps: Sized {
    fn edits(self, text: &str) -> Self;
    fn taken(self) -> Self;
    fn title(&self) -> String;
    fn removes(self) -> Self;
}

impl Steps for Journey {
    /// The draft's file is written, and the editor leaves this in it.
    fn edits(mut self, text: &str) -> Journey {
        self.effects.retain(|effect| !matches!(effect, Effect::Write { .. }));
        self.wrote(Ok(PATH.into()))
            .expect_run(&["ed", "-s", PATH])
            .ran(Ok(()))
            .expect_read(PATH)
            .expect(Effect::Redraw)
            .read(Ok(text.as_bytes().to_vec()))
    }

    /// The server takes the article.
    fn taken(self) -> Journey {
        let head = Head::new(Url::parse("nntp://h/a.b").unwrap(), media::PLAIN);
        self.event(FetchEvent::Head(Box::new(head)))
            .expect_verdict(Verdict::Accept)
            .event(FetchEvent::Body(b"240".to_vec()))
            .event(FetchEvent::End(End::default()))
    }

    fn title(&self) -> String {
        match self.app.hands.overlays().last() {
            Some(Overlay::Text { title, .. } | Overlay::List { title, .. }) => title.clone(),
            other => panic!("{other:?}"),
        }
    }

    fn removes(self) -> Journey {
        self.expect_remove(PATH)
    }
}

/// What was posted, and where.
fn sent(j: &Journey) -> (String, String) {
    let request = &j.fetches.last().unwrap().1;
    let body = request.body.as_ref().expect("an article");
    (request.url.to_string(), String::from_utf8(body.octets.clone()).unwrap())
}

#[test]
fn an_answer_is_written_looked_over_and_posted() {
    let j = reading(ARTICLE).keys("W f");
    let draft = "Server: nntp://h:1119\nFrom: Me <me@h>\nNewsgroups: a.b\nSubject: Re: Gopher\nReferences: <1@h> <2@h>\n\n\
                 On Thu, 2 Jan 2025 10:00 (+0000), Ann wrote:\n> Hello.\n\n\n";
    let j = j.expect_write(PATH, draft.as_bytes(), false).quiet();
    let j = j.edits(&draft.replace("Hello.\n", "Hello.\n\nGrüße.\n")).quiet();
    assert_eq!(j.title(), "Post this article?");
    let over = j.over();
    for words in ["Server: nntp://h:1119", "Subject: Re: Gopher", "charset=utf-8", "> Hello.", "Grüße."] {
        assert!(over.contains(words), "{words} in {over}");
    }
    let j = j.keys("s").notes("posting to").free();
    let (url, article) = sent(&j);
    assert_eq!(url, "nntp://h:1119/a.b");
    assert!(article.starts_with("From: Me <me@h>\r\nNewsgroups: a.b\r\nSubject: Re: Gopher\r\n"), "{article}");
    assert!(article.ends_with("\r\n\r\nGrüße.\r\n") && !article.contains("Server:"), "{article}");
    j.expect_fetch("nntp://h:1119/a.b").taken().removes().notes("posted to a.b").quiet();
}

#[test]
fn the_reader_knows_where_an_answer_goes() {
    let crossed = ARTICLE.replace("a.b\r\n", "a.b,a.c\r\n");
    let j = reading(&crossed).keys("W f");
    let Some(Effect::Write { content: draft, .. }) = j.effects.last().cloned() else { panic!() };
    let draft = String::from_utf8(draft).unwrap();
    let edited = draft.replace("> Hello.", "> Hello.\n\nYes.");
    let two = "This goes to 2 groups, and so will the answers";
    let j = j.edits(&edited).quiet();
    assert!(j.over().contains(two), "{}", j.over());
    let j = reading(&crossed).keys("W f").edits(&edited.replace("Subject:", "Followup-To: a.c\nSubject:")).quiet();
    assert!(!j.over().contains(two), "{}", j.over());
    reading(&crossed.replace("Subject", "Followup-To: a.c\r\nSubject")).keys("W f").notes("wants answers in a.c");
}

#[test]
fn what_was_not_changed_is_not_sent() {
    let j = reading(ARTICLE).keys("W f");
    let Some(Effect::Write { content: draft, .. }) = j.effects.last().cloned() else { panic!() };
    j.edits(&String::from_utf8(draft).unwrap()).removes().notes("nothing was written").free().quiet();
    reading(ARTICLE).keys("W f").edits("\n").removes().notes("empty").free().quiet();
}

#[test]
fn a_draft_with_mistakes_is_not_sent() {
    let j = reading(ARTICLE).keys("W f").edits(&EDITED.replace("From: Me <me@h>", "From:")).quiet();
    assert!(j.over().contains("From is empty"), "{}", j.over());
    let j = j.keys("s").notes("not sent: From is empty").quiet();
    // Again in the editor, and then it may go.
    let j = j.keys("e").free().expect_run(&["ed", "-s", PATH]).ran(Ok(()));
    let j = j.expect_read(PATH).expect(Effect::Redraw).read(Ok(EDITED.into()));
    j.keys("s").expect_fetch("news:a.b").taken().removes().notes("posted").quiet();
}

#[test]
fn a_refused_article_is_shown_with_the_servers_words_and_kept() {
    for error in [
        FetchError::new(Kind::Said, "The server did not take the article: 441 too short."),
        FetchError::new(Kind::Broken, "It is not known whether the article was taken.").hint("Look first."),
    ] {
        let (detail, hint) = (error.detail.clone(), error.hint.clone().unwrap_or_default());
        let j = reading(ARTICLE).keys("W f").edits(EDITED).keys("s").expect_fetch("news:a.b").fail(error).quiet();
        assert!(j.over().contains(&detail) && j.over().contains(PATH) && j.over().contains(&hint), "{}", j.over());
        let j = j.keys("p").free().notes(PATH).notes("W d").quiet();
        let writes = |effect: &&Effect| matches!(effect, Effect::Write { .. });
        j.keys("W f").look(|j| assert_eq!(j.effects.iter().filter(writes).count(), 1));
    }
}

#[test]
fn a_server_that_wants_a_login_gets_the_article_again() {
    let needs = || FetchError::new(Kind::NeedsLogin, "The server wants to know who you are: 480.");
    let j = reading(ARTICLE).keys("W f").edits(EDITED).keys("s").expect_fetch("news:a.b").fail(needs());
    let j = j.text("ann").keys("Enter").text("secret").keys("Enter").free().expect_fetch("news:a.b");
    let request = j.fetches.last().unwrap().1.clone();
    assert_eq!(request.login.map(|login| login.user), Some(b"ann".to_vec()));
    assert!(request.body.is_some());
    j.taken().removes().quiet();
    let j = reading(ARTICLE).keys("W f").edits(EDITED).keys("s").expect_fetch("news:a.b").fail(needs());
    let j = j.keys("Esc").quiet();
    assert!(j.over().contains("only from those it knows") && j.over().contains(PATH), "{}", j.over());
    j.keys("Esc").free();
}

#[test]
fn a_wrong_password_keeps_the_user() {
    let needs = || FetchError::new(Kind::NeedsLogin, "The server does not accept the password: 481.");
    let j = reading(ARTICLE).keys("W f").edits(EDITED).keys("s").expect_fetch("news:a.b").fail(needs());
    let j = j.text("ann").keys("Enter").text("wrong").keys("Enter").expect_fetch("news:a.b").fail(needs());
    // The cursor is in the password already.
    let j = j.text("right").keys("Enter").expect_fetch("news:a.b");
    let login = j.fetches.last().unwrap().1.login.clone().unwrap();
    assert_eq!((login.user, login.password), (b"ann".to_vec(), b"right".to_vec()));
}

#[test]
fn posting_is_stopped_as_far_as_it_can_be() {
    let sending = || reading(ARTICLE).keys("W f").edits(EDITED).keys("s").expect_fetch("news:a.b");
    let j = sending().stage(Stage::Connecting).keys("Esc");
    let id = j.last();
    let j = j.expect(Effect::Cancel(id)).quiet();
    assert!(j.over().contains("nothing was posted") && j.over().contains(PATH), "{}", j.over());
    let j = sending().stage(Stage::Connecting).stage(Stage::Waiting).keys("Esc");
    let id = j.last();
    let j = j.expect(Effect::Cancel(id)).quiet();
    assert!(j.over().contains("may have the article already") && j.over().contains(PATH), "{}", j.over());
    // What comes after that falls on the floor, and the draft is there to be taken up.
    let j = j.keys("Esc").free().event(FetchEvent::Failed(FetchError::new(Kind::Broken, "late"))).free().quiet();
    j.keys("W d").expect_read("/drafts/");
}

#[test]
fn what_was_posted_is_found_on_its_groups_page() {
    const GROUP: &str =
        "a.b\t1\t7\t1\t\n7\tGopher\tAnn <ann@h>\tThu, 2 Jan 2025 10:00:00 +0000\t<2@h>\t<1@h>\t9\t1\t\n";
    const NEW: &str = "8\tRe: Gopher\tMe <me@h>\tThu, 2 Jan 2025 11:00:00 +0000\t<3@h>\t<1@h> <2@h>\t9\t1\t\n";
    let with = |said: &str, text: &str| {
        let mut j = Journey::new();
        j.choose(|choices| (choices.drafts, choices.editor) = ("/drafts".into(), vec!["ed".into(), "-s".into()]));
        j.app.desk.settings.news.server = wayfarer::config::NewsServer::parse("h").ok();
        j.app.desk.settings.news.posting.from = "Me <me@h>".into();
        let mut j = j.open("news:a.b").answer(media::NEWSGROUP, GROUP.as_bytes());
        j = j.keys("Enter").answer(media::MESSAGE, ARTICLE.as_bytes());
        j.effects.retain(|effect| !matches!(effect, Effect::SyncNewsrc { .. }));
        let head = Head::new(Url::parse("nntp://h/a.b").unwrap(), media::PLAIN);
        let j = j.keys("W f").edits(text).keys("s").expect_fetch("news:a.b");
        let j = j.event(FetchEvent::Head(Box::new(head))).expect_verdict(Verdict::Accept);
        j.event(FetchEvent::Body(said.into())).event(FetchEvent::End(End::default())).removes()
    };
    let reading = |said: &str| with(said, EDITED).notes("posted to a.b");
    // The article in view stays; its group's page is fetched again when the reader comes back to it.
    let j = reading("The server says: 240 <3@h> Article received.").quiet().keys("h").expect_fetch("news:a.b");
    let j = j.answer(media::NEWSGROUP, [GROUP, NEW].concat().as_bytes());
    let entry = j.app.entry().unwrap();
    assert_eq!(entry.focus.and_then(|link| entry.document().unwrap().reference(link)), Some("news:3@h"));
    // Who wrote it has read it.
    let read = j.effects.iter().rev().find_map(|effect| match effect {
        Effect::SyncNewsrc { ours, .. } => ours.read(b"a.b"),
        _ => None,
    });
    assert!(read.is_some_and(|read| read.contains(8)), "{:?}", j.effects);
    let count = j.fetches.len();
    let j = j.keys("Enter").answer(media::MESSAGE, b"Subject: s\r\n\r\nx\r\n").keys("h");
    assert_eq!(j.fetches.len(), count + 1, "once");
    // One that the server has not filed yet.
    let j = reading("240 <3@h>").keys("h").expect_fetch("news:a.b").answer(media::NEWSGROUP, GROUP.as_bytes());
    let j = j.notes("does not list your article yet");
    assert_eq!(j.app.tab.loading, None);
    // An order to servers is no article that any of them lists.
    let cancel = EDITED.replace("Subject: ", "Control: cancel <2@h>\nSubject: ");
    let j = with("240 <4@h>", &cancel).notes("has taken the cancel").keys("h").expect_fetch("news:a.b");
    let j = j.answer(media::NEWSGROUP, GROUP.as_bytes());
    assert!(j.app.hands.note.as_ref().is_none_or(|note| !note.text.contains("does not list")));
    // A server that does not say by which id it took it.
    let j = reading("240 taken").keys("h").expect_fetch("news:a.b");
    j.answer(media::NEWSGROUP, [GROUP, NEW].concat().as_bytes()).shows("2 articles");
}

#[test]
fn what_was_posted_is_shown_where_the_reader_was_on_a_long_page() {
    let row = |n: usize, refers: &str| {
        let time = format!("Thu, 2 Jan 2025 {:02}:{:02}:00 +0000", n / 60, n % 60);
        format!("{n}\tGopher {n}\tAnn <ann@h>\t{time}\t<{n}@h>\t{refers}\t9\t1\t\n")
    };
    let rows: String = (1..=600).map(|n| row(n, "")).collect();
    let group = format!("a.b\t1\t600\t600\t\n{rows}");
    let mut j = Journey::new();
    j.choose(|choices| (choices.drafts, choices.editor) = ("/drafts".into(), vec!["ed".into(), "-s".into()]));
    j.app.desk.settings.news.server = wayfarer::config::NewsServer::parse("h").ok();
    j.app.desk.settings.news.posting.from = "Me <me@h>".into();
    let j = j.open("news:a.b").answer(media::NEWSGROUP, group.as_bytes());
    let mut j = j.keys("n").answer(media::MESSAGE, ARTICLE.as_bytes());
    j.effects.retain(|effect| !matches!(effect, Effect::SyncNewsrc { .. }));
    let head = Head::new(Url::parse("nntp://h/a.b").unwrap(), media::PLAIN);
    let j = j.keys("W f").edits(EDITED).keys("s").expect_fetch("news:a.b");
    let j = j.event(FetchEvent::Head(Box::new(head))).expect_verdict(Verdict::Accept);
    let j = j.event(FetchEvent::Body("240 <601@h>".into())).event(FetchEvent::End(End::default())).removes();
    let j = j.keys("h").expect_fetch("news:a.b");
    let whole = group + &row(601, "<600@h>");
    let mut j = j.head(media::NEWSGROUP).expect_verdict(Verdict::Accept);
    for piece in whole.as_bytes().chunks(whole.len() / 3 + 1) {
        j = j.body(piece);
    }
    let j = j.end();
    let entry = j.app.entry().unwrap();
    assert_eq!(entry.focus.and_then(|link| entry.document().unwrap().reference(link)), Some("news:601@h"));
    assert_eq!(entry.top, wayfarer::doc::Anchor::default());
}

#[test]
fn a_draft_is_thrown_away_only_after_a_question() {
    let j = reading(ARTICLE).keys("W f").edits(EDITED).keys("x").asks("Throw this draft away?").keys("n");
    assert_eq!(j.title(), "Post this article?");
    j.keys("Enter").notes("answer by its letter").keys("x y").removes().free().quiet();
    reading(ARTICLE).keys("W f").edits(EDITED).keys("Esc").free().notes("draft is kept (W d").quiet();
}

/// The list offered an article that had just been posted, on a disk too busy to have taken its file away yet.
#[test]
fn what_is_posted_is_no_draft_before_its_file_is_gone_either() {
    let j = reading(ARTICLE).keys("W f").edits(EDITED).keys("s").expect_fetch("news:a.b").taken().removes();
    let name = PATH.rsplit('/').next().unwrap();
    let j = j.keys("W d").expect_read("/drafts/").read(Ok(name.into())).notes("no drafts");
    let j = j.keys("W d").expect_read("/drafts/").read(Ok(format!("{name}\nold.txt").into_bytes()));
    j.expect_read("/drafts/old.txt").quiet();
}

#[test]
fn a_draft_is_taken_up_again() {
    let j = reading(ARTICLE).keys("W d").expect_read("/drafts/");
    let j = j.read(Ok(b"new.txt\nold.txt\nold.txt.part".to_vec())).expect_read("/drafts/new.txt");
    let j = j.read(Err("gone".into())).expect_read("/drafts/old.txt").read(Ok(EDITED.into()));
    assert_eq!(j.title(), "Drafts");
    let j = j.keys("Down Enter").free().expect_run(&["ed", "-s", "/drafts/old.txt"]);
    let j = j.ran(Ok(())).expect_read("/drafts/old.txt").expect(Effect::Redraw);
    let j = j.read(Ok(EDITED.into())).keys("s").expect_fetch("news:a.b").taken();
    j.expect_remove("/drafts/old.txt").quiet();
    let none = reading(ARTICLE).keys("W d").expect_read("/drafts/");
    none.read(Err("Cannot read it.".into())).notes("no drafts").free().quiet();
}

#[test]
fn nothing_is_lost_when_the_editor_fails_or_a_name_is_taken() {
    let j = reading(ARTICLE).keys("W f");
    let Some(Effect::Write { content, .. }) = j.effects.last().cloned() else { panic!() };
    let mut j = j.wrote(Err(NotWritten::Exists(PATH.into())));
    j.effects.remove(0);
    let j = j.expect_write("/drafts/re-gopher-2.txt", &content, false);
    let mut j = j.wrote(Ok("/drafts/re-gopher-2.txt".into()));
    j.effects.clear();
    let j = j.ran(Err("ed could not be started.".into())).expect(Effect::Redraw).quiet();
    assert!(j.over().contains("ed could not be started.") && j.over().contains("/drafts/re-gopher-2.txt"));
    j.keys("Esc").free();
    let mut j = reading(ARTICLE).keys("W f");
    j.effects.clear();
    let safe = "Nothing was written: --safe forbids it.";
    let j = j.wrote(Err(NotWritten::Failed(safe.into()))).notes("--safe forbids").free().quiet();
    j.keys("W f").look(|j| assert!(matches!(j.effects[..], [Effect::Write { .. }])));
}

#[test]
fn another_text_may_begin_while_one_is_sent_and_quitting_asks_for_it() {
    let j = reading(ARTICLE).keys("W f").edits(EDITED).keys("s").expect_fetch("news:a.b");
    let j = j
        .keys("W d")
        .expect_read("/drafts/")
        .read(Ok(b"one.txt\n".to_vec()))
        .expect_read("/drafts/one.txt")
        .read(Ok(EDITED.into()))
        .keys("Esc");
    j.run("quit").asks("being sent").keys("n").free().quiet().run("quit").keys("q").expect(Effect::Quit);
}

#[test]
fn the_author_is_answered_by_mail() {
    let poster = ARTICLE.replace("Subject", "Followup-To: poster\r\nSubject");
    for (j, keys) in [(reading(&poster), "W f"), (reading(ARTICLE), "W r")] {
        let mut j = j;
        j.app.desk.settings.handlers.insert("mailto".into(), vec!["mail".into(), "{url}".into()]);
        let j = j.keys(keys).asks("mailto:ann@h?subject=Re%3A%20Gopher");
        if keys == "W f" {
            assert!(j.app.hands.note.as_ref().unwrap().text.contains("by mail (Followup-To: poster)"));
        }
        let j = j.keys("y");
        let Some(Effect::Run { arguments: program, .. }) = j.effects.last() else { panic!("{:?}", j.effects) };
        assert_eq!(program[0], "mail");
        assert!(program[1].contains("&in-reply-to=%3C2%40h%3E&body=On%20Thu"), "{program:?}");
        assert!(program[1].contains("%0D%0A%3E%20Hello."), "{program:?}");
    }
    let many = "many words in many lines\r\n".repeat(20_000);
    let mut j = reading(&ARTICLE.replace("Hello.\r\n", &many));
    j.app.desk.settings.handlers.insert("mailto".into(), vec!["mail".into(), "{url}".into()]);
    let j = j.keys("W r").asks("more letters").keys("y");
    let Some(Effect::Run { arguments: program, .. }) = j.effects.last() else { panic!("{:?}", j.effects) };
    assert!(program[1].len() < 64 * 1024);
}

#[test]
fn an_article_is_sent_on_by_mail_to_whom_the_reader_names() {
    let mut j = reading(ARTICLE);
    j.app.desk.settings.handlers.insert("mailto".into(), Vec::new());
    j.app.desk.settings.handlers.insert("sendmail".into(), vec!["sendmail".into(), "-t".into()]);
    let j = j.keys("W F");
    let Some(Effect::Write { content: draft, .. }) = j.effects.last().cloned() else { panic!("{:?}", j.effects) };
    let draft = String::from_utf8(draft).unwrap();
    assert!(draft.starts_with("From: Me <me@h>\nTo: \nSubject: Fwd: Gopher\n\n"), "{draft}");
    let j = j.edits(&draft.replace("To: ", "To: bob@h").replace("\n\n\n", "\n\nLook:\n\n"));
    assert!(j.over().contains("This goes to bob@h.") && j.over().contains("no files of it"), "{}", j.over());
    let j = j.keys("s");
    let Some(Effect::Pipe { input, .. }) = j.effects.last().cloned() else { panic!("{:?}", j.effects) };
    let input = String::from_utf8(input).unwrap();
    assert!(input.contains("\nTo: bob@h\n") && input.contains("\nMessage-ID: <2@h>\n\nHello.\n"), "{input}");
    // Without a program that takes mails from here the mail program is given it.
    let mut j = reading(ARTICLE);
    j.app.desk.settings.handlers.insert("mailto".into(), vec!["mail".into(), "{url}".into()]);
    j.keys("W F").asks("mailto:?subject=Fwd%3A%20Gopher&body=-----");
}

#[test]
fn without_a_mail_program_mails_are_drafts() {
    let mut j = reading(ARTICLE);
    j.app.desk.settings.handlers.insert("sendmail".into(), Vec::new());
    j.app.desk.settings.handlers.insert("mailto".into(), Vec::new());
    let j = j.keys("W r");
    let Some(Effect::Write { content: draft, .. }) = j.effects.last().cloned() else { panic!("{:?}", j.effects) };
    let draft = String::from_utf8(draft).unwrap();
    assert!(draft.contains("To: Ann <ann@h>\nSubject: Re: Gopher\nIn-Reply-To: <2@h>\n"), "{draft}");
    let j = j.edits(&draft.replace("> Hello.", "> Hello.\nYes.")).quiet();
    assert!(j.over().contains("the mail is not sent") && j.over().contains(PATH), "{}", j.over());
    let mut j = reading(ARTICLE);
    j.app.desk.settings.handlers.insert("mailto".into(), Vec::new());
    let j = j.open("mailto:b@h?subject=Hi&bcc=evil@h&body=One%0D%0Atwo");
    let Some(Effect::Write { path, content: draft, .. }) = j.effects.last().cloned() else { panic!() };
    assert_eq!(path, "/drafts/hi.txt");
    let draft = String::from_utf8(draft).unwrap();
    assert_eq!(draft, "From: Me <me@h>\nTo: b@h\nSubject: Hi\n\nOne\ntwo\n\n");
}

/// `From: "Smith, Bob (work)" <bob@example>` lost its quotes: two people got the answer.
#[test]
fn before_a_mail_goes_it_is_said_to_whom() {
    let answering = |author: &str| {
        let mut j = reading(&ARTICLE.replace("From: Ann <ann@h>", author));
        j.app.desk.settings.handlers.insert("mailto".into(), Vec::new());
        j.app.desk.settings.handlers.insert("sendmail".into(), vec!["sendmail".into(), "-t".into()]);
        let j = j.keys("W r");
        let Some(Effect::Write { content: draft, .. }) = j.effects.last().cloned() else { panic!("{:?}", j.effects) };
        j.edits(&String::from_utf8(draft).unwrap().replace("> Hello.", "> Hello.\nYes."))
    };
    let j = answering("From: \"Smith, Bob (work)\" <bob@example>");
    assert!(j.over().contains("This goes to bob@example."), "{}", j.over());
    let j = j.keys("s");
    let Some(Effect::Pipe { input, .. }) = j.effects.last().cloned() else { panic!("{:?}", j.effects) };
    let input = String::from_utf8(input).unwrap();
    assert!(input.contains("\nTo: \"Smith, Bob (work)\" <bob@example>\n"), "{input}");
    let j = answering("From: Ann <ann@h>\r\nReply-To: Ann <ann@home>, \"List, of all\" <list@h>");
    for words in ["This goes to 2 addresses: ann@home, list@h.", "The author, ann@h, wants answers at ann@home, list@h"]
    {
        assert!(j.over().contains(words), "{}", j.over());
    }
    let j = answering("From: Ann <ann@h>\r\nReply-To: \"Ann <other@x>");
    for words in ["This goes to ann@h.", "Its Reply-To names nobody that could be told for sure"] {
        assert!(j.over().contains(words), "{}", j.over());
    }
    // What the reader writes is looked at as well.
    let j = j.keys("e").expect_run(&["ed", "-s", PATH]).ran(Ok(()));
    let j = j.expect_read(PATH).expect(Effect::Redraw);
    let j = j.read(Ok(b"From: Me <me@h>\nTo: Smith, Bob <bob@example>\nCc: \"x\nSubject: y\n\nYes.\n".to_vec()));
    assert!(j.over().contains("Cc: \"\"x\" is no address."), "{}", j.over());
}

/// An escaped comma belongs to an address: it made two of it.
#[test]
fn a_mail_link_names_whom_it_is_read_to_name() {
    let with = |link: &str, program: &[&str]| {
        let mut j = reading(ARTICLE);
        let program = program.iter().map(|word| (*word).to_owned()).collect();
        j.app.desk.settings.handlers.insert("mailto".into(), program);
        j.open(link)
    };
    let draft = |link: &str| match with(link, &[]).effects.last() {
        Some(Effect::Write { content, .. }) => String::from_utf8_lossy(content).into_owned(),
        other => panic!("{other:?}"),
    };
    let evil = "mailto:a%2Cother@x,b@h?cc=%3D%3Futf-8%3Fq%3Fc%3D40x%3D2C%3F%3D%20%3Cd@h%3E&subject=s";
    assert_eq!(draft(evil), "From: Me <me@h>\nTo: b@h\nCc: \"c@x,\" <d@h>\nSubject: s\n\n\n");
    let j = with(evil, &["mail", "{url}"]).asks("A mail to b@h, with a program:").asks("no link may say it: a,other@x");
    j.asks("mail mailto:b@h?cc=%22c%40x%2C%22%20%3Cd%40h%3E&subject=s");
    // All of them are named.
    let many: Vec<String> = (0..40).map(|n| format!("somebody{n}@example.org")).collect();
    let j = with(&format!("mailto:{}", many.join(",")), &["mail", "{url}"]);
    j.asks(&format!("A mail to {}, with", many.join(", ")));
}

/// A mail that was written here, with the program that takes it.
fn a_mail() -> Journey {
    let mut j = reading(ARTICLE);
    j.app.desk.settings.handlers.insert("mailto".into(), Vec::new());
    j.app.desk.settings.handlers.insert("sendmail".into(), vec!["sendmail".into(), "-t".into()]);
    let j = j.open("mailto:b@h.example?subject=Hi&body=One");
    let mut j = j.edits("From: Me <me@h.example>\nTo: b@h.example\nSubject: Hi\n\nOne and more\n");
    j.effects.clear();
    j
}

#[test]
fn a_mail_that_is_written_here_goes_to_sendmail_after_a_last_look() {
    let j = a_mail();
    assert_eq!(j.title(), "Send this mail?");
    assert!(j.over().contains("One and more"), "{}", j.over());
    let j = j.keys("s");
    let Some(Effect::Pipe { id, program, input, .. }) = j.effects.last().cloned() else { panic!("{:?}", j.effects) };
    assert_eq!(program, ["sendmail", "-t"]);
    let input = String::from_utf8(input).unwrap();
    assert!(input.contains("To: b@h.example\n") && input.ends_with("\n\nOne and more\n"), "{input:?}");
    let j = j.event_of(id, FetchEvent::End(End::default()));
    assert!(j.effects.iter().any(|effect| matches!(effect, Effect::Remove { .. })), "{:?}", j.effects);
    j.notes("handed over");
}

#[test]
fn a_mail_that_sendmail_does_not_take_is_kept() {
    let given = || {
        let j = a_mail().keys("s");
        let Some(Effect::Pipe { id, .. }) = j.effects.last().cloned() else { panic!("{:?}", j.effects) };
        (j, id)
    };
    let (j, id) = given();
    let cut = Some("sendmail ended with exit status: 75: no queue".into());
    let j = j.event_of(id, FetchEvent::End(End { cut }));
    assert!(j.over().contains("no queue") && j.over().contains("The draft is kept"), "{}", j.over());
    assert!(!j.effects.iter().any(|effect| matches!(effect, Effect::Remove { .. })));
    let (j, id) = given();
    let failed = FetchError::new(Kind::Broken, "sendmail could not be started: No such file or directory.");
    let j = j.event_of(id, FetchEvent::Failed(failed));
    assert!(j.over().contains("could not be started") && j.over().contains("The draft is kept"), "{}", j.over());
}

#[test]
fn no_mail_is_handed_over_where_no_program_may_run() {
    let mut j = a_mail();
    j.choose(|choices| choices.safe = true);
    let j = j.keys("s");
    assert!(!j.effects.iter().any(|effect| matches!(effect, Effect::Pipe { .. })), "{:?}", j.effects);
    assert!(j.over().contains("--safe forbids it") && j.over().contains("The draft is kept"), "{}", j.over());
}

#[test]
fn a_mail_program_that_does_not_start_loses_nothing() {
    let mut j = reading(ARTICLE);
    j.app.desk.settings.handlers.insert("mailto".into(), vec!["mail".into(), "{url}".into()]);
    let j = j.open("mailto:b@h?subject=Hi&body=One").asks("mail mailto:b@h").keys("y");
    let j = j.ran(Err("mail is not installed here.".into())).asks("in your editor instead").keys("y");
    let Some(Effect::Write { content: draft, .. }) = j.effects.last().cloned() else { panic!("{:?}", j.effects) };
    assert_eq!(String::from_utf8(draft).unwrap(), "From: Me <me@h>\nTo: b@h\nSubject: Hi\n\nOne\n\n");
}

#[test]
fn a_new_article_goes_to_the_group_in_view() {
    let group = |j: &Journey| match j.effects.last() {
        Some(Effect::Write { content: draft, .. }) => String::from_utf8(draft.clone()).unwrap(),
        other => panic!("{other:?}"),
    };
    let mut j = Journey::new().open("news:a.b").answer(media::PLAIN, b"x").quiet();
    j.choose(|choices| choices.signature = "-- \nMe\n".into());
    assert_eq!(group(&j.keys("W p")), "From: \nNewsgroups: a.b\nSubject: \n\n\n-- \nMe\n");
    let j = Journey::new().open("nntps://h/a.c").answer(media::PLAIN, b"x").quiet();
    assert!(group(&j.keys("W p")).starts_with("Server: nntps://h\nFrom: \nNewsgroups: a.c\n"));
    assert!(group(&reading(ARTICLE).keys("W p")).contains("\nNewsgroups: a.b\n"));
    assert!(group(&reading(ARTICLE).run("post x.y,x.z")).contains("\nNewsgroups: x.y,x.z\n"));
}

#[test]
fn what_is_no_page_of_news_names_no_group() {
    for url in ["http://h/comp.lang.c", "gopher://h/1comp.lang.c"] {
        let j = Journey::new().open(url).answer(media::HTML, b"<p>x").run("post");
        let Some(Effect::Write { content, .. }) = j.effects.last() else { panic!("{:?}", j.effects) };
        let text = String::from_utf8_lossy(content);
        assert!(text.contains("\nNewsgroups: \n"), "{url}: {text}");
    }
}

#[test]
fn what_is_no_article_cannot_be_answered() {
    Journey::at(&["0|A|/a"]).keys("W f").notes("no article").keys("W r").notes("no article").quiet();
    let mail = "From: a@h\r\nSubject: x\r\n\r\nx";
    reading(mail).keys("W f").notes("in no newsgroup").quiet();
    reading("Subject: x\r\nNewsgroups: a\r\n\r\nx").keys("W f").notes("who wrote it").quiet();
    let j = Journey::new().open("news:1@h").head(media::MESSAGE).body(ARTICLE.as_bytes());
    // One that still comes is waited for.
    assert!(j.keys("W f").app.hands.note.is_none());
    let large = format!("{ARTICLE}{}", "x".repeat(33 << 20));
    reading(&large).keys("W f").notes("larger than 32 MiB").quiet();
}

#[test]
fn a_long_article_is_answered_from_its_beginning() {
    let long = ARTICLE.replace("Hello.\r\n", &"Hello, hello, hello.\r\n".repeat(150_000));
    assert!(long.len() > 3 << 20);
    let j = reading(&long).keys("W f");
    let Some(Effect::Write { content: draft, .. }) = j.effects.last() else { panic!("{:?}", j.effects) };
    assert!(draft.len() < 300 * 1024 && String::from_utf8_lossy(draft).contains("> Hello, hello"));
    assert!(String::from_utf8_lossy(draft).contains("> […]"));
}

#[test]
fn a_mail_link_is_shown_in_words_and_says_only_what_it_may() {
    let with = |link: &str| {
        let mut j = Journey::at(&["0|A|/a"]);
        j.app.desk.settings.handlers.insert("mailto".into(), vec!["mail".into(), "{url}".into()]);
        j.open(link)
    };
    let runs = |j: Journey| match j.keys("y").effects.last() {
        Some(Effect::Run { arguments: program, .. }) => program.join(" "),
        other => panic!("{other:?}"),
    };
    // RFC 6068, 6.1 and 6.2
    let rows = [
        ("mailto:chris@example.com", "to chris@example.com,", "mail mailto:chris@example.com"),
        (
            "mailto:list@example.org?In-Reply-To=%3C3469A91.D10AF4C@example.com%3E",
            "in-reply-to: <3469A91.D10AF4C@example.com>",
            "mail mailto:list@example.org?in-reply-to=%3C3469A91.D10AF4C%40example.com%3E",
        ),
        (
            "mailto:infobot@example.com?body=send%20current-issue%0D%0Asend%20index",
            "body: send current-issue … (2 lines)",
            "mail mailto:infobot@example.com?body=send%20current-issue%0D%0Asend%20index",
        ),
        (
            "mailto:?to=joe@example.com&cc=bob@example.com&body=hello",
            "to joe@example.com, with a program:\ncc: bob@example.com\nbody: hello",
            "mail mailto:joe@example.com?cc=bob%40example.com&body=hello",
        ),
        (
            "mailto:gorby%25kremvax@example.com",
            "to gorby%kremvax@example.com,",
            "mail mailto:gorby%25kremvax@example.com",
        ),
        (
            "mailto:unlikely%3Faddress@example.com?blat=foop",
            "left out, as no link may say it: blat",
            "mail mailto:unlikely%3Faddress@example.com",
        ),
        ("mailto:Mike%26family@example.org", "to Mike&family@example.org,", "mail mailto:Mike%26family@example.org"),
        ("mailto:%22not%40me%22@example.org", "to \"not@me\"@example.org,", "mail mailto:%22not@me%22@example.org"),
        (
            "mailto:user@example.org?subject=%3D%3Futf-8%3FQ%3Fcaf%3DC3%3DA9%3F%3D",
            "subject: café",
            "mail mailto:user@example.org?subject=%3D%3Futf-8%3FQ%3Fcaf%3DC3%3DA9%3F%3D",
        ),
        (
            "mailto:a@h?attach=/etc/passwd&Bcc=all@h&subject=x&From=boss@h",
            "left out, as no link may say it: attach, bcc, from",
            "mail mailto:a@h?subject=x",
        ),
    ];
    for (link, said, run) in rows {
        assert_eq!(runs(with(link).asks(said)), run, "{link}");
    }
    // nothing that is said moves the terminal
    let j = with("mailto:a@h?subject=%1B%5B2Jx%E2%80%AEy&body=%1B%5D0;t%07").asks("subject: ");
    let Some(Overlay::Question { text, .. }) = j.app.hands.overlays().last() else { panic!() };
    assert!(!text.join("").contains(|c: char| c.is_control() || c == '\u{202E}'), "{text:?}");
}

#[test]
fn a_draft_of_a_mail_says_what_was_left_out_of_the_link() {
    let mut j = reading(ARTICLE);
    j.app.desk.settings.handlers.insert("mailto".into(), Vec::new());
    let j = j
        .open("mailto:b@h?subject=%3D%3Futf-8%3FQ%3Fcaf%3DC3%3DA9%3F%3D&attach=/etc/passwd")
        .notes("no link may say it: attach");
    let Some(Effect::Write { content: draft, .. }) = j.effects.last() else { panic!("{:?}", j.effects) };
    assert_eq!(String::from_utf8_lossy(draft), "From: Me <me@h>\nTo: b@h\nSubject: café\n\n\n");
}

#[test]
fn words_from_the_draft_never_reach_the_screen_raw() {
    let evil = EDITED.replace("Hello too.", "a\u{1b}[2Jb");
    let j = reading(ARTICLE).keys("W f").edits(&evil);
    assert!(!j.over().contains('\u{1b}') && j.over().contains("control character"), "{:?}", j.over());
    // An editor in the locale of another time.
    let mut j = reading(ARTICLE).keys("W f");
    j.effects.clear();
    let j = j.wrote(Ok(PATH.into())).ran(Ok(()));
    let j = j.read(Ok(EDITED
        .replace("too", "z\u{1}")
        .into_bytes()
        .iter()
        .map(|b| if *b == 1 { 0xe9 } else { *b })
        .collect()));
    assert!(j.over().contains("zé"), "{}", j.over());
}

#[test]
fn whoever_has_not_moved_stays_at_the_start_when_the_last_threads_come() {
    let row = |n: usize| {
        let time = format!("Thu, 2 Jan 2025 {:02}:{:02}:{:02} +0000", n / 3600, n / 60 % 60, n % 60);
        format!("{n}\tGopher {n}\tAnn <ann@h>\t{time}\t<{n}@h>\t\t9\t1\t\n")
    };
    let (first, rest) = ((1..=3000).map(row).collect::<String>(), (3001..=6000).map(row).collect::<String>());
    let j = Journey::new().open("news://h/a.b").head(media::NEWSGROUP).expect_verdict(Verdict::Accept);
    let j = j.body(format!("a.b\t1\t600\t600\t\n{first}").as_bytes()).shows("Gopher 3000");
    // The newest threads are the first, and they come last, with the end of the page.
    let whole = j.hold().body(rest.as_bytes()).end().work().shows("Gopher 6000");
    assert_eq!(whole.app.entry().unwrap().top, wayfarer::doc::Anchor::default());
}
