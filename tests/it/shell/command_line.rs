//! The command line, with the real program in pipes.

use super::server::{Answer, Server, whole};
use crate::proto::server::DeadPort;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use tempfile::TempDir;

/// A home folder of its own, and in it the program.
pub(super) struct Place {
    home: TempDir,
    environment: Vec<(&'static str, String)>,
}

/// What a run gave: status, standard output, standard error.
pub(super) type Outcome = (i32, String, String);

impl Place {
    pub(super) fn new() -> Place {
        Place { home: tempfile::tempdir().unwrap(), environment: Vec::new() }
    }

    pub(super) fn with(name: &'static str, value: &str) -> Place {
        Place { environment: vec![(name, value.into())], ..Place::new() }
    }

    pub(super) fn path(&self) -> &Path {
        self.home.path()
    }

    pub(super) fn start(&self, arguments: &[&str]) -> Child {
        let mut command = Command::new(env!("CARGO_BIN_EXE_wayfarer"));
        command.args(arguments).current_dir(self.path()).env_clear().env("HOME", self.path());
        command.envs(self.environment.iter().map(|(name, value)| (*name, value)));
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
    }

    pub(super) fn run(&self, arguments: &[&str]) -> Outcome {
        self.feed(arguments, b"")
    }

    pub(super) fn feed(&self, arguments: &[&str], input: &[u8]) -> Outcome {
        let mut child = self.start(arguments);
        let mut stdin = child.stdin.take().unwrap();
        // A program that does not read its input is no trouble.
        let _ = stdin.write_all(input);
        drop(stdin);
        let done = child.wait_with_output().unwrap();
        let text = |octets: Vec<u8>| String::from_utf8(octets).unwrap();
        (done.status.code().unwrap(), text(done.stdout), text(done.stderr))
    }

    pub(super) fn write(&self, name: &str, text: impl AsRef<[u8]>) {
        let path = self.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
}

pub(super) fn run(arguments: &[&str]) -> Outcome {
    Place::new().run(arguments)
}

pub(super) fn prints(arguments: &[&str], expected: &str) {
    assert_eq!(run(arguments), (0, expected.into(), String::new()), "{arguments:?}");
}

/// Nothing on standard output, one line on standard error.
pub(super) fn fails(arguments: &[&str], status: i32, words: &str) {
    let (code, out, err) = run(arguments);
    assert_eq!((code, out.as_str()), (status, ""), "{arguments:?}: {err}");
    assert!(err.contains(words) && err.starts_with("wayfarer: ") && err.lines().count() == 1, "{arguments:?}: {err}");
}

pub(super) fn server() -> Server {
    let menu =
        "iHello\t\tx\t1\r\n0A text\t/text\t127.0.0.1\t{port}\r\nhThe web\tURL:http://example.org/\tx\t1\r\n.\r\n";
    let long = "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen\r\n";
    Server::start(vec![
        ("", whole(menu)),
        ("/text", whole(long)),
        ("/latin", whole(b"caf\xe9 \x80\r\n")),
        ("/bin", whole([0, 159, 146, 150, 0, 255])),
        ("/find\twords", whole("0Found\t/text\t127.0.0.1\t{port}\r\n.\r\n")),
        ("/nosuch", whole("3'/nosuch' does not exist\t\terror.host\t1\r\niAsk elsewhere\t\tx\t1\r\n.\r\n")),
        ("/endless", Answer::Endless(b"the same line again and again\r\n".to_vec())),
        ("/stall", Answer::Stalled(b"0First\t/text\t127.0.0.1\t{port}\r\n".to_vec(), Vec::new())),
        ("/drop", Answer::Dropped(b"0First\t/text\t127.0.0.1\t{port}\r\n".to_vec())),
    ])
}

#[test]
fn a_menu_that_is_nothing_but_an_error_is_printed_and_fails() {
    let server = server();
    let (status, out, err) = run(&[&server.url("1/nosuch")]);
    assert!(status == 1 && out.contains("'/nosuch' does not exist"), "{status}: {out}");
    assert!(err.contains("an error in place of a menu") && err.lines().count() == 1, "{err}");
}

#[test]
fn settings_come_from_options_and_files() {
    let server = server();
    let place = Place::new();
    place.write("other.toml", "marks = \"glyphs\"\n");
    let glyphs = place.run(&["-c", "other.toml", &server.url("1")]);
    assert_eq!(glyphs.0, 0);
    assert!(!glyphs.1.contains("(TXT)"), "{}", glyphs.1);
    assert_eq!(place.run(&["-o", "marks=glyphs", &server.url("1")]), glyphs);
    assert_eq!(
        place.run(&["-c", "other.toml", "--set", "marks=words", &server.url("1")]).1.matches("(TXT)").count(),
        1
    );
    place.write(".config/wayfarer/settings.toml", "marks = \"glyphs\"\n");
    assert_eq!(place.run(&[&server.url("1")]), glyphs);
    for wrong in ["nothing=1", "marks=dots", "marks"] {
        fails(&["-o", wrong, "about:home"], 2, wrong.split('=').next().unwrap());
    }
}

#[test]
fn every_mistake_in_the_files_is_told_with_its_line() {
    let place = Place::new();
    assert_eq!(place.run(&["--check-config"]), (0, String::new(), String::new()));
    place.write(
        ".config/wayfarer/settings.toml",
        "wrap = 7\nmarks = \"glyphs\"\n\n[limits]\nconnect = \"soon\"\nhom = 1\n",
    );
    place.write(".config/wayfarer/keys.toml", "[page]\n\"F7\" = \"no-such-command\"\n");
    let (status, out, err) = place.run(&["--check-config"]);
    assert_eq!((status, out.as_str()), (1, ""));
    for place in ["settings.toml:1: ", "settings.toml:5: ", "settings.toml:6: ", "keys.toml:2: "] {
        assert_eq!(err.matches(place).count(), 1, "{place} in {err}");
    }
    assert_eq!(err.lines().count(), 4, "{err}");
    let bookmarks = "version = 1\n\n[[bookmark]]\nurl = \"http://a/\"\ntitel = \"A\"\n\n[[bookmark]]\nurl = 7\n";
    place.write(".local/share/wayfarer/bookmarks.toml", bookmarks);
    let (status, _, told) = place.run(&["--check-config"]);
    assert_eq!((status, told.lines().count()), (1, 6), "{told}");
    for place in ["bookmarks.toml:5: ", "bookmarks.toml:7: "] {
        assert_eq!(told.matches(place).count(), 1, "{place} in {told}");
    }
    // They cost only themselves, and do not spoil the result.
    let server = server();
    let (status, out, told) = place.run(&[&server.url("1")]);
    assert_eq!((status, told), (0, err));
    assert!(out.contains("A text") && !out.contains("(TXT)"), "{out}");
    let (status, _, err) = place.run(&["-c", "missing.toml", "--check-config"]);
    assert!(status == 1 && err.contains("missing.toml"), "{err}");
}

#[test]
fn a_silent_server_ends_after_the_time_given() {
    let server = server();
    let (status, out, err) = run(&["--timeout", "1", &server.url("1/stall")]);
    assert_eq!((status, out.as_str()), (1, "(TXT) First\n"));
    assert!(err.contains("nothing came for 1 s") && err.lines().count() == 1, "{err}");
    assert_eq!(run(&["--timeout", "0", "about:home"]).0, 2);
}

#[test]
fn help_and_version_are_results() {
    let (status, out, err) = run(&["-h"]);
    assert_eq!((status, err.as_str()), (0, ""));
    let options = ["--dump", "--source", "--head", "--links", "--width", "--base", "--type", "--charset", "--set"];
    let more = [
        "--config",
        "--check-config",
        "--timeout",
        "--session",
        "--no-session",
        "--no-color",
        "--safe",
        "--help",
        "--version",
    ];
    for option in options.into_iter().chain(more).chain(["completions", "man", "url"]) {
        assert!(out.contains(option), "{option}");
    }
    prints(&["-V"], concat!("wayfarer ", env!("CARGO_PKG_VERSION"), "\n"));
    prints(&["--version"], concat!("wayfarer ", env!("CARGO_PKG_VERSION"), "\n"));
}

#[test]
fn wrong_usage_is_status_2_and_no_result() {
    for arguments in [&["--session", "a/b"][..], &["--session", "a", "--no-session"]] {
        assert_eq!(run(arguments).0, 2, "{arguments:?}");
    }
    for arguments in [&["--bogus"][..], &["--width"], &["url"], &["url", "nonsense"], &["completions", "no-shell"], &[]]
    {
        let (status, out, err) = run(arguments);
        assert_eq!((status, out.as_str()), (2, ""), "{arguments:?}");
        assert!(!err.is_empty(), "{arguments:?}");
    }
}

#[test]
fn standard_input_and_files_are_places() {
    let place = Place::new();
    place.write("note.txt", "from a file\n");
    place.write("sub dir/a%20b#c?.txt", "with an odd name\n");
    assert_eq!(place.feed(&["-"], b"from a pipe\n"), (0, "from a pipe\n".into(), String::new()));
    let (status, out, err) = place.feed(&["note.txt", "-", "sub dir/a%20b#c?.txt"], b"from a pipe\n");
    assert_eq!((status, err.as_str()), (0, ""));
    assert_eq!(out, "from a file\nfrom a pipe\nwith an odd name\n");
    let (status, out, err) = place.run(&["sub dir"]);
    assert_eq!((status, err.as_str()), (0, ""));
    assert!(out.contains("a%20b#c?.txt"), "{out}");
    let (_, out, _) = place.run(&["--links", "sub dir"]);
    assert!(out.contains("/sub%20dir/a%2520b%23c%3F.txt\n"), "{out}");
    let (status, out, err) = place.run(&["./no-such-file"]);
    assert_eq!((status, out.as_str(), err.lines().count()), (1, "", 1), "{err}");
}

#[test]
fn without_a_place_the_home_page_is_meant() {
    let server = server();
    let place = Place::with("WWW_HOME", &server.url("0/text"));
    assert!(place.run(&["--dump"]).1.starts_with("one two three"));
    let (status, out, err) = Place::with("WWW_HOME", "").run(&["--dump", "-o", "home=about:home"]);
    assert_eq!((status, err.as_str()), (0, ""));
    assert!(out.contains("Where to go"), "{out}");
}

#[test]
fn the_web_is_asked_through_the_proxy_of_the_environment() {
    let words = "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 4\r\n\r\nwell";
    let server = Server::start(vec![("GET http://h.invalid/x HTTP/1.1", whole(words))]);
    let proxy = server.url("").replace("gopher:", "http:");
    let mut place = Place::with("http_proxy", &proxy);
    assert_eq!(place.run(&["http://h.invalid/x"]), (0, "well\n".into(), String::new()));
    assert_eq!(place.run(&["-o", "http.proxy=none", "http://h.invalid/x"]).0, 1);
    place.environment.push(("no_proxy", "other,invalid".into()));
    assert_eq!(place.run(&["http://h.invalid/x"]).0, 1);
    let (status, out, err) = Place::with("http_proxy", "no proxy at all").run(&["data:,here"]);
    assert!(
        status == 0 && out.starts_with("here") && err.contains("http_proxy: the URL of a proxy is wanted"),
        "{err}"
    );
}

#[test]
fn failures_are_one_line_and_status_1() {
    let server = server();
    let dead = DeadPort::new();
    fails(&[&format!("gopher://127.0.0.1:{}/1/x", dead.port())], 1, "refused the connection");
    fails(&["gopher://127.0.0.1:25/1/x"], 1, "another protocol");
    fails(&[&server.url("7/find")], 1, "give them as in gopher://");
    fails(&[&server.url("9/bin")], 1, "--source");
    fails(&[&server.url("1/a%0d%0ab")], 1, "refused");
    fails(&["gopher://user:sesame@no-such-host.invalid:x/"], 1, "");
    fails(&["about:no-such-page"], 1, "");
}

#[test]
fn passwords_are_not_repeated() {
    for arguments in [&["ftp://me:sesame@host.invalid/x"][..], &["--head", "ftp://me:sesame@host.invalid/"]] {
        let (status, out, err) = run(arguments);
        assert_eq!(status, 1);
        assert!(!out.contains("sesame") && !err.contains("sesame"), "{err}");
    }
}

#[test]
fn what_is_repeated_of_the_arguments_commands_no_terminal() {
    let odd = "\u{e0041}\u{202e}\u{9b}31m\x1b[31m\u{feff}\u{ad}\u{2028}\u{2066}\x07\u{61c}\u{180e}x";
    let url = format!("http://h/{odd}?{odd}#{odd}");
    let place = Place::new();
    place.write("a.html", format!("<a href=\"{url}\">{odd}</a><a href=\"ht{odd}:x\">{odd}</a>"));
    let option = format!("--{odd}");
    let base = ["--base", "http://h/"];
    let runs: &[&[&str]] = &[
        &[&option],
        &["url", &option],
        &["url", "parse", &option],
        &["url", odd],
        &["--width", odd],
        &[odd],
        &["--dump", odd],
        &["url", "parse", &url],
        &["url", "parse", "--json", &url],
        &["url", "parse", odd],
        &["url", "explain", &url],
        &["url", "explain", "--json", &url],
        &["url", "resolve", base[0], base[1], odd],
        &["url", "resolve", base[0], odd, odd],
        &["url", "relativize", base[0], base[1], &url],
        &["url", "get", "path", &url],
        &["url", "get", odd, &url],
        &["url", "get", "--decoded", "path", &url],
        &["url", "set", odd, &url],
        &["url", "equal", &url, "http://h/"],
        &["url", "diff", &url, "http://h/"],
        &["url", "normalise", &url],
        &["url", "request", &url],
        &["url", "complete", odd],
        &["url", "bases", "--retrieved", odd, odd],
        &["url", "check", "a.html"],
        &["url", "check", "--json", "a.html"],
        &["url", "check", odd],
        &["url", "bases", "a.html"],
        &["url", "find", "a.html"],
        &["url", "find", "--json", "a.html"],
        &["--links", "a.html"],
        &["--head", "a.html"],
    ];
    for arguments in runs {
        let (_, out, err) = place.run(arguments);
        let raw = out.chars().chain(err.chars()).find(|c| *c != '\n' && !wayfarer::doc::keeps(*c));
        assert_eq!(raw, None, "{arguments:?} {out:?} {err:?}");
    }
}

#[test]
fn passwords_in_links_are_not_printed() {
    let place = Place::new();
    place.write("a.gmi", "=> ftp://me:sesame@h/ x\n");
    let (status, out, _) = place.run(&["--links", "a.gmi"]);
    assert_eq!((status, out.as_str()), (0, "ftp://me:***@h/\n"));
}

#[test]
fn nothing_that_a_server_says_commands_the_terminal() {
    let server = Server::start(vec![
        ("/a\x1b[2Jb", whole(b"x")),
        ("/c", whole(b"3No \x1b]0;title\x07 such\x9b2J\t\terror.host\t1\r\n")),
    ]);
    for place in [&server.url("9/a%1B[2Jb"), &server.url("0/c")] {
        let (_, out, err) = run(&["--head", place]);
        assert!(!(out + &err).contains(['\x1b', '\x07', '\u{9b}']), "{place}");
    }
}

#[test]
fn a_url_item_is_no_way_to_a_file() {
    fails(&["gopher://h.invalid/hURL:file:///etc/passwd"], 1, "a file of this machine");
    fails(&["gopher://h.invalid/hURL:gopher://h.invalid:300/"], 1, "Port 300");
}

#[test]
fn a_reader_that_has_seen_enough_ends_it_quietly() {
    let server = server();
    let place = Place::new();
    place.write("large.txt", "a line of text\n".repeat(200_000));
    for arguments in
        [&["large.txt"][..], &[&server.url("0/endless")], &["--source", &server.url("0/endless")], &["man"]]
    {
        let mut child = place.start(arguments);
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let done = child.wait_with_output().unwrap();
        assert!(!line.is_empty());
        assert_eq!(
            (done.status.code(), String::from_utf8_lossy(&done.stderr).as_ref()),
            (Some(0), ""),
            "{arguments:?}"
        );
    }
}

#[test]
fn completions_and_manual_know_everything() {
    for shell in ["bash", "zsh", "fish"] {
        let (status, out, err) = run(&["completions", shell]);
        assert_eq!((status, err.as_str()), (0, ""));
        assert!(out.contains("check-config") && out.contains("resolve"), "{shell}");
        // A place beside them keeps zsh from completing subcommands.
        assert!(!out.contains("URL|FILE") && (shell != "zsh" || out.contains("_wayfarer_commands; _files")), "{shell}");
    }
    let (status, out, err) = run(&["man"]);
    assert_eq!((status, err.as_str()), (0, ""));
    let plain = out.replace("\\-", "-").replace("\\(ti", "~").replace("\\fB", "").replace("\\fR", "");
    for command in wayfarer::app::COMMANDS {
        assert!(plain.lines().any(|line| line.split("  ").next() == Some(command.name)), "{}", command.name);
    }
    for word in ["--check-config", "EXIT STATUS", "~/.config/wayfarer/settings.toml", "url resolve", "C-x C-f"] {
        assert!(plain.contains(word), "{word}");
    }
    for row in ["home = \"about:home\"", "limits.silence = \"60 s\"", "handlers.tn3270 = [", "gateways.wais = "] {
        assert!(plain.lines().any(|line| line.starts_with(row)), "{row}");
    }
}

/// What the program asks the environment for stands in its manual.
#[test]
fn the_manual_names_every_variable_that_is_looked_at() {
    let (_, manual, _) = run(&["man"]);
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("src")];
    let mut seen = 0;
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let source = fs::read_to_string(path).unwrap();
            for call in ["env::var(\"", "env::var_os(\""] {
                for rest in source.split(call).skip(1) {
                    let name = rest.split('"').next().unwrap();
                    assert!(manual.contains(name), "{name}");
                    seen += 1;
                }
            }
        }
    }
    assert!(seen >= 5, "only {seen} were found");
}

#[test]
fn safe_writes_nothing_at_all() {
    let server = server();
    let place = Place::new();
    assert_eq!(place.run(&["--safe", &server.url("1")]).0, 0);
    assert_eq!(fs::read_dir(place.path()).unwrap().count(), 0);
}

#[test]
fn nothing_is_coloured_in_a_pipe() {
    let server = server();
    let place = Place::with("TERM", "xterm-256color");
    for arguments in [&["-d", &server.url("1")][..], &["--no-color", &server.url("1")], &["-h"], &["man"]] {
        let (_, out, err) = place.run(arguments);
        assert!(!out.contains('\x1b') && !err.contains('\x1b'), "{arguments:?}");
    }
}

#[test]
fn what_is_not_built_in_is_explained_or_fetched_by_a_gateway() {
    let (status, out, err) = run(&["-d", "wais://h/db"]);
    assert!(status == 1 && err.contains("A full-text database of the early 1990s"), "{err}");
    assert!(out.contains("What can be done"), "{out}");
    fails(&["-d", "javascript:x"], 1, "javascript");
    prints(&["-d", "-o", "gateways.wais=data:,%s", "wais://me:pw@h/db"], "wais://me@h/db\n");
}

#[test]
fn head_says_by_which_charset_a_text_would_be_read_and_why() {
    let folder = tempfile::tempdir().unwrap();
    let charset = |name: &str, octets: &[u8], options: &[&str]| {
        let file = folder.path().join(name);
        std::fs::write(&file, octets).unwrap();
        let arguments = [&["--head"], options, &[file.to_str().unwrap()]].concat();
        let (status, out, err) = run(&arguments);
        assert_eq!((status, err.as_str()), (0, ""));
        out.lines().find_map(|line| line.strip_prefix("charset: ")).map(str::to_owned).unwrap_or_default()
    };
    assert_eq!(charset("a.txt", b"plain", &[]), "us-ascii (nothing else has come)");
    let russian = b"\xF0\xD2\xC9\xD7\xC5\xD4, \xFA\xC4\xD2\xC1\xD7\xD3\xD4\xD7\xD5\xCA\xD4\xC5\n";
    assert_eq!(charset("b.txt", russian, &[]), "koi8-u (guessed)");
    assert_eq!(charset("b.txt", russian, &["--charset", "koi8-r"]), "koi8-r (chosen)");
    assert_eq!(charset("c.html", b"<meta charset=koi8-r><p>x", &[]), "koi8-r (declared)");
    assert_eq!(charset("d.bin", &[0; 50], &[]), "");
}

#[test]
fn a_compressed_text_is_printed() {
    let packed = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/unpack/small.zst");
    let plain = packed.replace(".zst", ".txt");
    assert_eq!(run(&["--dump", packed]), run(&["--dump", &plain]));
}

#[test]
fn a_command_behind_options_says_where_it_stands() {
    let place = Place::new();
    for options in [
        &["--safe", "save", "http://h.example/", "-o", "x.mht"][..],
        &["-o", "width=70", "save", "--depth", "1", "http://h.example/", "-o", "x.mht"],
        &["--no-color", "url", "parse", "http://h.example/"],
    ] {
        let (status, _, err) = place.run(options);
        let name = if options.contains(&"url") { "url" } else { "save" };
        assert_eq!(status, 2, "{options:?}: {err}");
        assert!(
            err.contains(&format!("{name} is a command, which stands before its options: wayfarer {name} ")),
            "{err}"
        );
        assert_eq!(err.lines().count(), 1, "{err}");
    }
    // A file of that name is a file.
    place.write("save", "words\n");
    assert_eq!(place.run(&["--dump", "save"]).1, "words\n");
}

/// A file that is not there was taken for a host without a word of the file.
#[test]
fn a_name_that_is_no_file_and_no_host_is_told_as_both() {
    // A label of 64 letters is in no name service, so none is asked.
    let name = format!("{}.txt", "x".repeat(64));
    fails(
        &[&name],
        1,
        &format!("There is no file {name} here, so it was taken for a host. There is no host \"{name}\"."),
    );
    let place = Place::new();
    place.write(&name, "the words of the file\n");
    assert_eq!(place.run(&[&name]), (0, "the words of the file\n".into(), String::new()));
    // An address is no name of a file.
    let (_, _, told) = run(&[&format!("http://{name}/")]);
    assert!(told.contains("There is no host") && !told.contains("no file"), "{told}");
}
