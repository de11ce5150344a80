//! The way into a home that this process has taken: the router is asked here.

use api_types::{ProblemReply, Request};
use client::{Hear, Transport};
use router::{Heard, Router};
use serde_json::Value;
use store::wait;

/// The router in this process.
pub(crate) struct InProcess {
    router: Router,
    /// Where what a turn needs of the network and of time happens.
    executor: tokio::runtime::Runtime,
}

impl InProcess {
    pub(crate) fn new(router: Router, executor: tokio::runtime::Runtime) -> InProcess {
        InProcess { router, executor }
    }
}

impl Transport for InProcess {
    fn send(&self, request: Request) -> Result<Value, ProblemReply> {
        Ok(self.executor.block_on(self.router.answer(request))?)
    }

    fn follow(&self, request: Request, hear: Hear<'_>) -> Result<Value, ProblemReply> {
        let mut hearing = self.executor.block_on(self.router.hear(request, None))?;
        loop {
            // What is done goes on only while it is waited for: here is nobody else to do it.
            match self.executor.block_on(hearing.next())? {
                Some(Heard::Chunk(chunk)) => hear(&chunk),
                Some(Heard::End(ended)) => return Ok(ended.answer),
                None => return Ok(Value::Null),
            }
        }
    }

    fn settle(&self) -> Result<usize, ProblemReply> {
        Ok(wait(self.router.settle())?)
    }
}
