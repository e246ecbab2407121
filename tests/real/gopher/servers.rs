//! Gopher servers.

use super::content;
use crate::servers::{Guarded, answers, as_nobody, inetd, libraries, open_folder, python, unpacked, write_key};
use std::net::{SocketAddr, TcpListener};
use std::path::{Path, PathBuf};
use std::process::Command;
use tempfile::TempDir;

/// A server and what it serves; what it serves ends with it.
pub struct Server {
    /// Where it listens.
    pub address: SocketAddr,
    /// pygopherd; gophernicus runs only while it answers.
    running: Option<Running>,
    content: TempDir,
}

struct Running {
    server: Guarded,
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
        let Running { server, packages, listener } = self.running.take().unwrap();
        drop(server);
        write_key(self.content.path());
        let server = launch(&packages, self.content.path(), &listener);
        self.running = Some(Running { server, packages, listener });
        welcomes(self.address);
    }
}

/// A folder filled with the test burrow.
fn burrow(address: SocketAddr) -> TempDir {
    let folder = open_folder();
    content::write(folder.path(), address);
    folder
}

fn welcomes(address: SocketAddr) {
    answers(address, "\r\n", "Welcome to the burrow");
}

/// gophernicus speaks on its standard input and output, one process a connection.
pub fn gophernicus(packages: &Path) -> Server {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let content = burrow(address);
    let program = unpacked(packages, "gophernicus/usr/sbin/gophernicus");
    let libraries = libraries(packages, &["libwrap0"]);
    let root = content.path().join("gopher");
    inetd(listener, move || {
        let mut command = Command::new(&program);
        // Hits are counted per client and throttled after 4096, hence the huge -i and -k.
        command
            .args(["-h", "127.0.0.1", "-p", &address.port().to_string(), "-r"])
            .arg(&root)
            .args(["-i", "2000000000", "-k", "2000000000", "-ns", "-nv", "-nu", "-np", "-o", "UTF-8"])
            .env_clear()
            .envs([("LD_LIBRARY_PATH", libraries.as_str()), ("LC_ALL", "C.UTF-8"), ("PATH", "/usr/bin:/bin")]);
        as_nobody(&mut command);
        command
    });
    welcomes(address);
    Server { address, content, running: None }
}

/// pygopherd speaks Gopher+ and TLS on the same port.
pub fn pygopherd(packages: &Path) -> Server {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let content = burrow(address);
    write_key(content.path());
    let server = launch(packages, content.path(), &listener);
    welcomes(address);
    Server { address, content, running: Some(Running { server, packages: packages.to_owned(), listener }) }
}

fn launch(packages: &Path, folder: &Path, listener: &TcpListener) -> Guarded {
    let launcher = folder.join("launch.py");
    std::fs::write(&launcher, include_str!("pygopherd.py")).unwrap();
    let modules = ["pygopherd", "python3-simpletal"].map(|p| packages.join(p).join("usr/lib/python3/dist-packages"));
    let configuration = unpacked(packages, "pygopherd/etc/pygopherd/pygopherd.conf");
    let types = unpacked(packages, "media-types/etc/mime.types");
    python(&launcher, &modules, listener, &[&configuration, &types, folder])
}
