//! What the servers have in common that nobody here wrote: their packages, their user, their key, their ports on loopback.
//!
//! `WAYFARER_SERVERS` names the folder into which `tests/real/run` unpacked their packages. A journey that is walked without it
//! fails, as does one whose server does not start.

use crate::pem::pem;
use std::ffi::OsStr;
use std::io::{BufRead, BufReader, PipeWriter, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::os::fd::OwnedFd;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// The user `nobody`: servers do not run as root.
pub const NOBODY: u32 = 65534;

/// How long a server may take to say a word.
pub const PATIENCE: Duration = Duration::from_secs(20);

/// Where the packages are, or a word on what goes without them.
pub fn packages(what: &str) -> Option<PathBuf> {
    let folder = std::env::var_os("WAYFARER_SERVERS").map(PathBuf::from);
    if folder.is_none() {
        eprintln!(
            "without {what}: WAYFARER_SERVERS is not set; tests/real/run fetches the servers and walks through them"
        );
    }
    folder
}

/// A file of a package, which is there.
pub fn unpacked(packages: &Path, path: &str) -> PathBuf {
    let path = packages.join(path);
    assert!(path.exists(), "{} is missing: tests/real/run fetches it", path.display());
    path
}

/// Where the libraries of packages are, for the loader.
pub fn libraries(packages: &Path, names: &[&str]) -> String {
    let folders = names.iter().flat_map(|name| {
        ["usr/lib/x86_64-linux-gnu", "lib/x86_64-linux-gnu", "usr/lib/aarch64-linux-gnu", "lib/aarch64-linux-gnu"]
            .map(|lib| packages.join(name).join(lib).display().to_string())
    });
    folders.collect::<Vec<_>>().join(":")
}

/// A folder that everybody may read, as servers drop the rights that they start with.
pub fn open_folder() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::set_permissions(folder.path(), std::fs::Permissions::from_mode(0o755)).unwrap();
    folder
}

pub fn as_nobody(command: &mut Command) -> &mut Command {
    // Only root may become somebody else; anybody else is nobody enough.
    if is_root() { command.uid(NOBODY).gid(NOBODY) } else { command }
}

/// A folder and all in it, to a user; without root's rights it is whose it is.
pub fn give(path: &Path, user: u32) {
    if is_root() {
        std::os::unix::fs::lchown(path, Some(user), Some(user)).unwrap();
        if path.is_dir() {
            std::fs::read_dir(path).unwrap().for_each(|entry| give(&entry.unwrap().path(), user));
        }
    }
}

fn is_root() -> bool {
    rustix::process::geteuid().is_root()
}

/// Some servers start as root or not at all.
pub fn needs_root(server: &str) {
    assert!(is_root(), "{server} starts only as root: run the tests of real servers as root");
}

/// Writes `cert.pem` and `key.pem`, which nobody has signed and nobody has seen before.
pub fn write_key(folder: &Path) {
    let certified = rcgen::generate_simple_self_signed(["localhost".to_owned(), "127.0.0.1".to_owned()]).unwrap();
    std::fs::write(folder.join("cert.pem"), pem("CERTIFICATE", certified.cert.der())).unwrap();
    let key = folder.join("key.pem");
    std::fs::write(&key, pem("PRIVATE KEY", &certified.signing_key.serialize_der())).unwrap();
    // Not for everybody's eyes: servers refuse a key that others may read.
    std::fs::set_permissions(&key, std::fs::Permissions::from_mode(0o600)).unwrap();
    give(&key, NOBODY);
}

/// A running server with all that it started, which ends with this value, and when this process ends, however that happens.
pub struct Guarded {
    server: Child,
    /// Nothing is ever written: its closing is what the guard waits for.
    line: Option<PipeWriter>,
}

/// A command for [`Guarded::start`]: its arguments come after the program.
///
/// Descriptor 2 is the guard's. It has the whole process group killed when the other side is closed, which the system does for
/// us when we are killed. What the server writes to its standard error goes to its standard output, and that to our standard
/// error.
pub fn guarded(program: impl AsRef<OsStr>) -> Command {
    let mut command = Command::new("/bin/sh");
    command.args(["-c", "(read -r _ <&2; kill -9 0) >/dev/null & exec \"$@\" 2>&1", "sh"]);
    command.arg(program).stdin(Stdio::null()).stdout(std::io::stderr()).process_group(0);
    command
}

impl Guarded {
    /// Starts what [`guarded`] made.
    pub fn start(command: &mut Command) -> Guarded {
        let (end, line) = std::io::pipe().unwrap();
        Guarded { server: command.stderr(end).spawn().unwrap(), line: Some(line) }
    }
}

impl Drop for Guarded {
    fn drop(&mut self) {
        drop(self.line.take());
        let _ = self.server.wait();
    }
}

/// Runs one process for each connection, which is the process's standard input and output; until the tests end.
pub fn inetd(listener: TcpListener, command: impl Fn() -> Command + Send + 'static) {
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let stream = stream.unwrap();
            let input = OwnedFd::from(stream.try_clone().unwrap());
            let mut command = command();
            command.stdin(Stdio::from(input)).stdout(Stdio::from(OwnedFd::from(stream))).stderr(Stdio::null());
            let mut child = command.spawn().unwrap();
            std::thread::spawn(move || child.wait());
        }
    });
}

/// Runs a server written in Python on a listening socket, until it says that it is ready.
pub fn python(script: &Path, modules: &[PathBuf], listener: &TcpListener, arguments: &[&Path]) -> Guarded {
    let modules: Vec<String> = modules.iter().map(|folder| folder.display().to_string()).collect();
    let mut command = guarded("/usr/bin/python3");
    command
        .args(["-B", "-u"])
        .arg(script)
        .args(arguments)
        .env("PYTHONPATH", modules.join(":"))
        .current_dir(script.parent().unwrap())
        .stdin(OwnedFd::from(listener.try_clone().unwrap()))
        .stdout(Stdio::piped());
    let mut server = Guarded::start(as_nobody(&mut command));
    let mut lines = BufReader::new(server.server.stdout.take().unwrap()).lines().map(|line| line.unwrap());
    let mut said = String::new();
    let ready = lines.by_ref().any(|line| {
        said.extend([&line, "\n"]);
        line == "ready"
    });
    assert!(ready, "{} did not start:\n{said}", script.display());
    std::thread::spawn(move || lines.for_each(|line| eprintln!("{line}")));
    server
}

/// A port that nobody has just now, for servers that take no socket from others.
pub fn free_address() -> SocketAddr {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap()
}

/// Waits until a server listens, which has not ended meanwhile.
pub fn listens(address: SocketAddr, server: &mut Guarded) {
    let started = Instant::now();
    while TcpStream::connect(address).is_err() {
        assert_eq!(server.server.try_wait().unwrap(), None, "the server for {address} ended");
        assert!(started.elapsed() < PATIENCE, "nobody listens at {address}");
        std::thread::yield_now();
    }
}

/// A port that answers is no proof that the answer is ours: after `says` it must send the known words.
pub fn answers(address: SocketAddr, says: &str, words: &str) {
    let mut stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    stream.write_all(says.as_bytes()).unwrap();
    let mut answer = Vec::new();
    let mut piece = [0; 1 << 12];
    while !String::from_utf8_lossy(&answer).contains(words) {
        match stream.read(&mut piece) {
            Ok(count @ 1..) => answer.extend_from_slice(&piece[..count]),
            end => panic!("the server at {address}: {end:?}\n{}", String::from_utf8_lossy(&answer)),
        }
    }
}
