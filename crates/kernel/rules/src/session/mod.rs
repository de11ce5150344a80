//! Sessions and conversations: what they are called, how they begin and end, and what their turns come
//! to. A conversation is no record: it is the sessions that lie under its id.

mod chain;
mod ground;
mod life;
mod window;

pub use chain::{Whole, in_order, whole};
pub use ground::{Grounded, Standing, Uttered, act_of, common_ground, grounding};
pub use life::{Beginning, began, continued, conversation_of, id, is_id, of_thread, over};
pub use window::{Capacity, fits, window};
