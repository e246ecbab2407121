//! One page and more of every space, read again when no server is there any more.

use crate::door::Door;
use crate::server::{Server, whole};
use crate::terminal::Terminal;
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
    for line in BufReader::new(visitor).lines() {
        if line?.is_empty() {
            let page = "<title>A site</title><p>Spun of silk.";
            let head = format!("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: {}\r\n\r\n", page.len());
            out.write_all((head + page).as_bytes())?;
        }
    }
    Ok(())
}

fn ftp(visitor: TcpStream) -> Result<()> {
    let (mut out, mut data) = (visitor.try_clone()?, None::<TcpListener>);
    out.write_all(b"220 ready\r\n")?;
    for line in BufReader::new(visitor).lines() {
        let line = line?;
        let verb = line.split(' ').next().unwrap_or_default();
        let reply = match verb {
            "USER" => "331 password".into(),
            "PASS" => "230 in".into(),
            "FEAT" => "211-Features\r\n MLST type*;size*;modify*;\r\n EPSV\r\n211 End".into(),
            "PWD" => "257 \"/\"".into(),
            "TYPE" | "OPTS" | "CWD" => "200 fine".into(),
            "EPSV" => {
                let listener = TcpListener::bind("127.0.0.1:0")?;
                let port = listener.local_addr()?.port();
                data = Some(listener);
                format!("229 here (|||{port}|)")
            }
            "MLSD" | "RETR" => {
                out.write_all(b"150 coming\r\n")?;
                let text = match verb {
                    "MLSD" => "type=file;size=16;modify=20250102030405; crate.txt\r\n",
                    _ => "Packed in straw\n",
                };
                data.take().unwrap().accept()?.0.write_all(text.as_bytes())?;
                "226 all of it".into()
            }
            _ => "502 what?".into(),
        };
        out.write_all(format!("{reply}\r\n").as_bytes())?;
    }
    Ok(())
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
    reader.read_line(&mut String::new())?;
    let out = reader.get_mut();
    out.write_all(b"20 text/gemini\r\n# A capsule\nIt is small and whole.\n")?;
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
