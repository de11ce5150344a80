//! Writing plans of days, ratings, relations, and what has no place of its own.

use serde_json::json;
use types::{Body, BodyType, DayPlan, PlanBlock, PlanId, RecordId, Relation};

use crate::exchange::archive::Piece;
use crate::views::heading;

use super::comment::comment;
use super::escape::escape;
use super::quote::{self, quote};
use super::seen::{self, fields};
use super::stamp;
use super::write::{Page, object};
use super::write_task::spent;

impl<'a> Page<'a> {
    pub(super) fn days(&mut self) {
        let mut plans: Vec<(&DayPlan, &Piece)> = Vec::new();
        for piece in self.archive.of(BodyType::DayPlan) {
            if let Body::DayPlan(plan) = &piece.body {
                plans.push((plan, piece));
            }
        }
        plans.sort_by_key(|(plan, _)| plan.day);
        if !plans.is_empty() {
            self.line("\n# Days");
        }
        for (plan, piece) in plans {
            self.day(plan, piece);
        }
    }

    fn day(&mut self, plan: &DayPlan, piece: &'a Piece) {
        let mut seen = fields(&seen::plan(plan.day, quote::seen(&plan.note)));
        // Blocks and pins have lines of their own.
        for name in ["blocks", "pinned"] {
            seen.insert(name.to_owned(), fields(plan)[name].clone());
        }
        let about = self.about("plan", piece, &seen, &fields(plan));
        self.line(&format!("\n## {} {about}\n", plan.day));
        let note = quote(&quote::seen(&plan.note), "");
        if !note.is_empty() {
            self.line(&note);
        }
        for block in &plan.blocks {
            let words = self.block(block);
            self.line(&format!("- {words} {}", comment("block", &fields(block))));
        }
        for task in &plan.pinned {
            let words = self.name(&task.into());
            let about = comment("pin", &object(json!({ "task_id": task })));
            self.line(&format!("- pinned: {words} {about}"));
        }
    }

    fn block(&self, block: &PlanBlock) -> String {
        let from = stamp::stamp(block.starts_at).unwrap_or_else(|| "some time".to_owned());
        let place = self.name(&(&block.category_id).into());
        let mut words = format!("{from} until {}: {place}", stamp::clock(block.ends_at));
        if let Some(task) = &block.task_id {
            words += &format!(", {}", self.name(&task.into()));
        }
        match block.note.split(['\n', '\r']).next().unwrap_or_default() {
            "" => words,
            note => format!("{words} ({})", escape(note)),
        }
    }

    pub(super) fn ratings(&mut self) {
        let mut headed = false;
        for piece in self.archive.of(BodyType::Rating) {
            let Body::Rating(rating) = &piece.body else { continue };
            if !headed {
                self.line("\n# Ratings\n");
                headed = true;
            }
            let about = self.about("rating", piece, &object(json!({})), &fields(rating));
            let note = rating.note.split(['\n', '\r']).next().unwrap_or_default();
            let note = if note.is_empty() { String::new() } else { format!(": {}", escape(note)) };
            let (day, score, target) = (rating.day, rating.score, self.rated(&rating.target_id));
            self.line(&format!("- {day}, {score} of 5 for {target}{note} {about}"));
        }
    }

    /// What a rating is for. A day is one whether or not there is a plan of it.
    fn rated(&self, target: &RecordId) -> String {
        match target.as_str().parse::<PlanId>() {
            Ok(_) => "the day".to_owned(),
            Err(_) => self.name(target),
        }
    }

    pub(super) fn relations(&mut self) {
        if !self.archive.ties.is_empty() {
            self.line("\n# Relations\n");
        }
        for tie in &self.archive.ties {
            let mut fields =
                object(json!({ "from": tie.from, "relation": tie.relation, "to": tie.to }));
            if tie.hidden {
                fields.insert("hidden".to_owned(), true.into());
            }
            if !tie.body.is_empty() {
                fields.insert("body".to_owned(), tie.body.clone().into());
            }
            let (from, to) = (self.name(&tie.from), self.name(&tie.to));
            let words = format!("{from} {} {to}", how(&tie.relation));
            self.line(&format!("- {words} {}", comment("link", &fields)));
        }
    }

    /// What lies under something that is gone.
    pub(super) fn elsewhere(&mut self) {
        let left = self.archive.pieces.iter().filter(|piece| !self.written.contains(&piece.id));
        let left: Vec<&Piece> = left.collect();
        if !left.is_empty() {
            self.line("\n# Elsewhere\n");
        }
        for piece in left {
            let words = match &piece.body {
                Body::TimeEntry(time) => spent(time),
                body => escape(&heading(body)),
            };
            let whole = object(json!({
                "kind": piece.body.kind(),
                "id": piece.id,
                "created_at": piece.created_at,
                "body": serde_json::from_str::<serde_json::Value>(&piece.body.encode())
                    .expect("a body is JSON"),
            }));
            self.line(&format!("- {words} {}", comment("record", &whole)));
        }
    }
}

/// A relation as a verb.
fn how(relation: &Relation) -> String {
    match relation {
        Relation::Blocks => "blocks".to_owned(),
        Relation::ParentOf => "has the part".to_owned(),
        Relation::FollowedBy => "is followed by".to_owned(),
        Relation::RelatesTo => "has to do with".to_owned(),
        Relation::ToldIn => "was told in".to_owned(),
        other => escape(other.as_str()),
    }
}
