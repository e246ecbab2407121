//! A session as text: a line of JSON for the whole, one for each tab, one for each of its places, and one at the end, by which
//! a file that was cut short is known. What is wrong in a line costs that line.

use super::fields;
use crate::app::{KeptPlace, KeptTab, Place, Session};
use crate::doc::{Anchor, LinkId};
use crate::url::Url;
use serde_json::{Map, Value, json};

/// The form of the files written here; a greater number is a form that is not known here.
const FORM: u64 = 1;

/// How the run ended that wrote a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ending {
    /// The reader quit.
    Quit,
    /// Its tabs are to come back: the reader wants them to, or the system told the program to end.
    Back,
    /// It runs, or it was killed.
    Running,
}

/// What a file holds.
#[derive(Debug, PartialEq)]
pub(super) struct Record {
    pub session: Session,
    pub ending: Ending,
    /// Lines, from 1, and what is wrong with them.
    pub flaws: Vec<(usize, String)>,
}

/// The text of a session.
pub(super) fn write(session: &Session, ending: Ending) -> String {
    let ended = match ending {
        Ending::Quit => json!(true),
        Ending::Back => json!("told"),
        Ending::Running => json!(false),
    };
    let mut whole = json!({ "session": FORM, "front": session.front, "ended": ended });
    if session.coming {
        whole["coming"] = true.into();
    }
    let mut lines = vec![whole];
    for tab in &session.tabs {
        lines.push(json!({ "tab": tab.at }));
        // Who quits was asked about forms that were not sent, and gives them up.
        lines.extend(tab.places.iter().map(|place| line(place, ending != Ending::Quit)));
    }
    lines.push(json!({ "end": lines.len() + 1 }));
    lines.iter().map(|line| format!("{line}\n")).collect()
}

fn line(place: &KeptPlace, filled: bool) -> Value {
    let mut line = Map::new();
    line.insert("url".into(), place.url.as_str().into());
    let words = [("title", &place.title), ("media", &place.media)];
    line.extend(words.into_iter().filter_map(|(name, words)| Some((name.into(), words.clone()?.into()))));
    let Place { top, focus, left } = place.place;
    if top != Anchor::default() {
        line.insert("top".into(), json!([top.block, top.offset]));
    }
    line.extend(focus.map(|link| ("focus".into(), link.0.into())));
    if left > 0 {
        line.insert("left".into(), left.into());
    }
    if filled {
        fields::write(place, &mut line);
    }
    Value::Object(line)
}

/// Reads a file. Lines that make no sense are reported and left out; a file of another form is left out as a whole.
pub(super) fn read(octets: &[u8]) -> Record {
    let mut record = Record { session: Session::default(), ending: Ending::Running, flaws: Vec::new() };
    let mut ended = false;
    let octets = octets.strip_suffix(b"\n").unwrap_or(octets);
    let mut count = 0;
    for octets in octets.split(|octet| *octet == b'\n') {
        count += 1;
        // A tab whose line is damaged is a tab all the same: its places are not another's.
        let begins_tab = octets.starts_with(b"{\"tab\"");
        if begins_tab {
            record.session.tabs.push(KeptTab::default());
        }
        if let Err(wrong) = record.take(octets, &mut ended) {
            record.flaws.push((count, wrong));
        }
        if record.flaws.first().is_some_and(|(line, _)| *line == 1) {
            return Record { session: Session::default(), ..record };
        }
    }
    if !ended && record.flaws.last().is_none_or(|(line, _)| *line != count) {
        record.flaws.push((count, "the file ends here, too early".into()));
    }
    record
}

impl Record {
    /// Takes a line; the first must be that of the whole.
    fn take(&mut self, octets: &[u8], ended: &mut bool) -> Result<(), String> {
        let text = std::str::from_utf8(octets).map_err(|_| "this is not UTF-8")?;
        let line: Map<String, Value> =
            serde_json::from_str(text).map_err(|wrong| format!("this is no line of JSON ({wrong})"))?;
        let number = |name: &str| line.get(name).and_then(Value::as_u64);
        let small = |name: &str| number(name).and_then(|number| usize::try_from(number).ok());
        if let Some(form) = number("session") {
            if form > FORM {
                return Err("a newer Wayfarer wrote this file".into());
            }
            self.session.front = small("front").unwrap_or_default();
            self.ending = match line.get("ended") {
                Some(Value::Bool(true)) => Ending::Quit,
                Some(Value::String(_)) => Ending::Back,
                _ => Ending::Running,
            };
            self.session.killed = self.ending == Ending::Running;
            self.session.coming = line.get("coming") == Some(&Value::Bool(true));
        } else if let Some(at) = small("tab") {
            // Its beginning was seen already.
            if let Some(tab) = self.session.tabs.last_mut() {
                tab.at = at;
            }
        } else if let Some(url) = line.get("url").and_then(Value::as_str) {
            let url = Url::parse(url).map_err(|wrong| wrong.to_string())?;
            let tab = self.session.tabs.last_mut().ok_or("this place belongs to no tab")?;
            tab.places.push(place(url, &line));
        } else if number("end").is_some() {
            *ended = true;
        } else {
            return Err("this is neither a tab nor a place".into());
        }
        Ok(())
    }
}

/// What is missing, or is no number, is as if the reader were at the beginning.
fn place(url: Url, line: &Map<String, Value>) -> KeptPlace {
    let number = |value: Option<&Value>| value.and_then(Value::as_u64).and_then(|number| u32::try_from(number).ok());
    let top = line.get("top").and_then(Value::as_array);
    let top = top.and_then(|top| Some(Anchor { block: number(top.first())?, offset: number(top.get(1))? }));
    let words = |name: &str| line.get(name).and_then(Value::as_str).map(Into::into);
    let left = number(line.get("left")).and_then(|left| u16::try_from(left).ok()).unwrap_or_default();
    let place = Place { top: top.unwrap_or_default(), focus: number(line.get("focus")).map(LinkId), left };
    let (fields, asked) = fields::read(line);
    KeptPlace { url, title: words("title"), media: words("media"), place, fields, asked }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::{FieldMark, KeptAnswers, KeptField, KeptValue};

    fn session() -> Session {
        let place = |url: &str, block| KeptPlace {
            url: Url::parse(url).unwrap(),
            title: Some("A \"title\"\nof 日本".into()),
            media: (block > 1).then(|| "text/plain".into()),
            place: Place { top: Anchor { block, offset: 2 }, focus: Some(LinkId(block)), left: 3 },
            fields: Vec::new(),
            asked: None,
        };
        let bare = KeptPlace { title: None, media: None, place: Place::default(), ..place("http://h/", 0) };
        let tabs = vec![
            KeptTab { at: 1, places: vec![place("gopher://h/1", 1), place("file:///x%20y", 2)] },
            KeptTab { at: 0, places: vec![bare] },
        ];
        Session { front: 1, tabs, killed: false, coming: true }
    }

    #[test]
    fn a_session_comes_back_as_it_was() {
        for ending in [Ending::Quit, Ending::Back, Ending::Running] {
            let text = write(&session(), ending);
            assert_eq!(text.lines().count(), 7, "{text}");
            let session = Session { killed: ending == Ending::Running, ..session() };
            assert_eq!(read(text.as_bytes()), Record { session, ending, flaws: Vec::new() });
        }
    }

    /// A place with something in each kind of field.
    fn filled() -> Session {
        let field = |number, form, own: &str, value| KeptField {
            mark: FieldMark { number, form, name: "n \"\u{1b}".into(), sort: "kind".into(), own: own.into() },
            value,
        };
        let fields = vec![
            field(3, Some(1), "", KeptValue::Text("two\nlines".into())),
            field(4, None, "own", KeptValue::On(true)),
            field(5, None, "", KeptValue::Chosen(vec!["a".into(), "b".into()])),
        ];
        let asked = Some(KeptAnswers { url: Url::parse("gopher://h/1").unwrap(), fields: fields.clone() });
        let mut session = session();
        let place = &mut session.tabs[0].places[0];
        (place.fields, place.asked) = (fields, asked);
        session
    }

    #[test]
    fn what_was_filled_in_comes_back_unless_the_reader_quit() {
        let text = write(&filled(), Ending::Back);
        assert_eq!(read(text.as_bytes()).session, filled());
        assert_eq!(read(write(&filled(), Ending::Quit).as_bytes()).session, session());
        // What makes no sense costs its field.
        for (right, wrong) in [("\"kind\":\"kind\"", "\"kind\":7"), ("\"value\":true", "\"value\":{}")] {
            let record = read(text.replacen(right, wrong, 1).as_bytes());
            let place = &record.session.tabs[0].places[0];
            assert_eq!(
                (place.fields.len() + place.asked.as_ref().unwrap().fields.len(), record.flaws),
                (5, Vec::new())
            );
        }
    }

    #[test]
    fn wherever_a_file_is_cut_all_before_the_cut_is_there_and_the_line_is_told() {
        let text = write(&session(), Ending::Running);
        for cut in 0..text.len() - 1 {
            let record = read(&text.as_bytes()[..cut]);
            let before = &text.as_bytes()[..cut];
            let lines = before.iter().filter(|octet| **octet == b'\n').count();
            assert_eq!(record.flaws.len(), 1, "{cut}: {:?}", record.flaws);
            assert!((lines..=lines + 1).contains(&record.flaws[0].0), "{cut}: {:?}", record.flaws);
            let places = record.session.tabs.iter().flat_map(|tab| &tab.places).count();
            let whole = text.lines().take(lines).filter(|line| line.contains("url")).count();
            assert!(places >= whole, "{cut}");
        }
    }

    #[test]
    fn a_bad_line_costs_itself_only() {
        let text = write(&session(), Ending::Running);
        for bad in 1..6 {
            let lines: Vec<&[u8]> = text.lines().map(str::as_bytes).collect();
            let mut broken = lines.clone();
            let damaged = [&lines[bad][..8], b"\xff"].concat();
            broken[bad] = &damaged;
            let record = read(&broken.join(&b'\n'));
            assert_eq!(record.flaws.iter().map(|(line, _)| *line).collect::<Vec<_>>(), [bad + 1]);
            let of_place = lines[bad].starts_with(b"{\"url");
            let places = record.session.tabs.iter().flat_map(|tab| &tab.places).count();
            assert_eq!((record.session.tabs.len(), places), (2, 3 - usize::from(of_place)), "line {}", bad + 1);
        }
    }

    #[test]
    fn a_file_of_another_form_is_left_out() {
        for (first, said) in [
            ("{\"session\":2,\"future\":true}", "newer"),
            ("PK\u{3}\u{4}", "JSON"),
            ("{\"url\":\"http://h/\"}", "no tab"),
            ("[]", "JSON"),
        ] {
            let record = read(format!("{first}\n{{\"tab\":0}}\n{{\"url\":\"http://h/\"}}\n").as_bytes());
            assert!(record.session.tabs.is_empty() && record.flaws[0].1.contains(said), "{:?}", record.flaws);
        }
        assert!(!read(b"").flaws.is_empty());
    }
}
