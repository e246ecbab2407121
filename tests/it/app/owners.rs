//! Whose answer is it, whose form is it? What comes late finds its asker, and what is typed reaches what it was typed for.

use super::journey::{Journey, head, lines, menu};
use std::time::Duration;
use wayfarer::app::{DownloadState, Effect, FieldValue, Msg, NotWritten, Overlay, There, Transfer};
use wayfarer::format::media;
use wayfarer::proto::{End, FetchError, FetchEvent, Kind, Verdict};

fn title(j: &Journey) -> String {
    match j.app.hands.top() {
        Some(Overlay::Text { title, .. } | Overlay::List { title, .. }) => title.clone(),
        Some(Overlay::Form(form)) => form.title.clone(),
        other => panic!("{other:?}"),
    }
}

fn wants() -> FetchError {
    FetchError::new(Kind::NeedsLogin, "h asks for a password.")
}

fn slow() -> Journey {
    let page = b"<title>Fast</title><a href=/slow>slow</a><textarea name=t></textarea>";
    let j = Journey::new().open("http://h/").answer("text/html", page).quiet();
    j.keys("Enter").expect_fetch("http://h/slow")
}

#[test]
fn a_login_waits_while_a_bookmark_is_written_and_takes_no_word_of_it() {
    let j = slow().keys("a").text("My title").fail(wants());
    assert_eq!(title(&j), "A new bookmark");
    let j = j.keys("Tab").text("?x").keys("Enter").notes("put among your bookmarks");
    let kept = j.app.library.bookmarks.iter().next().unwrap();
    assert_eq!((kept.title.as_str(), kept.url.as_str()), ("FastMy title", "http://h/?x"));
    // Now the hands are free.
    assert_eq!(title(&j), "Log in to http://h");
    let j = j.text("joe").keys("Tab").text("my:secret1").keys("Enter").free().expect_fetch("http://h/slow");
    let login = j.fetches.last().unwrap().1.login.clone().unwrap();
    assert_eq!((login.user, login.password), (b"joe".to_vec(), b"my:secret1".to_vec()));
    assert_eq!(j.app.library.bookmarks.iter().count(), 1);
}

#[test]
fn a_login_waits_while_lines_are_written_for_a_field() {
    let j = slow().keys("Down Enter").text("one").fail(wants());
    let j = j.keys("Enter").text("two").keys("Tab Enter");
    assert_eq!(title(&j), "Log in to http://h");
    let j = j.text("joe").keys("Tab").text("hunter2").keys("Enter").free().expect_fetch("http://h/slow");
    assert_eq!(j.fetches.last().unwrap().1.login.as_ref().unwrap().password, b"hunter2");
    j.fail(FetchError::new(Kind::Denied, "No.")).keys("Left").shows("[one");
}

#[test]
fn a_form_with_words_in_it_is_not_closed_by_one_key() {
    let j = slow().keys("a").text("Much").keys("Esc").asks("without keeping").keys("Esc");
    assert_eq!(title(&j), "A new bookmark");
    j.keys("Esc y").free().notes("nothing was changed");
    // Nothing was typed: nothing is asked.
    slow().keys("a Esc").free().notes("nothing was changed");
}

const ARTICLE: &str = "From: Ann <ann@h>\r\nNewsgroups: a.b\r\nSubject: Hers\r\nDate: Thu, 02 Jan 2025 10:00:00 +0000\r\n\
                       Message-ID: <2@h>\r\n\r\nHello.\r\n";
const OWN: &str = "From: Me <me@h>\nNewsgroups: a.b\nSubject: Mine\n\nWords.\n";

fn article() -> Journey {
    let mut j = Journey::new();
    j.choose(|choices| (choices.drafts, choices.scratch) = ("/drafts".into(), "/scratch".into()));
    let mut j = j.open("nntp://h/a.b/7").answer(media::MESSAGE, ARTICLE.as_bytes());
    j.effects.clear();
    j
}

#[test]
fn a_source_in_the_editor_is_not_the_draft_that_is_posted() {
    let j = article().run("edit-source").run("post some.group");
    let [copy, draft] = j.writes[..] else { panic!("{:?}", j.writes) };
    for first in [copy, draft] {
        let j = article().run("edit-source").run("post some.group");
        let (path, other) = if first == copy { ("/scratch/7", draft) } else { ("/drafts/some-group.txt", copy) };
        let j = j.send(Msg::Wrote { id: first, result: Ok(path.into()) });
        let path = if first == copy { "/drafts/some-group.txt" } else { "/scratch/7" };
        let j = j.send(Msg::Wrote { id: other, result: Ok(path.into()) });
        // The editor opens twice, in the order in which the files were there.
        let [one, two] = j.runs[..] else { panic!("{:?}", j.runs) };
        let j = j.send(Msg::Ran { id: one, result: Ok(()) }).send(Msg::Ran { id: two, result: Ok(()) });
        let j = j.expect_read("/drafts/some-group.txt").read(Ok(OWN.into()));
        assert_eq!(title(&j), "Post this article?");
        assert!(j.over().contains("Subject: Mine") && !j.over().contains("Hers"), "{}", j.over());
        j.keys("p").notes("/drafts/some-group.txt").free();
    }
}

#[test]
fn an_import_and_the_drafts_are_read_by_those_who_asked() {
    let file = b"<DT><A HREF=\"http://example.org/a.txt\">see a.txt</A>\n".to_vec();
    for drafts_first in [false, true] {
        let j = article().run("bookmarks import FILE").run("drafts");
        let [import, drafts] = j.reads[..] else { panic!("{:?}", j.reads) };
        let answers = [(import, Ok(file.clone())), (drafts, Ok(b"one.txt\nold.txt\n".to_vec()))];
        let [first, second] = if drafts_first { [1, 0] } else { [0, 1] };
        let j = j.send(Msg::Read { id: answers[first].0, content: answers[first].1.clone() });
        let j = j.send(Msg::Read { id: answers[second].0, content: answers[second].1.clone() });
        assert_eq!(
            j.app.library.bookmarks.iter().map(|b| b.url.as_str()).collect::<Vec<_>>(),
            ["http://example.org/a.txt"]
        );
        let j = j.read(Ok(b"Newsgroups: a.b\nSubject: One\n".to_vec())).read(Err("gone".into()));
        let Some(Overlay::List { items, .. }) = j.app.hands.top() else { panic!("no list") };
        assert_eq!(items.iter().map(|item| item.text).collect::<Vec<_>>(), ["a.b: One", "old.txt"]);
    }
}

#[test]
fn an_answer_that_nobody_awaits_changes_nothing() {
    let j = article().run("drafts").expect_read("/drafts/");
    let id = j.reads[0];
    let j = j.read(Ok(b"one.txt\n".to_vec())).expect_read("/drafts/one.txt").read(Ok(OWN.into()));
    let j = j.keys("Esc").free().quiet();
    // The same again, and one that was never asked for.
    for id in [id, wayfarer::app::JobId(9_999)] {
        for message in [
            Msg::Read { id, content: Ok(b"x.txt\n".to_vec()) },
            Msg::Wrote { id, result: Ok("/x".into()) },
            Msg::Wrote { id, result: Err(NotWritten::Exists("/x".into())) },
            Msg::Removed { id, result: Err("no".into()) },
            Msg::Ran { id, result: Err("no".into()) },
            Msg::Summed { id, result: Ok(Vec::new()) },
            Msg::SummedTree { id, result: Err("no".into()) },
            Msg::Prepared { id, there: There::default() },
            Msg::Dated { id, remarks: Vec::new() },
        ] {
            let before = format!("{:?}", j.app);
            let mut app = article().app;
            let effects = wayfarer::app::update(&mut app, message);
            assert_eq!((effects, app.hands.note.is_none()), (Vec::new(), true));
            assert_eq!(before, format!("{:?}", j.app));
        }
    }
}

#[test]
fn words_at_a_prompt_outlive_the_page_they_were_begun_on() {
    let rows: Vec<u8> = menu("h", &["0|A|/a"]);
    let j = Journey::new().open("gopher://h/").answer(media::MENU, &rows).keys("Enter /").text("line 7");
    let j = j.answer(media::PLAIN, &lines(40)).prompts("find", "line 7").keys("Enter");
    assert!(j.app.tab.found.is_some());
}

#[test]
fn what_is_typed_into_a_field_reaches_the_page_of_the_field() {
    let page = b"<a href=/next>next</a><form><input name=q value=old><textarea name=t></textarea></form>";
    let at = || Journey::new().open("http://h/").answer("text/html", page).keys("Enter").expect_fetch("http://h/next");
    let j = at().keys("Down Enter").text("er").answer("text/html", b"other <input name=z value=zed>");
    let j = j.prompts("q", "older").keys("Enter").notes("kept in the field").shows("[zed").keys("Left").shows("[older");
    assert!(!j.effects.iter().any(|effect| matches!(effect, Effect::Fetch { .. })));
    let j = at().keys("Down Down Enter").text("lines").answer("text/html", b"other");
    j.keys("Tab Enter").free().keys("Left").shows("[lines");
}

#[test]
fn at_the_end_of_what_came_one_sees_that_it_was_stopped() {
    let begun = || Journey::new().open("gopher://h/0t").head(media::PLAIN).body(&lines(60)).keys("End");
    let top = |j: &Journey| j.app.entry().unwrap().top.block;
    let before = top(&begun());
    let j = begun().keys("z").end();
    assert_eq!(top(&j), before + 1, "a row for the word below the last line");
    let above = begun().keys("Home z").end();
    assert_eq!(top(&above), 0);
}

#[test]
fn a_page_that_arrives_takes_no_list_and_no_letter_away() {
    let at = || Journey::at(&["1|One|/1", "1|Two|/2"]).keys("Enter").expect_fetch("gopher://h/1/1");
    // What is typed on narrows the list: none of it is a command of the new page.
    let j = at().keys("O").text("tw").answer(media::MENU, &menu("h", &["0|Three|/3", "0|Four|/4"])).text("o");
    let Some(Overlay::List { filter, .. }) = j.app.hands.top() else { panic!("no list") };
    assert_eq!(filter.value(), "two");
    // And its rows are no rows of the new page.
    j.keys("Enter").free().notes("the page before").quiet();
    let j = at().keys("C").text("wind").answer(media::PLAIN, b"text").text("ows-1252");
    j.keys("Enter").free().notes("the page before").quiet();
    // A number meant a link of the page before.
    let j = at().text("2").answer(media::MENU, &menu("h", &["0|Three|/3", "0|Four|/4"]));
    j.keys("Enter").free().notes("the page before").quiet();
    let j = at().keys("f").answer(media::MENU, &menu("h", &["0|Three|/3", "0|Four|/4"])).text("d").free();
    j.notes("no link d").quiet();
    // The anatomy tells of the new page, and a key that was meant for the old one does nothing there.
    let j = at().hasty().keys("=").answer(media::MENU, &menu("h", &["0|Three|/3"]));
    assert!(title(&j) == "Anatomy" && j.over().contains("gopher://h/0/3"), "{}", j.over());
    let j = j.keys("Enter").quiet().notes("this has just come");
    j.keys("Enter").free().expect_fetch("gopher://h/0/3");
    drop(at().hasty().keys("=").answer(media::MENU, &menu("h", &["0|Three|/3"])).keys("Esc").free().quiet());
}

/// A page with a slow reload under way: `R` was pressed, the answer has not come.
fn reloading(html: &str) -> Journey {
    Journey::new().open("http://h/").answer("text/html", html.as_bytes()).keys("R").expect_fetch("http://h/")
}

#[test]
fn a_file_is_not_sent_with_another_form_than_the_one_that_was_agreed_to() {
    let form = |action: &str| {
        format!(
            "<form method=post enctype=multipart/form-data action={action}><input type=file name=f><input type=submit></form>"
        )
    };
    let j = Journey::new().open("http://h/").answer("text/html", form("https://o/up").as_bytes());
    let j = j.keys("Enter").text("~/letter.txt").keys("Enter R").expect_fetch("http://h/");
    let j = j.keys("Down Enter").asks("send the content to o?");
    let j = j.answer("text/html", form("https://evil/up").as_bytes()).text("y").expect_read("~/letter.txt");
    let j = j.read(Ok(b"secret".to_vec())).notes("nothing was sent: the page has changed");
    assert!(!j.effects.iter().any(|effect| matches!(effect, Effect::Fetch { .. })), "{:?}", j.effects);
    // Nor with one that stands at the same place of the path.
    let j = Journey::new().open("http://h/").answer("text/html", b"<a href=/form>f</a><a href=/other>o</a>");
    let j = j.keys("Enter").answer("text/html", form("https://o/up").as_bytes());
    let j = j.keys("Enter").text("~/letter.txt").keys("Enter Down Enter").text("y").expect_read("~/letter.txt");
    let j = j.keys("Left Down Enter").answer("text/html", form("https://o/up").as_bytes());
    let j = j.read(Ok(b"secret".to_vec())).notes("nothing was sent: the page has changed");
    assert!(!j.effects.iter().any(|effect| matches!(effect, Effect::Fetch { .. })), "{:?}", j.effects);
}

#[test]
fn what_is_typed_into_a_field_stays_with_the_field_when_its_page_is_fetched_again() {
    let page = "<form action=/s><input name=q><textarea name=t></textarea></form>";
    // The same field stands elsewhere in the answer.
    let j = reloading(page).keys("Enter").text("abc");
    let j = j.answer("text/html", page.replace("<form", "<input name=new><form").as_bytes()).keys("Enter");
    j.notes("no such field").prompts("q", "abc").quiet();
    // It is where it was, and what was typed is there; nothing is sent by itself, the page is another one.
    let j = reloading(page).keys("Enter").text("abc").answer("text/html", page.as_bytes()).keys("Enter");
    j.notes("the page has changed").shows("[abc_").quiet();
    // Not even its fields have come.
    let j = reloading(page).keys("Enter").text("abc").head("text/html").expect_verdict(Verdict::Accept).keys("Enter");
    j.body(page.as_bytes()).end().shows("[abc_");
    let j = reloading(page).keys("Down Enter").text("lines").head("text/html").expect_verdict(Verdict::Accept);
    j.keys("Tab Enter").free().body(page.as_bytes()).end().shows("[lines");
}

#[test]
fn a_password_goes_into_no_field_that_shows_it() {
    let page = "<form><input name=q type=password></form>";
    let j = reloading(page).keys("Enter").text("geheim").answer("text/html", b"<form><input name=q></form>");
    let j = j.keys("Enter").notes("no such field");
    assert!(!j.page().contains("geheim"));
}

#[test]
fn lines_whose_field_is_gone_are_not_thrown_away() {
    let page = "<form><textarea name=t></textarea></form>";
    let j = reloading(page).keys("Enter").text("long thoughts").answer("text/html", b"gone").keys("Tab Enter");
    let j = j.notes("no such field");
    let Some(Overlay::Form(form)) = j.app.hands.top() else { panic!("no form") };
    let FieldValue::Lines { lines, .. } = &form.fields[0].value else { panic!("no lines") };
    assert_eq!(lines[0].value(), "long thoughts");
    // Those of the editor are offered to a file before theirs goes.
    let mut j = Journey::new().open("http://h/").answer("text/html", page.as_bytes());
    j.choose(|choices| (choices.editor, choices.drafts) = (vec!["ed".into()], "/s".into()));
    let j = j.keys("e");
    let Some(Effect::Write { path, .. }) = j.effects.last() else { panic!("{:?}", j.effects) };
    let path = path.clone();
    let j =
        j.wrote(Ok(path.clone())).keys("R").answer("text/html", b"gone").ran(Ok(())).read(Ok(b"thoughts\n".to_vec()));
    let j = j.notes("no such field");
    let prompt = j.app.hands.prompt().expect("a name for a file");
    assert!(prompt.input.value().ends_with("/field.txt"), "{}", prompt.input.value());
    let name = prompt.input.value().to_owned();
    j.keys("Enter").expect_write(&name, b"thoughts\n", false);
}

#[test]
fn the_links_of_a_page_of_ones_own_stay_those_that_are_chosen_from() {
    let j = Journey::at(&["0|A|/a", "0|B|/b"]).keys("Enter").answer(media::PLAIN, b"a").keys("h Down T");
    let behind = j.last();
    let mut j = j.keys("C-h").at_url("about:history").keys("O");
    let first = |j: &Journey| match j.app.hands.top() {
        Some(Overlay::List { items, .. }) => items.row(0).unwrap().detail,
        other => panic!("{other:?}"),
    };
    let chosen = first(&j);
    assert_eq!(chosen, "gopher://h/0/a");
    // A page in a tab behind arrives, and would come before it.
    for event in [FetchEvent::Head(Box::new(head("gopher://h/0/b", media::PLAIN))), FetchEvent::End(End::default())] {
        j = j.event_of(behind, event);
    }
    assert_eq!(first(&j), chosen);
    j.keys("Enter").expect_fetch(&chosen);
}

#[test]
fn a_download_that_is_paused_is_the_one_that_was_asked_about() {
    let rows = ["9|A|/a", "9|B|/b", "9|C|/c", "9|D|/d", "9|E|/e"];
    let mut j = Journey::at(&rows);
    for _ in rows {
        j = j.keys("d Enter Down");
    }
    for n in 1..5 {
        let (id, request) = j.fetches[n].clone();
        j = j.event_of(id, FetchEvent::Head(Box::new(head(request.url.as_str(), "application/octet-stream"))));
    }
    let waits = |j: &Journey| j.app.transfers.downloads.iter().position(|d| d.state == DownloadState::Queued);
    let at = waits(&j).expect("one waits");
    let mut j = j.keys("D").text("e").keys("Enter").asks("/e");
    // Its turn comes while the reader is asked about it.
    let (id, _) = j.fetches[1].clone();
    let transfer = Transfer::Done("/home/me/a".into(), None);
    j = j.send(Msg::Transfer { id, elapsed: Duration::from_secs(1), transfer });
    assert_eq!(waits(&j), None);
    let under = j.app.transfers.downloads[at].id;
    j.text("p").expect(Effect::Cancel(under));
}
