//! Facts first: whether a wake has anything to decide, before anybody is paid to think about it.

use types::{AgentId, ChangeRecord, Position, Receipt};

/// What an agent's template counts as relevant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Relevance {
    /// It only watches: nothing is ever its to decide.
    Nothing,
}

/// The changes between where an agent last looked and now.
#[derive(Debug, Clone)]
pub struct Delta<'a> {
    /// Whose.
    pub agent: &'a AgentId,
    /// Where it last looked.
    pub from: Position,
    /// Where it looks now; taken before the changes were read.
    pub to: Position,
    /// Changes in between that carry one of its tokens.
    pub changes: &'a [ChangeRecord],
}

/// Decides whether a wake has anything to do. What the agent wrote itself does not count.
#[must_use]
pub fn decide(delta: &Delta<'_>, relevance: Relevance) -> Receipt {
    let foreign = delta.changes.iter().filter(|c| c.author.agent() != Some(delta.agent)).count();
    let rule = match (foreign, relevance) {
        (0, _) => "nothing_changed",
        (_, Relevance::Nothing) => "nothing_relevant",
    };
    Receipt {
        rule: rule.to_owned(),
        changes_seen: foreign as u64,
        journal_from: delta.from,
        journal_to: delta.to,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use types::{At, Author, Counter, Digest, Epoch, Origin, RunKey};

    fn change(author: Author) -> ChangeRecord {
        ChangeRecord {
            position: Position(3),
            host: "host_a".parse().unwrap(),
            counter: Counter(3),
            origin: Origin::Local,
            author,
            at: At::EPOCH,
            logical_change_key: Digest::ZERO,
            tokens: vec![],
        }
    }

    #[test]
    fn the_receipt_names_what_was_looked_at_and_which_rule_spoke() {
        let agent: AgentId = "agent_a".parse().unwrap();
        let own = Author::Agent {
            agent: agent.clone(),
            run: RunKey(Digest::ZERO),
            epoch: Epoch::default(),
        };
        let changes = [change(Author::Operator), change(own)];
        let delta = Delta { agent: &agent, from: Position(1), to: Position(3), changes: &changes };
        let receipt = decide(&delta, Relevance::Nothing);
        assert_eq!((receipt.rule.as_str(), receipt.changes_seen), ("nothing_relevant", 1));
        let delta = Delta { changes: &changes[1..], ..delta };
        let receipt = decide(&delta, Relevance::Nothing);
        assert_eq!((receipt.rule.as_str(), receipt.changes_seen), ("nothing_changed", 0));
    }
}
