//! Sizes in words: decimal units, three digits at most, few columns.

/// A size in octets as a reader says it: `999 B`, `31.2 kB`, `120 kB`, `1.2 MB`.
pub fn human(octets: u64) -> String {
    const UNITS: [&str; 6] = ["kB", "MB", "GB", "TB", "PB", "EB"];
    if octets < 1000 {
        return format!("{octets} B");
    }
    // Tenths of a unit, rounded; whole numbers throughout, so that large sizes stay exact.
    let mut divisor: u128 = 1000;
    for (at, unit) in UNITS.iter().enumerate() {
        let tenths = (u128::from(octets) * 10 + divisor / 2) / divisor;
        if tenths < 1000 {
            return format!("{}.{} {unit}", tenths / 10, tenths % 10);
        }
        let whole = (u128::from(octets) + divisor / 2) / divisor;
        if whole < 1000 || at == UNITS.len() - 1 {
            return format!("{whole} {unit}");
        }
        divisor *= 1000;
    }
    String::new()
}
