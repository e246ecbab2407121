//! Pages on standard output.

use super::content;
use super::servers::nginx;
use crate::packages;
use crate::printed::{complaint, printed, run, text};

#[test]
#[ignore = "needs the servers of tests/real/run"]
fn pages() {
    let packages = packages();
    let server = nginx(&packages);
    let start = text(&["--dump", &server.url("")]);
    assert!(start.starts_with("Wayfarer test site\n") && start.contains("A text, a table, a form,"), "{start}");
    let links = text(&["--links", &server.url("")]);
    let paths = ["plain.txt", "table/", "form.html", "long.html#line90", "r/302", "none.html"];
    assert_eq!(links.lines().collect::<Vec<_>>(), paths.map(|path| server.url(path)));
    let head = text(&["--head", &server.url("")]);
    assert!(head.contains("HTTP/1.1 200 OK\n") && head.contains("media: text/html\n"), "{head}");
    assert!(printed(&["--source", &server.url("slow/data.bin")]) == content::binary(), "byte for byte");
    let table = text(&["--dump", &server.url("table/")]);
    let row = table.lines().find(|line| line.contains("South")).unwrap();
    assert!(row.contains("Mill") && row.contains("140"), "{table}");

    assert_eq!(text(&["--dump", &server.url("gz/")]), "This came packed.\n");
    assert_eq!(text(&["--dump", &server.url("chunked/")]), "This came in pieces.(none)\n");
    let head = text(&["--head", &server.url("chunked/")]);
    assert!(head.contains("transfer-encoding: chunked\n"), "{head}");
}

#[test]
#[ignore = "needs the servers of tests/real/run"]
fn charsets() {
    let packages = packages();
    let server = nginx(&packages);
    let said = [("koi8", "Привет\n"), ("lie", "Café\n"), ("sjis", "日本語\n"), ("latin1", "Café crème\n")];
    for (name, words) in said {
        assert_eq!(text(&["--dump", &server.url(&format!("charset/{name}.html"))]), words, "{name}");
    }
}

#[test]
#[ignore = "needs the servers of tests/real/run"]
fn redirects() {
    let packages = packages();
    let server = nginx(&packages);
    for code in [301, 302, 303] {
        let page = text(&["--dump", &server.url(&format!("r/{code}"))]);
        assert!(page.starts_with("Wayfarer test site\n"), "{code}: {page}");
    }
    for code in [307, 308] {
        assert!(text(&["--dump", &server.url(&format!("r/{code}"))]).starts_with("GET /echo\n"), "{code}");
    }
    let head = text(&["--head", &server.url("r/302")]);
    assert!(head.starts_with(&format!("url: {}\n", server.url("index.html?from=302"))), "{head}");
    assert_eq!(text(&["--dump", &server.url("r/chain/1")]), "A plain text.\n");
    assert!(complaint(&["--dump", &server.url("r/loop")]).contains("without end"));
    for (page, target) in [("r/gopher", "gopher://127.0.0.1"), ("r/file", "file:///etc/hostname")] {
        let refused = complaint(&["--dump", &server.url(page)]);
        assert!(refused.contains(&format!("leads to {target}")), "{refused}");
    }
    let hostname = std::fs::read_to_string("/etc/hostname").unwrap_or_default();
    let asked = run(&["--source", &server.url("r/file")]);
    assert!(asked.stdout.is_empty() && asked.status.code() == Some(1), "not {hostname:?}");
}

#[test]
#[ignore = "needs the servers of tests/real/run"]
fn errors() {
    let packages = packages();
    let server = nginx(&packages);
    for (page, code, words) in [("none.html", "404", "404 Not Found"), ("status/503", "503", "busy")] {
        let output = run(&["--dump", &server.url(page)]);
        let (shown, said) = (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap());
        assert_eq!(output.status.code(), Some(1), "{said}");
        assert!(shown.contains(words) && said.contains(code) && said.lines().count() == 1, "{shown}{said}");
    }
}

#[test]
#[ignore = "needs the servers of tests/real/run"]
fn logins() {
    let packages = packages();
    let server = nginx(&packages);
    let page = server.url("auth/secret.html");
    let login = |login: &str| page.replace("//", &format!("//{login}@"));
    assert!(complaint(&["--dump", &page]).contains("\"Wayfarer realm\""));
    let wrong = complaint(&["--dump", &login("wayfarer:wrong")]);
    assert!(wrong.contains("does not accept") && !wrong.contains("wrong@"), "{wrong}");
    assert!(text(&["--dump", &login("wayfarer:secret")]).starts_with("You are in."));
}
