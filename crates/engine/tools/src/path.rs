//! From what was written down to what came of it.

use policy::Rights;
use rules::reserve::Reservation;

use crate::abreast::{Went, abreast};
use crate::effect::{Deed, Tried};
use crate::executor::Case;
use crate::intend::{answer, denial, written};
use crate::judge::Judged;
use crate::standing::Standing;
use crate::work::Work;
use crate::{Error, Executor, Left, Receipt};

/// A call on its way from what was written down to its answer.
enum Path {
    Answered(Box<Receipt>),
    Recorded(Box<(Work, Standing)>),
    Waits(Box<(Work, Standing)>),
    Change(Box<(Work, Standing, Deed)>),
}

impl Path {
    /// The path of a call, with what it touches. Only what changes the journal touches anything by now:
    /// all others have looked already, or were written down with what was to be said.
    fn of(case: Case) -> (Reservation, Path) {
        let Case { work, standing, judged } = case;
        let receipt = match judged {
            Judged::Denied(denied) => denial(&work, &denied),
            Judged::Answered(_, planned) => answer(&work, &planned),
            Judged::Own(_, planned) => written(&work, &planned),
            Judged::Recorded => {
                let path = Path::Recorded(Box::new((work, standing)));
                return (Reservation::default(), path);
            }
            Judged::Waits(_) => {
                // Nobody knows what it touches before those in front of it are done.
                let alone = Reservation { alone: true, ..Reservation::default() };
                return (alone, Path::Waits(Box::new((work, standing))));
            }
            Judged::Change(admitted, planned) => {
                let deed = Deed::new(&work, (admitted, planned));
                let touches = deed.touches(&work);
                return (touches, Path::Change(Box::new((work, standing, deed))));
            }
        };
        (Reservation::default(), Path::Answered(Box::new(receipt)))
    }
}

impl Executor {
    /// Does what was written down. Calls that touch the same go in their order, the others side by side;
    /// what came of them and what is left to write stands in their order.
    pub(crate) async fn see_through(
        &self,
        cases: Vec<Case>,
        rights: &Rights,
    ) -> Result<(Vec<Receipt>, Left), Error> {
        let paths = cases.into_iter().map(Path::of).collect();
        let go_on = |path, moved| self.go_on(path, rights, moved);
        let (mut receipts, mut left) = (Vec::new(), Left::default());
        for (receipt, own) in abreast(paths, go_on).await? {
            receipts.push(receipt);
            left = left.and(own);
        }
        Ok((receipts, left))
    }

    async fn go_on(
        &self,
        path: Path,
        rights: &Rights,
        moved: bool,
    ) -> Result<Went<Path, (Receipt, Left)>, Error> {
        let mut left = Left::default();
        let (work, standing, tried) = match path {
            Path::Answered(receipt) => return Ok(Went::Over((*receipt, left))),
            Path::Recorded(call) => {
                let receipt = self.recorded(&call.0, &call.1, &mut left).await?;
                return Ok(Went::Over((receipt, left)));
            }
            Path::Waits(call) => {
                let (work, standing) = *call;
                let tried = self.plan_anew(&work, &standing, rights, work.tries()).await?;
                (work, standing, tried)
            }
            Path::Change(call) => {
                let (work, standing, deed) = *call;
                let tried = self.carry_out(&work, &standing, rights, deed, moved).await?;
                (work, standing, tried)
            }
        };
        match tried {
            Tried::Carried(carried) => {
                let receipt = self.came_of(&work, carried, &mut left).await?;
                Ok(Went::Over((receipt, left)))
            }
            Tried::Moved(deed) => {
                let touches = deed.touches(&work);
                let path = Path::Change(Box::new((work, standing, deed)));
                Ok(Went::Again(touches, path))
            }
        }
    }
}
