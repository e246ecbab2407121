//! Pictures: octets → pixels, pixels → what a terminal shows of them.
//!
//! Octets are strangers'. They become pixels here, within bounds, or a sentence; what a terminal is given is written from the pixels
//! alone by our own encoders, so that no octet of a file reaches it. Everything is a plain function: how far a picture is
//! enlarged and which part of it is seen is a [`View`], what that means on a screen a [`Frame`], what comes of it a [`Drawing`].
//! Refuses: asking a terminal what it can, the network, threads.

mod decode;
mod drawing;
mod protocol;
mod scale;

pub use decode::{Decode, MOST_IN_TEXT, MOST_PIXELS, Picture, TYPES, decode, is_picture};
pub use drawing::{Draw, Drawing};
pub use protocol::{Answer, Graphics, LEVEL, NAME, Protocol, by_level, by_name};
pub use scale::{Frame, Step, View};
