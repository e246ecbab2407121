//! The reader's file of settings: looked at when the browser wants to know it, and changed row by row, each on the file as it is
//! then, under a lock that all running copies take. What cannot be understood is never written over.

use crate::config::{self, Fixed, SettingsFile, Sources};
use crate::disk;
use crate::table::Value;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The file, and what comes over it in this run.
#[derive(Debug, Clone)]
pub(super) struct Settings {
    sources: Arc<Sources>,
    fixed: Arc<Vec<Fixed>>,
    path: Option<PathBuf>,
}

impl Settings {
    pub(super) fn new(sources: Sources, fixed: Vec<Fixed>) -> Settings {
        let path = config::settings_path(&sources);
        Settings { sources: Arc::new(sources), fixed: Arc::new(fixed), path }
    }

    /// Where it is; `None` where there is no place for it.
    pub(super) fn path(&self) -> Option<&Path> {
        self.path.as_deref()
    }

    /// What the files say now, and why that of settings does not.
    pub(super) fn look(&self) -> (SettingsFile, Option<String>) {
        let name = self.path().map(disk::shown).unwrap_or_default();
        match config::settings_file(&self.sources, &self.fixed) {
            Ok(file) => (SettingsFile { name, ..file }, None),
            Err(sentence) => (SettingsFile { name, ..SettingsFile::default() }, Some(sentence)),
        }
    }

    /// Gives a setting another value in the file, or takes its row away; gives what the files say then.
    pub(super) fn change(&self, name: &str, value: Option<&Value>) -> Result<SettingsFile, String> {
        let path = self.path().ok_or("there is no folder to keep settings in: HOME is not set")?;
        let cannot = |error| format!("{}; {name} is not kept yet", disk::wrong(path, &error));
        let shown = disk::shown(path);
        // Another file in its place would not ask whether this one may be written.
        if std::fs::metadata(path).is_ok_and(|facts| facts.permissions().readonly()) {
            return Err(format!("{shown} may only be read, so {name} is not kept: chmod u+w lets it be written"));
        }
        let _lock = disk::lock(path).map_err(cannot)?;
        let octets = disk::read(path).map_err(cannot)?;
        let text = String::from_utf8(octets)
            .map_err(|_| format!("{shown}: it is not UTF-8; {name} is not written into it until it is"))?;
        let new = match value {
            Some(value) => config::written(&text, name, value),
            None => config::remove(&text, name),
        };
        let new = new.map_err(|wrong| format!("{shown}: {wrong}"))?;
        if new != text {
            disk::replace(path, new.as_bytes()).map_err(cannot)?;
        }
        Ok(self.look().0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn settings(folder: &Path) -> Settings {
        Settings::new(Sources { folder: Some(folder.into()), ..Sources::default() }, Vec::new())
    }

    #[test]
    fn copies_that_write_at_the_same_time_lose_nothing() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("settings.toml"), "# mine\nmargin = 3 # wide\n").unwrap();
        let names = ["width", "history", "news.articles", "margin"];
        std::thread::scope(|scope| {
            for name in names {
                let file = settings(folder.path());
                scope.spawn(move || file.change(name, Some(&Value::Number(40))).unwrap());
            }
        });
        let (file, wrong) = settings(folder.path()).look();
        let rows = file.rows();
        assert_eq!((rows.len(), wrong), (4, None), "{}", file.text);
        assert!(rows.iter().all(|row| row.value == Value::Number(40)), "{}", file.text);
        assert!(file.text.starts_with("# mine\nmargin = 40 # wide\n"), "{}", file.text);
    }

    #[test]
    fn a_file_that_may_only_be_read_is_told_of_and_left_alone() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("settings.toml");
        fs::write(&path, "wrap = true\n").unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o444)).unwrap();
        let wrong = settings(folder.path()).change("wrap", Some(&Value::Switch(false))).unwrap_err();
        assert!(wrong.contains("may only be read, so wrap is not kept"), "{wrong}");
        assert_eq!(fs::read(&path).unwrap(), b"wrap = true\n");
    }

    #[test]
    fn a_damaged_file_is_told_of_and_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("settings.toml");
        for (octets, told) in
            [(&b"wrap = true\nwidth = = 3\n"[..], "settings.toml: line 2: "), (b"# \xFF\n", "it is not UTF-8")]
        {
            fs::write(&path, octets).unwrap();
            let wrong = settings(folder.path()).change("wrap", Some(&Value::Switch(false))).unwrap_err();
            assert!(wrong.contains(told), "{wrong}");
            assert_eq!(fs::read(&path).unwrap(), octets);
        }
    }
}
