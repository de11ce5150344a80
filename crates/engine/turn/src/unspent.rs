//! Runs that have set something aside and have asked no model since, as far as this process knows. What
//! was set aside and never settled counts as spent, since nobody knows what it cost; of these it is known.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use dispatch::{Claim, Closing};
use types::{AgentId, Amounts, RunKey, Write};

use crate::Turns;

/// The runs. Lost with the process: then nobody knows any more.
#[derive(Debug, Clone, Default)]
pub(crate) struct Unspent(Arc<Mutex<BTreeMap<RunKey, Stands>>>);

/// Who is next at a run that has asked nobody.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stands {
    /// Its turn may ask.
    Open,
    /// Somebody gives it up, and its turn may ask no more. That may take several looks at it.
    GivenUp,
}

impl Unspent {
    /// A run has begun, and with it something was set aside.
    pub(crate) fn begin(&self, run: RunKey) {
        self.runs().insert(run, Stands::Open);
    }

    /// Whether a run has asked nobody.
    pub(crate) fn holds(&self, run: &RunKey) -> bool {
        self.runs().contains_key(run)
    }

    /// Lets a run ask, and says whether it may: from now on it has spent something. If somebody gives it up
    /// while it is about to ask, one of the two is first, and the other has to mind it.
    pub(crate) fn ask(&self, run: &RunKey) -> bool {
        let mut runs = self.runs();
        let may = runs.get(run) == Some(&Stands::Open);
        if may {
            runs.remove(run);
        }
        may
    }

    /// Gives a run up, and says whether it has asked nobody, which it will not do any more.
    pub(crate) fn give_up(&self, run: &RunKey) -> bool {
        let mut runs = self.runs();
        let found = runs.get_mut(run).map(|stands| *stands = Stands::GivenUp);
        found.is_some()
    }

    /// Says for the last time whether a run has asked nobody.
    pub(crate) fn take(&self, run: &RunKey) -> bool {
        self.runs().remove(run).is_some()
    }

    fn runs(&self) -> MutexGuard<'_, BTreeMap<RunKey, Stands>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Turns {
    /// What a turn leaves that has asked no model: what was set aside for that is free again.
    pub(crate) fn closing_unspent(&self, claim: &Claim) -> Closing {
        let (agent, run) = (&claim.agent.agent_id, &claim.run.draft.run_key);
        Closing { writes: vec![self.nothing_spent(agent, run)], ..Closing::default() }
    }

    /// Lets go of what a run has set aside: nothing of it was spent.
    pub(crate) fn nothing_spent(&self, agent: &AgentId, run: &RunKey) -> Write {
        let (agent, day, amounts) = (agent.clone(), self.today(), Amounts::default());
        Write::Settle { agent, day, run_key: *run, amounts }
    }
}
