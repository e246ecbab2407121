//! A directory with all that is below it, saved from an FTP server: of many small files from a real one, and of fewer from one here
//! where each reply takes as long as over a long line. Each file that was saved is counted.
//!
//! What was saved stays until the end, and is saved where files are in memory, if the system has such a place: a disk's file system looks
//! long for room where much has just been removed, and then its time is measured and nobody's else.

use super::archive::servers::{Server, vsftpd};
use crate::programs::Player;
use crate::servers::packages;
use crate::terminal::Terminal;
use std::fs;
use std::io::{self, BufRead, BufReader, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// How many files come at once, a column for each.
pub const AT_ONCE: [usize; 3] = [1, 2, 4];
/// Octets of a file.
const SIZE: usize = 900;
/// Files in a folder.
const IN_FOLDER: usize = 50;
/// How long a plan is looked at before it is agreed to: it takes no key before somebody can have read it. It is not counted.
const LOOK: Duration = Duration::from_millis(500);

/// Where files are in memory.
const IN_MEMORY: &str = "/dev/shm";

/// A server, and what it serves.
pub struct Tree {
    address: SocketAddr,
    /// Files in all.
    files: usize,
    /// Where all is saved.
    space: TempDir,
    /// It runs as long as this is there.
    _server: Option<Server>,
}

impl Tree {
    /// Serves so many files until the program ends, each reply after a pause.
    pub fn serve(files: usize, pause: Duration) -> io::Result<Tree> {
        let listener = TcpListener::bind("127.0.0.1:0")?;
        let address = listener.local_addr()?;
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                // A reader that goes away is no error here.
                thread::spawn(move || answer(&stream, files, pause));
            }
        });
        Ok(Tree { address, files, space: space(), _server: None })
    }

    /// vsftpd serves so many files, where `WAYFARER_SERVERS` names its package.
    pub fn real(files: usize) -> Option<Tree> {
        let server = vsftpd(&packages("a tree of a real FTP server")?);
        for folder in 0..files.div_ceil(IN_FOLDER) {
            let folder = server.served("tree").join(format!("d{folder:03}"));
            fs::create_dir_all(&folder).expect("temporary space");
            for file in 0..IN_FOLDER {
                fs::write(folder.join(format!("f{file:03}.txt")), [b'x'; SIZE]).expect("temporary space");
            }
        }
        Some(Tree { address: server.address, files, space: space(), _server: Some(server) })
    }

    /// How long a program takes for all of it with so many connections; nothing where it is not made for that, or some are missing.
    pub fn saved_by(&self, player: &Player, home: &Path, at_once: usize) -> Option<Duration> {
        let folder = tempfile::tempdir_in(&self.space).expect("temporary space").keep();
        let took = match player.peer.name {
            "wayfarer" => self.by_us(player, home, &folder, at_once),
            _ => self.by_another(player, &folder, at_once),
        }?;
        (count(&folder) == self.files).then_some(took)
    }

    /// From the start of the program until it says that all is saved, but for the moment in which the plan is looked at.
    fn by_us(&self, player: &Player, home: &Path, folder: &Path, at_once: usize) -> Option<Duration> {
        let (connections, url) = (format!("ftp.connections={at_once}"), format!("ftp://{}/tree/", self.address));
        let words = ["-o", &connections, &url].map(str::to_owned);
        let mut terminal = Terminal::start(&player.path, &words, home);
        // Whoever asks for all of it has seen the whole page.
        let began = terminal.until(" entries")?;
        let planned =
            terminal.key_until(&format!(":download-tree {}\r", folder.join("tree").display()), "Enter start")?;
        thread::sleep(LOOK);
        let saved = terminal.key_until("\r", "saved ")?;
        Some(began + planned + saved)
    }

    fn by_another(&self, player: &Player, folder: &Path, at_once: usize) -> Option<Duration> {
        let words = if at_once == 1 { player.peer.tree } else { player.peer.trees };
        if words.is_empty() {
            return None;
        }
        let fill =
            |word: &&str| word.replace("{server}", &self.address.to_string()).replace("{n}", &at_once.to_string());
        let began = Instant::now();
        let mut command = Command::new(&player.path);
        command.args(words.iter().map(fill)).current_dir(folder);
        let done = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).status().ok()?;
        done.success().then(|| began.elapsed())
    }
}

fn space() -> TempDir {
    tempfile::tempdir_in(IN_MEMORY).or_else(|_| tempfile::tempdir()).expect("temporary space")
}

/// Files below a folder.
fn count(folder: &Path) -> usize {
    let Ok(entries) = fs::read_dir(folder) else { return 0 };
    entries.flatten().map(|entry| if entry.path().is_dir() { count(&entry.path()) } else { 1 }).sum()
}

/// Rows as `ls -l` has them, and as facts.
fn rows(path: &str, files: usize, as_facts: bool) -> Vec<u8> {
    let row = |name: String, folder: bool| match (as_facts, folder) {
        (true, true) => format!("type=dir;modify=20241225000000; {name}\r\n"),
        (true, false) => format!("type=file;size={SIZE};modify=20241225000000; {name}\r\n"),
        (false, true) => format!("drwxr-xr-x    2 ftp      ftp          4096 Dec 25  2024 {name}\r\n"),
        (false, false) => format!("-rw-r--r--    1 ftp      ftp      {SIZE:>8} Dec 25  2024 {name}\r\n"),
    };
    let parts: Vec<&str> = path.split('/').filter(|part| !part.is_empty()).collect();
    let rows: Vec<String> = match parts[..] {
        [] => vec![row("tree".into(), true)],
        ["tree"] => (0..files.div_ceil(IN_FOLDER)).map(|folder| row(format!("d{folder:03}"), true)).collect(),
        _ => (0..IN_FOLDER).map(|file| row(format!("f{file:03}.txt"), false)).collect(),
    };
    rows.concat().into_bytes()
}

fn joined(at: &str, word: &str) -> String {
    let mut parts: Vec<&str> = if word.starts_with('/') { Vec::new() } else { at.split('/').collect() };
    for part in word.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    format!("/{}", parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("/"))
}

fn answer(control: &TcpStream, files: usize, pause: Duration) -> io::Result<()> {
    control.set_nodelay(true)?;
    let say = |words: &str| {
        thread::sleep(pause);
        (&mut &*control).write_all(format!("{words}\r\n").as_bytes())
    };
    let (mut at, mut passive) = ("/".to_owned(), None);
    say("220 ready")?;
    for line in BufReader::new(control).lines() {
        let line = line?;
        let (command, word) = line.split_once(' ').unwrap_or((&line, ""));
        let is_file = |path: &str| path.ends_with(".txt");
        let send = |octets: &[u8], passive: &mut Option<TcpListener>| -> io::Result<()> {
            say("150 here it comes")?;
            if let Some(listener) = passive.take() {
                listener.accept()?.0.write_all(octets)?;
            }
            say("226 done")
        };
        match command.to_ascii_uppercase().as_str() {
            "USER" => say("331 password?")?,
            "PASS" => say("230 in")?,
            "PWD" => say(&format!("257 \"{at}\""))?,
            "FEAT" => say(
                "211-these\r\n EPSV\r\n MDTM\r\n MLST type*;size*;modify*;\r\n REST STREAM\r\n SIZE\r\n211 that is all",
            )?,
            "TYPE" | "OPTS" | "NOOP" => say("200 yes")?,
            "SYST" => say("215 UNIX Type: L8")?,
            "CWD" if is_file(&joined(&at, word)) => say("550 a file")?,
            "CWD" => {
                at = joined(&at, word);
                say("250 yes")?;
            }
            "SIZE" if is_file(word) => say(&format!("213 {SIZE}"))?,
            "MDTM" if is_file(word) => say("213 20241225000000")?,
            "EPSV" | "PASV" => {
                let listener = TcpListener::bind("127.0.0.1:0")?;
                let port = listener.local_addr()?.port();
                passive = Some(listener);
                match command {
                    "EPSV" => say(&format!("229 here (|||{port}|)"))?,
                    _ => say(&format!("227 here (127,0,0,1,{},{})", port / 256, port % 256))?,
                }
            }
            "LIST" | "MLSD" => {
                let path = joined(&at, if word.starts_with('-') { "" } else { word });
                send(&rows(&path, files, command == "MLSD"), &mut passive)?;
            }
            "RETR" => send(&[b'x'; SIZE], &mut passive)?,
            "QUIT" => return say("221 bye"),
            _ => say("502 no")?,
        }
    }
    Ok(())
}
