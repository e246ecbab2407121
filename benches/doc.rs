//! What a reader waits for: a screen in the middle of a huge text, wrapping, sanitising, searching.

use divan::counter::BytesCount;
use divan::{Bencher, black_box};
use wayfarer::doc::{Anchor, BlockKind, Builder, Document, Layout, Marks, Search, Wrap, sanitise};
use wayfarer::role::Role;

const MEGABYTE: usize = 1 << 20;
const SENTENCE: &str = "The hole in the ground was dug by 17 gophers, well-known for their tunnels; see the map. ";
const CYRILLIC: &str = "Суслик вырыл нору под старым дубом, и никто не знал, куда она ведёт. ";
const HOSTILE: &str = "\x1b[1mbold\x1b[0m and \x1b]0;title\x07 \u{202e}text\u{202c}, then some more of it to read. ";

fn main() {
    divan::main();
}

/// A text of short lines or of one line.
fn text(sentence: &str, size: usize, lines: bool) -> Document {
    let mut builder = Builder::new();
    builder.block(BlockKind::Line, Role::Text);
    for number in 0..size / sentence.len() {
        if lines && number > 0 {
            builder.block(BlockKind::Line, Role::Text);
        }
        builder.text(sentence);
    }
    builder.finish()
}

fn layout(width: u16) -> Layout {
    Layout { width, measure: None, wrap: Wrap::On, marks: Marks::Words }
}

#[divan::bench(args = [("lines", true), ("one line", false)])]
fn screen_in_the_middle_of_100_mb(bencher: Bencher, (_, lines): (&str, bool)) {
    let document = text(SENTENCE, 100 * MEGABYTE, lines);
    let middle = document.anchor_at(50 * MEGABYTE);
    bencher.bench(|| layout(80).lines(black_box(&document), middle, 50));
}

#[divan::bench(args = [("lines", true), ("one line", false)])]
fn page_up_in_the_middle_of_100_mb(bencher: Bencher, (_, lines): (&str, bool)) {
    let document = text(SENTENCE, 100 * MEGABYTE, lines);
    let middle = document.anchor_at(50 * MEGABYTE);
    bencher.bench(|| layout(80).up(black_box(&document), middle, 50));
}

#[divan::bench(args = [("ascii", SENTENCE), ("cyrillic", CYRILLIC), ("no space", "abcdefghijklmnopqrstuvwxyz")])]
fn wrap_1_mb(bencher: Bencher, (_, sentence): (&str, &str)) {
    let document = text(sentence, MEGABYTE, false);
    bencher
        .counter(BytesCount::new(MEGABYTE))
        .bench(|| layout(80).down(black_box(&document), Anchor::default(), usize::MAX));
}

#[divan::bench]
fn all_lines_of_1_mb(bencher: Bencher) {
    let document = text(SENTENCE, MEGABYTE, true);
    bencher
        .counter(BytesCount::new(MEGABYTE))
        .bench(|| layout(80).lines(black_box(&document), Anchor::default(), usize::MAX).len());
}

#[divan::bench(args = [("ascii", SENTENCE), ("cyrillic", CYRILLIC), ("hostile", HOSTILE)])]
fn sanitise_1_mb(bencher: Bencher, (_, sentence): (&str, &str)) {
    let text = sentence.repeat(MEGABYTE / sentence.len());
    bencher.counter(BytesCount::new(text.len())).bench(|| sanitise(black_box(&text)).len());
}

#[divan::bench(args = ["xylophone", "gophers dug", "Gophers", "teapot"], sample_count = 10)]
fn search_100_mb_miss(bencher: Bencher, words: &str) {
    let document = text(SENTENCE, 100 * MEGABYTE, true);
    let search = Search::new(words);
    bencher
        .counter(BytesCount::new(100 * MEGABYTE))
        .bench(|| search.as_ref().and_then(|search| search.next(black_box(&document), 0)));
}
