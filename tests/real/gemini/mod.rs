//! Gemini space, as Molly Brown serves it: pages, redirects, questions, and a certificate of the reader's own.

use crate::servers::NOBODY;
use crate::servers::{Guarded, as_nobody, free_address, give, guarded, listens, open_folder, unpacked, write_key};
use crate::terminal::Terminal;
use crate::{arrived, follow, packages, quit};
use std::fs;
use std::net::SocketAddr;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use tempfile::TempDir;

/// A running capsule.
struct Capsule {
    address: SocketAddr,
    _folder: TempDir,
    _server: Guarded,
}

const HOME: &str = "# A capsule\n\n=> text.gmi A text\n=> old The old place\n=> cgi/ask Ask me\n=> cgi/secret A secret\n\
    => cgi/who Who am I\n=> none.gmi Nothing\n";

const PROGRAMS: &[(&str, &str)] = &[
    (
        "ask",
        "[ \"$QUERY_STRING\" ] && printf '20 text/plain\\r\\nhello %s\\n' \"$QUERY_STRING\" || printf '10 Your name?\\r\\n'",
    ),
    (
        "secret",
        "[ \"$QUERY_STRING\" ] && printf '20 text/plain\\r\\n%s letters\\n' ${#QUERY_STRING} || printf '11 The word?\\r\\n'",
    ),
    ("who", "[ \"$TLS_CLIENT_HASH\" ] && printf '20 text/plain\\r\\nI know you\\n' || printf '60 Who is there?\\r\\n'"),
];

fn molly_brown(packages: &Path) -> Capsule {
    let (address, temporary) = (free_address(), open_folder());
    let folder = temporary.path();
    let site = folder.join("site");
    fs::create_dir_all(site.join("cgi")).unwrap();
    fs::write(site.join("index.gmi"), HOME).unwrap();
    fs::write(site.join("text.gmi"), "# The text\n\nIt came through.\n").unwrap();
    for (name, script) in PROGRAMS {
        let path = site.join("cgi").join(name);
        fs::write(&path, format!("#!/bin/sh\n{script}\n")).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    }
    write_key(folder);
    let at = folder.display();
    let settings = format!(
        "Port = {}\nHostname = \"127.0.0.1\"\nCertPath = \"{at}/cert.pem\"\nKeyPath = \"{at}/key.pem\"\n\
         DocBase = \"{at}/site\"\nAccessLog = \"-\"\nErrorLog = \"-\"\nCGIPaths = [ \"{at}/site/cgi\" ]\n\n\
         [TempRedirects]\n\"/old\" = \"/text.gmi\"\n",
        address.port()
    );
    fs::write(folder.join("molly.conf"), settings).unwrap();
    give(folder, NOBODY);
    let mut command = guarded(unpacked(packages, "molly-brown/usr/bin/molly-brown"));
    command.arg("-c").arg(folder.join("molly.conf"));
    let mut server = Guarded::start(as_nobody(&mut command));
    listens(address, &mut server);
    Capsule { address, _folder: temporary, _server: server }
}

#[test]
#[ignore = "needs the servers of tests/real/run"]
fn a_capsule_is_read_asked_and_told_who_is_there() {
    let capsule = molly_brown(&packages());
    let home = tempfile::tempdir().unwrap();
    let environment = [("HOME", home.path().to_str().unwrap())];
    let url = format!("gemini://{}/", capsule.address);
    let mut screen = Terminal::start_with(&[&url], 100, 24, &environment);
    arrived(&mut screen).see("A capsule").see("gemini  127.0.0.1");
    follow(&mut screen, "The old place");
    screen.see("It came through.").see("text.gmi").keys("\x1b[D").see("A capsule");
    follow(&mut screen, "Ask me");
    screen.see("127.0.0.1 asks: Your name?").keys("ada\r").see("hello ada").keys("\x1b[D").see("A capsule");
    follow(&mut screen, "A secret");
    screen.see("The word?").keys("hunter2\r").see("7 letters").see("***").see_no("hunter2");
    screen.keys("\x1b[D").see("A capsule");
    follow(&mut screen, "Nothing");
    screen.see("no such page").keys("\x1b[D").see("A capsule");
    follow(&mut screen, "Who am I");
    screen.see("wants to know you by a certificate").see("Who is there?");
    follow(&mut screen, "choose a certificate");
    screen.see("A certificate for 127.0.0.1");
    follow(&mut screen, "Make a new one");
    screen.see("Name on the certificate").keys("Ada\r").see("calls you").keys("y").see("I know you");
    quit(&mut screen);
    let kept = home.path().join(".local/share/wayfarer/certificates");
    assert_eq!(fs::metadata(&kept).unwrap().permissions().mode() & 0o777, 0o600);
    // It is shown there again, and everywhere else not.
    let mut again = Terminal::start_with(&[&format!("{url}cgi/who")], 100, 24, &environment);
    again.see("I know you");
    quit(&mut again);
    let history = fs::read_dir(home.path().join(".local/share/wayfarer")).unwrap();
    for file in history.map(|file| file.unwrap().path()).filter(|path| path.is_file()) {
        let text = String::from_utf8_lossy(&fs::read(&file).unwrap()).into_owned();
        assert!(!text.contains("hunter2"), "{}", file.display());
    }
}
