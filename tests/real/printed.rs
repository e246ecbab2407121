//! Pages on standard output, without a terminal.

use std::process::Output;

/// The program's end, and what it wrote until then.
pub fn run(arguments: &[&str]) -> Output {
    let home = tempfile::tempdir().unwrap();
    crate::terminal::piped(home.path()).args(arguments).output().unwrap()
}

/// What is printed when all is well; nothing is said beside it.
pub fn printed(arguments: &[&str]) -> Vec<u8> {
    let output = run(arguments);
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && said.is_empty(), "{arguments:?}: {} {said}", output.status);
    output.stdout
}

/// The same, which is text.
pub fn text(arguments: &[&str]) -> String {
    String::from_utf8(printed(arguments)).unwrap()
}

/// The exit status and the one sentence on standard error.
pub fn complaint(arguments: &[&str]) -> String {
    let output = run(arguments);
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!((output.status.code(), said.lines().count()), (Some(1), 1), "{arguments:?}: {said}");
    assert_eq!(String::from_utf8_lossy(&output.stdout), "", "{arguments:?}");
    said
}
