//! Transports, and the client over them.

use std::net::SocketAddr;
use std::path::Path;

use api_types::{CheckReply, ChunkReply, ProblemReply, Request, ServingReply, WatchReply};
use serde::de::DeserializeOwned;
use serde_json::Value;

/// Something to say to the person while the answer is on its way; goes to stderr.
pub type Notice<'a> = &'a dyn Fn(&str);

/// Whoever is told of something under way.
pub type Hear<'a> = &'a mut dyn FnMut(&ChunkReply);

/// A way to a Dormouse: a running server's socket, or the router in this process.
pub trait Transport {
    /// Asks and waits for the answer.
    ///
    /// # Errors
    /// What the other side says went wrong.
    fn send(&self, request: Request) -> Result<Value, ProblemReply>;

    /// Asks for something that takes a while, and tells of it piece by piece until the answer is there.
    ///
    /// # Errors
    /// What the other side says went wrong.
    fn follow(&self, request: Request, hear: Hear<'_>) -> Result<Value, ProblemReply>;

    /// Does what a running server does by itself after a request, and says how many wakes wait for
    /// somebody to run them; none if there is a server.
    ///
    /// # Errors
    /// If it could not be done. What the request did stands, and the next start does the rest.
    fn settle(&self) -> Result<usize, ProblemReply>;
}

/// What a command needs of a home. Where there is none, a path was perhaps mistyped: only what begins
/// something makes one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Needs {
    /// A place for one: it is made if it is not there.
    Place,
    /// One that is there, with its models and templates as they are configured.
    Home,
    /// Nothing but the files of one: what is wrong with its configuration is no reason to refuse.
    Files,
}

/// Ways into a home. The binary has the one implementation; tests may have others.
pub trait Connect {
    /// Opens a way to the Dormouse of a home.
    ///
    /// # Errors
    /// If the home is locked, damaged, newer or out of reach, or not set up as it needs to be; or there is
    /// none, and one is needed.
    fn connect(
        &self,
        home: &Path,
        needs: Needs,
        notice: Notice<'_>,
    ) -> Result<Box<dyn Transport>, ProblemReply>;

    /// Serves a home until the process is told to stop. `ready` is called once, when the server can be
    /// spoken to.
    ///
    /// # Errors
    /// If the home is served already, locked, damaged, newer or out of reach, or the address cannot be
    /// listened on.
    fn serve(
        &self,
        home: &Path,
        listen: SocketAddr,
        ready: &dyn Fn(&ServingReply),
        notice: Notice<'_>,
    ) -> Result<(), ProblemReply>;

    /// Serves a home as [`Connect::serve`] does and tells whoever watches what happens: who woke, why,
    /// what came of it and what it cost. With `sample`, makes something to look at first.
    ///
    /// # Errors
    /// As [`Connect::serve`].
    fn up(
        &self,
        home: &Path,
        listen: SocketAddr,
        sample: bool,
        watch: &dyn Fn(&WatchReply),
        notice: Notice<'_>,
    ) -> Result<(), ProblemReply>;

    /// Reads the files of a home whole and says what is wrong with them.
    ///
    /// # Errors
    /// If the home cannot be read at all.
    fn doctor(&self, home: &Path, notice: Notice<'_>) -> Result<Vec<CheckReply>, ProblemReply>;

    /// Copies the files of a home into a new folder.
    ///
    /// # Errors
    /// If the folder exists or cannot be written.
    fn backup(&self, home: &Path, into: &Path, notice: Notice<'_>) -> Result<(), ProblemReply>;

    /// Copies a backup into a home that has no files yet.
    ///
    /// # Errors
    /// If the home has files or the backup is damaged.
    fn restore(
        &self,
        home: &Path,
        from: &Path,
        notice: Notice<'_>,
    ) -> Result<Vec<CheckReply>, ProblemReply>;
}

/// An answer in the shape of its request. A server that was started before an upgrade may have another.
fn shaped<T: DeserializeOwned>(value: Value) -> Result<T, ProblemReply> {
    serde_json::from_value(value).map_err(|error| ProblemReply {
        code: "server_gone".to_owned(),
        message: format!("the server answers in a shape that this command does not know: {error}"),
        hint: "it is of another version: stop the server and start it again".to_owned(),
    })
}

/// A client over some transport.
pub struct Client {
    transport: Box<dyn Transport>,
}

impl Client {
    /// Speaks over this transport.
    #[must_use]
    pub fn new(transport: Box<dyn Transport>) -> Client {
        Client { transport }
    }

    /// Asks for something of a known shape.
    ///
    /// # Errors
    /// What the other side says went wrong, or that it answers in another shape.
    pub fn ask<T: DeserializeOwned>(&self, request: Request) -> Result<T, ProblemReply> {
        let value = self.transport.send(request)?;
        shaped(value)
    }

    /// Asks for something of a known shape, and tells of it while it is under way.
    ///
    /// # Errors
    /// What the other side says went wrong, or that it answers in another shape.
    pub fn follow<T: DeserializeOwned>(
        &self,
        request: Request,
        hear: Hear<'_>,
    ) -> Result<T, ProblemReply> {
        let value = self.transport.follow(request, hear)?;
        shaped(value)
    }

    /// Ends a request; see [`Transport::settle`].
    ///
    /// # Errors
    /// As [`Transport::settle`].
    pub fn settle(&self) -> Result<usize, ProblemReply> {
        self.transport.settle()
    }
}
