//! The program `wayfarer`; everything is in the library.

fn main() -> std::process::ExitCode {
    wayfarer::shell::main()
}
