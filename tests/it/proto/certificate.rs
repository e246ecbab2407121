//! What a certificate says of itself.

use rcgen::{CertificateParams, DistinguishedName, DnType, KeyPair, date_time_ymd};
use wayfarer::proto::Certificate;

fn der(names: &[&str], subject: &str) -> Vec<u8> {
    let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
    let mut params = CertificateParams::new(names).unwrap();
    params.distinguished_name = DistinguishedName::new();
    params.distinguished_name.push(DnType::CommonName, subject);
    (params.not_before, params.not_after) = (date_time_ymd(2024, 2, 29), date_time_ymd(2025, 3, 1));
    params.self_signed(&KeyPair::generate().unwrap()).unwrap().der().to_vec()
}

#[test]
fn a_certificate_tells_its_hosts_its_days_and_its_maker() {
    let told = |names: &[&str], subject| Certificate::read(&der(names, subject)).described;
    const REST: &str = "; from 2024-02-29 to 2025-03-01; made by itself";
    assert_eq!(told(&["gopher.example.org", "::1"], "whoever"), format!("for gopher.example.org, ::1{REST}"));
    assert_eq!(told(&[], "old.example.org"), format!("for CN=old.example.org{REST}"));
    let many: Vec<String> = (0..300).map(|n| format!("h{n}.example.org")).collect();
    let many: Vec<&str> = many.iter().map(String::as_str).collect();
    let four = many[..4].join(", ");
    assert_eq!(told(&many, "x"), format!("for {four} and 296 more{REST}"));
}

#[test]
fn what_a_certificate_says_is_one_bounded_line() {
    let told = Certificate::read(&der(&[], "a\n127.0.0.1:70 0123\r\u{1b}]0;x\u{7}b\u{202e}c")).described;
    assert!(!told.contains(|c: char| c.is_control()), "{told:?}");
    assert!(!told.contains('\u{202e}'), "{told:?}");
    let long = Certificate::read(&der(&[], &"long ".repeat(10_000))).described;
    assert!((100..=400).contains(&long.chars().count()), "{}", long.chars().count());
}

#[test]
fn what_is_no_certificate_has_a_fingerprint_and_no_words() {
    let whole = der(&["h"], "h");
    for end in [0, 1, 2, 30, whole.len() / 2, whole.len() - 1] {
        let read = Certificate::read(&whole[..end]);
        assert_eq!((read.fingerprint.len(), read.described.as_str()), (64, ""), "{end}");
    }
}
