//! Groups and articles on standard output.

use super::content::{ARTICLES, id};
use super::servers::inn;
use crate::packages;
use crate::printed::{complaint, printed, run, text};

/// An article's address: its id without the angle brackets.
fn bare(number: usize) -> String {
    id(number).trim_matches(['<', '>']).to_owned()
}

#[test]
#[ignore = "needs the servers of tests/real/run"]
fn groups() {
    let packages = packages();
    let server = inn(&packages);
    let all = text(&["--dump", "--width", "100", &server.url("*")]);
    let names: Vec<&str> = all.lines().filter_map(|line| line.split_whitespace().next()).collect();
    // Whoever has no password does not even see that there is one more.
    assert_eq!(names, ["┄", "wf.links", "wf.mime", "wf.test"], "{all}");
    assert!(all.starts_with("┄ Welcome to the Wayfarer test news server.\n"), "{all}");
    assert!(all.contains("Tests of reading news.") && all.contains("dress. café"), "{all}");
    assert_eq!(
        text(&["--links", &server.url("wf.*e")]).lines().collect::<Vec<_>>(),
        [server.url("wf.mime")],
        "a pattern is the server's to match"
    );
    let head = text(&["--head", &server.url("*")]);
    for line in ["101 Capability list:", "> LIST COUNTS"] {
        assert!(head.lines().any(|l| l == line), "{line}: {head}");
    }
    let source = text(&["--source", &server.url("*")]);
    assert!(source.lines().any(|line| line.starts_with("wf.test\t1\t")), "{source}");
}

#[test]
#[ignore = "needs the servers of tests/real/run"]
fn a_group() {
    let packages = packages();
    let server = inn(&packages);
    let group = text(&["--dump", &server.url("wf.test")]);
    let first = group.lines().next().unwrap();
    assert!(first.starts_with("wf.test · 6") && first.ends_with(" articles"), "{first}");
    assert!(group.contains("René Café") && group.contains(" Thread 1992 "), "{group}");
    // A thread has its answers below it.
    let rows: Vec<&str> = group.lines().skip_while(|row| !row.contains(" Thread 1968 ")).take(8).collect();
    assert!(rows[1..].iter().all(|row| !row.contains("Thread")) && rows[3].contains("│ ├"), "{rows:?}");
    let links = text(&["--links", &server.url("wf.test")]);
    assert!(links.lines().any(|link| link == server.url(&bare(1992))), "{links}");

    let range = text(&["--dump", &server.url("wf.test/2-6")]);
    assert!(range.contains("wf.test · 5 of 6") && range.contains("Empty body"), "{range}");
    let head = text(&["--head", &server.url("wf.test/2-6")]);
    assert!(head.lines().any(|line| line == "> OVER 2-6"), "{head}");
    assert!(complaint(&["--dump", &server.url("wf.none")]).contains("has no group \"wf.none\""));
}

#[test]
#[ignore = "needs the servers of tests/real/run"]
fn articles() {
    let packages = packages();
    let server = inn(&packages);
    let last = text(&["--dump", &server.url(&bare(ARTICLES - 1))]);
    assert!(last.contains(&format!("This is article {}.", ARTICLES - 1)), "{last}");
    let number = format!("nntp://{}/wf.test/3", server.address);
    let (by_number, by_id) = (printed(&["--source", &number]), printed(&["--source", &server.url(&bare(20))]));
    let head =
        |article: &[u8]| article.windows(4).position(|four| four == b"\r\n\r\n").map(|at| article[..at].to_vec());
    assert!(head(&by_number).is_some() && head(&by_number) == head(&by_id), "one article by two addresses");
    let dots = String::from_utf8(printed(&["--source", &server.url(&bare(18))])).unwrap();
    assert!(dots.ends_with("\r\n\r\n.\r\n..\r\n.one dot\r\n...three\r\nend\r\n.\r\n"), "{dots:?}");
    let evil = text(&["--dump", &server.url(&bare(19))]);
    assert!(!evil.contains('\u{1b}') && evil.contains("text"), "{evil:?}");
    assert!(text(&["--dump", &server.url(&bare(9))]).contains("Café crème, à bientôt."), "quoted-printable");
    assert!(text(&["--dump", &server.url(&bare(12))]).contains("日本語"), "Shift_JIS");
    assert!(text(&["--dump", &server.url(&bare(8))]).contains("A line that goes on."), "format=flowed");

    let links = text(&["--links", &server.url(&bare(1))]);
    for url in [
        "ftp://127.0.0.1/pub/names/with%20space.txt",
        "gopher://127.0.0.1/1/types",
        "news:wf.3@news.example.invalid",
        "http://127.0.0.1/a/very/long/path/that/is/broken/over/two/lines.html",
    ] {
        assert!(links.lines().any(|link| link == url), "{url}: {links}");
    }
    let head = text(&["--head", &server.url(&bare(1))]);
    assert!(head.lines().any(|line| line == format!("> ARTICLE {}", id(1))), "{head}");
}

#[test]
#[ignore = "needs the servers of tests/real/run"]
fn what_is_missing_or_private() {
    let packages = packages();
    let server = inn(&packages);
    let missing = complaint(&["--dump", &server.url("none@news.example.invalid")]);
    assert!(missing.contains("430") && missing.contains("has expired or was never there"), "{missing}");
    let missing = complaint(&["--dump", &format!("nntp://{}/wf.test/99999", server.address)]);
    assert!(missing.contains("423") && missing.contains("no article number 99999"), "{missing}");

    assert!(complaint(&["--dump", &server.url("wf.private")]).contains("wants to know who you are"));
    let login = |login: &str| server.url("wf.private").replace("//", &format!("//{login}@"));
    let wrong = complaint(&["--dump", &login("wayfarer:wrong")]);
    assert!(wrong.contains("481") && !wrong.contains("wrong@"), "{wrong}");
    let private = text(&["--dump", &login("wayfarer:secret")]);
    assert!(private.contains("wf.private · 1 article\n") && private.contains("Between us"), "{private}");
    let head = String::from_utf8(run(&["--head", &login("wayfarer:secret")]).stdout).unwrap();
    assert!(head.contains("AUTHINFO USER") && !head.contains("secret"), "{head}");
}
