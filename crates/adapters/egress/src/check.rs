//! Whether a name may lead where it leads.

use std::net::IpAddr;

use rules::host::{is_own, is_own_name};

use crate::{Destination, Scheme};

/// Whether a destination may have this address.
///
/// An address that was configured is itself. A name for this machine may only lead to this machine. Any
/// other name must not: whoever answers for it could otherwise aim us at what listens here, or at the
/// address where a cloud hands its machines their credentials. What is said in the clear to a name of one's own
/// network must stay in that network: a key is sent there for that reason alone.
pub(crate) fn may_lead(destination: &Destination, address: IpAddr) -> bool {
    let host = destination.host();
    if let Ok(configured) = host.parse::<IpAddr>() {
        return configured == address;
    }
    let address = address.to_canonical();
    if host == "localhost" || host.ends_with(".localhost") {
        return address.is_loopback();
    }
    let stays = destination.scheme() == Scheme::Http && is_own_name(host);
    if stays && !is_own(address) {
        return false;
    }
    !(address.is_loopback()
        || address.is_unspecified()
        || address.is_multicast()
        || is_link_local(address))
}

fn is_link_local(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => address.is_link_local() || address.is_broadcast(),
        IpAddr::V6(address) => address.is_unicast_link_local(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_leads_only_where_its_kind_may() {
        let cases = [
            ("http://127.0.0.1:1", "127.0.0.1", true),
            ("http://127.0.0.1:1", "127.0.0.2", false),
            ("http://[::1]:1", "::1", true),
            ("http://169.254.169.254", "169.254.169.254", true),
            ("http://localhost", "127.0.0.1", true),
            ("http://localhost", "::1", true),
            ("http://localhost", "10.0.0.1", false),
            ("http://models.localhost", "93.184.216.34", false),
            ("https://api.example.com", "93.184.216.34", true),
            ("http://api.example.com", "93.184.216.34", true),
            ("http://box.lan", "192.168.0.7", true),
            ("http://box.lan", "93.184.216.34", false),
            ("http://ollama:11434", "10.0.0.7", true),
            ("http://ollama:11434", "fd00::7", true),
            ("http://ollama:11434", "93.184.216.34", false),
            ("http://ollama:11434", "2606:4700::1111", false),
            ("http://ollama:11434", "::ffff:93.184.216.34", false),
            ("http://3405803781:81", "203.0.113.5", false),
            ("https://ollama", "93.184.216.34", true),
            ("https://api.example.com", "127.0.0.1", false),
            ("https://api.example.com", "::ffff:127.0.0.1", false),
            ("https://api.example.com", "169.254.169.254", false),
            ("https://api.example.com", "fe80::1", false),
            ("https://api.example.com", "0.0.0.0", false),
        ];
        for (url, address, may) in cases {
            let destination = Destination::of(url).unwrap();
            assert_eq!(may_lead(&destination, address.parse().unwrap()), may, "{url} {address}");
        }
    }
}
