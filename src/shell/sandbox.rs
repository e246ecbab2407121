//! What threads that read octets from servers may do to this machine. On Linux the kernel (Landlock) refuses them to start
//! programs, and to write, make, name or remove files: protocols, TLS, parsers and searches need none of that. What is kept is written by
//! a thread of its own; files that the reader asks for, and programs, are for the keyboard's side of the browser ([`super::place`]).
//!
//! Refuses: guarding against what a thread does to the memory of another.

use crate::config::Sandbox as Wanted;
use std::sync::Arc;

/// What threads may do. Copies are one.
#[derive(Clone)]
pub(super) struct Sandbox {
    rules: Option<Arc<kernel::Rules>>,
    /// One sentence of it, for the reader.
    pub sentence: String,
    /// Nothing is refused although that was wanted.
    pub missing: bool,
}

impl Sandbox {
    /// Prepares it. Of a kernel that cannot do it, it says so.
    ///
    /// # Errors
    /// The settings want it in any case, and the kernel cannot.
    pub(super) fn new(wanted: Wanted) -> Result<Sandbox, String> {
        let none = |sentence: String, missing| Sandbox { rules: None, sentence, missing };
        if wanted == Wanted::Never {
            return Ok(none(
                "Nothing keeps what reads from servers from files and programs: the settings say so (sandbox)".into(),
                false,
            ));
        }
        match kernel::Rules::new() {
            Ok((rules, whole)) => {
                let extent = if whole { "" } else { ", as far as this kernel can" };
                let sentence = format!(
                    "What reads from servers can neither write files nor start programs: the kernel refuses \
                     it (Landlock{extent})"
                );
                Ok(Sandbox { rules: Some(Arc::new(rules)), sentence, missing: false })
            }
            Err(why) if wanted == Wanted::Always => Err(format!("sandbox = \"always\", but {why}")),
            Err(why) => Ok(none(format!("No sandbox: {why}"), true)),
        }
    }

    /// Confines this thread, and those that it will start. A thread that cannot be confined must not go on.
    pub(super) fn confine(&self) {
        if let Some(rules) = &self.rules
            && let Err(why) = rules.enforce()
        {
            super::terminal::give_back();
            super::terminal::complain_past(&format!(
                "a thread could not be kept in the sandbox: {why} (sandbox = \"never\" does without)"
            ));
            std::process::exit(1);
        }
    }
}

#[cfg(target_os = "linux")]
mod kernel {
    use landlock::{ABI, AccessFs, CompatLevel, Compatible, Ruleset, RulesetAttr, RulesetCreated, RulesetStatus};

    /// The newest that is known here; an older kernel does what it can.
    const KNOWN: ABI = ABI::V5;

    pub(super) struct Rules(RulesetCreated);

    impl Rules {
        /// And whether the kernel knows all that is wanted.
        pub(super) fn new() -> Result<(Rules, bool), String> {
            if let Ok(rules) = Rules::made(CompatLevel::HardRequirement) {
                return Ok((rules, true));
            }
            let rules = Rules::made(CompatLevel::BestEffort)?;
            // How much of it is known is seen where it is tried, on a thread that does nothing else.
            std::thread::scope(|scope| {
                let tried = scope.spawn(|| rules.enforce()).join();
                match tried.map_err(|_| "a thread for it could not be started".to_owned())?? {
                    RulesetStatus::FullyEnforced => Ok(true),
                    RulesetStatus::PartiallyEnforced => Ok(false),
                    RulesetStatus::NotEnforced => Err("this kernel has no Landlock (Linux 5.13)".into()),
                }
            })
            .map(|whole| (rules, whole))
        }

        fn made(level: CompatLevel) -> Result<Rules, String> {
            let rules = Ruleset::default()
                .set_compatibility(level)
                .handle_access(AccessFs::from_write(KNOWN) | AccessFs::Execute)
                .and_then(Ruleset::create);
            rules.map(Rules).map_err(|error| error.to_string())
        }

        pub(super) fn enforce(&self) -> Result<RulesetStatus, String> {
            let rules = self.0.try_clone().map_err(|error| error.to_string())?;
            rules.restrict_self().map(|status| status.ruleset).map_err(|error| error.to_string())
        }
    }
}

#[cfg(not(target_os = "linux"))]
mod kernel {
    pub(super) enum Rules {}

    impl Rules {
        pub(super) fn new() -> Result<(Rules, bool), String> {
            Err("this system is not known to have one".into())
        }

        pub(super) fn enforce(&self) -> Result<(), String> {
            match *self {}
        }
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;
    use std::fs;
    use std::process::Command;

    #[test]
    fn a_thread_in_it_writes_nothing_and_starts_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let other = folder.path();
        fs::write(other.join("old"), "old").unwrap();
        let sandbox = Sandbox::new(Wanted::Auto).unwrap();
        if sandbox.missing {
            // There is nothing to be seen on such a kernel but that it is said.
            assert!(sandbox.sentence.starts_with("No sandbox"), "{}", sandbox.sentence);
            assert!(Sandbox::new(Wanted::Always).is_err());
            return;
        }
        let program = std::env::current_exe().unwrap();
        std::thread::scope(|scope| {
            scope.spawn(|| {
                sandbox.confine();
                assert_eq!(fs::read(other.join("old")).unwrap(), b"old", "reading is not its matter");
                assert!(fs::write(other.join("new"), "new").is_err());
                assert!(fs::write(other.join("old"), "new").is_err());
                assert!(fs::remove_file(other.join("old")).is_err());
                assert!(fs::rename(other.join("old"), other.join("newer")).is_err());
                assert!(fs::create_dir(other.join("folder")).is_err());
                assert!(std::os::unix::fs::symlink("x", other.join("link")).is_err());
                assert!(Command::new(&program).arg("--list").output().is_err());
                // Nor do those that it starts.
                assert!(
                    std::thread::scope(|scope| scope.spawn(|| fs::write(other.join("new"), "")).join().unwrap())
                        .is_err()
                );
            });
        });
        assert_eq!(fs::read(other.join("old")).unwrap(), b"old");
        assert!(Command::new(&program).arg("--list").output().is_ok(), "others do as before");
    }
}
