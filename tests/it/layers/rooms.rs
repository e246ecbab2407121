//! The table of rooms, read out of the documentation that holds it.

/// What a room may do beside computing, and the paths that say that it does.
const TOUCHES: &[(&str, &[&str])] = &[
    ("disk", &["std::fs", "tokio::fs"]),
    (
        "network",
        &[
            "std::net::TcpStream",
            "std::net::TcpListener",
            "std::net::UdpSocket",
            "std::net::ToSocketAddrs",
            "tokio::net",
            "reqwest",
            "suppaftp",
            "tokio_rustls",
        ],
    ),
    (
        "clock",
        &[
            "std::time::Instant::now",
            "std::time::SystemTime",
            "tokio::time",
            "jiff::Zoned::now",
            "jiff::Timestamp::now",
            "chrono",
        ],
    ),
    (
        "environment",
        &["std::env", "std::process::id", "directories", "jiff::tz::TimeZone::system", "reqwest::NoProxy::from_env"],
    ),
    ("programs", &["std::process::Command", "std::process::Stdio", "std::process::exit", "tokio::process"]),
    ("threads", &["std::thread", "tokio"]),
    ("chance", &["getrandom", "rand", "ring::rand"]),
    ("screen", &["ratatui", "crossterm"]),
];

/// A room: a row of the table.
#[derive(Debug, PartialEq)]
pub struct Room {
    /// Where it is, from the crate down: `url`, `app::page`.
    pub name: String,
    /// The rooms beside it that it may import; `None`: all above.
    pub imports: Option<Vec<String>>,
    /// What it may touch beyond its arguments, and in which file if only in one; `None`: everything.
    pub touches: Option<Vec<(String, Option<String>)>>,
}

impl Room {
    /// The room that this one is inside of, if it is not one of the crate's own.
    pub fn parent(&self) -> Option<&str> {
        self.name.rsplit_once("::").map(|(parent, _)| parent)
    }

    /// Whether the row allows that a file of the room touches a thing.
    pub fn allows(&self, thing: &str, file: &str) -> bool {
        let here = |only: &Option<String>| only.as_ref().is_none_or(|only| file.ends_with(&format!("/{only}")));
        self.touches.as_ref().is_none_or(|allowed| allowed.iter().any(|(name, only)| name == thing && here(only)))
    }
}

/// The thing that a path touches, if it touches one.
pub fn touched(path: &str) -> Option<&'static str> {
    // `tokio::net` is the network, not a thread: the longest path decides.
    let below = |known: &str| path.strip_prefix(known).is_some_and(|rest| rest.is_empty() || rest.starts_with("::"));
    let (thing, _) = TOUCHES
        .iter()
        .flat_map(|(thing, paths)| paths.iter().map(move |path| (*thing, *path)))
        .filter(|(_, path)| below(path))
        .max_by_key(|(_, path)| path.len())?;
    Some(thing)
}

/// Reads the table out of the `//!` lines of a source.
///
/// # Errors
///
/// Rows that mean nothing, one line each: a name that no row above has, a thing that nobody knows.
pub fn read(source: &str) -> Result<Vec<Room>, Vec<String>> {
    let rows = source
        .lines()
        .filter_map(|line| line.trim_start().strip_prefix("//!")?.trim().strip_prefix('|')?.strip_suffix('|'))
        .map(|row| row.split('|').map(str::trim).collect::<Vec<_>>());
    let (mut rooms, mut wrong) = (Vec::<Room>::new(), Vec::new());
    for cells in rows.skip_while(|cells| cells.first() != Some(&"room")).skip(2) {
        let [name, _, imports, touches] = cells.as_slice() else {
            wrong.push(format!("a row of {} cells: {}", cells.len(), cells.join(" | ")));
            continue;
        };
        let mut room = Room { name: quoted(name).into(), imports: None, touches: None };
        if *imports != "all above" {
            let mut named = Vec::new();
            for import in list(imports) {
                let import = within(room.parent(), quoted(import));
                match rooms.iter().any(|above| above.name == import && above.parent() == room.parent()) {
                    true => named.push(import),
                    false => wrong.push(format!("{}: {import} is no room above it", room.name)),
                }
            }
            room.imports = Some(named);
        }
        if *touches != "everything" {
            let mut named = Vec::new();
            for touch in list(touches) {
                let (thing, file) = touch.split_once(" in ").map_or((touch, None), |(thing, file)| (thing, Some(file)));
                match TOUCHES.iter().any(|(known, _)| *known == thing) {
                    true => named.push((thing.into(), file.map(|file| quoted(file).into()))),
                    false => wrong.push(format!("{}: nobody knows what {thing} is", room.name)),
                }
            }
            room.touches = Some(named);
        }
        if rooms.iter().any(|above| above.name == room.name) {
            wrong.push(format!("{}: two rows", room.name));
        }
        if room.parent().is_some_and(|parent| !rooms.iter().any(|above| above.name == parent)) {
            wrong.push(format!("{}: the room around it is not above it", room.name));
        }
        rooms.push(room);
    }
    if wrong.is_empty() { Ok(rooms) } else { Err(wrong) }
}

/// What stands between the first two backticks, or all.
fn quoted(cell: &str) -> &str {
    cell.split('`').nth(1).unwrap_or(cell)
}

/// The members of a list; a dash is an empty one.
fn list(cell: &str) -> impl Iterator<Item = &str> {
    cell.split(',').map(str::trim).filter(|name| !matches!(*name, "" | "–" | "-"))
}

/// A name as a row inside `parent` means it: `page` beside `app::tab` is `app::page`.
fn within(parent: Option<&str>, name: &str) -> String {
    match parent {
        Some(parent) if !name.contains("::") => format!("{parent}::{name}"),
        _ => name.into(),
    }
}
