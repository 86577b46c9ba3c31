//! Who may come in.

use axum::http::HeaderMap;
use axum::http::header::{AUTHORIZATION, HOST, ORIGIN};
use std::net::IpAddr;

/// What is asked of those who come.
#[derive(Clone, Debug)]
pub(super) struct Guard {
    token: Option<String>,
    /// Only this machine can come, so that it has to name itself as such: a page from elsewhere cannot pretend.
    local: bool,
}

/// Why somebody may not come in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Barred {
    Token,
    Origin,
    Host,
}

impl Barred {
    pub(super) const fn message(self) -> &'static str {
        match self {
            Self::Token => "a token is needed: add ?token= with the one that the studio was started with",
            Self::Origin => "this comes from a page of somebody else",
            Self::Host => "this address is not the studio's own",
        }
    }
}

impl Guard {
    pub(super) fn new(bind: IpAddr, token: Option<String>) -> Self {
        Self { token, local: bind.is_loopback() }
    }

    /// Whether pages of this server, and only they, ask.
    pub(super) fn check_source(&self, headers: &HeaderMap) -> Result<(), Barred> {
        let text = |name| headers.get(name).map(|value| value.to_str().unwrap_or("?"));
        let host = text(HOST).unwrap_or_default();
        if self.local && !is_local(host) {
            return Err(Barred::Host);
        }
        match text(ORIGIN) {
            Some(origin) if origin.split_once("://").is_none_or(|(_, from)| from != host) => {
                Err(Barred::Origin)
            }
            _ => Ok(()),
        }
    }

    /// The same, and whether they know the token if there is one.
    pub(super) fn check(&self, headers: &HeaderMap, given: Option<&str>) -> Result<(), Barred> {
        self.check_source(headers)?;
        let bearer =
            headers.get(AUTHORIZATION).and_then(|value| value.to_str().ok()?.strip_prefix("Bearer "));
        match &self.token {
            Some(token) if !given.or(bearer).is_some_and(|given| same(given, token)) => Err(Barred::Token),
            _ => Ok(()),
        }
    }
}

/// Whether a host, its port aside, is this machine.
fn is_local(host: &str) -> bool {
    let name = match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|digit| digit.is_ascii_digit()) => name,
        _ => host,
    };
    let address = name.trim_start_matches('[').trim_end_matches(']').parse::<IpAddr>();
    name.eq_ignore_ascii_case("localhost") || address.is_ok_and(|address| address.is_loopback())
}

/// Whether two words are the same, in a time that does not tell where they differ.
fn same(a: &str, b: &str) -> bool {
    a.len() == b.len() && a.bytes().zip(b.bytes()).fold(0, |odd, (a, b)| odd | (a ^ b)) == 0
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::HeaderValue;

    fn headers(host: &'static str, origin: Option<&'static str>) -> HeaderMap {
        let mut headers = HeaderMap::new();
        headers.insert(HOST, HeaderValue::from_static(host));
        origin.map(|origin| headers.insert(ORIGIN, HeaderValue::from_static(origin)));
        headers
    }

    #[test]
    fn only_own_pages_may_ask() {
        let guard = Guard::new(IpAddr::from([127, 0, 0, 1]), None);
        for (host, origin) in [
            ("127.0.0.1:7878", None),
            ("localhost:7878", Some("http://localhost:7878")),
            ("[::1]:7878", Some("http://[::1]:7878")),
        ] {
            assert_eq!(guard.check(&headers(host, origin), None), Ok(()), "{host}");
        }
        let other = headers("127.0.0.1:7878", Some("http://evil.example"));
        assert_eq!(guard.check(&other, None), Err(Barred::Origin));
        assert_eq!(guard.check(&headers("127.0.0.1:7878", Some("null")), None), Err(Barred::Origin));
        // A name that somebody has pointed at this machine.
        let rebound = headers("evil.example:7878", Some("http://evil.example:7878"));
        assert_eq!(guard.check(&rebound, None), Err(Barred::Host));
    }

    #[test]
    fn a_token_is_asked_for() {
        let guard = Guard::new(IpAddr::from([0, 0, 0, 0]), Some("secret".to_owned()));
        let from = headers("studio.example", None);
        assert_eq!(guard.check(&from, None), Err(Barred::Token));
        assert_eq!(guard.check(&from, Some("secreT")), Err(Barred::Token));
        assert_eq!(guard.check(&from, Some("secret")), Ok(()));
        let mut bearer = from;
        bearer.insert(AUTHORIZATION, HeaderValue::from_static("Bearer secret"));
        assert_eq!(guard.check(&bearer, None), Ok(()));
    }
}
