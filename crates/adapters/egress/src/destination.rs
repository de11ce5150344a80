//! Where a request goes.

use std::fmt;

use hyper::Uri;

use crate::Error;

/// How a destination is spoken to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Scheme {
    /// In the clear.
    Http,
    /// Over TLS.
    Https,
}

impl Scheme {
    /// As it stands in a URL.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Scheme::Http => "http",
            Scheme::Https => "https",
        }
    }

    const fn port(self) -> u16 {
        match self {
            Scheme::Http => 80,
            Scheme::Https => 443,
        }
    }
}

/// Scheme, host and port: what a connection is opened to.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Destination {
    scheme: Scheme,
    host: String,
    port: u16,
}

impl Destination {
    /// The destination of a URL.
    ///
    /// # Errors
    /// If it is no `http` or `https` URL with a host, or names a user: credentials have their own way.
    pub fn of(url: &str) -> Result<Destination, Error> {
        Destination::split(url).map(|(destination, _)| destination)
    }

    /// The destination of a URL, and what is asked for there.
    pub(crate) fn split(url: &str) -> Result<(Destination, Uri), Error> {
        let bad = |reason: &str| Error::BadUrl { reason: reason.to_owned() };
        let uri: Uri = url.parse().map_err(|_| bad("it is no URL"))?;
        let scheme = match uri.scheme_str() {
            Some("http") => Scheme::Http,
            Some("https") => Scheme::Https,
            _ => return Err(bad("it begins with neither http:// nor https://")),
        };
        let authority = uri.authority().ok_or_else(|| bad("it names no host"))?;
        if authority.as_str().contains('@') {
            return Err(bad("it names a user"));
        }
        let host = authority.host().trim_end_matches('.').to_ascii_lowercase();
        let port = match (authority.port_u16(), authority.as_str().len() - authority.host().len()) {
            (Some(port), _) => port,
            (None, 0) => scheme.port(),
            (None, _) => return Err(bad("its port is no number")),
        };
        if host.is_empty() || port == 0 {
            return Err(bad("it names no host or no port"));
        }
        Ok((Destination { scheme, host, port }, uri))
    }

    /// How it is spoken to.
    #[must_use]
    pub const fn scheme(&self) -> Scheme {
        self.scheme
    }

    /// A name or an address, in lower case; an IPv6 address without its brackets.
    #[must_use]
    pub fn host(&self) -> &str {
        self.host.trim_start_matches('[').trim_end_matches(']')
    }

    /// Its port.
    #[must_use]
    pub const fn port(&self) -> u16 {
        self.port
    }

    /// Host and port as the `host` header has them: the usual port is not said.
    pub(crate) fn authority(&self) -> String {
        if self.port == self.scheme.port() {
            self.host.clone()
        } else {
            format!("{}:{}", self.host, self.port)
        }
    }
}

impl fmt::Display for Destination {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}://{}", self.scheme.as_str(), self.authority())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_destination_is_scheme_host_and_port_and_nothing_else() {
        let same = [
            "https://Api.Example.com/v1",
            "https://api.example.com:443/?q",
            "HTTPS://api.example.com.",
        ];
        for url in same {
            assert_eq!(
                Destination::of(url).unwrap().to_string(),
                "https://api.example.com",
                "{url}"
            );
        }
        let local = Destination::of("http://[::1]:9999/v1").unwrap();
        assert_eq!((local.host(), local.port()), ("::1", 9999));
        assert_eq!(local.to_string(), "http://[::1]:9999");
        assert_ne!(Destination::of("http://a").unwrap(), Destination::of("https://a").unwrap());
    }

    #[test]
    fn what_is_no_destination_is_refused() {
        let bad = [
            "",
            "/v1",
            "example.com",
            "ftp://a/",
            "http://",
            "http://me:pw@a/",
            "http://a:x/",
            "http://a:0/",
            "http://a:99999/",
        ];
        for url in bad {
            assert!(matches!(Destination::of(url), Err(Error::BadUrl { .. })), "{url:?}");
        }
    }
}
