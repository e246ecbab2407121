//! Wayfarer beside other programs on the same pages, measured from outside: what a reader waits for, what it takes of processor
//! and memory. It prints Markdown, with the machine, the versions, and every row in which another program is ahead; it asserts
//! nothing.
//!
//! Everything in one run, on a machine that does nothing else:
//!
//! ```sh
//! apt-get install amfora lynx w3m elinks links2 sacc bombadillo slrn tin lftp wget curl less strace
//! cargo install phetch
//! tests/real/run FOLDER
//! WAYFARER_SERVERS=FOLDER .ci/packaged cargo bench --profile dist --bench peers
//! ```
//!
//! That takes about ten minutes after the build. `-- --runs 21` measures more often what is quick, `-- start ftp` only these parts. Programs
//! that are not installed are named and left out. The pages come from small servers on loopback that this program starts, and
//! FTP directories and a newsgroup from real servers where `WAYFARER_SERVERS` names their packages.

#![allow(clippy::expect_used, clippy::unwrap_used, clippy::panic)]

mod archive;
mod capsule;
mod machine;
#[path = "../../tests/it/archive/made.rs"]
#[expect(dead_code, reason = "only some archives lie on servers")]
mod made;
mod newsgroup;
mod pages;
#[path = "../../tests/fault/pem.rs"]
mod pem;
mod phases;
mod programs;
mod report;
#[path = "../../tests/real/servers.rs"]
mod servers;
mod start;
mod terminal;
mod tree;
mod web;

use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::time::{TimeVal, TimeValLike};
use programs::{Directories, News, Player};
use report::{Report, Rounds};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use terminal::Terminal;

const HUGE: usize = 20_000;
const MILLION: usize = 1_000_000;
/// Entries of the FTP directory.
const ENTRIES: usize = 10_000;
/// Keys pressed one after the other.
const KEYS: usize = 10;
const TEXT_LINES: usize = 100 * 1024 * 1024 / pages::LINE_OCTETS;
/// So often everything is measured that is measured more than once, however long it takes.
const SLOW_RUNS: usize = 3;
/// A table for which there was so much time is measured no more often than that.
const LONG: Duration = Duration::from_secs(10);

/// A part by its name.
type Part = (&'static str, fn(&Bench));

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if !arguments.iter().any(|argument| argument == "--bench") {
        return println!("measured only by `cargo bench --profile dist --bench peers`");
    }
    let runs = arguments.iter().skip_while(|a| *a != "--runs").nth(1).and_then(|n| n.parse().ok()).unwrap_or(11);
    let server = pages::serve().expect("a port on loopback");
    let folder = tempfile::tempdir().expect("a temporary folder");
    let text = folder.path().join("text.txt");
    pages::write_text(&text, TEXT_LINES).expect("100 MB of temporary space");
    let (players, missing) = programs::installed();
    machine::describe(&players, &missing, runs);
    let report = Report::default();
    let bench = Bench { runs, server, text, home: folder.path().join("home"), players, report };
    let parts: [Part; 10] = [
        ("start", Bench::start_up),
        ("paint", Bench::first_paint),
        ("dump", Bench::dump),
        ("memory", Bench::memory),
        ("keys", Bench::keys),
        ("gemini", Bench::capsule),
        ("ftp", Bench::directories),
        ("trees", Bench::trees),
        ("news", Bench::newsgroup),
        ("web", Bench::web),
    ];
    let named = |part: &str| arguments.iter().any(|argument| argument == part);
    let all = !parts.iter().any(|(part, _)| named(part));
    let began = Instant::now();
    for (part, measure) in parts.iter().filter(|(part, _)| all || named(part)) {
        let began = Instant::now();
        measure(&bench);
        eprintln!("{part} took {:.0} s", began.elapsed().as_secs_f64());
    }
    bench.report.conclude();
    println!("\nAll of it took {:.0} s.", began.elapsed().as_secs_f64());
}

struct Bench {
    runs: usize,
    /// `host:port`.
    server: String,
    text: PathBuf,
    /// The home folder of all programs, made anew for each.
    home: PathBuf,
    players: Vec<Player>,
    report: Report,
}

/// What a program took that ended by itself, in milliseconds.
struct Dumped {
    wall: f64,
    processor: f64,
}

impl Bench {
    fn menu(&self, items: usize) -> String {
        format!("gopher://{}/1/{items}", self.server)
    }

    /// Which page a program is given in a column, and what must stand on the screen.
    fn columns(&self) -> [(&'static str, Option<usize>, &'static str); 3] {
        [
            ("small menu", Some(15), "item 00000007"),
            ("20,000 items", Some(HUGE), "item 00000007"),
            ("100 MB text", None, "line 00000007"),
        ]
    }

    fn page(&self, player: &Player, items: Option<usize>) -> Option<String> {
        match items {
            Some(items) => player.peer.menus.then(|| self.menu(items)),
            None => player.peer.texts.then(|| self.text.display().to_string()),
        }
    }

    /// Starts a program as if its reader had been there before, but kept nothing.
    fn start(&self, player: &Player, page: &str) -> Terminal {
        start::clean(&self.home);
        Terminal::start(&player.path, &[page.into()], &self.home)
    }

    /// Lets a program print a page to nowhere.
    fn dumped(&self, player: &Player, page: &str) -> Option<Dumped> {
        if player.peer.dump.is_empty() {
            return None;
        }
        start::clean(&self.home);
        let words = player.peer.dump.iter().map(|word| word.replace("{}", page));
        let mut command = Command::new(&player.path);
        command.args(words).env("HOME", &self.home).env("LANG", "C.UTF-8").stdin(Stdio::null()).stdout(Stdio::null());
        for name in terminal::STATE {
            command.env_remove(name);
        }
        let (before, started) = (children(), Instant::now());
        let ended = command.stderr(Stdio::null()).status().ok()?;
        let wall = ms(started.elapsed());
        ended.success().then(|| Dumped { wall, processor: children() - before })
    }

    /// Wall and processor of it.
    fn printed(&self, player: &Player, page: Option<String>) -> [Option<f64>; 2] {
        let dumped = page.and_then(|page| self.dumped(player, &page));
        [dumped.as_ref().map(|dumped| dumped.wall), dumped.map(|dumped| dumped.processor)]
    }

    fn start_up(&self) {
        start::measure(&self.players[0], &self.home, self.runs);
    }

    fn first_paint(&self) {
        let columns = self.columns();
        let measure = |player: &Player| {
            let figure = |(_, items, marker): &(_, _, &str)| {
                let page = self.page(player, *items)?;
                self.start(player, &page).until(marker).map(ms)
            };
            columns.iter().map(figure).collect()
        };
        let title = "First paint, from exec to the 7th line on the screen, ms";
        self.report.table(title, &columns.map(|c| c.0), &self.rows(self.runs, measure), &[]);
    }

    fn dump(&self) {
        let menu = self.menu(HUGE);
        let measure = |player: &Player| self.printed(player, player.peer.menus.then(|| menu.clone())).into();
        let alone = median((0..self.runs).map(|_| pages::transfer(&self.server, HUGE).ok().map(ms)));
        let title = "Gopher menu of 20,000 items as text, ms";
        let rows = self.rows(self.runs, measure);
        self.report.table(title, &["wall", "processor"], &rows, &[("the transfer alone", vec![alone, None])]);
        let measure = |player: &Player| self.printed(player, self.page(player, None)).into();
        let title = "Text of 100 MB, printed again as text, ms";
        self.report.table(title, &["wall", "processor"], &self.rows(self.runs, measure), &[]);
    }

    fn memory(&self) {
        let columns = self.columns();
        let million = ("1,000,000 items", Some(MILLION), "item 00000007");
        let columns = [columns[0], columns[1], million, columns[2]];
        let measure = |player: &Player| {
            let figure = |(_, items, marker): &(_, _, &str)| {
                let mut terminal = self.start(player, &self.page(player, *items)?);
                terminal.until(marker)?;
                terminal.peak_memory()
            };
            columns.iter().map(figure).collect()
        };
        let octets = |items| Some(pages::menu_octets(items) as f64 / 1e6);
        let text = (TEXT_LINES * pages::LINE_OCTETS) as f64 / 1e6;
        let page = vec![octets(15), octets(HUGE), octets(MILLION), Some(text)];
        let title = "Peak memory when all is read, MB";
        self.report.table(title, &columns.map(|c| c.0), &self.rows(1, measure), &[("the page itself", page)]);
    }

    /// Pages over TLS, each on a connection of its own.
    fn capsule(&self) {
        let server = capsule::serve().expect("a key and a port on loopback");
        let columns = [("small page", 15), ("20,000 links", HUGE)];
        let measure = |player: &Player| {
            let painted = |links| self.start(player, &capsule::page(player, &server, links)?).until("item 00000007");
            columns.iter().map(|(_, links)| painted(*links).map(ms)).collect()
        };
        let title = "Gemini page, from exec to the 7th line on the screen, ms";
        self.report.table(title, &columns.map(|column| column.0), &self.rows(self.runs, measure), &[]);
    }

    /// A big directory over FTP: as text from real servers, and on the screen from the first octet that a server sent.
    fn directories(&self) {
        let given =
            |player: &Player, url: &str| (player.peer.directories != Directories::Never).then(|| url.to_owned());
        for (name, server) in archive::real() {
            let url = archive::big(&server);
            let measure = |player: &Player| self.printed(player, given(player, &url)).into();
            let title = format!("FTP directory of 10,000 entries from {name}, as text, ms");
            self.report.table(&title, &["wall", "processor"], &self.rows(self.runs, measure), &[]);
        }
        let here = archive::Archive::serve(ENTRIES).expect("a port on loopback");
        let marker = "file-00002.txt";
        let shown = |player: &Player| player.peer.directories == Directories::Page;
        let memory = self.memories(|player| shown(player).then(|| self.peak(player, &here.url, marker)).flatten());
        let measure = |player: &Player| {
            let painted = shown(player).then(|| self.start(player, &here.url).until_both(marker)).flatten();
            let after = painted.zip(here.began()).map(|((_, at), began)| ms(at.saturating_duration_since(began)));
            let [wall, processor] = self.printed(player, given(player, &here.url));
            vec![painted.map(|(time, _)| ms(time)), after, wall, processor, memory.get(player.peer.name).copied()]
        };
        let columns = ["first paint", "first octet to screen", "text: wall", "text: processor", "peak memory, MB"];
        let title = "FTP directory of 10,000 entries from a server that answers at once, ms";
        self.report.table(title, &columns, &self.rows(self.runs, measure), &[]);
    }

    /// A directory saved with all that is below it: from a real server at once, and where each reply takes 50 ms.
    fn trees(&self) {
        let far = || tree::Tree::serve(100, Duration::from_millis(50)).expect("a port on loopback");
        let near = tree::Tree::real(2000).map(|tree| (tree, "2000 small files saved from vsftpd, ms", self.runs));
        for (tree, title, runs) in
            near.into_iter().chain([(far(), "100 small files saved over FTP, 50 ms before each reply, ms", 1)])
        {
            let measure = |player: &Player| {
                let saved = |at_once: &usize| {
                    start::clean(&self.home);
                    tree.saved_by(player, &self.home, *at_once).map(ms)
                };
                tree::AT_ONCE.iter().map(saved).collect()
            };
            let columns = ["1 connection", "2", "4"];
            self.report.table(title, &columns, &self.rows(runs, measure), &[]);
        }
    }

    /// A group of a real news server: as text, and from the start of the program to its first rows.
    fn newsgroup(&self) {
        let Some(server) = newsgroup::serve() else { return };
        let group = newsgroup::group(&server);
        let memory = self.memories(|player| {
            let mut terminal = newsgroup::open(player, &server, &self.home)?;
            terminal.until(newsgroup::MARKER)?;
            terminal.peak_memory()
        });
        let measure = |player: &Player| {
            let painted = newsgroup::open(player, &server, &self.home).and_then(|mut it| it.until(newsgroup::MARKER));
            let [wall, processor] = self.printed(player, (player.peer.news == News::Url).then(|| group.clone()));
            vec![painted.map(ms), wall, processor, memory.get(player.peer.name).copied()]
        };
        let columns = ["first rows", "text: wall", "text: processor", "peak memory, MB"];
        let title = format!("Newsgroup of {} articles from INN, ms", newsgroup::ARTICLES);
        self.report.table(&title, &columns, &self.rows(self.runs, measure), &[]);
    }

    /// Web pages from files.
    fn web(&self) {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let pages = web::write(folder.path()).expect("temporary space");
        let made = ["documentation", "tags"].into_iter().zip(pages).map(|(name, page)| (name, page, web::MARKER));
        for (name, page, marker) in made.chain(web::shipped()) {
            let page = page.display().to_string();
            let memory = self.memories(|player| player.peer.web.then(|| self.peak(player, &page, marker)).flatten());
            let measure = |player: &Player| {
                let painted = player.peer.web.then(|| self.start(player, &page).until(marker)).flatten();
                let [wall, processor] = self.printed(player, player.peer.web.then(|| page.clone()));
                vec![painted.map(ms), wall, processor, memory.get(player.peer.name).copied()]
            };
            let octets = std::fs::metadata(&page).map_or(0, |file| file.len()) as f64 / 1e6;
            let title = format!("Web page ({name}, {octets:.2} MB), ms");
            let columns = ["first paint", "text: wall", "text: processor", "peak memory, MB"];
            self.report.table(&title, &columns, &self.rows(self.runs, measure), &[]);
        }
    }

    /// From a key to what it does on the screen, while a page arrives and when all of it is here.
    fn keys(&self) {
        let endless = format!("gopher://{}/1/endless", self.server);
        let text = self.text.display().to_string();
        let names = ["text arrives", "slowest", "endless menu", "its slowest", "last line", "page up"];
        let measure = |player: &Player| {
            let peer = player.peer;
            let streaming = |page: &str| {
                let mut terminal = self.start(player, page);
                terminal.until("00000019")?;
                (0..KEYS).map(|_| Some(ms(terminal.key("\x1b[6~")?))).collect::<Option<Vec<f64>>>()
            };
            let arriving = peer.texts.then(|| streaming(&text)).flatten();
            let endless = peer.endless.then(|| streaming(&endless)).flatten();
            let end = peer.texts.then(|| {
                let mut terminal = self.start(player, &text);
                terminal.until("00000019")?;
                terminal.peak_memory()?;
                let last = terminal.key_until(peer.end, &format!("line {:08}", TEXT_LINES - 1))?;
                let up = median((0..KEYS).map(|_| Some(ms(terminal.key("\x1b[5~")?))));
                Some((ms(last), up?))
            });
            let end = end.flatten();
            let middle = |figures: &Option<Vec<f64>>| median(figures.as_ref()?.iter().copied().map(Some));
            let worst = |figures: &Option<Vec<f64>>| figures.as_ref()?.iter().copied().reduce(f64::max);
            vec![
                middle(&arriving),
                worst(&arriving),
                middle(&endless),
                worst(&endless),
                end.map(|(last, _)| last),
                end.map(|(_, up)| up),
            ]
        };
        self.report.table("From a key to the screen, ms; 10 keys", &names, &self.rows(1, measure), &[]);
    }

    /// The most memory that a program has with a page.
    fn peak(&self, player: &Player, page: &str, marker: &str) -> Option<f64> {
        let mut terminal = self.start(player, page);
        terminal.until(marker)?;
        terminal.peak_memory()
    }

    /// What hardly differs from run to run is measured once: a program's memory.
    fn memories(&self, peak: impl Fn(&Player) -> Option<f64>) -> BTreeMap<&'static str, f64> {
        self.players.iter().filter_map(|player| Some((player.peer.name, peak(player)?))).collect()
    }

    /// Measures in rounds, every program once in each, so that whatever else the machine does strikes all of them; medians. What takes
    /// long is not done more often than [`SLOW_RUNS`] times.
    fn rows(&self, rounds: usize, measure: impl Fn(&Player) -> Vec<Option<f64>>) -> Rounds {
        let (began, mut done) = (Instant::now(), Vec::<Vec<_>>::new());
        while done.len() < rounds && (done.len() < SLOW_RUNS || began.elapsed() < LONG) {
            done.push(self.players.iter().map(&measure).collect());
        }
        let columns = done[0][0].len();
        let middle = |row: usize, column: usize| median(done.iter().map(|round| round[row][column]));
        let figures = |row: usize| (0..columns).map(|column| middle(row, column)).collect();
        let rows = self.players.iter().enumerate().map(|(i, player)| (player.peer.name, figures(i))).collect();
        Rounds { rows, count: done.len() }
    }
}

/// The processor time of all programs that were waited for, in milliseconds.
fn children() -> f64 {
    let usage = getrusage(UsageWho::RUSAGE_CHILDREN).expect("what children used");
    let milliseconds = |time: TimeVal| time.num_microseconds() as f64 / 1000.0;
    milliseconds(usage.user_time()) + milliseconds(usage.system_time())
}

fn ms(time: Duration) -> f64 {
    time.as_secs_f64() * 1000.0
}

/// The middle of the figures; none when one of the runs had none.
fn median(figures: impl Iterator<Item = Option<f64>>) -> Option<f64> {
    let mut figures: Vec<f64> = figures.collect::<Option<_>>()?;
    figures.sort_by(f64::total_cmp);
    figures.get(figures.len() / 2).copied()
}
