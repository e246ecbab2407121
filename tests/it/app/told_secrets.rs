//! What a server was told in secret, in what it answers: in links, in titles, in its escaped form.

use super::journey::{Journey, url};
use ratatui::{Terminal, backend::TestBackend};
use wayfarer::app::Effect;
use wayfarer::format::media;
use wayfarer::proto::{FetchError, Kind};
use wayfarer::theme::Theme;
use wayfarer::view::draw;

fn screen(j: &Journey) -> String {
    let mut terminal = Terminal::new(TestBackend::new(120, 40)).unwrap();
    let frame = terminal.draw(|frame| drop(draw(frame, &j.app, &Theme::default()))).unwrap();
    frame.buffer.content.iter().map(|cell| cell.symbol()).collect()
}

/// Neither shown nor kept.
#[track_caller]
fn hides(j: &Journey, secret: &str) {
    let visits: Vec<_> = j.app.library.visits.newest().collect();
    let kept = format!("{:?} {visits:?} {:?} {:?}", j.app.session(), j.app.tab.label(), j.app.hands.note);
    for (what, said) in [("kept", kept), ("shown", screen(j))] {
        assert!(!said.to_lowercase().contains(secret), "{what}: {said}");
    }
}

/// A page that answers `answer`, which was typed unseen.
fn told(answer: &str, asked: &str, page: &str) -> Journey {
    let j = Journey::new().open("gemini://h/sec").expect_fetch("gemini://h/sec");
    let j = j.fail(FetchError::new(Kind::NeedsSecret, "h asks: Password?")).text(answer).keys("Enter");
    j.expect_fetch(asked).answer(media::GEMTEXT, page.as_bytes())
}

fn echo() -> Journey {
    told("pl4inword", "gemini://h/sec?pl4inword", "=> /echo?pl4inword again\n=> /plain plain\n")
}

#[test]
fn a_secret_in_a_link_is_kept_nowhere_however_it_is_opened() {
    let starred = Some(url("gemini://h/echo?***"));
    for way in ["Enter", "t", "T", ":split", ":split link", ":hints-tab"] {
        let j = match way.strip_prefix(':') {
            Some("hints-tab") => echo().run("hints-tab").keys("a"),
            Some(command) => echo().run(command),
            None => echo().keys(way),
        };
        let j = j.expect_fetch("gemini://h/echo?pl4inword");
        assert_eq!(j.fetches.last().unwrap().1.told, starred, "{way}");
        hides(&j, "pl4inword");
        let j = j.answer(media::GEMTEXT, b"# You said pl4inword\n=> /deep?pl4inword deeper\n");
        // What a page says is shown, and not kept.
        let visits: Vec<_> = j.app.library.visits.newest().collect();
        let kept = format!("{:?} {visits:?} {:?}", j.app.session(), j.app.tab.label());
        assert!(!kept.contains("pl4inword"), "{way}: {kept}");
    }
}

#[test]
fn no_line_below_the_page_shows_a_secret_in_clear() {
    let links = [
        "/next?S3cret%20PW",
        "/n%20x?S3cret+PW",
        "/a%20b/S3cret%20PW/c",
        "finger://o/S3cret%20PW",
        "gopher://o/0/a%20b%20S3cret%20PW",
        "http://[S3cret%20PW",
        "#S3cret%20PW",
    ];
    let page = links.map(|link| format!("=> {link} go on\n")).concat();
    let at = || told("S3cret PW", "gemini://h/sec?S3cret%20PW", &page);
    let press = |j: Journey, keys: &str| keys.split_whitespace().fold(j, |j, key| j.keys(key));
    for (many, link) in links.into_iter().enumerate() {
        let focused = || press(at(), &"Down ".repeat(many));
        for way in ["", "Y", "E", "M-r", "=", "= Y"] {
            let j = press(focused(), way);
            assert!(!screen(&j).to_lowercase().contains("s3cret"), "{link} {way}: {}", screen(&j));
            let note = format!("{:?}", j.app.hands.note);
            assert!(!note.contains("S3cret"), "{link} {way}: {note}");
        }
        let mut j = focused();
        j.app.desk.settings.speech = true;
        assert!(!screen(&j).to_lowercase().contains("s3cret"), "{link}: {}", screen(&j));
    }
    // What is copied is true, and so is what is opened.
    let j = at().keys("Y").expect(Effect::Copy("gemini://h/next?S3cret%20PW".into()));
    let j = j.notes("copied gemini://h/next?***").keys("E Enter").expect_fetch("gemini://h/next?S3cret%20PW");
    hides(&j, "s3cret");
    let j = at().keys("M-r Enter").expect_fetch("gemini://h/next?S3cret%20PW");
    hides(&j, "s3cret");
    for way in ["", "Y", "E", "M-r"] {
        let j = told("gEheim zä", "gemini://h/sec?gEheim%20z%C3%A4", "=> /n?gEheim%20z%C3%A4 on\n");
        let j = press(j, way);
        assert!(!screen(&j).to_lowercase().contains("heim"), "{way}: {}", screen(&j));
    }
}

#[test]
fn a_secret_is_hidden_on_every_page_that_is_reached_from_where_it_was_told() {
    let page = b"=> /back?pl4inword back\n=> http://o.example/?p=pl4inword away\n";
    for way in ["Down Enter", "Down t"] {
        let j = echo().keys(way).expect_fetch("gemini://h/plain").answer(media::GEMTEXT, page);
        let j = j.keys("t").expect_fetch("gemini://h/back?pl4inword");
        assert_eq!(j.fetches.last().unwrap().1.told, Some(url("gemini://h/back?***")), "{way}");
        let j = j.answer(media::GEMTEXT, b"=> http://o.example/?p=pl4inword away\n").keys("Enter");
        let j = j.expect_fetch("http://o.example/?p=pl4inword").answer("text/html", b"out");
        hides(&j.at_url("http://o.example/?p=***"), "pl4inword");
    }
    // Typed anew in the same tab, the server says it again.
    let j = echo().open("gemini://h/other").answer(media::GEMTEXT, page).keys("Enter");
    let j = j.expect_fetch("gemini://h/back?pl4inword").answer(media::GEMTEXT, b"in\n");
    hides(&j.at_url("gemini://h/back?***"), "pl4inword");
    // The address of its link, to be changed: what is typed is kept without a secret alone.
    let j = echo().keys("E Enter").expect_fetch("gemini://h/echo?pl4inword");
    hides(&j, "pl4inword");
    assert!(!format!("{:?}", j.effects).contains("Words"), "{:?}", j.effects);
    // Nobody else's words are hidden.
    let j = echo().keys("Down Enter").answer(media::GEMTEXT, b"=> /next?word on\n").keys("Enter");
    j.expect_fetch("gemini://h/next?word").answer(media::GEMTEXT, b"in\n").at_url("gemini://h/next?word");
}

#[test]
fn a_password_of_an_address_or_a_login_is_hidden_in_the_links_of_its_pages() {
    let page = b"<a href=/x?p=w3bsecret>x</a>";
    let typed = || Journey::new().open("http://u:w3bsecret@h/").answer("text/html", page);
    let wants = || FetchError::new(Kind::NeedsLogin, "h asks for a password.");
    let asked = || {
        let j = Journey::new().open("http://h/").fail(wants()).text("joe").keys("Tab").text("w3bsecret");
        j.keys("Enter").expect_fetch("http://h/").answer("text/html", page)
    };
    for way in ["Tab Enter", "Tab t", "Tab T"] {
        for j in [typed(), asked()] {
            let j = j.keys(way);
            assert!(j.fetches.last().unwrap().1.url.as_str().ends_with("h/x?p=w3bsecret"), "{way}");
            hides(&j, "w3bsecret");
            hides(&j.answer("text/html", b"in"), "w3bsecret");
        }
    }
    // What every address shows is none.
    for (address, next) in [
        ("ftp://anonymous:guest@h/", "ftp://anonymous:guest@h/guest/"),
        ("ftp://demo:demo@h/", "ftp://demo:demo@h/demo/"),
        ("ftp://u:test@test.example/", "ftp://u:test@test.example/test/"),
    ] {
        let j = Journey::new().open(address).answer(media::GEMTEXT, format!("=> {next} in\n").as_bytes());
        j.keys("Enter").expect_fetch(next).answer(media::GEMTEXT, b"in\n").at_url(next);
    }
}

#[test]
fn an_answer_that_is_said_again_in_its_escaped_form_stays_hidden() {
    let sent = || {
        let j = Journey::new().open("gemini://h/sec").fail(FetchError::new(Kind::NeedsSecret, "h asks: Password?"));
        j.text("hunter2SECRET zä").keys("Enter").expect_fetch("gemini://h/sec?hunter2SECRET%20z%C3%A4")
    };
    for said in
        ["hunter2SECRET%20z%C3%A4", "hunter2secret+z%c3%a4", "%68unter2SECRET%2520z%25C3%25A4", "hunter2SECRET zä"]
    {
        let j = sent().fail(FetchError::new(Kind::Said, format!("It says: not {said} (51)")));
        hides(&j.shows("It says: not *** (51)"), "secret");
        let j = sent().fail(FetchError::new(Kind::NeedsWords, format!("Again {said}?"))).prompts("Again ***?", "");
        hides(&j, "secret");
        let j = sent().answer(media::GEMTEXT, format!("# {said}\n").as_bytes());
        assert!(!format!("{:?} {:?}", j.app.tab.label(), j.app.session()).contains("unter2"), "{said}");
    }
}

#[test]
fn the_line_and_the_anatomy_of_a_link_show_no_secret() {
    let j = echo();
    hides(&j, "pl4inword");
    let j = j.keys("=");
    assert!(j.over().contains("gemini://h/echo?***") && !j.over().contains("pl4inword"), "{}", j.over());
    let j = j.keys("Esc").run("links");
    hides(&j, "pl4inword");
    let j = echo().run("split anatomy");
    hides(&j, "pl4inword");
    // A short one is a whole value, and hidden too.
    let j = told("42", "gemini://h/sec?42", "=> /echo?pin=42 again\n").keys("=");
    assert!(j.over().contains("gemini://h/echo?pin=***") && !j.over().contains("42"), "{}", j.over());
    // The bookmark of a link is of what is shown.
    let j = echo().run("bookmark link");
    hides(&j, "pl4inword");
}

#[test]
fn a_title_that_repeats_a_secret_is_kept_nowhere_whatever_page_it_is_of() {
    let j =
        echo().keys("Down Enter").expect_fetch("gemini://h/plain").answer(media::GEMTEXT, b"# You said pl4inword\n");
    let visits: Vec<_> = j.app.library.visits.newest().collect();
    let kept = format!("{:?} {visits:?} {:?} {:?}", j.app.session(), j.app.tab.label(), j.effects);
    assert!(kept.contains("You said ***") && !kept.contains("pl4inword"), "{kept}");
    let j = j.run("bookmark");
    assert!(!format!("{:?}", j.app.hands).contains("pl4inword"), "{:?}", j.app.hands);
}

#[test]
fn a_short_secret_hides_whole_words_alone() {
    let j = told("the", "gemini://h/sec?the", "# The other bathes\n=> /other/the/x?the go\n").keys("=");
    assert!(j.over().contains("gemini://h/other/***/x?***"), "{}", j.over());
    assert!(format!("{:?}", j.app.tab.label()).contains("*** other bathes"), "{:?}", j.app.tab.label());
}

#[test]
fn a_download_that_is_led_on_tells_nothing_that_was_told_in_secret() {
    use wayfarer::proto::{Again, FetchEvent, Moved};
    let moved = |to: &str| {
        let (from, status) = (url("http://h/a.iso"), "302 w3bsecret".into());
        FetchEvent::Moved(Box::new(Moved { from, to: to.into(), status, again: Again::Get, unkept: false }))
    };
    let asked = || {
        let page = b"<a href=http://joe:w3bsecret@h/a.iso>x</a>";
        Journey::new().open("http://o/").answer(media::HTML, page).keys("d")
    };
    let j = asked().event(moved("ftp://o.example/w3bsecret/a.iso")).notes("elsewhere: ftp://o.example/***/a.iso");
    hides(&j, "w3bsecret");
    // One that is followed says where it went without it, and so does what becomes of it there.
    let j = asked().event(moved("http://o.example/w3bsecret/a.iso")).expect_fetch("http://o.example/w3bsecret/a.iso");
    assert_eq!(j.fetches.last().unwrap().1.told, Some(url("http://o.example/***/a.iso")));
    let j = j.event(FetchEvent::Failed(FetchError::new(Kind::Refused, "Nothing is at /w3bsecret/a.iso.")));
    hides(&j.notes("Nothing is at /***/a.iso."), "w3bsecret");
    let j = asked().event(moved("http://o.example/w3bsecret/b"));
    let j = j.event(moved("ftp://o.example/w3bsecret/b")).notes("elsewhere: ftp://o.example/***/b");
    hides(&j, "w3bsecret");
}
