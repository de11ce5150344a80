//! Taking a loopback address.

use std::io::{self, ErrorKind};
use std::net::{SocketAddr, TcpListener};

use types::{Code, Problem};

/// Listens on a loopback address; port 0 takes any that is free.
///
/// # Errors
/// If it is not a loopback address, if somebody else listens there, or if the system refuses.
pub fn listen(address: SocketAddr) -> Result<TcpListener, Problem> {
    must_be_loopback(address)?;
    let listener = TcpListener::bind(address).map_err(|error| refused(address, &error))?;
    listener.set_nonblocking(true).map_err(|error| refused(address, &error))?;
    Ok(listener)
}

/// Refuses an address that other machines could reach.
///
/// # Errors
/// If it is one.
pub fn must_be_loopback(address: SocketAddr) -> Result<(), Problem> {
    if address.ip().is_loopback() {
        return Ok(());
    }
    let message = format!("{address} can be reached from other machines");
    let hint = "listen on 127.0.0.1 or [::1]; for another machine, tunnel to it (ssh -L)";
    Err(Problem::new(Code::NotLoopback, message, hint))
}

fn refused(address: SocketAddr, error: &io::Error) -> Problem {
    if error.kind() == ErrorKind::AddrInUse {
        let message = format!("somebody else listens on {address}");
        let hint =
            "choose another port with --listen 127.0.0.1:PORT; port 0 takes any that is free";
        return Problem::new(Code::AddressInUse, message, hint);
    }
    let hint = "choose another address or a port above 1023 with --listen 127.0.0.1:PORT";
    Problem::new(Code::CannotListen, format!("cannot listen on {address}: {error}"), hint)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn code(address: &str) -> Option<Code> {
        listen(address.parse().unwrap()).err().map(|problem| problem.code)
    }

    #[test]
    fn only_loopback_is_listened_on() {
        assert_eq!(code("127.0.0.1:0"), None);
        for address in ["0.0.0.0:0", "192.168.1.1:0", "[::]:0", "[2001:db8::1]:0"] {
            assert_eq!(code(address), Some(Code::NotLoopback), "{address}");
        }
    }

    #[test]
    fn an_address_that_is_taken_is_said_to_be() {
        let first = listen("127.0.0.1:0".parse().unwrap()).unwrap();
        let taken = first.local_addr().unwrap().to_string();
        assert_eq!(code(&taken), Some(Code::AddressInUse));
    }
}
