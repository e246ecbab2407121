//! Menus: what the golden pairs do not show.

use super::{input, parse, parse_in};
use wayfarer::doc::{BlockKind, Builder, Document, LinkId};
use wayfarer::format::{media, parser};

const HOME: &str = "gopher://home.example/1";

fn lines(document: &Document) -> Vec<&str> {
    (0..document.blocks().len()).map(|block| document.block_text(u32::try_from(block).unwrap())).collect()
}

#[test]
fn items_appear_with_their_line() {
    let mut out = Builder::new();
    let mut menu = parser(&input(media::MENU, HOME)).unwrap();
    menu.feed(b"1One\t/1\th\t70\r\n0Caf\xC3\xA9\t/2\th\t70\r\n0Three\t", &mut out);
    assert_eq!(out.document().link_count(), 2);
    assert_eq!(out.document().link_text(LinkId(1)), "Café");
}

#[test]
fn forms_and_items_with_attributes_are_seen_as_such() {
    let page = b"0Plain\t/p\th\t70\r\n0More\t/m\th\t70\t+\r\n1Form\t/f\th\t70\t?\r\n";
    let document = parse(&input(media::MENU, HOME), page);
    let markers: Vec<_> = document.blocks().iter().map(|block| block.marker.word()).collect();
    assert_eq!((markers, lines(&document)), (vec!["TXT", "TXT", "FRM"], vec!["Plain", "More +", "Form"]));
    assert_eq!(document.link_text(LinkId(1)), "More");
}

#[test]
fn a_menu_that_is_cut_in_the_middle_of_an_address_leads_nowhere_there() {
    let page =
        |end: &str| parse(&input(media::MENU, HOME), format!("0Whole\t/x\th\t70\r\n1Torn\t/y\t127.0{end}").as_bytes());
    let torn = page("");
    assert_eq!(torn.link_count(), 1);
    assert!(torn.text().ends_with("Torn (cut short: its address did not come)"), "{}", torn.text());
    for whole in ["\r\n", ".0.1\t70", "\r"] {
        assert_eq!(page(whole).link_count(), 2, "{whole:?}");
    }
}

#[test]
fn lines_may_end_with_cr_alone() {
    let page = b"iWords\t\tx\t1\r0One\t/1\th\t70\r1Two\t/2\th\t70\r.\r";
    for size in [1, 7, 4096] {
        let document = parse_in(&input(media::MENU, HOME), page, size);
        assert_eq!((document.link_count(), lines(&document)), (2, vec!["Words", "One", "Two"]));
    }
}

#[test]
fn titles() {
    let title = |page: &[u8]| parse(&input(media::MENU, HOME), page).guessed_title;
    assert_eq!(title(b"i\t\tx\t1\ni*** The  Archive ***\t\tx\t1\n"), Some("The  Archive".into()));
    assert_eq!(title(b"i/\\/\\/\\_o_/\\\t\tx\t1\n0Item\t/\th\t70\niLate words\t\tx\t1\n"), None);
    let said = parse(&input(media::MENU, HOME), b"iReal\tTITLE\tx\t1\n");
    assert_eq!((said.title.as_deref(), said.guessed_title), (Some("Real"), None));
}

#[test]
fn a_menu_saved_in_a_file_keeps_its_hosts() {
    let document = parse(&input(media::MENU, "file:///tmp/menu"), b"1A\t/a\th.example\t70\n1B\t/b\n");
    assert_eq!(document.reference(LinkId(0)), Some("gopher://h.example/1/a"));
    assert_eq!(document.reference(LinkId(1)), Some("gopher:///1/b"));
}

#[test]
fn one_line_without_end_stays_bounded() {
    let mut page = b"iTitle\t\tx\t1\n".to_vec();
    page.extend(std::iter::repeat_n(b'x', 300_000));
    let document = parse_in(&input(media::MENU, HOME), &page, 4096);
    assert_eq!(document, parse_in(&input(media::MENU, HOME), &page, 65_537));
    assert_eq!(document.blocks().len(), 1 + 5);
    assert_eq!(document.text().len(), "Title".len() + 300_000);
}

#[test]
fn many_items() {
    let page: String = (0..20_000).map(|n| format!("0Item {n}\t/item/{n}\thome.example\t70\r\n")).collect();
    let document = parse_in(&input(media::MENU, HOME), page.as_bytes(), 8192);
    assert_eq!(document.link_count(), 20_000);
    assert_eq!(document.reference(LinkId(19_999)), Some("gopher://home.example/0/item/19999"));
    assert!(document.blocks().iter().all(|block| block.kind == BlockKind::Entry));
}

/// An address of gopher space in place of a selector was `(HTM)`.
#[test]
fn an_address_in_place_of_a_selector_is_marked_as_what_it_leads_to() {
    let page = b"hSearch\tURL:gopher://h/7/find%09base\tx\t70\nhMenu\tURL:gopher://h/\tx\t70\nhText\t/URL:gophers://h/0/a\tx\t70\n\
        hPage\tURL:gopher://h/hpage\tx\t70\nhWeb\tURL:http://h/\tx\t70\nhHere\t/page.html\tx\t70\nhInfo\tURL:gopher://h/ix\tx\t70\n\
        hMail\tURL:mailto:a@h\tx\t70\n";
    let document = parse(&input(media::MENU, HOME), page);
    let markers: Vec<_> = document.blocks().iter().map(|block| block.marker.word()).collect();
    assert_eq!(markers, ["ASK", "DIR", "TXT", "HTM", "URL", "HTM", "URL", "URL"]);
}

#[test]
fn addresses_in_info_lines_are_links() {
    let page =
        b"iHome: <URL:http://a.example/x y>, www.b.example.\t\tx\t1\n1Menu\t/m\thome.example\t70\ni a: b @ c\t\tx\t1\n";
    let document = parse(&input(media::MENU, HOME), page);
    let references: Vec<_> = (0..document.link_count()).map(|id| document.reference(LinkId(id)).unwrap()).collect();
    assert_eq!(references, ["http://a.example/xy", "http://www.b.example/", "gopher://home.example/1/m"]);
    assert_eq!(document.link_text(LinkId(1)), "www.b.example");
    assert!(document.text().starts_with("Home: <URL:http://a.example/x y>, www.b.example."));
}
