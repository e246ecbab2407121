//! What frames are written to: cells as they changed; or, for devices that speak or are felt, whole rows of plain text, those that
//! say something else than before, from the top down.

use crossterm::cursor::MoveTo;
use crossterm::queue;
use crossterm::style::Print;
use crossterm::terminal::{Clear, ClearType as What};
use ratatui::backend::{Backend, ClearType, CrosstermBackend, WindowSize};
use ratatui::buffer::Cell;
use ratatui::layout::{Position, Size};
use std::collections::BTreeSet;
use std::io::{self, Write};

/// The way to a terminal.
pub(super) struct Device<W: Write> {
    cells: CrosstermBackend<W>,
    rows: Option<Rows>,
}

/// What stands on the screen, cell by cell, and row by row as it was written.
#[derive(Default)]
struct Rows {
    cells: Vec<Vec<String>>,
    written: Vec<String>,
}

impl<W: Write> Device<W> {
    /// A device that gets cells, or rows.
    pub(super) fn new(out: W, by_rows: bool) -> Device<W> {
        Device { cells: CrosstermBackend::new(out), rows: by_rows.then(Rows::default) }
    }
}

impl Rows {
    /// Takes a cell that changed.
    fn take(&mut self, x: u16, y: u16, symbol: &str) {
        let (x, y) = (usize::from(x), usize::from(y));
        if self.cells.len() <= y {
            self.cells.resize_with(y + 1, Vec::new);
        }
        let row = &mut self.cells[y];
        if row.len() <= x {
            row.resize(x + 1, " ".into());
        }
        symbol.clone_into(&mut row[x]);
    }

    /// A row as a line of text.
    fn text(&self, y: u16) -> String {
        let (mut text, mut covered) = (String::new(), 0);
        for symbol in self.cells.get(usize::from(y)).into_iter().flatten() {
            if covered > 0 {
                covered -= 1;
                continue;
            }
            text.push_str(symbol);
            covered = crate::doc::columns(symbol).saturating_sub(1);
        }
        text.truncate(text.trim_end().len());
        text
    }

    /// The rows of some that say something else than what was written last.
    fn changed(&mut self, rows: BTreeSet<u16>) -> Vec<(u16, String)> {
        let mut changed = Vec::new();
        for y in rows {
            let (text, at) = (self.text(y), usize::from(y));
            if self.written.len() <= at {
                self.written.resize(at + 1, String::new());
            }
            if self.written[at] != text {
                self.written[at].clone_from(&text);
                changed.push((y, text));
            }
        }
        changed
    }
}

impl<W: Write> Backend for Device<W> {
    type Error = io::Error;

    fn draw<'a, I: Iterator<Item = (u16, u16, &'a Cell)>>(&mut self, content: I) -> io::Result<()> {
        let Some(rows) = &mut self.rows else { return self.cells.draw(content) };
        let mut touched = BTreeSet::new();
        for (x, y, cell) in content {
            rows.take(x, y, cell.symbol());
            touched.insert(y);
        }
        for (y, text) in rows.changed(touched) {
            queue!(self.cells, MoveTo(0, y), Clear(What::UntilNewLine), Print(text))?;
        }
        Ok(())
    }

    fn hide_cursor(&mut self) -> io::Result<()> {
        self.cells.hide_cursor()
    }

    fn show_cursor(&mut self) -> io::Result<()> {
        self.cells.show_cursor()
    }

    fn get_cursor_position(&mut self) -> io::Result<Position> {
        self.cells.get_cursor_position()
    }

    fn set_cursor_position<P: Into<Position>>(&mut self, position: P) -> io::Result<()> {
        self.cells.set_cursor_position(position)
    }

    fn clear(&mut self) -> io::Result<()> {
        self.clear_region(ClearType::All)
    }

    fn clear_region(&mut self, clear_type: ClearType) -> io::Result<()> {
        if let Some(rows) = &mut self.rows {
            *rows = Rows::default();
        }
        self.cells.clear_region(clear_type)
    }

    fn size(&self) -> io::Result<Size> {
        self.cells.size()
    }

    fn window_size(&mut self) -> io::Result<WindowSize> {
        self.cells.window_size()
    }

    fn flush(&mut self) -> io::Result<()> {
        Backend::flush(&mut self.cells)
    }
}

impl<W: Write> Write for Device<W> {
    fn write(&mut self, octets: &[u8]) -> io::Result<usize> {
        self.cells.write(octets)
    }

    fn flush(&mut self) -> io::Result<()> {
        Write::flush(&mut self.cells)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::RefCell;
    use std::rc::Rc;

    #[derive(Clone, Default)]
    struct Out(Rc<RefCell<Vec<u8>>>);

    impl Write for Out {
        fn write(&mut self, octets: &[u8]) -> io::Result<usize> {
            self.0.borrow_mut().write(octets)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    /// What goes out for some cells.
    fn written(device: &mut Device<Out>, out: &Out, cells: &[(u16, u16, &str)]) -> String {
        let of = |symbol: &str| {
            let mut cell = Cell::default();
            cell.set_symbol(symbol);
            cell
        };
        let cells: Vec<(u16, u16, Cell)> = cells.iter().map(|(x, y, symbol)| (*x, *y, of(symbol))).collect();
        device.draw(cells.iter().map(|(x, y, cell)| (*x, *y, cell))).unwrap();
        String::from_utf8(std::mem::take(&mut *out.0.borrow_mut())).unwrap()
    }

    #[test]
    fn a_row_that_changed_is_written_whole_and_once() {
        let out = Out::default();
        let mut device = Device::new(out.clone(), true);
        assert_eq!(written(&mut device, &out, &[(0, 1, "日"), (2, 1, "a"), (4, 1, "b")]), "\x1b[2;1H\x1b[K日a b");
        assert_eq!(written(&mut device, &out, &[(4, 1, "c"), (0, 0, "x")]), "\x1b[1;1H\x1b[Kx\x1b[2;1H\x1b[K日a c");
        assert_eq!(written(&mut device, &out, &[(4, 1, "c")]), "", "nothing else to say");
        assert_eq!(written(&mut device, &out, &[(4, 1, " "), (2, 1, " "), (0, 1, " ")]), "\x1b[2;1H\x1b[K");
    }
}
