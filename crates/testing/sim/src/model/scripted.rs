//! Asking: how long it takes, and what comes of it.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::Poll;

use model::{AskedCall, Asking, Listen, Model, Price, Request, Response};
use testkit::Random;
use types::{AgentId, ModelFailureKind, ModelRef};

use super::answer::{self, Pen};
use super::fate::{self, Fate};
use super::seen::Seen;
use crate::boot::QUICK;
use crate::shared::Shared;

/// What a token costs here; more for one that is received.
const PRICE: Price = Price { input_micros: 3_000_000, output_micros: 15_000_000 };

/// The model of one life of the program.
pub(crate) struct Scripted {
    shared: Arc<Shared>,
    /// Agents to whom it says the same for ever, what, and how often still.
    stuck: Mutex<BTreeMap<AgentId, (AskedCall, u64)>>,
}

impl Scripted {
    pub(crate) fn new(shared: Arc<Shared>) -> Scripted {
        Scripted { shared, stuck: Mutex::default() }
    }

    /// What comes of being asked for the so-manieth time in this seed. Every time is another, so that
    /// whoever asks again for what was answered before is found out.
    fn reply(
        &self,
        request: &Request,
        number: u64,
        dice: &mut Random,
    ) -> Result<Response, ModelFailureKind> {
        if request.model.as_str() == QUICK {
            return fate::in_a_word(number, dice);
        }
        let seen = Seen::of(request);
        let mut pen = Pen::new(number, dice, &seen);
        if let Some(call) = self.same_again(&request.agent) {
            return Ok(pen.again(&call));
        }
        match fate::draw(pen.dice) {
            Fate::Fails(kind) => Err(kind),
            Fate::SaysNothing => Ok(answer::of("", vec![], pen.dice)),
            Fate::IsCutOff => Ok(pen.cut_off()),
            Fate::IsDone => Ok(pen.last_words()),
            Fate::AsksForALot => Ok(pen.a_lot()),
            Fate::GetsStuck => {
                let call = pen.call();
                let times = 1 + pen.dice.below(4);
                self.stuck().insert(request.agent.clone(), (call.clone(), times));
                Ok(pen.again(&call))
            }
            Fate::Acts => Ok(pen.acts()),
        }
    }

    fn same_again(&self, agent: &AgentId) -> Option<AskedCall> {
        let mut stuck = self.stuck();
        let (call, left) = stuck.get_mut(agent)?;
        let call = call.clone();
        *left -= 1;
        if *left == 0 {
            stuck.remove(agent);
        }
        Some(call)
    }

    fn stuck(&self) -> std::sync::MutexGuard<'_, BTreeMap<AgentId, (AskedCall, u64)>> {
        self.stuck.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Model for Scripted {
    fn ask(&self, request: Request, _listen: Arc<dyn Listen>) -> Asking {
        let number = self.shared.next_ask();
        let mut dice = Random::seeded(self.shared.seed.rotate_left(29) ^ (number << 20) ^ 0xa5c);
        let name = self.shared.book().name(&request.agent);
        self.shared.tell(&format!("  {name} asks a model, question {number}"));
        let today = self.shared.today();
        self.shared.book().asked(number, &request, today);
        let calm = self.shared.is_calm();
        let reply = match calm {
            true => Ok(Pen::new(number, &mut dice, &Seen::of(&request)).last_words()),
            false => self.reply(&request, number, &mut dice),
        };
        let reply = reply.map_err(|kind| fate::failure(kind, &mut dice));
        let until = self.shared.elapsed_ms() + if calm { 0 } else { fate::takes_ms(&mut dice) };
        self.shared.alarms().push(until);
        self.shared.asking(true);
        let mut call = InFlight { shared: Arc::clone(&self.shared), number, heard: false };
        let mut reply = Some(reply);
        Box::pin(std::future::poll_fn(move |_| {
            if call.shared.elapsed_ms() < until {
                return Poll::Pending;
            }
            call.heard = true;
            let reply = reply.take().expect("an answer is heard once");
            call.shared.tell(&format!("  answer {}: {}", call.number, answer::in_words(&reply)));
            call.shared.book().answered(call.number, &reply);
            Poll::Ready(reply)
        }))
    }

    fn price(&self, _model: &ModelRef) -> Option<Price> {
        Some(PRICE)
    }
}

/// A call under way; one that is dropped died with its process.
struct InFlight {
    shared: Arc<Shared>,
    number: u64,
    heard: bool,
}

impl Drop for InFlight {
    fn drop(&mut self) {
        self.shared.asking(false);
        if !self.heard {
            self.shared.book().figures.count("model_calls_died");
        }
    }
}
