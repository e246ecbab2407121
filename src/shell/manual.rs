//! The manual page: the command line from its own description, commands and keys from their tables.

use crate::keys::{Keymap, Mode};
use std::io::{self, Write};

/// Writes the manual page in roff.
pub(super) fn write(command: &clap::Command, out: &mut impl Write) -> io::Result<()> {
    clap_mangen::Man::new(command.clone()).render(out)?;
    let keymap = Keymap::preset("default", &crate::app::command_names(), &mut Vec::new()).unwrap_or_default();
    writeln!(out, ".SH COMMANDS\nEach can be typed after \\fB:\\fR and bound to any key; these are the default keys.")?;
    for command in crate::app::COMMANDS {
        let own = [Mode::News, Mode::Own].into_iter().find(|mode| command.modes.contains(mode));
        let mode = own.unwrap_or(Mode::Page);
        let keys = keymap.keys_for(mode, command.name);
        let keys: Vec<String> = keys.iter().map(|keys| crate::keys::shown(keys)).collect();
        writeln!(out, ".TP\n\\fB{}\\fR  {}\n{}", roff(command.name), roff(&keys.join(", ")), roff(command.help))?;
    }
    writeln!(
        out,
        ".SH FILES\nUnder the XDG folders: \\fIsettings.toml\\fR, \\fIkeys.toml\\fR, \\fIthemes/NAME.toml\\fR; \\fIsessions/NAME.jsonl\\fR."
    )?;
    for (heading, rows) in [("ENVIRONMENT", ENVIRONMENT), ("EXIT STATUS", STATUS)] {
        writeln!(out, ".SH {heading}")?;
        for (name, meaning) in rows {
            writeln!(out, ".TP\n\\fB{name}\\fR\n{}", roff(meaning))?;
        }
    }
    Ok(())
}

const ENVIRONMENT: &[(&str, &str)] = &[
    ("WWW_HOME", "the page to begin with"),
    ("NNTPSERVER", "the news server, as host or host:port, where the settings name none"),
    ("VISUAL, EDITOR", "the program that articles and mails are written with, where the settings name none"),
    ("NO_COLOR", "no colour, when it is not empty"),
    ("TERM, COLORTERM", "how many colours there are; a dumb terminal gets the page printed"),
    ("LC_ALL, LC_CTYPE, LANG", "whether the terminal shows UTF-8; else only ASCII is written"),
];

const STATUS: &[(&str, &str)] = &[
    ("0", "it was shown"),
    ("1", "it could not be fetched or understood; standard error has the reason"),
    ("2", "the command line is wrong"),
];

/// Text that roff takes literally.
fn roff(text: &str) -> String {
    let escaped = text.replace('\\', "\\e").replace('-', "\\-");
    if escaped.starts_with(['.', '\'']) { format!("\\&{escaped}") } else { escaped }
}
