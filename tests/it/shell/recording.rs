//! Recorded runs: each scheme's journey is told again to the browser of today, which asks for the same and ends with the same
//! screen. No secret is in any of them.

mod contents;
mod secrets;

use super::command_line::Place;
use crate::app::journey::menu;
use std::fs;
use std::io::{BufReader, Read};
use std::path::PathBuf;
use std::time::Duration;
use wayfarer::app::{App, Effect, JobId, Msg, Screen, command_names};
use wayfarer::config::Settings;
use wayfarer::format::{Reader, media};
use wayfarer::keys::{Code, Key, Keymap};
use wayfarer::picture::Protocol;
use wayfarer::proto::{End, FetchError, FetchEvent, Head, Kind, Request};
use wayfarer::shell::record::{MOST, Recorder, Replay, Tape, screen};
use wayfarer::stop::Stop;
use wayfarer::theme::Theme;
use wayfarer::url::Url;

/// A browser whose run is recorded.
struct Run {
    app: App,
    recorder: Recorder,
    text: String,
    /// What was asked for last.
    asked: Vec<(JobId, Request)>,
    /// The page that comes.
    reader: Option<Reader>,
    /// What was asked of disk and programs last.
    job: Option<JobId>,
}

fn keymap() -> Keymap {
    Keymap::preset("default", &command_names(), &mut Vec::new()).unwrap()
}

impl Run {
    fn new(octets: bool) -> Run {
        let app = App::new(Settings::default(), keymap(), Screen { columns: 80, rows: 24 });
        let recorder = Recorder::new(octets);
        let text = recorder.header(&app);
        let run = Run { app, recorder, text, asked: Vec::new(), reader: None, job: None };
        run.tell(Msg::Clock("2026-11-21T14:30:00Z[UTC]".parse().unwrap()))
    }

    fn tell(mut self, message: Msg) -> Run {
        let text = &mut self.text;
        let effects = self.recorder.update(&mut self.app, message, &mut |line| text.push_str(&line));
        for effect in effects {
            match effect {
                Effect::Fetch { id, request } => self.asked.push((id, request)),
                Effect::Read { id, .. } | Effect::Write { id, .. } | Effect::Run { id, .. } => self.job = Some(id),
                Effect::Parse { intake, .. } => self.reader = Reader::new(*intake),
                Effect::Work { id, work } => {
                    let product = work.run(&Stop::new()).unwrap();
                    self = self.tell(Msg::Worked { id, product });
                }
                _ => {}
            }
        }
        while self.app.rest().is_some() {
            self = self.tell(Msg::Rest);
        }
        self
    }

    /// What was asked of disk and programs last is done.
    fn done(self, message: impl FnOnce(JobId) -> Msg) -> Run {
        let id = self.job.unwrap();
        self.tell(message(id))
    }

    fn open(self, url: &str) -> Run {
        self.tell(Msg::Go(Url::parse(url).unwrap()))
    }

    fn keys(mut self, names: &str) -> Run {
        for name in names.split(' ') {
            self = self.tell(Msg::Key(Key::named(name).unwrap()));
        }
        self
    }

    fn text(mut self, text: &str) -> Run {
        for c in text.chars() {
            self = self.tell(Msg::Key(Key::plain(Code::Char(c))));
        }
        self
    }

    fn event(mut self, event: FetchEvent) -> Run {
        let (id, elapsed) = (self.asked.last().unwrap().0, Duration::from_millis(80));
        let message = match (self.reader.take(), event) {
            (Some(mut reader), FetchEvent::Body(octets)) => {
                reader.take(&octets);
                let page = Box::new(reader.grown());
                self.reader = Some(reader);
                Msg::Grown { id, elapsed, page }
            }
            (Some(reader), FetchEvent::End(end)) => {
                Msg::Whole { id, elapsed, page: Box::new(reader.finish()), end: Ok(end) }
            }
            (_, event) => Msg::Fetch { id, elapsed, event },
        };
        self.tell(message)
    }

    fn answer(self, kind: &str, body: &str) -> Run {
        let head = Head::new(self.asked.last().unwrap().1.url.without_fragment(), kind);
        let run = self.event(FetchEvent::Head(Box::new(head)));
        run.event(FetchEvent::Body(body.into())).event(FetchEvent::End(End::default()))
    }

    fn shown(&self) -> String {
        screen(&self.app, &Theme::default()).unwrap()
    }

    fn end(mut self) -> String {
        let text = &mut self.text;
        self.recorder.flush(&mut |line| text.push_str(&line));
        self.text
    }
}

const PLUS: &str =
    "+INFO: 0Guest book\t/book\th\t70\t?\r\n+ASK:\r\n Ask: Your name?\tnobody\r\n Choose: Kind?\tgood\tbad\r\n";
const FILES: &str = "drwxr-xr-x 2 ftp ftp 4096 Jan 02 2025 sub\r\n-rw-r--r-- 1 ftp ftp 900 Jan 03 2025 b.txt\r\n\
                     -rw-r--r-- 1 ftp ftp 12 Jan 04 2025 a.txt\r\n";
const ROWS: &str = "1\tGopher\tAnn <a@h>\tThu, 02 Jan 2025 10:00:01 +0000\t<1@h>\t\t900\t9\r\n\
                    2\tRe: Gopher\tBob <b@h>\tThu, 02 Jan 2025 10:00:02 +0000\t<2@h>\t<1@h>\t900\t9\r\n";
const ARTICLE: &str = "From: Ann <a@h>\r\nNewsgroups: g.one\r\nSubject: Gopher\r\nMessage-ID: <1@h>\r\n\
                       Date: Thu, 02 Jan 2025 10:00:01 +0000\r\n\r\nIt lives.\r\n";
const FORM: &str = "<title>Sign in</title><form action=/in method=post><input name=user value=me>\
                    <input type=password name=pw><input type=submit value=Go></form>";

/// A journey through each scheme.
fn journeys() -> Vec<(&'static str, Run)> {
    let gopher = |run: Run| {
        let rows = menu("h", &["i|Welcome.", "1|Sub|/sub", "0|Text|/text", "7|Find|/find"]);
        run.open("gopher://h/").answer(media::MENU, std::str::from_utf8(&rows).unwrap())
    };
    vec![
        (
            "gopher",
            gopher(Run::new(true))
                .keys("Down Enter")
                .answer(media::PLAIN, "A text.\nMore of it.\n")
                .keys("Left Down Enter")
                .text("words")
                .keys("Enter")
                .answer(media::MENU, "0Found\t/f\th\t70\r\n.\r\n"),
        ),
        (
            "gopher-plus",
            Run::new(true)
                .open("gopher://h/0/book%09%09%3F")
                .answer(media::ATTRIBUTES, PLUS)
                .text("nn")
                .keys("Tab Right Tab Enter")
                .answer(media::PLAIN, "Thank you.\n"),
        ),
        (
            "ftp",
            Run::new(true)
                .open("ftp://h/pub/")
                .answer(media::DIRECTORY, FILES)
                .keys("s Down Enter")
                .answer(media::DIRECTORY, "-rw-r--r-- 1 f f 1 Jan 05 2025 c\r\n")
                .keys("Left s"),
        ),
        (
            "news",
            Run::new(true)
                .open("nntp://h/g.one")
                .answer(media::NEWSGROUP, ROWS)
                .keys("Enter")
                .answer(media::MESSAGE, ARTICLE)
                .keys("Left"),
        ),
        (
            "http",
            Run::new(true)
                .open("http://h/")
                .answer(media::HTML, FORM)
                .keys("Down Enter")
                .text("hunter2")
                .keys("Enter Down Enter")
                .answer(media::HTML, "<title>In</title><h1>Welcome</h1><p><a href=/next>next</a>")
                .keys("Down"),
        ),
        (
            "file",
            Run::new(true)
                .open("file:///home/me/")
                .answer(media::DIRECTORY, FILES)
                .keys("Down Down Down Enter")
                .answer(media::PLAIN, "Mine.\n"),
        ),
        (
            "about",
            Run::new(true)
                .open("about:home")
                .answer(media::OWN, "# Home\n\n=> about:history Where you were\n=> gopher://h/ A server\n")
                .keys("Down a Tab Tab Enter H C-h"),
        ),
    ]
}

fn file(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/data/journeys").join(format!("{name}.jsonl"))
}

/// The letters that were typed, as they are written.
fn typed(text: &str) -> String {
    let keys = text.lines().filter_map(|line| line.strip_prefix("{\"key\":\"")?.split("\"").next());
    keys.filter(|key| key.chars().count() == 1).collect()
}

fn replay(text: &str) -> Replay {
    Replay::new(Tape::read(text.as_bytes()).unwrap(), Settings::default(), keymap())
}

/// `cargo test --test it -- --ignored record_the_journeys`
#[test]
#[ignore = "writes the recordings anew, when what is asked for is meant to be another"]
fn record_the_journeys() {
    for (name, run) in journeys() {
        fs::create_dir_all(file(name).parent().unwrap()).unwrap();
        fs::write(file(name), run.end()).unwrap();
    }
}

#[test]
fn a_recorded_journey_through_each_scheme_comes_back_as_it_was() {
    for name in ["gopher", "gopher-plus", "ftp", "news", "http", "file", "about"] {
        let text = fs::read_to_string(file(name)).unwrap();
        let mut replay = replay(&text);
        if let Err(difference) = replay.check() {
            panic!("{name}: {difference}");
        }
        insta::assert_snapshot!(format!("journey_{name}"), screen(replay.app(), &Theme::default()).unwrap());
        // Back and forth is the same again.
        let (last, _) = replay.place();
        let end = screen(replay.app(), &Theme::default()).unwrap();
        replay.go(last / 2);
        replay.go(last);
        assert_eq!(screen(replay.app(), &Theme::default()).unwrap(), end, "{name}");
    }
}

#[test]
fn the_first_difference_is_told_by_its_line() {
    let text = journeys().into_iter().next().unwrap().1.end();
    let line = text.lines().position(|line| line.contains("\"fetch\":1")).unwrap();
    let other = text.replacen("gopher://h/\"}", "gopher://other/\"}", 1);
    let difference = replay(&other).check().unwrap_err();
    assert_eq!(difference.line, line + 1, "{difference}");
    assert!(
        difference.to_string().contains("recorded: {\"fetch\":1,\"request\":{\"url\":\"gopher://other/\"}}"),
        "{difference}"
    );
}

#[test]
fn no_secret_is_in_a_recording_and_it_comes_back_all_the_same() {
    let wants = || FetchEvent::Failed(FetchError::new(Kind::NeedsLogin, "h asks for a password."));
    let run = Run::new(true).open("http://h/").event(wants()).text("joanna").keys("Tab").text("hunter2").keys("Enter");
    let mut head = Head::new(Url::parse("http://h/").unwrap(), media::HTML);
    head.lines = vec!["HTTP/1.1 200 OK".into(), "Set-Cookie: id=hunter3; Path=/".into()];
    let run = run
        .event(FetchEvent::Head(Box::new(head)))
        .event(FetchEvent::Body(FORM.into()))
        .event(FetchEvent::End(End::default()));
    // A form's password, and what it is sent with.
    let run = run.keys("Down Enter").text("hunter4").keys("Enter Down Enter").answer(media::HTML, "<p>in");
    assert!(
        run.asked
            .iter()
            .any(|(_, request)| request.body.as_ref().is_some_and(|body| body.octets.ends_with(b"pw=hunter4")))
    );
    // In an address that is typed, also one that is not finished, corrected, pasted or a command's.
    let run = run.keys("g").text("ftp://me:hunter5@h/").keys("Enter").answer(media::DIRECTORY, FILES);
    let run = run.keys("g").text("ftp://me:hunter6").keys("Esc");
    let run = run.keys("g").text("ftp://me:@h/").keys("Left Left Left").text("hunter7").keys("Enter");
    let run = run
        .keys("g")
        .tell(Msg::Paste("ftp://me:hunter8@h/".into()))
        .keys("Enter")
        .keys(":")
        .text("open ftp://me:hunter9@h/")
        .keys("Enter");
    assert_eq!(run.asked.last().unwrap().1.url.password(), Some("hunter9"));
    let text = run.tell(Msg::Command("open http://me:hunter1@h/".into())).end();
    for secret in ["hunter", "joanna", "anna"] {
        let line = text.lines().find(|line| line.contains(secret));
        assert_eq!(line, None, "{secret}");
    }
    // Neither letter by letter.
    let typed = typed(&text);
    assert!(!typed.contains("hunter") && !typed.contains("joanna"), "{typed}");
    assert!(typed.contains("ftp://me:*******@h/"), "{typed}");
    if let Err(difference) = replay(&text).check() {
        panic!("{difference}");
    }
}

#[test]
fn without_octets_their_length_is_there_and_pages_have_something_in_their_place() {
    let run = Run::new(false).open("gopher://h/0/t").answer(media::PLAIN, "Nobody else should read this.\n");
    let text = run.end();
    assert!(!text.contains("Nobody"), "{text}");
    assert!(text.contains("\"length\":30"), "{text}");
    let mut replay = replay(&text);
    assert_eq!(replay.check(), Ok(()));
    assert_eq!(replay.app().entry().unwrap().page.as_deref().unwrap().received, 30);
    assert!(screen(replay.app(), &Theme::default()).unwrap().contains("what stood here is not in"));
}

#[test]
fn a_picture_and_what_the_terminal_can_come_back() {
    let run = Run::new(true).open("http://h/p.png");
    let head = Head::new(run.asked.last().unwrap().1.url.clone(), "image/png");
    let run = run.event(FetchEvent::Head(Box::new(head))).event(FetchEvent::Body(crate::picture::png(40, 30)));
    let run = run.event(FetchEvent::End(End::default())).tell(Msg::Graphics(Protocol::Kitty, Some((10, 20))));
    let run = run.keys("+ Right").tell(Msg::Graphics(Protocol::Blocks, None));
    let there = run.shown();
    let mut replay = replay(&run.end());
    assert_eq!(replay.check(), Ok(()));
    assert_eq!(screen(replay.app(), &Theme::default()).unwrap(), there);
}

#[test]
fn a_line_that_makes_no_sense_is_named() {
    let text = journeys().into_iter().next().unwrap().1.end();
    let lines: Vec<&str> = text.lines().collect();
    for (bad, said) in [
        ("{\"key\":\"C-nonsense\"}", "there is no key C-nonsense"),
        ("{\"fetch\":{\"ns\":1}}", "id is no number"),
        ("{\"dance\":1}", "there is no message dance"),
        ("{\"key\"", "this is no line of JSON"),
        ("[]", "this is no message"),
        ("{\"resize\":[1]}", "resize is no size"),
    ] {
        let text = [&lines[..2], &[bad], &lines[2..]].concat().join("\n");
        let wrong = Tape::read(text.as_bytes()).unwrap_err();
        assert!(wrong.starts_with("line 3: ") && wrong.contains(said), "{wrong}");
    }
    assert_eq!(Tape::read(&b""[..]).unwrap_err(), "line 1: the file is empty");
    assert_eq!(Tape::read(&b"{\"recording\":2}"[..]).unwrap_err(), "line 1: a newer Wayfarer wrote this (form 2)");
}

#[test]
fn the_program_prints_the_last_screen_or_the_first_difference() {
    let place = Place::new();
    let good = file("gopher").display().to_string();
    let (status, shown, _) = place.run(&["replay", &good]);
    assert_eq!(status, 0);
    assert!(shown.contains("Found"), "{shown}");
    let (status, shown, said) = place.run(&["replay", "--check", &good]);
    assert_eq!((status, shown.as_str()), (0, ""), "{said}");
    let text = fs::read_to_string(&good).unwrap().replacen("gopher://h/\"}", "gopher://other/\"}", 1);
    place.write("other.jsonl", &text);
    let (status, shown, _) = place.run(&["replay", "--check", "other.jsonl"]);
    assert_eq!(status, 1);
    assert!(shown.contains("gopher://other/"), "{shown}");
    place.write("bad.jsonl", format!("{}\n{{\"dance\":1}}\n", text.lines().next().unwrap()));
    let (status, _, said) = place.run(&["replay", "bad.jsonl"]);
    assert_eq!(status, 1);
    assert!(said.contains("bad.jsonl: line 2: there is no message dance"), "{said}");
}

#[test]
fn what_a_file_of_somebody_else_says_reaches_no_terminal_as_it_is() {
    let place = Place::new();
    let nasty = "\u{1b}]0;mine\u{7}\u{9b}31m\u{7f}\u{202e}";
    let text = fs::read_to_string(file("gopher")).unwrap();
    let (head, rest) = text.split_once('\n').unwrap();
    // In an effect, in a message, and in a name that is not known; as it stands and escaped.
    let raw = &nasty[nasty.find('\u{9b}').unwrap()..];
    let effect = format!("{{\"redraw{raw}\":\"{raw}\\u001b[31m\"}}");
    let many = ",\"x\"".repeat(100_000);
    for lines in [
        format!("{{\"complaint\":\"{raw}\\u001b[31m\",\"effects\":[{effect}]}}\n{rest}"),
        format!("{{\"rest\":true,\"effects\":[[\"{raw}\"{many}]]}}\n{rest}"),
        format!("{{\"dance{raw}\\u001b]0;mine\\u0007\":1}}\n"),
        format!("{{\"key\":\"C-{raw}\\u001b[31m\"}}\n"),
        format!("{{\"complaint\":\"{raw}\\u001b[31m\\u001b]0;mine\\u0007\"}}\n"),
    ] {
        place.write("other.jsonl", format!("{head}\n{lines}"));
        for arguments in [&["replay", "--check", "other.jsonl"][..], &["replay", "other.jsonl"]] {
            let (_, shown, said) = place.run(arguments);
            let shown = shown + &said;
            assert!(!shown.chars().any(|c| c.is_control() && c != '\n'), "{shown:?}");
            assert!(!shown.contains('\u{202e}'), "{shown:?}");
            assert!(shown.len() < 20_000, "{} octets", shown.len());
        }
    }
}

#[test]
fn a_recording_has_bounds_and_says_which() {
    let header = r#"{"recording":1,"screen":[80,24],"settings":"","octets":false}"#;
    // As large as can be, all of it a hole.
    let place = Place::new();
    place.write("large.jsonl", header);
    let large = place.path().join("large.jsonl");
    fs::File::options().write(true).open(large).unwrap().set_len(MOST + 1).unwrap();
    let (status, _, said) = place.run(&["replay", "--check", "large.jsonl"]);
    assert_eq!(status, 1);
    assert!(said.contains("longer than 256 MiB"), "{said}");
    // The same where its size is not known beforehand.
    let endless = BufReader::new(header.as_bytes().chain(&b"\n"[..]).chain(Blanks));
    assert!(Tape::read(endless).unwrap_err().contains("longer than 256 MiB"));
    // Two octets each.
    let many = format!("{header}\n{{\"tour\":[{}0]}}\n", "0,".repeat(1 << 22));
    assert!(Tape::read(many.as_bytes()).unwrap_err().contains("line 2: the recording has more than 4194304 parts"));
    // What is not there is not made up without end.
    let read = r#"{"read":{"id":9,"content":{"length":60000000}}}"#;
    let page = r#"{"go":"gopher://h/0/t"}
{"fetch":{"id":1,"ns":1,"head":{"url":"gopher://h/0/t","media":"text/plain"}}}
{"whole":{"id":1,"ns":1,"received":50,"more":{"length":50},"end":{"cut":null}}}"#;
    for (lines, received) in [(page.to_owned(), 50), (format!("{read}\n{page}"), 0)] {
        let mut replay = replay(&format!("{header}\n{lines}\n"));
        replay.go(usize::MAX);
        assert_eq!(replay.app().entry().unwrap().page.as_deref().unwrap().received, received);
    }
}

/// Lines without end.
struct Blanks;

impl Read for Blanks {
    fn read(&mut self, room: &mut [u8]) -> std::io::Result<usize> {
        room.fill(b' ');
        room[room.len() - 1] = b'\n';
        Ok(room.len())
    }
}

#[test]
fn a_page_that_grows_often_comes_back_as_it_was() {
    let mut run = Run::new(true).open("gopher://h/0/t");
    let head = Head::new(run.asked.last().unwrap().1.url.clone(), media::PLAIN);
    run = run.event(FetchEvent::Head(Box::new(head)));
    for number in 0..300 {
        run = run.event(FetchEvent::Body(format!("This is line {number}.\n").into()));
        if number % 100 == 50 {
            run = run.keys("End");
        }
    }
    run = run.event(FetchEvent::End(End::default())).keys("End");
    let there = run.shown();
    let mut replay = replay(&run.end());
    assert_eq!(replay.check(), Ok(()));
    assert_eq!(screen(replay.app(), &Theme::default()).unwrap(), there);
    // Also when it is looked at on the way.
    for place in [120, 60, 280] {
        replay.go(place);
    }
    replay.go(usize::MAX);
    assert_eq!(screen(replay.app(), &Theme::default()).unwrap(), there);
}
