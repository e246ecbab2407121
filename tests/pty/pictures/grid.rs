//! A screen as a grid of cells, in which nothing is left that differs from run to run.

/// What stands in a cell.
#[derive(Debug, Clone, PartialEq)]
pub struct Cell {
    /// A grapheme; nothing in the second half of a wide one.
    pub text: String,
    pub foreground: vt100::Color,
    pub background: vt100::Color,
    pub bold: bool,
    pub dim: bool,
    pub italic: bool,
    pub underline: bool,
    pub inverse: bool,
}

impl Cell {
    fn of(cell: &vt100::Cell) -> Cell {
        let text = match cell.contents() {
            "" if !cell.is_wide_continuation() => " ",
            text => text,
        };
        Cell {
            text: text.to_owned(),
            foreground: cell.fgcolor(),
            background: cell.bgcolor(),
            bold: cell.bold(),
            dim: cell.dim(),
            italic: cell.italic(),
            underline: cell.underline(),
            inverse: cell.inverse(),
        }
    }
}

/// Rows of cells.
pub struct Grid(pub Vec<Vec<Cell>>);

impl Grid {
    /// The screen; the first of the ports becomes 40070, the next one 40071, and what a page took 4 ms.
    pub fn of(screen: &vt100::Screen, ports: &[u16]) -> Grid {
        let (rows, columns) = screen.size();
        let row = |row| (0..columns.get()).filter_map(|column| Some(Cell::of(screen.cell(row, column)?))).collect();
        let mut grid = Grid((0..rows.get()).map(row).collect());
        for (port, shown) in ports.iter().zip(40070_u16..) {
            let (port, shown) = (port.to_string(), shown.to_string());
            grid.0.iter_mut().for_each(|row| replace(row, &port, &shown));
        }
        if let Some(bar) = grid.0.iter_mut().find_map(|row| Some((time(row)?, row))) {
            let ((at, length), row) = bar;
            set_time(row, at, length);
        }
        grid
    }

    /// The characters alone.
    pub fn text(&self) -> String {
        let line = |row: &Vec<Cell>| row.iter().map(|cell| cell.text.as_str()).collect::<String>();
        self.0.iter().map(|row| format!("{}\n", line(row).trim_end())).collect()
    }
}

/// Puts one word for another of the same width.
fn replace(row: &mut [Cell], from: &str, to: &str) {
    assert_eq!(from.len(), to.len(), "ports have five digits");
    for at in 0..row.len().saturating_sub(from.len() - 1) {
        if row[at..at + from.len()].iter().map(|cell| cell.text.as_str()).eq(from.split("").filter(|c| !c.is_empty())) {
            row[at..].iter_mut().zip(to.chars()).for_each(|(cell, letter)| cell.text = letter.to_string());
        }
    }
}

/// Where a row has at its end what a page took (`12 ms`, `1.2 s`): the first cell and how many.
fn time(row: &[Cell]) -> Option<(usize, usize)> {
    let end = row.iter().rposition(|cell| cell.text != " ")? + 1;
    let is = |at: usize, wanted: &str| row.get(at).is_some_and(|cell| cell.text == wanted);
    let unit = if end > 3 && is(end - 1, "s") && is(end - 2, "m") { 2 } else { 1 };
    (end > unit + 1 && is(end - 1, "s") && is(end - unit - 1, " ")).then_some(())?;
    let digit = |cell: &Cell| cell.text == "." || cell.text.starts_with(|c: char| c.is_ascii_digit());
    let digits = row[..end - unit - 1].iter().rev().take_while(|cell| digit(cell)).count();
    let length = digits + 1 + unit;
    (digits > 0).then_some((end - length, length))
}

/// Puts `4 ms` there; what that takes away or adds comes from the longest gap before it.
fn set_time(row: &mut Vec<Cell>, at: usize, length: usize) {
    const SHOWN: &str = "4 ms";
    let look = row[at].clone();
    row.splice(at..at + length, SHOWN.chars().map(|letter| Cell { text: letter.to_string(), ..look.clone() }));
    let blank = |cell: &Cell| cell.text == " ";
    let gap = (0..at)
        .filter(|at| blank(&row[*at]))
        .max_by_key(|from| (row[*from..at].iter().take_while(|cell| blank(cell)).count(), std::cmp::Reverse(*from)));
    let Some(gap) = gap else { return };
    for _ in SHOWN.len()..length {
        row.insert(gap, row[gap].clone());
    }
    for _ in length..SHOWN.len() {
        row.remove(gap);
    }
}
