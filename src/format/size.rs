//! Sizes and counts in few columns.

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

/// A count with its thousands apart: `100,000`.
pub fn count(number: usize) -> String {
    let digits = number.to_string();
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// How long ago something was, in seconds, in words: "just now", "5 min ago", "3 days ago".
pub fn ago(seconds: i64) -> String {
    whole_units(seconds).map_or_else(|| "just now".into(), |(many, word, _)| format!("{many} {word} ago"))
}

/// The same in as few columns as can be: "now", "5m", "3d".
pub fn ago_briefly(seconds: i64) -> String {
    whole_units(seconds).map_or_else(|| "now".into(), |(many, _, letter)| format!("{many}{letter}"))
}

/// So many of a unit, by its word and its letter; nothing of what is less than a minute.
fn whole_units(seconds: i64) -> Option<(i64, &'static str, char)> {
    let (unit, word, letter) = match seconds {
        ..60 => return None,
        60..3_600 => (60, "min", 'm'),
        3_600..172_800 => (3_600, "h", 'h'),
        _ => (86_400, "days", 'd'),
    };
    Some((seconds / unit, word, letter))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_are_apart() {
        assert_eq!([0, 999, 1000, 20_000, 1_234_567].map(count), ["0", "999", "1,000", "20,000", "1,234,567"]);
    }
}
