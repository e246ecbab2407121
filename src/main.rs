//! The program `wayfarer`; everything is in the library.

/// musl's own is made to be small.
#[cfg(target_env = "musl")]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> std::process::ExitCode {
    wayfarer::shell::main()
}
