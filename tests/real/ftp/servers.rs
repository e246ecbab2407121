//! FTP servers: one that knows LIST alone, one with MLSD and logins, one that lists as DOS does.

use super::content;
use crate::servers::{
    Guarded, NOBODY, answers, give, inetd, libraries, needs_root, open_folder, python, unpacked, write_key,
};
use std::fs;
use std::io::Write as _;
use std::net::{SocketAddr, TcpListener};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use tempfile::TempDir;

/// A server and what it serves; what it serves ends with it.
pub struct Server {
    /// Where it listens.
    pub address: SocketAddr,
    /// pyftpdlib; the others run only while somebody visits.
    running: Option<Guarded>,
    /// Its settings and its key.
    folder: TempDir,
    archive: Arc<TempDir>,
}

impl Server {
    /// The URL of a path below the anonymous root (`pub/`).
    pub fn url(&self, path: &str) -> String {
        format!("ftp://{}/{path}", self.address)
    }

    /// The same for somebody (`user:password`).
    pub fn url_of(&self, login: &str, path: &str) -> String {
        format!("ftp://{login}@{}/{path}", self.address)
    }

    /// The same as anonymous visitor over TLS.
    pub fn tls_url(&self, path: &str) -> String {
        format!("ftps://{}/{path}", self.address)
    }

    /// Whether a file of this name can be fetched: pyftpdlib takes names that are not UTF-8 for others, and in the listings
    /// of DOS a blank before a name is alignment.
    pub fn has(&self, name: &[u8]) -> bool {
        self.running.is_none() || std::str::from_utf8(name).is_ok() && !name.starts_with(b" ")
    }

    /// What was said to it, where that is written down.
    pub fn log(&self) -> String {
        fs::read_to_string(self.folder.path().join("log")).unwrap()
    }

    /// A file of the directory of the archive into which visitors may put some.
    pub fn incoming(&self, name: &str) -> PathBuf {
        self.served("incoming").join(name)
    }

    /// Where a path below the anonymous root lies.
    pub fn served(&self, path: &str) -> PathBuf {
        self.archive.path().join("ftp").join(path)
    }

    /// A file of the home of those who log in.
    pub fn home(&self, name: &str) -> PathBuf {
        self.folder.path().join("home").join(name)
    }

    /// Another key from the next connection on, as if somebody else had taken the server's place.
    pub fn change_key(&self) {
        write_key(self.folder.path());
    }
}

/// The archive is written once for all servers that run side by side, and ends with the last of them.
static ARCHIVE: Mutex<Weak<TempDir>> = Mutex::new(Weak::new());

fn archive() -> Arc<TempDir> {
    let mut known = ARCHIVE.lock().unwrap_or_else(PoisonError::into_inner);
    known.upgrade().unwrap_or_else(|| {
        let folder = Arc::new(open_folder());
        content::write(folder.path());
        *known = Arc::downgrade(&folder);
        folder
    })
}

/// What a server is started with: a socket, a folder of its own with a key, and the archive.
struct Start {
    listener: TcpListener,
    address: SocketAddr,
    folder: TempDir,
    archive: Arc<TempDir>,
}

impl Start {
    fn new() -> Start {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let folder = open_folder();
        write_key(folder.path());
        Start { listener, address, folder, archive: archive() }
    }

    /// Writes a file of settings into the server's folder, with the paths that it names by `@FOLDER@` and `@ARCHIVE@`.
    fn write(&self, name: &str, text: &str) -> PathBuf {
        let path = |folder: &TempDir| folder.path().display().to_string();
        let text = text.replace("@FOLDER@", &path(&self.folder)).replace("@ARCHIVE@", &path(&self.archive));
        let file = self.folder.path().join(name);
        fs::write(&file, text).unwrap();
        file
    }

    /// Runs a process for each visit.
    fn inetd(self, command: impl Fn() -> Command + Send + 'static) -> Server {
        let Start { listener, address, folder, archive } = self;
        inetd(listener, command);
        answers(address, "USER anonymous\r\nPASS x@\r\nCWD pub\r\n", "You are in pub.");
        Server { address, folder, archive, running: None }
    }
}

/// vsftpd: anonymous visitors, TLS when they ask for it, LIST alone, names as the octets that they are.
pub fn vsftpd(packages: &Path) -> Server {
    vsftpd_with(packages, "")
}

/// The same, with a directory into which visitors may put files.
pub fn vsftpd_with_a_place(packages: &Path) -> Server {
    vsftpd_with(packages, "write_enable=YES\nanon_upload_enable=YES\nanon_umask=022\n")
}

/// The same at 2 MB a second, and it writes down what is said to it.
pub fn slow_vsftpd(packages: &Path) -> Server {
    let log = "xferlog_enable=YES\nlog_ftp_protocol=YES\nvsftpd_log_file=@FOLDER@/log\n";
    vsftpd_with(packages, &format!("anon_max_rate=2000000\n{log}"))
}

fn vsftpd_with(packages: &Path, more: &str) -> Server {
    needs_root("vsftpd");
    let start = Start::new();
    let empty = start.folder.path().join("empty");
    fs::create_dir(&empty).unwrap();
    fs::set_permissions(&empty, fs::Permissions::from_mode(0o555)).unwrap();
    start.write("banner", "Wayfarer test archive ready\n");
    let settings = start.write("vsftpd.conf", &[include_str!("vsftpd.conf"), more].concat());
    let program = unpacked(packages, "vsftpd/usr/sbin/vsftpd");
    let libraries = libraries(packages, &["libwrap0"]);
    start.inetd(move || with_libraries(Command::new(&program), &libraries, &[&settings]))
}

fn with_libraries(mut command: Command, libraries: &str, arguments: &[&Path]) -> Command {
    command.args(arguments).env_clear();
    command.envs([("LD_LIBRARY_PATH", libraries), ("LC_ALL", "C.UTF-8"), ("PATH", "/usr/bin:/bin")]);
    command
}

/// proftpd: anonymous visitors, `wayfarer` with the password `secret`, `odd@name` with `p@ss:/w%rd`, MLSD, TLS when asked.
pub fn proftpd(packages: &Path) -> Server {
    needs_root("proftpd");
    let start = Start::new();
    let settings = prepare_proftpd(packages, &start);
    let program = unpacked(packages, "proftpd-core/usr/sbin/proftpd");
    let needed = ["libhashkit2", "libhiredis0.14", "libmemcached11", "libmemcachedutil2", "libpcre2-posix3"];
    let libraries = libraries(packages, &needed);
    start.inetd(move || {
        with_libraries(Command::new(&program), &libraries, &["-q".as_ref(), "-c".as_ref(), settings.as_path()])
    })
}

/// Modules, a home, users and settings; the path of the latter.
fn prepare_proftpd(packages: &Path, start: &Start) -> PathBuf {
    // All modules must lie in one folder.
    let folder = start.folder.path();
    fs::create_dir(folder.join("modules")).unwrap();
    for (package, module) in [("proftpd-core", "mod_ident.so"), ("proftpd-mod-crypto", "mod_tls.so")] {
        let from = unpacked(packages, &format!("{package}/usr/lib/proftpd/{module}"));
        std::os::unix::fs::symlink(from, folder.join("modules").join(module)).unwrap();
    }
    fs::create_dir(folder.join("home")).unwrap();
    fs::write(folder.join("home/inside.txt"), "only for those who log in\n").unwrap();
    give(&folder.join("home"), NOBODY);
    // The two passwords by SHA-512-crypt; the anonymous user must be known as well, with no password of its own.
    let wayfarer = "$6$wayfarer$/PS62gOIJMiTYjMX/cwlsqGl5Vv3wLtQCsZfcTqPU/NWFpkpj/hKJJJlBfdjvRtUZdifEUBW3QXw8Pnl5VYj11";
    let odd = "$6$wayfarer$xqD5Ra12MarALKdrJmd.yDxE6.w2Z4MSwO6QNCqk9rzAQeFOzgC/3VJu3E9RFPV6yKIIUKr6IVaK66WGBRSth.";
    let ids = format!("{NOBODY}:{NOBODY}:");
    let users = format!(
        "wayfarer:{wayfarer}:{ids}:@FOLDER@/home:/bin/sh\nodd@name:{odd}:{ids}:@FOLDER@/home:/bin/sh\n\
         nobody:*:{ids}:@ARCHIVE@/ftp:/bin/false\n"
    );
    let secret = [start.write("users", &users), start.write("groups", &format!("nogroup:x:{NOBODY}:\n"))];
    for file in secret {
        fs::set_permissions(file, fs::Permissions::from_mode(0o600)).unwrap();
    }
    start.write("proftpd.conf", include_str!("proftpd.conf"))
}

/// pure-ftpd: `wayfarer` with the password `secret`, at the anonymous root of the others; MLSD.
pub fn pure_ftpd(packages: &Path) -> Server {
    needs_root("pure-ftpd");
    let start = Start::new();
    let (users, known) = (start.folder.path().join("users"), start.folder.path().join("users.pdb"));
    let libraries = libraries(packages, &["libsodium23"]);
    let mut add = with_libraries(Command::new(unpacked(packages, "pure-ftpd/usr/bin/pure-pw")), &libraries, &[]);
    add.args(["useradd", "wayfarer", "-m", "-u", "65534", "-g", "65534"]);
    add.arg("-f").arg(&users).arg("-F").arg(&known).arg("-d").arg(start.archive.path().join("ftp"));
    let mut add = add.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    add.stdin.take().unwrap().write_all(b"secret\nsecret\n").unwrap();
    assert!(add.wait().unwrap().success(), "pure-ftpd knows nobody");
    let program = unpacked(packages, "pure-ftpd/usr/sbin/pure-ftpd");
    let from = format!("puredb:{}", known.display());
    let Start { listener, address, folder, archive } = start;
    inetd(listener, move || {
        let mut command = with_libraries(Command::new(&program), &libraries, &[]);
        command.args(["-l", &from, "-u", "1", "-A", "-H", "-Z", "-L", "20000:40"]);
        command
    });
    answers(address, "USER wayfarer\r\nPASS secret\r\n", "230 OK.");
    Server { address, folder, archive, running: None }
}

/// pyftpdlib, listing as DOS servers do.
pub fn pyftpdlib(packages: &Path) -> Server {
    let start = Start::new();
    let script = start.write("launch.py", include_str!("pyftpdlib.py"));
    let modules = unpacked(packages, "python3-pyftpdlib/usr/lib/python3/dist-packages");
    let Start { listener, address, folder, archive } = start;
    let server = python(&script, &[modules], &listener, &[&archive.path().join("ftp")]);
    let server = Server { address, folder, archive, running: Some(server) };
    answers(address, "", "220 Wayfarer test archive ready");
    server
}
