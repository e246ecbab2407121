//! What terminals are given: written from pixels alone.

use super::png;
use crate::format::input;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use wayfarer::format::parse;
use wayfarer::picture::{Draw, Drawing, Graphics, Protocol, View, decode};
use wayfarer::stop::Stop;

fn drawn(octets: &[u8], protocol: Protocol, room: (u16, u16)) -> Drawing {
    let picture = decode(octets, 1 << 20).unwrap();
    let graphics = Graphics::new(protocol, Some((4, 6)));
    let frame = View::default().frame((picture.width(), picture.height()), room, graphics.cell).unwrap();
    Draw { picture, frame, graphics, number: 7 }.run(&Stop::new()).unwrap().unwrap()
}

fn cells(drawing: &Drawing, width: u16, height: u16) -> Buffer {
    let mut cells = Buffer::empty(Rect::new(0, 0, width, height));
    drawing.put(cells.area, &mut cells);
    cells
}

/// All that goes to the terminal for a picture.
fn written(octets: &[u8], protocol: Protocol) -> String {
    cells(&drawn(octets, protocol, (10, 5)), 10, 5).content().iter().map(|cell| cell.symbol()).collect()
}

#[test]
fn half_blocks_are_cells_in_two_colours() {
    let drawing = drawn(&png(8, 8), Protocol::Blocks, (10, 5));
    assert_eq!(drawing.frame.cells, (8, 4));
    let cells = cells(&drawing, 10, 5);
    let row: String = (0..10).map(|x| cells[(x, 0)].symbol()).collect();
    assert!(row.starts_with(['▀', '▄', ' ']) && row.ends_with("  "), "{row:?}");
}

#[test]
fn kitty_is_given_pixels_and_placeholders() {
    let text = written(&png(8, 12), Protocol::Kitty);
    assert!(text.starts_with("\x1b_Gq=2,i=7,a=T,U=1,f=32,o=z,t=d,s=8,v=12,c=2,r=2,m=0;"), "{text:?}");
    assert_eq!(text.matches('\u{10EEEE}').count(), 4);
    assert_eq!(text.matches('\x1b').count(), 2, "{text:?}");
}

#[test]
fn kitty_is_given_the_pixels_once() {
    let drawing = drawn(&png(8, 12), Protocol::Kitty, (10, 5));
    let first: String = cells(&drawing, 10, 5).content().iter().map(|cell| cell.symbol()).collect();
    let again: String = cells(&drawing, 10, 5).content().iter().map(|cell| cell.symbol()).collect();
    assert!(first.contains("\x1b_G") && !again.contains('\x1b'), "{again:?}");
}

#[test]
fn sixel_and_iterm2_are_one_sequence_each() {
    let text = written(&png(8, 12), Protocol::Sixel);
    assert!(text.contains("\x1bP") && text.trim_end().ends_with("\x1b\\"), "{text:?}");
    let text = written(&png(8, 12), Protocol::Iterm2);
    assert!(text.contains("\x1b]1337;File=inline=1;size=") && text.contains("width=8px;height=12px"), "{text:?}");
    assert!(text.trim_end().ends_with('\x07'));
}

#[test]
fn what_is_painted_past_the_cells_is_painted_whole_or_not() {
    for protocol in [Protocol::Sixel, Protocol::Iterm2] {
        let drawing = drawn(&png(8, 12), protocol, (10, 5));
        assert!(drawing.is_past_cells());
        let text: String = cells(&drawing, 1, 1).content().iter().map(|cell| cell.symbol()).collect();
        assert_eq!(text, " ");
    }
}

/// A PNG with what would be a command to a terminal in its texts, its name and behind its end.
pub fn with_words(words: &[u8]) -> Vec<u8> {
    let mut octets = png(8, 12);
    let mut chunk = b"tEXtComment\0".to_vec();
    chunk.extend(words);
    let mut sum = flate2::Crc::new();
    sum.update(&chunk);
    let mut whole = u32::try_from(chunk.len() - 4).unwrap().to_be_bytes().to_vec();
    whole.extend(&chunk);
    whole.extend(sum.sum().to_be_bytes());
    octets.splice(33..33, whole);
    octets.extend(words);
    octets
}

#[test]
fn no_octet_of_a_file_reaches_the_terminal() {
    let words = b"\x1b]0;owned\x07\x1b[31mowned\x1b\\";
    for protocol in [Protocol::Blocks, Protocol::Kitty, Protocol::Sixel, Protocol::Iterm2] {
        assert_eq!(written(&with_words(words), protocol), written(&png(8, 12), protocol), "{protocol:?}");
    }
    let page = parse(&input("image/png", "http://h/p"), &with_words(words)).unwrap();
    assert!(!page.text().contains("owned"), "{}", page.text());
}
