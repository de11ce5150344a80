//! What a host's name and its address tell of how far it is.

use std::net::{IpAddr, Ipv4Addr};

/// How the names of hosts end that only one's own network knows.
const OWN_NETWORK: [&str; 5] = [".localhost", ".local", ".internal", ".lan", ".home.arpa"];

/// Whether a name is one that only one's own network knows: it has no dot, or ends as such names do. A name proves
/// nothing, so where it leads has to be one's own too: [`is_own`].
#[must_use]
pub fn is_own_name(host: &str) -> bool {
    let host = host.trim_end_matches('.').to_ascii_lowercase();
    !host.contains(['.', ':']) || OWN_NETWORK.iter().any(|ending| host.ends_with(ending))
}

/// Whether an address is this computer's, or one of its own network's.
#[must_use]
pub fn is_own(address: IpAddr) -> bool {
    match address.to_canonical() {
        IpAddr::V4(four) => {
            four.is_loopback() || four.is_private() || four.is_link_local() || is_shared(four)
        }
        IpAddr::V6(six) => {
            six.is_loopback() || six.is_unique_local() || six.is_unicast_link_local()
        }
    }
}

/// Whether an address is of 100.64.0.0/10, which nobody has on the open network: networks that are laid over others to
/// join one's own computers hand it out.
fn is_shared(address: Ipv4Addr) -> bool {
    let [first, second, ..] = address.octets();
    first == 100 && second & 0b1100_0000 == 64
}

/// Whether a host is an address in disguise: whoever looks up names takes `3405803781`, `0xcb007105` and `203.28933`
/// for an address of four numbers, and nobody who reads them does.
#[must_use]
pub fn is_disguised(host: &str) -> bool {
    let host = host.trim_end_matches('.');
    let last = host.rsplit('.').next().unwrap_or(host);
    let hex = last.strip_prefix("0x").or_else(|| last.strip_prefix("0X"));
    let is_number = match hex {
        Some(hex) => hex.bytes().all(|byte| byte.is_ascii_hexdigit()),
        None => !last.is_empty() && last.bytes().all(|byte| byte.is_ascii_digit()),
    };
    is_number && host.parse::<Ipv4Addr>().is_err()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_without_a_dot_or_with_an_ending_of_ones_own_is_of_ones_own_network() {
        for own in ["ollama", "localhost", "a.localhost", "Box.Local.", "gpu.lan", "x.home.arpa"] {
            assert!(is_own_name(own), "{own}");
        }
        for far in ["api.example.com", "localhost.example.com", "local.dev", "2606:4700::1%1"] {
            assert!(!is_own_name(far), "{far}");
        }
    }

    #[test]
    fn an_address_is_ones_own_if_no_stranger_can_have_it() {
        for own in ["127.0.0.1", "10.1.2.3", "192.168.1.7", "169.254.1.1", "::1", "fd00::1"] {
            assert!(is_own(own.parse().unwrap()), "{own}");
        }
        for own in ["fe80::1", "::ffff:192.168.1.7", "100.64.0.1", "100.127.255.254"] {
            assert!(is_own(own.parse().unwrap()), "{own}");
        }
        for far in [
            "203.0.113.5",
            "100.63.0.1",
            "100.128.0.1",
            "0.0.0.0",
            "2606:4700::1111",
            "::ffff:8.8.8.8",
        ] {
            assert!(!is_own(far.parse().unwrap()), "{far}");
        }
    }

    #[test]
    fn a_number_that_stands_for_an_address_is_a_disguise() {
        for disguised in [
            "3405803781",
            "0xcb007105",
            "0XCB007105",
            "0x",
            "203.28933",
            "127.1",
            "10.0.0.0x1",
            "1.",
        ] {
            assert!(is_disguised(disguised), "{disguised}");
        }
        for plain in ["203.0.113.5", "127.0.0.1.", "ollama", "gpu2", "2.example.com", "0xbox", ""] {
            assert!(!is_disguised(plain), "{plain}");
        }
    }
}
