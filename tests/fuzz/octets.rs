//! Octets that are broken on purpose: cut, copied, repeated, spliced from others of their kind, sprinkled with what readers
//! stumble over.

use super::Dice;
use std::fs;
use std::path::Path;

/// The longest input.
const LONGEST: usize = 16 * 1024;

/// What any reader may stumble over.
const ODD: &[&[u8]] = &[
    b"\0",
    b"\t",
    b"\n",
    b"\r",
    b"\r\n",
    b"\n\n",
    b"\r\n\r\n",
    b"\x08",
    b"\x0c",
    b"\x1b",
    b"\x1b[31m",
    b"\x1b]0;t\x07",
    b"\x1b$B",
    b"\x7f",
    b"\x80",
    b"\x9b2J",
    b"\xC2\x9B",
    b"\xE2\x80\xAE",
    b"\xE2\x80\x8B",
    b"\xCC\x81",
    b"\xEF\xBB\xBF",
    b"\xF0\x9F\x98\x80",
    b"\xE6\xBC\xA2",
    b"\xFF",
    b"\xFE\xFF",
    b"+2D0-",
    b" ",
    b"  ",
    b".",
    b".\r\n",
    b"..",
    b"/",
    b"\\",
    b"\"",
    b"'",
    b"<",
    b">",
    b"&",
    b"#",
    b"%",
    b"%00",
    b"%0D%0A",
    b"*",
    b"_",
    b"`",
    b"|",
    b"[",
    b"]",
    b"(",
    b")",
    b"{",
    b"}",
    b"=",
    b":",
    b";",
    b",",
    b"!",
    b"?",
    b"+",
    b"-",
    b"--",
    b"0",
    b"-1",
    b"65536",
    b"4294967296",
    b"99999999999999999999",
    b"1e999",
    b"http://h/x",
    b"<URL:x",
    b"javascript:x",
];

/// Every file of a folder of the test data whose name begins so.
pub fn files(folder: &str, begins: &str, ends: &str) -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(folder);
    let mut paths: Vec<_> =
        fs::read_dir(folder).expect("the folder").map(|entry| entry.expect("an entry").path()).collect();
    paths.sort();
    let fits = |path: &Path| {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        name.starts_with(begins) && name.ends_with(ends)
    };
    paths.iter().filter(|path| fits(path)).map(|path| fs::read(path).expect("a file")).collect()
}

/// One of the seeds, broken in a few places. `words` are those of its own grammar.
pub fn broken(dice: &mut Dice, seeds: &[Vec<u8>], words: &[&[u8]]) -> Vec<u8> {
    let mut octets = piece(dice, seeds, LONGEST);
    for _ in 0..dice.roll(8) {
        let (a, b) = (dice.roll(octets.len() + 1), dice.roll(octets.len() + 1));
        let (a, b) = (a.min(b), a.max(b).min(a.min(b) + 200));
        match dice.roll(9) {
            0 => drop(octets.drain(a..b)),
            1 | 2 => insert(&mut octets, a, ODD[dice.roll(ODD.len())]),
            3 | 4 if !words.is_empty() => insert(&mut octets, a, words[dice.roll(words.len())]),
            5 if a < octets.len() => octets[a] = dice.roll(256) as u8,
            6 => {
                let other = piece(dice, seeds, 500);
                insert(&mut octets, a, &other);
            }
            7 => {
                let copy = octets[a..b].repeat(1 + dice.roll(40));
                insert(&mut octets, b, &copy);
            }
            _ if dice.roll(4) == 0 => octets.truncate(a),
            _ => {
                let copy = octets[a..b].to_vec();
                let at = dice.roll(octets.len() + 1);
                insert(&mut octets, at, &copy);
            }
        }
        octets.truncate(LONGEST);
    }
    octets
}

fn insert(octets: &mut Vec<u8>, at: usize, piece: &[u8]) {
    drop(octets.splice(at..at, piece.iter().copied()));
}

/// A part of a seed of no more than so many octets: of a long one from anywhere, else mostly all of it.
fn piece(dice: &mut Dice, seeds: &[Vec<u8>], most: usize) -> Vec<u8> {
    let seed = &seeds[dice.roll(seeds.len())];
    let from = if seed.len() > most || dice.roll(4) == 0 { dice.roll(seed.len()) } else { 0 };
    seed[from..seed.len().min(from + most)].to_vec()
}

/// What a terminal would obey, or what would turn text round.
pub fn is_raw(c: char) -> bool {
    c != '\t' && (c.is_control() || ('\u{202A}'..='\u{202E}').contains(&c) || ('\u{2066}'..='\u{2069}').contains(&c))
}

/// Says which octets were at work when something broke.
pub struct Witness<'a>(pub u64, pub &'a str, pub &'a [u8]);

impl Drop for Witness<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("case {} of {}: {}", self.0, self.1, self.2[..self.2.len().min(6000)].escape_ascii());
        }
    }
}
