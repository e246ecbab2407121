//! What `wayfarer url` can be asked: the command line, from which help, manual page and completions are made.

use crate::url::Url;

/// What `wayfarer url` can be asked.
#[derive(Debug, Clone, clap::Subcommand)]
pub enum UrlCommand {
    /// Show the components of URLs, raw and decoded, and the scheme's own fields.
    Parse {
        /// One JSON object a line.
        #[arg(long)]
        json: bool,
        /// Show passwords instead of `***`; with --json they are as written in any case.
        #[arg(long)]
        show_secrets: bool,
        /// URLs; `-` or none reads them from standard input, one a line.
        #[arg(value_name = "URL")]
        urls: Vec<String>,
    },
    /// Resolve references against a base URL.
    Resolve {
        /// The base URL.
        #[arg(long, value_name = "URL")]
        base: String,
        /// The rules to resolve by.
        #[arg(long, value_enum, default_value = "rfc3986")]
        rules: RuleSet,
        /// References; `-` or none reads them from standard input, one a line.
        #[arg(value_name = "REF")]
        references: Vec<String>,
    },
    /// Show which base URL answers for a reference, and what it makes of it; for a page (a file or a URL, without options) print
    /// what it is made of, with the base that each layer gives and why.
    Bases {
        /// One JSON object a line.
        #[arg(long)]
        json: bool,
        /// The base embedded in the document; a relative one is resolved against the layers outside.
        #[arg(long, value_name = "URL")]
        embedded: Option<String>,
        /// The base of the encapsulating entity.
        #[arg(long, value_name = "URL")]
        entity: Option<String>,
        /// The URL the document was retrieved from, after redirects.
        #[arg(long, value_name = "URL")]
        retrieved: Option<String>,
        /// The application's default base.
        #[arg(long, value_name = "URL")]
        default: Option<String>,
        /// References, or pages; `-` or none reads references from standard input, one a line.
        #[arg(value_name = "REF|PAGE")]
        references: Vec<String>,
    },
    /// Print the URLs found in plain text, mailboxes (as they are written), HTML and gopher menus, one a line.
    Find {
        /// One JSON object a line, with what only looks like a URL, other readings, and where it stands: its range in bytes of
        /// UTF-8, line, column, and in a mailbox the number of the message.
        #[arg(long)]
        json: bool,
        /// Print line and column before each.
        #[arg(long = "where")]
        places: bool,
        /// The text; `-` or none reads standard input.
        #[arg(value_name = "FILE")]
        file: Option<String>,
    },
    /// Print what the address prompt makes of typed text.
    Complete {
        /// One JSON object a line, with the other readings and what was added.
        #[arg(long)]
        json: bool,
        /// Take the best page of the history for letters that are no address, as the prompt does, and name others among the
        /// readings.
        #[arg(long)]
        history: bool,
        /// Typed texts; `-` or none reads them from standard input, one a line.
        #[arg(value_name = "TYPED")]
        typed: Vec<String>,
    },
    /// Print whether two URLs are equivalent: yes (exit status 0) or no (1).
    Equal {
        /// The two URLs; `-` or none reads pairs from standard input, one a line, with a tab or a space between.
        #[arg(value_name = "URL", num_args = 0..=2)]
        urls: Vec<String>,
    },
    /// Show each part with its octets: as written, decoded, as sent, and the section behind it; steps, warnings, other rules.
    Explain {
        /// One JSON object a line.
        #[arg(long)]
        json: bool,
        /// The base of references; the steps of resolution are shown.
        #[arg(long, value_name = "URL")]
        base: Option<String>,
        /// Show passwords instead of `***`; with --json they are as written in any case.
        #[arg(long)]
        show_secrets: bool,
        /// URLs or references; `-` or none reads them from standard input, one a line.
        #[arg(value_name = "URL|REF")]
        items: Vec<String>,
    },
    /// Print the normal form of URLs: those are equal whose normal forms are one text.
    Normalise {
        /// URLs; `-` or none reads them from standard input, one a line.
        #[arg(value_name = "URL")]
        urls: Vec<String>,
    },
    /// Print the shortest reference that leads from a base to each URL; the URL itself where none does.
    Relativize {
        /// The base URL.
        #[arg(long, value_name = "URL")]
        base: String,
        /// URLs; `-` or none reads them from standard input, one a line.
        #[arg(value_name = "URL")]
        urls: Vec<String>,
    },
    /// Print the parts by which the normal forms of two URLs differ (exit status 1), or `same` (0).
    Diff {
        /// The two URLs; `-` or none reads pairs from standard input, one a line, with a tab or a space between.
        #[arg(value_name = "URL", num_args = 0..=2)]
        urls: Vec<String>,
    },
    /// Print parts of URLs as written, with tabs between them: scheme, host, path and so on, url, effective_port.
    Get {
        /// Decode them; what cannot be shown is `\\xNN`.
        #[arg(long)]
        decoded: bool,
        /// Names of parts, with commas between them.
        #[arg(value_name = "PART,...")]
        parts: String,
        /// URLs; `-` or none reads them from standard input, one a line.
        #[arg(value_name = "URL")]
        urls: Vec<String>,
    },
    /// Print a URL with parts replaced: PART=VALUE sets one, PART= empties it, -PART removes it.
    #[command(disable_help_flag = true)]
    Set {
        /// Print help.
        #[arg(long, action = clap::ArgAction::Help)]
        help: Option<bool>,
        /// What to change, then the URL; `-` reads URLs from standard input, one a line. In a VALUE escapes stay, and what may
        /// not stand in that part is escaped.
        #[arg(value_name = "PART=VALUE|-PART ... URL", required = true, num_args = 2.., allow_hyphen_values = true)]
        words: Vec<String>,
    },
    /// Follow the links of pages, menus, listings and articles, and say what became of each; exit status 1 when one is broken.
    ///
    /// Of pages of HTML the references of the source count, shown or not: links, frames, pictures, sounds, films, scripts, style
    /// sheets, drawings, quoted sources, and what forms ask for. What a form would send is listed, not sent. What stands within
    /// style sheets and scripts is not looked for, nor what stands in a template. The line is that in which the tag begins; of
    /// other formats that in which the reference is found as written, where it is.
    ///
    /// Links are asked for one at a time, with a pause for each host. robots.txt is kept, over HTTP and gopher, where pages
    /// beyond those given are read, and from the 21st request to a host on. Each redirect is one more request, to its own host.
    ///
    /// Broken is what is gone, no-fragment (the page has no place of that name), refused (its address breaks a rule, or is not
    /// for a page of the network) or an error; over gopher, what is answered with nothing but errors (type 3), or with nothing.
    /// What is moved is not broken, nor what is unchecked: what robots are asked to leave alone, what asks for a login or for
    /// words first, what a reader would be asked about, and what nothing can be asked for: scripts (javascript:), mail
    /// (mailto:), telephones (tel:), terminals, names (urn:) and all that no protocol here serves. data: is read where it stands.
    Check {
        /// One JSON object a line.
        #[arg(long)]
        json: bool,
        /// Read the pages given and resolve their links, but ask for none of them.
        #[arg(long)]
        no_fetch: bool,
        /// Print only what is broken.
        #[arg(long)]
        broken: bool,
        /// Send your cookies and keep those that come; else all are forgotten at the end, as in a private tab.
        #[arg(long)]
        cookies: bool,
        /// How deep pages are read: 1 reads those given, 2 also what they lead to on their own hosts, or in the folders of those
        /// that are files.
        #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=16))]
        depth: u32,
        /// The most requests that are sent, redirects and robots.txt included; a file that is looked at counts as one.
        #[arg(long, value_name = "N", default_value_t = 1000)]
        max: u32,
        /// Milliseconds between two requests to one host.
        #[arg(long, value_name = "MS", default_value_t = 200)]
        pause: u64,
        /// Seconds that a request may take.
        #[arg(long, value_name = "SECONDS", default_value_t = 30, value_parser = clap::value_parser!(u64).range(1..))]
        timeout: u64,
        /// Treat the pages given as this media type.
        #[arg(short = 'T', long = "type", value_name = "MEDIA")]
        media: Option<String>,
        /// The default (outermost) base URL; the only one of what comes from standard input.
        #[arg(long, value_name = "URL")]
        base: Option<String>,
        /// URLs or files; `-` is standard input.
        #[arg(value_name = "PAGE", required = true)]
        pages: Vec<String>,
    },
    /// Print the JSON schema of what --json prints, with its version.
    Schema,
    /// Print what would be sent for a URL, without sending anything.
    Request {
        /// One JSON object a line.
        #[arg(long)]
        json: bool,
        /// Show passwords instead of `***`; with --json they are as written in any case.
        #[arg(long)]
        show_secrets: bool,
        /// URLs; `-` or none reads them from standard input, one a line.
        #[arg(value_name = "URL")]
        urls: Vec<String>,
    },
}

impl UrlCommand {
    /// Whether the answer depends on what the reader has set.
    pub fn asks_settings(&self) -> bool {
        matches!(self, UrlCommand::Complete { .. } | UrlCommand::Explain { .. } | UrlCommand::Request { .. })
    }

    /// The pages whose bases are wanted: files that there are, and URLs, where no base is given and no JSON is wanted.
    pub(in crate::shell) fn pages_of_bases(&self, is_file: impl Fn(&str) -> bool) -> Option<&[String]> {
        match self {
            UrlCommand::Bases {
                json: false,
                embedded: None,
                entity: None,
                retrieved: None,
                default: None,
                references,
            } if !references.is_empty()
                && references.iter().all(|page| is_file(page) || Url::parse(page.as_str()).is_ok()) =>
            {
                Some(references)
            }
            _ => None,
        }
    }

    /// Whether its answers are JSON objects.
    pub(super) fn is_json(&self) -> bool {
        match self {
            UrlCommand::Parse { json, .. }
            | UrlCommand::Bases { json, .. }
            | UrlCommand::Find { json, .. }
            | UrlCommand::Complete { json, .. }
            | UrlCommand::Explain { json, .. }
            | UrlCommand::Check { json, .. }
            | UrlCommand::Request { json, .. } => *json,
            _ => false,
        }
    }

    /// Whether it depends on where the reader has been.
    pub fn asks_history(&self) -> bool {
        matches!(self, UrlCommand::Complete { history: true, .. })
    }
}

/// The names of the rule sets on the command line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum RuleSet {
    /// RFC 3986, as it is written.
    Rfc3986,
    /// The drafts of 1997 that became RFC 2396.
    Rfc2396,
    /// The URL Standard of the WHATWG, by which browsers read.
    Whatwg,
}
