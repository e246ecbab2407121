//! A phone book (CSO nameserver, RFC 2378): `query` with words that stand in any field, or `field=words`; `quit`.

use crate::tour::visitor::{Heard, Visitor};
use std::io::Result;

const PEOPLE: &str = include_str!("../../../assets/tour/gopher/people.txt");
/// Octets of a command.
const LINE: usize = 512;
/// Commands of a visit.
const MOST: usize = 100;

/// Whether a line is one of a phone book's and not a selector; those here begin with a slash.
pub(super) fn is_command(line: &[u8]) -> bool {
    let word = line.split(|octet| *octet == b' ').next().unwrap_or_default();
    ["query", "ph", "status", "fields", "help", "quit"]
        .iter()
        .any(|command| word.eq_ignore_ascii_case(command.as_bytes()))
}

/// Answers commands until the visitor takes leave.
pub(super) async fn talk(mut visitor: Visitor, first: &[u8]) -> Result<()> {
    let mut line = first.to_vec();
    for _ in 0..MOST {
        let command = String::from_utf8_lossy(&line).into_owned();
        let (verb, words) = command.split_once(' ').unwrap_or((&command, ""));
        let answer = match verb.to_ascii_lowercase().as_str() {
            "query" | "ph" => look_up(words),
            "status" => "200:The phone book of the tour is ready.\r\n".into(),
            "fields" => "-200:1:name:max 64 Indexed Public\r\n-200:2:phone:max 64 Public\r\n200:Ok.\r\n".into(),
            "help" => "-200:1: query WORDS, or query FIELD=WORDS; * stands for anything\r\n200:Ok.\r\n".into(),
            "quit" => return visitor.say(b"200:Bye!\r\n").await,
            _ => "514:Unknown command.\r\n".into(),
        };
        visitor.say(answer.as_bytes()).await?;
        let Heard::Line(next) = visitor.hear(LINE).await? else { return Ok(()) };
        line = next;
    }
    Ok(())
}

/// The entries of which all words are true.
fn look_up(words: &str) -> String {
    let words: Vec<&str> = words.split_whitespace().take_while(|word| !word.eq_ignore_ascii_case("return")).collect();
    let entries = PEOPLE.lines().map(|line| line.split('\t').filter_map(|field| field.split_once(": ")).collect());
    let found: Vec<Vec<(&str, &str)>> =
        entries.filter(|entry: &Vec<_>| words.iter().all(|word| is_true(entry, word))).collect();
    if found.is_empty() || words.is_empty() {
        return "501:No matches to your query.\r\n".into();
    }
    let mut out = match found.len() {
        1 => "102:There was 1 match to your request.\r\n".into(),
        count => format!("102:There were {count} matches to your request.\r\n"),
    };
    for (number, entry) in found.iter().enumerate() {
        entry.iter().for_each(|(field, value)| out.push_str(&format!("-200:{}:{field:>7}: {value}\r\n", number + 1)));
    }
    out + "200:Ok.\r\n"
}

/// Whether a word, or `field=word`, is true of an entry.
fn is_true(entry: &[(&str, &str)], word: &str) -> bool {
    let (field, text) = word.split_once('=').map_or((None, word), |(field, text)| (Some(field), text));
    let text = text.trim_matches(['*', '"']).to_lowercase();
    entry.iter().any(|(name, value)| {
        field.is_none_or(|field| name.eq_ignore_ascii_case(field)) && value.to_lowercase().contains(&text)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_looked_up_in_one_field_or_in_any() {
        assert!(look_up("gopher").starts_with("102:There was 1 match"));
        assert!(look_up("name=gopher phone=*").contains("phone: 70"));
        assert!(look_up("phone=21").contains("name: FTP"));
        assert!(look_up("*").contains("-200:6:"));
        assert!(look_up("gopher return all").contains(":1:"));
        for nobody in ["", "name=70", "gopher telnet", "return name", "="] {
            assert_eq!(look_up(nobody), "501:No matches to your query.\r\n", "{nobody:?}");
        }
    }
}
