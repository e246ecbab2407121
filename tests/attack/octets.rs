//! The judge of what reaches a terminal: octets are read as a terminal reads them, and whatever is not on the list of
//! what the program itself says is somebody else's.
//!
//! The list knows no sanitiser: it has the sequences in exactly the form in which they are written (a colour by its
//! number in a list of 256, a cursor by row and column), so that another form of the same, which attacks have, is seen.

/// Where octets went.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sink {
    /// The browser on a screen of so many columns and rows.
    Screen(u16, u16),
    /// Printed, with links marked for the terminal.
    Printed,
    /// Printed where no terminal is: text, line ends and tabs.
    Piped,
}

/// Everything that the program has no business to write: where it begins, and what stands around it.
pub fn foreign(octets: &[u8], sink: Sink) -> Vec<(usize, String)> {
    let (mut found, mut at) = (Vec::new(), 0);
    while at < octets.len() {
        let valid = match std::str::from_utf8(&octets[at..]) {
            Ok(text) => text,
            Err(error) => std::str::from_utf8(&octets[at..at + error.valid_up_to()]).unwrap_or_default(),
        };
        let mut done = 0;
        while let Some(c) = valid[done..].chars().next() {
            let length = match c {
                '\x1b' if is_question(octets, at + done, sink) => Some(QUESTION.len()),
                '\x1b' => sequence(&valid[done..], sink),
                _ if plain(c, sink) => Some(c.len_utf8()),
                _ => None,
            };
            if length.is_none() {
                found.push((at + done, around(octets, at + done, &c.escape_unicode().to_string())));
            }
            done += length.unwrap_or(c.len_utf8());
        }
        at += valid.len();
        if at < octets.len() {
            found.push((at, around(octets, at, "no UTF-8")));
            at += 1;
        }
    }
    found
}

/// What the terminal is asked once, when it has been taken: which ground letters stand on.
const QUESTION: &str = "\x1b]11;?\x07";

/// Whether that question stands there, where the program asks it and nowhere else: before the first frame.
fn is_question(octets: &[u8], at: usize, sink: Sink) -> bool {
    let begun = octets[..at].ends_with(b"\x1b[?25l") && !octets[..at].windows(6).any(|here| here == b"[?2026");
    matches!(sink, Sink::Screen(..)) && begun && octets[at..].starts_with(QUESTION.as_bytes())
}

/// Whether a character may be written by itself.
fn plain(c: char, sink: Sink) -> bool {
    match c {
        '\n' | '\t' => !matches!(sink, Sink::Screen(..)),
        '\r' => sink == Sink::Printed,
        _ => !(c.is_control() || hides(c)),
    }
}

/// Characters that turn text round or hide it.
pub fn hides(c: char) -> bool {
    let turns = matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    let breaks = matches!(c, '\u{2028}' | '\u{2029}');
    let unseen = matches!(c, '\u{ad}' | '\u{34f}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180e}')
        || matches!(c, '\u{2060}'..='\u{2064}' | '\u{206a}'..='\u{206f}' | '\u{2800}' | '\u{3164}' | '\u{feff}')
        || matches!(c, '\u{ffa0}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}');
    turns || breaks || unseen
}

/// The length of a sequence of the program's own.
fn sequence(rest: &str, sink: Sink) -> Option<usize> {
    let own = if let Some(body) = rest.strip_prefix("\x1b[") {
        let end = body.find(|c: char| ('@'..='~').contains(&c))?;
        matches!(sink, Sink::Screen(..)).then_some(())?;
        control(&body[..end], &body[end..=end], sink).then_some(2 + end + 1)?
    } else if let Some(body) = rest.strip_prefix("\x1b7\x1b[") {
        // On a machine that is busy the watchdog says so, over the last row and nowhere else.
        let (row, body) = body.split_once(";1H\x1b[0;7m\x1b[2K Wayfarer is busy")?;
        let (words, _) = body.split_once("\x1b8")?;
        let last = matches!(sink, Sink::Screen(_, rows) if row.parse() == Ok(rows));
        (last && words.chars().all(|c| plain(c, sink))).then(|| rest.find("\x1b8").map(|end| end + 2))??
    } else if let Some(body) = rest.strip_prefix("\x1b]0;") {
        let end = body.find('\x07')?;
        let title = body[..end].strip_suffix(" - Wayfarer")?;
        let fine = matches!(sink, Sink::Screen(..)) && title.chars().all(|c| plain(c, sink));
        fine.then_some(4 + end + 1)?
    } else if let Some(body) = rest.strip_prefix("\x1b]8;;") {
        let end = body.find("\x1b\\")?;
        let own = !body.starts_with("owned:x");
        let fine = own && sink == Sink::Printed && body[..end].bytes().all(|b| b.is_ascii_graphic());
        fine.then_some(5 + end + 2)?
    } else if let Some(body) = rest.strip_prefix("\x1b]52;c;") {
        let end = body.find("\x1b\\")?;
        let fine = body[..end].bytes().all(|b| b.is_ascii_alphanumeric() || b"+/=".contains(&b));
        (fine && matches!(sink, Sink::Screen(..))).then_some(7 + end + 2)?
    } else {
        return None;
    };
    Some(own)
}

/// Whether a control sequence is one of the program's: cursor, colours, what it switches on and off.
fn control(parameters: &str, last: &str, sink: Sink) -> bool {
    const SWITCHES: [&str; 7] = ["?1049", "?25", "?2004", "?2026", "?1000", "?1002", "?1006"];
    let numbers: Option<Vec<u16>> = parameters.split(';').map(|n| n.parse().ok()).collect();
    match (last, numbers.as_deref(), sink) {
        ("H", Some([row, column]), Sink::Screen(columns, rows)) => {
            (1..=rows).contains(row) && (1..=columns).contains(column)
        }
        ("m", Some(numbers), _) => look(numbers),
        ("J", Some([2]), _) | ("t", Some([22 | 23, 0]), _) => true,
        ("h", None, _) => SWITCHES[..4].contains(&parameters),
        ("l", None, _) => SWITCHES.contains(&parameters),
        _ => false,
    }
}

/// Whether all of these are colours of a list, colours by their parts, and the attributes that a theme has.
fn look(mut numbers: &[u16]) -> bool {
    while !numbers.is_empty() {
        numbers = match numbers {
            [38 | 48 | 58, 5, 0..=255, rest @ ..] => rest,
            [38 | 48 | 58, 2, 0..=255, 0..=255, 0..=255, rest @ ..] => rest,
            [0 | 1 | 2 | 3 | 4 | 7 | 22 | 23 | 24 | 27 | 39 | 49 | 59, rest @ ..] => rest,
            _ => return false,
        };
    }
    true
}

fn around(octets: &[u8], at: usize, what: &str) -> String {
    let part = &octets[at.saturating_sub(60)..(at + 30).min(octets.len())];
    format!("{what} is written: {:?}", String::from_utf8_lossy(part))
}

/// The judge judges: each of these is somebody else's.
pub fn tried(vectors: &[Vec<u8>]) -> Vec<String> {
    let screen = Sink::Screen(80, 24);
    let own = b"\x1b[?1049h\x1b[22;0t\x1b[2J\x1b[1;1H\x1b[38;5;4mtext\x1b[39m\x1b]0;a title - Wayfarer\x07\x1b[?25l";
    let mut wrong: Vec<String> = foreign(own, screen).into_iter().map(|(_, why)| why).collect();
    for vector in vectors {
        for sink in [screen, Sink::Printed, Sink::Piped] {
            if foreign(vector, sink).is_empty() {
                wrong.push(format!("{:?} is let through to {sink:?}", String::from_utf8_lossy(vector)));
            }
        }
    }
    wrong
}
