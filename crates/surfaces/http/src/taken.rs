//! Hanging up on whoever takes nothing of what they are told.

use std::io::{self, ErrorKind, IoSlice};
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Sleep, sleep};

use crate::limits::TAKING_WAITS;

/// A connection that breaks when nothing of what is written is taken for so long. Whoever is slow is waited for as
/// long as they take something; whoever takes nothing would hold a place for good.
pub(crate) struct Taken<S> {
    stream: S,
    /// Runs while something waits to be taken.
    patience: Option<Pin<Box<Sleep>>>,
}

impl<S> Taken<S> {
    pub(crate) fn new(stream: S) -> Taken<S> {
        Taken { stream, patience: None }
    }

    /// Passes on what came of a write, unless it has been waited for too long.
    fn progress(
        &mut self,
        context: &mut Context<'_>,
        written: Poll<io::Result<usize>>,
    ) -> Poll<io::Result<usize>> {
        if written.is_ready() {
            self.patience = None;
            return written;
        }
        let patience = self.patience.get_or_insert_with(|| Box::pin(sleep(TAKING_WAITS)));
        ready!(patience.as_mut().poll(context));
        Poll::Ready(Err(ErrorKind::TimedOut.into()))
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Taken<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.progress(context, written)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write_vectored(context, slices);
        self.progress(context, written)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        // Neither this nor the end waits for the other side.
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Taken<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        into: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, into)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::io::{AsyncReadExt, AsyncWriteExt, duplex};
    use tokio::time::Instant;

    #[tokio::test(start_paused = true)]
    async fn whoever_takes_nothing_is_hung_up_on() {
        let (ours, _theirs) = duplex(8);
        let start = Instant::now();
        let told = Taken::new(ours).write_all(&[0; 64]).await;
        assert_eq!(told.unwrap_err().kind(), ErrorKind::TimedOut);
        assert_eq!(start.elapsed(), TAKING_WAITS);
    }

    #[tokio::test(start_paused = true)]
    async fn whoever_takes_a_little_at_a_time_is_waited_for() {
        let (ours, mut theirs) = duplex(8);
        let slow = async {
            let mut all = Vec::new();
            while all.len() < 64 {
                sleep(TAKING_WAITS / 2).await;
                all.push(theirs.read_u8().await.unwrap());
            }
            all
        };
        let mut ours = Taken::new(ours);
        let (told, taken) = tokio::join!(ours.write_all(&[7; 64]), slow);
        assert!(told.is_ok() && taken == [7; 64]);
    }
}
