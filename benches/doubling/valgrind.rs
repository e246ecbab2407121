use super::Row;
pub fn run(_: &[Row], _: usize, _: usize) {}
pub fn check(_: &[Row], _: &[&str]) -> Result<(), String> { Ok(()) }
