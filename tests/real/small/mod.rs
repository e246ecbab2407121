//! Journeys through a dictionary and a finger server.

use crate::servers::{as_nobody, inetd, libraries, open_folder, unpacked};
use crate::terminal::Terminal;
use crate::{follow, packages, quit};
use std::net::{SocketAddr, TcpListener};
use std::path::Path;
use std::process::Command;
use tempfile::TempDir;

/// Words and what is said of them, as `dictfmt` would have them.
const WORDS: [(&str, &str); 3] = [
    ("leaves", "leaves\n   Of a tree.\n"),
    ("tea", "tea\n   A drink of {leaves}, best from a {tea\n   pot}.\n"),
    ("tea pot", "tea pot\n   What {tea} is made in.\n.a line with a dot\n"),
];

/// A number in the digits of an index of dictd.
fn digits(mut number: usize) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = Vec::new();
    loop {
        out.insert(0, DIGITS[number % 64]);
        number /= 64;
        if number == 0 {
            return String::from_utf8(out).unwrap();
        }
    }
}

/// dictd, which speaks on its standard input and output, one process a connection.
fn dictd(packages: &Path) -> (SocketAddr, TempDir) {
    let (folder, listener) = (open_folder(), TcpListener::bind("127.0.0.1:0").unwrap());
    let (mut text, mut index) = (String::new(), String::new());
    for (word, said) in WORDS {
        index.push_str(&format!("{word}\t{}\t{}\n", digits(text.len()), digits(said.len())));
        text.push_str(said);
    }
    let at = |name: &str| folder.path().join(name);
    std::fs::write(at("words.dict"), text).unwrap();
    std::fs::write(at("words.index"), index).unwrap();
    let (data, index) = (at("words.dict"), at("words.index"));
    let rows = format!("data \"{}\" index \"{}\" name \"Words of the tests\"", data.display(), index.display());
    std::fs::write(at("dictd.conf"), format!("global {{ }}\ndatabase words {{ {rows} }}\n")).unwrap();
    let (program, libraries) = (unpacked(packages, "dictd/usr/sbin/dictd"), libraries(packages, &["libmaa4"]));
    let (settings, address) = (at("dictd.conf"), listener.local_addr().unwrap());
    inetd(listener, move || {
        let mut command = Command::new(&program);
        command.arg("-c").arg(&settings).args(["-i", "--locale", "C.UTF-8"]);
        command.env_clear().envs([("LD_LIBRARY_PATH", libraries.as_str()), ("LC_ALL", "C.UTF-8")]);
        as_nobody(&mut command);
        command
    });
    (address, folder)
}

#[test]
#[ignore = "needs the servers of tests/real/run"]
fn words_of_a_dictionary_lead_to_each_other() {
    let (address, _folder) = dictd(&packages());
    let mut screen = Terminal::start(&[&format!("dict://{address}/")]);
    screen.see("The dictionaries of 127.0.0.1").see("Words of the tests").see("Match prefixes");
    screen.keys("/Words of\r").focused("Words of the tests").keys("\r").see("search for").keys("tea\r");
    screen.see("A drink of").see("best from a");
    follow(&mut screen, "leaves");
    screen.see("Of a tree.");
    screen.keys(&format!("gdict://{address}/d:tea%20pot\r")).see("is made in.").see("a line with a dot");
    screen.keys(&format!("gdict://{address}/d:leavs\r")).see("No dictionary here has this word.");
    screen.see("Words that are like it");
    follow(&mut screen, "leaves");
    screen.see("Of a tree.");
    screen.keys(&format!("gdict://{address}/m:te:*:prefix\r")).see("Words like te").see("tea pot");
    screen.keys(&format!("gdict://{address}/d:x:nonesuch\r")).see("550");
    quit(&mut screen);
}

#[test]
#[ignore = "needs the servers of tests/real/run"]
fn a_user_is_told_of_in_short_and_in_full() {
    let packages = packages();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let (server, finger) =
        (unpacked(&packages, "fingerd/usr/sbin/in.fingerd"), unpacked(&packages, "finger/usr/bin/finger"));
    let address = listener.local_addr().unwrap();
    inetd(listener, move || {
        let mut command = Command::new(&server);
        command.arg("-p").arg(&finger).env_clear().env("LC_ALL", "C.UTF-8");
        as_nobody(&mut command);
        command
    });
    let mut screen = Terminal::start(&[&format!("finger://{address}/daemon")]);
    screen.see("Login: daemon").keys("i").see("?W daemon").see("Login: daemon");
    screen.keys(&format!("gfinger://daemon@{address}/\r")).see("Login: daemon");
    quit(&mut screen);
}
