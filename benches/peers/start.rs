//! The start of our own program, and keys at its address prompt: with nothing kept from earlier, and with as much as a long
//! life leaves behind. A frame is 16 ms.

use crate::programs::Player;
use crate::terminal::Terminal;
use crate::{median, ms, pages, phases};
use std::fmt::Write as _;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

const PAGES: usize = 1_000_000;
const BOOKMARKS: usize = 10_000;
const TABS: usize = 100;
/// Places in the history of each tab.
const PLACES: usize = 20;

/// What is typed at the prompt, letter by letter; a space at the end of a line could not be seen.
const TYPED: &str = "topagehost77";

/// Where the program keeps its state, below the home folder.
const STATE: &str = ".local/state/wayfarer";
const DATA: &str = ".local/share/wayfarer";

/// Makes a home folder one whose reader has been here before, but has kept nothing. What others keep there stays.
pub fn clean(home: &Path) {
    for kept in [STATE, DATA] {
        // The first time there is nothing to remove.
        let _ = fs::remove_dir_all(home.join(kept));
    }
    fs::create_dir_all(home.join(STATE)).expect("temporary space");
}

/// Keeps a whole life there, but for its tabs.
fn fill(home: &Path) -> io::Result<()> {
    clean(home);
    let (state, data) = (home.join(STATE), home.join(DATA));
    fs::create_dir_all(&data)?;
    let mut history = BufWriter::with_capacity(1 << 20, File::create(state.join("history"))?);
    writeln!(history, "# wayfarer history 1")?;
    for n in 0..PAGES {
        let host = n % 5003;
        writeln!(
            history,
            "{n}\thttp://www.host{host}.example.org/some/way/down/to-page-{n}.html\tPage {n} of a server"
        )?;
    }
    history.flush()?;
    let mut bookmarks = String::new();
    for n in 0..BOOKMARKS {
        let url = format!("gopher://gopher{n}.example.org/1/a/menu");
        let _ = write!(bookmarks, "[[bookmark]]\nurl = \"{url}\"\ntitle = \"Menu {n} of a gopher server\"\n\n");
    }
    fs::write(data.join("bookmarks.toml"), bookmarks)
}

/// Keeps the tabs there of a run that the system ended, so that they come back; the page is in each.
fn fill_tabs(home: &Path, page: &Path) -> io::Result<()> {
    let folder = home.join(STATE).join("sessions");
    fs::create_dir_all(&folder)?;
    let mut session = "{\"session\":1,\"front\":0,\"ended\":\"told\"}\n".to_owned();
    for tab in 0..TABS {
        let _ = writeln!(session, "{{\"tab\":{}}}", PLACES - 1);
        for place in 1..PLACES {
            let _ = writeln!(
                session,
                "{{\"url\":\"gopher://gopher{tab}.example.org/1/way/{place}\",\"title\":\"Page {place}\"}}"
            );
        }
        let _ = writeln!(session, "{{\"url\":\"file://{}\"}}", page.display());
    }
    let lines = session.lines().count() + 1;
    let _ = writeln!(session, "{{\"end\":{lines}}}");
    fs::write(folder.join("default.jsonl"), session)
}

/// One of the two lives.
pub struct Life {
    pub name: &'static str,
    full: bool,
    home: PathBuf,
    page: PathBuf,
}

/// Prints everything.
pub fn measure(player: &Player, home: &Path, runs: usize) {
    clean(home);
    let page = home.join("page.txt");
    pages::write_text(&page, 100).expect("temporary space");
    let folder = tempfile::tempdir().expect("a temporary folder");
    fill(folder.path()).expect("200 MB of temporary space");
    let life = |name, full, home: &Path| Life { name, full, home: home.into(), page: page.clone() };
    let lives =
        [life("nothing kept", false, home), life("1,000,000 pages, 10,000 bookmarks, 100 tabs", true, folder.path())];
    println!("\nStart and keys of the address prompt, ms; median of {runs}, {} keys in each\n", TYPED.len());
    println!("| | first paint | key at once | slowest | key when all is read | slowest |");
    println!("|---|--:|--:|--:|--:|--:|");
    for life in &lives {
        let rounds: Vec<Round> =
            (0..runs).map(|_| life.round(player).expect("a start without a first paint")).collect();
        let paint = median(rounds.iter().map(|round| Some(round.paint))).unwrap_or_default();
        let keys = |keys: fn(&Round) -> &Vec<f64>| {
            let all: Vec<f64> = rounds.iter().flat_map(|round| keys(round).iter().copied()).collect();
            let slowest = all.iter().copied().reduce(f64::max).unwrap_or_default();
            (median(all.into_iter().map(Some)).unwrap_or_default(), slowest)
        };
        let (early, late) = (keys(|round| &round.early), keys(|round| &round.late));
        println!("| {} | {paint:.1} | {:.1} | {:.1} | {:.1} | {:.1} |", life.name, early.0, early.1, late.0, late.1);
    }
    phases::measure(player, runs, &lives);
}

/// Figures of one start, in milliseconds.
struct Round {
    paint: f64,
    /// Each key, pressed as soon as the page is there.
    early: Vec<f64>,
    /// Each key, pressed when nothing is left to do.
    late: Vec<f64>,
}

impl Life {
    /// Starts a program with these words first; the page comes to the screen.
    pub fn start(&self, program: &Path, words: &[String]) -> Terminal {
        let mut words = words.to_vec();
        if self.full {
            fill_tabs(&self.home, &self.page).expect("temporary space");
        } else {
            clean(&self.home);
            words.push(self.page.display().to_string());
        }
        Terminal::start(program, &words, &self.home)
    }

    fn round(&self, player: &Player) -> Option<Round> {
        let mut terminal = self.start(&player.path, &[]);
        let paint = ms(terminal.until("line 00000007")?);
        let early = typed(&mut terminal)?;
        terminal.peak_memory()?;
        Some(Round { paint, early, late: typed(&mut terminal)? })
    }
}

/// Asks for an address, types letter by letter, and leaves the prompt.
fn typed(terminal: &mut Terminal) -> Option<Vec<f64>> {
    terminal.key_until("g", "open:")?;
    let key = |n: usize| Some(ms(terminal.key_until(&TYPED[n - 1..n], &format!("open: {}", &TYPED[..n]))?));
    let times = (1..=TYPED.len()).map(key).collect();
    terminal.press("\x1b")?;
    times
}
