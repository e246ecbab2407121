//! How a picture is looked at, and what was drawn of it last.

use crate::app::JobId;
use crate::picture::{Drawing, Frame, Graphics, View};

/// The picture of a page, on the screen.
#[derive(Debug, Clone, Default)]
pub struct Pictured {
    /// How large, and which part.
    pub view: View,
    /// What was drawn of it last; it stays until another is there.
    pub drawing: Option<Drawing>,
    /// What that was to be, drawn or not.
    pub(in crate::app) tried: Option<(Frame, Graphics)>,
    /// It is being drawn under this number.
    pub(in crate::app) job: Option<JobId>,
}
