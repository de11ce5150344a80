//! The words about sessions and conversations.

use api_types::{
    ConversationReply, GroundingAct, ProblemReply, Request, SaidReply, SessionCall, SessionReply,
};
use clap::{Args, Subcommand, ValueEnum};
use client::Client;

use crate::number::{how_many, whole_number};
use crate::screen::Screen;
use crate::table::table;

#[derive(Debug, Args)]
pub(crate) struct Which {
    /// The agent's id, or its last characters, four or more
    agent: String,
    /// The session, by its name or its id
    session: String,
}

#[derive(Debug, Subcommand)]
pub(crate) enum SessionCommand {
    /// Start a session before anything is said in it; `prompt --session` starts one by itself
    #[command(
        after_help = "Examples:\n  dormouse session start AGENT evening\n  dormouse session start AGENT evening --tokens 8000"
    )]
    Start {
        /// The agent's id, or its last characters, four or more
        agent: String,
        /// What to call it: a name that no session with this agent has yet
        session: String,
        /// The conversation that it belongs to [default: one of its own]
        #[arg(long, value_name = "CONVERSATION")]
        conversation: Option<String>,
        /// Tokens that prompt and answer may have together [default: what the model holds]
        #[arg(long, value_name = "NUMBER", value_parser = whole_number, allow_negative_numbers = true)]
        tokens: Option<u64>,
    },
    /// Go on from a session in a new one; the old one is over then
    #[command(after_help = "Example:\n  dormouse session continue AGENT evening")]
    Continue(Which),
    /// End a session: what was said before is still answered, nothing more is taken
    #[command(after_help = "Example:\n  dormouse session end AGENT evening")]
    End(Which),
    /// Break a session off, with whatever is under way in it
    #[command(after_help = "Example:\n  dormouse session interrupt AGENT evening")]
    Interrupt(Which),
    /// List the sessions with an agent, oldest first
    #[command(after_help = "Example:\n  dormouse session list AGENT")]
    #[command(alias = "ls")]
    List {
        /// The agent's id, or its last characters, four or more
        agent: String,
    },
    /// Show how a session stands and how full it is
    #[command(after_help = "Example:\n  dormouse session show AGENT evening")]
    Show(Which),
    /// Show what was said in a session, turn by turn
    #[command(
        after_help = "Examples:\n  dormouse session history AGENT evening\n  dormouse session history AGENT evening --limit 5"
    )]
    History {
        #[command(flatten)]
        which: Which,
        /// The newest turns, at most this many
        #[arg(long, value_name = "NUMBER", default_value_t = 20, value_parser = how_many, allow_negative_numbers = true)]
        limit: usize,
    },
    /// Show a conversation: its sessions in their order, and what is common ground
    #[command(after_help = "Example:\n  dormouse session conversation CONVERSATION")]
    Conversation {
        /// Its id
        conversation: String,
    },
    /// Say how a turn stands in the common ground of its conversation
    #[command(after_help = "Example:\n  dormouse session ground CONVERSATION TURN cancel")]
    Ground {
        /// The conversation's id
        conversation: String,
        /// The turn's id
        turn: String,
        /// What to do to it
        #[arg(value_enum)]
        act: Act,
    },
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum Act {
    /// It stands
    Acknowledge,
    /// It is in question
    RequestRepair,
    /// It does not hold any more
    Cancel,
}

impl From<Act> for GroundingAct {
    fn from(act: Act) -> GroundingAct {
        match act {
            Act::Acknowledge => GroundingAct::Acknowledge,
            Act::RequestRepair => GroundingAct::RequestRepair,
            Act::Cancel => GroundingAct::Cancel,
        }
    }
}

pub(crate) fn ask(
    command: SessionCommand,
    client: &Client,
    screen: &Screen,
) -> Result<(), ProblemReply> {
    let call = match command {
        SessionCommand::Start { agent, session, conversation, tokens } => {
            SessionCall::Start { agent, session, conversation, token_capacity: tokens }
        }
        SessionCommand::Continue(Which { agent, session }) => {
            SessionCall::Continue { agent, session }
        }
        SessionCommand::End(Which { agent, session }) => SessionCall::End { agent, session },
        SessionCommand::Interrupt(Which { agent, session }) => {
            SessionCall::Interrupt { agent, session }
        }
        SessionCommand::Show(Which { agent, session }) => SessionCall::Get { agent, session },
        SessionCommand::List { agent } => {
            let all: Vec<SessionReply> =
                client.ask(Request::Session(SessionCall::List { agent }))?;
            screen.show(&all, |all| list(all));
            return Ok(());
        }
        SessionCommand::History { which: Which { agent, session }, limit } => {
            let call = SessionCall::History { agent, session, limit };
            let turns: Vec<SaidReply> = client.ask(Request::Session(call))?;
            screen.show(&turns, |turns| turns.iter().map(said).collect());
            return Ok(());
        }
        SessionCommand::Conversation { conversation } => {
            return shared(SessionCall::Conversation { conversation }, client, screen);
        }
        SessionCommand::Ground { conversation, turn, act } => {
            let call = SessionCall::Ground { conversation, turn, act: act.into() };
            return shared(call, client, screen);
        }
    };
    let session: SessionReply = client.ask(Request::Session(call))?;
    screen.show(&session, shown);
    Ok(())
}

fn shared(call: SessionCall, client: &Client, screen: &Screen) -> Result<(), ProblemReply> {
    let conversation: ConversationReply = client.ask(Request::Session(call))?;
    screen.show(&conversation, whole);
    Ok(())
}

fn shown(session: &SessionReply) -> String {
    let window = &session.context_window;
    let mut text = format!("{} ({}) is {}\n", session.name, session.id, session.status);
    text += &format!("  conversation  {}\n", session.conversation);
    text += &format!("  with          {}\n", session.participants.join(", "));
    text += &format!("  turns         {}\n", session.turns);
    text += &format!("  tokens        {} of {}\n", window.tokens_used, window.token_capacity);
    for (what, other) in
        [("goes on from", &session.continued_from), ("goes on in", &session.continued_by)]
    {
        text += &other.as_ref().map(|id| format!("  {what:<13} {id}\n")).unwrap_or_default();
    }
    text
}

fn list(sessions: &[SessionReply]) -> String {
    let rows = sessions.iter().map(|one| {
        [
            one.name.clone(),
            one.status.clone(),
            one.turns.to_string(),
            one.began_at.to_string(),
            one.conversation.clone(),
        ]
    });
    table(["SESSION", "STATUS", "TURNS", "BEGAN", "CONVERSATION"], rows, "no sessions yet\n")
}

fn said(turn: &SaidReply) -> String {
    let mut text = format!("{}  {}  {}\n", turn.turn_index, turn.at, turn.turn);
    for words in &turn.said {
        text += &format!("  > {}\n", words.trim_end());
    }
    text + &format!("  {}\n", turn.answered.trim_end())
}

fn whole(conversation: &ConversationReply) -> String {
    let with = conversation.participants.join(", ");
    let mut text = format!("{}, with {with}\n", conversation.id);
    text += &list(&conversation.sessions);
    let rows = conversation.common_ground.iter().map(|one| {
        let (at, evidence) = (one.at.to_string(), one.evidence.clone());
        [one.turn.clone(), one.act.clone(), evidence, one.standing.clone(), at]
    });
    text + &table(["TURN", "ACT", "EVIDENCE", "STANDING", "AT"], rows, "no common ground yet\n")
}
