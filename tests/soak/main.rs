//! Days of reading in minutes: visits in all spaces with stops, ways back, tabs and other sizes of the screen, while it is looked
//! whether the program grows.
//!
//! `WAYFARER_SOAK=10000 cargo test --test soak -- --nocapture` is the long run, with `WAYFARER_PROGRAM=target/dist/wayfarer` of what
//! was packed; a short one is tried as a rule. What is printed is what the system says of the process. Threads, open files and the
//! memory that a visit leaves are judged in every run; processor time, and memory as a part of what there is, in runs of 2,000 visits and more.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

#[path = "../pty/door.rs"]
mod door;
#[path = "../fault/fault.rs"]
#[expect(dead_code, reason = "each binary uses its share of the harness")]
mod fault;
#[path = "../kept/home.rs"]
#[expect(dead_code, reason = "each binary uses its share of the harness")]
mod home;
#[path = "../fault/host.rs"]
#[expect(dead_code, reason = "each binary uses its share of the harness")]
mod host;
#[path = "../fault/line.rs"]
mod line;
#[path = "../fault/pem.rs"]
mod pem;
mod process;
mod soak;
#[path = "../fault/space.rs"]
#[expect(dead_code, reason = "each binary uses its share of the harness")]
mod space;
#[path = "../pty/terminal.rs"]
#[expect(dead_code, reason = "each binary uses its share of the harness")]
mod terminal;
