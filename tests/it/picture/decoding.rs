//! Octets of strangers: every format, and what is wrong with them.

use super::{ImageFormat, file, png};
use crate::format::input;
use wayfarer::format::{Intake, Reader, parse};
use wayfarer::picture::{Picture, TYPES, decode};

const ROOM: usize = 64 << 20;

fn said(octets: &[u8]) -> String {
    decode(octets, ROOM).unwrap_err()
}

#[test]
fn every_format_is_read_whatever_it_is_called() {
    for (format, name) in [
        (ImageFormat::Png, "PNG"),
        (ImageFormat::Jpeg, "JPEG"),
        (ImageFormat::Gif, "GIF"),
        (ImageFormat::WebP, "WebP"),
        (ImageFormat::Bmp, "BMP"),
    ] {
        let octets = file(20, 10, format);
        let picture = decode(&octets, ROOM).unwrap();
        assert_eq!((picture.format, picture.width(), picture.height(), picture.remark), (name, 20, 10, None));
        for media in TYPES {
            let document = parse(&input(media, "http://h/x"), &octets).unwrap();
            assert!(document.text().starts_with(&format!("{name} picture, 20 x 10, ")), "{}", document.text());
            assert!(document.picture.is_some());
        }
    }
}

/// A PNG that says it is so large, and has so much more.
fn claims(width: u32, height: u32, rest: &[u8]) -> Vec<u8> {
    let mut octets = png(2, 2);
    octets[16..20].copy_from_slice(&width.to_be_bytes());
    octets[20..24].copy_from_slice(&height.to_be_bytes());
    let sum = flate2::Crc::new();
    let mut sum = sum;
    sum.update(&octets[12..29]);
    octets[29..33].copy_from_slice(&sum.sum().to_be_bytes());
    octets.extend(rest);
    octets
}

#[test]
fn what_is_no_picture_costs_a_sentence() {
    assert!(said(b"").contains("no picture of a kind that is shown here (PNG, JPEG, GIF, WebP, BMP)"));
    assert!(said(b"<html>").contains("no picture of a kind"));
    assert!(said(b"GIF89a").contains("This GIF picture is broken"));
    assert!(said(b"\x89PNG\r\n\x1a\n").contains("This PNG picture is broken"));
    assert!(said(b"\xff\xd8\xff\xe0").contains("This JPEG picture is broken"));
    assert!(said(b"RIFF\x04\0\0\0WEBPVP8 ").contains("This WebP picture is broken"));
    assert!(said(b"BM").contains("This BMP picture is broken"));
}

#[test]
fn a_picture_that_says_it_is_vast_is_not_unpacked() {
    let bomb = said(&claims(60_000, 60_000, b""));
    assert!(bomb.contains("60000 x 60000 pixels; more than 32 million are not shown"), "{bomb}");
    let empty = said(&claims(0, 0, b""));
    assert!(empty.contains("broken") || empty.contains("empty"), "{empty}");
    let dear = decode(&png(1000, 1000), 1 << 20).unwrap_err();
    assert!(dear.contains("1000 x 1000") && dear.contains("limits.memory") || dear.contains("broken"), "{dear}");
}

#[test]
fn a_picture_of_one_row_is_one() {
    let picture = decode(&file(100_000, 1, ImageFormat::Png), ROOM).unwrap();
    assert_eq!((picture.width(), picture.height()), (100_000, 1));
}

#[test]
fn what_came_of_a_picture_that_breaks_off_is_shown() {
    for format in [ImageFormat::Png, ImageFormat::Jpeg, ImageFormat::Gif, ImageFormat::Bmp] {
        let octets = file(300, 300, format);
        let picture = decode(&octets[..octets.len() / 2], ROOM).unwrap();
        assert_eq!((picture.width(), picture.height()), (300, 300), "{format:?}");
        assert!(picture.remark.is_some_and(|remark| remark.contains("breaks off")), "{format:?}");
    }
}

#[test]
fn deep_colours_are_the_same_picture_in_octets() {
    let mut deep = std::io::Cursor::new(Vec::new());
    super::pixels(30, 20).to_rgb16().write_to(&mut deep, ImageFormat::Png).unwrap();
    let picture = decode(&deep.into_inner(), ROOM).unwrap();
    assert_eq!(picture.memory(), 30 * 20 * 3);
    assert!(picture == decode(&png(30, 20), ROOM).unwrap());
}

#[test]
fn what_unpacking_needs_beside_the_pixels_counts() {
    let pixels = 300 * 300 * 4;
    let gif = file(300, 300, ImageFormat::Gif);
    assert!(decode(&gif, pixels * 3 / 2).unwrap_err().contains("limits.memory"));
    assert!(decode(&gif, pixels * 2 + 4096).is_ok());
}

#[test]
fn of_many_pictures_in_a_file_the_first_is_read() {
    let mut octets = Vec::new();
    let mut encoder = image::codecs::gif::GifEncoder::new(&mut octets);
    let frame = |width, height| image::Frame::new(super::pixels(width, height).into_rgba8());
    encoder.encode_frame(frame(8, 8)).unwrap();
    for _ in 0..2000 {
        encoder.encode_frame(frame(4, 4)).unwrap();
    }
    drop(encoder);
    let picture = decode(&octets, ROOM).unwrap();
    assert_eq!((picture.width(), picture.height()), (8, 8));
    assert_eq!(picture.memory(), 8 * 8 * 4);
}

#[test]
fn a_picture_is_part_of_the_memory_of_its_page() {
    let intake = |memory| Intake { input: input("image/png", "http://h/x"), title: None, keep: 0, memory };
    let read = |memory| {
        let mut reader = Reader::new(intake(memory)).unwrap();
        reader.take(&png(400, 400));
        reader.finish()
    };
    let held = read(ROOM).page.document.memory();
    assert!(held > 400 * 400 * 3, "{held}");
    let none = read(100_000);
    assert!(none.page.document.picture.is_none(), "{:?}", none.page.document.text());
    let page = |pieces: usize| {
        let mut reader = Reader::new(intake(ROOM)).unwrap();
        png(40, 40).chunks(pieces).for_each(|piece| reader.take(piece));
        reader.finish().page.document
    };
    assert_eq!(page(1), page(10_000), "a cut changes nothing");
    let debug = format!("{:?}", page(7).picture.as_ref().map(|picture: &Picture| format!("{picture:?}")));
    assert!(debug.len() < 100, "no pixels in what is written of it: {debug}");
}
