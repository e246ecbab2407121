//! A seeded simulation: a reader and a world do whatever can be done, in any order, and after each step all that has to hold is
//! looked at. A run is its seed: the same on every machine.

mod broken;
mod drive;
mod interleaved;
mod invariants;
mod messages;
pub mod random;
mod reader;
mod shell;
mod tally;
mod world;

use drive::Sim;
use std::time::Instant;
use tally::Tally;
use wayfarer::shell::record::{Replay, Tape};

/// Steps of a short run.
const STEPS: usize = 250;

/// Runs a seed and then closes everything.
fn run(seed: u64, steps: usize, tally: &mut Tally) {
    let mut sim = Sim::new(seed);
    for step in 0..steps {
        if let Err(wrong) = sim.step() {
            panic!("seed {seed}, step {step}: {wrong}\nafter {:#?}", sim.last);
        }
    }
    if let Err(wrong) = sim.close() {
        panic!("seed {seed}, at the end: {wrong}\nafter {:#?}", sim.last);
    }
    tally.add(&sim.tally);
}

#[test]
fn whatever_happens_the_browser_stays_whole() {
    let mut tally = Tally::default();
    for seed in 0..12 {
        run(seed, STEPS, &mut tally);
    }
}

#[test]
fn a_recorded_run_asks_for_the_same_when_it_is_told_again_and_holds_no_secret() {
    for seed in 100..116 {
        let mut sim = Sim::new(seed);
        sim.record().unwrap();
        let (settings, keymap) = (sim.app.desk.settings.clone(), sim.app.desk.keymap.clone());
        for _ in 0..STEPS {
            if sim.has_ended() {
                break;
            }
            sim.step().unwrap_or_else(|wrong| panic!("seed {seed}: {wrong}"));
        }
        let (mut recorder, mut text) = sim.recorded.take().unwrap();
        recorder.flush(&mut |line| text.push_str(&line));
        let leaks = sim.secrets.iter().find(|secret| text.contains(&secret.words));
        assert!(leaks.is_none(), "seed {seed}: {leaks:?}");
        let tape = Tape::read(text.as_bytes()).unwrap_or_else(|wrong| panic!("seed {seed}: {wrong}"));
        if let Err(difference) = Replay::new(tape, settings, keymap).check() {
            panic!("seed {seed}: {difference}");
        }
    }
}

/// `WAYFARER_SIM_STEPS=1000000 WAYFARER_SIM_SEED=7 cargo test --release --test it -- --ignored long --nocapture`
#[test]
#[ignore = "takes as long as one wants"]
fn long() {
    let number = |name: &str, or: u64| std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(or);
    let (steps, mut seed) = (number("WAYFARER_SIM_STEPS", 200_000), number("WAYFARER_SIM_SEED", 1_000));
    let (started, mut done, mut tally) = (Instant::now(), 0, Tally::default());
    while done < steps {
        run(seed, 1000, &mut tally);
        (seed, done) = (seed + 1, done + 1000);
    }
    let rate = done as f64 / started.elapsed().as_secs_f64().max(0.001);
    println!("{tally}{done} steps, {rate:.0} a second");
    assert!(tally.missing().is_empty(), "these never occurred: {:?}", tally.missing());
}
