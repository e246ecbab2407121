//! Certificates and keys as text (RFC 7468), for programs that read them from files.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

/// `der` between its lines: `label` is `CERTIFICATE` or `PRIVATE KEY`.
pub fn pem(label: &str, der: &[u8]) -> String {
    let encoded = STANDARD.encode(der);
    let mut lines = Vec::from([format!("-----BEGIN {label}-----")]);
    // 64 to a line: some readers take no longer ones (section 2).
    lines.extend(encoded.as_bytes().chunks(64).map(|line| String::from_utf8_lossy(line).into_owned()));
    lines.push(format!("-----END {label}-----\n"));
    lines.join("\n")
}
