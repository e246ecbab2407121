//! The screen: page, status bar, line below, overlays. Reads the browser, changes nothing.

use crate::app::App;
use crate::theme::Theme;
use ratatui::Frame;

/// Draws everything.
pub fn draw(frame: &mut Frame<'_>, app: &App, theme: &Theme) {
    let _ = (frame, app, theme);
}
