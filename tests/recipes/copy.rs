//! A copy of the source in which something is changed and tried, below the target folder. Crates that are built already are taken from there.

use super::page::Step;
use std::cell::RefCell;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A copy of the source, a target folder and a home of its own.
pub struct Copy {
    tree: PathBuf,
    target: PathBuf,
    home: PathBuf,
    written: RefCell<PathBuf>,
}

impl Copy {
    /// Copies a source into a folder of this name.
    pub fn of(source: &Path, name: &str) -> Copy {
        // This program is target/PROFILE/deps/NAME-HASH.
        let own = std::env::current_exe().unwrap();
        let built = own.parent().and_then(Path::parent).unwrap();
        let folder = built.parent().unwrap().join(name);
        let copy = Copy {
            tree: folder.join("tree"),
            target: folder.join("target"),
            home: folder.join("home"),
            written: RefCell::default(),
        };
        for old in [&copy.tree, &copy.home] {
            let _ = fs::remove_dir_all(old);
            fs::create_dir_all(old).unwrap();
        }
        for entry in fs::read_dir(source).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_str().unwrap();
            // A test looks at the scripts that make packages.
            if name != "target" && (!name.starts_with('.') || name == ".ci") {
                each_file(&path, &mut |file| {
                    let to = copy.tree.join(file.strip_prefix(source).unwrap());
                    fs::create_dir_all(to.parent().unwrap()).unwrap();
                    fs::copy(file, to).unwrap();
                });
            }
        }
        copy.take_crates(built);
        copy
    }

    /// Links the crates that this test was built with into the copy's target folder: the same files, with the same times.
    fn take_crates(&self, built: &Path) {
        if built.file_name().is_none_or(|profile| profile != "debug") {
            return;
        }
        for kind in ["deps", "build", ".fingerprint"] {
            let Ok(entries) = fs::read_dir(built.join(kind)) else { continue };
            for entry in entries {
                let path = entry.unwrap().path();
                let name = path.file_name().unwrap().to_string_lossy().into_owned();
                let foreign = kind != "deps" || [".rlib", ".rmeta", ".so", ".d"].iter().any(|end| name.ends_with(end));
                if foreign && !name.trim_start_matches("lib").starts_with("wayfarer") {
                    each_file(&path, &mut |file| {
                        let to = self.target.join("debug").join(file.strip_prefix(built).unwrap());
                        fs::create_dir_all(to.parent().unwrap()).unwrap();
                        if !to.exists() && fs::hard_link(file, &to).is_err() {
                            fs::copy(file, &to).unwrap();
                        }
                    });
                }
            }
        }
    }

    /// Does one step, unless it only runs something.
    pub fn follow(&self, step: &Step) {
        match step {
            Step::Write { file, text } => {
                write(&self.path(file), text);
                self.written.replace(self.path(file));
            }
            Step::Below { file, words, text } => {
                let path = self.path(file);
                let (whole, end, indent) = place(&path, words);
                let mut changed = whole[..end].to_owned();
                for line in text.lines() {
                    changed.push_str(&format!("{}{line}\n", if line.is_empty() { "" } else { &indent }));
                }
                write(&path, &(changed + &whole[end..]));
            }
            Step::After { file, words, text } => {
                let path = self.path(file);
                let (whole, ..) = place(&path, words);
                write(&path, &whole.replacen(words, &format!("{words}{}", text.trim_end()), 1));
            }
            Step::End { file, text } => {
                let whole = fs::read_to_string(self.path(file)).unwrap();
                write(&self.path(file), &format!("{whole}\n{text}"));
            }
            Step::Move { to } => fs::rename(&*self.written.borrow(), self.path(to)).unwrap(),
            Step::Run { .. } => {}
        }
    }

    /// Where a file of the source is in the copy, or one of the home there.
    pub fn path(&self, file: &str) -> PathBuf {
        file.strip_prefix("~/").map_or_else(|| self.tree.join(file), |file| self.home.join(file))
    }

    /// Asserts that what the recipes wrote is formatted like all else.
    pub fn is_tidy(&self) {
        let done = self.command("cargo").args(["fmt", "--check"]).output().unwrap();
        let (out, err) = (String::from_utf8_lossy(&done.stdout), String::from_utf8_lossy(&done.stderr));
        assert!(done.status.success(), "{out}{err}");
    }

    /// Runs a command of a recipe; what it printed. A run of tests must have found some.
    pub fn run(&self, command: &str) -> String {
        let mut words = command.split(' ');
        let done = match words.next() {
            Some("cargo") => {
                let verb = words.next().unwrap();
                self.command("cargo").args([verb, "--offline", "--locked"]).args(words).output()
            }
            first => self.command(first.unwrap()).args(words).output(),
        };
        let done = done.unwrap();
        let (out, err) = (String::from_utf8_lossy(&done.stdout), String::from_utf8_lossy(&done.stderr));
        assert!(done.status.success(), "{command}\n{out}\n{err}");
        let tested = out.lines().any(|line| line.starts_with("test ") && line.ends_with(" ok"));
        assert!(tested || !command.starts_with("cargo test"), "{command} runs no test");
        out.into_owned()
    }

    /// A command in the copy that knows nothing of the cargo which runs this test.
    pub fn command(&self, program: &str) -> Command {
        const ABOUT_US: [&str; 4] = ["CARGO_PKG_", "CARGO_MANIFEST_", "CARGO_BIN_", "CARGO_PRIMARY_"];
        let mut command = Command::new(program);
        command.current_dir(&self.tree).env("CARGO_TARGET_DIR", &self.target);
        command.env("XDG_CONFIG_HOME", self.home.join(".config"));
        let built = std::env::join_paths([self.target.join("debug")].into_iter().chain(paths())).unwrap();
        command.env("PATH", built);
        for (name, _) in std::env::vars().filter(|(name, _)| ABOUT_US.iter().any(|start| name.starts_with(start))) {
            command.env_remove(name);
        }
        command
    }
}

/// The text of a file, where the only line with these words ends in it, and what that line is indented by.
pub fn place(file: &Path, words: &str) -> (String, usize, String) {
    let whole = fs::read_to_string(file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    let found: Vec<usize> = whole.match_indices(words).map(|(at, _)| at).collect();
    let [at] = found[..] else { panic!("{} has {words} {} times", file.display(), found.len()) };
    let begin = whole[..at].rfind('\n').map_or(0, |end| end + 1);
    let end = at + whole[at..].find('\n').unwrap() + 1;
    let indent = whole[begin..].chars().take_while(|c| *c == ' ').collect();
    (whole, end, indent)
}

/// Writes a file and the folders that it needs.
pub fn write(path: &Path, text: &str) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

/// Where programs are looked for.
fn paths() -> Vec<PathBuf> {
    std::env::var_os("PATH").map(|path| std::env::split_paths(&path).collect()).unwrap_or_default()
}

fn each_file(path: &Path, then: &mut dyn FnMut(&Path)) {
    if path.is_dir() {
        for entry in fs::read_dir(path).unwrap() {
            each_file(&entry.unwrap().path(), then);
        }
    } else {
        then(path);
    }
}
