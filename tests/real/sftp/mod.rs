//! Files and directories of OpenSSH's sftp-server. No network lies between: what plays `ssh` is a script that runs the server
//! on its standard input and output, as ssh would at the other end.

use crate::ftp::content::{self, ODD_NAMES};
use crate::servers::unpacked;
use crate::terminal::Terminal;
use crate::{focus, follow, packages, quit};
use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::PathBuf;
use tempfile::TempDir;

/// What comes through at most where `cut` is there, before the connection is gone: so many pieces of 32 kB.
const CUT: u64 = 40;

/// An archive, and what plays `ssh`.
struct Server {
    folder: TempDir,
    ssh: PathBuf,
}

impl Server {
    fn start() -> Server {
        let (folder, program) =
            (tempfile::tempdir().unwrap(), unpacked(&packages(), "openssh-sftp-server/usr/lib/openssh/sftp-server"));
        let (root, ssh) = (folder.path().join("archive"), folder.path().join("ssh"));
        let put = |path: &[u8], content: &[u8]| {
            let path = root.join(OsStr::from_bytes(path));
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(&path, content).unwrap();
        };
        put(b"README", b"The archive.\n");
        put(b"data.bin", &content::binary());
        put(b"text/latin1.txt", b"Latin-1: caf\xe9, na\xefve\n");
        put(b"tree/one.txt", b"one\n");
        put(b"tree/deep er/two.txt", b"two\n");
        symlink("../README", root.join("tree/out")).unwrap();
        for (number, (name, _)) in ODD_NAMES.iter().enumerate() {
            put(&[b"names/", *name].concat(), content::odd_text(number).as_bytes());
        }
        put(b"names/dir with ?#%;/in side.txt", b"inside\n");
        fs::create_dir(root.join("links")).unwrap();
        for (target, name) in [("../README", "to-file"), ("../text", "to-dir"), ("nowhere", "broken")] {
            symlink(target, root.join("links").join(name)).unwrap();
        }
        let pipe = std::process::Command::new("mkfifo").arg(root.join("links/pipe")).status().unwrap();
        assert!(pipe.success());
        let (at, program) = (folder.path().display(), program.display());
        let run = format!("'{program}' -e -l DEBUG3 2>> '{at}/log'");
        let script = format!(
            "#!/bin/sh\nif [ -e '{at}/cut' ]; then {run} | dd bs=32k count={CUT} status=none; else exec {run}; fi\n"
        );
        fs::write(&ssh, script).unwrap();
        fs::set_permissions(&ssh, fs::Permissions::from_mode(0o755)).unwrap();
        Server { folder, ssh }
    }

    fn visit(&self, path: &str) -> Terminal {
        let ssh = format!("sftp.ssh={}", self.ssh.display());
        Terminal::start_with(&["-o", &ssh, &self.url(path)], 100, 24, &[])
    }

    fn url(&self, path: &str) -> String {
        format!("sftp://archive.example{}/archive/{path}", self.folder.path().display())
    }

    fn log(&self) -> String {
        fs::read_to_string(self.folder.path().join("log")).unwrap()
    }
}

#[test]
#[ignore = "needs the servers of tests/real/run"]
fn a_directory_is_walked_and_a_missing_file_told() {
    let server = Server::start();
    let mut screen = server.visit("");
    screen.see("data.bin").see("5.2 MB").see("README").see("sftp  archive.example");
    follow(&mut screen, "README");
    screen.see("The archive.").keys("h").focused("README");
    follow(&mut screen, "text/");
    screen.see("latin1.txt");
    follow(&mut screen, "latin1.txt");
    screen.see("Latin-1: café, naïve").keys("h").focused("latin1.txt").keys("h").focused("text/");
    screen.keys(&format!("g{}\r", server.url("nothing"))).see("nothing").see("R try again");
    screen.keys(&format!("g{}\r", server.url("text"))).see("latin1.txt");
    quit(&mut screen);
    assert!(!server.log().contains("WRITE"), "nothing was opened to be written:\n{}", server.log());
}

#[test]
#[ignore = "needs the servers of tests/real/run"]
fn odd_names_lead_to_their_files() {
    let server = Server::start();
    let mut screen = server.visit("names/");
    screen.see("with space.txt");
    for (number, (_, shown)) in ODD_NAMES.iter().enumerate() {
        follow(&mut screen, shown);
        screen.see(content::odd_text(number).trim_end()).keys("h").focused(shown);
    }
    follow(&mut screen, "dir with ?#%;/");
    screen.see("in side.txt");
    follow(&mut screen, "in side.txt");
    screen.see("inside");
    quit(&mut screen);
}

#[test]
#[ignore = "needs the servers of tests/real/run"]
fn links_lead_on_and_a_pipe_is_not_read() {
    let server = Server::start();
    let mut screen = server.visit("links/");
    screen.see("to-file → ../README").see("device");
    follow(&mut screen, "to-file");
    screen.see("The archive.").keys("h").focused("to-file");
    follow(&mut screen, "to-dir");
    screen.see("latin1.txt").keys("h").focused("to-dir");
    follow(&mut screen, "broken");
    screen.see("R try again").keys("h").see("to-file");
    screen.keys(&format!("g{}\r", server.url("links/pipe"))).see("neither a file nor a directory");
    quit(&mut screen);
}

#[test]
#[ignore = "needs the servers of tests/real/run"]
fn a_download_that_broke_goes_on_where_it_was() {
    let server = Server::start();
    let cut = server.folder.path().join("cut");
    fs::write(&cut, "").unwrap();
    let mut screen = server.visit("");
    let (file, part) =
        (screen.home().join("Downloads/data.bin"), screen.home().join("Downloads/data.bin.wayfarer-part"));
    screen.see("data.bin");
    focus(&mut screen, "data.bin");
    screen.keys("d").see("save as: ~/Downloads/data.bin").keys("\r").see("of 5242880 octets came");
    let kept = fs::metadata(&part).unwrap().len();
    assert!(0 < kept && kept < CUT << 15, "it broke off half-way: {kept}");
    fs::remove_file(&cut).unwrap();
    fs::write(server.folder.path().join("log"), "").unwrap();
    screen.keys("d").see("save as: ~/Downloads/data.bin").keys("\r").see("saved ");
    assert!(fs::read(&file).unwrap() == content::binary(), "the file is byte for byte what the server has");
    assert!(!part.exists());
    quit(&mut screen);
    let log = server.log();
    let begins = |from: u64| log.contains(&format!("off {from} "));
    // Its beginning is looked at to ask for a name.
    assert!(begins(kept) && !begins((kept >> 16) << 15), "only the rest was asked for:\n{log}");
}

#[test]
#[ignore = "needs the servers of tests/real/run"]
fn a_tree_is_saved_without_what_links_lead_to() {
    let server = Server::start();
    let mut screen = server.visit("");
    let downloads = screen.home().join("Downloads");
    screen.see("tree/");
    focus(&mut screen, "tree/");
    screen.keys("\x1bd").see("Enter start").keys("\t\t\t").see("1 link: left out");
    screen.see("2 files in 2").keys("\r").see("saved 2 files into");
    assert_eq!(fs::read_to_string(downloads.join("tree/one.txt")).unwrap(), "one\n");
    assert_eq!(fs::read_to_string(downloads.join("tree/deep er/two.txt")).unwrap(), "two\n");
    assert!(!downloads.join("tree/out").exists());
    focus(&mut screen, "names/");
    let all = ODD_NAMES.len() + 1;
    screen
        .keys("\x1bd")
        .see("Enter start")
        .see(&format!("{all} files in 2"))
        .keys("\r")
        .see(&format!("saved {all} files into"));
    let names = fs::read_dir(downloads.join("names")).unwrap().map(|entry| entry.unwrap().file_name());
    let names: Vec<String> = names.map(|name| name.to_string_lossy().into_owned()).collect();
    assert!(names.len() == all && !names.iter().any(|name| name.contains(char::is_control)), "{names:?}");
    quit(&mut screen);
}
