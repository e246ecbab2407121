//! The run.

use crate::fault::Fault;
use crate::home::{Draw, asked};
use crate::host::{Host, Identity};
use crate::process::{Look, TICK_MS};
use crate::space::{Case, Kind, Space};
use crate::terminal::Terminal;

/// Visits, where nobody asks for more.
const USUAL: usize = 120;
/// Where processor time, and memory in parts of what there is, are held to their bounds: less says nothing.
const TELLING: usize = 2_000;
/// What a visit may leave in memory in a short run, in octets: history and what is kept of the page, of which caches keep some.
const LEFT: u64 = 64 << 10;
/// Looks at the process in a run.
const LOOKS: usize = 20;
/// Visits to one server; then it is another, as on the net.
const ON_ONE: usize = 50;

/// The servers of the moment.
struct Servers {
    hosts: Vec<Host>,
    silent: Host,
}

const VISITED: [(Space, Kind); 10] = [
    (Space::Gopher, Kind::List),
    (Space::Gopher, Kind::Text),
    (Space::GopherPlus, Kind::Text),
    (Space::Gophers, Kind::List),
    (Space::Ftp, Kind::List),
    (Space::Ftp, Kind::Text),
    (Space::Nntp, Kind::List),
    (Space::Nntps, Kind::Text),
    (Space::Http, Kind::List),
    (Space::Http, Kind::Text),
];

impl Servers {
    fn start(identity: &Identity) -> Servers {
        let host = |space, kind, fault| Host::start(Case { space, kind, fault }, identity);
        let hosts = VISITED.iter().map(|(space, kind)| host(*space, *kind, Fault::None)).collect();
        Servers { hosts, silent: host(Space::Gopher, Kind::Text, Fault::SilentMidway) }
    }
}

/// What the bar says while a page is on its way.
const STAGES: [&str; 7] = ["starting", "resolving", "connecting", "asking", "securing", "waiting", "answered"];

/// One reader.
struct Reader {
    terminal: Terminal,
    draw: Draw,
    tabs: usize,
}

impl Reader {
    /// One visit, and what goes on around it.
    fn step(&mut self, number: usize, servers: &Servers) {
        let at = self.draw.below(VISITED.len());
        let ((space, kind), host) = (VISITED[at], &servers.hosts[at]);
        let name = format!("v{number}v");
        let url = space.url(kind, &host.name, host.port, &name);
        let what = self.draw.below(20);
        match what {
            0 => {
                let silent = &servers.silent;
                let url = Space::Gopher.url(Kind::Text, &silent.name, silent.port, &name);
                self.terminal.keys("g").see("open:").keys(&format!("{url}\r")).see_no("open:");
                // The page before may have been stopped as well.
                let comes = |screen: &str| screen.contains(&name) && !screen.contains("stopped");
                self.terminal.see_that("a page that comes", comes);
                self.arrive(&name);
                self.terminal.keys("\x1b").see("stopped");
            }
            1 if self.tabs < 5 => {
                self.terminal.keys(&format!(":new-tab {url}\r"));
                self.arrive(&name);
                self.tabs += 1;
            }
            2 if self.tabs > 1 => {
                self.terminal.keys(":close-tab\r").see_no(":close-tab");
                self.tabs -= 1;
                self.open(&url, &name);
            }
            3 => {
                let (columns, rows) = (80 + self.draw.below(100), 20 + self.draw.below(30));
                self.terminal.resize(u16::try_from(columns).unwrap(), u16::try_from(rows).unwrap());
                self.open(&url, &name);
            }
            4 | 5 => {
                self.open(&url, &name);
                self.terminal.keys(":back\r").see_no(&name);
            }
            _ => self.open(&url, &name),
        }
    }

    fn open(&mut self, url: &str, name: &str) {
        self.terminal.keys("g").see("open:").keys(&format!("{url}\r")).see_no("open:");
        self.arrive(name);
    }

    fn arrive(&mut self, name: &str) {
        self.terminal.see(name).see_that("a page", |screen| {
            let is_row = |line: &str| line.contains("row ") && line.contains(" of a ");
            screen.lines().any(is_row) && !STAGES.iter().any(|stage| screen.contains(stage))
        });
    }
}

#[test]
fn the_program_does_not_grow_with_the_visits() {
    let visits = asked("WAYFARER_SOAK", USUAL);
    let seed = asked("WAYFARER_SEED", 14);
    let identity = Identity::new();
    let arguments = ["-o", "cache=4MiB", "-o", "http.proxy=none", "about:safety"];
    let mut terminal = Terminal::start_with(&arguments, 100, 30, &[]);
    terminal.see("What you can rely on");
    let id = terminal.id();
    let mut reader = Reader { terminal, draw: Draw::new(seed as u64), tabs: 1 };
    let mut servers = Servers::start(&identity);
    let mut looks = vec![Look::at(id)];
    println!("\nvisits  memory MB  threads  files  processor ms a visit");
    let each = (visits / LOOKS).max(1);
    for number in 1..=visits {
        if number % ON_ONE == 0 {
            servers = Servers::start(&identity);
        }
        reader.step(number, &servers);
        if number % each == 0 {
            let (before, now) = (*looks.last().unwrap(), Look::at(id));
            let a_visit = ((now.ticks - before.ticks) * TICK_MS) as f64 / each as f64;
            let memory = now.memory as f64 / 1e6;
            println!("{number:6}  {memory:9.1}  {:7}  {:5}  {a_visit:8.2}", now.threads, now.files);
            looks.push(now);
        }
    }
    reader.terminal.keys("Q").end();
    judge(&looks, visits);
}

/// Holds the last quarter to the second: in the first one all is new.
fn judge(looks: &[Look], visits: usize) {
    let quarter = looks.len() / 4;
    let (second, last) = (&looks[quarter..2 * quarter], &looks[looks.len() - quarter..]);
    let most = |looks: &[Look], of: fn(&Look) -> u64| looks.iter().map(of).max().unwrap();
    let (threads, files) = (most(last, |look| look.threads), most(last, |look| look.files));
    assert!(threads <= most(second, |look| look.threads) + 4, "threads grow: {threads}");
    assert!(files <= most(second, |look| look.files) + 12, "open files grow: {files}");
    let (before, after) = (most(second, |look| look.memory), most(last, |look| look.memory));
    if visits < TELLING {
        let between = visits as u64 / 2;
        assert!(after <= before + between * LEFT, "memory grows from {before} to {after} octets in {between} visits");
        return;
    }
    assert!(after * 10 <= before * 13, "memory grows from {before} to {after} octets");
    let spent = |looks: &[Look]| looks.last().unwrap().ticks - looks[0].ticks;
    let (before, after) = (spent(second), spent(last));
    assert!(
        after * 10 <= before * 15,
        "processor time of a quarter of the visits grows from {before} to {after} ticks"
    );
}

#[test]
fn growth_is_seen() {
    let flat = Look { memory: 1_000, threads: 5, files: 20, ticks: 0 };
    let run_of = |visits: usize, change: fn(&mut Look, u64)| {
        let looks: Vec<Look> = (0..20).map(|at| Look { ticks: at * 10, ..flat }).collect();
        let looks: Vec<Look> = (0..)
            .zip(looks)
            .map(|(at, mut look)| {
                change(&mut look, at);
                look
            })
            .collect();
        std::panic::catch_unwind(|| judge(&looks, visits)).is_ok()
    };
    let run = |change| run_of(TELLING, change);
    assert!(run(|_, _| {}));
    assert!(!run(|look, at| look.memory += at * 100));
    assert!(!run(|look, at| look.threads += at));
    assert!(!run(|look, at| look.files += at * 2));
    assert!(!run(|look, at| look.ticks += at * at));
    assert!(run_of(USUAL, |look, at| look.memory += at * (200 << 10)));
    assert!(!run_of(USUAL, |look, at| look.memory += at * (600 << 10)));
    assert!(!run_of(USUAL, |look, at| look.threads += at));
    assert!(!run_of(USUAL, |look, at| look.files += at * 2));
}
