//! Fences: how a kill switch, a pause or a takeover stops writes that are already on their way.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::{AgentId, Invalid};

/// What a fence stands around.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FenceScope {
    /// Every agent.
    Global,
    /// Every tool of one class.
    ToolClass(String),
    /// One agent.
    Agent(AgentId),
}

impl fmt::Display for FenceScope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FenceScope::Global => f.write_str("global"),
            FenceScope::ToolClass(class) => write!(f, "tool:{class}"),
            FenceScope::Agent(agent) => write!(f, "agent:{agent}"),
        }
    }
}

impl std::str::FromStr for FenceScope {
    type Err = Invalid;

    fn from_str(text: &str) -> Result<FenceScope, Invalid> {
        match text.split_once(':') {
            None if text == "global" => Ok(FenceScope::Global),
            Some(("tool", class)) => Ok(FenceScope::ToolClass(class.to_owned())),
            Some(("agent", agent)) => agent
                .parse()
                .map(FenceScope::Agent)
                .map_err(|error| Invalid::new("scope", format!("names no agent: {error}"))),
            _ => Err(Invalid::new("scope", format!("{text:?} is unknown"))),
        }
    }
}

/// Under which claim a writer works: raised when a file is opened, at takeover and at retry, never
/// per ordinary wake.
#[derive(
    Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(deny_unknown_fields)]
pub struct Epoch {
    /// How often this file has been opened for writing.
    pub boot: u32,
    /// Which attempt within that.
    pub attempt: u32,
}

impl fmt::Display for Epoch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.boot, self.attempt)
    }
}

/// A fence as it stands.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Fence {
    /// The lowest epoch that may still write.
    pub epoch: Epoch,
    /// Nobody may write, whatever the epoch.
    pub closed: bool,
}

impl Fence {
    /// Whether a writer of this epoch gets through.
    #[must_use]
    pub fn admits(&self, epoch: Epoch) -> bool {
        !self.closed && epoch >= self.epoch
    }
}

/// A change to a fence. Its epoch never falls: a move below it is a conflict.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FenceMove {
    /// Which fence.
    pub scope: FenceScope,
    /// The epoch to raise it to.
    pub epoch: Epoch,
    /// Closed or open afterwards.
    pub closed: bool,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_scope_reads_back_as_it_was_written() {
        let agent = FenceScope::Agent("agent_a".parse().unwrap());
        for scope in [FenceScope::Global, FenceScope::ToolClass("shell".to_owned()), agent] {
            assert_eq!(scope.to_string().parse::<FenceScope>().unwrap(), scope);
        }
        for bad in ["", "globe", "agent:", "agent:task_1", "door:x"] {
            assert!(bad.parse::<FenceScope>().is_err(), "{bad}");
        }
    }
}
