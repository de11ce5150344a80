//! What hints from outside say.

use types::{Content, ContentRef, Domain, Hint};

use crate::Turns;
use crate::broken::Broken;

impl Turns {
    /// Those of the hints that say something, newest first, with what they say: of as many as a prompt has
    /// room for. Where none does, nothing is read.
    pub(crate) async fn hinted(
        &self,
        hints: &[Hint],
    ) -> Result<Vec<(Hint, Option<Content>)>, Broken> {
        let mut hints = telling(hints);
        if hints.is_empty() {
            return Ok(vec![]);
        }
        hints.sort_by(|a, b| b.at.cmp(&a.at).then_with(|| a.trigger.cmp(&b.trigger)));
        let shown = hints.iter().take(self.settings.bounds.hints.count);
        let wanted: Vec<ContentRef> = shown.filter_map(|hint| hint.payload.clone()).collect();
        let found = self.store.contents(Domain::Agent, wanted).await?;
        let with_words = |hint: Hint| {
            let at = hint.payload.as_ref();
            let is_there = |one: &&Content| at.is_some_and(|at| lies_at(one, at));
            let said = found.iter().find(is_there).cloned();
            (hint, said)
        };
        Ok(hints.into_iter().map(with_words).collect())
    }
}

/// Those of the hints that say something.
pub(crate) fn telling(hints: &[Hint]) -> Vec<Hint> {
    hints.iter().filter(|hint| hint.payload.is_some()).cloned().collect()
}

fn lies_at(content: &Content, at: &ContentRef) -> bool {
    content.subject == at.subject && rules::hash::bytes(&content.bytes) == at.hash
}
