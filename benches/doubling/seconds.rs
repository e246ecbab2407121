//! Times on larger inputs, for people to look at: what grows faster than its input sinks to the top of nobody's list here.

use super::{MEMORY, Row};
use nix::sys::resource::{UsageWho, getrusage};

/// The largest input.
const MOST: usize = 4 << 20;
/// Growing ends with a run of so many seconds.
const ENOUGH: f64 = 0.15;

/// Doubles the input of each row until it takes long; prints the last three, and the memory for each octet of the last.
pub fn show(rows: &[Row]) {
    println!("{:<40}{:>10}{:>10}{:>10}{:>10}{:>9}{:>9}", "", "octets", "1/4", "1/2", "seconds", "growth", "memory");
    for row in rows {
        let (mut octets, mut times) = (row.octets, Vec::new());
        let held = loop {
            let work = (row.make)(octets);
            let before = MEMORY.current_usage();
            MEMORY.reset_peak_usage();
            let start = busy();
            work();
            times.push(busy() - start);
            let held = (MEMORY.peak_usage() - before) as f64 / octets as f64;
            if octets * 2 > MOST || times.last().is_some_and(|time| *time > ENOUGH) {
                break held;
            }
            octets *= 2;
        };
        let [.., a, b, c] = times[..] else {
            println!("{:<40}{octets:>10} {times:?}", row.name);
            continue;
        };
        let mark = if c - b > 2.6 * (b - a) { " <<<" } else { "" };
        println!("{:<40}{octets:>10}{a:>10.4}{b:>10.4}{c:>10.4}{:>9.2}{held:>9.1}{mark}", row.name, (c - b) / (b - a));
    }
}

/// Seconds of the processor that this process has had: what others do meanwhile does not count.
fn busy() -> f64 {
    getrusage(UsageWho::RUSAGE_SELF).map_or(0.0, |usage| {
        let time = usage.user_time();
        time.tv_sec() as f64 + time.tv_usec() as f64 / 1e6
    })
}
