//! The table of commands against the key presets and the help.

use super::journey::Journey;
use wayfarer::app::{COMMANDS, command_names};
use wayfarer::keys::{Keymap, PRESETS};

#[test]
fn every_preset_binds_commands_that_exist() {
    for (name, _) in PRESETS {
        let mut errors = Vec::new();
        let keymap = Keymap::preset(name, &command_names(), &mut errors).unwrap();
        assert!(errors.is_empty(), "{name}: {errors:?}");
        for (mode, keys, line) in keymap.bindings() {
            let command = line.split_whitespace().next().unwrap();
            assert!(
                COMMANDS.iter().any(|c| c.name == command && c.modes.contains(mode)),
                "{name}: {command} on {keys:?} does nothing in {mode:?}"
            );
        }
    }
}

#[test]
fn names_are_unique_in_each_mode_and_explained() {
    for (i, command) in COMMANDS.iter().enumerate() {
        assert!(!command.help.is_empty());
        assert!(command.help.len() + command.name.len() <= 53, "{} wraps in the help at 80 columns", command.name);
        for other in &COMMANDS[i + 1..] {
            let both = command.modes.iter().any(|mode| other.modes.contains(mode));
            assert!(command.name != other.name || !both, "{} twice", command.name);
        }
    }
}

#[test]
fn help_lists_every_command_with_the_live_keys() {
    let mut j = Journey::at(&["0|A|/a"]);
    j.app.keymap.bind(wayfarer::keys::Mode::Page, vec![wayfarer::keys::Key::named("M-x").unwrap()], "downloads".into());
    let j = j.keys("? ?");
    let text = j.over();
    for command in COMMANDS {
        assert!(text.contains(command.name) && text.contains(command.help), "{}", command.name);
    }
    assert!(text.lines().any(|line| line.contains("M-x") && line.contains("list of downloads")), "{text}");
    j.keys("Space Space Esc").free();
}

#[test]
fn a_welcome_names_three_keys() {
    let mut j = Journey::new();
    j.app.welcome();
    j.notes("? help").notes("g open").notes("q quit");
}
