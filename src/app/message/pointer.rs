//! What the mouse did, and over what. Where things stand on the screen is the view's business.

use crate::doc::LinkId;

/// What stands at a place of the screen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Spot {
    /// The page, where no link is.
    Page,
    /// A link or a field of the page.
    Link(LinkId),
    /// The scrollbar, so many thousandths from its top.
    Scrollbar(u16),
    /// A part of the URL in the status bar: what lies so many levels above the page.
    Above(usize),
    /// The host in the status bar.
    Host,
    /// Any other part of the status bar.
    Bar,
    /// A tab in the line of tabs, by its place.
    Tab(usize),
    /// The pane that has not the focus.
    Beside,
    /// A row of the list, or a field of the form, that lies over the page; a row of what the prompt offers.
    Row(usize),
    /// An option to choose from, or a line to write in, of a field of the form: which field, which of them.
    Part(usize, usize),
    /// An answer of the question that lies over the page.
    Answer(char),
    /// What lies over the page, where nothing can be chosen.
    Overlay,
}

/// What the mouse did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Gesture {
    /// The left button was pressed.
    Press,
    /// The middle button was pressed.
    Middle,
    /// It is held and was moved.
    Drag,
    /// The wheel was turned away from the reader.
    WheelUp,
    /// The wheel was turned towards the reader.
    WheelDown,
}
