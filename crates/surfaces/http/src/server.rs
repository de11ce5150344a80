//! The server: both doors over one router.

use std::io;
use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;

use router::Router;
use types::{Code, Problem};

use crate::admit::admit;
use crate::call::{self, Desk};
use crate::limits::FINISH;
use crate::room::Room;
use crate::socket::LocalSocket;
use crate::stop::{self, Stop, TellStop};
use crate::talk::{talk, turn_away};
use crate::token::Token;

/// A server whose doors are open; connections wait until it runs.
pub struct Server {
    tcp: tokio::net::TcpListener,
    socket: LocalSocket,
    /// What the socket is answered with.
    router: Router,
    desk: Arc<Desk>,
    stop: (TellStop, Stop),
}

impl Server {
    /// Puts a router behind both doors. It has to be called on a tokio runtime.
    ///
    /// # Errors
    /// If the system refuses to say where it listens.
    pub fn new(
        router: Router,
        token: Token,
        tcp: TcpListener,
        socket: LocalSocket,
    ) -> Result<Server, Problem> {
        let refused = |error: io::Error| {
            let message = format!("cannot listen: {error}");
            Problem::new(Code::CannotListen, message, "try again, or choose another address")
        };
        let address = tcp.local_addr().map_err(refused)?;
        let tcp = tokio::net::TcpListener::from_std(tcp).map_err(refused)?;
        let stop = stop::channel();
        let router = router.until(stop.1.watched());
        let desk = Arc::new(Desk { router: router.over_http(), token, address });
        Ok(Server { tcp, socket, router, desk, stop })
    }

    /// Where it listens for HTTP.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.desk.address
    }

    /// Answers until `until` ends. Then it can no longer be found, hears whoever had found it before,
    /// and waits a bounded time for what is being answered.
    pub async fn run(self, until: impl Future<Output = ()>) {
        let Server { tcp, socket, router, desk, stop: (tell, told) } = &self;
        let room = Room::default();
        let lines = admit(
            async || socket.listener.accept().await.map(|(stream, _)| stream),
            |stream| talk(stream, router.clone(), room.clone(), told.clone()),
            (|| room.make(), turn_away),
            told.clone(),
        );
        let calls = admit(
            async || tcp.accept().await.map(|(stream, _)| stream),
            |stream| call::serve(stream, Arc::clone(desk), told.clone()),
            // What lies idle there is closed by itself after a while.
            (|| false, call::turn_away),
            told.clone(),
        );
        let both = async { tokio::join!(lines, calls) };
        let stopped = async {
            until.await;
            socket.hide();
            tell.now();
            tokio::time::sleep(FINISH).await;
        };
        // What is still being answered then is cut off; what it has committed stands.
        tokio::select! {
            _ = both => {}
            () = stopped => {}
        }
    }
}
