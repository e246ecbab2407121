//! A book that somebody else made: an EPUB of a package, read as the space that it is.

use super::servers::unpacked;
use super::{follow, packages, quit};
use crate::terminal::{Terminal, piped};

const BOOK: &str = "debian-policy/usr/share/doc/debian-policy/policy.epub";

#[test]
#[ignore = "needs the servers of tests/real/run"]
fn a_book_of_a_package_is_a_space_whose_links_stay_inside() {
    let book = unpacked(&packages(), BOOK).display().to_string();
    let mut screen = Terminal::start(&[&book]);
    screen.see("Table of Contents").see("▸Debian Policy Manual").see("policy.epub");
    follow(&mut screen, "The Debian Archive");
    screen.see("ch-archive.xhtml").see("The Debian system is maintained and distributed");
    // A fragment of another chapter, and back.
    screen.keys("h").see("Table of Contents");
    follow(&mut screen, "Related documents");
    screen.see("ch-scope.xhtml").see("#related-documents").see("1.4. Related documents");
    screen.keys("=").see("Anatomy").see("retrieval  archive://").keys("\x1b").see_no("Anatomy");
    screen.keys("h").see("Table of Contents").keys("U").see("/debian-policy/").focused("policy.epub");
    quit(&mut screen);

    // Every chapter that its first page names is there.
    let home = tempfile::tempdir().unwrap();
    let links = piped(home.path()).args(["--links", &book]).output().unwrap();
    let links = String::from_utf8(links.stdout).unwrap();
    let mut chapters: Vec<&str> = links.lines().map(|url| url.split('#').next().unwrap()).collect();
    chapters.dedup();
    assert!(chapters.len() > 15, "{links}");
    for chapter in chapters {
        assert!(chapter.starts_with("archive:"), "{chapter}");
        let page = piped(home.path()).args(["--dump", chapter]).output().unwrap();
        assert!(page.status.success() && page.stdout.len() > 200, "{chapter}: {page:?}");
    }
}
