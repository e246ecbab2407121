//! INN: reading, posting, logins and TLS.

use super::content;
use crate::servers::{
    Guarded, answers, free_address, give, guarded, inetd, libraries, listens, needs_root, open_folder, unpacked,
    write_key,
};
use std::fs;
use std::net::{SocketAddr, TcpListener};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, Stdio};
use tempfile::TempDir;

/// The user and group `news`, which every Debian has; innd runs as nobody else.
const NEWS: u32 = 9;

/// A server and its spool; the spool ends with it.
pub struct Server {
    /// Where it listens.
    pub address: SocketAddr,
    /// Where it speaks TLS from the first octet.
    pub secure: SocketAddr,
    _innd: Guarded,
    folder: TempDir,
}

impl Server {
    /// An address on it, in clear text.
    pub fn url(&self, what: &str) -> String {
        format!("news://{}/{what}", self.address)
    }

    /// The same over TLS.
    pub fn tls_url(&self, what: &str) -> String {
        format!("nntps://{}/{what}", self.secure)
    }

    /// Makes another key, which answers from the next connection on.
    pub fn change_key(&self) {
        write_key(self.folder.path());
        give(self.folder.path(), NEWS);
    }
}

/// Runs the programs of the packages on a folder of their own.
#[derive(Clone)]
struct Inn {
    programs: String,
    libraries: String,
    folder: String,
}

impl Inn {
    fn command(&self, program: &str) -> Command {
        let mut command = Command::new(format!("{}/{program}", self.programs));
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        self.prepare(command)
    }

    /// innd, which ends with us.
    fn innd(&self) -> Command {
        let mut command = guarded(format!("{}/innd", self.programs));
        command.stdout(Stdio::null());
        self.prepare(command)
    }

    fn prepare(&self, mut command: Command) -> Command {
        command
            .env_clear()
            .env("LD_LIBRARY_PATH", &self.libraries)
            .env("INNCONF", format!("{}/etc/inn.conf", self.folder))
            .env("PATH", format!("{}:/usr/bin:/bin", self.programs))
            .env("LC_ALL", "C.UTF-8")
            .current_dir(format!("{}/db", self.folder))
            .uid(NEWS)
            .gid(NEWS);
        command
    }
}

/// INN with the test articles; `wayfarer` with the password `secret` may read `wf.private` as well.
pub fn inn(packages: &Path) -> Server {
    inn_with_ways(packages, "Nowhere.\n")
}

/// The same; the newest article of `wf.links` says where else to go.
pub fn inn_with_ways(packages: &Path, ways: &str) -> Server {
    inn_of(packages, &content::batch(ways))
}

/// INN with the articles of a batch.
pub fn inn_of(packages: &Path, batch: &[u8]) -> Server {
    needs_root("innd");
    let folder = open_folder();
    let address = free_address();
    let inn = prepare(packages, &folder, address);
    let made = inn.command("makedbz").args(["-i", "-o", "-s", "30000"]).status().unwrap();
    assert!(made.success(), "makedbz: {made}");
    let mut innd = inn.innd();
    let mut innd = Guarded::start(innd.args(["-4", "127.0.0.1", "-f", &format!("-P{}", address.port())]));
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    listens(address, &mut innd);
    let server = Server { address, secure: listener.local_addr().unwrap(), folder, _innd: innd };
    answers(address, "MODE READER\r\nGROUP wf.private\r\nGROUP wf.test\r\n", "211 0 1 0 wf.test");
    feed(packages, &inn, batch);
    inetd(listener, move || {
        let mut nnrpd = inn.command("nnrpd");
        nnrpd.arg("-S");
        nnrpd
    });
    server
}

/// Writes settings, groups and key.
fn prepare(packages: &Path, folder: &TempDir, address: SocketAddr) -> Inn {
    let folder = folder.path();
    let news = unpacked(packages, "inn2/usr/lib/news");
    let own = ["inn2/usr/lib/news", "inn2-inews/usr/lib/news"].map(|path| packages.join(path).display().to_string());
    let libraries = format!("{}:{}", own.join(":"), libraries(packages, &["libcanlock3"]));
    for path in ["etc/filter", "db", "run", "log/path", "tmp", "spool/articles", "spool/overview", "spool/archive"] {
        fs::create_dir_all(folder.join(path)).unwrap();
    }
    for path in ["spool/incoming/bad", "spool/incoming/tmp", "spool/outgoing", "spool/innfeed"] {
        fs::create_dir_all(folder.join(path)).unwrap();
    }
    let groups: String = content::GROUPS.map(|group| format!("{group} 0000000000 0000000001 y\n")).concat();
    let inner = ["control", "control.cancel", "control.newgroup", "control.rmgroup", "control.checkgroups", "junk"];
    let inner: String = inner.map(|group| format!("{group} 0000000000 0000000001 n\n")).concat();
    let files = [
        ("etc/inn.conf", include_str!("inn.conf")),
        ("etc/readers.conf", include_str!("readers.conf")),
        ("etc/storage.conf", "method tradspool {\n newsgroups: *\n class: 0\n}\n"),
        ("etc/newsfeeds", "ME:*::\n"),
        // No peers: whoever comes from here is a reader.
        ("etc/incoming.conf", "streaming: true\nmax-connections: 8\n"),
        ("etc/control.ctl", "all:*:*:drop\n"),
        ("etc/expire.ctl", "/remember/:10\n*:A:never:never:never\n"),
        ("etc/moderators", "*:moderator@example.invalid\n"),
        ("etc/motd.nnrpd", "Welcome to the Wayfarer test news server.\n"),
        // `secret`, by MD5-crypt.
        ("etc/passwd", "wayfarer:$1$wayfarer$73u19RknDya3sRPZWOUAP.\n"),
        ("db/newsgroups", content::DESCRIPTIONS),
        ("db/active", &[inner, groups].concat()),
        ("db/active.times", &content::GROUPS.map(|group| format!("{group} 1735689600 a@example.invalid\n")).concat()),
        ("db/history", ""),
        ("etc/control.ctl.local", ""),
        ("etc/distributions", ""),
        ("etc/subscriptions", ""),
        ("etc/localgroups", ""),
        ("etc/distrib.pats", ""),
        ("etc/nnrpd.track", ""),
        ("etc/nocem.ctl", ""),
    ];
    let path = folder.display().to_string();
    for (name, text) in files {
        let text = text.replace("@FOLDER@", &path).replace("@NEWS@", &news.display().to_string());
        fs::write(folder.join(name), text.replace("@PORT@", &address.port().to_string())).unwrap();
    }
    write_key(folder);
    give(folder, NEWS);
    Inn { programs: news.join("bin").display().to_string(), libraries, folder: path }
}

/// Hands the articles in as another server would.
fn feed(packages: &Path, inn: &Inn, articles: &[u8]) {
    let batch = Path::new(&inn.folder).join("batch");
    fs::write(&batch, articles).unwrap();
    let rnews = unpacked(packages, "inn2-inews/usr/lib/news/bin/rnews");
    let like = inn.command("rnews");
    let mut command = Command::new(rnews);
    command.env_clear().envs(like.get_envs().filter_map(|(name, value)| Some((name, value?))));
    command.args(["-h", "127.0.0.1"]).stdin(fs::File::open(&batch).unwrap()).uid(NEWS).gid(NEWS);
    let fed = command.output().unwrap();
    assert!(fed.status.success(), "rnews: {}", String::from_utf8_lossy(&fed.stderr));
}
