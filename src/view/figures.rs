//! Counts in few characters.

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
    fn thousands_are_parted() {
        assert_eq!([0, 999, 1000, 20_000, 1_234_567].map(count), ["0", "999", "1,000", "20,000", "1,234,567"]);
    }
}
