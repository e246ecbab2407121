//! nginx: a small site, in clear text and over TLS.

use super::content;
use crate::servers::{
    Guarded, NOBODY, answers, as_nobody, free_address, give, guarded, listens, open_folder, unpacked, write_key,
};
use std::fs;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// A server and its site; the site ends with it.
pub struct Server {
    /// Where it listens.
    pub address: SocketAddr,
    /// Where it speaks TLS.
    pub secure: SocketAddr,
    _nginx: Guarded,
    folder: TempDir,
}

impl Server {
    /// A page's address.
    pub fn url(&self, path: &str) -> String {
        format!("http://{}/{path}", self.address)
    }

    /// A page's address over TLS, by the name that the certificate has.
    pub fn tls_url(&self, path: &str) -> String {
        format!("https://localhost:{}/{path}", self.secure.port())
    }

    /// The certificate, which signs itself.
    pub fn cert(&self) -> PathBuf {
        self.folder.path().join("cert.pem")
    }

    /// What was asked for: a path and a range each line.
    pub fn log(&self) -> String {
        fs::read_to_string(self.folder.path().join("log")).unwrap()
    }
}

/// nginx with the site on both ports.
pub fn nginx(packages: &Path) -> Server {
    let [address, secure] = [(); 2].map(|()| free_address());
    let temporary = open_folder();
    let folder = temporary.path();
    fs::create_dir(folder.join("temporary")).unwrap();
    content::write(&folder.join("site"));
    // `secret`, by Apache's MD5-crypt.
    fs::write(folder.join("users"), "wayfarer:$apr1$wayfarer$FEoK570oPujwTNRRRCYf//\n").unwrap();
    let types = unpacked(packages, "nginx-common/etc/nginx/mime.types");
    for (name, text) in [("nginx.conf", include_str!("nginx.conf")), ("site.conf", include_str!("site.conf"))] {
        let text = text.replace("@FOLDER@", &folder.display().to_string());
        let text = text.replace("@TYPES@", &types.display().to_string()).replace("@PORT@", &address.port().to_string());
        fs::write(folder.join(name), text.replace("@SECURE@", &secure.port().to_string())).unwrap();
    }
    write_key(folder);
    give(folder, NOBODY);
    let mut command = guarded(unpacked(packages, "nginx/usr/sbin/nginx"));
    command.arg("-p").arg(folder).args(["-e", "stderr", "-c"]).arg(folder.join("nginx.conf"));
    command.env_clear();
    let mut nginx = Guarded::start(as_nobody(&mut command));
    listens(address, &mut nginx);
    let server = Server { address, secure, folder: temporary, _nginx: nginx };
    answers(address, "GET / HTTP/1.0\r\n\r\n", "Wayfarer test site");
    server
}
