//! Whole pages as the reader sees them: `tests/data/pages/NAME.html` is shown as `NAME.80` and `NAME.40`, at 80 and 40
//! columns. `BLESS=1` writes the expectations anew; look at the difference, beside other browsers, before you keep it.

use super::{input, parse};
use std::path::Path;
use wayfarer::doc::{Anchor, Document, Layout, LinkId, Marks, Wrap};

fn shown(document: &Document, width: u16) -> String {
    let layout = Layout { width, measure: None, wrap: Wrap::On, marks: Marks::Words };
    let mut page = document.title.as_ref().map(|title| format!("{title}\n\n")).unwrap_or_default();
    for line in layout.lines(document, Anchor::default(), 10_000) {
        let text: String = line.segments.iter().map(|segment| segment.text.as_ref()).collect();
        page += &format!("{}\n", text.replace('\u{a0}', " ").trim_end());
    }
    page
}

#[test]
fn pages_read_well() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/pages");
    let mut read = 0;
    for file in std::fs::read_dir(&folder).unwrap() {
        let path = file.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "html") {
            continue;
        }
        let octets = std::fs::read(&path).unwrap();
        let document = parse(&input("text/html", "http://home.example/folder/page.html"), &octets);
        // what is shown is also what can be followed
        let links: String = (0..document.link_count())
            .filter_map(|link| document.reference(LinkId(link)))
            .filter(|reference| !reference.is_empty())
            .map(|reference| format!("{reference}\n"))
            .collect();
        for (width, links) in [(80, format!("\n{links}")), (40, String::new())] {
            let got = shown(&document, width) + &links;
            let expected = path.with_extension(width.to_string());
            if std::env::var_os("BLESS").is_some() {
                std::fs::write(&expected, &got).unwrap();
            }
            let wanted = std::fs::read_to_string(&expected);
            let wanted = wanted.unwrap_or_else(|_| panic!("{} is missing", expected.display()));
            assert_eq!(got, wanted, "{} at {width}", path.display());
        }
        read += 1;
    }
    assert!(read >= 40, "only {read} pages were found");
}
