//! The completions of shells, made of the command line: with the names of settings for `--set`, and for `--session` those that
//! there are when somebody asks, which are files.

use super::cli::VERSION;
use clap::builder::PossibleValuesParser;
use clap::{Arg, Command};
use clap_complete::Shell;

/// In the place of the names of settings.
const SETTINGS: &str = "@settings@";
/// In the place of what a shell looks up itself.
const SESSIONS: &str = "@sessions@";
/// How it does.
const NAMES: &str =
    r#"ls "${XDG_STATE_HOME:-$HOME/.local/state}/wayfarer/sessions" 2>/dev/null | sed -n 's/\.jsonl$//p'"#;
/// The same in fish, which has no such defaults.
const NAMES_FISH: &str = r#"set -l state $XDG_STATE_HOME; test -n "$state"; or set state $HOME/.local/state; ls $state/wayfarer/sessions 2>/dev/null | string replace -f -r '\.jsonl$' ''"#;

/// The completions of a shell, for a command line.
pub(super) fn of(shell: Shell, whole: &Command) -> Vec<u8> {
    // Without the places: beside subcommands the generated scripts take no positional argument well, and offer files anyway.
    let options = whole.get_arguments().filter(|argument| !argument.is_positional()).cloned().map(with_names);
    let mut command = Command::new("wayfarer").args(options);
    command = command.version(VERSION).subcommands(whole.get_subcommands().cloned()).disable_help_subcommand(true);
    let mut text = Vec::new();
    clap_complete::generate(shell, &mut command, "wayfarer", &mut text);
    let settings: Vec<String> = crate::config::names().map(|name| format!("{name}=")).collect();
    let settings = settings.join(" ");
    let text = String::from_utf8_lossy(&text).replace(&format!("\"{SETTINGS}\\t''\""), &format!("\"{settings}\""));
    let text = text.replace(SETTINGS, &settings);
    let text = match shell {
        Shell::Bash => text.replace(SESSIONS, &format!("$({NAMES})")),
        // Files have to be named to this one alone.
        Shell::Zsh => text
            .replace("\":: :_wayfarer_commands\"", "\":: :{ _wayfarer_commands; _files }\"")
            .replace(&format!("({SESSIONS})"), "_wayfarer_sessions")
            .replacen(
                "_wayfarer() {",
                &format!("_wayfarer_sessions() {{\n    compadd -- $({NAMES})\n}}\n\n_wayfarer() {{"),
                1,
            ),
        Shell::Fish => {
            let called = text.replace(&format!("\"{SESSIONS}\\t''\""), "\"(__wayfarer_sessions)\"");
            format!("function __wayfarer_sessions\n    {NAMES_FISH}\nend\n{called}")
        }
        _ => text.replace(SESSIONS, ""),
    };
    text.into_bytes()
}

/// An option with what it may be given.
fn with_names(argument: Arg) -> Arg {
    match argument.get_id().as_str() {
        "set" => argument.value_parser(PossibleValuesParser::new([SETTINGS])),
        "session" => argument.value_parser(PossibleValuesParser::new([SESSIONS])),
        _ => argument,
    }
}
