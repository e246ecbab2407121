//! The page that tells of a failure, in the notation of [`super::gemtext`].

/// What an error page says. Every field may quote remote text.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ErrorPage {
    /// One sentence: what happened.
    pub title: String,
    /// What was tried ("gopher.example.org port 70, selector \"/world\"").
    pub tried: String,
    /// What came, if anything did.
    pub received: Option<String>,
    /// What the reader can do next, one line each.
    pub next: Vec<String>,
    /// Places that may help: reference and label.
    pub links: Vec<(String, String)>,
}

impl ErrorPage {
    /// The page's text.
    pub fn text(&self) -> String {
        let mut out = format!("! {}\n\n", flat(&self.title));
        let mut row = |label: &str, value: &str| {
            if !value.is_empty() {
                out.push_str(&format!("{label}\t{}\n", flat(value)));
            }
        };
        row("tried", &self.tried);
        row("received", self.received.as_deref().unwrap_or_default());
        for (at, line) in self.next.iter().enumerate() {
            row(if at == 0 { "next" } else { " " }, line);
        }
        for (at, (reference, label)) in self.links.iter().enumerate() {
            let gap = if at == 0 { "\n" } else { "" };
            out.push_str(&format!("{gap}=> {} {}\n", flat(reference).replace(' ', "%20"), flat(label)));
        }
        out
    }
}

/// Text on one line and in one cell, whatever a server put into it.
fn flat(text: &str) -> String {
    text.split(['\r', '\n', '\t']).filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ")
}
