//! The command line, exactly as the manual page says it.

use super::bookmarks::BookmarkFile;
use super::named::{Guess, Visited, missing, page_of, place, visited};
use super::setup::{Setup, default_base, setup};
use super::stdin;
use super::url_cmd::UrlCommand;
use super::{browse, check, completions, dump, keep, remote, replay, subscriptions};
use crate::bookmarks::For;
use crate::config;
use crate::doc::sanitise;
use crate::url::Url;
use clap::{CommandFactory, Parser, Subcommand, error::ErrorKind};
use std::ffi::OsString;
use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

/// It was shown.
pub(super) const SHOWN: u8 = 0;
/// It could not be fetched or understood.
pub(super) const FAILED: u8 = 1;
/// The command line is wrong.
pub(super) const USAGE: u8 = 2;

/// The version; whoever builds a package from a repository says the commit as well, such as `0.1.0 (63c0516)`. Nobody asks
/// git while the program is built: the same sources give the same program, with a repository and without.
pub(super) const VERSION: &str = match option_env!("WAYFARER_VERSION") {
    Some(said) => said,
    None => env!("CARGO_PKG_VERSION"),
};

/// A terminal hypertext browser for every space that a URL can name.
#[derive(Debug, Parser)]
#[command(name = "wayfarer", version = VERSION, about, args_conflicts_with_subcommands = true, disable_help_subcommand = true)]
struct Line {
    #[command(flatten)]
    cli: Cli,
    #[command(subcommand)]
    command: Option<Command>,
}

// What stands on a command line without a command.
#[derive(Debug, Parser)]
pub(super) struct Cli {
    /// What to open: URLs, files, `-` for standard input. Without any: WWW_HOME, else the home page of the settings
    #[arg(value_name = "URL|FILE|-")]
    pub places: Vec<String>,
    /// Print the page as text and exit (implied when standard output is not a terminal and a URL is given)
    #[arg(short, long)]
    pub dump: bool,
    /// Print the bytes as received
    #[arg(long)]
    pub source: bool,
    /// Print what the response says of itself
    #[arg(long)]
    pub head: bool,
    /// Print one absolute URL per line, in document order (with --dump: the list after the text)
    #[arg(long)]
    pub links: bool,
    /// Columns of the dump
    #[arg(long, value_name = "N", default_value_t = 80, value_parser = clap::value_parser!(u16).range(1..))]
    pub width: u16,
    /// The default (outermost) base URL
    #[arg(long, value_name = "URL")]
    pub base: Option<String>,
    /// Treat the input as this media type
    #[arg(short = 'T', long = "type", value_name = "MEDIA")]
    pub media: Option<String>,
    /// Read the input in this charset
    #[arg(long, value_name = "NAME")]
    pub charset: Option<String>,
    /// One setting
    #[arg(short = 'o', long = "set", value_name = "KEY=VALUE")]
    pub set: Vec<String>,
    /// Another settings file
    #[arg(short, long, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// Check all configuration files and exit
    #[arg(long)]
    pub check_config: bool,
    /// Seconds to wait for a connection or a silent server
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..))]
    pub timeout: Option<u64>,
    /// Open the places in a Wayfarer that runs already, the one started last or that of --session NAME; without one, in this
    /// terminal. For BROWSER in mail and feed readers
    #[arg(long, conflicts_with_all = ["dump", "source", "head", "links", "media", "charset", "base"])]
    pub remote: bool,
    /// Keep the tabs under this name, and begin with those that were kept under it
    #[arg(long, value_name = "NAME", conflicts_with = "no_session", value_parser = super::session::name)]
    pub session: Option<String>,
    /// Begin without the tabs of the last time, and keep none
    #[arg(long)]
    pub no_session: bool,
    /// Record the run in this new file, for `wayfarer replay`: all that is typed but passwords, all that is asked for, what is
    /// kept of you, and of what comes addresses, titles, heads, and how much it was
    #[arg(long, value_name = "FILE", conflicts_with = "safe")]
    pub record: Option<PathBuf>,
    /// Record also the octets of pages and files, what an editor leaves, and what goes to the clipboard
    #[arg(long, requires = "record")]
    pub record_octets: bool,
    /// No colour
    #[arg(long)]
    pub no_color: bool,
    /// Write no files and start no programs
    #[arg(long)]
    pub safe: bool,
    /// Show the copies that were kept of pages, and ask nobody
    #[arg(long)]
    pub offline: bool,
    /// For who listens or reads with their fingers: one thing a line, nothing drawn (the setting "speech")
    #[arg(long)]
    pub speech: bool,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Take URLs apart, resolve, find, compare them; nothing is sent but to check links and to read bases of pages
    Url {
        #[command(subcommand)]
        command: UrlCommand,
    },
    /// Show a recorded run again, without a network; Space goes on, Backspace back, q quits
    Replay {
        /// The recording
        file: PathBuf,
        /// Begin with the first screen instead of the last one
        #[arg(long)]
        step: bool,
        /// Compare what is asked for with what was, and print the first difference
        #[arg(long)]
        check: bool,
    },
    /// Save a page in one file: as one message (.mht, .mhtml; RFC 2557), or as records of the web (.warc, .warc.gz; ISO 28500).
    /// The file opens as a space of its own: what leads to a page that is in it opens it from there
    ///
    /// What a page leads to is asked for one at a time, with a pause, by the rules that servers have for robots. Nothing is written over a
    /// file that is there.
    Save {
        /// How far to go from the page, on its own host: 0 is the page alone, 1 also what it leads to
        #[arg(long, value_name = "N", default_value_t = 0, value_parser = clap::value_parser!(u32).range(0..=5))]
        depth: u32,
        /// What to save
        #[arg(value_name = "URL")]
        page: String,
        /// The file; its name says how it is made
        #[arg(short, long, value_name = "FILE")]
        output: PathBuf,
    },
    /// Your subscriptions, an address a line; to take those of another program, or to give yours. Nobody is asked
    Subscriptions {
        /// Subscribe to what a file lists: OPML, or the urls of newsboat; - is standard input
        #[arg(long, value_name = "FILE")]
        import: Option<PathBuf>,
        /// Print them as another program takes them
        #[arg(long, value_name = "FORMAT", conflicts_with = "import")]
        export: Option<subscriptions::command::Format>,
    },
    /// Print the completions of a shell
    Completions {
        /// Which shell
        shell: clap_complete::Shell,
    },
    /// Print the manual page, or that of a command
    Man {
        /// A command of this program, such as "url parse"
        command: Vec<String>,
    },
}

impl Line {
    /// Reads the arguments. What browses has no command, and is not kept waiting while all of them are described.
    fn read() -> Result<Line, clap::Error> {
        let first = std::env::args_os().nth(1).unwrap_or_default();
        let cli = if Command::has_subcommand(&first.to_string_lossy()) { None } else { Cli::try_parse().ok() };
        // What is wrong, and help, is told by all of it.
        cli.map_or_else(Line::try_parse, |cli| Ok(Line { cli, command: None }))
    }

    /// Without a place it is what somebody pipes or redirects into the program.
    fn with_what_comes_in(mut self) -> Line {
        let cli = &mut self.cli;
        let prints = cli.dump || cli.source || cli.head || cli.links || !io::stdout().is_terminal();
        let browses = self.command.is_none() && !cli.check_config && !cli.remote;
        if browses && cli.places.is_empty() && stdin::comes_in(prints) {
            cli.places.push("-".into());
        }
        self
    }
}

impl Cli {
    /// The arguments with which this run goes on in another one, whose tabs hold the places already: without them, and without
    /// the program's name.
    pub(super) fn without_places(&self, arguments: impl IntoIterator<Item = OsString>) -> Vec<OsString> {
        let mut arguments: Vec<OsString> = arguments.into_iter().skip(1).collect();
        for place in &self.places {
            // A value of an option that reads the same stands before it, as a rule.
            if let Some(at) = arguments.iter().rposition(|argument| argument.as_os_str() == place.as_str()) {
                arguments.remove(at);
            }
        }
        arguments.retain(|argument| argument != "--remote");
        arguments
    }
}

/// Runs the program.
pub fn main() -> ExitCode {
    let line = match Line::read() {
        Ok(line) => match line.cli.places.first().filter(|place| is_command(place)) {
            Some(name) => return ExitCode::from(say_misplaced(name)),
            None => line.with_what_comes_in(),
        },
        Err(error) => {
            if let Some(name) = misplaced().filter(|_| error.use_stderr()) {
                return ExitCode::from(say_misplaced(&name));
            }
            say_wrong(&error);
            let fine = matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion);
            return ExitCode::from(if fine { SHOWN } else { USAGE });
        }
    };
    let Line { cli, command } = line;
    ExitCode::from(match &command {
        Some(Command::Url { command }) => url_command(&cli, command),
        Some(Command::Replay { file, step, check }) => match setup(&cli) {
            Ok(setup) => replay::run(file, setup, *step, *check),
            Err(status) => status,
        },
        Some(Command::Save { depth, page, output }) => {
            of_pages(&cli, None, std::slice::from_ref(page), |setup, places| match places {
                [place] => keep::run(setup, place, *depth, output),
                _ => USAGE,
            })
        }
        Some(Command::Subscriptions { import, export }) => subscriptions::command::run(import.as_deref(), *export),
        Some(Command::Completions { shell }) => print(&completions::of(*shell, &Line::command())),
        Some(Command::Man { command }) => manual(command),
        None => open(&cli),
    })
}

/// Whether this is the name of a command, and of no file here.
fn is_command(argument: &str) -> bool {
    Command::has_subcommand(argument) && !std::path::Path::new(argument).exists()
}

/// The name of a command that does not stand first among the arguments, where no other does.
fn misplaced() -> Option<String> {
    let mut arguments = std::env::args_os().skip(1).filter_map(|argument| argument.into_string().ok());
    arguments.next().filter(|first| !is_command(first)).and_then(|_| arguments.find(|argument| is_command(argument)))
}

/// Behind options the name of a command is read as a place.
fn say_misplaced(name: &str) -> u8 {
    complain(&format!(
        "{name} is a command, which stands before its options: wayfarer {name} … (see wayfarer {name} --help)"
    ));
    USAGE
}

/// Says what is wrong with the arguments, or what was asked for instead. What they hold is repeated, and made harmless.
fn say_wrong(error: &clap::Error) {
    let harmless = |argument: OsString| {
        let argument = argument.to_string_lossy();
        sanitise(&argument) == argument
    };
    // A closed standard output is no reason to complain about the command line.
    let _ = match std::env::args_os().all(harmless) {
        true => error.print(),
        false => {
            let said = error.render().to_string();
            said.lines().try_for_each(|line| writeln!(std::io::stderr(), "{}", sanitise(line)))
        }
    };
}

fn url_command(cli: &Cli, command: &UrlCommand) -> u8 {
    if let UrlCommand::Check { json, no_fetch, broken, cookies, depth, max, pause, timeout, media, base, pages } =
        command
    {
        let (pause, longest) = (Duration::from_millis(*pause), Duration::from_secs(*timeout));
        let manner = check::Manner { cookies: *cookies, max: *max, pause, longest, media: media.clone() };
        let task = check::Task { json: *json, no_fetch: *no_fetch, broken: *broken, depth: *depth, manner };
        return of_pages(cli, base.as_deref(), pages, |setup, places| check::run(setup, places, task));
    }
    if let Some(pages) = command.pages_of_bases(|page| std::path::Path::new(page).exists()) {
        return of_pages(cli, None, pages, check::bases);
    }
    let settings = match command.asks_settings().then(|| setup(cli)) {
        Some(Ok(setup)) => {
            // They cost only themselves.
            complain_of_files(&setup);
            setup.loaded.settings
        }
        Some(Err(status)) => return status,
        None => config::Settings::default(),
    };
    let mut surroundings = super::url_cmd::Surroundings::of_process(settings);
    if command.asks_history() {
        let folders = directories::ProjectDirs::from("", "", "wayfarer");
        let folder = folders.as_ref().and_then(|folders| folders.state_dir());
        surroundings.history = folder.map(super::visits::pages).unwrap_or_default();
    }
    let (stdin, stdout) = (std::io::stdin().lock(), std::io::stdout().lock());
    match super::url_cmd::run(&surroundings, command.clone(), stdin, stdout, std::io::stderr().lock()) {
        Ok(status) => status,
        Err(error) => complain(&format!("cannot write: {error}")),
    }
}

/// Does what is wanted of pages; one that is no place is told, and costs itself.
fn of_pages(cli: &Cli, base: Option<&str>, pages: &[String], job: impl FnOnce(&Setup, &[Url]) -> u8) -> u8 {
    let (mut setup, base) = match (setup(cli), default_base(base)) {
        (Ok(setup), Ok(base)) => (setup, base),
        (Err(status), _) | (_, Err(status)) => return status,
    };
    setup.base = base.or(setup.base);
    let mut status = SHOWN;
    let known = |page: &String| page_of(page, &setup).map_err(|sentence| status = complain(&sentence)).ok();
    let places: Vec<Url> = pages.iter().filter_map(known).collect();
    if places.is_empty() {
        return status;
    }
    status.max(job(&setup, &places))
}

fn manual(path: &[String]) -> u8 {
    let mut text = Vec::new();
    let whole = Line::command();
    let mut command = &whole;
    for name in path {
        match command.find_subcommand(name) {
            Some(inner) => command = inner,
            None => {
                let known: Vec<&str> = command.get_subcommands().map(clap::Command::get_name).collect();
                complain(&format!(
                    "\"{name}\" is no command of {}; these are: {}",
                    command.get_name(),
                    known.join(", ")
                ));
                return USAGE;
            }
        }
    }
    let written = match path {
        [] => super::manual::write(command, &mut text),
        path => super::manual::write_command(command, path, &mut text),
    };
    match written {
        Ok(()) => print(&text),
        Err(error) => complain(&format!("cannot write the manual page: {error}")),
    }
}

/// Writes a result to standard output; a reader that has gone is no error.
pub(super) fn print(text: &[u8]) -> u8 {
    match std::io::stdout().lock().write_all(text) {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => complain(&format!("cannot write: {error}")),
        _ => SHOWN,
    }
}

/// One line on standard error; remote words in it are made harmless.
pub(super) fn complain(sentence: &str) -> u8 {
    let _ = writeln!(std::io::stderr(), "wayfarer: {}", sanitise(sentence).replace('\n', " "));
    FAILED
}

fn open(cli: &Cli) -> u8 {
    let mut setup = match setup(cli) {
        Ok(setup) => setup,
        Err(status) => return status,
    };
    if cli.check_config {
        let files = [For::Going, For::News].into_iter().filter_map(BookmarkFile::of_reader);
        let mistakes = files.flat_map(|file| file.mistakes());
        return mistakes.fold(complain_of_files(&setup), |_, mistake| complain(&mistake));
    }
    let settings = &setup.loaded.settings;
    let visited = |host: &str, port| visited(host, port, cli.safe);
    let typed: Vec<(&String, Visited<'_>)> = match cli.places.is_empty() {
        // wherever the reader was, it is the same
        true => vec![(&settings.home, &|_, _| None)],
        false => cli.places.iter().map(|typed| (typed, &visited as Visited<'_>)).collect(),
    };
    let (mut places, mut guesses) = (Vec::new(), Vec::new());
    for (typed, visited) in typed {
        match place(typed, settings, visited).or_else(|sentence| missing(typed).ok_or(sentence)) {
            Ok(url) => {
                guesses.extend(Guess::of(typed, &url));
                places.push(url);
            }
            Err(sentence) => return complain(&sentence),
        }
    }
    setup.guesses = guesses;
    if cli.remote && cli.places.is_empty() {
        complain("--remote wants an address to hand over");
        return USAGE;
    }
    if cli.remote {
        match hand_over(cli, &places) {
            Ok(true) => return SHOWN,
            Ok(false) if std::io::stdout().is_terminal() => {}
            Ok(false) => {
                return complain(
                    "no Wayfarer runs that could open it: start one in a terminal, or give the address to one there",
                );
            }
            Err(sentence) => return complain(&sentence),
        }
    }
    let asked = cli.dump || cli.source || cli.head || cli.links;
    let piped = !std::io::stdout().is_terminal() && !cli.places.is_empty();
    if asked || piped {
        // They cost only themselves.
        complain_of_files(&setup);
        return dump::run(cli, &setup, &places);
    }
    if !std::io::stdout().is_terminal() {
        complain("standard output is not a terminal; give a URL to print it, or --help");
        return USAGE;
    }
    if std::env::var("TERM").is_ok_and(|term| term == "dumb") {
        complain("this terminal cannot place a cursor, so the page is printed instead");
        return dump::run(cli, &setup, &places);
    }
    browse::run(cli, setup, places)
}

/// Gives places to a copy that runs already; says whether there is one.
fn hand_over(cli: &Cli, places: &[Url]) -> Result<bool, String> {
    if places.iter().any(|place| place.as_str() == stdin::URL) {
        return Err("standard input is not handed over: give it to a Wayfarer of its own".into());
    }
    let folders = remote::folders(super::memory::folder(false).as_deref());
    remote::hand(&folders, cli.session.as_deref(), places)
}

/// Says all that is wrong in the reader's files.
fn complain_of_files(setup: &Setup) -> u8 {
    setup.loaded.errors.iter().fold(SHOWN, |_, error| complain(&error.to_string()))
}
