//! Following a run from outside: what is told while it is under way, and then what came of it.

use std::pin::Pin;

use api_types::{BriefReply, ChunkReply, LiveEvent, QueuedReply, Request, TurnEndReply};
use runtime::{Chunk, ChunkId, Following, Happened, Turned};
use serde_json::Value;
use types::{Code, Problem, RunKey};

use crate::brief::brief;
use crate::route::{Router, json};

/// How long a run is followed if nobody says.
const FOLLOWED_MS: u64 = 600_000;

/// Something that is heard by whoever follows.
#[derive(Debug, Clone, PartialEq)]
pub enum Heard {
    /// A piece; more comes.
    Chunk(ChunkReply),
    /// That was all.
    End(Ended),
}

/// How something that was followed ended.
#[derive(Debug, Clone, PartialEq)]
pub struct Ended {
    /// What is answered to whoever does not follow.
    pub answer: Value,
    /// `result`, `failure`, `nothing` or `pending`; none if there was nothing to be followed.
    pub kind: Option<String>,
    /// The turn that it ended with.
    pub turn: Option<TurnEndReply>,
}

/// Somebody who follows. Whoever goes away stops nothing: the run goes on without being heard, unless this
/// process is here for it alone.
pub struct Hearing {
    router: Router,
    state: State,
}

enum State {
    Follows(Box<Follows>),
    /// It was answered at once.
    Answered(Value),
    Over,
}

struct Follows {
    run: RunKey,
    again: bool,
    following: Following,
    /// Ends with the run; none if it has.
    over: Option<Over>,
}

type Over = Pin<Box<dyn Future<Output = Result<(), Problem>> + Send>>;

impl Router {
    /// Takes a request of somebody who wants to hear what comes of it while it comes. `after` names the
    /// last piece they have. What cannot be followed is answered at once.
    ///
    /// # Errors
    /// What went wrong before there was anything to follow, as users see it.
    pub async fn hear(&self, request: Request, after: Option<&str>) -> Result<Hearing, Problem> {
        let (run, again, after, wait_ms) = match request {
            Request::Prompt(prompt) => {
                let (after, wait_ms) = (named(after)?, prompt.wait_ms);
                let admitted = self.admit(prompt).await?;
                (admitted.run_key, admitted.again, after, wait_ms)
            }
            Request::RunFollow { agent, run, after: own, wait_ms } => {
                let after = named(own.as_deref().or(after))?;
                (self.run_named(&agent, run.as_deref()).await?, false, after, wait_ms)
            }
            other => {
                let state = State::Answered(self.answer(other).await?);
                return Ok(Hearing { router: self.clone(), state });
            }
        };
        let following = self.runtime.turns.live().follow(run, after);
        let (router, wait_ms) = (self.clone(), wait_ms.unwrap_or(FOLLOWED_MS));
        let over: Over = Box::pin(async move { router.over(run, wait_ms).await });
        let follows = Follows { run, again, following, over: Some(over) };
        Ok(Hearing { router: self.clone(), state: State::Follows(Box::new(follows)) })
    }

    /// What came of a run, for whoever does not listen meanwhile.
    pub(crate) async fn run_follow(
        &self,
        agent: &str,
        run: Option<&str>,
        wait_ms: Option<u64>,
    ) -> Result<QueuedReply, Problem> {
        let run = self.run_named(agent, run).await?;
        let brief = self.brief(run, wait_ms.unwrap_or(FOLLOWED_MS)).await?;
        Ok(queued(run, false, brief))
    }

    /// The run of an agent that has this name, or the one to follow.
    pub(crate) async fn run_named(
        &self,
        agent: &str,
        name: Option<&str>,
    ) -> Result<RunKey, Problem> {
        let id = self.runtime.fleet.agent_get(agent).await?.id;
        self.runtime.run_named(&id, name).await
    }
}

impl Hearing {
    /// Waits for what comes next; nothing after the end. Whoever gives up waiting has lost nothing.
    ///
    /// # Errors
    /// What went wrong, as users see it; it is over then.
    pub async fn next(&mut self) -> Result<Option<Heard>, Problem> {
        let heard = match &mut self.state {
            State::Follows(follows) => follows.next(&self.router).await,
            State::Answered(answer) => {
                Ok(Heard::End(Ended { answer: answer.take(), kind: None, turn: None }))
            }
            State::Over => return Ok(None),
        };
        if !matches!(heard, Ok(Heard::Chunk(_))) {
            self.state = State::Over;
        }
        heard.map(Some)
    }
}

impl Follows {
    async fn next(&mut self, router: &Router) -> Result<Heard, Problem> {
        if let Some(over) = &mut self.over {
            // Pieces first: they come before the end. Either arm may be dropped without harm.
            tokio::select! {
                biased;
                chunk = self.following.next() => return Ok(Heard::Chunk(reply(chunk))),
                ended = over => ended?,
            }
            self.over = None;
        }
        if let Some(chunk) = self.following.try_next() {
            return Ok(Heard::Chunk(reply(chunk)));
        }
        let told = router.told(self.run).await?;
        let (kind, turn) = (Some(told.kind.to_owned()), told.turn.as_ref().map(turn_end));
        let answer = json(&queued(self.run, self.again, brief(told)))?;
        Ok(Heard::End(Ended { answer, kind, turn }))
    }
}

fn named(after: Option<&str>) -> Result<Option<ChunkId>, Problem> {
    after.map(str::parse).transpose().map_err(|message: String| {
        Problem::new(Code::WrongUsage, message, "name the last piece that you have, or none")
    })
}

fn queued(run: RunKey, again: bool, brief: BriefReply) -> QueuedReply {
    QueuedReply { run_key: run.to_string(), again, brief: Some(brief) }
}

fn turn_end(turned: &Turned) -> TurnEndReply {
    TurnEndReply {
        turn: turned.id.to_string(),
        index: turned.index,
        tokens_in: turned.tokens.input_tokens,
        tokens_out: turned.tokens.output_tokens,
    }
}

fn reply(chunk: Chunk) -> ChunkReply {
    ChunkReply {
        run_key: chunk.run_key.to_string(),
        id: chunk.id.to_string(),
        round: chunk.round,
        what: match chunk.happened {
            Happened::Restart => LiveEvent::Restart {},
            Happened::Text(delta) => LiveEvent::TextDelta { delta },
            Happened::Asks { tool, input } => LiveEvent::ToolCall { name: tool, input },
            Happened::Answered { tool, ok, output } => {
                LiveEvent::ToolResult { name: tool, ok, output }
            }
        },
    }
}
