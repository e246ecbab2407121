//! The promises that hold under attack: hostile servers, pages, addresses and files against the real program.
//!
//! `cargo test --test attack` tries a bounded part of it, `WAYFARER_ATTACK=all` before it the whole; a word after `--`
//! chooses checks by name. At its end stands a table: promise × protocol × class of what was tried, with how many cases
//! there were, how many of them were refused, how many came through and were harmless, and how many broke the promise.
//!
//! `cargo test --test attack -- --ignored` shows that the checks can fail: it breaks each rule in a copy of the source,
//! one at a time, and says which break no check saw (see `broken`).
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod breaks;
mod broken;
#[path = "../recipes/copy.rs"]
#[expect(dead_code, reason = "recipes have steps")]
mod copy;
mod described;
#[path = "../pty/door.rs"]
mod door;
mod doors;
mod files;
mod handed;
mod host;
mod keys;
mod limits;
mod lines;
mod menus;
mod octets;
#[path = "../recipes/page.rs"]
#[expect(dead_code, reason = "the copy knows steps of recipes")]
mod page;
mod place;
mod ports;
mod programs;
mod run;
mod secrets;
mod tally;
#[path = "../pty/terminal.rs"]
#[expect(dead_code, reason = "each binary uses its share of the harness")]
mod terminal;
mod text;
mod tls;
mod tree;
mod vector;

use std::process::ExitCode;
use tally::Tally;

/// A check: its name, which begins with its promise, and what it tries.
type Check = (&'static str, fn(&Tally));

/// All checks; those that take longest come first, as they run beside one another.
const CHECKS: &[Check] = &[
    ("text::screen_of_gopher", text::screen_of_gopher),
    ("text::screen_of_ftp", text::screen_of_ftp),
    ("text::screen_of_news", text::screen_of_news),
    ("text::screen_of_the_web", text::screen_of_the_web),
    ("text::screen_of_small", text::screen_of_small),
    ("lines::linked", lines::linked),
    ("doors::shown", doors::shown),
    ("doors::redirected", doors::redirected),
    ("doors::printed", doors::printed),
    ("doors::piped_on", doors::piped_on),
    ("doors::elsewhere", doors::elsewhere),
    ("handed::doors", handed::doors),
    ("handed::text", handed::text),
    ("handed::limits", handed::limits),
    ("ports::followed", ports::followed),
    ("ports::typed", ports::typed),
    ("ports::data_elsewhere", ports::data_elsewhere),
    ("programs::addresses", programs::addresses),
    ("programs::bodies", programs::bodies),
    ("programs::safe", programs::safe),
    ("limits::printed_web", limits::printed_web),
    ("limits::printed_others", limits::printed_others),
    ("keys::overdone", keys::overdone),
    ("secrets::shown", secrets::shown),
    ("secrets::printed", secrets::printed),
    ("tls::certificates", tls::certificates),
    ("tls::changed", tls::changed),
    ("tls::clear", tls::clear),
    ("tls::stripped", tls::stripped),
    ("tls::injected", tls::injected),
    ("tls::described", described::described),
    ("files::named", files::named),
    ("files::tree", tree::tree),
    ("broken::places", broken::places),
    ("lines::typed", lines::typed),
    ("lines::redirected", lines::redirected),
    ("menus::followed", menus::followed),
    ("text::marks_on_a_letter", text::marks_on_a_letter),
    ("text::printed_ftp", text::printed_ftp),
    ("text::printed_web", text::printed_web),
    ("text::printed_news", text::printed_news),
    ("text::printed_small", text::printed_small),
    ("text::printed_gopher", text::printed_gopher),
];

/// Whether all is to be tried, or as much as there is time for on every change.
fn whole() -> bool {
    std::env::var("WAYFARER_ATTACK").is_ok_and(|how| how == "all")
}

/// Whether one failure is enough, as it is where a rule is broken on purpose.
fn stops_at_once() -> bool {
    std::env::var("WAYFARER_ATTACK").is_ok_and(|how| how == "first")
}

fn main() -> ExitCode {
    let asked = run::Asked::of(std::env::args().skip(1));
    match asked.breaks {
        true => broken::run(&asked.words),
        false => run::run(CHECKS, &asked),
    }
}
