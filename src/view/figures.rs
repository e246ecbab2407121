//! Sizes, times and counts in few characters.

use std::time::Duration;

/// Octets: `812 B`, `12.4 kB`, `1.2 MB`.
pub fn size(octets: u64) -> String {
    const UNITS: [&str; 5] = ["kB", "MB", "GB", "TB", "PB"];
    if octets < 1000 {
        return format!("{octets} B");
    }
    let mut value = octets as f64 / 1000.0;
    let mut unit = 0;
    // 999.95 would be shown as 1000.0.
    while value >= 999.95 && unit + 1 < UNITS.len() {
        value /= 1000.0;
        unit += 1;
    }
    if value < 99.95 { format!("{value:.1} {}", UNITS[unit]) } else { format!("{value:.0} {}", UNITS[unit]) }
}

/// A time: `80 ms`, `1.2 s`, `2 min`.
pub fn time(elapsed: Duration) -> String {
    let ms = elapsed.as_millis();
    match ms {
        0..1000 => format!("{ms} ms"),
        1000..9950 => format!("{:.1} s", elapsed.as_secs_f64()),
        9950..120_000 => format!("{:.0} s", elapsed.as_secs_f64()),
        _ => format!("{} min", ms / 60_000),
    }
}

/// A count with its thousands parted: `20,000`.
pub fn count(number: usize) -> String {
    let digits = number.to_string();
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_short() {
        assert_eq!(
            [0, 999, 1000, 12_400, 99_949, 99_950, 999_949, 999_950, 1_200_000, u64::MAX].map(size),
            ["0 B", "999 B", "1.0 kB", "12.4 kB", "99.9 kB", "100 kB", "1000 kB", "1.0 MB", "1.2 MB", "18447 PB"]
        );
        assert_eq!(
            [0, 80, 999, 1000, 9949, 9950, 59_000, 119_999, 120_000].map(|ms| time(Duration::from_millis(ms))),
            ["0 ms", "80 ms", "999 ms", "1.0 s", "9.9 s", "10 s", "59 s", "120 s", "2 min"]
        );
        assert_eq!([0, 999, 1000, 20_000, 1_234_567].map(count), ["0", "999", "1,000", "20,000", "1,234,567"]);
    }
}
