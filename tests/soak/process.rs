//! What the system says of a process.

use std::fs;

/// A look at it.
#[derive(Debug, Clone, Copy)]
pub struct Look {
    /// Octets in memory that are its own or shared.
    pub memory: u64,
    pub threads: u64,
    pub files: u64,
    /// Processor time, in ticks of the system.
    pub ticks: u64,
}

/// How long a tick is, on every Linux of today.
pub const TICK_MS: u64 = 10;

impl Look {
    pub fn at(id: u32) -> Look {
        let read = |name: &str| fs::read_to_string(format!("/proc/{id}/{name}")).unwrap();
        let (status, stat) = (read("status"), read("stat"));
        let field = |name: &str| {
            let line = status.lines().find(|line| line.starts_with(name)).unwrap();
            line.split_whitespace().nth(1).unwrap().parse::<u64>().unwrap()
        };
        // The name before the bracket may hold anything.
        let (_, after) = stat.rsplit_once(')').unwrap();
        let numbers: Vec<&str> = after.split_whitespace().collect();
        let ticks = numbers[11].parse::<u64>().unwrap() + numbers[12].parse::<u64>().unwrap();
        let files = fs::read_dir(format!("/proc/{id}/fd")).unwrap().count() as u64;
        Look { memory: field("VmRSS:") * 1024, threads: field("Threads:"), files, ticks }
    }
}

#[test]
fn a_look_at_this_process_sees_something() {
    let look = Look::at(std::process::id());
    assert!(look.memory > 100_000 && look.threads >= 1 && look.files >= 3, "{look:?}");
}
