//! Compressed files → what is inside, where that can be shown: `README.gz` is a text, `page.html.gz` a page.
//!
//! What is inside is told by the name without its ending, and by how it begins. What comes of one piece of octets is bounded, the
//! rest waits compressed; what is read of a file in all is bounded too, and its end is as large as the document may be.
//! A file that is not compressed at all, whatever its name says, is read as it is.

use super::{Input, PageRows, Parser, guess, human, is_page, media, parser};
use crate::doc::{BlockKind, Builder};
use crate::role::Role;
use crate::unpack::{Packing, Unpacker};
use crate::url::Url;

/// What is unpacked of a file at most, in octets.
const MOST: u64 = 128 << 20;
/// What is unpacked of one piece at most.
const PIECE: usize = 1 << 20;
/// Octets that tell what is inside.
const TELLING: usize = 1024;
/// Octets that tell whether it is compressed.
const MAGIC: usize = 6;

/// The media types of compressed files.
const TYPES: &[&str] = &[
    "application/gzip",
    "application/x-gzip",
    "application/x-compress",
    "application/x-compressed",
    "application/x-bzip2",
    "application/x-bzip",
    "application/x-xz",
    "application/zstd",
    "application/x-zstd",
];
/// Types by which servers call what they do not know.
const VAGUE: &[&str] = &[guess::OCTETS, media::PLAIN, "application/x-binary"];
/// The endings of compressed files.
const ENDINGS: &[&str] = &["gz", "z", "bz2", "xz", "zst"];

/// The media type under which a file is read that is compressed and may be a page inside; `None` for all others, and for those
/// whose names say that they hold something else (`x.tar.gz`, `x.tgz`).
pub fn of(media: &str, name: &str) -> Option<&'static str> {
    let packed = TYPES.contains(&media) || VAGUE.contains(&media) && ends_so(name);
    let inside = || guess::by_name(inner_name(name)).is_none_or(|inside| is_page(&inside));
    let holds_files = || name.to_ascii_lowercase().ends_with(".tgz") || name.to_ascii_lowercase().ends_with(".taz");
    (packed && !holds_files() && inside()).then_some(media::PACKED)
}

/// The name of the file that a URL names.
pub fn name_of(url: &Url) -> String {
    let path = url.path().rsplit('/').next().unwrap_or_default();
    String::from_utf8_lossy(&crate::url::escape::decode(path)).into_owned()
}

fn ends_so(name: &str) -> bool {
    let ending = name.rsplit_once('.').map(|(_, ending)| ending.to_ascii_lowercase());
    ending.is_some_and(|ending| ENDINGS.contains(&ending.as_str()))
}

/// The name of what is inside.
fn inner_name(name: &str) -> &str {
    if ends_so(name) { name.rsplit_once('.').map_or(name, |(stem, _)| stem) } else { name }
}

/// Reads a compressed file.
pub struct Packed {
    input: Input,
    /// The first octets, until it is clear whether they are compressed.
    start: Vec<u8>,
    unpacker: Option<(Unpacker, Packing)>,
    /// It is not compressed.
    plain: bool,
    /// What was unpacked before it is clear what it is.
    inside: Vec<u8>,
    parser: Option<Box<dyn Parser>>,
    /// Nothing more is read, since nothing is shown of it or it is broken.
    over: bool,
    /// Why what was read is not whole.
    cut: Option<String>,
    taken: u64,
    given: u64,
    notes: Vec<String>,
}

impl Packed {
    /// A parser; the URL's name says what is inside.
    pub fn new(input: &Input) -> Packed {
        Packed {
            input: input.clone(),
            start: Vec::new(),
            unpacker: None,
            plain: false,
            inside: Vec::new(),
            parser: None,
            over: false,
            cut: None,
            taken: 0,
            given: 0,
            notes: Vec::new(),
        }
    }

    /// Finds out whether it is compressed, and how.
    fn begin(&mut self, out: &mut Builder) {
        let start = std::mem::take(&mut self.start);
        match Packing::of(&start) {
            Some(packing) => {
                let (unpacker, _) = self.unpacker.insert((Unpacker::new(packing), packing));
                unpacker.feed(&start);
            }
            None => {
                self.plain = true;
                self.notes.push("not compressed, whatever its name says".into());
                self.pass(&start, out);
            }
        }
    }

    /// Unpacks up to so many octets; more only where they must all go.
    fn unpack(&mut self, most: usize, out: &mut Builder) {
        let mut room = most;
        while room > 0 && !self.over && !out.is_full() {
            let Some((unpacker, packing)) = &mut self.unpacker else { return };
            let octets = match unpacker.step() {
                Ok(octets) if octets.is_empty() => return,
                Ok(octets) => octets,
                Err(_) => {
                    let name = packing.name();
                    self.cut = Some(match unpacker.refusal() {
                        Some(why) => format!("cannot be unpacked here: this {name} {why}"),
                        None => format!("broken: what follows is no {name}"),
                    });
                    self.over = true;
                    return;
                }
            };
            room = room.saturating_sub(octets.len());
            self.given += octets.len() as u64;
            self.pass(&octets, out);
            if self.given > MOST {
                self.cut = Some(format!("only the first {} of what is inside are shown", human(MOST)));
                self.over = true;
            }
        }
    }

    /// Takes octets of what is inside.
    fn pass(&mut self, octets: &[u8], out: &mut Builder) {
        if let Some(parser) = &mut self.parser {
            return parser.feed(octets, out);
        }
        self.inside.extend_from_slice(octets);
        if self.inside.len() >= TELLING {
            self.tell(out);
        }
    }

    /// Finds out what is inside.
    fn tell(&mut self, out: &mut Builder) {
        let octets = std::mem::take(&mut self.inside);
        let name = name_of(&self.input.url);
        let asked = self.input.media == media::PACKED_TEXT;
        let found = guess::of_file(inner_name(&name), &octets[..octets.len().min(TELLING)]);
        let found = if asked { media::PLAIN.into() } else { found };
        let inner = Input { media: found, ..self.input.clone() };
        match parser(&inner).filter(|_| is_page(&inner.media)) {
            Some(mut parser) => {
                parser.feed(&octets, out);
                self.parser = Some(parser);
            }
            None => {
                out.block(BlockKind::Paragraph, Role::Warning);
                out.text(&format!("What is inside cannot be shown as text: {}. Save it as it is.", inner.media));
                self.over = true;
            }
        }
    }
}

impl Parser for Packed {
    fn feed(&mut self, octets: &[u8], out: &mut Builder) {
        self.taken += octets.len() as u64;
        if self.over {
            return;
        }
        match &mut self.unpacker {
            Some((unpacker, _)) => unpacker.feed(octets),
            None if self.plain => return self.pass(octets, out),
            None => {
                self.start.extend_from_slice(octets);
                if self.start.len() < MAGIC {
                    return;
                }
                self.begin(out);
            }
        }
        self.unpack(PIECE, out);
    }

    fn finish(&mut self, out: &mut Builder) {
        if !self.start.is_empty() {
            self.begin(out);
        }
        if let Some((unpacker, _)) = &mut self.unpacker {
            unpacker.end();
        }
        self.unpack(usize::MAX, out);
        if self.parser.is_none() && !self.over {
            self.tell(out);
        }
        if let Some(parser) = &mut self.parser {
            parser.finish(out);
        }
        let document = out.document_mut();
        if let Some((unpacker, packing)) = &self.unpacker {
            document.packed = Some(format!("{}: {} are {}", packing.name(), human(self.taken), human(self.given)));
            if !self.over && !unpacker.is_whole() {
                self.cut = Some(format!("its end is missing: {} says more follows", packing.name()));
            }
        }
        document.notes.append(&mut self.notes);
        document.notes.extend(self.cut.clone());
        document.cut = self.cut.take();
    }

    fn holds_back(&self) -> bool {
        self.parser.as_ref().is_none_or(|parser| parser.holds_back())
    }

    /// What is inside has no type of its own that could be another.
    fn again(&self) -> Option<super::Again> {
        self.parser.as_ref()?.again().filter(|again| matches!(again, super::Again::Charset(_)))
    }

    fn memory(&self) -> usize {
        let unpacker = self.unpacker.as_ref().map_or(0, |(unpacker, _)| unpacker.memory());
        unpacker + self.inside.capacity() + self.parser.as_ref().map_or(0, |parser| parser.memory())
    }

    fn rows(&self) -> Option<PageRows> {
        self.parser.as_ref()?.rows()
    }
}
