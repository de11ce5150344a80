//! Being told to stop.

use tokio::sync::watch;

use crate::limits::LINGER;

/// Hears that the server is to stop.
#[derive(Clone)]
pub(crate) struct Stop(watch::Receiver<bool>);

/// Tells it.
pub(crate) struct TellStop(watch::Sender<bool>);

pub(crate) fn channel() -> (TellStop, Stop) {
    let (tell, told) = watch::channel(false);
    (TellStop(tell), Stop(told))
}

impl TellStop {
    pub(crate) fn now(&self) {
        self.0.send_replace(true);
    }
}

impl Stop {
    /// The word itself, for whoever has to mind it deeper inside.
    pub(crate) fn watched(&self) -> watch::Receiver<bool> {
        self.0.clone()
    }

    /// Ends when the server is told to stop.
    pub(crate) async fn begun(mut self) {
        // If nobody is left to tell, it is over as well.
        let _ = self.0.wait_for(|stop| *stop).await;
    }

    /// Ends a moment later, when whoever was about to ask has asked.
    pub(crate) async fn lingered(self) {
        self.begun().await;
        tokio::time::sleep(LINGER).await;
    }
}
