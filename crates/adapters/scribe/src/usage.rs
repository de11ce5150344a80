//! What an answer spent: bytes by four, as everywhere in Dormouse where nobody counts better.

use model::{AskedCall, Exchange, Request};
use serde_json::Value;
use types::TokenUsage;

/// What was read and what was said.
pub(crate) fn usage(request: &Request, text: &str, calls: &[AskedCall]) -> TokenUsage {
    let blocks: usize = request.prompt.iter().map(|block| block.text.len()).sum();
    let said: usize = request.said.iter().map(exchange).sum();
    let tools = request
        .tools
        .iter()
        .map(|tool| tool.name.len() + tool.description.len() + tool.input_schema.to_string().len());
    let asked = calls
        .iter()
        .map(|call| call.tool.len() + call.arguments.as_ref().map_or_else(String::len, bytes));
    let output = text.len() + asked.sum::<usize>();
    TokenUsage::of(tokens(blocks + said + tools.sum::<usize>()), tokens(output))
}

fn exchange(exchange: &Exchange) -> usize {
    match exchange {
        Exchange::Said { text, calls, .. } => {
            let calls = calls.iter().map(|(_, tool, arguments)| tool.len() + bytes(arguments));
            text.len() + calls.sum::<usize>()
        }
        Exchange::Answered { text, .. } | Exchange::Interjected { text } => text.len(),
    }
}

fn bytes(json: &Value) -> usize {
    json.to_string().len()
}

fn tokens(bytes: usize) -> u64 {
    u64::try_from(bytes.div_ceil(4)).unwrap_or(u64::MAX)
}
