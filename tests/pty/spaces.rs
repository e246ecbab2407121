//! One page and more of every space, read again when no server is there any more; a picture of each, on every kind of terminal.

use crate::archive;
use crate::door::Door;
use crate::graphics::{SIXEL, holds, red};
use crate::server::{Server, whole};
use crate::terminal::Terminal;
use image::ImageFormat;
use rcgen::{CertificateParams, KeyPair, PKCS_ECDSA_P256_SHA256};
use rustix::process::Signal;
use rustls::crypto::ring;
use rustls::pki_types::{PrivateKeyDer, PrivatePkcs8KeyDer};
use rustls::{ServerConfig, ServerConnection, StreamOwned};
use std::io::{BufRead, BufReader, Result, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::sync::Arc;

/// Serves whoever comes, until the door is dropped.
fn open(visit: impl Fn(TcpStream) -> Result<()> + Send + Sync + 'static) -> (u16, Door) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let (door, visitors) = Door::open(listener);
    let visit = Arc::new(visit);
    std::thread::spawn(move || {
        for visitor in visitors {
            let visit = Arc::clone(&visit);
            std::thread::spawn(move || visit(visitor));
        }
    });
    (port, door)
}

fn web(visitor: TcpStream) -> Result<()> {
    let mut out = visitor.try_clone()?;
    let mut target = String::new();
    for line in BufReader::new(visitor).lines() {
        let line = line?;
        if let Some(rest) = line.strip_prefix("GET ") {
            target = rest.to_owned();
        }
        if line.is_empty() {
            let (media, body) = match target.starts_with("/p.png ") {
                true => ("image/png", red(16, 32, ImageFormat::Png)),
                false => ("text/html", b"<title>A site</title><p>Spun of silk.".to_vec()),
            };
            let length = body.len();
            let head = format!("HTTP/1.1 200 OK\r\nContent-Type: {media}\r\nContent-Length: {length}\r\n\r\n");
            out.write_all(&[head.as_bytes(), &body].concat())?;
        }
    }
    Ok(())
}

fn ftp(visitor: TcpStream) -> Result<()> {
    archive::answer(&visitor, |verb, name| match verb {
        "MLSD" => b"type=file;size=16;modify=20250102030405; crate.txt\r\n".to_vec(),
        _ if name.ends_with("p.png") => red(16, 32, ImageFormat::Png),
        _ => b"Packed in straw\n".to_vec(),
    })
}

fn news(visitor: TcpStream) -> Result<()> {
    let mut out = visitor.try_clone()?;
    out.write_all(b"200 ready\r\n")?;
    for line in BufReader::new(visitor).lines() {
        let line = line?;
        let date = "Thu, 2 Jan 2025 10:00:00 +0000";
        let reply = match line.split(' ').next().unwrap_or_default() {
            "MODE" => "200 go on".into(),
            "GROUP" => "211 1 1 1 rec.tea".into(),
            "OVER" | "XOVER" => format!("224 here\r\n1\tOn kettles\tme@h\t{date}\t<1@h>\t\t100\t3\r\n."),
            "ARTICLE" => format!(
                "220 1 <1@h>\r\nFrom: me@h\r\nNewsgroups: rec.tea\r\nSubject: On kettles\r\nDate: {date}\r\n\
                 Message-ID: <1@h>\r\n\r\nIt sings before it boils.\r\n."
            ),
            "QUIT" => "205 bye".into(),
            _ => "500 what?".into(),
        };
        out.write_all(format!("{reply}\r\n").as_bytes())?;
    }
    Ok(())
}

/// What a capsule proves itself by.
fn keys() -> Arc<ServerConfig> {
    let key = KeyPair::generate_for(&PKCS_ECDSA_P256_SHA256).unwrap();
    let certificate = CertificateParams::new(["127.0.0.1".into()]).unwrap().self_signed(&key).unwrap().der().clone();
    let key = PrivateKeyDer::from(PrivatePkcs8KeyDer::from(key.serialize_der()));
    let config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()));
    let config = config.with_safe_default_protocol_versions().unwrap().with_no_client_auth();
    Arc::new(config.with_single_cert(vec![certificate], key).unwrap())
}

fn gemini(visitor: TcpStream, keys: &Arc<ServerConfig>) -> Result<()> {
    let session = ServerConnection::new(Arc::clone(keys)).map_err(std::io::Error::other)?;
    let mut reader = BufReader::new(StreamOwned::new(session, visitor));
    let mut address = String::new();
    reader.read_line(&mut address)?;
    let out = reader.get_mut();
    match address.trim_end().ends_with("/p.png") {
        true => out.write_all(&[&b"20 image/png\r\n"[..], &red(16, 32, ImageFormat::Png)].concat())?,
        false => out.write_all(b"20 text/gemini\r\n# A capsule\nIt is small and whole.\n")?,
    }
    out.conn.send_close_notify();
    out.flush()
}

fn start(home: &Path, arguments: &[&str]) -> Terminal {
    std::fs::create_dir_all(home.join(".local/state/wayfarer")).unwrap();
    Terminal::start_with(arguments, 80, 24, &[("HOME", home.to_str().unwrap()), ("TZ", "UTC")])
}

#[test]
fn a_page_of_each_space_is_read_again_without_its_server_after_a_sudden_end() {
    let home = tempfile::tempdir().unwrap();
    let menu = "0A text\t/text\t127.0.0.1\t{port}\r\n.\r\n";
    let gopher = Server::start(vec![("", whole(menu)), ("/text", whole("Dug under the hill.\r\n"))]);
    let keys = keys();
    let ((site, a), (files, b), (groups, c)) = (open(web), open(ftp), open(news));
    let (capsule, d) = open(move |visitor| gemini(visitor, &keys));
    let pages = [
        (gopher.url("1"), "A text"),
        (gopher.url("0/text"), "Dug under the hill."),
        (format!("http://127.0.0.1:{site}/"), "Spun of silk."),
        (format!("ftp://127.0.0.1:{files}/pub/"), "crate.txt"),
        (format!("ftp://127.0.0.1:{files}/pub/crate.txt"), "Packed in straw"),
        (format!("news://127.0.0.1:{groups}/rec.tea"), "On kettles"),
        (format!("news://127.0.0.1:{groups}/1@h"), "It sings before it boils."),
        (format!("gemini://127.0.0.1:{capsule}/"), "It is small and whole."),
    ];
    let mut terminal = start(home.path(), &["about:home"]);
    terminal.see("Where to go");
    for (url, words) in &pages {
        terminal.keys(&format!("g{url}\r")).see(words).see_no("kept ");
    }
    // When it says so they are on the disk.
    let all = |screen: &str| ["gopher", "http", "ftp", "news", "gemini"].iter().all(|scheme| screen.contains(scheme));
    terminal.keys(":open about:store\r").see("Kept pages").see_that("copies of every space", all);
    drop((gopher, a, b, c, d));
    terminal.signal(Signal::KILL).end();

    // The failure offers the copy, and the bar says that it is one. An article is what it was, and what is known of a group stands
    // at once.
    let mut terminal = start(home.path(), &["--no-session", "about:home"]);
    terminal.see("Where to go");
    for (url, words) in &pages {
        terminal.keys(&format!("g{url}\r"));
        if url.starts_with("news:") {
            let more = if url.ends_with("/rec.tea") { ", not brought up to date" } else { "" };
            terminal.see(words).see(&format!("kept just now{more}"));
            continue;
        }
        terminal.see("tried").see("the copy that was kept").see_no(words);
        terminal.keys(":kept\r").see(words).see("kept just now").see_no("  offline  ");
    }
    terminal.keys("q").end();

    let mut terminal = start(home.path(), &["--no-session", "--offline", "about:home"]);
    terminal.see("Where to go");
    for (url, words) in &pages {
        terminal.keys(&format!("g{url}\r")).see(words).see("kept just now").see("offline  ");
    }
    terminal.keys("q").end();
}

#[test]
fn a_picture_of_each_space_is_shown_by_whatever_the_terminal_can() {
    let png = || whole(red(16, 32, ImageFormat::Png));
    let gopher = Server::start(vec![("/i", png()), ("/p", png()), ("/g", whole(red(16, 32, ImageFormat::Gif)))]);
    let keys = keys();
    let ((site, _a), (files, _b)) = (open(web), open(ftp));
    let (capsule, _c) = open(move |visitor| gemini(visitor, &keys));
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("p.png");
    std::fs::write(&file, red(16, 32, ImageFormat::Png)).unwrap();
    let places = [
        gopher.url("I/i"),
        gopher.url("p/p"),
        gopher.url("g/g"),
        format!("gemini://127.0.0.1:{capsule}/p.png"),
        format!("http://127.0.0.1:{site}/p.png"),
        format!("ftp://127.0.0.1:{files}/p.png"),
        format!("file://{}", file.display()),
    ];
    let terminals = [("kitty(0.35.2)", "\x1b_Gq=2,"), ("foot(1.16.2)", SIXEL), ("", "")];
    for (name, pixels) in terminals {
        let mut terminal = Terminal::start_with(&["about:home"], 80, 24, &[("COLORTERM", "truecolor")]);
        terminal.see("Where to go");
        for (at, url) in places.iter().enumerate() {
            let before = terminal.raw().len();
            terminal.keys(&format!("g{url}\r"));
            if at == 0 && !name.is_empty() {
                terminal.raw_that("the question", |raw| holds(raw, "\x1b[>q")).burst(&format!("\x1bP>|{name}\x1b\\"));
            }
            terminal.see("picture, 16 x 32");
            if name.is_empty() {
                let red = vt100::Color::Rgb(255, 0, 0);
                terminal.cells_that(url, |screen| screen.cell(5, 40).is_some_and(|cell| cell.bgcolor() == red));
            } else {
                terminal.raw_that(&format!("{name} {url}"), |raw| holds(&raw[before..], pixels));
            }
            terminal.keys("h").see("Where to go").see_no("picture, 16 x 32");
        }
        assert_eq!(terminal.keys("Q").end(), 0);
    }
}
