//! The recipes of CONTRIBUTING.md, followed to the letter.
//!
//! That their places are there is seen at once. To follow them, all in one copy of the source, builds the program a second time:
//! `cargo test --test recipes -- --ignored`, which .ci/run does.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod copy;
mod page;

use copy::Copy;
use page::{Step, recipes};
use std::path::Path;
use std::process::Command;

const SOURCE: &str = env!("CARGO_MANIFEST_DIR");

#[test]
fn every_place_that_a_recipe_names_is_there() {
    let recipes = recipes();
    let names: Vec<&str> = recipes.iter().map(|recipe| recipe.name.as_str()).collect();
    let wanted = [
        "A new scheme",
        "A new format",
        "A new command",
        "A new setting",
        "A new effect with its answer",
        "A new overlay",
        "A new theme",
    ];
    assert_eq!(names, wanted);
    for recipe in &recipes {
        for step in &recipe.steps {
            match step {
                Step::Below { file, words, .. } | Step::After { file, words, .. } => {
                    drop(copy::place(&Path::new(SOURCE).join(file), words))
                }
                Step::End { file, .. } => assert!(Path::new(SOURCE).join(file).is_file(), "{file}"),
                Step::Write { file, .. } => assert!(!Path::new(SOURCE).join(file).exists(), "{file} is there already"),
                Step::Move { .. } | Step::Run { .. } => {}
            }
        }
        let runs = recipe.steps.iter().filter(|step| matches!(step, Step::Run { .. })).count();
        assert!(runs > 0, "{} proves nothing", recipe.name);
    }
}

/// What needs no source needs no copy of it either: the program as it is reads the theme.
#[test]
fn a_theme_of_the_readers_own_is_taken_by_the_program_as_it_is() {
    let home = tempfile::tempdir().unwrap();
    let theme = recipes().pop().unwrap();
    let mut checked = false;
    for step in theme.steps.iter().take_while(|step| !matches!(step, Step::Move { .. })) {
        match step {
            Step::Write { file, text } => copy::write(&home.path().join(file.strip_prefix("~/").unwrap()), text),
            Step::Run { command, .. } => {
                let arguments = command.split(' ').skip(1);
                let mut program = Command::new(env!("CARGO_BIN_EXE_wayfarer"));
                let done = program.args(arguments).env_clear().env("HOME", home.path()).output().unwrap();
                assert!(done.status.success(), "{command}: {}", String::from_utf8_lossy(&done.stderr));
                assert!(done.stdout.is_empty() && done.stderr.is_empty(), "{command}");
                checked = true;
            }
            other => panic!("{other:?} needs the source"),
        }
    }
    assert!(checked);
}

#[test]
#[ignore = "builds the program a second time, in a minute or more: cargo test --test recipes -- --ignored"]
fn every_recipe_followed_to_the_letter_works() {
    let copy = Copy::of(Path::new(SOURCE), "recipes");
    // All first, so that one build serves all.
    for recipe in recipes() {
        for step in &recipe.steps {
            copy.follow(step);
        }
    }
    copy.is_tidy();
    for recipe in recipes() {
        for step in &recipe.steps {
            if let Step::Run { command, prints } = step {
                let said = copy.run(command);
                if let Some(prints) = prints {
                    assert_eq!(said, *prints, "{}: {command}", recipe.name);
                }
                eprintln!("{}: {command}", recipe.name);
            }
        }
    }
}
