//! Wayfarer beside other programs on the same pages, measured from outside: what a reader waits for, what it takes in memory.
//!
//! Run by hand: `cargo bench --bench peers` (`-- --runs 21` for more runs, `-- ftp` for one part). Peers that are not
//! installed are left out; the pages come from small servers on loopback that this program starts, and FTP directories from
//! real servers as well where `WAYFARER_SERVERS` names their packages. It prints medians and asserts nothing.

#![allow(clippy::expect_used, clippy::unwrap_used, clippy::panic)]

mod archive;
mod newsgroup;
mod pages;
#[path = "../../tests/real/servers.rs"]
mod servers;
mod terminal;
mod web;

use Directories::{Never, Page, Raw};
use std::path::{Path, PathBuf};
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

/// A program, and how it is asked for a page as text; `{}` is the page, which alone asks for it on the screen.
struct Peer {
    name: &'static str,
    dump: &'static [&'static str],
    /// Whether it is given gopher menus.
    menus: bool,
    /// Whether it is given files.
    files: bool,
    /// Whether it is given big directories over FTP: some give up, some do not know any.
    directories: Directories,
    /// Whether it shows a menu that has no end.
    endless: bool,
    /// The key that goes to the last line.
    end: &'static str,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Directories {
    /// Not given any.
    Never,
    /// As a page, on the screen and as text.
    Page,
    /// The listing as it came.
    Raw,
}

const PEERS: &[Peer] = &[
    Peer {
        name: "wayfarer",
        dump: &["--dump", "{}"],
        menus: true,
        files: true,
        directories: Page,
        endless: true,
        end: "\x1b[F",
    },
    Peer {
        name: "phetch",
        dump: &["--print", "{}"],
        menus: true,
        files: false,
        directories: Never,
        endless: false,
        end: "\x1b[F",
    },
    Peer { name: "sacc", dump: &[], menus: true, files: false, directories: Never, endless: false, end: "\x1b[F" },
    Peer {
        name: "bombadillo",
        dump: &[],
        menus: true,
        files: false,
        directories: Never,
        endless: false,
        end: "\x1b[F",
    },
    Peer {
        name: "lynx",
        dump: &["-dump", "{}"],
        menus: true,
        files: true,
        directories: Never,
        endless: false,
        end: "\x1b[F",
    },
    Peer {
        name: "w3m",
        dump: &["-dump", "{}"],
        menus: true,
        files: true,
        directories: Never,
        endless: false,
        end: "G",
    },
    Peer {
        name: "elinks",
        dump: &["-dump", "{}"],
        menus: false,
        files: false,
        directories: Page,
        endless: false,
        end: "",
    },
    Peer {
        name: "links2",
        dump: &["-dump", "{}"],
        menus: false,
        files: false,
        directories: Page,
        endless: false,
        end: "",
    },
    Peer {
        name: "lftp",
        dump: &["-c", "open {}; cls -l"],
        menus: false,
        files: false,
        directories: Raw,
        endless: false,
        end: "",
    },
    Peer { name: "curl", dump: &["-s", "{}"], menus: false, files: false, directories: Raw, endless: false, end: "" },
    Peer { name: "less", dump: &[], menus: false, files: true, directories: Never, endless: false, end: "G" },
];

/// One installed program.
struct Player {
    peer: &'static Peer,
    path: PathBuf,
}

/// A row of results: the program and a figure for each column, where it has one.
type Row = (&'static str, Vec<Option<f64>>);

/// A part by its name.
type Part = (&'static str, fn(&Bench));

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if !arguments.iter().any(|argument| argument == "--bench") {
        return println!("measured only by `cargo bench --bench peers`");
    }
    let runs = arguments.iter().skip_while(|a| *a != "--runs").nth(1).and_then(|n| n.parse().ok()).unwrap_or(11);
    let server = pages::serve().expect("a port on loopback");
    let folder = tempfile::tempdir().expect("a temporary folder");
    let text = folder.path().join("text.txt");
    pages::write_text(&text, TEXT_LINES).expect("100 MB of temporary space");
    let bench = Bench { runs, server, text, home: folder.path().into(), players: installed() };
    let parts: [Part; 7] = [
        ("paint", Bench::first_paint),
        ("dump", Bench::dump),
        ("memory", Bench::memory),
        ("keys", Bench::keys),
        ("ftp", Bench::directories),
        ("news", Bench::newsgroup),
        ("web", Bench::web),
    ];
    let named = |part: &str| arguments.iter().any(|argument| argument == part);
    let all = !parts.iter().any(|(part, _)| named(part));
    parts.iter().filter(|(part, _)| all || named(part)).for_each(|(_, measure)| measure(&bench));
}

struct Bench {
    runs: usize,
    /// `host:port`.
    server: String,
    text: PathBuf,
    home: PathBuf,
    players: Vec<Player>,
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
            None => player.peer.files.then(|| self.text.display().to_string()),
        }
    }

    fn start(&self, player: &Player, page: &str) -> Terminal {
        Terminal::start(&player.path, &filled(&["{}"], page), &self.home)
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
        self.table(
            &format!("First paint: from exec to the 7th line on the screen, ms; median of {}", self.runs),
            self.runs,
            &columns.map(|c| c.0),
            measure,
        );
    }

    fn dump(&self) {
        let page = self.menu(HUGE);
        let alone = median((0..self.runs).map(|_| pages::transfer(&self.server, HUGE).ok().map(ms)));
        let measure = |player: &Player| {
            let words = filled(player.peer.dump, &page);
            let wanted = player.peer.menus && !words.is_empty();
            vec![wanted.then(|| self.dumped(&player.path, &words)).flatten()]
        };
        self.table(
            &format!("Dump: the whole process, output to /dev/null, ms; median of {}", self.runs),
            self.runs,
            &["20,000 items"],
            measure,
        );
        println!("{:<12}{:>16.1}", "transfer", alone.unwrap_or_default());
    }

    fn dumped(&self, program: &Path, words: &[String]) -> Option<f64> {
        let started = Instant::now();
        let mut command = Command::new(program);
        command.args(words).env("HOME", &self.home).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        command.status().ok()?.success().then(|| ms(started.elapsed()))
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
        self.table("Peak memory (VmHWM) when all is read, MB", 1, &columns.map(|c| c.0), measure);
        let octets = |items| pages::menu_octets(items) as f64 / 1e6;
        println!(
            "{:<12}{:>16.2}{:>16.1}{:>16.1}{:>16.1}",
            "the page",
            octets(15),
            octets(HUGE),
            octets(MILLION),
            (TEXT_LINES * pages::LINE_OCTETS) as f64 / 1e6
        );
    }

    /// A big directory over FTP: as text from real servers, and on the screen from the first octet that a server sent.
    fn directories(&self) {
        let real = archive::real();
        let names: Vec<&str> = real.iter().map(|(name, _)| *name).collect();
        let measure = |player: &Player| {
            let wanted = player.peer.directories != Never;
            let figure = |server| self.dumped(&player.path, &filled(player.peer.dump, &archive::big(server)));
            real.iter().map(|(_, server)| wanted.then(|| figure(server)).flatten()).collect()
        };
        if !real.is_empty() {
            let title = format!("FTP directory of 10,000 entries, dump, ms; median of {}", self.runs);
            self.table(&title, self.runs, &names, measure);
        }
        let here = archive::Archive::serve(ENTRIES).expect("a port on loopback");
        let measure = |player: &Player| {
            let page = player.peer.directories == Page;
            let painted = page.then(|| self.start(player, &here.url).until_at("file-00002.txt")).flatten();
            let after = painted.zip(here.began()).map(|(at, began)| ms(at.saturating_duration_since(began)));
            let dumped = (player.peer.directories != Never).then(|| filled(player.peer.dump, &here.url));
            vec![after, dumped.and_then(|words| self.dumped(&player.path, &words))]
        };
        let title = format!("The same from a server that answers at once, ms; median of {}", self.runs);
        self.table(&title, self.runs, &["octet to screen", "dump"], measure);
    }

    /// A group of a real news server: as text, and from the start of the program to its first rows.
    fn newsgroup(&self) {
        let Some(server) = newsgroup::serve() else { return };
        let group = newsgroup::group(&server);
        let measure = |player: &Player| {
            if !newsgroup::PEERS.contains(&player.peer.name) {
                return vec![None, None];
            }
            let painted = self.start(player, &group).until("Thread ").map(ms);
            vec![painted, self.dumped(&player.path, &filled(player.peer.dump, &group))]
        };
        let title = format!("Newsgroup of {} articles, ms; median of {}", newsgroup::ARTICLES, self.runs);
        self.table(&title, self.runs, &["first rows", "dump"], measure);
    }

    /// Web pages from files.
    fn web(&self) {
        let pages = web::write(&self.home).expect("temporary space");
        let made = ["documentation", "tags"].into_iter().zip(pages).map(|(name, page)| (name, page, web::MARKER));
        for (name, page, marker) in made.chain(web::shipped()) {
            let page = page.display().to_string();
            let measure = |player: &Player| {
                if !web::PEERS.contains(&player.peer.name) {
                    return vec![None; 3];
                }
                let mut terminal = self.start(player, &page);
                let painted = terminal.until(marker).map(ms);
                let memory = painted.and_then(|_| terminal.peak_memory());
                vec![painted, self.dumped(&player.path, &filled(player.peer.dump, &page)), memory]
            };
            let octets = std::fs::metadata(&page).map_or(0, |file| file.len()) as f64 / 1e6;
            let title = format!("Web page ({name}, {octets:.2} MB): ms, ms, MB; median of {}", self.runs);
            self.table(&title, self.runs, &["first paint", "dump", "peak memory"], measure);
        }
    }

    /// From a key to what it does on the screen, while a page arrives and when all of it is here.
    fn keys(&self) {
        let endless = format!("gopher://{}/1/endless", self.server);
        let text = self.text.display().to_string();
        let names = ["text arrives", "(slowest)", "endless menu", "(slowest)", "last line", "page up"];
        let measure = |player: &Player| {
            let peer = player.peer;
            let streaming = |page: &str| {
                let mut terminal = self.start(player, page);
                terminal.until("00000019")?;
                (0..KEYS).map(|_| Some(ms(terminal.key("\x1b[6~")?))).collect::<Option<Vec<f64>>>()
            };
            let arriving = peer.files.then(|| streaming(&text)).flatten();
            let endless = peer.endless.then(|| streaming(&endless)).flatten();
            let end = peer.files.then(|| {
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
        self.table("From a key to the screen, ms; 10 keys", 1, &names, measure);
    }

    /// Measures in rounds, every program once in each, so that whatever else the machine does strikes all of them.
    fn table(&self, title: &str, rounds: usize, columns: &[&str], measure: impl Fn(&Player) -> Vec<Option<f64>>) {
        println!("\n{title}");
        println!("{:<12}{}", "", columns.iter().map(|c| format!("{c:>16}")).collect::<String>());
        let rounds: Vec<Vec<_>> = (0..rounds).map(|_| self.players.iter().map(&measure).collect()).collect();
        let middle = |row: usize, column: usize| median(rounds.iter().map(|round| round[row][column]));
        let figures = |row: usize| (0..columns.len()).map(|column| middle(row, column)).collect();
        let rows: Vec<Row> = self.players.iter().enumerate().map(|(i, p)| (p.peer.name, figures(i))).collect();
        let ours = rows.first().map(|(_, figures)| figures.clone()).unwrap_or_default();
        for (name, figures) in &rows {
            let cells = figures.iter().zip(&ours).map(|(figure, ours)| match (figure, ours) {
                (Some(figure), Some(ours)) if name != &"wayfarer" => {
                    format!("{:>16}", format!("{figure:.1} ({:.1}×)", figure / ours))
                }
                (Some(figure), _) => format!("{figure:>16.1}"),
                (None, _) => format!("{:>16}", "–"),
            });
            if figures.iter().any(Option::is_some) {
                println!("{name:<12}{}", cells.collect::<String>());
            }
        }
    }
}

/// The programs of the table that are here: our own as built, the others from PATH.
fn installed() -> Vec<Player> {
    let folders = std::env::var_os("PATH").unwrap_or_default();
    let find = |name: &str| match name {
        "wayfarer" => Some(env!("CARGO_BIN_EXE_wayfarer").into()),
        _ => std::env::split_paths(&folders).map(|folder| folder.join(name)).find(|path| path.is_file()),
    };
    PEERS.iter().filter_map(|peer| Some(Player { peer, path: find(peer.name)? })).collect()
}

fn filled(words: &[&str], page: &str) -> Vec<String> {
    words.iter().map(|word| word.replace("{}", page)).collect()
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
