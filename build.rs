//! Cuts the tables that are built in (keys, themes) into rows, which `src/table/embedded.rs` reads: a start that read them as TOML
//! would do little else.

// What stands for mistakes and for single values is for tables of the reader's.
#[allow(dead_code)]
#[path = "src/table/rows.rs"]
mod rows;

use rows::{Row, Value};
use std::error::Error;
use std::fmt::Write as _;
use std::path::Path;
use std::{env, fs};

/// A folder of tables, and how its files are named in the program.
const FOLDERS: &[(&str, &str)] = &[("assets/keys", "keys"), ("themes", "themes")];

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=src/table/rows.rs");
    let mut files = String::new();
    for (folder, name) in FOLDERS {
        println!("cargo::rerun-if-changed={folder}");
        let mut paths: Vec<_> =
            fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect::<Result<_, std::io::Error>>()?;
        // The same sources give the same program, whatever the order of a folder.
        paths.sort();
        for path in paths.iter().filter(|path| path.extension().is_some_and(|extension| extension == "toml")) {
            let file = path.file_name().unwrap_or_default().to_string_lossy();
            writeln!(files, "({:?}, {:?}),", format!("{name}/{file}"), cut(path)?)?;
        }
    }
    fs::write(Path::new(&env::var("OUT_DIR")?).join("tables.rs"), format!("&[\n{files}]"))?;
    Ok(())
}

/// The rows of a table, a line each.
fn cut(path: &Path) -> Result<String, Box<dyn Error>> {
    let mut errors = Vec::new();
    let rows = rows::rows(&path.to_string_lossy(), &fs::read_to_string(path)?, &mut errors);
    if let Some(error) = errors.first() {
        return Err(error.to_string().into());
    }
    rows.iter()
        .map(|row| {
            line(row).ok_or_else(|| format!("{}:{}: no row of a built-in table", path.display(), row.line).into())
        })
        .collect()
}

fn line(row: &Row) -> Option<String> {
    let value = match &row.value {
        Value::Text(text) => format!("\"{text}"),
        Value::Number(number) => number.to_string(),
        Value::Switch(switch) => switch.to_string(),
        Value::List(_) | Value::Other(_) => return None,
    };
    let fields = [std::slice::from_ref(&value), &row.path].concat();
    fields.iter().all(|field| !field.contains(['\t', '\n'])).then(|| format!("{}\t{}\n", row.line, fields.join("\t")))
}
