//! Cuts the tables that are built in (settings, keys, themes) into rows, which `src/table/embedded.rs` reads: a start that read them as TOML
//! would do little else. Has the program linked so that what a start reads of it is less.

// What stands for mistakes and for single values is for tables of the reader's.
#[allow(dead_code)]
#[path = "src/table/rows.rs"]
mod rows;

use rows::{Row, Value};
use std::error::Error;
use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;
use std::{env, fs};

/// A folder of tables, and how its files are named in the program.
const FOLDERS: &[(&str, &str)] = &[("assets/keys", "keys/"), ("themes", "themes/")];
/// A table that stands alone, and how it is named in the program.
const ALONE: (&str, &str) = ("assets/settings.toml", "settings.toml");
/// What parts the words of a list.
const PART: char = '\u{1f}';

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=src/table/rows.rs");
    println!("cargo::rerun-if-changed={}", ALONE.0);
    let mut tables = vec![(Path::new(ALONE.0).to_path_buf(), ALONE.1.to_owned())];
    for (folder, name) in FOLDERS {
        println!("cargo::rerun-if-changed={folder}");
        for entry in fs::read_dir(folder)? {
            let path = entry?.path();
            let file = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            tables.extend(file.ends_with(".toml").then(|| (path, format!("{name}{file}"))));
        }
    }
    // The same sources give the same program, whatever the order of a folder.
    tables.sort();
    let mut files = String::new();
    for (path, name) in tables {
        writeln!(files, "({name:?}, {:?}),", cut(&path)?)?;
    }
    fs::write(Path::new(&env::var("OUT_DIR")?).join("tables.rs"), format!("&[\n{files}]"))?;
    if packs_relocations() {
        println!("cargo::rustc-link-arg-bins=-Wl,-z,pack-relative-relocs");
    }
    Ok(())
}

/// Whether relative relocations may be packed: they are a twentieth of the file less then, all of which a start would read. The C
/// library reads them since 2.36; what is built for another machine does without.
fn packs_relocations() -> bool {
    let of = |name: &str| env::var(name).unwrap_or_default();
    let here = of("CARGO_CFG_TARGET_ENV") == "gnu" && of("TARGET") == of("HOST");
    let library = Command::new("getconf").arg("GNU_LIBC_VERSION").output();
    let said = library.map(|output| String::from_utf8_lossy(&output.stdout).into_owned()).unwrap_or_default();
    let version = said.trim().strip_prefix("glibc ").and_then(|version| version.split_once('.'));
    let version = version.and_then(|(major, minor)| Some((major.parse::<u32>().ok()?, minor.parse::<u32>().ok()?)));
    here && version.is_some_and(|version| version >= (2, 36))
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
        Value::List(list) => list.iter().map(word).collect::<Option<String>>()?,
        Value::Other(_) => return None,
    };
    let fields: Vec<&str> = [value.as_str()].into_iter().chain(row.path.iter().map(|name| &**name)).collect();
    fields.iter().all(|field| !field.contains(['\t', '\n'])).then(|| format!("{}\t{}\n", row.line, fields.join("\t")))
}

/// A word of a list.
fn word(value: &Value) -> Option<String> {
    let Value::Text(text) = value else { return None };
    (!text.contains(PART)).then(|| format!("{PART}{text}"))
}
