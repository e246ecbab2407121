//! Damaged files: the program starts, answers keys, tells what it can, and neither good rows nor damaged ones are ever lost.

use crate::damage::Damage;
use crate::fault::Fault;
use crate::home::{DATA, Draw, STATE, asked, files, start};
use crate::host::{Host, Identity};
use crate::space::{Case, Kind, Space};
use crate::terminal::Terminal;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::Mutex;
use wayfarer::app::LONGEST_WORDS;

const KEYS: &str = "[page]\n\"F5\" = \"reload\"\n\"F6\" = \"back\"\n";
const SETTINGS: &str = "theme = \"mine\"\nsort = \"size\"\n[limits]\nconnect = \"7 s\"\n[http]\ncookies = \"keep\"\n";
const THEME: &str = "\"page.link\" = \"blue underline\"\n\"page.heading\" = \"bold yellow\"\n";

/// The foot of a box that waits for the reader.
const BOX: &str = "Esc close";

/// Who is visited.
struct Servers {
    hosts: BTreeMap<&'static str, Host>,
    web: String,
}

impl Servers {
    fn start() -> Servers {
        let identity = Identity::new();
        let spaces = [Space::Gopher, Space::Gophers, Space::Ftp, Space::Nntp];
        let host = |space: Space, kind| (space, Host::start(Case { space, kind, fault: Fault::None }, &identity));
        let mut hosts: BTreeMap<&'static str, Host> =
            spaces.map(|space| host(space, Kind::Text)).into_iter().map(|(space, host)| (space.name(), host)).collect();
        hosts.insert("other", host(Space::Gophers, Kind::Text).1);
        hosts.insert("files", host(Space::Gopher, Kind::File).1);
        hosts.insert("list", host(Space::Ftp, Kind::List).1);
        Servers { hosts, web: web() }
    }

    fn url(&self, host: &str, rest: &str) -> String {
        let port = self.hosts[host].port;
        let scheme = match host {
            "files" => "gopher",
            "other" => "gophers",
            "list" => "ftp",
            host => host,
        };
        format!("{scheme}://127.0.0.1:{port}/{rest}")
    }
}

/// A page whose server sets a cookie for years, another on each path.
fn web() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://localhost:{}/", listener.local_addr().unwrap().port());
    std::thread::spawn(move || {
        for visitor in listener.incoming() {
            let mut visitor = BufReader::new(visitor.unwrap());
            let mut line = String::new();
            let _ = visitor.read_line(&mut line);
            let name = line.split(['/', ' ']).nth(2).unwrap_or_default().to_owned();
            while visitor.read_line(&mut line).unwrap_or(0) > 2 {}
            let head = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nConnection: close";
            let cookie = format!("Set-Cookie: {name}=hidden; Max-Age=1000000000; Path=/");
            let page = format!("<p>words of {name}");
            let length = page.len();
            let _ = write!(visitor.get_mut(), "{head}\r\n{cookie}\r\nContent-Length: {length}\r\n\r\n{page}");
        }
    });
    url
}

/// A file that is kept, and what makes the program write it. The number makes it something new.
struct Sample {
    path: String,
    act: fn(&mut Terminal, &Servers, usize),
    /// It is the reader's own: the program never writes it.
    own: bool,
}

fn samples(servers: &Servers) -> Vec<Sample> {
    let sample = |path: String, act| Sample { path, act, own: false };
    let own = |name: &str| Sample { path: format!(".config/wayfarer/{name}"), act: |_, _, _| {}, own: true };
    vec![
        sample(format!("{STATE}/history"), visit),
        sample(format!("{STATE}/sessions/work.jsonl"), visit),
        sample(format!("{STATE}/words"), find),
        sample(format!("{STATE}/charsets"), charset),
        sample(format!("{STATE}/orders"), order),
        sample(format!("{STATE}/marks"), mark),
        sample(format!("{STATE}/downloads"), save),
        sample(format!("{DATA}/bookmarks.toml"), bookmark),
        sample(format!("{DATA}/subscriptions.toml"), subscribe),
        sample(format!("{DATA}/later"), put_by),
        sample(format!("{DATA}/cookies"), cookie),
        sample(format!("{DATA}/pins"), pin),
        sample(format!(".newsrc-127.0.0.1:{}", servers.hosts["nntp"].port), read_article),
        own("settings.toml"),
        own("keys.toml"),
        own("themes/mine.toml"),
    ]
}

fn go(terminal: &mut Terminal, url: &str, words: &str) {
    terminal.keys("g").see("open:").keys(&format!("{url}\r")).see_no("open:").see(words);
}

fn visit(terminal: &mut Terminal, servers: &Servers, number: usize) {
    go(terminal, &servers.url("gopher", &format!("0/visit{number}")), &format!("visit{number}"));
    terminal.see("row 1 of");
}

fn put_by(terminal: &mut Terminal, servers: &Servers, number: usize) {
    visit(terminal, servers, number);
    terminal.keys("\x1ba").see_that("what came of it", |screen| {
        ["put by, to be read later", "Not put by:"].iter().any(|words| says(screen, words))
    });
}

fn find(terminal: &mut Terminal, servers: &Servers, number: usize) {
    visit(terminal, servers, number);
    terminal.keys(&format!("/row {}\r", number % 50 + 1)).see_no("find:");
}

fn charset(terminal: &mut Terminal, servers: &Servers, number: usize) {
    visit(terminal, servers, number);
    terminal
        .keys(if number.is_multiple_of(2) { ":charset cp437\r" } else { ":charset iso-8859-2\r" })
        .see_no(":charset");
}

fn order(terminal: &mut Terminal, servers: &Servers, number: usize) {
    go(terminal, &servers.url("list", &format!("folder{number}/")), &format!("folder{number}"));
    terminal
        .see("of a folder")
        .keys(if number.is_multiple_of(2) { ":sort name\r" } else { ":sort date\r" })
        .see_no(":sort");
}

fn mark(terminal: &mut Terminal, servers: &Servers, number: usize) {
    visit(terminal, servers, number);
    let letter = ['a', 'b', 'c'][number % 3];
    terminal.keys(&format!("m{letter}"));
    see_or_unkept(terminal, &format!("mark {letter} is here"));
}

fn save(terminal: &mut Terminal, servers: &Servers, number: usize) {
    terminal.keys("g").see("open:").keys(&format!("{}\r", servers.url("files", &format!("9/file{number}"))));
    terminal.see("This is no page").keys("s").see("save as: ").keys("\r").see_no("save as: ");
    see_or_unkept(terminal, "saved");
}

/// That something was done; or, where its file takes nothing, that this is not kept, in the same place.
fn see_or_unkept(terminal: &mut Terminal, words: &str) {
    terminal.see_that(words, |screen| says(screen, words) || says(screen, "not kept yet"));
}

/// Whether words stand on the screen, wherever the line was broken that has them.
fn says(screen: &str, words: &str) -> bool {
    screen.split_whitespace().collect::<Vec<_>>().join(" ").contains(words)
}

fn bookmark(terminal: &mut Terminal, servers: &Servers, number: usize) {
    visit(terminal, servers, number);
    terminal.keys("a").see("A new bookmark").keys(&format!("bookmark {number}\r")).see_no("A new bookmark");
}

fn subscribe(terminal: &mut Terminal, servers: &Servers, number: usize) {
    visit(terminal, servers, number);
    terminal.keys("A").see_that("what came of it", |screen| {
        ["subscribed to", "left alone", "cannot be read", "not kept yet"].iter().any(|words| says(screen, words))
    });
}

fn cookie(terminal: &mut Terminal, servers: &Servers, number: usize) {
    go(terminal, &format!("{}cookie{number}", servers.web), &format!("words of cookie{number}"));
}

fn pin(terminal: &mut Terminal, servers: &Servers, number: usize) {
    let host = if number == 0 { "gophers" } else { "other" };
    terminal.keys("g").see("open:").keys(&format!("{}\r", servers.url(host, "0/secret"))).see_no("open:");
    // A pin that is damaged makes the way to its host no longer safe, which is told in place of the page.
    terminal.frame_that("an end", |screen| {
        let screen = screen.contents();
        let bar = screen.lines().rfind(|line| line.contains("/secret")).unwrap_or_default();
        bar.contains("failed") || screen.contains("row 1 of") && bar.contains("base: ")
    });
}

fn read_article(terminal: &mut Terminal, servers: &Servers, number: usize) {
    let number = number % 50 + 1;
    let url = servers.url("nntp", &format!("group/{number}"));
    terminal.keys("g").see("open:").keys(&format!("{url}\r")).see_no("open:");
    // The page before has a first row, too.
    terminal.frame_that("the article", |screen| {
        let screen = screen.contents();
        let bar = screen.lines().rfind(|line| line.contains(&format!(" group  {number} "))).unwrap_or_default();
        screen.contains("row 1 of") && bar.contains("base: ")
    });
}

/// Looks whether keys are answered, past all that may have come by itself.
fn is_answering(terminal: &mut Terminal) {
    let mut boxed = terminal.screen().contains(BOX);
    while boxed {
        // What has just come takes no key yet.
        terminal.keys("\x1b").see_that("the box closed", |screen| {
            boxed = screen.contains(BOX);
            !boxed || screen.contains("just came")
        });
    }
    terminal.keys("=").see("Anatomy").keys("\x1b").see_no("Anatomy");
}

/// The list of what went wrong, or that nothing did.
fn complaints(terminal: &mut Terminal) -> String {
    terminal.keys(":complaints\r").see_that("what went wrong", |screen| screen.contains("went wrong"));
    terminal.screen()
}

fn arguments() -> [&'static str; 5] {
    ["--session", "work", "-o", "news.newsrc=~/.newsrc", "about:safety"]
}

/// A home with all that is kept.
fn rich(home: &Path, servers: &Servers) {
    let settings = home.join(".config/wayfarer");
    fs::create_dir_all(settings.join("themes")).unwrap();
    for (name, text) in [("settings.toml", SETTINGS), ("keys.toml", KEYS), ("themes/mine.toml", THEME)] {
        fs::write(settings.join(name), text).unwrap();
    }
    let mut terminal = start(home, &arguments());
    terminal.see("What you can rely on");
    for number in 0..3 {
        samples(servers).iter().for_each(|sample| (sample.act)(&mut terminal, servers, number));
    }
    terminal.keys("Q").end();
    assert!(!String::from_utf8_lossy(&terminal.raw()).contains("settings.toml:"), "the reader's own files are right");
    for sample in samples(servers) {
        assert!(home.join(&sample.path).exists(), "{} of {:?}", sample.path, files(home));
    }
}

fn copy(from: &Path, to: &Path) {
    for path in files(from) {
        let there = to.join(path.strip_prefix(from).unwrap());
        fs::create_dir_all(there.parent().unwrap()).unwrap();
        fs::copy(path, there).unwrap();
    }
}

/// The part of a row by which it is known: cookies, downloads and lists of articles are written anew from what they say.
fn known_by<'a>(path: &str, row: &'a [u8]) -> &'a [u8] {
    let at = |octet: u8| row.iter().position(|here| *here == octet);
    let (start, end) = match () {
        () if path.ends_with("/cookies") => (at(b'\t').map_or(0, |at| at + 1), at(b';')),
        () if path.ends_with("/downloads") => (0, row.windows(2).position(|two| two == b"\",")),
        () if path.starts_with(".newsrc") => {
            let name = row.iter().position(|octet| b":!".contains(octet)).map(|at| at + 1);
            let is_list = |at: &usize| row[*at..].iter().all(|octet| b" 0123456789,-".contains(octet));
            (0, name.filter(is_list))
        }
        () => (0, None),
    };
    row.get(start..end.unwrap_or(row.len())).unwrap_or(row)
}

/// The address of a place in a session.
fn url(line: &[u8]) -> Option<&[u8]> {
    let begin = b"\"url\":\"";
    let rest = &line[memchr::memmem::find(line, begin)? + begin.len()..];
    rest.split(|octet| *octet == b'"').next()
}

fn lines(octets: &[u8]) -> BTreeSet<&[u8]> {
    octets.split(|octet| *octet == b'\n').filter(|line| !line.is_empty()).collect()
}

/// Whether what a damaged file still says of a server was heeded: by its line the page is shown, by anything else that begins
/// with its name it is refused, and so it is beside a line of which nobody can tell the server; where there is nothing left, not even
/// a damaged line on its host, it is said aloud that this is a first visit.
fn is_judged(shown: &str, whole: &[u8], damaged: &[u8], servers: &Servers) -> bool {
    let who = format!("127.0.0.1:{}", servers.hosts["other"].port).into_bytes();
    let is_about = |line: &&[u8]| {
        let rest = line.trim_ascii_start().strip_prefix(&who[..]);
        rest.is_some_and(|rest| rest.first().is_none_or(|next| !next.is_ascii_digit()))
    };
    let (refused, first) = (shown.contains("REFUSED"), shown.contains("first visit"));
    let words = |line: &[u8]| {
        line.split(u8::is_ascii_whitespace)
            .filter(|word| !word.is_empty())
            .take(2)
            .map(<[u8]>::to_vec)
            .collect::<Vec<_>>()
    };
    let pin = lines(whole).into_iter().find(is_about).map(words).unwrap_or_default();
    let left: Vec<Vec<Vec<u8>>> = damaged.split(|octet| *octet == b'\n').filter(is_about).map(words).collect();
    // A damaged line on the host is one that may have been about this port.
    let changed = || lines(damaged).into_iter().filter(|line| !lines(whole).contains(line));
    let doubtful = changed().any(|line| memchr::memmem::find(line, b"127.0.0.1").is_some());
    let nameless = changed().any(is_nameless);
    match left.last() {
        None => first != refused && if refused { doubtful || nameless } else { !nameless },
        Some(last) if *last == pin => !first && !refused,
        // One that is whole counts, wherever it stands.
        Some(_) => !first && (refused || left.contains(&pin)),
    }
}

/// Whether a line says something, and not of which server.
fn is_nameless(line: &[u8]) -> bool {
    let line = String::from_utf8_lossy(line);
    let Some(who) = line.split_whitespace().next().filter(|who| !who.starts_with('#')) else { return false };
    let is_host = |host: &str| !host.is_empty() && host.bytes().all(|octet| octet.is_ascii_graphic());
    !who.rsplit_once(':').is_some_and(|(host, port)| is_host(host) && port.parse::<u16>().is_ok())
}

/// Damages a file of a home, uses the home, and says what is wrong with that.
fn try_one(rich: &Path, servers: &Servers, sample: &Sample, damage: Damage, seed: u64) -> Result<bool, String> {
    let home = tempfile::tempdir().unwrap();
    copy(rich, home.path());
    let path = home.path().join(&sample.path);
    let whole = fs::read(&path).unwrap();
    let damaged = damage.of(&whole, &mut Draw::new(seed));
    fs::write(&path, &damaged).unwrap();
    let mut terminal = start(home.path(), &arguments());
    terminal.see_that("a first screen", |screen| screen.contains("base: "));
    is_answering(&mut terminal);
    (sample.act)(&mut terminal, servers, 10 + usize::try_from(seed % 30).unwrap());
    let shown = terminal.screen();
    is_answering(&mut terminal);
    // At once: what a damaged file cannot take is told of by q, which then stays.
    terminal.keys("Q");
    let status = terminal.end();
    let raw = String::from_utf8_lossy(&terminal.drained().raw()).into_owned();
    let name = path.file_name().unwrap().to_str().unwrap();
    let told = raw.contains(&format!("{name}:"));
    let what = format!("{} {damage:?} by seed {seed}", sample.path);
    // What could not be kept because of it is said at the end.
    let owed = raw.rsplit_once("\x1b[?1049l").is_some_and(|(_, end)| end.contains(name));
    if status != u32::from(owed) || raw.contains("panicked") {
        return Err(format!("{what}: ended with {status}"));
    }
    if sample.path.ends_with("/pins") && !is_judged(&shown, &whole, &damaged, servers) {
        return Err(format!(
            "{what}: taken for a first visit, in silence or in spite of what is left of its line: {shown}"
        ));
    }
    let after = fs::read(&path).unwrap_or_default();
    let beside = files(path.parent().unwrap());
    let stem = path.with_extension("");
    let asides: Vec<Vec<u8>> = beside
        .iter()
        .filter(|other| other.with_extension("") == stem && other.to_string_lossy().contains(".bad"))
        .map(|other| fs::read(other).unwrap())
        .collect();
    if sample.own {
        return if after == damaged { Ok(told) } else { Err(format!("{what}: was written")) };
    }
    if asides.contains(&damaged) {
        return Ok(told);
    }
    // Rows that nothing happened to.
    let (before, now) = (lines(&whole), lines(&after));
    let kept: BTreeSet<&[u8]> = asides.iter().flat_map(|aside| lines(aside)).chain(now.iter().copied()).collect();
    let is_session = sample.path.contains("sessions/");
    for line in lines(&damaged).into_iter().filter(|line| is_session && before.contains(line)) {
        if url(line).is_some_and(|url| memchr::memmem::find(&after, url).is_none()) {
            return Err(format!("{what}: a place is lost: {:?}", String::from_utf8_lossy(line)));
        }
    }
    for line in lines(&damaged) {
        let good = before.contains(line);
        // What was read since is added to a row of articles, and what a row lacks now was nothing that counts.
        let known = known_by(&sample.path, line);
        let among = if good { &now } else { &kept };
        let is_kept = |row: &&[u8]| memchr::memmem::find(row, known).is_some();
        let lost = !line.starts_with(b"#") && !among.iter().any(is_kept);
        // What is longer than anybody types is not remembered, neither words nor what was chosen for a host.
        let of_lines = ["/words", "/charsets", "/orders", "/marks"].iter().any(|name| sample.path.ends_with(name));
        let is_pasted = of_lines && line.len() > LONGEST_WORDS;
        // Tabs were moved on in; that none went is seen by their addresses.
        if lost && !is_session && !is_pasted {
            let line = String::from_utf8_lossy(&line[..line.len().min(200)]);
            return Err(format!("{what}: a {} row is lost: {line:?}", if good { "good" } else { "damaged" }));
        }
    }
    Ok(told)
}

#[test]
fn damaged_files_cost_what_is_damaged_and_no_more() {
    let count = asked("WAYFARER_DAMAGES", 5);
    let seed = asked("WAYFARER_SEED", 14) as u64;
    let (servers, home) = (Servers::start(), tempfile::tempdir().unwrap());
    rich(home.path(), &servers);
    let samples = samples(&servers);
    let tries: Vec<(usize, usize)> = (0..samples.len()).flat_map(|at| (0..count).map(move |n| (at, n))).collect();
    let (next, wrong, told) = (Mutex::new(tries.iter()), Mutex::new(Vec::new()), Mutex::new(BTreeMap::new()));
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                loop {
                    let Some((at, number)) = next.lock().unwrap().next() else { return };
                    // Each file begins with another kind.
                    let damage = Damage::ALL[(at * 3 + number) % Damage::ALL.len()];
                    let seed = seed.wrapping_mul(1000).wrapping_add((at * 1_000_003 + number) as u64);
                    let sample = &samples[*at];
                    let one = || try_one(home.path(), &servers, sample, damage, seed);
                    // One that is stuck does not hide the others.
                    let stuck = |_| Err(format!("{} {damage:?} by seed {seed}: stuck, as said above", sample.path));
                    match catch_unwind(AssertUnwindSafe(one)).unwrap_or_else(stuck) {
                        Ok(was) => {
                            let mut told = told.lock().unwrap();
                            let entry: &mut (usize, usize) = told.entry((*at, format!("{damage:?}"))).or_default();
                            *entry = (entry.0 + usize::from(was), entry.1 + 1);
                        }
                        Err(what) => wrong.lock().unwrap().push(what),
                    }
                }
            });
        }
    });
    println!("\nfile, damage, told of so many");
    for ((at, damage), (was, of)) in told.into_inner().unwrap() {
        println!("{:42} {damage:9} {was:4} of {of:4}", samples[at].path);
    }
    let wrong = wrong.into_inner().unwrap();
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), tries.len(), wrong.join("\n"));
}

#[test]
fn a_pipe_in_the_place_of_a_file_is_not_waited_for() {
    let servers = Servers::start();
    let rich_home = tempfile::tempdir().unwrap();
    rich(rich_home.path(), &servers);
    let others = [
        (format!("{DATA}/pages.db"), visit as fn(&mut Terminal, &Servers, usize)),
        (format!("{STATE}/sessions/work.lock"), visit),
        (format!("{STATE}/sessions/work.last-lock"), visit),
        (format!(".cache/wayfarer/news/127.0.0.1:{}/group.overview", servers.hosts["nntp"].port), read_article),
    ];
    let others = others.into_iter().map(|(path, act)| Sample { path, act, own: false });
    let pipe = |path: &Path| nix::unistd::mkfifo(path, nix::sys::stat::Mode::from_bits_truncate(0o600)).unwrap();
    let is_pipe = |path: &Path| std::os::unix::fs::FileTypeExt::is_fifo(&fs::metadata(path).unwrap().file_type());
    stands_in(&servers, rich_home.path(), samples(&servers).into_iter().chain(others), pipe, is_pipe);
}

#[test]
fn a_file_that_is_far_too_long_is_not_read() {
    let servers = Servers::start();
    let rich_home = tempfile::tempdir().unwrap();
    rich(rich_home.path(), &servers);
    let long = |path: &Path| fs::File::create(path).unwrap().set_len(1 << 30).unwrap();
    // A line may be added at its end.
    let is_long = |path: &Path| fs::metadata(path).unwrap().len() >= 1 << 30;
    stands_in(&servers, rich_home.path(), samples(&servers).into_iter(), long, is_long);
}

/// Something else stands in the place of each file, one at a time: the program starts, answers, does what would write there, says
/// what is wrong with which file, ends, and leaves it as it is.
fn stands_in(
    servers: &Servers,
    rich_home: &Path,
    samples: impl Iterator<Item = Sample>,
    make: impl Fn(&Path),
    stands: impl Fn(&Path) -> bool,
) {
    for (at, sample) in samples.enumerate() {
        let home = tempfile::tempdir().unwrap();
        copy(rich_home, home.path());
        let path = home.path().join(&sample.path);
        // What is not there yet would be made there.
        let _ = fs::remove_file(&path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        make(&path);
        let mut terminal = start(home.path(), &arguments());
        terminal.see_that("a first screen", |screen| screen.contains("base: "));
        is_answering(&mut terminal);
        (sample.act)(&mut terminal, servers, 10 + at);
        is_answering(&mut terminal);
        let screen = terminal.screen();
        let name = path.file_name().unwrap().to_str().unwrap();
        // They are read and written beside the page, and the next key takes what is told of them from the last line.
        if ["history", "pages.db"].contains(&name) {
            let told = (0..200).any(|_| {
                let told = complaints(&mut terminal).contains(&format!("{name}:"));
                terminal.keys("\x1b").see_no("went wrong");
                told
            });
            assert!(told, "{screen}");
        }
        terminal.keys("Q");
        terminal.end();
        let raw = String::from_utf8_lossy(&terminal.drained().raw()).into_owned();
        // The one is wanted at the end only, by a run without a name of its own; without the other the group is asked for anew.
        if name.ends_with(".last-lock") || name.ends_with(".overview") {
            continue;
        }
        assert!(
            (raw.contains(&format!("{name}:")) || screen.contains(name)) && !raw.contains("panicked"),
            "{}: {screen}",
            sample.path
        );
        assert!(stands(&path), "{}", sample.path);
    }
}
