//! Directories and files on standard output.

use super::content;
use super::servers::{Server, proftpd, pyftpdlib, vsftpd};
use crate::packages;
use crate::printed::{complaint, printed, run, text};

#[test]
#[ignore = "needs the servers of tests/real/run"]
fn on_vsftpd() {
    let packages = packages();
    let server = vsftpd(&packages);
    pages(&server);
    let head = text(&["--head", &server.url("pub/")]);
    for line in ["220-Wayfarer test archive ready", "250-You are in pub.", "> LIST"] {
        assert!(head.lines().any(|l| l == line), "{line}: {head}");
    }
    let links = text(&["--dump", &server.url("pub/links/")]);
    assert!(links.contains("\n  to-file → ../README "), "{links}");
}

#[test]
#[ignore = "needs the servers of tests/real/run"]
fn on_proftpd() {
    let packages = packages();
    let server = proftpd(&packages);
    pages(&server);
    let head = text(&["--head", &server.url("pub/")]);
    for line in ["230-Welcome, archive user!", "250-You are in pub.", "> MLSD"] {
        assert!(head.lines().any(|l| l == line), "{line}: {head}");
    }
}

#[test]
#[ignore = "needs the servers of tests/real/run"]
fn on_pyftpdlib_listing_as_dos() {
    let packages = packages();
    pages(&pyftpdlib(&packages));
}

fn pages(server: &Server) {
    let big = text(&["--dump", &server.url("pub/big/")]);
    let file = |line: &&str| line.starts_with("  file-") && line.contains(".txt ");
    assert_eq!(big.lines().filter(file).count(), content::FILES);
    let (name, octets) = ("file-00007.txt", content::big_text(7).len());
    let row = big.lines().find(|line| line.contains(name)).unwrap();
    // In 2024 there was a 29th of February, so that the 25th of December is seven days before 2025.
    assert!(row.contains(&format!(" {octets} B")) && row.contains("2024-12-25"), "{row}");
    let links = text(&["--links", &server.url("pub/big/")]);
    assert!(links.lines().any(|link| link == server.url("pub/big/file-09999.txt")));

    let names = text(&["--links", &server.url("pub/names/")]);
    let files: Vec<&str> = names.lines().skip(1).filter(|url| !url.ends_with('/')).collect();
    assert_eq!(files.len(), content::ODD_NAMES.len(), "{names}");
    let read: Vec<Vec<u8>> = files.iter().map(|url| run(&["--dump", url]).stdout).collect();
    for (number, (name, _)) in content::ODD_NAMES.iter().enumerate() {
        let came = read.iter().any(|text| text == content::odd_text(number).as_bytes());
        assert_eq!(came, server.has(name), "{name:?} of\n{names}");
    }
    let shown = text(&["--dump", &server.url("pub/names/")]);
    assert!(!shown.contains('\u{1b}'), "{shown:?}");

    assert_eq!(text(&["--dump", &server.url("pub/text/latin1.txt")]), "Latin-1: café, naïve\n");
    assert!(printed(&["--source", &server.url("pub/bin/data.bin")]) == content::binary(), "byte for byte");
    let head = text(&["--head", &server.url("pub/bin/data.bin")]);
    assert!(
        head.contains(&format!("length: {}\n", content::BINARY)) && head.contains("filename: data.bin\n"),
        "{head}"
    );
    assert!(complaint(&["--dump", &server.url("pub/bin/data.bin")]).contains("cannot be shown as text"));
    assert!(complaint(&["--dump", &server.url("pub/none.txt")]).contains("has no \"none.txt\""));
}
