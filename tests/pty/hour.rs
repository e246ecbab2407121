//! An hour of reading, recorded: a reader goes through every space, their own pages and all that can be mistyped, and nothing that
//! is said meanwhile on the last rows is cut there. The rule is the simulation's.

use crate::messages::{no_message_loses_its_end, said};
use crate::server::{Server, whole};
use crate::terminal::Terminal;
use ratatui::backend::TestBackend;
use std::collections::BTreeSet;
use std::net::TcpListener;
use std::path::Path;
use wayfarer::app::command_names;
use wayfarer::config::Settings;
use wayfarer::keys::Keymap;
use wayfarer::shell::record::{Replay, Tape};
use wayfarer::theme::Theme;
use wayfarer::view::draw;

/// Sizes of the screen on which the hour is read, and on which it is looked at.
const SIZES: [(u16, u16); 2] = [(80, 24), (40, 10)];

/// Shows a recording again, message by message: what was said on the last rows of a screen stands there to its last word, or they
/// say where its rest is. Gives what was said.
pub fn said_to_the_end(tape: &Path) -> BTreeSet<String> {
    let keymap = Keymap::preset("default", &command_names(), &mut Vec::new()).unwrap();
    let mut replay = Replay::new(Tape::read(&std::fs::read(tape).unwrap()[..]).unwrap(), Settings::default(), keymap);
    let (mut all, mut last, theme) = (BTreeSet::new(), String::new(), Theme::default());
    for at in 0..replay.place().1 {
        replay.go(at);
        let note = said(replay.app()).map(|(text, _)| text).unwrap_or_default();
        if note == last {
            continue;
        }
        for (columns, rows) in SIZES {
            let mut terminal = ratatui::Terminal::new(TestBackend::new(columns, rows)).unwrap();
            let frame = terminal.draw(|frame| drop(draw(frame, replay.app(), &theme))).unwrap();
            let shown: String = frame.buffer.content.iter().map(|cell| cell.symbol()).collect();
            if let Err(cut) = no_message_loses_its_end(&shown, replay.app(), rows) {
                panic!("{columns}x{rows}: {cut}");
            }
        }
        last.clone_from(&note);
        all.insert(note);
    }
    all
}

/// What is typed, and what is seen then. Where nothing is named the next prompt that opens and closes says that the keys were taken.
type Row = (&'static str, &'static str);

/// As a terminal says it that tells it from the beginning of other keys.
const ESC: &str = "\x1b[27u";

const END: &str = "\x1b[F";

/// Menus, texts, searches, and what is said where there is nothing more of it.
const GOPHER: &[Row] = &[
    ("g{gopher}1\r", "number 3"),
    ("\r", "Line 0 of"),
    ("/harbour\r", ""),
    ("nnnN", ""),
    ("/lighthouse\r", ""),
    ("mq", ""),
    ("`q", ""),
    ("`w", ""),
    ("mQ{esc}", ""),
    ("'zebra\r{esc}", ""),
    ("y", ""),
    ("Y", ""),
    ("\x1by", ""),
    ("\x1bm", ""),
    ("\x1bw", ""),
    ("w", ""),
    ("\x1bl", ""),
    ("\x1bh", ""),
    ("\x1bt", ""),
    ("i", ""),
    ("V", ""),
    ("M", ""),
    (".", ""),
    (",", ""),
    ("\x1b.", ""),
    ("z", ""),
    ("L", ""),
    ("g{gopher}1\r", "number 3"),
    ("\r", "Line 0 of"),
    ("\x1bp", ""),
    ("\x1bn", "A second"),
    ("\x1bn", "short"),
    ("\x1bp", "A second"),
    ("h", "number 3"),
    ("sn", ""),
    ("so", ""),
    ("&text\r", ""),
    ("&zebra\r{esc}", ""),
    ("P*\r", ""),
    ("Pquill*\r", ""),
    ("u", ""),
    ("c", ""),
    ("I", ""),
    ("u", ""),
    ("*", ""),
    ("U", ""),
    ("\x1bu", ""),
    ("\x1bi", ""),
    ("99{esc}", ""),
    ("f{esc}", ""),
    ("fzz{esc}", ""),
    ("R", ""),
    ("g{gopher}7/find\r", "search for"),
    ("two words\r", "Found it"),
    ("h", ""),
    ("g{gopher}0/gone\r", ""),
    ("g{gopher}0/bad%0d%0aline\r{esc}", ""),
];

/// Addresses that lead nowhere, servers that are down, and what was typed of neither.
const WRONG: &[Row] = &[
    ("g{down}\r", "refused"),
    ("R", ""),
    ("\r", ""),
    ("gftp://127.0.0.1:{closed}/\r", "ftp"),
    ("gnntp://127.0.0.1:{closed}/a.group/1\r", ""),
    ("ggemini://127.0.0.1:{closed}/\r", ""),
    ("ghttp://127.0.0.1:{closed}/\r", ""),
    ("gnosuch:thing\r{esc}", ""),
    ("ghttp://h/%00\r{esc}", ""),
    ("ghttp://127.0.0.1:25/\r{esc}", ""),
    ("ghttp://[::1/\r{esc}", ""),
    ("gabout:nothing\r", ""),
    ("gtwo words of no shortcut\r{esc}", ""),
    ("gtelnet://-oProxy/\r{esc}", ""),
    ("gmailto:somebody@x.invalid\r", "y run it"),
    ("n", ""),
    ("gcid:nothing@x\r", ""),
    ("gdata:text/plain,some%20words\r", "some words"),
    ("gfile:///nowhere/at/all\r", "nowhere"),
    ("g{home}/notes.txt\r", "Notes of"),
    ("=", "Anatomy"),
    ("{esc}", ""),
    ("\\", ""),
    ("h", ""),
    ("g{home}/shelf/\r", "one.txt"),
    ("ss", ""),
    ("sd", ""),
    ("sr", ""),
    ("st", ""),
    ("sh", ""),
    ("v", ""),
    ("U", "notes.txt"),
    ("g{home}/box\r", ""),
    ("g{home}/page.html\r", "A page"),
    ("sc", ""),
    ("O{esc}", ""),
    ("#{esc}", ""),
    ("C{esc}", ""),
    ("e", ""),
];

/// Commands with mistakes in them, and such as mean nothing here.
const COMMANDS: &[Row] = &[
    (":nosuch\r{esc}", ""),
    (":quti\r{esc}", ""),
    (":set nosuch 5\r{esc}", ""),
    (":set width many\r{esc}", ""),
    (":set width 60\r", ""),
    (":set theme nosuch\r{esc}", ""),
    (":set wrap\r{esc}", ""),
    (":set limits.silence long\r{esc}", ""),
    (":set charset.hosts x\r{esc}", ""),
    (":set downloads /tmp/x\r{esc}", ""),
    (":set news.server n.example\r{esc}", ""),
    (":theme nosuch\r{esc}", ""),
    (":theme sepia\r", ""),
    (":keep\r", ""),
    (":reload-settings\r", ""),
    (":sort 2\r{esc}", ""),
    (":sort sideways\r{esc}", ""),
    (":goto nowhere\r{esc}", ""),
    (":line-to side\r{esc}", ""),
    (":certificates nobody\r{esc}", ""),
    (":charset klingon\r{esc}", ""),
    (":charset latin1\r{esc}", ""),
    (":undo\r{esc}", ""),
    (":redo\r{esc}", ""),
    (":as nosuch/type\r{esc}", ""),
    (":as text/plain\r{esc}", ""),
    (":trust\r{esc}", ""),
    (":subscribe\r{esc}", ""),
    (":catch-up\r{esc}", ""),
    (":next-in-thread\r{esc}", ""),
    (":followup\r{esc}", ""),
    (":post\r{esc}", ""),
    (":reply-mail\r{esc}", ""),
    (":cancel-article\r{esc}", ""),
    (":supersede\r{esc}", ""),
    (":drafts\r{esc}", ""),
    (":save-mailbox\r{esc}", ""),
    (":put nowhere\r{esc}", ""),
    (":upload\r{esc}", ""),
    (":verify nothing\r{esc}", ""),
    (":forget nothing\r{esc}", ""),
    (":bookmarks import nowhere\r{esc}", ""),
    (":bookmarks export {home}/notes.txt/x.html\r{esc}", ""),
    (":pipe nosuchprogram\r{esc}", ""),
    (":outside\r{esc}", ""),
    (":edit-source\r{esc}", ""),
    (":attributes\r{esc}", ""),
    (":caps\r{esc}", ""),
    (":kept\r{esc}", ""),
    (":offline\r{esc}", ""),
    (":offline\r{esc}", ""),
    (":later\r{esc}", ""),
    (":what base\r{esc}", ""),
    (":what nothing\r{esc}", ""),
    (":netrc\r{esc}", ""),
    (":cookies\r{esc}", ""),
    (":restore\r{esc}", ""),
    (":move-tab up\r{esc}", ""),
    (":tab 7\r{esc}", ""),
    (":private\r", "open"),
    ("{esc}\x17x", ""),
    (":scores\r{esc}", ""),
    (":search-news x\r{esc}", ""),
    (":repeat\r{esc}", ""),
    (":complaints\r", "went wrong"),
    ("{esc}", ""),
];

/// What is kept: bookmarks, marks, history, settings, tabs, panes, downloads.
const KEPT: &[Row] = &[
    ("g{gopher}0/1\r", "A second"),
    ("a", "bookmark"),
    ("\r", ""),
    ("a\r", ""),
    ("B", "Bookmarks"),
    ("e{esc}", ""),
    ("\x1b[1;3A", ""),
    ("\x1b[1;3B", ""),
    ("x", ""),
    ("u", ""),
    ("u", ""),
    ("x", ""),
    ("h", "A second"),
    (";{esc}", ""),
    ("\x08", "Today"),
    ("x", "n no"),
    ("n", ""),
    ("u", ""),
    ("h", ""),
    ("%", "Settings"),
    ("\x1b[C", ""),
    ("\x1b[D", ""),
    ("x", ""),
    ("u", ""),
    ("u", ""),
    ("h", ""),
    ("D", ""),
    ("x{esc}", ""),
    ("gabout:last\r", ""),
    ("\r", ""),
    ("gabout:later\r", ""),
    ("gabout:marks\r", ""),
    ("x", ""),
    ("u", ""),
    ("g{gopher}1\r", "number 3"),
    ("t", "Line 0 of"),
    ("\x17>", ""),
    ("\x17<", ""),
    ("\x17t{esc}", ""),
    ("\x17x", "number 3"),
    ("\x17u", "Line 0 of"),
    ("\x17u", ""),
    ("\x17r", ""),
    ("\x17X", ""),
    ("\x17l{esc}", ""),
    ("\x17x", "number 3"),
    ("|", ""),
    ("\x17w", ""),
    ("\x17w", ""),
    ("\x17o", ""),
    ("|", ""),
    ("|", ""),
    ("d", "name"),
    ("\x15{home}/saved.txt\r", ""),
    ("d", "name"),
    ("\x15{home}/notes.txt\r", "c cancel"),
    ("c", ""),
    ("d", "name"),
    ("\x15{home}/notes.txt/all.txt\r{esc}", ""),
    ("S", "name"),
    ("\x15{home}/page.txt\r", ""),
    ("\x1bd{esc}", ""),
    ("X{esc}", ""),
    ("!{esc}", ""),
    ("!nosuchprogram\r{esc}", ""),
    ("\x1ba", ""),
    ("\x1bo", ""),
    ("\x1bo", ""),
    ("?", "Help"),
    ("/zebra{esc}{esc}", ""),
    ("{esc}{esc}", ""),
    ("g{gopher}1\r", "number 3"),
    ("t", "Line 0 of"),
    ("q", "2 tabs"),
    ("{esc}", ""),
    ("\x17x", ""),
];

/// The tour's spaces: forms of gopher, directories of FTP, an article's group, the web, Gemini.
const SPACES: &[Row] = &[
    ("gabout:tour\r", "Twenty-three"),
    ("\r", "Stop 1 of 23"),
    ("\x1b[F", "Stop 2"),
    ("\r", "Stop 2 of 23"),
    ("\x1b[F", "Stop 3"),
    ("\r", "Stop 3 of 23"),
    ("\x1b[F", ""),
    ("1\r", "Stop 4 of 23"),
    ("1\r", "search for"),
    ("base\r", "are about"),
    ("\x1b[F", "Stop 5"),
    ("\r", "Stop 5 of 23"),
    ("'greeting\ri", "Who and when"),
    ("h", "Stop 6:"),
    ("\x1b[F", "Stop 6"),
    ("\r", "Stop 6 of 23"),
    ("1\r", "call you"),
    ("\x15Ada\t\t \tHello there\ttea\t\r", "clear text"),
    ("y", "Thank you."),
    ("", ""),
    ("\x1b[F", "Stop 7, FTP"),
    ("\r", "README"),
    ("a\r", ""),
    ("P*.txt\r", ""),
    ("s{esc}", ""),
    ("ss", ""),
    ("st", ""),
    ("s{esc}", ""),
    ("sp", ""),
    ("*", ""),
    ("v", ""),
    ("&odd\r{esc}", ""),
    ("c", ""),
    ("u", ""),
    ("U", ""),
    ("\x1bu", ""),
    ("'odd\r\r", "caf"),
    ("\x1bu", "first steps"),
    ("'shelf\r\r", "slow ruler"),
    ("\x1bd", "Enter start"),
    ("{esc}", ""),
    ("*", "Stop 9 of 23"),
    ("h", ""),
    ("gabout:tour\r", "Twenty-three"),
    ("'news\r", ""),
    ("\r", "2 threads new"),
    ("n", "Followup-To"),
    ("N", "Re: Stop 10"),
    ("P", "From: The guide"),
    ("m", ""),
    ("^", ""),
    ("r", ""),
    ("\x1bh", ""),
    ("\x1bt", ""),
    ("\x1bt", ""),
    ("@", ""),
    ("I", ""),
    ("\x1f", ""),
    ("A{esc}", ""),
    ("xr", ""),
    ("xu", ""),
    ("e", ""),
    ("Wf{esc}", ""),
    ("Wx", ""),
    ("Wx", ""),
    ("V", "The guide Thu"),
    ("h", "Followup-To"),
    ("h", "riddle"),
    ("j", ""),
    ("~", ""),
    ("~", ""),
    ("u", ""),
    ("su", ""),
    ("c{esc}", ""),
    ("xu", ""),
    ("\x1b/nothing of this\r{esc}", ""),
    (")", ""),
    ("gabout:tour\r", "Twenty-three"),
    ("'web\r", ""),
    ("\r", "Stop 14 of 23"),
    ("M", ""),
    ("V", ""),
    ("\x1b[F", "Stop 15"),
    ("\r", "Stop 15 of 23"),
    ("Y", ""),
    ("!{esc}", ""),
    ("\x1br", "reference"),
    ("{esc}", ""),
    ("\x1b[F", "Stop 16"),
    ("\r", "Stop 16 of 23"),
    ("\x1b[F", "Stop 17"),
    ("\r", "Stop 17 of 23"),
    ("'nowhere\r{esc}", ""),
    ("\x1b[F", "Stop 18"),
    ("\r", "Stop 18 of 23"),
    ("\x1b[H\t\t\t", ""),
    (" ", ""),
    ("\x1be", ""),
    ("\x1b[F", "Stop 19"),
    ("\r", "Stop 19 of 23"),
    ("\x1b[F", "Stop 20"),
    ("\r", "Stop 20 of 23"),
    ("i", ""),
    (":certificates\r{esc}", ""),
    (":upload\r{esc}", ""),
    ("C{esc}", ""),
    ("\x1b[F", ""),
    ("R", ""),
    ("\x1ba", ""),
];

/// Until the prompt for an address opens: past a box that came late, which takes no key before it can have been seen.
fn is_free(terminal: &mut Terminal) -> &mut Terminal {
    const LATE: &str = "press that again";
    terminal.keys("g").see_that("the prompt, or a box", |screen| screen.contains("open:") || screen.contains(LATE));
    let mut boxed = !terminal.screen().contains("open:");
    if boxed {
        while boxed {
            terminal.keys(ESC).see_that("the box closed", |screen| {
                boxed = screen.contains("┌─");
                !boxed || screen.contains(LATE)
            });
        }
        terminal.keys("g").see("open:");
    }
    terminal
}

/// Reads for an hour on a screen of a size; gives what was said.
fn read(columns: u16, rows: u16) -> BTreeSet<String> {
    let menu: String = (0..30)
        .map(|n| (n, if n < 2 { "text with quite a long name" } else { "text" }))
        .map(|(n, name)| format!("0A {name}, number {n}\t/{n}\t127.0.0.1\t{{port}}\r\n"))
        .collect();
    let text: String = (0..60).map(|n| format!("Line {n} of a text, harbour in it.\n")).collect();
    let server = Server::start(vec![
        ("", whole(format!("iTexts of the harbour\t\tx\t1\r\n{menu}"))),
        ("/0", whole(&text)),
        ("/1", whole(format!("A second\n{text}"))),
        ("/2", whole("short")),
        ("/find\ttwo words", whole("0Found it\t/0\t127.0.0.1\t{port}\r\n.\r\n")),
    ]);
    let closed = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let mut terminal = Terminal::start_with(
        &["--record", "hour.jsonl", "--record-octets", "about:help"],
        columns,
        rows,
        &[("EDITOR", "true")],
    );
    let home = terminal.home().to_path_buf();
    std::fs::create_dir(home.join("shelf")).unwrap();
    for (name, octets) in [
        ("notes.txt", "Notes of the day.\n"),
        ("shelf/one.txt", "one\n"),
        ("shelf/README", "What is on this shelf.\n"),
        ("box", "From a@b Thu Nov 26 00:00:00 2026\nFrom: A <a@b>\nSubject: One\nMessage-ID: <1@b>\n\nWords.\n"),
        (
            "page.html",
            "<title>A page</title><h1>A page</h1><form action=x><input name=q> <input type=submit></form>\
             <table><tr><th>name<th>size<tr><td>a<td>1<tr><td>b<td>2</table>",
        ),
    ] {
        std::fs::write(home.join(name), octets).unwrap();
    }
    terminal.see("Press ?");
    for (keys, sees) in [GOPHER, WRONG, COMMANDS, KEPT, SPACES].concat() {
        let keys = keys
            .replace("{gopher}", &server.url(""))
            .replace("{down}", &format!("gopher://127.0.0.1:{closed}/"))
            .replace("{closed}", &closed.to_string())
            .replace("{home}", &home.display().to_string())
            .replace("{esc}", ESC);
        // Shown where the walk breaks off.
        println!("{keys:?} {sees:?}");
        terminal.keys(&keys);
        match (keys.as_str(), sees) {
            (_, "") => is_free(&mut terminal).keys(ESC).see_no("open:"),
            // A page that still comes has an end that is none.
            (END, sees) => {
                for _ in 0..100 {
                    if terminal.screen().contains(sees) {
                        break;
                    }
                    is_free(&mut terminal).keys(ESC).see_no("open:").keys(END);
                }
                terminal.see(sees).keys(END)
            }
            (_, sees) => terminal.see(sees),
        };
    }
    terminal.keys("Q").end();
    said_to_the_end(&home.join("hour.jsonl"))
}

#[test]
fn an_hour_of_reading_cuts_no_message() {
    let [(columns, rows), _] = SIZES;
    let said = read(columns, rows);
    assert!(said.len() > 110, "{} messages: {said:#?}", said.len());
}

#[test]
fn an_hour_of_reading_on_a_small_screen_cuts_no_message() {
    let [_, (columns, rows)] = SIZES;
    let said = read(columns, rows);
    assert!(said.len() > 110, "{} messages: {said:#?}", said.len());
}
