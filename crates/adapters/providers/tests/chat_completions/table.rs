//! What the tests share: a server, providers that know it, and somebody who listens.

use std::sync::{Arc, Mutex};

use chat::{ChatServer, Script};
use egress::{Egress, Limits};
use model::{
    Block, Exchange, Failure, Generation, Heard, Listen, Model, Request, Response, ToolSpec,
};
use providers::{PriceTable, ProviderConfig, Providers, way_out};
use serde_json::json;
use testkit::FakeWorld;
use types::{AgentId, At, BlockKind, Stability, TokenUsage, Transport, Trust, Ulid};

/// A provider called `local` at this address.
pub(crate) fn local(base_url: &str) -> ProviderConfig {
    ProviderConfig::new("local", Transport::OpenaiChatCompletions, base_url)
}

/// A server with a script, and a provider that leads to it.
pub(crate) fn served(script: Script) -> (ChatServer, ProviderConfig) {
    let server = ChatServer::start(script);
    let config = local(&server.base_url());
    (server, config)
}

/// Providers as the product has them: the way out leads to them alone.
pub(crate) fn providers(config: ProviderConfig) -> Providers {
    let egress = way_out(std::slice::from_ref(&config), Limits::default()).unwrap();
    providers_by(config, egress)
}

/// Providers by another way out.
pub(crate) fn providers_by(config: ProviderConfig, egress: Egress) -> Providers {
    let world = Arc::new(FakeWorld::seeded(7));
    Providers::new(vec![config], PriceTable::builtin(), egress, world).unwrap()
}

/// Asks once, with nobody listening.
pub(crate) async fn ask(config: ProviderConfig) -> Result<Response, Box<Failure>> {
    let asking = providers(config).ask(request(), Arc::new(Ears::default()));
    asking.await.map_err(Box::new)
}

/// A short request, with a tool.
pub(crate) fn request() -> Request {
    let block = |kind, text: &str| Block {
        kind,
        stability: Stability::TurnScoped,
        trust: Trust::Runtime,
        text: text.to_owned(),
        reason: "a test".to_owned(),
    };
    Request {
        model: "local/test-model".parse().unwrap(),
        agent: AgentId::new(Ulid::new(At::EPOCH, 1)),
        kind: "task_agent".to_owned(),
        category: None,
        prompt: vec![
            block(BlockKind::Policy, "You are an agent."),
            block(BlockKind::Task, "# Task\n{\"id\":\"task_whisper\"}"),
        ],
        said: Vec::new(),
        tools: [ToolSpec {
            name: "add".to_owned(),
            description: "Adds.".to_owned(),
            input_schema: json!({"type": "object"}),
        }]
        .into(),
        allowed: None,
        generation: Generation::default(),
    }
}

/// The same, a round later.
pub(crate) fn second_round() -> Request {
    let calls = vec![("call_1".to_owned(), "add".to_owned(), json!({}))];
    let said = vec![
        Exchange::Said { text: String::new(), calls, keepsake: None },
        Exchange::Answered { call: "call_1".to_owned(), text: "{\"ok\":true}".to_owned() },
        Exchange::Interjected { text: "Hurry!".to_owned() },
    ];
    Request { said, ..request() }
}

/// Whoever listens, and remembers.
#[derive(Debug, Default)]
pub(crate) struct Ears {
    pub(crate) heard: Mutex<Vec<Heard>>,
    /// The most tokens after which another attempt may be made; without it after any.
    pub(crate) enough: Option<u64>,
}

impl Ears {
    /// All that was heard.
    pub(crate) fn heard(&self) -> Vec<Heard> {
        self.heard.lock().unwrap().clone()
    }
}

impl Listen for Ears {
    fn heard(&self, heard: Heard) {
        self.heard.lock().unwrap().push(heard);
    }

    fn may_try_again(&self, taken: TokenUsage) -> bool {
        self.enough.is_none_or(|enough| taken.total_tokens <= enough)
    }
}
