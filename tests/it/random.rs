//! Random search: from which seed, and how far. Both are the same at every run and on every machine, so that a change breaks a
//! test or does not; whoever searches for more takes others by name.
//!
//! `WAYFARER_SEED=random` draws a seed, `WAYFARER_SEED=12` is that one, `WAYFARER_CASES=1000000` goes further. The seed is said where a
//! test fails.

use proptest::test_runner::{Config, RngSeed};
use std::hash::{BuildHasher, RandomState};

/// From where everything here is drawn.
const SEED: u64 = 0x9E37_79B9_7F4A_7C15;

/// The seed, and the number of cases where `usual` ones are tried as a rule.
pub fn seed_and_cases(usual: u32) -> (u64, u32) {
    let cases = asked("WAYFARER_CASES").map_or(usual, |text| text.parse().expect("WAYFARER_CASES is a number"));
    let seed = match asked("WAYFARER_SEED").as_deref() {
        None => SEED,
        Some("random") => RandomState::new().hash_one(cases),
        Some(text) => text.parse().expect("WAYFARER_SEED is a number or \"random\""),
    };
    // Shown with a test that fails.
    eprintln!("the same again: WAYFARER_SEED={seed} WAYFARER_CASES={cases}");
    (seed, cases)
}

/// How a property is tried. Nothing is written where one fails: what was found becomes a row of a test.
pub fn search(usual: u32) -> Config {
    let (seed, cases) = seed_and_cases(usual);
    Config { cases, rng_seed: RngSeed::Fixed(seed), failure_persistence: None, ..Config::default() }
}

fn asked(variable: &str) -> Option<String> {
    std::env::var(variable).ok().filter(|text| !text.is_empty())
}
