//! Articles written with a program of the reader's own and posted to a news server.

use crate::terminal::Terminal;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::os::unix::fs::PermissionsExt;
use std::sync::{Arc, Mutex};

const ARTICLE: &str = "220 0 <2@h>\r\nFrom: Ann <ann@h>\r\nNewsgroups: a.b\r\nSubject: =?utf-8?q?K=C3=A4se?=\r\n\
                       Message-ID: <2@h>\r\n\r\nHello there.\r\n-- \r\nAnn\r\n.\r\n";

/// A news server with one article, which answers a post as the test says, the last answer again and again.
struct News {
    port: u16,
    posted: Arc<Mutex<Vec<String>>>,
}

impl News {
    fn start(answers: &'static [&'static str]) -> News {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let news = News { port: listener.local_addr().unwrap().port(), posted: Arc::default() };
        let posted = Arc::clone(&news.posted);
        std::thread::spawn(move || {
            while let Ok((visitor, _)) = listener.accept() {
                let posted = Arc::clone(&posted);
                std::thread::spawn(move || serve(&visitor, &posted, answers));
            }
        });
        news
    }

    fn url(&self) -> String {
        format!("news://127.0.0.1:{}/2@h", self.port)
    }

    fn posted(&self) -> Vec<String> {
        self.posted.lock().unwrap().clone()
    }
}

fn serve(visitor: &TcpStream, posted: &Mutex<Vec<String>>, answers: &[&str]) {
    let mut lines = BufReader::new(visitor).split(b'\n').map_while(Result::ok);
    let mut out = visitor;
    let _ = out.write_all(b"200 ready\r\n");
    while let Some(line) = lines.next() {
        let line = String::from_utf8_lossy(&line).trim_end().to_owned();
        let answer = match line.split(' ').next().unwrap() {
            "ARTICLE" => ARTICLE,
            "POST" => {
                let _ = out.write_all(b"340 send it\r\n");
                let article: Vec<Vec<u8>> = lines.by_ref().take_while(|line| line != b".\r").collect();
                let mut posted = posted.lock().unwrap();
                posted.push(String::from_utf8_lossy(&article.join(&b'\n')).into_owned());
                answers[(posted.len() - 1).min(answers.len() - 1)]
            }
            "QUIT" => return,
            _ => "200 go on\r\n",
        };
        let _ = out.write_all(answer.as_bytes());
    }
}

/// A program in the home folder that stands for an editor.
fn editor(terminal: &Terminal, script: &str) {
    let path = terminal.home().join("editor");
    fs::write(&path, format!("#!/bin/sh\n{script}\n")).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o700)).unwrap();
}

const WRITES: &str = r#"[ "$1" = "-x y" ] && exit 3
[ "$1" = -x ] || exit 4
printf 'Danke schön.\n.\n' >> "$2""#;

fn start(news: &News, more: &[&str]) -> Terminal {
    let url = news.url();
    let arguments: Vec<&str> =
        ["-o", "news.from=Me <me@h>"].iter().chain(more).copied().chain([url.as_str()]).collect();
    let terminal = Terminal::start_with(&arguments, 80, 24, &[("EDITOR", "./editor -x")]);
    editor(&terminal, WRITES);
    terminal
}

#[test]
fn an_answer_is_written_in_the_readers_editor_and_posted() {
    let news = News::start(&["240 taken\r\n"]);
    let mut terminal = start(&news, &[]);
    terminal
        .see("Hello there.")
        .loaded()
        .keys("Wf")
        .see("Post this article?")
        .see("Subject: Re: Käse")
        .see("Danke schön.");
    terminal.see("> Hello there.").keys("s").see("posted to a.b").see_no("Post this article?");
    let [article] = &news.posted()[..] else { panic!("{:?}", news.posted()) };
    let (header, text) = article.split_once("\r\n\r\n").unwrap();
    for field in ["From: Me <me@h>", "Newsgroups: a.b", "Subject: Re: =?UTF-8?Q?K=C3=A4se?=", "References: <2@h>"] {
        assert!(header.lines().any(|line| line == field), "{field} in {header}");
    }
    assert!(header.lines().any(|line| line.starts_with("Date: ")), "{header}");
    assert!(header.is_ascii() && !header.contains("Server:"), "{header}");
    assert!(text.ends_with("> Hello there.\r\n\r\n\r\nDanke schön.\r\n..\r"), "{text:?}");
    terminal.keys("Wd").see("no drafts").keys("Q");
    assert_eq!(terminal.end(), 0);
    let drafts = terminal.home().join(".local/share/wayfarer/drafts");
    assert_eq!(fs::read_dir(&drafts).unwrap().count(), 0, "what is posted is no draft");
}

#[test]
fn a_refused_article_is_kept_and_posted_later() {
    let news = News::start(&["441 too little text\r\n", "240 taken\r\n"]);
    let mut terminal = start(&news, &[]);
    terminal
        .see("Hello there.")
        .loaded()
        .keys("Wf")
        .see("Post this article?")
        .keys("s")
        .see("441 too little text")
        .see("re-k-se.txt");
    terminal.keys("p").see_no("Post this article?").see("The draft is kept").keys("Q");
    let drafts = terminal.home().join(".local/share/wayfarer/drafts");
    let draft = fs::read_to_string(drafts.join("re-k-se.txt")).unwrap();
    assert!(draft.starts_with(&format!("Server: nntp://127.0.0.1:{}\n", news.port)), "{draft}");
    assert_eq!(terminal.end(), 0);
}

#[test]
fn a_draft_is_taken_up_from_the_list() {
    let news = News::start(&["240 taken\r\n"]);
    let mut terminal = start(&news, &[]);
    terminal.see("Hello there.").loaded().keys("Wf").see("Post this article?").keys("p").see("The draft is kept");
    terminal
        .keys("Wd")
        .see("Drafts  1")
        .see("re-k-se.txt")
        .keys("\r")
        .see("Post this article?")
        .keys("s")
        .see("posted to a.b");
    assert_eq!(news.posted()[0].matches("Danke").count(), 2, "the editor wrote again");
    terminal.keys("Q");
    assert_eq!(terminal.end(), 0);
}

#[test]
fn safe_writes_no_articles() {
    let news = News::start(&["240 taken\r\n"]);
    let mut terminal = start(&news, &["--safe"]);
    terminal.see("Hello there.").loaded().keys("Wf").see("--safe forbids it").keys("Q");
    assert_eq!(terminal.end(), 0);
    assert!(!terminal.home().join(".local").exists());
    assert_eq!(news.posted(), [""; 0]);
}
