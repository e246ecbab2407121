//! The line that a gopher client sends (RFC 1436, 2; Gopher+ 2.2 … 2.6).

use super::item::{self, Body};

/// A line, understood.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Question {
    /// What is wanted, as text: no selector here is anything else.
    pub selector: String,
    /// The words of a search.
    pub words: String,
    /// In which way.
    pub wish: Wish,
}

/// How an item is wanted.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Wish {
    /// As RFC 1436 has it.
    Plain,
    /// In this view, with its language; empty for the first.
    View(String),
    /// What is known of it.
    Attributes,
    /// The same of each item of a menu.
    AllAttributes,
    /// With the answers to its questions, which follow.
    Filled,
}

impl Question {
    pub fn of(line: &[u8]) -> Question {
        let line = String::from_utf8_lossy(line);
        let mut fields = line.split('\t');
        let selector = fields.next().unwrap_or_default().to_owned();
        let fields: Vec<&str> = fields.collect();
        let searches = item::find(&selector).is_some_and(|item| matches!(item.body, Body::Search));
        let alone = |field: &str| ["+", "!", "$"].contains(&field);
        let (words, plus) = match fields.split_first() {
            Some((first, rest)) if searches && !(rest.is_empty() && alone(first)) => ((*first).to_owned(), rest),
            // Clients that know of searches only write an empty field before a Gopher+ string.
            Some((&"", rest)) => (String::new(), rest),
            _ => (String::new(), &fields[..]),
        };
        let wish = match plus {
            [] => Wish::Plain,
            [_, flag, ..] if *flag == "1" => Wish::Filled,
            [string, ..] => match string.split_at_checked(1) {
                Some(("!", _)) => Wish::Attributes,
                Some(("$", _)) => Wish::AllAttributes,
                Some(("+", view)) => Wish::View(view.to_owned()),
                _ => Wish::Plain,
            },
        };
        Question { selector, words, wish }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_mean_what_gopher_and_gopher_plus_say() {
        for (line, words, wish) in [
            ("/plus", "", Wish::Plain),
            ("/plus\t", "", Wish::Plain),
            ("/plus\tnonsense", "", Wish::Plain),
            ("/plus\t+", "", Wish::View(String::new())),
            ("/greeting\t+text/plain De_DE", "", Wish::View("text/plain De_DE".into())),
            ("/plus\t!", "", Wish::Attributes),
            ("/plus\t\t!+ADMIN", "", Wish::Attributes),
            ("/plus\t$+VIEWS", "", Wish::AllAttributes),
            ("/form\t+\t1", "", Wish::Filled),
            ("/find\tbase and keys", "base and keys", Wish::Plain),
            ("/find\tbase\t+", "base", Wish::View(String::new())),
            ("/find\t!", "", Wish::Attributes),
            ("/find\t\t!", "", Wish::Attributes),
            ("/find\t", "", Wish::Plain),
            ("\t$", "", Wish::AllAttributes),
        ] {
            let question = Question::of(line.as_bytes());
            assert_eq!((question.words.as_str(), &question.wish), (words, &wish), "{line:?}");
        }
        assert_eq!(Question::of(b"\xff\t\t\t\t\t").wish, Wish::Plain);
    }
}
