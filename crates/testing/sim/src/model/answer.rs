//! What the model answers. Every word of it is new: it carries the number of the call.

use model::{AskedCall, Failure, Response};
use serde_json::{Value, json};
use testkit::Random;
use types::{AttemptTimeline, FinishReason, TokenUsage, limits};

use super::seen::Seen;
use crate::plan::pick;

/// What writes one answer.
pub(super) struct Pen<'a> {
    number: u64,
    words: u64,
    pub(super) dice: &'a mut Random,
    seen: &'a Seen,
}

impl<'a> Pen<'a> {
    /// For the so-manieth answer of the seed.
    pub(super) fn new(number: u64, dice: &'a mut Random, seen: &'a Seen) -> Pen<'a> {
        Pen { number, words: 0, dice, seen }
    }

    /// Words that nobody has said before.
    fn word(&mut self) -> String {
        self.words += 1;
        format!("w{}-{}", self.number, self.words)
    }

    /// The model has nothing more to do, and says so.
    pub(super) fn last_words(&mut self) -> Response {
        let text = format!("all is well, {}", self.word());
        of(&text, vec![], self.dice)
    }

    /// It asks for something, or for a few things at once; now and then for one of them twice.
    pub(super) fn acts(&mut self) -> Response {
        let count = if self.dice.chance(1, 3) { 2 + self.dice.below(3) } else { 1 };
        let mut calls: Vec<AskedCall> = (0..count).map(|_| self.call()).collect();
        if self.dice.chance(1, 6) {
            let again = calls[pick(self.dice, calls.len())].clone();
            let id = if self.dice.chance(1, 4) { again.id.clone() } else { self.id() };
            calls.push(AskedCall { id, ..again });
        }
        let text = if self.dice.chance(1, 2) { self.word() } else { String::new() };
        of(&text, calls, self.dice)
    }

    /// It asks for what it asked for before, under another name.
    pub(super) fn again(&mut self, call: &AskedCall) -> Response {
        let call = AskedCall { id: self.id(), ..call.clone() };
        of("", vec![call], self.dice)
    }

    /// It runs out of room while it asks for something.
    pub(super) fn cut_off(&mut self) -> Response {
        let call = self.call();
        Response { finish: FinishReason::Length, ..of("", vec![call], self.dice) }
    }

    /// It asks for more than a group holds.
    pub(super) fn a_lot(&mut self) -> Response {
        let calls = (0..=limits::TOOL_GROUP_MAX).map(|_| self.add_items()).collect();
        of("", calls, self.dice)
    }

    /// Something to ask for.
    pub(super) fn call(&mut self) -> AskedCall {
        let named = |name: &str, seen: &Seen| seen.offers(name);
        match self.dice.below(100) {
            0..=33 => self.add_items(),
            34..=45 if !self.seen.items.is_empty() => self.change_item(),
            46..=53 => self.new_list(),
            54..=61 => self.rename_task(),
            62..=67 => self.asking("list_tasks_in_scope", json!({})),
            68..=77 if named("update_report", self.seen) => self.report(),
            78..=87 if named("record_observations", self.seen) => self.note(),
            88..=89 => self.asking("order_pizza", json!({ "size": "large" })),
            90..=91 => self.asking("add_multiple_checklist_items", json!({ "items": 7 })),
            92..=93 => {
                let garbage = Err(format!("{{\"items\": [{}", self.word()));
                AskedCall { arguments: garbage, ..self.add_items() }
            }
            94 => self.asking("set_task_title", json!({ "taskId": "task_unknown", "title": "x" })),
            _ => self.add_items(),
        }
    }

    fn add_items(&mut self) -> AskedCall {
        let items: Vec<Value> =
            (0..=self.dice.below(3)).map(|_| json!({ "title": self.word() })).collect();
        let arguments = json!({ "taskId": self.task(), "items": items });
        self.asking("add_multiple_checklist_items", arguments)
    }

    fn change_item(&mut self) -> AskedCall {
        let id = self.seen.items[pick(self.dice, self.seen.items.len())].clone();
        let item = match self.dice.chance(1, 2) {
            true => json!({ "id": id, "checked": self.dice.chance(1, 2) }),
            false => json!({ "id": id, "title": self.word() }),
        };
        self.asking("update_checklist_items", json!({ "items": [item] }))
    }

    fn new_list(&mut self) -> AskedCall {
        let (title, item) = (self.word(), self.word());
        let arguments = json!({ "taskId": self.task(), "title": title, "items": [item] });
        self.asking("create_checklist", arguments)
    }

    fn rename_task(&mut self) -> AskedCall {
        let title = self.word();
        self.asking("set_task_title", json!({ "taskId": self.task(), "title": title }))
    }

    fn report(&mut self) -> AskedCall {
        let content = format!("# Where it stands\n\n{}", self.word());
        let text = self.word();
        let claim = json!({ "text": text, "sources": [self.task()] });
        self.asking("update_report", json!({ "content": content, "claims": [claim] }))
    }

    fn note(&mut self) -> AskedCall {
        let notes = vec![self.word()];
        self.asking("record_observations", json!({ "notes": notes }))
    }

    fn asking(&mut self, tool: &str, arguments: Value) -> AskedCall {
        AskedCall { id: self.id(), tool: tool.to_owned(), arguments: Ok(arguments) }
    }

    /// A name for a call; some models use the same for every first one.
    fn id(&mut self) -> String {
        if self.dice.chance(1, 30) { "call_0".to_owned() } else { format!("call_{}", self.word()) }
    }

    fn task(&self) -> &str {
        self.seen.task.as_deref().unwrap_or("task_none")
    }
}

/// An answer with these words and calls.
pub(super) fn of(text: &str, calls: Vec<AskedCall>, dice: &mut Random) -> Response {
    let finish = if calls.is_empty() { FinishReason::Stop } else { FinishReason::ToolCalls };
    Response {
        keepsake: None,
        text: text.to_owned(),
        calls,
        reasoning: None,
        version: None,
        finish,
        usage: TokenUsage::of(200 + dice.below(1_500), 10 + dice.below(300)),
        timeline: AttemptTimeline::default(),
    }
}

/// What came of asking, in words.
pub(super) fn in_words(reply: &Result<Response, Failure>) -> String {
    let response = match reply {
        Ok(response) => response,
        Err(failure) => return failure.message.clone(),
    };
    let calls = response.calls.iter().take(6).map(|call| match &call.arguments {
        Ok(arguments) => format!(" {} {arguments}", call.tool),
        Err(text) => format!(" {} {text}", call.tool),
    });
    let calls: String = calls.collect();
    format!("{:?},{calls} {} tokens", response.text, response.usage.total_tokens)
}
