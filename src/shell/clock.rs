//! What time it is, by the clock and in the time zone of this machine.
//!
//! Where the zone is a file of the system's its file is read: to look a name up, the library reads the names of all zones in a hundred
//! folders first.

use jiff::tz::TimeZone;
use jiff::{Timestamp, Zoned};
use std::path::{Component, Path};
use std::time::{Duration, Instant};

/// After so long the zone is looked at again: its machine may have travelled.
const KNOWN_FOR: Duration = Duration::from_secs(5 * 60);
/// Where the system says which zone it is in, by a link to
const HERE: &str = "/etc/localtime";
/// one of the files in this folder, named by their places in it.
const ZONES: &str = "/usr/share/zoneinfo";

/// The clock.
#[derive(Default)]
pub(super) struct Clock {
    zone: Option<(TimeZone, Instant)>,
}

impl Clock {
    /// What time it is.
    pub(super) fn now(&mut self) -> Zoned {
        let known = self.zone.take().filter(|(_, since)| since.elapsed() < KNOWN_FOR);
        let (zone, _) = self.zone.insert(known.unwrap_or_else(|| (zone(), Instant::now())));
        Timestamp::now().to_zoned(zone.clone())
    }
}

/// The zone that the environment names, else that of the machine.
fn zone() -> TimeZone {
    let said = std::env::var("TZ");
    let name = match &said {
        Ok(name) => Some(name.clone()),
        Err(std::env::VarError::NotPresent) => linked(Path::new(HERE)),
        Err(std::env::VarError::NotUnicode(_)) => None,
    };
    name.and_then(|name| named(Path::new(ZONES), &name)).unwrap_or_else(TimeZone::system)
}

/// The name of the zone to which a link leads.
fn linked(link: &Path) -> Option<String> {
    let target = std::fs::read_link(link).ok()?;
    Some(target.to_str()?.rsplit_once("zoneinfo/")?.1.to_owned())
}

/// The zone that a file in a folder describes; `None` where its name is none of a file there.
fn named(folder: &Path, name: &str) -> Option<TimeZone> {
    let within = Path::new(name).components().all(|part| matches!(part, Component::Normal(_)));
    TimeZone::tzif(name, &std::fs::read(folder.join(name)).ok().filter(|_| within)?).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    /// A zone three hours east of Greenwich, as its file has it (RFC 9636): nothing of the past, and the rule in words.
    fn file() -> Vec<u8> {
        let head = |counts: [u8; 6]| {
            let counts = counts.into_iter().flat_map(|count| [0, 0, 0, count]);
            [b"TZif2".as_slice(), &[0; 15]].concat().into_iter().chain(counts).collect::<Vec<u8>>()
        };
        let kind = [&10800_i32.to_be_bytes()[..], &[0, 0], b"EAT\0"].concat();
        let part = [head([0, 0, 0, 0, 1, 4]), kind].concat();
        [&part[..], &part, b"\nEAT-3\n"].concat()
    }

    #[test]
    fn a_zone_is_read_from_its_file_by_the_name_that_a_link_leads_to() {
        let folder = tempfile::tempdir().unwrap();
        let zones = folder.path().join("zoneinfo");
        std::fs::create_dir_all(zones.join("Africa")).unwrap();
        std::fs::write(zones.join("Africa/Nairobi"), file()).unwrap();
        std::fs::write(folder.path().join("no-zone"), file()).unwrap();
        let link = folder.path().join("localtime");
        symlink(zones.join("Africa/Nairobi"), &link).unwrap();
        let name = linked(&link).unwrap();
        let zone = named(&zones, &name).unwrap();
        assert_eq!((name.as_str(), zone.iana_name()), ("Africa/Nairobi", Some("Africa/Nairobi")));
        let time: Timestamp = "2026-01-01T00:00:00Z".parse().unwrap();
        assert_eq!(time.to_zoned(zone).to_string(), "2026-01-01T03:00:00+03:00[Africa/Nairobi]");
        for other in ["", "Africa", "Africa/Nowhere", "EST5EDT,M3.2.0,M11.1.0", "../no-zone", "/etc/localtime"] {
            assert!(named(&zones, other).is_none(), "{other:?}");
        }
        assert_eq!(linked(&zones), None, "no link");
    }
}
