//! Pages on standard output, without a terminal.

use super::content;
use super::servers::{Server, gophernicus, pygopherd};
use crate::packages;
use crate::printed::{complaint, printed, text};

#[test]
#[ignore = "needs the servers of tests/real/run"]
fn on_gophernicus() {
    pages(&gophernicus(&packages()));
}

#[test]
#[ignore = "needs the servers of tests/real/run"]
fn on_pygopherd() {
    let packages = packages();
    let server = pygopherd(&packages);
    pages(&server);
    let missing = server.url("0/text/none.txt");
    assert!(complaint(&["--dump", &missing]).contains("does not exist"));
    let secure = server.tls_url("0/text/dots.txt");
    assert_eq!(text(&["--dump", &secure]), "before\n.\nafter one dot\n.leading dot\nend\n");
    assert!(text(&["--head", &secure]).contains("certificate: "));
    let attributes = server.url("0/plus/paper.txt%09%09!");
    assert!(text(&["--dump", &attributes]).contains("\nAbstract\nWhat the paper says,\nin two lines.\n"));
}

fn pages(server: &Server) {
    let root = text(&["--dump", &server.url("")]);
    // Which items are of Gopher+ depends on the server.
    let plain = root.replace(" +\n", "\n");
    assert!(plain.starts_with("      Welcome to the burrow\n\n(TXT) A text\n(TXT) Latin letters\n"), "{root}");
    let links = text(&["--links", &server.url("")]);
    let expected = ["0/text/about.txt", "0/text/latin1.txt", "0/text/dots.txt", "0/text/escapes.txt", "1/huge"];
    assert_eq!(links.lines().take(5).collect::<Vec<_>>(), expected.map(|path| server.url(path)));
    let both = text(&["--dump", "--links", &server.url("")]);
    let (text_of_both, list) = both.split_once("\n\n[1] ").expect("a list behind the text");
    let number = |at: usize| format!("[{at}]");
    let bare = (1..=links.lines().count()).fold(text_of_both.to_owned(), |text, at| text.replacen(&number(at), "", 1));
    assert_eq!(bare, root.trim_end());
    let list =
        (2..).zip(list.lines().skip(1)).map(|(at, line)| line.strip_prefix(&format!("{} ", number(at))).unwrap());
    assert_eq!(list.collect::<Vec<_>>(), links.lines().skip(1).collect::<Vec<_>>());

    assert_eq!(text(&["--dump", &server.url("0/text/dots.txt")]), "before\n.\nafter one dot\n.leading dot\nend\n");
    assert_eq!(text(&["--dump", &server.url("0/text/latin1.txt")]), "Latin-1: café, naïve\n");
    let escapes = text(&["--dump", &server.url("0/text/escapes.txt")]);
    assert!(escapes.starts_with("evil red") && !escapes.trim_end().contains(char::is_control), "{escapes:?}");
    let words = text(&["--dump", &server.url("7/cgi-bin/search%09two%20words")]);
    assert!(words.replace(" +\n", "\n").contains("You searched for: two words\n(TXT) A find\n"), "{words}");

    let huge = text(&["--dump", &server.url("1/huge")]);
    assert_eq!(huge.lines().filter(|line| line.starts_with("(TXT) Item ")).count(), content::ITEMS);
    assert!(printed(&["--source", &server.url("9/bin/data.bin")]) == content::binary(), "byte for byte");
    let head = text(&["--head", &server.url("9/bin/data.bin")]);
    assert!(head.contains("media: application/octet-stream\n") && head.contains("filename: data.bin\n"), "{head}");

    assert!(complaint(&["--dump", &server.url("9/bin/data.bin")]).contains("cannot be shown as text"));
    assert!(
        complaint(&["--dump", &server.url("7/cgi-bin/search")]).contains("asks for words; give them as in gopher://")
    );
    let closed = format!("gopher://127.0.0.2:{}/", server.address.port());
    assert!(complaint(&["--dump", &closed]).contains("refused the connection"));
}
