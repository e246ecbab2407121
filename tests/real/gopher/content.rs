//! The burrow that the real servers serve: the same for each, so that a journey can be walked on both.

use std::fmt::Write;
use std::fs;
use std::net::SocketAddr;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

/// Items of the big menu.
pub const ITEMS: usize = 20_000;

/// Octets of the binary file.
pub const BINARY: usize = 200_000;

/// The binary file's content: every octet value, in an order that no text has.
pub fn binary() -> Vec<u8> {
    (0..BINARY).map(|i| (i * 7 + i / 256) as u8).collect()
}

/// Writes the burrow into `folder/gopher`.
pub fn write(folder: &Path, address: SocketAddr) {
    let root = folder.join("gopher");
    let put = |path: &str, content: &[u8], mode: u32| {
        let path = root.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, content).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
    };
    let host = "127.0.0.1";
    let port = address.port();
    // Servers listen on 127.0.0.1 only, so their own port is closed on the next address.
    let menu = format!(
        "Welcome to the burrow\n\n\
         0A text\t/text/about.txt\n\
         0Latin letters\t/text/latin1.txt\n\
         0Dots\t/text/dots.txt\n\
         0Escapes\t/text/escapes.txt\n\
         1A huge menu\t/huge\n\
         1A generated folder\t/files\n\
         1The Gopher+ folder\t/plus\n\
         7Search the burrow\t/cgi-bin/search\n\
         9A binary file\t/bin/data.bin\n\
         hA terminal session\tURL:telnet://{host}:{port}/\n\
         1A closed port\t/\t127.0.0.2\t{port}\n\
         0A missing text\t/text/none.txt\n\
         3A word of warning\t/\n"
    );
    put("gophermap", menu.as_bytes(), 0o644);
    put("text/about.txt", about(host, port).as_bytes(), 0o644);
    put("text/latin1.txt", b"Latin-1: caf\xe9, na\xefve\n", 0o644);
    put("text/dots.txt", b"before\n.\nafter one dot\n.leading dot\nend\n", 0o644);
    put("text/escapes.txt", b"evil \x1b[31mred\x1b]0;title\x07 and \x9b31m\n", 0o644);
    put("bin/data.bin", &binary(), 0o644);
    put("huge/gophermap", huge().as_bytes(), 0o644);
    for i in 0..50 {
        put(&format!("files/file{i:02}.txt"), format!("File {i}\n").as_bytes(), 0o644);
    }
    put("files/with space.txt", b"spaces\n", 0o644);
    put("plus/paper.txt", b"The paper.\n", 0o644);
    put("plus/paper.txt.abstract", b"What the paper says,\nin two lines.\n", 0o644);
    let form = "Note: A form\nAsk: Your name?\tNobody\nAskP: A secret?\nChoose: A colour?\tred\tgreen\tblue\nSelect: Wrapped?:1\n";
    put("plus/order.txt", b"The order.\n", 0o644);
    put("plus/order.txt.ask", form.as_bytes(), 0o644);
    // gophernicus gives QUERY_STRING, pygopherd gives SEARCHREQUEST.
    let search = "#!/bin/sh\nwords=\"${SEARCHREQUEST:-$QUERY_STRING}\"\n\
        printf 'iYou searched for: %s\\t\\t(NULL)\\t0\\r\\n' \"$words\"\n\
        printf '0A find\\t/text/about.txt\\t%s\\t%s\\r\\n.\\r\\n' \"${SERVER_NAME:-127.0.0.1}\" \"${SERVER_PORT:-70}\"\n";
    put("cgi-bin/search", search.as_bytes(), 0o755);
}

fn about(host: &str, port: u16) -> String {
    let mut text = "About the burrow\n\n".to_owned();
    for line in 0..60 {
        writeln!(text, "Line {line} of a text that is longer than any screen here.").unwrap();
    }
    writeln!(text, "See <URL:gopher://{host}:{port}/1/files> for more.").unwrap();
    text
}

fn huge() -> String {
    let mut menu = String::new();
    for i in 0..ITEMS {
        writeln!(menu, "0Item {i:05} of the big menu\t/text/about.txt").unwrap();
    }
    menu
}
