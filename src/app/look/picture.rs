//! Looking at a picture: larger, smaller, along it. What is seen of it is drawn by whoever works beside the keyboard, one after the
//! other; meanwhile the screen shows what was drawn last.

use crate::app::navigation::journey;
use crate::app::state::Cx;
use crate::app::state::jobs::Errand;
use crate::app::{Effect, JobId, Sight};
use crate::doc::ScrollPosition;
use crate::picture::{Draw, Drawing, Step};
use crate::work::Work;

/// Has what is to be seen of the picture in view drawn, where it is not, and nothing is being drawn of it.
pub(in crate::app) fn tend(cx: &mut Cx<'_>) -> Option<Effect> {
    let sight = cx.sight();
    let (picture, frame, graphics) = (sight.picture()?.clone(), sight.picture_frame()?, sight.desk.graphics());
    let pictured = sight.pictured()?;
    if pictured.job.is_some() || pictured.tried == Some((frame, graphics)) {
        return None;
    }
    let id = cx.job(Errand::Picture);
    let pictured = &mut cx.page_mut()?.arrangement.picture;
    (pictured.job, pictured.tried) = (Some(id), Some((frame, graphics)));
    let draw = Draw { picture, frame, graphics, number: number(id) };
    Some(Effect::Work { id, work: Work::Draw(Box::new(draw)) })
}

/// The number by which a terminal knows what is drawn: no two of a run have the same, but after billions. None is 0.
pub(super) fn number(id: JobId) -> u32 {
    u32::try_from(id.0 % u64::from(u32::MAX)).unwrap_or_default() + 1
}

/// It is drawn.
pub(in crate::app) fn drawn(cx: &mut Cx<'_>, id: JobId, drawing: Option<Drawing>) {
    let mut pages = cx.tab.history.iter_mut().filter_map(|entry| entry.page.as_deref_mut());
    if let Some(page) = pages.find(|page| page.arrangement.picture.job == Some(id)) {
        let pictured = &mut page.arrangement.picture;
        pictured.job = None;
        pictured.drawing = drawing.or(pictured.drawing.take());
    }
}

/// `enlarge`.
pub(in crate::app) fn enlarge(cx: &mut Cx<'_>, _: &str) -> Vec<Effect> {
    step(cx, Step::In);
    Vec::new()
}

/// `shrink`.
pub(in crate::app) fn shrink(cx: &mut Cx<'_>, _: &str) -> Vec<Effect> {
    step(cx, Step::Out);
    Vec::new()
}

/// `fit`.
pub(in crate::app) fn fit(cx: &mut Cx<'_>, _: &str) -> Vec<Effect> {
    step(cx, Step::Fit);
    Vec::new()
}

/// Ways along a picture, in halves of what is seen: to the right, down.
const WAYS: &[(&str, (i32, i32))] = &[
    ("left", (-1, 0)),
    ("right", (1, 0)),
    ("up", (0, -1)),
    ("down", (0, 1)),
    ("page-up", (0, -2)),
    ("page-down", (0, 2)),
    ("top", (0, i32::MIN)),
    ("bottom", (0, i32::MAX)),
];

/// Commands that move in a page of lines, and where they lead along a picture.
const MOVES: &[(&str, &str)] = &[
    ("up", "pan up"),
    ("down", "pan down"),
    ("line-up", "pan up"),
    ("line-down", "pan down"),
    ("half-up", "pan up"),
    ("half-down", "pan down"),
    ("page-up", "pan page-up"),
    ("page-down", "pan page-down"),
    ("go-on", "pan page-down"),
    ("top", "pan top"),
    ("bottom", "pan bottom"),
];

/// What a command that moves in a page of lines does on the picture in view; `None` where it does what it does on any page, and where
/// one goes on behind its end.
pub(in crate::app) fn along(sight: Sight<'_>, command: &str) -> Option<&'static str> {
    sight.picture()?;
    let ends = command == "go-on" && matches!(sight.position(), Some(ScrollPosition::All | ScrollPosition::Bottom));
    MOVES.iter().find(|(known, _)| *known == command && !ends).map(|(_, line)| *line)
}

/// `pan left`, `right`, `up`, `down` and further. Where all of its width is seen there is nothing at the left, and that is the way back.
pub(in crate::app) fn pan(cx: &mut Cx<'_>, way: &str) -> Vec<Effect> {
    let Some((_, by)) = WAYS.iter().find(|(known, _)| *known == way) else {
        let ways: Vec<&str> = WAYS.iter().map(|(known, _)| *known).collect();
        cx.complain(format!("pan {}", ways.join(", ")));
        return Vec::new();
    };
    let whole = |cx: &Cx<'_>| {
        let (picture, frame) = (cx.sight().picture()?, cx.sight().picture_frame()?);
        Some(frame.part[2] == picture.width())
    };
    if way == "left" && whole(cx) == Some(true) {
        return journey::back(cx, "");
    }
    step(cx, Step::By(by.0, by.1));
    Vec::new()
}

/// Looks at it in another way, and says how large it is.
fn step(cx: &mut Cx<'_>, step: Step) {
    let sight = cx.sight();
    let (Some(picture), Some(pictured)) = (sight.picture(), sight.pictured()) else { return };
    let (size, room, cell) = ((picture.width(), picture.height()), sight.picture_room(), sight.desk.graphics().cell);
    let view = pictured.view.after(step, size, room, cell);
    let zooms = view.percent() != pictured.view.percent();
    if let Some(page) = cx.page_mut() {
        page.arrangement.picture.view = view;
    }
    if zooms || step == Step::Fit {
        cx.say(match view.percent() {
            100 => "as wide as there is room".into(),
            percent => format!("{percent} % of what there is room for"),
        });
    }
}
