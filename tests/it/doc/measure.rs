//! The measure of prose, and lines that go on under their text.

use super::{document, layout, menu, screen};
use wayfarer::doc::{BlockKind, Document, Layout, Marker, Wrap};

fn measured(width: u16, measure: u16, document: &Document) -> Vec<String> {
    screen(Layout { measure: Some(measure), ..layout(width) }, document)
}

fn widest(lines: &[String]) -> usize {
    lines.iter().map(|line| line.trim_end().chars().count()).max().unwrap()
}

const PROSE: &str = "A line that its author did not end goes on and on, for whoever wrote it left that to the reader's own \
                     program, which sets it as wide as an eye can follow.";

#[test]
fn what_flows_is_set_by_the_measure_and_what_is_set_by_hand_by_the_page() {
    for kind in [BlockKind::Paragraph, BlockKind::Heading(1), BlockKind::Item(3), BlockKind::Line] {
        let lines = measured(100, 40, &document(kind, &[PROSE]));
        assert!((30..=40).contains(&widest(&lines)), "{kind:?}: {lines:#?}");
    }
    for by_hand in [document(BlockKind::Preformatted, &[PROSE]), menu(&[(Marker::Blank, PROSE)])] {
        let lines = measured(100, 40, &by_hand);
        assert!(widest(&lines) > 80, "{lines:#?}");
    }
    assert!(widest(&measured(100, 40, &menu(&[(Marker::Bullet, PROSE)]))) <= 40);
    assert_eq!(measured(100, 40, &document(BlockKind::Rule, &[""])), ["─".repeat(40)]);
    let lines =
        screen(Layout { measure: Some(40), wrap: Wrap::Off, ..layout(100) }, &document(BlockKind::Line, &[PROSE]));
    assert!(lines.len() == 1 && widest(&lines) == 100, "what runs on, does so to the edge: {lines:#?}");
    // A page that is narrower than the measure is as wide as it is.
    assert!(widest(&measured(20, 40, &document(BlockKind::Paragraph, &[PROSE]))) <= 20);
}

#[test]
fn lines_of_a_text_that_were_set_by_hand_are_not_broken_again() {
    let set = [
        "a line of fifty columns, by the author's own hand.",
        "name                          size                          date of the last change",
        "one\ttwo\tthree\tfour\tfive\tsix\tseven\teight\tnine\tten",
        "┌────────────────────────────────────────────────────────────────────────────┐",
    ];
    for line in set {
        assert_eq!(measured(100, 40, &document(BlockKind::Line, &[line])).len(), 1, "{line}");
    }
}

#[test]
fn a_line_goes_on_under_its_text() {
    let inked = |lines: Vec<String>| lines.iter().map(|line| line.trim_end().to_owned()).collect::<Vec<_>>();
    let on = |text: &str| inked(screen(layout(24), &document(BlockKind::Line, &[text])));
    for (text, lines) in [
        ("  an indented line that goes on", ["  an indented line that", "  goes on"]),
        ("* an item of a list that goes on", ["* an item of a list that", "  goes on"]),
        ("  - one with a dash that goes on", ["  - one with a dash that", "    goes on"]),
        ("12. one with a number and so on", ["12. one with a number", "    and so on"]),
        ("• one that has a bullet and so on", ["• one that has a bullet", "  and so on"]),
        ("> > what was quoted twice, and on", ["> > what was quoted", "    twice, and on"]),
        ("plain words without any indent", ["plain words without any", "indent"]),
        ("-- two hyphens are not a bullet", ["-- two hyphens are not a", "bullet"]),
        ("2026. A year is not a number, no", ["2026. A year is not a", "number, no"]),
        // There is no room to be given away.
        ("                    far to the right", ["                    far", "to the right"]),
    ] {
        assert_eq!(on(text), lines, "{text}");
    }
    let menu = screen(layout(24), &document(BlockKind::Entry, &["  * an entry that goes on and on"]));
    assert_eq!(menu, ["  * an entry that goes", "    on and on"]);
}
