//! What a turn is offered: the tools of its profile as a model sees them, made once.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use model::ToolSpec;
use policy::Rights;
use rules::hash;
use types::{Capability, Digest};

use crate::Turns;
use crate::settings::Profile;

/// The tools of a profile.
pub(crate) struct Offer {
    pub(crate) specs: Arc<[ToolSpec]>,
    /// The classes that each of them is of.
    classes: Vec<&'static [Capability]>,
    /// About how many tokens they are.
    pub(crate) tokens: u64,
    /// The hash of all that a model is told of them.
    pub(crate) hash: Digest,
}

impl Offer {
    /// What somebody of this profile may call who is offered this: nothing else that its capabilities would cover.
    pub(crate) fn rights(&self, profile: &Profile) -> Rights {
        let offered = self.specs.iter().map(|tool| tool.name.clone()).collect();
        Rights { tools: Some(offered), ..profile.rights.clone() }
    }

    /// Those that can be called now, if that is not all of them: none of a class that is stopped, and none at all by
    /// whoever has no call left today. The gate holds it in any case; this saves asking for it in vain.
    pub(crate) fn callable(&self, stopped: &[String], has_calls: bool) -> Option<Vec<String>> {
        if has_calls && stopped.is_empty() {
            return None;
        }
        let is_stopped = |class: &Capability| stopped.iter().any(|one| one == class.as_str());
        let with_classes = self.specs.iter().zip(&self.classes);
        let callable: Vec<String> = with_classes
            .filter(|(_, classes)| has_calls && !classes.iter().any(is_stopped))
            .map(|(tool, _)| tool.name.clone())
            .collect();
        (callable.len() < self.specs.len()).then_some(callable)
    }
}

/// Offers by prompt, version and tools: a turn that is taken up again is offered what it was offered first,
/// also if its template lists others today.
pub(crate) type Offers = Arc<Mutex<BTreeMap<(String, u32, Vec<String>), Arc<Offer>>>>;

impl Turns {
    /// The tools of a profile as a model sees them.
    pub(crate) fn offer(&self, profile: &Profile) -> Arc<Offer> {
        let name = (profile.prompt_id.clone(), profile.prompt_version, profile.tools.clone());
        let mut offers = self.offers.lock().expect("nobody panics while offering");
        Arc::clone(offers.entry(name).or_insert_with(|| Arc::new(self.make_offer(profile))))
    }

    fn make_offer(&self, profile: &Profile) -> Offer {
        let offers = self.executor.registry().offer(&profile.rights);
        let find = |name: &String| offers.iter().find(|offer| offer.name == name);
        let found = profile.tools.iter().filter_map(find);
        let spec = |offer: &tools::Offer| ToolSpec {
            name: offer.name.to_owned(),
            description: offer.description.to_owned(),
            input_schema: context::slim(&offer.input),
        };
        let specs: Arc<[ToolSpec]> = found.map(spec).collect();
        let contract = |tool: &ToolSpec| self.executor.registry().contract(&tool.name);
        let classes = specs.iter().map(|tool| contract(tool).map_or(&[][..], |it| it.capabilities));
        let classes = classes.collect();
        let tokens = specs.iter().map(tokens).sum();
        let hash = hash::fields(specs.iter().flat_map(words));
        Offer { specs, classes, tokens, hash }
    }
}

fn words(tool: &ToolSpec) -> [String; 3] {
    [tool.name.clone(), tool.description.clone(), tool.input_schema.to_string()]
}

fn tokens(tool: &ToolSpec) -> u64 {
    context::tokens(&tool.description) + context::tokens(&tool.input_schema.to_string())
}
