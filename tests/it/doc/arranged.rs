//! A document in another order: every shown block and link knows which one it was.

use std::collections::BTreeSet;
use wayfarer::doc::{Anchor, Arranged, BlockKind, Builder, Document, FoldKind, Folded, LinkId};
use wayfarer::role::Role;
use wayfarer::stop::Stop;

/// Lines `a` to `h`; `b` heads a fold of `c` to `f`, within which `d` heads one of `e`.
fn nested(outer: bool, inner: bool) -> Document {
    let mut out = Builder::new();
    let line = |out: &mut Builder, text: &str| {
        out.block(BlockKind::Line, Role::Text);
        out.link(text, Role::Link, text)
    };
    line(&mut out, "a");
    let b = line(&mut out, "b");
    out.begin_fold(FoldKind::Notice, b, outer);
    line(&mut out, "c");
    let d = line(&mut out, "d");
    out.begin_fold(FoldKind::Details, d, inner);
    line(&mut out, "e");
    out.anchor("e");
    out.end_fold();
    line(&mut out, "f");
    out.anchor("f");
    out.end_fold();
    line(&mut out, "g");
    out.document_mut().mirrors = vec![(LinkId(0), "x".into()), (LinkId(6), "y".into())];
    out.document_mut().attributed = vec![LinkId(0), LinkId(6)];
    out.finish()
}

fn shown(given: &Document, order: &[u32], toggled: &[u32]) -> Arranged {
    let folded = Folded::of(given, &toggled.iter().copied().collect::<BTreeSet<u32>>());
    Arranged::of(given, order, &folded, "Enter", &Stop::new()).expect("nobody gives it up")
}

fn lines(arranged: &Arranged) -> Vec<&str> {
    let document = arranged.document();
    (0..document.blocks().len() as u32).map(|block| document.block_text(block)).collect()
}

const ALL: [u32; 7] = [0, 1, 2, 3, 4, 5, 6];

#[test]
fn folds_nest() {
    let closed = nested(false, false);
    assert_eq!(lines(&shown(&closed, &ALL, &[])), ["a", "b (4 more lines: Enter)", "g"]);
    assert_eq!(lines(&shown(&closed, &ALL, &[0])), ["a", "b", "c", "d (1 more line: Enter)", "f", "g"]);
    assert_eq!(lines(&shown(&closed, &ALL, &[1])), ["a", "b (4 more lines: Enter)", "g"]);
    assert_eq!(lines(&shown(&closed, &ALL, &[0, 1])), ["a", "b", "c", "d", "e", "f", "g"]);
    assert!(Folded::of(&nested(true, true), &BTreeSet::new()).is_empty());
    assert_eq!(lines(&shown(&nested(true, true), &ALL, &[0])), ["a", "b (4 more lines: Enter)", "g"]);
}

#[test]
fn heads_that_count_what_is_under_them_are_not_counted_again() {
    let mut given = nested(true, false);
    given.folds[1].kind = FoldKind::Quote;
    assert_eq!(lines(&shown(&given, &ALL, &[])), ["a", "b", "c", "d (Enter)", "f", "g"]);
    given.folds[1].kind = FoldKind::Headers;
    assert_eq!(lines(&shown(&given, &ALL, &[])), ["a", "b", "c", "d (Enter)", "f", "g"]);
}

#[test]
fn the_way_back_is_known() {
    let given = nested(true, false);
    let arranged = shown(&given, &[6, 5, 4, 3, 2, 0], &[]);
    assert_eq!(lines(&arranged), ["g", "f", "d (1 more line: Enter)", "c", "a"]);
    assert_eq!(arranged.blocks(), [6, 5, 3, 2, 0]);
    let document = arranged.document();
    for link in (0..document.link_count()).map(LinkId) {
        let origin = arranged.given_link(link).unwrap();
        assert_eq!(arranged.shown_link(origin), Some(link));
        assert_eq!(document.reference(link), given.reference(origin));
        assert_eq!(document.link_text(link), given.link_text(origin));
        let (here, there) = (document.link_anchor(link).unwrap(), given.link_anchor(origin).unwrap());
        assert_eq!((arranged.given_anchor(here), arranged.shown_anchor(there)), (there, Some(here)));
    }
    assert_eq!(arranged.shown_link(LinkId(1)), None);
    assert_eq!(arranged.shown_anchor(Anchor { block: 4, offset: 0 }), None);
    assert_eq!(document.anchor("f"), Some(Anchor { block: 1, offset: 1 }));
    assert_eq!(document.anchor("e"), Some(Anchor { block: 2, offset: 0 }), "at the head of its fold");
    assert_eq!(document.mirrors, [(LinkId(0), "y".to_owned()), (LinkId(4), "x".to_owned())]);
    assert_eq!(document.attributed, [LinkId(0), LinkId(4)]);
}

#[test]
fn a_fold_that_would_hide_its_own_head_stays_open() {
    let mut given = nested(true, true);
    given.folds[0].head = LinkId(3);
    assert_eq!(lines(&shown(&given, &ALL, &[0])).len(), 7);
    given.folds[0].head = LinkId(99);
    assert_eq!(lines(&shown(&given, &ALL, &[0])).len(), 7);
    given.folds[1].end = u32::MAX;
    assert_eq!(lines(&shown(&given, &ALL, &[1])), ["a", "b", "c", "d (3 more lines: Enter)"]);
}

#[test]
fn other_text_in_the_place_of_a_link_moves_all_that_follows() {
    let mut out = Builder::new();
    out.block(BlockKind::Paragraph, Role::Text);
    out.text("before ");
    let field = out.link("[__]", Role::Field, "");
    out.text(" behind ");
    out.anchor("here");
    let link = out.link("link", Role::Link, "/a");
    out.block(BlockKind::Paragraph, Role::Text);
    let next = out.link("next", Role::Link, "/b");
    let mut document = out.finish();
    let shift = document.rewrite(field, "[müßig]").unwrap();
    assert_eq!(document.block_text(0), "before [müßig] behind link");
    assert_eq!([field, link, next].map(|link| document.link_text(link)), ["[müßig]", "link", "next"]);
    assert_eq!(document.block_text(1), "next");
    assert_eq!(document.anchor("here"), document.link_anchor(link));
    // a place behind it moves, one before it and one in another block stay
    let at = |block, offset| Anchor { block, offset };
    assert_eq!(shift.of(at(0, 11)), at(0, 16));
    assert_eq!([at(0, 3), at(1, 11)].map(|place| shift.of(place)), [at(0, 3), at(1, 11)]);
    assert_eq!(document.rewrite(field, "[müßig]"), None);
    assert_eq!(document.rewrite(LinkId(9), "x"), None);
    document.rewrite(field, "[]").unwrap();
    assert_eq!(document.block_text(0), "before [] behind link");
    assert_eq!(document.link_text(next), "next");
}
