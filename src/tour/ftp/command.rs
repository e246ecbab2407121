//! A line of the control connection: verb and argument, without what telnet puts between (RFC 959, 2.3).

/// Telnet's "interpret as command".
pub(super) const IAC: u8 = 0xFF;

/// A command.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Command {
    /// In capitals.
    pub verb: String,
    /// Octets; empty where there is none.
    pub argument: Vec<u8>,
}

impl Command {
    /// Reads a line without its end.
    pub fn of(line: &[u8]) -> Command {
        let line = without_telnet(line);
        let end = line.iter().position(|octet| *octet == b' ').unwrap_or(line.len());
        let verb = String::from_utf8_lossy(&line[..end]).to_ascii_uppercase();
        Command { verb, argument: line.get(end + 1..).unwrap_or_default().to_vec() }
    }
}

/// 0xFF is doubled; before a verb stand telnet's own commands (`ABOR` comes so). Many clients forget the doubling.
fn without_telnet(line: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(line.len());
    let mut rest = line;
    while let Some((first, more)) = rest.split_first() {
        rest = match more.first() {
            Some(251..=254) if *first == IAC => more.get(2..).unwrap_or_default(),
            Some(240..=250) if *first == IAC => &more[1..],
            following => {
                out.push(*first);
                if *first == IAC && following == Some(&IAC) { &more[1..] } else { more }
            }
        };
    }
    out
}
