//! The rules, one file each.

pub(super) mod budget;
pub(super) mod consent;
pub(super) mod kill_switch;
pub(super) mod lifecycle;
pub(super) mod model_access;
pub(super) mod projection;
pub(super) mod provider;
