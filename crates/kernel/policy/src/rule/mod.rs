//! The rules, one file each.

pub(crate) mod capability;
pub(crate) mod category_scope;
pub(crate) mod fence;
pub(crate) mod kill_switch;
pub(crate) mod offered;
pub(crate) mod operation_id;
pub(crate) mod own_task;
pub(crate) mod preview;
pub(crate) mod quota;
pub(crate) mod recorded;
pub(crate) mod schema;
pub(crate) mod side_effects;
pub(crate) mod tool_class;
pub(crate) mod wake_reason;
