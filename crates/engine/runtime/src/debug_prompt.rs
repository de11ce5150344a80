//! What an agent's model was last asked with, part by part.

use types::{AgentId, BlockRef, ModelRef, Problem};

use crate::Runtime;

/// The prompt of a turn, with its words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PromptView {
    /// The model that it is for.
    pub model: ModelRef,
    /// Its parts in order, each with its words; none, if they were erased.
    pub blocks: Vec<(BlockRef, Option<String>)>,
    /// The tools that are offered.
    pub tools: Vec<String>,
    /// About how many tokens what the model is told of them has.
    pub tool_tokens: u64,
}

impl Runtime {
    /// The prompt of an agent's last turn; none if it took none yet.
    ///
    /// # Errors
    /// If the store cannot read.
    pub async fn debug_prompt(&self, agent: &AgentId) -> Result<Option<PromptView>, Problem> {
        let Some(turn) = self.last_turn(agent).await? else { return Ok(None) };
        let prompt = self.turns.prompt_of(&turn).await?;
        let (blocks, tools) = prompt.map(|kept| (kept.blocks, kept.tools)).unwrap_or_default();
        let tool_tokens = tools.iter().map(|tool| self.tool_tokens(tool)).sum();
        Ok(Some(PromptView { model: turn.model, blocks, tools, tool_tokens }))
    }

    /// About how many tokens the tool of a name has for a model, counted as a turn counts them.
    fn tool_tokens(&self, name: &str) -> u64 {
        self.registry.contract(name).map_or(0, |contract| {
            let input = context::slim(&(contract.input)()).to_string();
            context::tokens(contract.description) + context::tokens(&input)
        })
    }
}
