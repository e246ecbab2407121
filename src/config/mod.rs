//! Settings: what the reader may choose, with defaults embedded. Refuses: I/O outside `load.rs`.
//!
//! `assets/settings.toml` is at once the defaults and the manual; the reader's file is read by the same code.

mod file;
mod gateway;
mod load;
mod mailcap;
mod news;
mod proxies;
mod quantity;
mod settings;
mod table;
mod value;

pub use crate::table::ConfigError;
pub use crate::url::scheme::fits_wildmat;
pub use file::{Fixed, SettingsFile, check, helps, remove, written};
pub use load::{AUTO, Loaded, Sources, load, settings_file, settings_path, theme};
pub use mailcap::Mailcap;
pub use news::{KILLED, News, NewsServer, NewsShow, NewsThreads, Posting};
pub use proxies::Proxies;
pub use settings::{
    Charsets, Colours, CookieRule, DEFAULTS, Ftp, FtpTls, Http, Limits, MarkStyle, Pictures, PicturesInText, Restore,
    Sandbox, SavedNames, Settings, SortBy, Subscriptions,
};
pub use table::{Kind, Setting, When, apply, find, names, set, set_option, settings};

/// The settings of a file's text, over the defaults, and every mistake in it. In the text U+FFFD stands for what was not UTF-8.
/// There is no other way from a file to settings: what counts at the start counts when it is read again.
pub fn read(file: &str, text: &str) -> (Settings, Vec<ConfigError>) {
    let mut settings = Settings::default();
    let mut errors = Vec::new();
    if text.contains('\0') {
        let message = "it is no UTF-8 text (UTF-16 perhaps), and all of it is left out".into();
        errors.push(ConfigError { file: file.into(), line: 0, message });
        load::be_careful_in_all(&mut settings, &mut errors);
        return (settings, errors);
    }
    let text = load::readable(text, file, &mut errors);
    apply(&mut settings, file, &text, &mut errors);
    crate::table::in_order(&mut errors, 0);
    load::be_careful(&mut settings, file, &text, &mut errors);
    errors.iter_mut().for_each(ConfigError::shorten);
    (settings, errors)
}
