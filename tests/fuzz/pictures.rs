//! Pictures of strangers: whatever their octets are, within a time and a memory they become pixels or a sentence, and something of
//! them can be drawn.

use super::dice;
use super::octets::{Witness, broken};
use image::{DynamicImage, ImageFormat, Rgb, RgbImage};
use std::io::Cursor;
use wayfarer::picture::{Draw, Graphics, Protocol, View, decode};
use wayfarer::stop::Stop;

const CASES: u32 = 600;
/// Octets of memory that a picture may take.
const ROOM: usize = 1 << 22;

fn seeds() -> Vec<Vec<u8>> {
    let colour = |x: u32, y: u32| Rgb([(x * 7) as u8, (y * 11) as u8, (x * y) as u8]);
    let of = |width, height, format| {
        let mut octets = Cursor::new(Vec::new());
        DynamicImage::ImageRgb8(RgbImage::from_fn(width, height, colour))
            .write_to(&mut octets, format)
            .expect("a picture");
        octets.into_inner()
    };
    let formats = [ImageFormat::Png, ImageFormat::Jpeg, ImageFormat::Gif, ImageFormat::WebP, ImageFormat::Bmp];
    formats.into_iter().flat_map(|format| [of(9, 7, format), of(30, 20, format)]).collect()
}

#[test]
fn every_picture_is_pixels_or_a_sentence() {
    let seeds = seeds();
    let (mut dice, cases) = dice(CASES);
    let mut shown = 0;
    for case in 0..cases {
        let octets = match dice.roll(3) {
            0 => broken(&mut dice, &seeds, &[]),
            // A few octets are others, so that more of it is read.
            _ => {
                let mut octets = seeds[dice.roll(seeds.len())].clone();
                for _ in 0..=dice.roll(4) {
                    let at = dice.roll(octets.len());
                    octets[at] = dice.roll(256) as u8;
                }
                octets
            }
        };
        let _witness = Witness(case, "picture", &octets);
        match decode(&octets, ROOM) {
            Ok(picture) => {
                assert!(picture.memory() <= ROOM && picture.width() > 0 && picture.height() > 0);
                let protocol = [Protocol::Blocks, Protocol::Kitty, Protocol::Sixel, Protocol::Iterm2][dice.roll(4)];
                let graphics = Graphics::new(protocol, Some((3, 5)));
                let size = (picture.width(), picture.height());
                let frame = View::default().frame(size, (20, 10), graphics.cell).expect("there is room");
                let draw = Draw { picture, frame, graphics, number: 1 };
                assert!(draw.run(&Stop::new()).is_some_and(|drawing| drawing.is_some()), "{frame:?}");
                shown += 1;
            }
            Err(sentence) => assert!(sentence.ends_with('.') && sentence.len() < 200, "{sentence}"),
        }
    }
    assert!(shown > cases / 10, "{shown} of {cases} were shown");
}
