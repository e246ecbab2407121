//! Gopher servers that nobody here wrote, on loopback.
//!
//! `WAYFARER_SERVERS` names the folder into which `tests/real/fetch.sh` unpacked their packages. Without it the tests say
//! aloud that they are skipped; with it, a server that does not start is a failure.

use super::content;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::os::fd::OwnedFd;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use tempfile::TempDir;

/// The user `nobody`: servers do not run as root.
const NOBODY: u32 = 65534;

/// Where the packages are, or a loud word that the test is skipped.
pub fn packages(test: &str) -> Option<PathBuf> {
    let folder = std::env::var_os("WAYFARER_SERVERS").map(PathBuf::from);
    if folder.is_none() {
        // Past the test harness, which keeps what passing tests print to itself.
        let word =
            format!("SKIPPED {test}: WAYFARER_SERVERS is not set; tests/real/fetch.sh FOLDER gets the servers\n");
        let _ = std::io::stderr().write_all(word.as_bytes());
    }
    folder
}

/// A server and what it serves; what it serves ends with it.
pub struct Server {
    /// Where it listens.
    pub address: SocketAddr,
    content: TempDir,
    /// pygopherd; gophernicus runs only while it answers.
    running: Option<Running>,
}

struct Running {
    child: Child,
    packages: PathBuf,
    listener: TcpListener,
}

impl Server {
    /// The URL of a gopher path (`1/huge`).
    pub fn url(&self, path: &str) -> String {
        format!("gopher://{}/{path}", self.address)
    }

    /// The same over TLS.
    pub fn tls_url(&self, path: &str) -> String {
        format!("gophers://{}/{path}", self.address)
    }

    /// Goes on with another key, as if somebody else had taken the server's place.
    pub fn change_key(&mut self) {
        let running = self.running.as_mut().unwrap();
        running.child.kill().unwrap();
        running.child.wait().unwrap();
        write_key(self.content.path());
        running.child = launch(&running.packages, self.content.path(), &running.listener);
        answers(self.address, "Welcome to the burrow");
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        if let Some(running) = &mut self.running {
            let _ = running.child.kill();
            let _ = running.child.wait();
        }
    }
}

/// A folder that `nobody` may read, filled with the test burrow.
fn burrow(address: SocketAddr) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::set_permissions(folder.path(), std::fs::Permissions::from_mode(0o755)).unwrap();
    content::write(folder.path(), address);
    folder
}

fn as_nobody(command: &mut Command) -> &mut Command {
    // Only root may become somebody else; anybody else is nobody enough.
    if rustix::process::geteuid().is_root() { command.uid(NOBODY).gid(NOBODY) } else { command }
}

fn libraries(packages: &Path, names: &[&str]) -> String {
    let folders = names.iter().flat_map(|name| {
        ["usr/lib/x86_64-linux-gnu", "lib/x86_64-linux-gnu", "usr/lib/aarch64-linux-gnu", "lib/aarch64-linux-gnu"]
            .map(|lib| packages.join(name).join(lib).display().to_string())
    });
    folders.collect::<Vec<_>>().join(":")
}

/// gophernicus speaks on its standard input and output, one process a connection; this is its inetd.
pub fn gophernicus(packages: &Path) -> Server {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let content = burrow(address);
    let program = packages.join("gophernicus/usr/sbin/gophernicus");
    assert!(program.exists(), "{} is missing: run tests/real/fetch.sh again", program.display());
    let libraries = libraries(packages, &["libwrap0"]);
    let root = content.path().join("gopher");
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let stream = stream.unwrap();
            let input = OwnedFd::from(stream.try_clone().unwrap());
            let mut command = Command::new(&program);
            // Hits are counted per client and throttled after 4096, hence the huge -i and -k.
            command
                .args(["-h", "127.0.0.1", "-p", &address.port().to_string(), "-r"])
                .arg(&root)
                .args(["-i", "2000000000", "-k", "2000000000", "-ns", "-nv", "-nu", "-np", "-o", "UTF-8"])
                .env_clear()
                .envs([("LD_LIBRARY_PATH", libraries.as_str()), ("LC_ALL", "C.UTF-8"), ("PATH", "/usr/bin:/bin")])
                .stdin(Stdio::from(input))
                .stdout(Stdio::from(OwnedFd::from(stream)))
                .stderr(Stdio::null());
            let mut child = as_nobody(&mut command).spawn().unwrap();
            std::thread::spawn(move || child.wait());
        }
    });
    answers(address, "Welcome to the burrow");
    Server { address, content, running: None }
}

/// pygopherd speaks Gopher+ and TLS on the same port.
pub fn pygopherd(packages: &Path) -> Server {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let content = burrow(address);
    write_key(content.path());
    let child = launch(packages, content.path(), &listener);
    answers(address, "Welcome to the burrow");
    Server { address, content, running: Some(Running { child, packages: packages.to_owned(), listener }) }
}

fn write_key(folder: &Path) {
    let certified = rcgen::generate_simple_self_signed(["localhost".to_owned(), "127.0.0.1".to_owned()]).unwrap();
    std::fs::write(folder.join("cert.pem"), certified.cert.pem()).unwrap();
    std::fs::write(folder.join("key.pem"), certified.signing_key.serialize_pem()).unwrap();
}

fn launch(packages: &Path, folder: &Path, listener: &TcpListener) -> Child {
    let launcher = folder.join("launch.py");
    std::fs::write(&launcher, include_str!("pygopherd.py")).unwrap();
    let modules = ["pygopherd", "python3-simpletal"].map(|p| packages.join(p).join("usr/lib/python3/dist-packages"));
    let mut command = Command::new("/usr/bin/python3");
    command
        .args(["-B", "-u"])
        .arg(&launcher)
        .arg(packages.join("pygopherd/etc/pygopherd/pygopherd.conf"))
        .arg(packages.join("media-types/etc/mime.types"))
        .arg(folder)
        .env("PYTHONPATH", modules.map(|m| m.display().to_string()).join(":"))
        .current_dir(folder)
        .stdin(Stdio::from(OwnedFd::from(listener.try_clone().unwrap())))
        .stdout(Stdio::piped());
    let mut child = as_nobody(&mut command).spawn().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let ready = lines.by_ref().map(|line| line.unwrap()).find(|line| line == "ready");
    assert!(ready.is_some(), "pygopherd did not start");
    std::thread::spawn(move || lines.for_each(drop));
    child
}

/// A port that answers is no proof that the answer is ours: the root menu must hold the known words.
fn answers(address: SocketAddr, words: &str) {
    let mut stream = TcpStream::connect(address).unwrap();
    stream.write_all(b"\r\n").unwrap();
    let mut menu = Vec::new();
    stream.read_to_end(&mut menu).unwrap();
    let menu = String::from_utf8_lossy(&menu).into_owned();
    assert!(menu.contains(words), "the server at {address} says:\n{menu}");
}
