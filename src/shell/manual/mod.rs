//! The manual page: the command line from its own description, commands and keys from their tables, settings and how keys and
//! themes are written from the comments of the embedded files.

mod commented;

use crate::keys::{Keymap, Mode, shown};
use clap::{ArgAction, Command};
use std::io::{self, Write};

/// Writes the manual page in roff.
pub(super) fn write(command: &Command, out: &mut impl Write) -> io::Result<()> {
    let man = clap_mangen::Man::new(command.clone());
    man.render_title(out)?;
    man.render_name_section(out)?;
    section("SYNOPSIS", out)?;
    for form in FORMS {
        writeln!(out, "\\fBwayfarer\\fR {}\n.br", roff(form))?;
    }
    section("DESCRIPTION", out)?;
    for paragraph in DESCRIPTION {
        writeln!(out, ".PP\n{}", roff(paragraph))?;
    }
    man.render_options_section(out)?;
    url_commands(command, out)?;
    commands(out)?;
    section("KEYS", out)?;
    commented::head(include_str!("../../../assets/keys/default.toml"), out)?;
    section("SETTINGS", out)?;
    commented::whole(include_str!("../../../assets/settings.toml"), out)?;
    section("THEMES", out)?;
    commented::head(include_str!("../../../themes/dark.toml"), out)?;
    for (heading, rows) in [("FILES", FILES), ("ENVIRONMENT", ENVIRONMENT), ("EXIT STATUS", STATUS)] {
        section(heading, out)?;
        for (name, meaning) in rows {
            row(name, meaning, out)?;
        }
    }
    section("SEE ALSO", out)?;
    writeln!(out, "{}", roff(SEE_ALSO))
}

/// Writes the manual page of a command, named by the words that lead to it, in roff.
pub(super) fn write_command(command: &Command, path: &[String], out: &mut impl Write) -> io::Result<()> {
    let name = format!("wayfarer-{}", path.join("-"));
    // What the reader types stands in the synopsis.
    let command = command.clone().display_name(name.clone()).bin_name(format!("wayfarer {}", path.join(" ")));
    let man = clap_mangen::Man::new(command.clone()).title(name.clone()).source("wayfarer");
    man.render_title(out)?;
    man.render_name_section(out)?;
    man.render_synopsis_section(out)?;
    man.render_description_section(out)?;
    man.render_options_section(out)?;
    let mut inner = command.get_subcommands().peekable();
    if inner.peek().is_some() {
        section("COMMANDS", out)?;
    }
    for inner in inner {
        let about = inner.get_about().map(ToString::to_string).unwrap_or_default();
        row(&format!("{name}-{}(1)", inner.get_name()), &about, out)?;
    }
    section("SEE ALSO", out)?;
    let above = path.split_last().map_or(&[][..], |(_, above)| above);
    let above = std::iter::once("wayfarer").chain(above.iter().map(String::as_str)).collect::<Vec<_>>().join("-");
    writeln!(out, "{}", roff(&format!("{above}(1); what exit statuses mean is in wayfarer(1).")))
}

const FORMS: &[&str] = &[
    "[OPTIONS] [URL|FILE|-]...",
    "url COMMAND ...",
    "replay [--step] [--check] FILE",
    "completions SHELL",
    "man [COMMAND]...",
];

const DESCRIPTION: &[&str] = &[
    "Fetches and shows what gopher, FTP, news and web servers hold, local files and folders, and pages of its own. Several \
     places open in tabs. Without any it opens the tabs of the last time where they come back, else WWW_HOME, else the home \
     page of the settings.",
    "What comes through a pipe, or from a file as standard input, is a page where no place is named, and - names it among \
     others. With --remote the places open in a Wayfarer that runs already: BROWSER='wayfarer --remote' is for mail and feed \
     readers, and what they hand over counts as a link of somebody else's page.",
    "When standard output is no terminal the page is printed instead, as with --dump: text on standard output, one line on \
     standard error for each thing that went wrong.",
    "? shows the keys that work where you are; about:help is an introduction.",
];

/// What `wayfarer url` can do, from its own description.
fn url_commands(command: &Command, out: &mut impl Write) -> io::Result<()> {
    let Some(url) = command.find_subcommand("url") else { return Ok(()) };
    section("URL COMMANDS", out)?;
    writeln!(
        out,
        "{}",
        roff("Each takes --help. Nothing is sent but by check, and by bases where it is given pages.")
    )?;
    for verb in url.get_subcommands() {
        let mut options = String::new();
        for argument in verb.get_arguments().filter(|argument| argument.get_id() != "help") {
            let value = argument.get_value_names().and_then(<[_]>::first).map(|name| name.as_str()).unwrap_or_default();
            options += &match argument.get_long() {
                Some(long) if argument.get_action().takes_values() => format!(" [--{long} {value}]"),
                Some(long) => format!(" [--{long}]"),
                None if matches!(argument.get_action(), ArgAction::Append) => format!(" [{value}]..."),
                None => format!(" [{value}]"),
            };
        }
        let about = verb.get_about().map(ToString::to_string).unwrap_or_default();
        writeln!(out, ".TP\n\\fBurl {}\\fR{}\n{}", verb.get_name(), roff(&options), roff(&about))?;
    }
    Ok(())
}

/// Every command under its heading, with its default keys.
fn commands(out: &mut impl Write) -> io::Result<()> {
    let keymap = Keymap::preset("default", &crate::app::command_names(), &mut Vec::new()).unwrap_or_default();
    section("COMMANDS", out)?;
    writeln!(out, "{}", roff("Each can be typed after \":\" and bound to any key; these are the default keys."))?;
    let mut group = "";
    for command in crate::app::COMMANDS {
        if command.group != group {
            group = command.group;
            writeln!(out, ".SS {}", roff(group))?;
        }
        let mode = command.modes.first().copied().unwrap_or(Mode::Page);
        let runs = |line: &str| line.split_whitespace().next() == Some(command.name);
        let bound = keymap.bindings().iter().filter(|(m, _, line)| *m == mode && runs(line));
        let keys: Vec<String> = bound.map(|(_, keys, _)| shown(keys)).collect();
        let keys = if keys.is_empty() { String::new() } else { format!("   {}", keys.join(", ")) };
        writeln!(out, ".TP\n\\fB{}\\fR{}\n{}", roff(command.name), roff(&keys), roff(command.help))?;
    }
    Ok(())
}

const FILES: &[(&str, &str)] = &[
    ("~/.config/wayfarer/settings.toml", "settings; --config FILE takes another"),
    ("~/.config/wayfarer/keys.toml", "keys over the preset"),
    ("~/.config/wayfarer/themes/NAME.toml", "themes of your own"),
    ("~/.netrc", "logins of ftp and its kin, read and never written; netrc in the settings names another"),
    ("~/.local/share/wayfarer/bookmarks.toml", "bookmarks; comments and order stay when Wayfarer changes it"),
    ("~/.local/share/wayfarer/pins", "certificates seen, one a line: host:port sha256 date what-it-says"),
    ("~/.local/share/wayfarer/certificates", "your own certificates with their keys, and where they are shown"),
    ("~/.local/share/wayfarer/cookies", "cookies, where the settings keep them"),
    ("~/.local/share/wayfarer/hsts", "hosts that want TLS alone, and until when"),
    (
        "~/.local/share/wayfarer/uploads",
        "files on their way into directories of FTP servers, so that one that broke off goes on; none of private tabs",
    ),
    ("~/.local/share/wayfarer/drafts/", "articles and mails that were not sent"),
    ("~/.local/state/wayfarer/history", "visits, one a line; lines that cannot be read go to history.bad"),
    (
        "~/.local/state/wayfarer/sessions/",
        "tabs with their histories and places and the forms filled in but not sent, by name; NAME.last-1 to NAME.last-5 are the \
         last times whose tabs did not come back",
    ),
    (
        "$XDG_RUNTIME_DIR/wayfarer/, ~/.local/state/wayfarer/remote/",
        "where running copies take what --remote hands over, for nobody else; the second where there is no first",
    ),
    ("~/.local/state/wayfarer/downloads", "the list of downloads; lines that cannot be read go to downloads.bad"),
    (
        "~/.local/state/wayfarer/words, charsets, orders, shows, visits, marks",
        "words typed at prompts, of 4 KiB at most; charsets chosen for hosts, folders and pages; orders chosen for hosts; which threads are shown of newsgroups; marks; when groups were listed last; lines that cannot be read go to NAME.bad",
    ),
    (
        "~/.newsrc, ~/.newsrc-SERVER",
        "newsgroups that you take, and what was read in them; where there is no ~/.newsrc, slrn's ~/.jnewsrc is used",
    ),
    (
        "~/.local/state/wayfarer/newsrcs/",
        "what was marked read here of each newsrc of late, for the case that another newsreader that had not seen it writes over it",
    ),
    (
        "~/.cache/wayfarer/news/SERVER/",
        "what was seen of newsgroups (GROUP.overview) and articles that were read or fetched; one that is damaged goes to GROUP.bad",
    ),
    ("~/.signature", "what ends your articles"),
    ("~/.mailcap, /etc/mailcap", "programs for what the settings name none for, as far as they need no shell"),
];

const ENVIRONMENT: &[(&str, &str)] = &[
    ("WWW_HOME", "the page to begin with, and where the home key leads"),
    ("NNTPSERVER", "the news server, as host or host:port, where the settings name none"),
    (
        "http_proxy, https_proxy, all_proxy, gopher_proxy, ftp_proxy, news_proxy, …",
        "proxies by scheme, where the settings name none",
    ),
    ("no_proxy", "hosts that are asked directly"),
    ("PATH", "where the programs of the settings are looked for"),
    ("VISUAL, EDITOR", "the program that articles and mails are written with, where the settings name none"),
    ("MAILCAPS", "mailcap files to be read in place of the usual ones, parted by colons"),
    ("NO_COLOR", "no colour, when it is not empty"),
    ("TERM, COLORTERM", "how many colours there are; a dumb terminal gets the page printed"),
    ("LC_ALL, LC_CTYPE, LANG", "whether the terminal shows UTF-8; else only ASCII is written"),
    ("XDG_CONFIG_HOME, XDG_DATA_HOME, XDG_STATE_HOME", "folders in place of ~/.config, ~/.local/share, ~/.local/state"),
    (
        "XDG_CACHE_HOME",
        "the folder, in place of ~/.cache, for what other programs are given to open, emptied at the end, and for news that is kept",
    ),
    ("HOME", "where ~ leads"),
    ("TZ", "the time zone; else it is the machine's (/etc/localtime)"),
];

const STATUS: &[(&str, &str)] = &[
    ("0", "it was shown; url equal: yes; url diff: the same; url check: no link is broken"),
    (
        "1",
        "it could not be fetched or understood, and standard error says why; url equal: no; url diff: not the same; url check: a link is broken",
    ),
    ("2", "the command line is wrong"),
];

const SEE_ALSO: &str = "lynx(1), w3m(1), elinks(1), lftp(1), slrn(1)";

fn section(heading: &str, out: &mut impl Write) -> io::Result<()> {
    writeln!(out, ".SH {heading}")
}

fn row(name: &str, meaning: &str, out: &mut impl Write) -> io::Result<()> {
    writeln!(out, ".TP\n\\fB{}\\fR\n{}", roff(name), roff(meaning))
}

/// Text that roff takes literally.
fn roff(text: &str) -> String {
    let escaped = text.replace('\\', "\\e").replace('-', "\\-").replace('~', "\\(ti").replace('^', "\\(ha");
    if escaped.starts_with(['.', '\'']) { format!("\\&{escaped}") } else { escaped }
}
