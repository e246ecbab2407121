//! A reader who visits what goes wrong, and looks meanwhile whether keys are answered.

use crate::fault::{Ending, Fault};
use crate::host::Identity;
use crate::space::{Case, Kind, Space};
use crate::terminal::Terminal;
use std::path::Path;
use std::time::{Duration, Instant};

const COLUMNS: u16 = 200;
const ROWS: u16 = 24;
/// How often the end of a page is gone to before it must be there.
const MOST_STEPS: usize = 1000;

/// What is asked about a file.
const NO_PAGE: &str = "This is no page";

/// How patient the program is.
#[derive(Debug, Clone, Copy)]
pub enum Patience {
    /// Gives up in two seconds: a loaded machine takes one to get round to a server that works.
    Short,
    /// Longer than any test.
    Long,
}

/// What the reader saw of a visit.
#[derive(Debug)]
pub struct Seen {
    pub ending: Ending,
    /// What was said.
    pub sentence: String,
    /// Whether something of what came is there.
    pub kept: bool,
    pub time: Duration,
    /// The longest wait of a key.
    pub key: Duration,
    /// Whether the first was answered before the page had come to its end; of files nobody sees that.
    pub before: Option<bool>,
}

/// Starts the program for a space; `proxy` is where its proxy is.
pub fn start(space: Space, patience: Patience, proxy: Option<(String, u16)>, identity: &Identity) -> Terminal {
    let (connect, silence) = match patience {
        Patience::Short => ("limits.connect=2s", "limits.silence=2s"),
        Patience::Long => ("limits.connect=100s", "limits.silence=100s"),
    };
    let page = "limits.page=512KiB";
    let mut options = vec![connect, silence, page, "session.restore=never", "http.proxy=none", "history=0"];
    if space == Space::FtpsExplicit {
        options.push("ftp.tls=always");
    }
    let proxied =
        space.proxy().zip(proxy).map(|((setting, scheme), (host, port))| format!("{setting}={scheme}://{host}:{port}"));
    options.extend(proxied.as_deref());
    let mut arguments: Vec<&str> = options.iter().flat_map(|option| ["-o", option]).collect();
    arguments.push("about:safety");
    let folder = tempfile::tempdir().unwrap();
    let pem = folder.path().join("pem");
    std::fs::write(&pem, &identity.pem).unwrap();
    let environment = [("SSL_CERT_FILE", pem.to_str().unwrap())];
    let mut terminal = Terminal::start_with(&arguments, COLUMNS, ROWS, &environment);
    terminal.see("What you can rely on");
    if space == Space::Https {
        // The roots are read when they are first needed.
        let _ = folder.keep();
    }
    terminal
}

/// How a page stands, by the bar.
fn standing(screen: &vt100::Screen, name: &str) -> Option<Ending> {
    let bar = screen.contents_between(ROWS - 2, 0, ROWS - 2, COLUMNS);
    let is_number = |text: &str| text.rsplit(' ').next().is_some_and(|n| n.parse::<f32>().is_ok());
    let timed = ["ms", "s"]
        .iter()
        .any(|unit| bar.trim_end().strip_suffix(unit).and_then(|rest| rest.strip_suffix(' ')).is_some_and(is_number));
    match bar.contains(name) {
        true if bar.contains("  failed") => Some(Ending::Failed),
        true if timed && bar.contains("  cut short") => Some(Ending::Cut),
        true if timed => Some(Ending::Whole),
        _ => None,
    }
}

/// Opens a page and waits until that has come to an end.
pub fn visit(terminal: &mut Terminal, url: &str, name: &str, asks: bool) -> Seen {
    let begun = Instant::now();
    terminal.burst(&format!("g{url}\r"));
    // A question takes no key that comes with it.
    let (key, before) = if asks { (Duration::ZERO, None) } else { keys_before(terminal, name) };
    let (mut ending, mut asked) = (None, false);
    terminal.frame_that(&format!("an end of {url}"), |screen| {
        ending = standing(screen, name);
        asked = screen.contents().contains(NO_PAGE);
        ending.is_some() || asked
    });
    if asked {
        // What looks like no text is asked about.
        terminal.keys("t").frame_that(&format!("an end of {url}"), |screen| {
            ending = standing(screen, name);
            ending.is_some()
        });
    }
    let time = begun.elapsed();
    let screen = terminal.screen();
    // Longer than the host's name that is none.
    let kept = screen.contains("row ") || screen.contains(&"x".repeat(100));
    let sentence = match ending.unwrap() {
        Ending::Whole => String::new(),
        Ending::Failed => page(&screen).split("\n\n").next().unwrap_or_default().replace('\n', " "),
        Ending::Cut => {
            let (mut why, mut told) = (String::new(), false);
            for _ in 0..MOST_STEPS {
                terminal.burst("\x1b[F");
                terminal.frame_that("why it is not whole", |screen| {
                    let contents = screen.contents();
                    let page = page(&contents);
                    let lines: Vec<&str> = page.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
                    why = lines.last().copied().unwrap_or_default().to_owned();
                    // Where nothing came it stands alone.
                    told = why.starts_with('┄') || lines.len() == 1;
                    // A page that is put in order while it comes may have grown since the key: a share of it is above the end.
                    told || contents.contains("% ")
                });
                if told {
                    break;
                }
            }
            assert!(told, "{}", terminal.screen());
            why.trim_matches(['┄', ' ']).into()
        }
    };
    Seen { ending: ending.unwrap(), sentence, kept, time, key, before }
}

/// What stands above the bar.
fn page(screen: &str) -> String {
    let lines: Vec<&str> = screen.lines().map(str::trim_end).collect();
    lines[..lines.len().min(usize::from(ROWS) - 2)].join("\n")
}

/// Presses keys that only look, whatever goes on; the longest wait.
pub fn keys(terminal: &mut Terminal) -> Duration {
    keys_before(terminal, "").0
}

/// The same, and whether the first was answered before a page had come to its end.
fn keys_before(terminal: &mut Terminal, name: &str) -> (Duration, Option<bool>) {
    let (begun, mut before) = (Instant::now(), None);
    terminal.burst("=").cells_that("Anatomy", |screen| {
        before = (!name.is_empty()).then(|| standing(screen, name).is_none());
        screen.contents().contains("Anatomy")
    });
    let first = begun.elapsed();
    let begun = Instant::now();
    terminal.burst("\x1b").see_no("Anatomy");
    (first.max(begun.elapsed()), before)
}

/// Saves a file, and waits until that has come to an end.
pub fn save(terminal: &mut Terminal, url: &str, name: &str, stop: bool) -> Seen {
    let begun = Instant::now();
    terminal.burst(&format!("g{url}\r"));
    terminal.see(NO_PAGE).keys("s").see("save as: ").keys("\r").see_no("save as: ");
    let key = keys(terminal);
    terminal.keys("D").see("Downloads  ");
    if stop {
        terminal.keys("\r").see("pause it").keys("p").see_no("pause it").keys("D").see("Downloads  ");
    }
    let mut line = String::new();
    terminal.frame_that(&format!("an end of {url}"), |screen| {
        let screen = screen.contents();
        line = screen.lines().find(|line| line.contains(name) && !line.contains("://")).unwrap_or_default().into();
        ["done,", "broke off:", "failed:", "paused", "stopped"].iter().any(|word| line.contains(word))
    });
    let time = begun.elapsed();
    terminal.keys("\x1b").see_no("Downloads  ");
    let ending = match () {
        () if line.contains("done,") => Ending::Whole,
        () if line.contains("failed:") => Ending::Failed,
        () => Ending::Cut,
    };
    let sentence = match line.find("broke off: ").or_else(|| line.find("failed: ")) {
        Some(at) => line[at..].trim_matches(['│', ' ']).replace(&*terminal.home().to_string_lossy(), "~"),
        None => String::new(),
    };
    let folder = terminal.home().join("Downloads");
    let length = |path: &Path| std::fs::metadata(path).map_or(0, |facts| facts.len());
    let files = std::fs::read_dir(folder).into_iter().flatten().map(|entry| entry.unwrap().path());
    let kept = files.filter(|path| path.to_string_lossy().contains(name)).any(|path| length(&path) > 0);
    Seen { ending, sentence, kept, time, key, before: None }
}

/// Looks at what a case is about.
pub fn look(terminal: &mut Terminal, case: Case, url: &str, name: &str) -> Seen {
    match case.kind {
        Kind::File => save(terminal, url, name, case.fault == Fault::Endless),
        Kind::List | Kind::Text => visit(terminal, url, name, case.fault == Fault::Garbage),
    }
}
