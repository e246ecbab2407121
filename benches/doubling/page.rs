//! What is done with every page: read in pieces, set at a width, searched, asked for what its links and fields are.

use super::{Row, Work, row, text};
use std::hint::black_box;
use wayfarer::doc::{Anchor, Builder, Document, Layout, LinkId, Marks, Search, Wrap};
use wayfarer::format::html::{initial, references, standing};
use wayfarer::format::{Arrange, Input, Learnt, Order, PageRows, Wishes, parser};
use wayfarer::stop::Stop;
use wayfarer::url::{BaseStack, Url};

/// As much as comes at once.
const PIECE: usize = 4096;
/// Lines of a screen.
const SCREEN: usize = 40;

/// A page whose pieces are these: its name, its octets, what stands before, again and again, and behind as often.
pub type Shape = (&'static str, usize, &'static str, &'static str, &'static str);

/// Rows for pages of a media type.
pub fn rows(kind: &str, media: &'static str, shapes: &'static [Shape]) -> Vec<Row> {
    let one = |&(name, octets, before, piece, after): &Shape| {
        row(format!("{kind}: {name}"), octets, move |octets| {
            read(media, text(octets, before, piece, after).into_bytes())
        })
    };
    shapes.iter().map(one).collect()
}

/// All that a page of these octets undergoes.
pub fn read(media: &'static str, octets: Vec<u8>) -> Work {
    Box::new(move || {
        if let Some((document, rows)) = parsed(media, &octets) {
            shown(&document);
            arranged(document, rows);
        }
    })
}

/// The reading of the references in the source of a page of these octets.
pub fn referred(media: &'static str, octets: Vec<u8>) -> Work {
    Box::new(move || {
        let Ok(url) = Url::parse("http://home.example/1") else { return };
        let input = Input { media: media.into(), charset: None, url, groups: Default::default(), notices: Vec::new() };
        black_box(references(&input, &octets));
    })
}

fn parsed(media: &str, octets: &[u8]) -> Option<(Document, Option<PageRows>)> {
    let url = Url::parse("http://home.example/1").ok()?;
    let mut parser =
        parser(&Input { media: media.into(), charset: None, url, groups: Default::default(), notices: Vec::new() })?;
    let mut out = Builder::new();
    octets.chunks(PIECE).for_each(|piece| parser.feed(piece, &mut out));
    parser.finish(&mut out);
    Some((out.finish(), parser.rows()))
}

/// The first screen, all lines, the last screen; words that are not there; links and fields.
fn shown(document: &Document) {
    let layout = Layout { width: 80, measure: None, wrap: Wrap::On, marks: Marks::Words };
    black_box(layout.lines(document, Anchor::default(), SCREEN));
    black_box(layout.widest(document, Anchor::default(), usize::MAX));
    let bottom = layout.bottom(document, SCREEN);
    black_box(layout.lines(document, bottom, SCREEN));
    black_box(layout.percent(document, bottom, SCREEN));
    for words in ["nowhere", "Zx"] {
        black_box(Search::new(words).and_then(|search| search.next(document, 0)));
    }
    let bases = BaseStack::retrieved(Url::parse("http://home.example/1").expect("a URL"), None);
    for link in (0..document.link_count()).map(LinkId) {
        black_box(document.link(link, &bases));
    }
    black_box(document.link_count().checked_sub(1).and_then(|last| document.field_of(LinkId(last))));
    for field in &document.fields {
        black_box(standing(&field.kind, &initial(&field.kind)));
    }
}

/// In every order, and with a filter.
fn arranged(document: Document, rows: Option<PageRows>) {
    let orders = rows.as_ref().map_or(&[][..], PageRows::orders);
    let given = std::sync::Arc::new(document);
    for (order, filter) in std::iter::once((Order::Given, "x")).chain(orders.iter().map(|order| (*order, ""))) {
        let wishes = Wishes { order, filter: filter.into(), ..Wishes::default() };
        let (given, rows) = (given.clone(), rows.clone());
        let arrange = Arrange {
            given,
            rows,
            wishes,
            toggled: [].into(),
            below: Vec::new(),
            key: "x".into(),
            learnt: Learnt::Nothing,
        };
        black_box(arrange.run(&Stop::new()));
    }
}
