//! Reading pages without what stands around their content.

use super::journey::{Journey, lines};
use wayfarer::app::{Effect, Kept, Remembered, SiteChoice};
use wayfarer::format::media;

fn at(url: &str, body: &str) -> Journey {
    Journey::new().open(url).answer(media::HTML, body.as_bytes()).quiet()
}

/// The line at the top of the screen.
fn first(j: &Journey) -> String {
    let entry = j.app.entry().unwrap();
    entry.document().unwrap().block_text(entry.top.block).to_owned()
}

fn links(from: usize, to: usize) -> String {
    (from..=to).map(|n| format!("<li><a href=/{n}>Place {n}</a>")).collect()
}

fn filler() -> String {
    format!("<pre>{}</pre>", String::from_utf8_lossy(&lines(60)))
}

/// A page of a site, with everything around its content.
fn page() -> String {
    format!(
        "<header><p>The site <a href=/>home</a></header><nav><ul>{}</ul></nav>\
         <main><article><header><h1>The matter</h1> by <a href=/who>somebody</a></header><p>The content.{}\
         <aside>beside it, with no link</aside></article></main>\
         <aside><h2>See also</h2><a href=/x>elsewhere</a></aside><footer><a href=/law>imprint</a> of the site</footer>",
        links(1, 40),
        filler()
    )
}

fn reader(on: bool) -> Effect {
    Effect::Keep(Kept::Site { host: "h".into(), choice: SiteChoice::Reader(on) })
}

#[test]
fn a_key_leads_past_the_navigation_to_the_content() {
    let j = at("http://h/", &page()).look(|j| assert!(first(j).starts_with("The site"))).keys("M");
    assert_eq!(first(&j), "The matter");
    let link = j.app.entry().unwrap().focus.unwrap();
    assert_eq!(j.app.entry().unwrap().document().unwrap().link_text(link), "somebody");
    let role =
        format!("<ul>{}</ul><div role=\"presentation\"><div role=MAIN>Here it is{}</div>", links(1, 40), filler());
    assert_eq!(first(&at("http://h/", &role).run("content")), "Here it is");
    let teaser = format!("<article>A teaser</article><ul>{}</ul><main>The main part{}</main>", links(1, 40), filler());
    assert_eq!(first(&at("http://h/", &teaser).keys("M")), "The main part");
}

#[test]
fn a_page_that_marks_nothing_is_read_from_the_heading_below_its_links() {
    let old = format!("<h1>Site</h1><p><b>Menu</b><ul>{}</ul><h2>The matter</h2><p>Words.{}", links(1, 40), filler());
    assert_eq!(first(&at("http://h/", &old).keys("M")), "The matter");
    // a heading with text below it comes before lists of links within that
    let prose = "words and ".repeat(20);
    let head = format!("<p>x{}<h1>The matter</h1><p>{prose}<ul>{}</ul><h2>Notes</h2>{0}", filler(), links(1, 9));
    assert_eq!(first(&at("http://h/", &head).keys("M")), "The matter");
    at("http://h/", "<p>A word.").keys("M").notes("nothing on this page says where its content begins");
}

#[test]
fn keys_lead_from_heading_to_heading() {
    let part = |n: usize| format!("<h{n}>Heading {n}</h{n}>{}", filler());
    let page = format!("<p>Before{}{}{}{}", filler(), part(1), part(2), part(3));
    let mut j = at("http://h/", &page);
    for n in 1..=3 {
        j = j.keys(".");
        assert_eq!(first(&j), format!("Heading {n}"));
    }
    j = j.keys("End").keys(".").notes("no heading below").keys(",");
    assert_eq!(first(&j), "Heading 3");
    j = j.keys(",").keys(",");
    assert_eq!(first(&j), "Heading 1");
    let j = j.keys(",").notes("no heading above");
    assert_eq!(first(&j), "Heading 1");
    at("http://h/", "<p>x").keys(".").notes("no headings here");
    let gemtext = format!("{0}## A place\n{0}", String::from_utf8_lossy(&lines(60)));
    let j = Journey::new().open("http://h/").answer("text/gemini", gemtext.as_bytes()).quiet();
    assert_eq!(first(&j.keys(".")), "A place");
}

#[test]
fn reader_view_folds_what_stands_around_the_content() {
    let whole = at("http://h/", &page());
    let before = whole.app.entry().unwrap().document().unwrap().text().to_owned();
    let j = whole.keys("V").expect(reader(true)).quiet();
    let text = j.app.entry().unwrap().document().unwrap().text().to_owned();
    assert!(text.starts_with("header (1 line: Enter)navigation (40 lines: Enter)"), "{text}");
    assert!(text.contains("The matter") && text.contains("somebody") && text.contains("beside it, with no link"));
    assert!(text.contains("aside (") && text.contains("footer (1 line: Enter)"));
    for gone in ["Place 7", "The site", "See also", "imprint"] {
        assert!(!text.contains(gone), "{gone}");
    }
    // one is opened by its line, and found through it
    let j = j.keys("Tab Enter").quiet().shows("Place 7");
    let j = j.keys("/").text("imprint").keys("Enter").shows("imprint");
    let j = j.keys("V").expect(reader(false)).quiet();
    assert_eq!(j.app.entry().unwrap().document().unwrap().text(), before);
    // open, it is no fold: its first link leads where it says
    j.keys("Home Enter").expect_fetch("http://h/").quiet();
}

#[test]
fn reader_view_holds_for_all_pages_of_its_host_and_for_the_next_run() {
    let j = at("http://h/", &page()).keys("V").expect(reader(true));
    let j = j.open("http://h/2").answer(media::HTML, page().as_bytes()).shows("navigation (40 lines");
    let j = j.open("http://other/").answer(media::HTML, page().as_bytes()).shows("Place 7");
    let j = j.run("forget host h").keys("y").open("http://h/3").answer(media::HTML, page().as_bytes());
    j.shows("Place 7");
    let mut j = Journey::new();
    j.remember(Remembered { reader: ["h".to_owned()].into(), ..Remembered::default() });
    let j = j.open("http://h/").answer(media::HTML, page().as_bytes()).shows("navigation (40 lines");
    j.keys("*").shows("Place 7");
}

#[test]
fn a_form_that_searches_the_site_stands_around_the_content_and_one_within_it_does_not() {
    let form = |words: &str| format!("<p>{words} <input name=q value=pear>");
    for site in ["<form role=search>", "<div role=Search><form>", "<search><form>"] {
        let page = format!(
            "{site}{}</form></div></search><main>The content<form role=search>{}</form>{}</main>",
            form("Site"),
            form("Results"),
            filler()
        );
        let j = at("http://h/", &page).shows("Site").keys("V").expect(reader(true)).shows("search (");
        let j = j.shows("Results").look(|j| assert!(!j.page().contains("Site"), "{site}: {}", j.page()));
        j.keys("Home Enter").free().shows("Site");
    }
}

#[test]
fn a_page_that_marks_nothing_has_no_reader_view() {
    at("http://h/", "<p>words").keys("V").notes("this page does not say what of it is navigation").quiet();
    at("http://h/", "<nav>words</nav>").keys("V").notes("this page does not say").quiet();
}

/// The first field of a form is the head of its fold: what is typed goes into the field all the same.
#[test]
fn a_field_in_the_navigation_keeps_what_was_typed() {
    let page =
        format!("<nav><form><input name=q value=pear></form>{}</nav><main>The content{}</main>", links(1, 3), filler());
    let j = at("http://h/", &page).keys("V").expect(reader(true)).shows("navigation (").look(|j| {
        assert!(!j.page().contains("pear"));
    });
    j.keys("V").expect(reader(false)).quiet().shows("pear");
}
