//! Guards the table of rooms in the crate documentation: Rust permits circles between modules silently. What the table says is read
//! from there and nowhere else; how it is read stands in `rooms`, how the sources are in `modules`.

mod guard;
mod modules;
mod rooms;

use std::path::Path;

use crate::source;
use guard::broken;

#[test]
fn the_sources_keep_to_the_table_of_the_crate_documentation() {
    let files = source::files(Path::new(env!("CARGO_MANIFEST_DIR")), "src");
    let (_, table) = files.iter().find(|(name, _)| name == "src/lib.rs").expect("no crate documentation");
    // The binary is a crate of its own.
    let rest = files.iter().filter(|(name, _)| !matches!(name.as_str(), "src/lib.rs" | "src/main.rs"));
    let broken = broken(table, rest.map(|(name, text)| (name.as_str(), text.as_str())));
    assert!(broken.is_empty(), "the table in src/lib.rs and the sources differ:\n{}", broken.join("\n"));
}

#[test]
fn the_view_cannot_change_the_browser() {
    for (name, text) in source::files(Path::new(env!("CARGO_MANIFEST_DIR")), "src/view") {
        let tokens = source::tokens(&text);
        let changes = tokens.windows(3).find(|three| {
            matches!(three, [(_, source::Token::Mark('&')), (_, a), (_, b)] if a.is_word("mut") && b.is_word("App"))
        });
        assert_eq!(changes.map(|three| three[0].0), None, "{name} takes the browser to change it, in that line");
    }
}

/// A small crate: rooms in a row each, `app` with rooms inside.
const TABLE: &str = "\
//! | room | owns | may import | touches |
//! |---|---|---|---|
//! | [`url`] | locators | – | – |
//! | [`disk`](mod@disk) | files | – | disk, environment in `mod.rs` |
//! | [`app`] | the browser | url | – |
//! | `app::ids` | numbers | – | – |
//! | `app::page` | pages | ids | – |
//! | `app::tab` | tabs | ids, app::page | – |
//! | `app::top` | commands | all above | – |
//! | [`shell`] | the rest | all above | everything |
";

/// Sources that keep to [`TABLE`], with some replaced by others of the same names, and some added.
fn house<'a>(changed: &[(&'a str, &'a str)]) -> Vec<String> {
    let mut files = vec![
        ("src/url/mod.rs", "pub struct Url;"),
        ("src/disk/mod.rs", "use std::{env, fs::File};"),
        (
            "src/app/mod.rs",
            "mod ids; mod page; mod tab; mod top; pub use page::Page; pub use tab::Tab; use crate::url::Url;",
        ),
        ("src/app/ids.rs", "pub struct JobId;"),
        ("src/app/page/mod.rs", "mod entry; pub use entry::Page;"),
        ("src/app/page/entry.rs", "use super::super::ids::JobId; pub struct Page(JobId);"),
        ("src/app/tab.rs", "use super::{Page, ids::{self, JobId}}; pub struct Tab(Page, JobId); fn f() { ids::g() }"),
        ("src/app/top.rs", "use crate::app::{Page, Tab}; use super::ids;"),
        ("src/shell.rs", "use crate::{app::Tab, disk, url::Url}; fn f() { std::process::Command::new(\"x\"); }"),
    ];
    files.retain(|(name, _)| !changed.iter().any(|(other, _)| name == other));
    files.extend(changed);
    broken(TABLE, files)
}

#[test]
fn a_house_that_keeps_to_its_table_is_left_alone() {
    assert_eq!(house(&[]), [""; 0]);
}

#[test]
fn an_import_between_rooms_is_seen_however_it_is_written() {
    for (import, said) in [
        ("use crate::app::Tab;", "crate::app::Tab"),
        ("use crate::app::tab::Tab as T;", "crate::app::tab::Tab"),
        ("use crate::{url::Url, app::{ids, tab::{self}}};", "crate::app::tab"),
        ("use super::super::{Tab};", "super::super::Tab"),
        ("fn f(_: &super::super::tab::Tab) {}", "super::super::tab::Tab"),
        ("fn f() { crate::app::Tab::new() }", "crate::app::Tab::new"),
        ("fn f() { matches!(x, crate::app::Tab { .. }) }", "crate::app::Tab"),
        ("use crate::app; fn f() { app::Tab::new() }", "app::Tab::new"),
        ("use crate::app as browser; fn f() { browser::Tab::new() }", "browser::Tab::new"),
        ("mod inner { use super::super::super::Tab; }", "super::super::super::Tab"),
        ("use super::super::*; fn f(_: Tab) {}", "super::super::*"),
    ] {
        let import = format!("//! A page.\n\n{import}\npub struct Page; use super::super::ids;");
        let said = said.strip_suffix("::*").unwrap_or(said);
        let expected = format!(
            "src/app/page/entry.rs:3: app::page imports app::tab ({said}): a circle, app::page → app::tab → app::page"
        );
        assert_eq!(house(&[("src/app/page/entry.rs", &import)]), [expected], "{import}");
    }
}

#[test]
fn a_name_counts_where_it_is_defined_and_not_where_it_passes_through() {
    // `app` hands out what `page` hands out, and `tab` hands out a thing of `page`: both are things of `page`.
    let page = ("src/app/page/mod.rs", "mod entry; pub use entry::Page as Leaf;");
    let root = ("src/app/mod.rs", "mod ids; mod page; mod tab; mod top; pub use tab::Leaf; use crate::url::Url;");
    let tab = ("src/app/tab.rs", "pub use super::page::Leaf; pub struct Tab; use super::ids;");
    let top = ("src/app/top.rs", "use crate::app::Leaf;");
    let ids = ("src/app/ids.rs", "use super::Leaf;");
    let shell = ("src/shell.rs", "use crate::app::Leaf;");
    let found = house(&[page, root, tab, top, shell, ids]);
    assert_eq!(
        found,
        ["src/app/ids.rs:1: app::ids imports app::page (super::Leaf): a circle, app::ids → app::page → app::ids"]
    );
}

#[test]
fn names_that_lead_to_each_other_end() {
    let tab = ("src/app/tab.rs", "pub use super::page::Lost; use super::ids; pub struct Tab;");
    let page = ("src/app/page/mod.rs", "mod entry; pub use super::tab::Lost; pub use entry::Page;");
    assert_eq!(house(&[tab, page]).len(), 1);
}

#[test]
fn what_stands_in_a_room_and_in_none_inside_is_the_rooms_own() {
    let loose = "use super::{Tab, page}; pub struct Loose;";
    assert_eq!(house(&[("src/app/loose.rs", loose)]), [""; 0], "it uses the rooms inside");
    let ids = ("src/app/ids.rs", "use super::loose::Loose;");
    assert_eq!(
        house(&[("src/app/loose.rs", loose), ids]),
        ["src/app/ids.rs:1: app::ids imports app (super::loose::Loose)"]
    );
}

#[test]
fn rooms_of_the_crate_are_held_to_their_rows() {
    let url = ("src/url/mod.rs", "pub struct Url; fn f() { crate::shell::g() }");
    let circle = "src/url/mod.rs:1: url imports shell (crate::shell::g): a circle, url → shell → url";
    assert_eq!(house(&[url]), [circle]);
    let page = ("src/app/ids.rs", "\nuse crate::disk::Keeper;");
    assert_eq!(house(&[page]), ["src/app/ids.rs:2: app imports disk (crate::disk::Keeper)"]);
    assert_eq!(house(&[("src/news.rs", "")]), ["news: no row"]);
    let idle = ("src/app/tab.rs", "use super::Page; pub struct Tab;");
    assert_eq!(house(&[idle]), ["app::tab: the row says app::ids, but nothing there imports it"]);
}

#[test]
fn what_a_room_touches_is_seen() {
    for (text, expected) in [
        ("use std::{fmt, fs};", "disk (std::fs)"),
        (
            "use std::io; use std::net; fn f() { net::TcpStream::connect(\"h\") }",
            "network (std::net::TcpStream::connect)",
        ),
        ("use std::time::Instant; fn f() { Instant::now() }", "clock (std::time::Instant::now)"),
        ("fn f() { tokio::spawn(g()) }", "threads (tokio::spawn)"),
        ("fn f() { std::env::var(\"HOME\") }", "environment (std::env::var)"),
    ] {
        let text = format!("{text} pub struct Url;");
        let expected = format!("src/url/mod.rs:1: url touches the {expected}");
        assert!(house(&[("src/url/mod.rs", &text)]).contains(&expected), "{text}");
    }
    let text = "//! Reads std::fs.\nuse std::net::IpAddr; use std::time::{Duration, Instant}; pub struct Url;\n\
        #[cfg(test)]\nmod tests { use std::fs; fn f() { crate::shell::g(\"std::env::var\") } }";
    assert_eq!(house(&[("src/url/mod.rs", text)]), [""; 0], "prose, plain values and tests touch nothing");
    let idle = "disk: the row says environment, but nothing there touches it";
    assert_eq!(house(&[("src/disk/mod.rs", "use std::fs;")]), [idle]);
    let elsewhere = ("src/disk/lines.rs", "use std::{env, fs};");
    assert_eq!(house(&[elsewhere]), ["src/disk/lines.rs:1: disk touches the environment (std::env)"]);
}

#[test]
fn a_table_that_means_nothing_is_told() {
    assert_eq!(broken(&format!("{TABLE}//! | `gone` | – | – | – |\n"), []).pop().unwrap(), "url: no such module");
    let row = |row: &str| broken(&format!("{TABLE}//! {row}\n"), [("src/url.rs", "")]);
    assert_eq!(row("| `app::x` | – | y | – |"), ["app::x: app::y is no room above it"]);
    assert_eq!(row("| `x` | – | app::tab | – |"), ["x: app::tab is no room above it"]);
    assert_eq!(row("| `x` | – | – | the moon |"), ["x: nobody knows what the moon is"]);
    assert_eq!(row("| `url` | – | – | – |"), ["url: two rows"]);
    assert_eq!(row("| `x::y` | – | – | – |"), ["x::y: the room around it is not above it"]);
    assert_eq!(row("| `x` | – | – |"), ["a row of 3 cells: `x` | – | –"]);
}
