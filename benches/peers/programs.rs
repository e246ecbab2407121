//! The other programs: which pages each is given, and how. Where one gives up, or hangs, or has no such mode, it has no figure.

use std::path::PathBuf;
use std::process::{Command, Stdio};

/// A program, and how it is asked for a page as text; `{}` is the page, which alone asks for it on the screen.
pub struct Peer {
    pub name: &'static str,
    pub dump: &'static [&'static str],
    /// Whether it is given gopher menus.
    pub menus: bool,
    /// Whether it is given pages of Gemini space.
    pub capsules: bool,
    /// Whether it is given texts from files.
    pub texts: bool,
    /// Whether it is given web pages from files.
    pub web: bool,
    /// Whether it is given big directories over FTP: some give up, some do not know any.
    pub directories: Directories,
    /// How it is asked for a directory with all that is below it, `/tree/` of `{server}`, file by file, and `{n}` files at once.
    pub tree: &'static [&'static str],
    pub trees: &'static [&'static str],
    /// How it is asked for a newsgroup, see [`News`].
    pub news: News,
    /// Whether it shows a menu that has no end.
    pub endless: bool,
    /// The key that goes to the last line.
    pub end: &'static str,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Directories {
    /// Not given any.
    Never,
    /// As a page, on the screen and as text.
    Page,
    /// The listing as it came.
    Raw,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum News {
    /// It reads none.
    Never,
    /// By the group's URL, on the screen and as text.
    Url,
    /// By these words, in which `{host}`, `{port}`, `{group}` and `{newsrc}` stand for themselves; then, when the group's name
    /// is on the screen, by a key, unless it is empty.
    Words(&'static [&'static str], &'static str),
}

const PLAIN: Peer = Peer {
    name: "",
    dump: &[],
    menus: false,
    capsules: false,
    texts: false,
    web: false,
    directories: Directories::Never,
    tree: &[],
    trees: &[],
    news: News::Never,
    endless: false,
    end: "\x1b[F",
};

/// The first is the one that the others are compared with.
pub const PEERS: &[Peer] = &[
    Peer {
        name: "wayfarer",
        dump: &["--dump", "{}"],
        menus: true,
        capsules: true,
        texts: true,
        web: true,
        directories: Directories::Page,
        news: News::Url,
        endless: true,
        ..PLAIN
    },
    Peer { name: "phetch", dump: &["--print", "{}"], menus: true, ..PLAIN },
    Peer { name: "sacc", menus: true, ..PLAIN },
    Peer { name: "bombadillo", menus: true, capsules: true, ..PLAIN },
    Peer { name: "telescope", menus: true, capsules: true, ..PLAIN },
    Peer { name: "amfora", capsules: true, ..PLAIN },
    Peer { name: "lynx", dump: &["-dump", "{}"], menus: true, texts: true, web: true, news: News::Url, ..PLAIN },
    Peer {
        name: "w3m",
        dump: &["-dump", "{}"],
        menus: true,
        texts: true,
        web: true,
        news: News::Url,
        end: "G",
        ..PLAIN
    },
    Peer {
        name: "elinks",
        dump: &["-dump", "{}"],
        web: true,
        directories: Directories::Page,
        news: News::Url,
        ..PLAIN
    },
    Peer { name: "links2", dump: &["-dump", "{}"], web: true, directories: Directories::Page, ..PLAIN },
    Peer { name: "cha", dump: &["-d", "{}"], menus: true, web: true, directories: Directories::Page, ..PLAIN },
    Peer {
        name: "slrn",
        news: News::Words(&["-n", "-h", "{host}", "-p", "{port}", "-f", "{newsrc}", "-i", "{newsrc}.slrn"], "\r"),
        ..PLAIN
    },
    Peer {
        name: "tin",
        news: News::Words(&["-r", "-Q", "-g", "{host}", "-p", "{port}", "-f", "{newsrc}", "{group}"], ""),
        ..PLAIN
    },
    Peer {
        name: "lftp",
        dump: &["-c", "open {}; cls -l"],
        directories: Directories::Raw,
        tree: &["-c", "open ftp://{server}; mirror /tree tree"],
        trees: &["-c", "open ftp://{server}; mirror -P{n} /tree tree"],
        ..PLAIN
    },
    Peer { name: "wget", tree: &["-q", "-r", "-nH", "ftp://{server}/tree/"], ..PLAIN },
    Peer { name: "curl", dump: &["-s", "{}"], directories: Directories::Raw, ..PLAIN },
    Peer { name: "less", texts: true, end: "G", ..PLAIN },
];

/// One installed program.
pub struct Player {
    pub peer: &'static Peer,
    pub path: PathBuf,
}

/// The programs of the table that are here, our own as built, the others from PATH; and the names of those that are not.
pub fn installed() -> (Vec<Player>, Vec<&'static str>) {
    let folders = std::env::var_os("PATH").unwrap_or_default();
    let find = |name: &str| match name {
        "wayfarer" => Some(env!("CARGO_BIN_EXE_wayfarer").into()),
        _ => std::env::split_paths(&folders).map(|folder| folder.join(name)).find(|path| path.is_file()),
    };
    let (mut players, mut missing) = (Vec::new(), Vec::new());
    for peer in PEERS {
        match find(peer.name) {
            Some(path) => players.push(Player { peer, path }),
            None => missing.push(peer.name),
        }
    }
    (players, missing)
}

impl Player {
    /// Its version, as the system's packages have it, else as it says itself.
    pub fn version(&self) -> String {
        let packaged = said("dpkg-query", &["-W", "-f", "${Version}", self.peer.name]);
        let own = || said(&self.path.display().to_string(), &["--version"]);
        let version = packaged.filter(|_| self.peer.name != "wayfarer").or_else(own).unwrap_or_default();
        let first = version.lines().next().unwrap_or_default();
        first.trim_start_matches(self.peer.name).trim().to_owned()
    }
}

/// What a program prints, if it ends well.
pub fn said(program: &str, words: &[&str]) -> Option<String> {
    let output = Command::new(program).args(words).stdin(Stdio::null()).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
}
