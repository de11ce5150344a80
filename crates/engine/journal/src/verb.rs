//! Verbs: everything that changes the journal, for people and for agents alike.

use std::fmt;
use std::future::Future;
use std::pin::Pin;

use serde::de::DeserializeOwned;
use serde_json::Value;
use types::{Code, Problem};

use crate::Error;
use crate::desk::Desk;
use crate::plan::Plan;

/// Something that can be done to the journal. Its fields are the arguments, in the names of the wire.
pub(crate) trait Verb: DeserializeOwned + Send {
    /// Its name, in history and as a tool.
    const NAME: &'static str;

    /// Looks at what is there and says what to write. It writes nothing.
    fn plan(self, desk: &mut Desk) -> impl Future<Output = Result<Plan, Error>> + Send;
}

/// A plan being made.
pub(crate) type Planning<'a> = Pin<Box<dyn Future<Output = Result<Plan, Error>> + Send + 'a>>;

/// A verb whose type is forgotten.
#[derive(Clone, Copy)]
pub(crate) struct AnyVerb {
    /// Its name.
    pub(crate) name: &'static str,
    /// Plans it with these arguments.
    pub(crate) plan: for<'a> fn(Value, &'a mut Desk) -> Planning<'a>,
}

impl AnyVerb {
    pub(crate) const fn of<V: Verb>() -> AnyVerb {
        AnyVerb { name: V::NAME, plan: plan::<V> }
    }
}

fn plan<V: Verb>(arguments: Value, desk: &mut Desk) -> Planning<'_> {
    Box::pin(async move {
        let wrong = |why: &dyn fmt::Display| {
            let hint = "the arguments are those of the tool of that name, or stand in docs/guides/serving.md";
            Problem::new(Code::WrongUsage, format!("{}: {why}", V::NAME), hint)
        };
        // A list would be taken for arguments in their order.
        if !arguments.is_object() {
            return Err(wrong(&"its arguments are no JSON object").into());
        }
        let verb: V = serde_json::from_value(arguments).map_err(|error| wrong(&error))?;
        Ok(verb.plan(desk).await?.fits()?.resting_on(desk))
    })
}
