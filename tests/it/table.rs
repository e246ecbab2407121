//! Tables: those that are built in are what their files say.

use std::fs;
use std::path::Path;
use wayfarer::keys::PRESETS;
use wayfarer::table::{embedded, rows};
use wayfarer::theme::Theme;

#[test]
fn what_is_built_in_is_what_its_file_says() {
    let all = [("assets/keys", "keys", PRESETS), ("themes", "themes", Theme::BUILT_IN)];
    for (folder, short, names) in all {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
        for name in names {
            let file = folder.join(format!("{name}.toml"));
            let mut errors = Vec::new();
            let read = rows("", &fs::read_to_string(&file).expect("a file of its own"), &mut errors);
            assert_eq!(errors, [], "{name}");
            assert_eq!(embedded(&format!("{short}/{name}.toml")), Some(read), "{name}");
        }
        let files = fs::read_dir(&folder).expect("the folder").count();
        assert_eq!(files, names.len(), "{}: each file is offered by its name", folder.display());
    }
    assert_eq!(embedded("keys/none.toml"), None);
}
