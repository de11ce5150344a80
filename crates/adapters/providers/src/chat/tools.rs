//! Tools as a server is told them: written once, because they stay the same from wake to wake.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use model::{Emission, ToolSpec};
use serde_json::value::{RawValue, to_raw_value};

use super::wire::{Function, Offered, Tool};

/// Offers whose text is kept: one for each template that is at work.
const KEPT_MAX: usize = 8;

/// The last offers, as they were written, the newest first.
#[derive(Default)]
pub(crate) struct Written {
    kept: Mutex<VecDeque<Kept>>,
}

struct Kept {
    offer: Arc<[ToolSpec]>,
    schemas: Emission,
    text: Arc<RawValue>,
}

impl Written {
    /// An offer as it goes over the wire; nothing if it is empty. The same offer is the same one in memory:
    /// comparing what it says would take as long as writing it.
    pub(super) fn of(&self, offer: &Arc<[ToolSpec]>, schemas: Emission) -> Option<Arc<RawValue>> {
        if offer.is_empty() {
            return None;
        }
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let is_it = |one: &&Kept| Arc::ptr_eq(&one.offer, offer) && one.schemas == schemas;
        if let Some(known) = kept.iter().find(is_it) {
            return Some(Arc::clone(&known.text));
        }
        let tools: Vec<Tool<'_>> = offer.iter().map(|spec| tool(spec, schemas)).collect();
        let text: Arc<RawValue> = to_raw_value(&tools).expect("tools are JSON").into();
        kept.push_front(Kept { offer: Arc::clone(offer), schemas, text: Arc::clone(&text) });
        kept.truncate(KEPT_MAX);
        Some(text)
    }
}

fn tool(spec: &ToolSpec, schemas: Emission) -> Tool<'_> {
    let function = Offered {
        name: &spec.name,
        description: &spec.description,
        parameters: schemas.of(&spec.input_schema),
        strict: schemas.is_strict(),
    };
    Tool { kind: Function::Function, function }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn offer(name: &str) -> Arc<[ToolSpec]> {
        let schema = json!({ "type": "object", "properties": { "a": { "type": "string" } } });
        [ToolSpec { name: name.to_owned(), description: String::new(), input_schema: schema }]
            .into()
    }

    fn name_in(text: Option<Arc<RawValue>>) -> Value {
        let tools: Value = serde_json::from_str(text.unwrap().get()).unwrap();
        tools[0]["function"]["name"].clone()
    }

    #[test]
    fn an_offer_is_written_once_and_others_are_told_apart() {
        let written = Written::default();
        let (one, other) = (offer("one"), offer("other"));
        let first = written.of(&one, Emission::Relaxed).unwrap();
        assert!(Arc::ptr_eq(&first, &written.of(&one, Emission::Relaxed).unwrap()));
        assert_eq!(name_in(written.of(&other, Emission::Relaxed)), "other");
        let strict = written.of(&one, Emission::Strict).unwrap();
        assert_ne!(first.get(), strict.get(), "another form is another text");
        assert!(written.of(&Arc::from([]), Emission::Relaxed).is_none());
    }

    #[test]
    fn only_the_last_offers_are_kept() {
        let written = Written::default();
        for n in 0..2 * KEPT_MAX {
            let name = n.to_string();
            assert_eq!(name_in(written.of(&offer(&name), Emission::Relaxed)), name);
        }
        assert_eq!(written.kept.lock().unwrap().len(), KEPT_MAX);
    }
}
