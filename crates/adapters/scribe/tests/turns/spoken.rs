//! The port: what is heard, what it costs, and for whom it speaks.

use std::sync::{Arc, Mutex};

use model::{Heard, Listen, Model, Price, Quiet};
use scribe::Scribe;
use types::{AttemptOutcome, ModelFailureKind, ModelRef};

use crate::given::Given;

#[derive(Default)]
struct Ear(Mutex<Vec<Heard>>);

impl Listen for Ear {
    fn heard(&self, heard: Heard) {
        self.0.lock().unwrap().push(heard);
    }
}

#[tokio::test]
async fn an_answer_is_heard_line_by_line_and_is_the_same_as_the_whole() {
    let ear = Arc::new(Ear::default());
    let request = Given::prompt("status?").0;
    let response = Scribe.ask(request.clone(), ear.clone()).await.unwrap();
    assert_eq!(response, scribe::answer(&request));
    let heard = ear.0.lock().unwrap();
    let mut whole = String::new();
    for (place, heard) in heard.iter().enumerate() {
        let Heard::Text { attempt: 1, n, text } = heard else { panic!("{heard:?}") };
        assert_eq!(usize::try_from(*n).unwrap(), place);
        whole.push_str(text);
    }
    assert_eq!(heard.len(), 3);
    assert_eq!(whole, response.text);
}

#[tokio::test]
async fn calls_are_heard_by_their_names() {
    let ear = Arc::new(Ear::default());
    Scribe.ask(Given::wake().0, ear.clone()).await.unwrap();
    let tool = "update_report".to_owned();
    assert_eq!(*ear.0.lock().unwrap(), [Heard::Call { attempt: 1, n: 0, tool }]);
}

#[tokio::test]
async fn it_costs_nothing_counts_what_it_read_and_speaks_for_no_other_model() {
    assert_eq!(Scribe.price(&ModelRef::scribe()), Some(Price::default()));
    let request = Given::prompt("what is open?").0;
    let response = Scribe.ask(request.clone(), Arc::new(Quiet)).await.unwrap();
    let read: usize = request.prompt.iter().map(|block| block.text.len()).sum();
    assert!(response.usage.input_tokens >= u64::try_from(read / 4).unwrap());
    let spoken = u64::try_from(response.text.len().div_ceil(4)).unwrap();
    assert_eq!(response.usage.output_tokens, spoken);
    assert_eq!(Price::default().of(&response.usage), 0);
    assert_eq!(response.timeline.attempts.len(), 1);
    assert_eq!(response.timeline.attempts[0].outcome, AttemptOutcome::Succeeded);

    let other: ModelRef = "lab/large".parse().unwrap();
    assert_eq!(Scribe.price(&other), None);
    let wrong = model::Request { model: other, ..request };
    let failure = Scribe.ask(wrong, Arc::new(Quiet)).await.unwrap_err();
    assert_eq!(failure.kind, ModelFailureKind::BadRequest);
    assert!(failure.message.contains("lab/large"));
}
