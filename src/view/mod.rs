//! The screen: line of tabs, page, status bar, line below, overlays. Reads the browser, changes nothing.
//!
//! Every size is drawn, down to a single cell: what does not fit is left out, the least important first.

mod bar;
mod canvas;
mod form;
mod frame;
mod line;
mod overlay;
mod page;
mod panes;
mod picture;
mod popup;
mod speech;
mod spots;
mod tabs;

use crate::app::{App, Pane, Spot};
use crate::role::Role;
use crate::theme::Theme;
pub use spots::Spots;

use canvas::Canvas;
use ratatui::Frame;
use ratatui::layout::{Position, Rect};

/// Draws everything; gives what stands where.
pub fn draw(frame: &mut Frame<'_>, app: &App, theme: &Theme) -> Spots {
    let frame_area = frame.area();
    let line_rows = line_rows(app, frame_area);
    let rooms = Rooms::of(frame_area, (app.tab_rows(), app.desk.greeting_rows(), app.desk.foot_rows()), line_rows);
    let veil = app.sight().veil().into_owned();
    let (plain, covered) = (app.desk.settings.speech, picture::is_covered(app, line_rows));
    let mut canvas = Canvas { cells: frame.buffer_mut(), theme, spots: Spots::default(), plain, covered, veil };
    tabs::draw(&mut canvas, rooms.tabs, app);
    canvas.fill(rooms.page, Role::Text);
    canvas.spots.mark(rooms.page, Spot::Page);
    panes::draw(&mut canvas, rooms.page, app);
    popup::greeting(&mut canvas, rooms.greeting, app);
    match canvas.plain {
        true => speech::bar(&mut canvas, rooms.bar, app),
        false => bar::draw(&mut canvas, rooms.bar, app),
    }
    let mut cursor = None;
    for (i, over) in app.hands.overlays().iter().enumerate() {
        let top = i + 1 == app.hands.overlays().len();
        cursor = overlay::draw(&mut canvas, rooms.page, app, over).filter(|_| top);
    }
    popup::draw(&mut canvas, rooms.page, app);
    let over = cursor.filter(|_| app.hands.prompt().is_none());
    cursor = match canvas.plain {
        true => speech::draw(&mut canvas, frame_area, app),
        false => line::draw(&mut canvas, rooms.line, app),
    }
    .or(over);
    if let Some(Position { x, y }) = cursor {
        canvas.spots.focus_at(x, y);
    }
    let spots = canvas.spots;
    // Hidden or not it stands at the focus: the shell sees to that where it is hidden.
    if let Some(at) = cursor.or(spots.focus().filter(|_| app.desk.settings.cursor || app.desk.settings.speech)) {
        frame.set_cursor_position(at);
    }
    spots
}

/// Which pictures the terminal paints past the cells, and where; before others are drawn, or none, the screen has to be cleared.
pub fn painted(app: &App, area: Rect) -> Vec<(u32, Pane, (u16, u16))> {
    picture::painted(app, line_rows(app, area))
}

/// Rows of the line below.
fn line_rows(app: &App, area: Rect) -> u16 {
    if app.desk.settings.speech { 1 } else { line::rows(app, area) }
}

/// Where a cursor stands, when the reader can type.
type Cursor = Option<Position>;

/// The parts of the screen, top to bottom.
struct Rooms {
    tabs: Rect,
    page: Rect,
    greeting: Rect,
    bar: Rect,
    line: Rect,
}

impl Rooms {
    /// With one row there is only the line, with two no page. A line of several rows lies over the end of the page, which stays
    /// where it is: a message goes with the next key.
    fn of(area: Rect, (tab_rows, greeting_rows, foot_rows): (u16, u16, u16), line_rows: u16) -> Rooms {
        let row = |from_bottom: u16| {
            let height = u16::from(area.height >= from_bottom);
            Rect { y: area.bottom().saturating_sub(from_bottom * height), height, ..area }
        };
        let tabs = Rect { height: tab_rows.min(area.height), ..area };
        let middle = area.height.saturating_sub(foot_rows + tabs.height);
        let page = Rect { y: area.y + tabs.height, height: middle.saturating_sub(greeting_rows), ..area };
        let greeting = Rect { y: page.bottom(), height: middle - page.height, ..area };
        let higher = line_rows - 1;
        let bar = row(foot_rows);
        let bar = Rect { y: bar.y.saturating_sub(higher).max(tabs.bottom()), ..bar };
        Rooms { tabs, page, greeting, bar, line: Rect { height: row(1).height * line_rows, ..row(line_rows) } }
    }
}
