//! A download over FTP that breaks off and goes on: a small server that lets go of a file half-way, once.

use crate::terminal::Terminal;
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

#[derive(Default)]
struct Shared {
    /// What was said to it.
    said: Mutex<Vec<String>>,
    content: Mutex<Vec<u8>>,
    time: Mutex<String>,
    /// What came of a file for it.
    came: Mutex<Option<Vec<u8>>>,
    /// What its directories list.
    listing: Mutex<String>,
    /// As long as a test has it, no file is said to have come, and none comes.
    holds: Mutex<()>,
    /// After so many octets the connection goes away.
    breaks: Mutex<Option<usize>>,
}

fn serve(control: &TcpStream, shared: &Shared) -> std::io::Result<()> {
    let mut out = control;
    out.write_all(b"220 ready\r\n")?;
    let (mut from, mut data) = (0, None::<TcpListener>);
    for line in BufReader::new(control).lines() {
        let line = line?;
        shared.said.lock().unwrap().push(line.clone());
        let (verb, rest) = line.split_once(' ').unwrap_or((&line, ""));
        let content = shared.content.lock().unwrap().clone();
        let reply = match verb.to_ascii_uppercase().as_str() {
            "USER" => "331 password".into(),
            "PASS" => "230 in".into(),
            "FEAT" => "211-Features\r\n SIZE\r\n MDTM\r\n REST STREAM\r\n EPSV\r\n211 End".into(),
            "PWD" => "257 \"/\"".into(),
            "TYPE" | "OPTS" | "CWD" => "200 fine".into(),
            "SIZE" if rest == "notes.txt" => {
                let came = shared.came.lock().unwrap().as_ref().map(Vec::len);
                came.map_or("550 there is none".into(), |octets| format!("213 {octets}"))
            }
            "NLST" | "LIST" => {
                out.write_all(b"150 coming\r\n")?;
                let listing = shared.listing.lock().unwrap().clone();
                data.take().unwrap().accept()?.0.write_all(listing.as_bytes())?;
                "226 that is all".into()
            }
            "STOR" => {
                out.write_all(b"150 come\r\n")?;
                let (mut data, mut came) = (data.take().unwrap().accept()?.0, Vec::new());
                data.read_to_end(&mut came)?;
                *shared.came.lock().unwrap() = Some(came);
                drop(shared.holds.lock().unwrap());
                "226 it is here".into()
            }
            "SIZE" => format!("213 {}", content.len()),
            "MDTM" => format!("213 {}", shared.time.lock().unwrap()),
            "EPSV" => {
                let listener = TcpListener::bind("127.0.0.1:0")?;
                let port = listener.local_addr()?.port();
                data = Some(listener);
                format!("229 here (|||{port}|)")
            }
            "REST" => {
                from = rest.parse().unwrap();
                format!("350 from {from}")
            }
            "RETR" => {
                out.write_all(b"150 coming\r\n")?;
                let (mut data, _) = data.take().unwrap().accept()?;
                drop(shared.holds.lock().unwrap());
                let breaks = shared.breaks.lock().unwrap().take();
                data.write_all(&content[from..breaks.unwrap_or(content.len())])?;
                from = 0;
                if breaks.is_some() {
                    return Ok(());
                }
                drop(data);
                "226 all of it".into()
            }
            _ => "502 what?".into(),
        };
        out.write_all(format!("{reply}\r\n").as_bytes())?;
    }
    Ok(())
}

fn server(content: &[u8]) -> (String, Arc<Shared>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("ftp://127.0.0.1:{}/big.bin", listener.local_addr().unwrap().port());
    let shared = Arc::new(Shared { content: Mutex::new(content.into()), ..Shared::default() });
    *shared.time.lock().unwrap() = "19930811102030".into();
    *shared.breaks.lock().unwrap() = Some(content.len() / 2);
    let for_visits = Arc::clone(&shared);
    std::thread::spawn(move || {
        while let Ok((visitor, _)) = listener.accept() {
            let shared = Arc::clone(&for_visits);
            std::thread::spawn(move || serve(&visitor, &shared));
        }
    });
    (url, shared)
}

fn octets() -> Vec<u8> {
    (0..400_000_u32).map(|n| (n.wrapping_mul(2_654_435_761) >> 11) as u8).collect()
}

/// Saves the file; it breaks off half-way.
fn broken(url: &str) -> Terminal {
    let mut terminal = Terminal::start(&[url]);
    terminal.see("This is no page").keys("s").see("save as: ~/Downloads/big.bin").keys("\r").see("download: ");
    let part = terminal.home().join("Downloads/big.bin.wayfarer-part");
    assert_eq!(fs::read(part).unwrap(), octets()[..200_000]);
    terminal
}

#[test]
fn a_download_goes_on_where_it_broke_off() {
    let (url, shared) = server(&octets());
    let mut terminal = broken(&url);
    terminal.keys("D").see("Downloads  1").keys("\r").see("go on").keys("g").see("saved");
    let file = terminal.home().join("Downloads/big.bin");
    assert!(fs::read(&file).unwrap() == octets());
    assert!(shared.said.lock().unwrap().iter().any(|line| line == "REST 200000"));
    let changed = fs::metadata(&file).unwrap().modified().unwrap();
    assert_eq!(changed.duration_since(std::time::UNIX_EPOCH).unwrap().as_secs(), 745_064_430);
    assert_eq!(fs::read_dir(file.parent().unwrap()).unwrap().count(), 1);
    terminal.keys("q");
    assert_eq!(terminal.end(), 0);
}

#[test]
fn another_run_goes_on_too_but_not_with_a_file_that_changed() {
    let (url, shared) = server(&octets());
    let first = broken(&url);
    let kept = first.home().join("Downloads");
    let mut second = Terminal::start(&[&url]);
    let downloads = second.home().join("Downloads");
    fs::create_dir(&downloads).unwrap();
    for name in ["big.bin.wayfarer-part", "big.bin.wayfarer-part.toml"] {
        fs::copy(kept.join(name), downloads.join(name)).unwrap();
    }
    // Gone on from at once, then by a server that has another file by now.
    second.see("This is no page").keys("s").see("save as:").keys("\r").see("saved").keys("q");
    assert!(fs::read(downloads.join("big.bin")).unwrap() == octets());
    assert!(shared.said.lock().unwrap().iter().any(|line| line == "REST 200000"));
    *shared.content.lock().unwrap() = octets()[1..].to_vec();
    *shared.time.lock().unwrap() = "20200101000000".into();
    let mut third = Terminal::start(&[&url]);
    let downloads = third.home().join("Downloads");
    fs::create_dir(&downloads).unwrap();
    for name in ["big.bin.wayfarer-part", "big.bin.wayfarer-part.toml"] {
        fs::copy(kept.join(name), downloads.join(name)).unwrap();
    }
    third
        .see("This is no page")
        .keys("s")
        .see("save as:")
        .keys("\r")
        .see("has changed on the server")
        .keys("a")
        .see("saved")
        .keys("q");
    assert!(fs::read(downloads.join("big.bin")).unwrap() == octets()[1..]);
    assert_eq!(fs::read_dir(&downloads).unwrap().count(), 1);
}

/// All that is kept below a folder.
fn kept(folder: &Path) -> String {
    let Ok(entries) = fs::read_dir(folder) else { return String::new() };
    let text = |path: PathBuf| if path.is_dir() { kept(&path) } else { fs::read_to_string(path).unwrap_or_default() };
    entries.map(|entry| text(entry.unwrap().path())).collect()
}

#[test]
fn a_file_goes_into_a_directory_after_a_yes_and_a_private_tab_keeps_nothing_of_it() {
    let (url, shared) = server(b"x");
    let directory = url.replace("big.bin", "in/");
    let mut terminal = Terminal::start(&["about:home"]);
    let file = terminal.home().join("notes.txt");
    fs::write(&file, "a text\n").unwrap();
    terminal.see("Where to go").keys(&format!(":private {directory}\r")).see("0 entries").keys(":put ~/notes.txt\r");
    terminal.see("Read this file (7 B) and send it to 127.0.0.1?").see("Nothing there is called");
    assert_eq!(*shared.came.lock().unwrap(), None);
    terminal.keys("n").see("nothing was sent").keys(":put ~/notes.txt\r").see("Read this file").keys("y");
    terminal.see("the server has 7 octets of it");
    assert_eq!(shared.came.lock().unwrap().as_deref(), Some(b"a text\n".as_slice()));
    terminal.keys("Q");
    assert_eq!(terminal.end(), 0);
    fs::remove_file(file).unwrap();
    let kept = kept(terminal.home());
    assert!(!kept.contains("notes.txt") && !kept.contains("/in/"), "{kept}");
}

/// The place of a file that had not come stayed as an empty one, of which nobody knew.
#[test]
fn what_was_begun_of_a_directory_and_did_not_come_is_gone_at_the_end() {
    let (url, shared) = server(b"x");
    *shared.listing.lock().unwrap() = (1..=9).map(|n| format!("-rw-r--r-- 1 a b 1 Jan 5 2001 {n}.txt\r\n")).collect();
    let mut terminal = Terminal::start(&[&url.replace("big.bin", "in/")]);
    let held = shared.holds.lock().unwrap();
    terminal.see("9 entries").keys("\x1bd").see("9 B, into ~/Downloads/in").keys("\r").see("saving");
    let folder = terminal.home().join("Downloads/in");
    let begun = || fs::read_dir(&folder).map_or(0, Iterator::count);
    let deadline = std::time::Instant::now() + std::time::Duration::from_secs(30);
    while begun() < 3 {
        assert!(std::time::Instant::now() < deadline, "{} were begun", begun());
        std::thread::yield_now();
    }
    terminal.keys("Q");
    assert_eq!(terminal.end(), 0);
    let left: Vec<_> = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left, [""; 0]);
    drop(held);
}

#[test]
fn nothing_ends_the_sending_of_a_file_unasked() {
    let (url, shared) = server(b"x");
    let mut terminal = Terminal::start(&[&url.replace("big.bin", "in/")]);
    fs::write(terminal.home().join("notes.txt"), "a text\n").unwrap();
    let held = shared.holds.lock().unwrap();
    terminal.see("0 entries").keys(":put ~/notes.txt\r").see("Read this file").keys("y").see("uploading 7 B of 7 B");
    terminal.keys("q").see("\"notes.txt\" have gone to 127.0.0.1. Leaving ends").keys("n").see_no("Leaving ends");
    terminal.keys("U").see("What is opened here ends that").keys("n").see_no("What is opened");
    terminal.keys("D").see("7 B of 7 B, 100% sent to 127.0.0.1, tab 1").keys("\x1b").see_no("100% sent");
    drop(held);
    terminal.see("the server has 7 octets of it").keys("q");
    assert_eq!(terminal.end(), 0);
}
