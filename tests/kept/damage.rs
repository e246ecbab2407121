//! What may happen to a file while nobody looks.

use crate::home::Draw;

/// Ways to damage a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Damage {
    /// The end is missing.
    Cut,
    /// One bit is another.
    Flip,
    /// Octets that were not there.
    Insert,
    /// A piece of it is zeros, as after a power cut.
    Zeros,
    /// It is another file, of no text.
    Binary,
    /// A line of a megabyte.
    HugeLine,
    /// Lines stand there twice.
    Twice,
    /// Nothing is left.
    Empty,
}

impl Damage {
    pub const ALL: [Damage; 8] = [
        Damage::Cut,
        Damage::Flip,
        Damage::Insert,
        Damage::Zeros,
        Damage::Binary,
        Damage::HugeLine,
        Damage::Twice,
        Damage::Empty,
    ];

    /// The file as it is afterwards.
    pub fn of(self, whole: &[u8], draw: &mut Draw) -> Vec<u8> {
        let at = draw.below(whole.len());
        let mut octets = whole.to_vec();
        match self {
            Damage::Cut => octets.truncate(at),
            Damage::Flip => octets[at] ^= 1 << draw.below(8),
            Damage::Insert => {
                let more: Vec<u8> = (0..=draw.below(20)).map(|_| octet(draw)).collect();
                octets.splice(at..at, more);
            }
            Damage::Zeros => {
                let end = octets.len().min(at + 40);
                octets[at..end].fill(0);
            }
            Damage::Binary => octets.fill_with(|| octet(draw)),
            Damage::HugeLine => {
                octets.splice(at..at, vec![b'x'; 1 << 20]);
            }
            Damage::Twice => octets.extend_from_slice(&whole[at..]),
            Damage::Empty => octets.clear(),
        }
        octets
    }
}

fn octet(draw: &mut Draw) -> u8 {
    u8::try_from(draw.below(256)).unwrap()
}

#[test]
fn the_same_seed_damages_in_the_same_way() {
    let whole = b"one line\nanother line\n";
    for damage in Damage::ALL {
        let once = damage.of(whole, &mut Draw::new(7));
        assert_eq!(once, damage.of(whole, &mut Draw::new(7)));
        assert_ne!(once, whole, "{damage:?}");
    }
}
