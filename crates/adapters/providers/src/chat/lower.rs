//! From a request to the wire.

use std::borrow::Cow;

use model::{Block, Emission, Exchange, Request};
use serde_json::Value;
use types::BlockKind;

use super::settle::{EXTRAS, THOUGHTS};
use super::tools::Written;
use super::wire::{
    Allowed, Body, Call, Called, Function, Message, Name, Named, StreamOptions, ToolChoice,
};

/// In what a server's way of reading requests differs from that of others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Dialect {
    /// Ask for the answer piece by piece.
    pub(crate) stream: bool,
    /// It understands a choice of the type `allowed_tools`.
    pub(crate) allowed_tools: bool,
    /// The bound of the answer is called `max_completion_tokens`; most know only its older name.
    pub(crate) completion_tokens: bool,
    /// In which form it is told the schemas of tools.
    pub(crate) schemas: Emission,
}

/// The body of the request: the same for the same request, byte for byte.
pub(crate) fn lower(request: &Request, dialect: Dialect, written: &Written) -> Vec<u8> {
    let generation = &request.generation;
    let tools = written.of(&request.tools, dialect.schemas);
    let bound = |wanted: bool| wanted.then_some(generation.max_output_tokens);
    let body = Body {
        model: request.model.model(),
        messages: messages(request, dialect),
        tools: tools.as_deref(),
        tool_choice: tool_choice(request, dialect),
        max_tokens: bound(!dialect.completion_tokens),
        max_completion_tokens: bound(dialect.completion_tokens),
        temperature: generation.temperature,
        top_p: generation.top_p,
        seed: generation.seed,
        stream: dialect.stream,
        stream_options: dialect.stream.then_some(StreamOptions { include_usage: true }),
    };
    serde_json::to_vec(&body).expect("a request is JSON")
}

/// What binds, as the system; what it is about, as one message of the user; then what was said since. A server that
/// cannot be told beside its tools which of them can be called now is told in the end, where no cache is lost by it.
fn messages(request: &Request, dialect: Dialect) -> Vec<Message<'_>> {
    let binds = |block: &&Block| matches!(block.kind, BlockKind::Policy | BlockKind::Role);
    let system = joined(request.prompt.iter().filter(binds));
    let user = joined(request.prompt.iter().filter(|block| !binds(block)));
    let system = system.map(|content| Message::System { content });
    let user = user.map(|content| Message::User { content });
    let said = request.said.iter().map(exchange);
    let told = request.allowed.as_ref().filter(|allowed| {
        !dialect.allowed_tools && !allowed.is_empty() && !request.tools.is_empty()
    });
    let told = told.map(|allowed| Message::User { content: only(allowed) });
    system.into_iter().chain(user).chain(said).chain(told).collect()
}

fn only(allowed: &[String]) -> String {
    let names = allowed.join(", ");
    format!("# Tools\nOnly these can be called now, all others are refused: {names}")
}

fn joined<'a>(blocks: impl Iterator<Item = &'a Block>) -> Option<String> {
    let texts: Vec<&str> = blocks.map(|block| block.text.as_str()).collect();
    if texts.is_empty() { None } else { Some(texts.join("\n\n")) }
}

fn exchange(said: &Exchange) -> Message<'_> {
    match said {
        Exchange::Said { text, calls, keepsake } => Message::Assistant {
            // Nothing said is null beside calls, and needs a text without them.
            content: (calls.is_empty() || !text.is_empty()).then_some(text.as_str()),
            reasoning_content: keepsake.as_ref().and_then(|kept| kept.get(THOUGHTS)),
            tool_calls: calls
                .iter()
                .map(|(id, name, arguments)| Call {
                    id,
                    kind: Function::Function,
                    function: Called { name: sendable(name), arguments: fields(arguments) },
                    extra_content: keepsake.as_ref().and_then(|kept| kept.get(EXTRAS)?.get(id)),
                })
                .collect(),
        },
        Exchange::Answered { call, text } => Message::Tool { tool_call_id: call, content: text },
        Exchange::Interjected { text } => Message::User { content: text.clone() },
    }
}

/// The name of a tool as it may be sent: one that a model made up may have characters that servers refuse.
fn sendable(name: &str) -> Cow<'_, str> {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
    match name.chars().all(is_plain) {
        true => Cow::Borrowed(name),
        false => name.chars().map(|c| if is_plain(c) { c } else { '_' }).collect(),
    }
}

/// What a tool was called with. Servers take an object and nothing else; what was wrong with anything else, the answer
/// of the call says.
fn fields(arguments: &Value) -> String {
    if arguments.is_object() { arguments.to_string() } else { "{}".to_owned() }
}

/// The tools stay the same from wake to wake, so that a provider's cache of the prompt holds; what may
/// be called now is said beside them where it can be. The executor holds it in any case.
fn tool_choice(request: &Request, dialect: Dialect) -> Option<ToolChoice<'_>> {
    let allowed = request.allowed.as_ref().filter(|_| !request.tools.is_empty())?;
    if allowed.is_empty() {
        return Some(ToolChoice::Word("none"));
    }
    let named = |name: &'_ String| request.tools.iter().find(|tool| tool.name == *name);
    let tools = allowed
        .iter()
        .filter_map(named)
        .map(|tool| Named { kind: Function::Function, function: Name { name: &tool.name } });
    let allowed_tools = Allowed { mode: "auto", tools: tools.collect() };
    dialect.allowed_tools.then_some(ToolChoice::Some { kind: "allowed_tools", allowed_tools })
}

#[cfg(test)]
#[path = "lower_tests.rs"]
mod tests;
