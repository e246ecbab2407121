//! Pictures of what lies over the page, reached by the keys that lead there.

use super::screens::pictures;
use super::text;
use crate::app::journey::{Journey, menu};
use std::time::Duration;
use wayfarer::app::{KeptDownload, Manner, Msg, Overlay, Remembered, Standing, Transfer};
use wayfarer::bookmarks::{Bookmark, folder};
use wayfarer::config::ConfigError;
use wayfarer::format::media;
use wayfarer::proto::{Certificate, FetchError, FetchEvent, Head, Kind, PinnedCertificate, RefusedCertificate};
use wayfarer::theme::Theme;

const ARTICLE: &str = "From: Ann <ann@h>\r\nNewsgroups: a.b\r\nSubject: Gopher\r\nMessage-ID: <2@h>\r\n\r\nHello.\r\n";
const EDITED: &str =
    "From: Me <me@h>\nNewsgroups: a.b\nSubject: Re: Gopher\nReferences: <2@h>\n\n> Hello.\n\nHello too.\n";
const FORM: &str = "+INFO: 0Form\t/f\th\t70\t?\r\n+ASK:\r\n Note: Welcome to the guest book.\r\n Ask: Your name?\tNobody\r\n \
                    AskP: Your word?\r\n AskL: Your words\r\n Choose: Colour?\tred\tgreen\r\n Select: A copy?:1\r\n";
const FILES: &str = "type=file;size=10;modify=20200102030405; a.txt\r\ntype=OS.unix=slink:/etc; etc\r\n";
const BINARY: &str = "application/octet-stream";
/// An archive that nobody opens any more.
const ZOO: &str = "application/x-zoo-packed";

/// In view of a menu of the host `gopher.example.org`.
fn at(columns: u16, rows: u16) -> Journey {
    let rows_of =
        ["i|Welcome to the example.", "0|About this server|/about", "7|Search|/find", "9|Archive|/pub/a.tar.gz"];
    let more = ["8|A telnet service|joe", "1|A strange port|/x", "I|A picture|/a.gif", "0|Notes|/notes"];
    let rows_of: Vec<&str> = rows_of.into_iter().chain(more).collect();
    let mut j = Journey::sized(columns, rows).open("gopher://gopher.example.org/");
    j.choose(|choices| choices.home_folder = Some("/home/me".into()));
    j.answer(media::MENU, &menu("gopher.example.org", &rows_of))
}

fn page(columns: u16, rows: u16, of: &str, media: &str, text: &str) -> Journey {
    Journey::sized(columns, rows).open(of).answer(media, text.as_bytes())
}

fn taken(name: &str, stage: impl Fn(u16, u16) -> Journey) {
    pictures(name, |columns, rows| stage(columns, rows).app);
}

#[test]
fn the_greeting_of_the_first_time() {
    let text = wayfarer::proto::about::text("home").unwrap();
    taken("greeting", |columns, rows| {
        let mut j = Journey::sized(columns, rows);
        j.remember(Remembered { greets: true, ..Remembered::default() });
        j.open("about:home").answer(media::OWN, text.as_bytes())
    });
}

#[test]
fn the_home_page_with_what_is_the_readers() {
    let text = wayfarer::proto::about::text("home").unwrap();
    taken("home", |columns, rows| {
        let mut j = at(columns, rows);
        let mark = |title: &str| Bookmark { url: "http://h/".into(), title: title.into(), ..Bookmark::default() };
        j.app.library.bookmarks = [mark("A bookmark"), mark("A newer bookmark")].into_iter().collect();
        j.open("about:home").answer(media::OWN, text.as_bytes()).keys("/").text("last").keys("Enter")
    });
}

#[test]
fn the_page_of_downloads() {
    taken("downloads_page", |columns, rows| downloads(columns, rows).open("about:downloads"));
}

#[test]
fn texts() {
    taken("help", |columns, rows| at(columns, rows).keys("?"));
    taken("help_all", |columns, rows| at(columns, rows).keys("? ? End"));
    taken("help_in_list", |columns, rows| at(columns, rows).keys("O F1"));
    taken("help_in_text", |columns, rows| at(columns, rows).keys("= ?"));
    taken("help_in_question", |columns, rows| at(columns, rows).keys("Down Down Enter").head(ZOO).keys("?"));
    taken("help_in_form", |columns, rows| at(columns, rows).keys("a F1"));
    taken("mistakes", |columns, rows| {
        let mut j = at(columns, rows);
        let file = "/home/me/.config/wayfarer/settings.toml".to_owned();
        let mistakes =
            vec![ConfigError { file, line: 3, message: "there is no setting \"hme\"; did you mean home?".into() }];
        j.remember(Remembered { mistakes, ..Remembered::default() });
        j
    });
    taken("tree_plan", |columns, rows| {
        let j = page(columns, rows, "ftp://h/pub/", media::DIRECTORY, FILES).keys("M-d");
        j.head(media::DIRECTORY).body(FILES.as_bytes()).end()
    });
    taken("post", post);
}

/// The last look at an article before it is sent.
fn post(columns: u16, rows: u16) -> Journey {
    let mut j = Journey::sized(columns, rows);
    j.choose(|choices| choices.drafts = "/drafts".into());
    j.app.desk.settings.news.posting.from = "Me <me@h>".into();
    let j = j.open("nntp://h:1119/a.b/7").answer(media::MESSAGE, ARTICLE.as_bytes()).keys("W f");
    let j = j.wrote(Ok("/drafts/re-gopher.txt".into())).ran(Ok(()));
    j.read(Ok(EDITED.into()))
}

#[test]
fn lists() {
    taken("links", |columns, rows| at(columns, rows).keys("O"));
    taken("headings", |columns, rows| {
        let html =
            "<title>A page</title><h1>One</h1><p>x<h2>One and a half, which has a rather long heading</h2><h1>Two</h1>";
        page(columns, rows, "http://h/", media::HTML, html).keys("#")
    });
    taken("places", |columns, rows| at(columns, rows).open("gopher://h/0/a").answer(media::PLAIN, b"x").keys(";"));
    taken("charsets", |columns, rows| at(columns, rows).keys("C"));
    taken("downloads", |columns, rows| downloads(columns, rows).keys("D"));
    taken("list_of_nothing", |columns, rows| at(columns, rows).keys("O").text("nothing like it"));
    taken("drafts", |columns, rows| {
        let listing = "re-gopher.txt\nlamps.txt\n";
        let mut j = at(columns, rows);
        j.choose(|choices| choices.drafts = "/home/me/.local/share/wayfarer/drafts".into());
        let one = "Newsgroups: comp.infosystems.gopher\nSubject: Re: Gopher\n\nx\n";
        let j = j.keys("W d").read(Ok(listing.into())).read(Ok(one.into()));
        j.read(Ok("To: Ann <ann@example.org>\nSubject: Lamps\n\nx\n".into()))
    });
}

/// One that runs, one that is there, one that broke off.
fn downloads(columns: u16, rows: u16) -> Journey {
    let mut j = at(columns, rows);
    let kept = |path: &str, standing, received, said: &str| KeptDownload {
        path: path.into(),
        url: "ftp://ftp.example.org/pub/a.tar".into(),
        standing,
        received,
        length: Some(9_800_000),
        said: said.into(),
        again: true,
        folder: false,
        beside: Vec::new(),
        verified: None,
        remarks: Vec::new(),
        manner: Manner::default(),
    };
    let downloads = vec![
        kept("~/Downloads/whole.tar", Standing::Done, 9_800_000, ""),
        kept("~/Downloads/broken.tar", Standing::Cut, 3_100_000, "The server went away."),
    ];
    j.remember(Remembered { downloads, ..Remembered::default() });
    let j = j.keys("Down Down d Enter");
    let head =
        Head { length: Some(9_800_000), ..Head::new(wayfarer::url::Url::parse("gopher://h/9/x").unwrap(), BINARY) };
    let j = j.event(FetchEvent::Head(Box::new(head))).transfer(Transfer::Begun(0, None));
    let id = j.last();
    let transfer = Transfer::Progress(3_100_000);
    j.send(Msg::Transfer { id, elapsed: Duration::from_secs(3), transfer })
}

/// Strokes for tenths were read out one by one.
#[test]
fn how_far_a_download_is_is_told_in_figures_alone_to_who_listens() {
    let shown = |speech| {
        let mut j = downloads(80, 24);
        j.app.desk.settings.speech = speech;
        text(&j.keys("D").app, &Theme::default())
    };
    assert!(shown(false).contains("[###"), "{}", shown(false));
    let heard = shown(true);
    assert!(
        !heard.contains("[#") && heard.matches("31%").count() == 1 && heard.contains("1 of 3: a.tar.gz"),
        "{heard}"
    );
}

/// Whether another certificate takes the place of the pinned one is asked.
fn changed(columns: u16, rows: u16) -> Journey {
    let since = "2026-03-01".into();
    let pin = Some(PinnedCertificate {
        server: "h.example.org:70".into(),
        certificate: Certificate {
            fingerprint: "cd34".repeat(16),
            described: "for h.example.org; from 2025-01-01 to 2026-01-01; made by itself".into(),
        },
        since,
    });
    let certificate = Some(Box::new(RefusedCertificate {
        certificate: Certificate {
            fingerprint: "ab12".repeat(16),
            described:
                "for h.example.org, \u{202e}www.example.org; from 2026-01-01 to 2027-01-01; made by CN=An Authority"
                    .into(),
        },
        pin,
        first: None,
    }));
    let refused = FetchError { certificate, ..FetchError::new(Kind::Secure, "REFUSED: it has changed.") };
    Journey::sized(columns, rows).open("gophers://h.example.org/").fail(refused).run("trust")
}

#[test]
fn questions_about_what_is_opened() {
    taken("question_port", |columns, rows| {
        page(columns, rows, "gopher://h/", media::MENU, "1Odd\t/x\th\t75\r\n").keys("Enter")
    });
    taken("question_body", |columns, rows| at(columns, rows).keys("Down Down Enter").head(ZOO));
    taken("question_run", |columns, rows| {
        page(columns, rows, "gopher://h/", media::MENU, "8Service\tjoe\tservice.example.org\t23\r\n")
            .keys("Enter Enter")
    });
    taken("question_cookies", |columns, rows| {
        let names = vec!["session".into(), "language".into(), "seen".into()];
        at(columns, rows).send(Msg::Cookies { host: "shop.example.org".into(), names })
    });
    taken("question_trust", |columns, rows| {
        let refused = FetchError::new(Kind::Secure, "The certificate of h is not valid: it is self-signed.");
        let certificate = Some(Box::new(RefusedCertificate {
            certificate: Certificate::unseen("ab12".repeat(16)),
            pin: None,
            first: None,
        }));
        let refused = FetchError { certificate, ..refused };
        Journey::sized(columns, rows).open("https://h/").fail(refused).run("trust")
    });
    taken("question_pin", changed);
    taken("question_forget", |columns, rows| at(columns, rows).run("forget all"));
    taken("question_tabs", |columns, rows| {
        let mut j = at(columns, rows);
        let mark = |n| Bookmark { url: format!("http://h/{n}"), folder: folder("News/Servers"), ..Bookmark::default() };
        j.app.library.bookmarks = (0..34).map(mark).collect();
        j.keys("B").keys("t")
    });
}

#[test]
fn questions_about_what_is_written_and_read() {
    taken("question_discard", |columns, rows| post(columns, rows).keys("x"));
    taken("question_go_on", |columns, rows| {
        let article = "From: E <e@x>\r\nNewsgroups: g.one\r\nSubject: Lamps\r\n\r\nHello.\r\n";
        Journey::sized(columns, rows).open("news://s/9@x").answer(media::MESSAGE, article.as_bytes()).keys("n")
    });
    let upload = |columns, rows| {
        let form = "<form method=post enctype=multipart/form-data action=https://o/up><input type=file name=f><input type=submit></form>";
        page(columns, rows, "http://h/", media::HTML, form).keys("Enter").text("~/a/le")
    };
    taken("question_upload", |columns, rows| upload(columns, rows).text("tter.txt").keys("Enter Down Enter"));
    taken("prompt_file", |columns, rows| {
        upload(columns, rows).keys("Tab").read(Ok(b"lemon.txt\nletter.txt\nlong/\n".to_vec()))
    });
}

#[test]
fn questions_about_files_and_the_end() {
    taken("question_exists", |columns, rows| {
        let j = at(columns, rows).keys("Down Down d Enter").head(BINARY);
        j.transfer(Transfer::Exists("/home/me/Downloads/a.tar.gz".into()))
    });
    taken("question_stop", |columns, rows| downloads(columns, rows).keys("D Enter"));
    taken("question_resume", |columns, rows| downloads(columns, rows).keys("D Down Enter"));
    taken("question_done", |columns, rows| downloads(columns, rows).keys("D Down Down Enter"));
    taken("question_quit", |columns, rows| downloads(columns, rows).keys("q"));
}

#[test]
fn forms() {
    taken("ask", |columns, rows| {
        Journey::sized(columns, rows).open("gopher://h/0/f%09%09%3F").head(media::FORM).body(FORM.as_bytes()).end()
    });
    taken("ask_choice", |columns, rows| {
        let j = Journey::sized(columns, rows).open("gopher://h/0/f%09%09%3F").head(media::FORM);
        j.body(FORM.as_bytes()).end().keys("Tab Tab Tab Space")
    });
    taken("login", |columns, rows| {
        let needs = FetchError::new(Kind::NeedsLogin, "ftp.example.org asks for the password of \"me\".");
        at(columns, rows).open("ftp://me@ftp.example.org/").fail(needs)
    });
}

#[test]
fn prompts() {
    taken("prompt_save", |columns, rows| at(columns, rows).keys("Down Down d"));
    taken("prompt_search", |columns, rows| at(columns, rows).keys("Down Enter").text("some words"));
    taken("prompt_pipe", |columns, rows| at(columns, rows).keys("!").text("sort -r"));
    taken("prompt_command", |columns, rows| at(columns, rows).keys(":").text("tab"));
    taken("prompt_outside", |columns, rows| at(columns, rows).keys("X"));
    taken("prompt_tags", |columns, rows| {
        let mut j = at(columns, rows);
        let tags = vec!["search".into(), "old".into()];
        let (url, title) = ("gopher://gopher.floodgap.com/7/v2/vs".into(), "Veronica-2".into());
        j.app.library.bookmarks = [Bookmark { url, title, tags, ..Bookmark::default() }].into_iter().collect();
        j.keys("g").text("#old")
    });
}

#[test]
fn a_reference_that_is_tried_out() {
    taken("resolve", |columns, rows| {
        let html = "<base href='http://h/x/y/'><p><a href='../z?q'>z</a>";
        page(columns, rows, "http://h/a/b", media::HTML, html).keys("Tab M-r C-u").text("../../../g#top")
    });
}

/// Every word of a question can be read, however small the screen.
#[test]
fn a_question_that_is_longer_than_its_room_comes_in_parts() {
    let said = |j: &Journey| text(&j.app, &Theme::default());
    for (columns, rows) in [(40, 10), (40, 8), (30, 12), (24, 7)] {
        let mut j = changed(columns, rows);
        let first = said(&j);
        let mut parts = vec![first.clone()];
        for _ in 0..40 {
            j = j.keys("Space");
            if said(&j) == first {
                break;
            }
            parts.push(said(&j));
        }
        let of = ["part 2 of ", "2/"].map(|of| format!("{of}{}", parts.len()));
        assert!(parts.len() > 1 && of.iter().any(|of| parts[1].contains(of)), "{columns}x{rows} {of:?}: {parts:#?}");
        assert!(first.contains("Space") && parts.iter().all(|part| part.contains("trust it")), "{parts:#?}");
        let rows = parts
            .iter()
            .flat_map(|part| part.lines())
            .filter(|row| !row.contains("Space") && !row.contains("trust it") && !row.contains("gopher"));
        let letters: String = rows.flat_map(|row| row.chars().filter(|c| c.is_alphanumeric())).collect();
        for words in ["cd34".repeat(16), "ab12".repeat(16)] {
            assert!(letters.contains(&words), "{columns}: {words} is not in {letters}");
        }
        assert!(letters.contains("AnAuthority"), "{letters}");
        // Back, round the end too, and an answer is one wherever the reader is.
        let j = j.keys("Up");
        assert_eq!(said(&j), parts[parts.len() - 1]);
        assert!(j.text("n").keys("Down").app.hands.top().is_none());
    }
}

#[test]
fn help_stands_in_two_columns_where_there_is_room() {
    let at = |columns, keys: &str| {
        let j = Journey::sized(columns, 50).open("gopher://h/").answer(media::MENU, b"0A\t/a\th\t70\r\n").keys(keys);
        let Some(Overlay::Text { document, .. }) = j.app.hands.top() else { panic!("no help") };
        (0..document.blocks().len() as u32).map(|block| document.block_text(block).to_owned()).collect::<Vec<_>>()
    };
    let (wide, narrow) = (at(160, "?"), at(75, "?"));
    assert!(wide.len() * 2 < narrow.len() + 28, "{} of {}", wide.len(), narrow.len());
    // The same rows, the left column before the right one, none longer than the box.
    assert!(wide.iter().all(|row| wayfarer::doc::columns(row) <= 155), "{wide:#?}");
    let names = |rows: &[String]| {
        let mut names: Vec<String> =
            rows.iter().flat_map(|row| row.split("  ")).map(|word| word.trim().into()).collect();
        names.retain(|name: &String| !name.is_empty());
        names.sort();
        names
    };
    assert_eq!(names(&wide), names(&narrow));
    // What has no key can be typed: no row begins with nothing.
    let all = at(80, "? ?");
    let bare = all.iter().filter(|row| row.starts_with("   ")).collect::<Vec<_>>();
    assert!(bare.is_empty() && all.iter().any(|row| row.contains(":complaints ")), "{bare:#?}");
    assert!(at(160, "? ?").iter().any(|row| row.contains(":complaints ")));
}

#[test]
fn help_for_who_listens_has_no_columns() {
    let mut j = Journey::sized(160, 50).open("gopher://h/").answer(media::MENU, b"0A\t/a\th\t70\r\n");
    j.app.desk.settings.speech = true;
    let j = j.keys("?");
    let Some(Overlay::Text { document, .. }) = j.app.hands.top() else { panic!("no help") };
    assert!(!document.text().contains("  "), "{}", document.text());
    assert!(document.text().contains("Enter C-j Right l: follow the link under focus, follow"), "{}", document.text());
}
