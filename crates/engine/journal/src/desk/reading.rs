//! The desk.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use store::Store;
use tool::Target;
use types::{
    At, BlockId, Body, CategoryId, Day, Domain, Due, Guard, Position, Record, RecordId, Token,
};
use world::World;

use crate::Error;
use crate::words;

use super::{Loaded, Place, beneath};

/// How far whoever plans may reach.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Reach {
    /// Everything: the journal is theirs.
    Operator,
    /// These categories, by full ids only.
    Within(BTreeSet<CategoryId>),
}

/// Where a verb is planned. Whatever is read here is noted with its revision and category: the gate
/// judges an agent by it, an operation is named by it, and the plan is written only while it is so.
pub(crate) struct Desk {
    pub(crate) store: Arc<dyn Store>,
    pub(crate) world: Arc<dyn World>,
    pub(crate) reach: Reach,
    targets: BTreeSet<Target>,
    listed: Mutex<Listed>,
}

/// What was listed: about which tokens, and where the log ended before the first look.
#[derive(Default)]
struct Listed {
    since: Option<Position>,
    tokens: BTreeSet<Token>,
}

impl Desk {
    pub(crate) fn new(store: Arc<dyn Store>, world: Arc<dyn World>, reach: Reach) -> Desk {
        Desk { store, world, reach, targets: BTreeSet::new(), listed: Mutex::default() }
    }

    /// Notes that everything about a token is about to be listed. A plan that rests on the list is written
    /// only if nothing has come to it since: what is new has no revision that could be guarded.
    pub(crate) async fn listing(&self, token: Token) -> Result<(), Error> {
        let known = self.listed().since.is_some();
        let head = if known { None } else { Some(self.store.head(Domain::Journal).await?) };
        let mut listed = self.listed();
        listed.since = listed.since.or(head);
        listed.tokens.insert(token);
        Ok(())
    }

    /// Notes that a record is about to be let go of: the plan is written only if nothing has come to rest on it
    /// since.
    pub(crate) async fn nothing_comes_to(&self, id: &RecordId) -> Result<(), Error> {
        for token in beneath(id) {
            self.listing(token).await?;
        }
        Ok(())
    }

    /// That nothing came to what was listed.
    pub(crate) fn quiet(&self) -> Vec<Guard> {
        let listed = self.listed();
        let Some(since) = listed.since else { return vec![] };
        listed.tokens.iter().map(|token| Guard::Quiet { token: token.clone(), since }).collect()
    }

    fn listed(&self) -> MutexGuard<'_, Listed> {
        self.listed.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What was looked at.
    pub(crate) fn targets(self) -> BTreeSet<Target> {
        self.targets
    }

    /// The records that were looked at, each with its revision. A block is none: its plan is among them.
    pub(crate) fn looked_at(&self) -> impl Iterator<Item = (RecordId, u64)> {
        let records = self.targets.iter().filter(|target| !is_block(&target.record));
        records.map(|target| (target.record.clone(), target.revision))
    }

    /// Whether what lies in a category may be shown to whoever plans.
    pub(crate) fn reaches(&self, category: &CategoryId) -> bool {
        match &self.reach {
            Reach::Operator => true,
            Reach::Within(categories) => categories.contains(category),
        }
    }

    /// Whether the person plans whose journal it is.
    pub(crate) fn is_operator(&self) -> bool {
        self.reach == Reach::Operator
    }

    /// Notes a record that the plan rests on.
    pub(crate) fn note<T>(&mut self, loaded: &Loaded<T>, category: Option<&CategoryId>) {
        self.touch(loaded.id.clone(), loaded.revision, category);
    }

    /// The same for a part of a record that lies in a category of its own, such as a block of a plan.
    pub(crate) fn touch(
        &mut self,
        record: impl Into<RecordId>,
        revision: u64,
        category: Option<&CategoryId>,
    ) {
        let (record, category) = (record.into(), category.cloned());
        self.targets.insert(Target { record, revision, category });
    }

    /// A live record of a kind.
    pub(crate) async fn read<T>(
        &self,
        id: impl Into<RecordId>,
        typed: fn(Body) -> Option<T>,
    ) -> Result<Option<Loaded<T>>, Error> {
        let record: Option<Record> = self.store.record(Domain::Journal, id.into()).await?;
        Ok(record.and_then(|record| Loaded::from(record, typed)))
    }

    /// The place of a record whose id is known whether or not it is there.
    pub(crate) async fn place<T>(
        &self,
        id: impl Into<RecordId>,
        typed: fn(Body) -> Option<T>,
    ) -> Result<Place<T>, Error> {
        let id = id.into();
        let record = self.store.record(Domain::Journal, id.clone()).await?;
        let revision = record.as_ref().map_or(0, |record| record.revision);
        let body = record.and_then(|record| Loaded::from(record, typed)).map(|found| found.body);
        Ok(Place { id, revision, body })
    }

    pub(crate) fn now(&self) -> At {
        self.world.now()
    }

    /// An instant as somebody wrote it.
    pub(crate) fn moment(&self, text: &str) -> Result<At, Error> {
        words::moment(text, self.world.now(), &self.world.zone())
    }

    /// An instant as somebody wrote it who speaks of a day: a time alone is a time of that day.
    pub(crate) fn moment_on(&self, text: &str, day: Day) -> Result<At, Error> {
        words::moment_on(text, day, self.world.now(), &self.world.zone())
    }

    /// A day as somebody wrote it.
    pub(crate) fn day(&self, text: &str) -> Result<Day, Error> {
        words::day(text, self.world.now(), &self.world.zone())
    }

    /// A due date as somebody wrote it.
    pub(crate) fn due(&self, text: &str) -> Result<Due, Error> {
        words::due(text, self.world.now(), &self.world.zone())
    }

    /// The day of an instant, here.
    pub(crate) fn day_of(&self, at: At) -> Day {
        rules::day::of(at, &self.world.zone())
    }

    /// The first instant of a day here, and the first after it.
    pub(crate) fn bounds(&self, day: Day) -> (At, At) {
        rules::day::bounds(day, &self.world.zone())
    }

    /// What a clock on the wall shows here.
    pub(crate) fn clock(&self, at: At) -> String {
        rules::day::clock(at, &self.world.zone())
    }

    /// An instant as it is written here.
    pub(crate) fn local(&self, at: At) -> String {
        rules::day::local(at, &self.world.zone())
    }

    /// This day, here.
    pub(crate) fn today(&self) -> Day {
        self.day_of(self.world.now())
    }
}

fn is_block(id: &RecordId) -> bool {
    id.as_str().parse::<BlockId>().is_ok()
}
