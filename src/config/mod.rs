//! Settings: what the reader may choose, with defaults embedded. Refuses: I/O outside `load.rs`.

mod settings;

pub use settings::{Limits, Settings};
