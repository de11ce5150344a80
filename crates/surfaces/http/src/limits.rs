//! A limit on everything a caller can send or hold, each with its unit and its reason.

use std::time::Duration;

/// Bytes of one request, on either door: an import or a long note fits, a disk image does not.
pub(crate) const REQUEST_BYTES_MAX: usize = 8 * 1024 * 1024;

/// Connections at once, per door. More are turned away with a word; each costs a task and a file handle.
pub(crate) const CONNECTIONS_MAX: usize = 256;

/// How long the head of an HTTP request, or a line of the socket, may take to arrive, and an idle connection
/// stay open.
pub(crate) const HEAD_WAITS: Duration = Duration::from_secs(30);

/// How long the rest of a request may take to arrive.
pub(crate) const BODY_WAITS: Duration = Duration::from_secs(60);

/// How long whoever is answered may take nothing of it: a laptop that wakes up goes on, one that is gone for good
/// leaves its place to others.
pub(crate) const TAKING_WAITS: Duration = Duration::from_secs(60);

/// How long a full door waits for a place to become free before it turns somebody away.
pub(crate) const FULL: Duration = Duration::from_millis(500);

/// How long whoever is turned away for want of room may take to read why.
pub(crate) const TURNED_AWAY: Duration = Duration::from_millis(100);

/// How long a stopping server still listens: long enough for whoever had found it before it began to
/// stop to be heard.
pub(crate) const LINGER: Duration = Duration::from_millis(100);

/// How long a stopping server waits for requests that are being answered. By itself less than a command
/// waits for the home; with runs and tasks that do not end either, the whole stop may be longer, and such a
/// command then says who has the home.
pub(crate) const FINISH: Duration = Duration::from_secs(4);

/// How long the door stays shut when the system has no connection to give: out of file handles, say.
pub(crate) const AFTER_FAILURE: Duration = Duration::from_millis(200);

/// How long a stream of events is silent at most: whoever listens, or stands in between, knows that it is
/// still there, and one that is gone is noticed.
pub(crate) const SILENT: Duration = Duration::from_secs(15);
