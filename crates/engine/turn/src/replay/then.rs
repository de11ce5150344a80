//! What a past turn looked at, as it was then: the prompt is made again of that.
//!
//! The journal keeps what each operation found, so the task is put back step by step. Notes, messages and reports
//! are written once and stay; those that came later are passed over. Where anything else has moved, a part comes out
//! otherwise, and stays what was recorded.

use std::collections::BTreeMap;

use store::Listing;
use types::{
    AgentIdentity, Block, Body, BodyType, Content, ContentRef, Delta, Domain, Position, PreImage,
    Record, ReportScope, SeenFrom, Turn, limits,
};

use super::past::Past;
use super::put_back::Since;
use crate::broken::Broken;
use crate::gather::Occasion;
use crate::memory::Read;
use crate::offer::Offer;
use crate::{Profile, Turns};

/// Pages of changes since a turn that are gone back over; what lies further back is not put together again.
const PAGES_MAX: usize = 10;

impl Turns {
    /// The parts of the prompt of a past turn, made again; none if too much has changed since.
    pub(super) async fn prompt_then(
        &self,
        past: &Past,
        agent: &AgentIdentity,
        (profile, offer): (&Profile, &Offer),
        seen: &SeenFrom,
    ) -> Result<Vec<Block>, Broken> {
        let (turn, draft) = (&past.turn, &past.run.draft);
        let Some(since) = self.since(seen.journal).await? else { return Ok(vec![]) };
        let delta = self.delta_then(seen).await?;
        let occasion = Occasion {
            run: &turn.run_key,
            agent,
            thread: &turn.thread,
            reason: turn.reason,
            why: &seen.why,
            envelope: draft.envelope.as_ref(),
            hints: seen.hints,
            hinted: &seen.hinted,
            delta: &delta,
        };
        let mut found = self.look(&occasion, profile, self.today()).await?;
        since.undo_in(&mut found.surroundings);
        found.background.report = match profile.main_report() {
            Some(scope) => self.report_then(turn, scope).await?,
            None => None,
        };
        for list in [&mut found.memory.notes, &mut found.memory.said] {
            list.retain(|one| is_before(one, turn));
        }
        let capacity = found.session().map(|session| session.token_capacity);
        let bounds = self.bounds(&turn.model, offer, capacity);
        let began_here = rules::day::local(turn.began_at, &self.world.zone());
        Ok(self.fitted(&occasion, &mut found, profile, &bounds, &began_here).blocks)
    }

    /// The changes that a turn was told of.
    async fn delta_then(&self, seen: &SeenFrom) -> Result<Delta, Broken> {
        let mut changes = Vec::new();
        for position in &seen.changes {
            let before = Position(position.0.saturating_sub(1));
            let found = self.store.changes(Domain::Journal, before, 1).await?;
            changes.extend(found.into_iter().filter(|change| change.position == *position));
        }
        Ok(Delta { head: seen.journal, changes, more: seen.more, trimmed: seen.trimmed })
    }

    /// What was done to the journal since a position; nothing if that is too much, or not known any more.
    async fn since(&self, mut after: Position) -> Result<Option<Since>, Broken> {
        let mut since = Since::default();
        for _ in 0..PAGES_MAX {
            let page = limits::ROWS_PER_READ_MAX;
            let changes = self.store.changes(Domain::Journal, after, page).await?;
            let Some((first, last)) = changes.first().zip(changes.last()) else {
                return Ok(Some(since));
            };
            // What was let go of the log cannot be put back.
            if after.misses_some_before(first.position) {
                return Ok(None);
            }
            after = last.position;
            let positions = changes.iter().map(|change| change.position).collect();
            let operations = self.store.operations_at(Domain::Journal, positions).await?;
            let images = operations.into_iter().filter_map(|one| one.position.zip(one.pre_image));
            let mut images: BTreeMap<Position, ContentRef> = images.collect();
            for change in &changes {
                let image = match images.remove(&change.position) {
                    Some(at) => self.store.content(Domain::Journal, at).await?,
                    None => None,
                };
                let found: Option<PreImage> =
                    image.and_then(|kept| serde_json::from_slice(&kept.bytes).ok());
                since.take(change, found.unwrap_or_default());
            }
            if changes.len() < page {
                return Ok(Some(since));
            }
        }
        Ok(None)
    }

    /// The report that stood when a turn began.
    async fn report_then(
        &self,
        turn: &Turn,
        scope: ReportScope,
    ) -> Result<Option<(Record, Content)>, Broken> {
        let (kind, page) = (BodyType::AgentReport, limits::ROWS_PER_READ_MAX);
        let subtype = Some(scope.as_str().to_owned());
        let listing = Listing { subtype, ..Listing::of(turn.agent_id.as_str(), kind, page) };
        let reports = self.store.records(Domain::Agent, listing).await?;
        for record in reports {
            let Body::AgentReport(report) = &record.body else { continue };
            if report.run_key == turn.run_key || report.written_at > turn.began_at {
                continue;
            }
            let words = self.store.content(Domain::Agent, report.content.clone()).await?;
            return Ok(words.map(|words| (record, words)));
        }
        Ok(None)
    }
}

/// Whether a message was there when a turn began.
fn is_before(one: &Read, turn: &Turn) -> bool {
    one.message.run_key != Some(turn.run_key) && one.at <= turn.began_at
}
