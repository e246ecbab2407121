//! Tables in Markdown: figures, ratios to our own, and where another program is ahead.

use std::cell::RefCell;
use std::fmt::Write;

/// What has been printed in a table's last column, all together.
#[derive(Default)]
pub struct Report {
    ahead: RefCell<Vec<String>>,
}

/// A row: who, and a figure for each column where there is one.
pub type Row = (&'static str, Vec<Option<f64>>);

/// What was measured in so many rounds.
pub struct Rounds {
    pub rows: Vec<Row>,
    pub count: usize,
}

impl Report {
    /// Prints a table. The first row is our own; less is better in every column. Rows of `beside` are nobody's: what the wire
    /// alone takes, how large the page is.
    pub fn table(&self, title: &str, columns: &[&str], rounds: &Rounds, beside: &[Row]) {
        let often = if rounds.count > 1 { format!("; median of {}", rounds.count) } else { String::new() };
        println!("\n{title}{often}\n\n| | {} | ahead in |", columns.join(" | "));
        println!("|---|{}---|", "--:|".repeat(columns.len()));
        let ours = rounds.rows.first().map(|(_, figures)| figures.clone()).unwrap_or_default();
        for (at, (name, figures)) in rounds.rows.iter().enumerate() {
            if figures.iter().all(Option::is_none) {
                continue;
            }
            let (mut cells, mut ahead) = (String::new(), Vec::new());
            for ((figure, ours), column) in figures.iter().zip(&ours).zip(columns) {
                let _ = match (figure, ours) {
                    (Some(figure), Some(ours)) if at > 0 => {
                        if figure < ours {
                            ahead.push(*column);
                        }
                        write!(cells, " {} ({}×) |", short(*figure), short(figure / ours))
                    }
                    (Some(figure), _) => write!(cells, " {} |", short(*figure)),
                    (None, _) => write!(cells, " – |"),
                };
            }
            println!("| {name} |{cells} {} |", ahead.join(", "));
            if !ahead.is_empty() {
                let title = title.split([':', ';']).next().unwrap_or_default().trim_end_matches(", ms");
                self.ahead.borrow_mut().push(format!("{name}: {title} ({})", ahead.join(", ")));
            }
        }
        for (name, figures) in beside {
            let cells: String = figures.iter().map(|f| format!(" {} |", f.map_or("–".into(), short))).collect();
            println!("| *{name}* |{cells} |");
        }
    }

    /// Prints where others are ahead.
    pub fn conclude(&self) {
        println!("\nAhead of Wayfarer:\n");
        match self.ahead.borrow().as_slice() {
            [] => println!("- nobody"),
            rows => rows.iter().for_each(|row| println!("- {row}")),
        }
    }
}

/// Three figures of a number, at most two of them behind the point.
fn short(figure: f64) -> String {
    match figure {
        figure if figure >= 100.0 => format!("{figure:.0}"),
        figure if figure >= 10.0 => format!("{figure:.1}"),
        _ => format!("{figure:.2}"),
    }
}
