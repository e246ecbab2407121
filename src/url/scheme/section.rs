//! Which specification says what a scheme's own part is.

use super::table;

const SECTIONS: &[(&[&str], &str)] = &[
    (&["http", "https"], "RFC 1738, 3.3; RFC 9110, 4.2"),
    (&["gopher", "gophers"], "RFC 1738, 3.4; RFC 4266"),
    (&["ftp", "ftps"], "RFC 1738, 3.2"),
    (&["news", "snews"], "RFC 1738, 3.6; RFC 5538"),
    (&["nntp", "nntps"], "RFC 1738, 3.7; RFC 5538"),
    (&["gemini"], "Gemini 0.24.1, 2 and 5.1"),
    (&["titan"], "Titan, companion of Gemini"),
    (&["spartan"], "Spartan 3.0"),
    (&["guppy"], "Guppy 0.4.4"),
    (&["nex"], "Nex protocol"),
    (&["sftp", "ssh"], "draft-ietf-secsh-scp-sftp-ssh-uri"),
    (&["archive"], "RFC 3986, 3.2.2: a name registered here"),
    (&["file"], "RFC 1738, 3.10; RFC 8089"),
    (&["mailto"], "RFC 1738, 3.5; RFC 6068"),
    (&["about"], "RFC 6694"),
    (&["data"], "RFC 2397"),
    (&["telnet"], "RFC 1738, 3.8; RFC 4248"),
    (&["tn3270"], "RFC 6270"),
    (&["rlogin"], "RFC 1738, 3.8"),
    (&["wais"], "RFC 1738, 3.9; RFC 4156"),
    (&["prospero"], "RFC 1738, 3.11; RFC 4157"),
    (&["mid", "cid"], "RFC 2392"),
    (&["urn"], "RFC 8141"),
    (&["finger"], "draft-ietf-uri-url-finger; RFC 1288"),
    (&["whois"], "RFC 3912"),
    (&["whois++"], "RFC 1835"),
    (&["dict"], "RFC 2229, 5"),
    (&["cso", "ph"], "RFC 2378"),
    (&["ldap"], "RFC 4516"),
    (&["tel"], "RFC 3966"),
    (&["sms"], "RFC 5724"),
    (&["xmpp"], "RFC 5122"),
    (&["nfs"], "RFC 2224"),
    (&["z39.50", "z39.50r", "z39.50s"], "RFC 2056"),
    (&["url"], "RFC 1738, App."),
];

/// The sections that say what stands behind the colon of a scheme; the common syntax's for schemes that have none here.
pub fn section(scheme: &str) -> &'static str {
    let name = table::name(scheme);
    SECTIONS.iter().find(|(names, _)| names.contains(&name)).map_or("RFC 3986, 3.3", |(_, section)| section)
}

/// Schemes whose servers are gone, or were never there.
const DEAD: &[&str] = &["wais", "prospero", "whois++", "mailserver", "x500", "rlogin", "z39.50", "z39.50r", "z39.50s"];

/// Whether nothing on the net answers to a scheme any more.
pub fn is_dead(scheme: &str) -> bool {
    DEAD.contains(&table::name(scheme))
}
