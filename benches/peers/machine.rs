//! What everything was measured on.

use super::programs::{Player, said};
use std::fs::read_to_string;

/// Prints it, for the head of the report.
pub fn describe(players: &[Player], missing: &[&str], runs: usize) {
    let processors = read_to_string("/proc/cpuinfo").unwrap_or_default();
    let field = |name: &str| {
        let line = processors.lines().find(|line| line.starts_with(name));
        line.and_then(|line| Some(line.split_once(':')?.1.trim().to_owned())).unwrap_or_default()
    };
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let line = |path: &str| read_to_string(path).unwrap_or_default().trim().to_owned();
    let memory = line("/proc/meminfo").split_ascii_whitespace().nth(1).and_then(|kb| kb.parse::<f64>().ok());
    let system = line("/etc/os-release");
    let system = system.lines().find_map(|line| line.strip_prefix("PRETTY_NAME=")).unwrap_or_default();
    let virtual_machine = if field("flags").contains("hypervisor") { " of a virtual machine" } else { "" };
    println!(
        "{} ({cores} cores{virtual_machine}, {:.1} GB), {}, Linux {}, {}, load {} at the beginning, {runs} runs.",
        field("model name"),
        memory.unwrap_or_default() / 1e6,
        system.trim_matches('"'),
        line("/proc/sys/kernel/osrelease"),
        said("rustc", &["--version"]).unwrap_or_default(),
        line("/proc/loadavg").split(' ').next().unwrap_or_default(),
    );
    let versions: Vec<String> = players.iter().map(|p| format!("{} {}", p.peer.name, p.version())).collect();
    println!("\n{}.", versions.join(", "));
    if !missing.is_empty() {
        println!("\nNot installed, so not measured: {}.", missing.join(", "));
    }
}
