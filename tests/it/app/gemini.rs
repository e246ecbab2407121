//! Gemini space as a reader meets it: questions, secrets, certificates, redirects.

use super::journey::{Journey, url};
use wayfarer::app::{Effect, Kept, Overlay, PromptKind, Remembered};
use wayfarer::format::media;
use wayfarer::proto::{Again, FetchError, FetchEvent, Kind, Moved};
use wayfarer::url::scheme::gemini;

fn asks(kind: Kind, question: &str) -> FetchError {
    FetchError::new(kind, question)
}

fn at(address: &str) -> Journey {
    Journey::new()
        .open(address)
        .expect_fetch(address)
        .answer(media::GEMTEXT, b"=> /search Search\n=> /login Log in\n")
        .quiet()
}

fn moved(j: Journey, to: &str) -> Journey {
    let from = j.fetches.last().unwrap().1.url.without_fragment();
    let moved = Moved { from, to: to.into(), status: "30, for now".into(), again: Again::Get, unkept: false };
    j.event(FetchEvent::Moved(Box::new(moved)))
}

#[test]
fn a_servers_question_is_asked_over_the_page_and_its_answer_is_the_query() {
    at("gemini://h/")
        .keys("Enter")
        .expect_fetch("gemini://h/search")
        .fail(asks(Kind::NeedsWords, "h asks: What for?"))
        .prompts("h asks: What for?", "")
        .at_url("gemini://h/")
        .shows("Search")
        .text("two words?")
        .keys("Enter")
        .expect(Effect::Keep(Kept::Words { prompt: PromptKind::Answer, words: "two words?".into() }))
        .expect_fetch("gemini://h/search?two%20words%3F")
        .answer(media::GEMTEXT, b"hits\n")
        .at_url("gemini://h/search?two%20words%3F")
        .look(|j| assert_eq!(j.app.tab.history.len(), 2))
        .keys("R")
        .expect_fetch("gemini://h/search?two%20words%3F");
}

#[test]
fn esc_at_a_servers_question_leaves_the_page_as_it_is() {
    let j = at("gemini://h/").keys("Enter").expect_fetch("gemini://h/search");
    let j = j.fail(asks(Kind::NeedsWords, "h asks: What for?")).keys("Esc").free().quiet().at_url("gemini://h/");
    assert_eq!(j.app.tab.history.len(), 1);
}

#[test]
fn a_question_before_any_page_is_the_page() {
    let j = Journey::new().open("gemini://h/search").expect_fetch("gemini://h/search");
    let j = j.fail(asks(Kind::NeedsWords, "h asks: What for?")).shows("What for?").prompts("h asks: What for?", "");
    let j =
        j.text("x").keys("Enter").expect(Effect::Keep(Kept::Words { prompt: PromptKind::Answer, words: "x".into() }));
    let j = j.expect_fetch("gemini://h/search?x").answer(media::GEMTEXT, b"hits\n").at_url("gemini://h/search?x");
    assert_eq!(j.app.tab.history.len(), 1);
    // Left without an answer it can be asked again.
    let j = Journey::new().open("gemini://h/search").expect_fetch("gemini://h/search");
    j.fail(asks(Kind::NeedsWords, "h asks: What for?")).keys("Esc R").expect_fetch("gemini://h/search");
}

#[test]
fn what_is_answered_in_secret_is_neither_shown_nor_kept() {
    let j = at("gemini://h/").keys("Down Enter").expect_fetch("gemini://h/login");
    let j = j.fail(asks(Kind::NeedsSecret, "h asks: PIN"));
    assert!(j.app.hands.is_at_secret());
    let j = j.text("hunter2").keys("Enter").expect_fetch("gemini://h/login?hunter2");
    assert_eq!(j.fetches.last().unwrap().1.told, Some(url("gemini://h/login?***")));
    let j = j.answer(media::GEMTEXT, b"=> /next?hunter2 On\n").quiet().at_url("gemini://h/login?***");
    let told = format!("{:?} {:?}", j.app.library.visits, j.app.session());
    assert!(!told.contains("hunter2"), "{told}");
    // It is not sent again without a word.
    j.keys("R").asks("sent again").text("n").quiet();
}

#[test]
fn a_server_that_is_told_a_secret_may_repeat_it_and_nobody_sees() {
    let j = Journey::new().open("gemini://h/login").expect_fetch("gemini://h/login");
    let j = j.fail(asks(Kind::NeedsSecret, "h asks: PIN")).text("hunter2").keys("Enter");
    let j = moved(j.expect_fetch("gemini://h/login?hunter2"), "/in?hunter2").expect_fetch("gemini://h/in?hunter2");
    let j = j.fail(asks(Kind::Said, "hunter2 is wrong")).at_url("gemini://h/in?***").shows("*** is wrong");
    assert!(!j.page().contains("hunter2"), "{}", j.page());
}

#[test]
fn a_secret_of_two_letters_is_hidden_where_it_is_all_that_is_said() {
    let j = Journey::new().open("gemini://h/login").expect_fetch("gemini://h/login");
    let j = j.fail(asks(Kind::NeedsSecret, "h asks: PIN")).text("x9").keys("Enter");
    let j = moved(j.expect_fetch("gemini://h/login?x9"), "/got?x9").expect_fetch("gemini://h/got?x9");
    let j = j.answer(media::GEMTEXT, b"=> /a/x9/b in\n=> //x9/x9a?x9b out\n").at_url("gemini://h/got?***");
    let told = format!("{:?} {:?} {:?}", j.app.library.visits, j.app.session(), j.app.tab.label());
    assert!(!told.contains("x9"), "{told}");
    let j = j.keys("Enter").expect_fetch("gemini://h/a/x9/b").answer(media::GEMTEXT, b"in\n");
    let j = j.at_url("gemini://h/a/***/b").keys("Left Down Enter");
    // Part of a word, and a host, it is by chance.
    j.expect_fetch("gemini://x9/x9a?x9b").answer(media::GEMTEXT, b"out\n").at_url("gemini://x9/x9a?x9b");
}

#[test]
fn redirects_stay_in_gemini_space_or_ask() {
    let from = || Journey::new().open("gemini://h/").expect_fetch("gemini://h/");
    let mut j = from();
    for hop in 1..=5 {
        j = moved(j, &format!("gemini://other/{hop}")).expect_fetch(&format!("gemini://other/{hop}"));
    }
    moved(j, "/6").quiet().shows("more than 5 times");
    moved(from(), "https://h/").asks("https://h/").text("y").expect_fetch("https://h/");
    moved(from(), "file:///etc/passwd").quiet().free().shows("file of this machine");
    for act in ["about:certificates?make=x&below=/&for=gemini://h/", "about:cookies?forget=h", "about:certificates?x"] {
        moved(from(), act).quiet().free().shows("only you can ask");
    }
}

#[test]
fn a_page_that_wants_a_certificate_leads_to_making_one() {
    let j = Journey::new().open("gemini://h/app/x").expect_fetch("gemini://h/app/x");
    let j = j.fail(FetchError::new(Kind::NeedsCertificate, "h wants to know you by a certificate (60)."));
    let choice = "about:certificates?for=gemini%3A%2F%2Fh%2Fapp%2Fx";
    let j = j.shows("choose a certificate of yours").keys("Enter").expect_fetch(choice);
    let new = "about:certificates?new=%2Fapp%2F&for=gemini%3A%2F%2Fh%2Fapp%2Fx";
    let j = j.answer(media::OWN, format!("=> {new} Make a new one\n").as_bytes()).keys("Enter").expect_fetch(new);
    let j = j.fail(asks(Kind::NeedsWords, "Name on the certificate")).text("Ada").keys("Enter");
    let j = j.expect(Effect::Keep(Kept::Words { prompt: PromptKind::Name, words: "Ada".into() }));
    let j = j.quiet().asks("calls you \"Ada\", and show it to gemini://h/app/").text("y");
    let made = "about:certificates?make=Ada&below=%2Fapp%2F&for=gemini%3A%2F%2Fh%2Fapp%2Fx";
    let j = moved(j.expect_fetch(made), "gemini://h/app/x").expect_fetch("gemini://h/app/x");
    let j = j.answer(media::GEMTEXT, b"in\n").at_url("gemini://h/app/x");
    assert!(j.app.tab.history.iter().all(|entry| !entry.url.as_str().contains("make=")));
}

#[test]
fn no_page_makes_or_shows_a_certificate_unasked() {
    let act = "about:certificates?use=abc&below=/&for=gemini://evil/";
    let page = format!("=> {act} win\n");
    let j = Journey::new().open("gemini://evil/").answer(media::GEMTEXT, page.as_bytes());
    j.keys("Enter").quiet().asks("gemini://evil/").text("n").quiet();
}

#[test]
fn what_is_done_with_a_certificate_is_asked_in_words() {
    let j = Journey::new().open("about:certificates?new=/app/&for=gemini://h/app/x");
    let j = j.fail(asks(Kind::NeedsWords, "Name on the certificate")).text("Ada").keys("Enter");
    let j = j.asks("calls you \"Ada\"");
    let Some(Overlay::Question { text, .. }) = j.app.hands.top() else { panic!("no question") };
    assert!(text.iter().all(|line| !line.contains("make=") && !line.contains('%')), "{text:?}");
}

#[test]
fn the_command_leads_to_what_may_be_shown_here() {
    Journey::new().run("certificates").expect_fetch("about:certificates");
    at("gemini://h/x").run("certificates").expect_fetch("about:certificates?for=gemini%3A%2F%2Fh%2Fx");
}

#[test]
fn an_input_line_of_spartan_asks_and_sends() {
    let j = Journey::new().open("spartan://h/dir/").answer(media::GEMTEXT, b"=: say?old Say something\n=> say Look\n");
    let j = j.keys("Enter").quiet().prompts("send (Say something)", "").text("a b").keys("Enter");
    let j = j.expect(Effect::Keep(Kept::Words { prompt: PromptKind::Answer, words: "a b".into() }));
    let j = j.expect_fetch("spartan://h/dir/say?a%20b").answer(media::GEMTEXT, b"said\n");
    // What was sent is not sent again without a word.
    let j = j.at_url("spartan://h/dir/say?a%20b").keys("R").quiet().asks("they are sent again").text("n").quiet();
    let j = j.run("source").free();
    j.keys("Left R")
        .text("y")
        .expect_fetch("spartan://h/dir/say?a%20b")
        .answer(media::GEMTEXT, b"again\n")
        .shows("again");
    // In other spaces it is a line like any other.
    let j = Journey::new().open("gemini://h/").answer(media::GEMTEXT, b"=: say Say\n");
    j.shows("=: say Say").keys("Enter").quiet();
}

#[test]
fn words_that_nobody_typed_are_sent_to_spartan_only_by_consent() {
    let page =
        |of: &str, link: &str| Journey::new().open(of).answer(media::GEMTEXT, format!("=> {link} on\n").as_bytes());
    let asked = "Words that you have not typed";
    for of in ["gemini://h/", "spartan://other/", "gemini://other/"] {
        let j = page(of, "spartan://h/post?evil%20data").keys("Enter").quiet().asks(asked);
        j.text("y").expect_fetch("spartan://h/post?evil%20data");
        page(of, "spartan://h/post").keys("Enter").expect_fetch("spartan://h/post");
        // Those that the reader types are sent.
        let j = page(of, "spartan://h/post?").keys("Enter").quiet().text("mine").keys("Enter");
        let j = j.expect(Effect::Keep(Kept::Words { prompt: PromptKind::Answer, words: "mine".into() }));
        j.expect_fetch("spartan://h/post?mine");
    }
    page("spartan://h/", "/say?hello").keys("Enter").expect_fetch("spartan://h/say?hello");
    let j = moved(page("spartan://h/", "/say").keys("Enter").expect_fetch("spartan://h/say"), "/del?serverdata");
    j.quiet().asks(asked).text("n").quiet();
}

#[test]
fn a_directory_of_nex_is_text_with_links() {
    let j = Journey::new().open("nex://h/dir/").answer(media::NEX, b"# no  heading\n=> a.txt A text\n```\n=> b/ B\n");
    j.shows("# no  heading").keys("Down Enter").expect_fetch("nex://h/dir/b/");
}

#[test]
fn a_file_is_read_and_sent_after_a_yes_and_its_token_is_seen_by_nobody() {
    let j = at("gemini://h/notes.gmi")
        .run("upload")
        .prompts("upload to h (a file, or none to write it)", "")
        .text("~/new.gmi")
        .keys("Enter");
    let j = j.quiet().prompts("token, if it wants one", "");
    assert!(j.app.hands.is_at_secret());
    let j = j.text("hunter2").keys("Enter").quiet().asks("Read this file and send it to h").asks("~/new.gmi");
    let j = j.text("y").expect_read("~/new.gmi").read(Ok(b"# New\n".to_vec()));
    let j = j.expect_fetch("titan://h/notes.gmi;token=hunter2");
    let request = &j.fetches.last().unwrap().1;
    let body = request.body.as_ref().unwrap();
    assert_eq!((body.media.as_str(), body.octets.as_slice()), ("text/gemini", &b"# New\n"[..]));
    assert_eq!(request.told, Some(url("titan://h/notes.gmi")));
    let j = moved(j, "gemini://h/notes.gmi").expect_fetch("gemini://h/notes.gmi");
    assert_eq!(j.fetches.last().unwrap().1.body, None);
    let j = j.answer(media::GEMTEXT, b"# New\n").at_url("gemini://h/notes.gmi");
    let told = format!("{:?} {:?}", j.app.library.visits, j.app.session());
    assert!(!told.contains("hunter2"), "{told}");
}

#[test]
fn no_file_is_read_without_a_yes() {
    let asked = || Journey::new().open("titan://h/x").quiet().prompts("upload to h (a file, or none to write it)", "");
    asked().text("~/a").keys("Enter Enter").asks("Read this file").text("n").quiet().notes("nothing was sent");
    asked().text("~/a").keys("Enter Esc").free().quiet();
    let j = asked().text("~/a").keys("Enter Enter").text("y").expect_read("~/a");
    j.read(Err("There is no such file.".into())).quiet().notes("Nothing was sent.");
    Journey::at(&["0|A|/a"]).run("upload").quiet().notes("only pages of Gemini space");
}

#[test]
fn a_token_in_an_address_is_neither_shown_nor_kept() {
    let j = Journey::new().keys("g").text("titan://h/x;token=hunter%32").keys("Enter").quiet();
    let j = j.prompts("upload to h (a file, or none to write it)", "").text("~/a").keys("Enter").quiet();
    let j = j.asks("Read this file and send it to h").asks("titan://h/x;token=***");
    let j = j.text("y").expect_read("~/a").read(Ok(b"a\n".to_vec())).expect_fetch("titan://h/x;token=hunter%32");
    assert_eq!(j.fetches.last().unwrap().1.told, Some(url("titan://h/x")));
    let j = j.answer(media::PLAIN, b"kept\n").quiet().at_url("titan://h/x");
    let told = |j: &Journey| {
        let places: Vec<_> = j.app.tab.history.iter().map(|entry| entry.url.as_str()).collect();
        format!("{:?} {:?} {places:?} {:?}", j.app.library.visits, j.app.session(), j.app.words())
    };
    assert!(!told(&j).contains("hunter"), "{}", told(&j));
    // Where nothing is sent, too.
    let j = Journey::new().open("titan://me@h/x;token=hunter2").quiet();
    assert!(j.app.entry().is_some() && !told(&j).contains("hunter"), "{}", told(&j));
    let j = Journey::new().open("titan://h/x;token=hunter2").text("~/a").keys("Enter").text("y").expect_read("~/a");
    let j = j.read(Ok(b"a\n".to_vec())).expect_fetch("titan://h/x;token=hunter2");
    let j = j.fail(asks(Kind::Said, "hunter2 is wrong")).shows("*** is wrong").quiet();
    assert!(!told(&j).contains("hunter"), "{}", told(&j));
}

#[test]
fn the_answer_to_a_file_comes_again_for_a_file() {
    let j = Journey::new().open("titan://h/x").text("~/a").keys("Enter").text("hunter2").keys("Enter").text("y");
    let j = j.expect_read("~/a").read(Ok(b"a\n".to_vec())).expect_fetch("titan://h/x;token=hunter2");
    let j = j.answer(media::GEMTEXT, b"# Kept\n").at_url("titan://h/x").quiet();
    let j = j.keys("R").quiet().asks("answer to a file that was sent").text("y").quiet();
    let j = j
        .prompts("upload to h (a file, or none to write it)", "")
        .text("~/b")
        .keys("Enter")
        .prompts("token, if it wants one", "");
    let j = j.text("hunter2").keys("Enter").text("y").expect_read("~/b").read(Ok(b"b\n".to_vec()));
    let j = j.expect_fetch("titan://h/x;token=hunter2").answer(media::GEMTEXT, b"# Kept\n").at_url("titan://h/x");
    assert_eq!(j.app.tab.history.len(), 1);
}

#[test]
fn an_empty_answer_is_one_too() {
    let j = at("gemini://h/").keys("Enter").expect_fetch("gemini://h/search");
    let j = j.fail(asks(Kind::NeedsWords, "h asks: What for?")).keys("Enter").free().expect_fetch("gemini://h/search?");
    j.answer(media::GEMTEXT, b"all\n").at_url("gemini://h/search?").quiet();
    let j = at("gemini://h/").keys("Down Enter").expect_fetch("gemini://h/login");
    j.fail(asks(Kind::NeedsSecret, "h asks: PIN")).keys("Enter").free().expect_fetch("gemini://h/login?");
    assert_eq!(gemini::line(&url("gemini://h/search?")), Ok("gemini://h/search?".into()));
    // What the program itself wants to know is not nothing.
    let j = Journey::new().open("about:certificates?new=%2F&for=gemini%3A%2F%2Fh%2F");
    let j = j.fail(asks(Kind::NeedsWords, "Name on the certificate"));
    let fetched = j.fetches.len();
    assert_eq!(j.keys("Enter").free().fetches.len(), fetched);
}

#[test]
fn words_for_one_use_are_not_offered_for_another() {
    let mut j = Journey::at(&["7|Find|/f"]);
    let kinds = [(PromptKind::Search, "lanterns"), (PromptKind::Answer, "my answer"), (PromptKind::Name, "Ada")];
    let words = kinds.into_iter().map(|(kind, words)| (kind, vec![words.to_owned()])).collect();
    j.remember(Remembered { words, ..Remembered::default() });
    let j = j.keys("Enter").look(|j| assert_eq!(j.offered(), ["lanterns"])).keys("Esc");
    let ask = |j: Journey, of: &str| j.open(of).fail(asks(Kind::NeedsWords, "h asks: What for?"));
    ask(j, "gemini://h/search").look(|j| assert_eq!(j.offered(), ["my answer"]));
}

#[test]
fn what_is_uploaded_may_be_written_in_the_editor_and_stays_until_it_has_arrived() {
    let begun = || {
        let j = at("gemini://h/notes.gmi").run("upload").keys("Enter");
        let Some(Effect::Write { path, content, replace: false, .. }) = j.effects.last().cloned() else {
            panic!("{:?}", j.effects)
        };
        assert!(path.ends_with("notes.gmi") && path.contains("/drafts/uploads/"), "{path}");
        (j.wrote(Ok(path.clone())), path, content)
    };
    let (j, path, content) = begun();
    assert!(content.starts_with(b"=> /search"), "what is there stands in it");
    let j = j.expect_run(&["vi", &path]).ran(Ok(())).prompts("token, if it wants one", "").keys("Enter");
    let j = j.asks("Send what you wrote to h").text("y").read(Ok(b"# New\n".to_vec()));
    let sent = j.fetches.last().unwrap().1.clone();
    assert_eq!((sent.url.as_str(), sent.body.unwrap().octets), ("titan://h/notes.gmi", b"# New\n".to_vec()));
    let gone = |j: &Journey| {
        j.effects.iter().any(|effect| matches!(effect, Effect::Remove { path: gone, .. } if *gone == path))
    };
    assert!(!gone(&j), "it has not arrived");
    // It fails: the text is where it was, and the page says where.
    let j = j.fail(FetchError::new(Kind::Said, "h cannot do that.")).shows("What you wrote is in");
    assert!(!gone(&j));
    let (j, path, _) = begun();
    let j = j.ran(Ok(())).keys("Enter").text("y").read(Ok(b"# New\n".to_vec())).answer(media::GEMTEXT, b"# Thanks\n");
    assert!(j.effects.iter().any(|effect| matches!(effect, Effect::Remove { path: gone, .. } if *gone == path)));
    // Nothing written, or an editor that fails: nothing is sent.
    let (j, _, content) = begun();
    let j = j.ran(Ok(())).keys("Enter").text("y").read(Ok(content)).notes("nothing was written");
    assert!(matches!(j.effects.last(), Some(Effect::Remove { .. })), "{:?}", j.effects);
    let (j, path, _) = begun();
    j.ran(Err("vi ended with status 1.".into())).notes(&format!("What you wrote is in {path}")).free();
    let (j, path, _) = begun();
    j.ran(Ok(())).keys("Enter").text("n").notes(&format!("what you wrote is in {path}"));
}
