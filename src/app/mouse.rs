//! What the mouse does. Where things stand on the screen is the view's business: it says what is under the pointer.

use crate::app::answers::{forms, lists, prompts, questions};
use crate::app::look::anatomy;
use crate::app::motion::{focus, scroll};
use crate::app::navigation::journey;
use crate::app::state::Cx;
use crate::app::{
    App, Consent, Effect, Gesture, Opening, Overlay, Spot, background, commands, navigation, sequence, split, tabs,
};

/// Lines per step of the wheel.
const WHEEL: isize = 3;

/// Takes a gesture over a spot.
pub(super) fn point(app: &mut App, gesture: Gesture, spot: Spot) -> Vec<Effect> {
    app.hands.pending_keys.clear();
    app.hands.count = None;
    match gesture {
        Gesture::WheelDown => wheel(app, spot, WHEEL),
        Gesture::WheelUp => wheel(app, spot, -WHEEL),
        Gesture::Drag => match spot {
            Spot::Scrollbar(share) if is_free(app) => {
                scroll::to_share(&mut app.cx(), share);
                Vec::new()
            }
            _ => Vec::new(),
        },
        Gesture::Middle => match spot {
            Spot::Link(link) if is_free(app) => {
                app.hands.note = None;
                scroll::end_greeting(&mut app.cx());
                focus::go_to(&mut app.cx(), link);
                tabs::opening::follow_behind(app, "")
            }
            _ => Vec::new(),
        },
        Gesture::Press => {
            app.hands.note = None;
            scroll::end_greeting(&mut app.cx());
            if is_free(app) {
                sequence::end(app);
            }
            press(app, spot)
        }
    }
}

fn is_free(app: &App) -> bool {
    app.hands.overlays().is_empty() && app.hands.prompt().is_none()
}

fn wheel(app: &mut App, spot: Spot, lines: isize) -> Vec<Effect> {
    if app.hands.prompt().is_some() {
        return prompts::turn(app, lines > 0);
    }
    if !app.hands.overlays().is_empty() {
        return commands::over_step(app, lines);
    }
    let turn = |cx: &mut Cx<'_>| {
        match lines > 0 {
            true => scroll::scroll_down(cx, lines.unsigned_abs()),
            false => scroll::scroll_up(cx, lines.unsigned_abs()),
        };
        Vec::new()
    };
    match split::place(app).filter(|_| spot == Spot::Beside) {
        Some(beside) => background::run(app, beside, turn),
        None => turn(&mut app.cx()),
    }
}

fn press(app: &mut App, spot: Spot) -> Vec<Effect> {
    if let (Some(_), Spot::Row(row)) = (app.hands.prompt(), spot) {
        return prompts::take_row(app, row);
    }
    if app.hands.prompt().is_some() {
        // What is being typed is not lost by a slip of the hand.
        app.say("type on, or leave with Esc");
        return Vec::new();
    }
    match (app.hands.top(), spot) {
        (Some(Overlay::List { .. }), Spot::Row(row)) => {
            lists::select(app, row);
            lists::accept(app)
        }
        (Some(Overlay::Form(_)), Spot::Row(field)) => forms::point_at(&mut app.cx(), field),
        (Some(Overlay::Form(_)), Spot::Part(field, part)) => {
            forms::with(&mut app.cx(), |form| form.point_at_part(field, part))
        }
        (Some(Overlay::Question { .. }), Spot::Answer(key)) => questions::answer(app, key),
        (Some(Overlay::Question { .. } | Overlay::Form(_)), _)
        | (Some(_), Spot::Overlay | Spot::Row(_) | Spot::Part(..)) => Vec::new(),
        // Beside a list or a text: it closes.
        (Some(_), _) => commands::over_cancel(app, ""),
        (None, Spot::Link(link)) => {
            focus::go_to(&mut app.cx(), link);
            split::follow_link(app, link)
        }
        (None, Spot::Scrollbar(share)) => {
            scroll::to_share(&mut app.cx(), share);
            Vec::new()
        }
        (None, Spot::Above(levels)) => above(app, levels),
        (None, Spot::Host) => journey::root(&mut app.cx(), ""),
        (None, Spot::Tab(number)) => tabs::show(app, number),
        (None, Spot::Beside) => split::other(app, ""),
        (None, Spot::Bar) => anatomy::anatomy(&mut app.cx(), ""),
        (None, Spot::Page | Spot::Row(_) | Spot::Part(..) | Spot::Answer(_) | Spot::Overlay) => Vec::new(),
    }
}

/// To the directory whose name was pressed in the path.
fn above(app: &mut App, levels: usize) -> Vec<Effect> {
    let Some(mut url) = app.entry().map(|entry| entry.url.clone()) else { return Vec::new() };
    if levels == 0 {
        return anatomy::anatomy(&mut app.cx(), "");
    }
    for _ in 0..levels {
        let Some(above) = crate::url::scheme::up(&url).filter(|above| *above != url) else { break };
        url = above;
    }
    navigation::go(&mut app.cx(), Opening { consent: Consent::Agreed, ..Opening::followed(url) })
}
