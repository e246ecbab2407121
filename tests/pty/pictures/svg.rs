//! A grid of cells as SVG: a rectangle for each background, a text for each run of one look.

use super::grid::{Cell, Grid};
use std::fmt::Write;
use vt100::Color;

/// Of one cell, in pixels.
const WIDTH: f32 = 8.4;
const HEIGHT: f32 = 16.5;
/// Around the cells.
const EDGE: f32 = 12.0;
/// From the top of a cell to the line that letters stand on.
const BASE: f32 = 12.8;

/// What terminals take for the default colours, in a dark one.
const PAPER: u32 = 0x16_1a_20;
const INK: u32 = 0xd6_da_e0;

/// The picture; the title is for those who do not see it.
pub fn draw(grid: &Grid, title: &str) -> String {
    let columns = grid.0.first().map_or(0, Vec::len);
    let (width, height) = (columns as f32 * WIDTH + 2.0 * EDGE, grid.0.len() as f32 * HEIGHT + 2.0 * EDGE);
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{height:.0}\" viewBox=\"0 0 {width:.0} {height:.0}\">\n\
         <title>Wayfarer: {title}</title>\n<rect width=\"100%\" height=\"100%\" rx=\"8\" fill=\"#{PAPER:06x}\"/>\n\
         <g font-family=\"'DejaVu Sans Mono', Menlo, Consolas, 'Liberation Mono', monospace\" font-size=\"14\" xml:space=\"preserve\">\n"
    );
    for (number, row) in grid.0.iter().enumerate() {
        let top = EDGE + number as f32 * HEIGHT;
        runs(
            row,
            |cell| colours(cell).1,
            |at, cells| {
                let (_, paper) = colours(&cells[0]);
                if paper != PAPER {
                    let (x, width) = (EDGE + at as f32 * WIDTH, cells.len() as f32 * WIDTH);
                    let _ = writeln!(
                        out,
                        "<rect x=\"{x:.1}\" y=\"{top:.1}\" width=\"{width:.1}\" height=\"{HEIGHT}\" fill=\"#{paper:06x}\"/>"
                    );
                }
            },
        );
        runs(row, |cell| Cell { text: String::new(), ..cell.clone() }, |at, cells| write(&mut out, at, top, cells));
    }
    out + "</g>\n</svg>\n"
}

/// The runs of cells that are alike: where each begins, and its cells.
fn runs<K: PartialEq>(row: &[Cell], key: impl Fn(&Cell) -> K, mut each: impl FnMut(usize, &[Cell])) {
    let mut at = 0;
    for run in row.chunk_by(|one, next| key(one) == key(next)) {
        each(at, run);
        at += run.len();
    }
}

fn write(out: &mut String, at: usize, top: f32, cells: &[Cell]) {
    let text: String = cells.iter().map(|cell| cell.text.as_str()).collect();
    let before = cells.iter().take_while(|cell| cell.text == " ").count();
    let after = cells.iter().rev().take_while(|cell| cell.text == " ").count();
    if before == cells.len() {
        return;
    }
    let cell = &cells[0];
    let (x, width) = (EDGE + (at + before) as f32 * WIDTH, (cells.len() - before - after) as f32 * WIDTH);
    let mut look = String::new();
    for (has, attribute) in [
        (cell.bold, " font-weight=\"bold\""),
        (cell.italic, " font-style=\"italic\""),
        (cell.underline, " text-decoration=\"underline\""),
        (cell.dim, " opacity=\"0.6\""),
    ] {
        look.push_str(if has { attribute } else { "" });
    }
    let text = text.trim().replace('&', "&amp;").replace('<', "&lt;");
    let (ink, _) = colours(cell);
    let y = top + BASE;
    // The width holds the columns together whatever the font.
    let _ = writeln!(
        out,
        "<text x=\"{x:.1}\" y=\"{y:.1}\" textLength=\"{width:.1}\" lengthAdjust=\"spacingAndGlyphs\" fill=\"#{ink:06x}\"{look}>{text}</text>"
    );
}

/// Of the letters and of what is behind them.
fn colours(cell: &Cell) -> (u32, u32) {
    let (ink, paper) = (rgb(cell.foreground, INK), rgb(cell.background, PAPER));
    if cell.inverse { (paper, ink) } else { (ink, paper) }
}

fn rgb(colour: Color, default: u32) -> u32 {
    const NAMED: [u32; 16] = [
        0x1c1f26, 0xd1596a, 0x8fbf7f, 0xd9b36c, 0x6f9fd8, 0xb48ec8, 0x6fbfb8, 0xc8ccd4, 0x6b7280, 0xe8808c, 0xa8d99a,
        0xf0cf8f, 0x92bdf0, 0xd0aee0, 0x92dcd4, 0xf4f6f8,
    ];
    match colour {
        Color::Default => default,
        Color::Rgb(red, green, blue) => u32::from_be_bytes([0, red, green, blue]),
        Color::Idx(index @ 0..16) => NAMED[usize::from(index)],
        // The cube of six steps each way, then greys.
        Color::Idx(index @ 16..232) => {
            let step = |n: u8| if n == 0 { 0 } else { 55 + 40 * n };
            let at = index - 16;
            u32::from_be_bytes([0, step(at / 36), step(at / 6 % 6), step(at % 6)])
        }
        Color::Idx(index) => u32::from(8 + 10 * (index - 232)) * 0x01_01_01,
    }
}
