//! Why a text is no usable URL.

/// What is wrong with a URL or a reference, in words for the reader.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum UrlError {
    /// No scheme, so it is a relative reference.
    #[error("\"{0}\" has no scheme")]
    NoScheme(String),
    /// RFC 3986, 3.1.
    #[error("\"{0}\" is not a scheme: a scheme is a letter followed by letters, digits, +, . or -")]
    BadScheme(String),
    /// The port is not a number from 1 to 65535.
    #[error("the port \"{0}\" is not a number from 1 to 65535")]
    BadPort(String),
    /// The host holds a character that no host name has.
    #[error("the host \"{0}\" is not a host name")]
    BadHost(String),
    /// A scheme that needs a host was given none.
    #[error("{0}: URLs need a host")]
    NoHost(String),
    /// A component does not follow the scheme's own rules; the sentence says which.
    #[error("{0}")]
    Malformed(String),
    /// Following it would be unsafe (SEC rules); the sentence says why.
    #[error("refused: {0}")]
    Refused(String),
    /// A relative reference without any base URL (BASE-07).
    #[error("\"{0}\" is relative and there is no base URL")]
    NoBase(String),
    /// The base in force has no hierarchy (REL-16).
    #[error("\"{reference}\" is relative, but the base {base} has no hierarchy")]
    OpaqueBase {
        /// The reference as written.
        reference: String,
        /// The base in force.
        base: String,
    },
    /// Nothing here knows how to open that scheme.
    #[error("unsupported scheme: {0}")]
    Unsupported(String),
}
