//! What the mouse does. Where things stand on the screen is the view's business: it says what is under the pointer.

use super::{
    App, Effect, Overlay, anatomy, asking, commands, filling, focus, greeting, journey, lists, opening, question,
    scroll, tabs,
};
use crate::doc::LinkId;

/// Lines per step of the wheel.
const WHEEL: usize = 3;

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

/// Takes a gesture over a spot.
pub(super) fn point(app: &mut App, gesture: Gesture, spot: Spot) -> Vec<Effect> {
    app.pending_keys.clear();
    match gesture {
        Gesture::WheelDown => wheel(app, WHEEL as isize),
        Gesture::WheelUp => wheel(app, -(WHEEL as isize)),
        Gesture::Drag => match spot {
            Spot::Scrollbar(share) if is_free(app) => {
                scroll::to_share(app, share);
                Vec::new()
            }
            _ => Vec::new(),
        },
        Gesture::Middle => match spot {
            Spot::Link(link) if is_free(app) => {
                app.note = None;
                greeting::end(app);
                focus::go_to(app, link);
                tabs::follow_behind(app, "")
            }
            _ => Vec::new(),
        },
        Gesture::Press => {
            app.note = None;
            greeting::end(app);
            press(app, spot)
        }
    }
}

fn is_free(app: &App) -> bool {
    app.overlays.is_empty() && app.prompt.is_none()
}

fn wheel(app: &mut App, lines: isize) -> Vec<Effect> {
    if app.prompt.is_some() {
        return asking::turn(app, lines > 0);
    }
    if !app.overlays.is_empty() {
        return commands::over_step(app, lines);
    }
    if lines > 0 {
        scroll::scroll_down(app, lines.unsigned_abs());
    } else {
        scroll::scroll_up(app, lines.unsigned_abs());
    }
    Vec::new()
}

fn press(app: &mut App, spot: Spot) -> Vec<Effect> {
    if let (Some(_), Spot::Row(row)) = (&app.prompt, spot) {
        return asking::take_row(app, row);
    }
    if app.prompt.is_some() {
        // What is being typed is not lost by a slip of the hand.
        app.say("type on, or leave with Esc");
        return Vec::new();
    }
    match (app.overlays.last(), spot) {
        (Some(Overlay::List { .. }), Spot::Row(row)) => {
            lists::select(app, row);
            lists::accept(app)
        }
        (Some(Overlay::Form(_)), Spot::Row(field)) => filling::point_at(app, field),
        (Some(Overlay::Form(_)), Spot::Part(field, part)) => filling::point_at_part(app, field, part),
        (Some(Overlay::Question { .. }), Spot::Answer(key)) => question::answer(app, key),
        (Some(Overlay::Question { .. } | Overlay::Form(_)), _)
        | (Some(_), Spot::Overlay | Spot::Row(_) | Spot::Part(..)) => Vec::new(),
        // Beside a list or a text: it closes.
        (Some(_), _) => commands::over_cancel(app, ""),
        (None, Spot::Link(link)) => {
            focus::go_to(app, link);
            focus::follow_link(app, link)
        }
        (None, Spot::Scrollbar(share)) => {
            scroll::to_share(app, share);
            Vec::new()
        }
        (None, Spot::Above(levels)) => above(app, levels),
        (None, Spot::Host) => journey::root(app, ""),
        (None, Spot::Tab(number)) => tabs::show(app, number),
        (None, Spot::Bar) => anatomy::anatomy(app, ""),
        (None, Spot::Page | Spot::Row(_) | Spot::Part(..) | Spot::Answer(_) | Spot::Overlay) => Vec::new(),
    }
}

/// To the directory whose name was pressed in the path.
fn above(app: &mut App, levels: usize) -> Vec<Effect> {
    let Some(mut url) = app.entry().map(|entry| entry.url.clone()) else { return Vec::new() };
    if levels == 0 {
        return anatomy::anatomy(app, "");
    }
    for _ in 0..levels {
        let Some(above) = crate::url::scheme::up(&url).filter(|above| *above != url) else { break };
        url = above;
    }
    opening::go(app, opening::Opening { consent: opening::Consent::Agreed, ..opening::Opening::followed(url) })
}
