//! Power cuts, kills, and whether the verdict over them can be trusted.

mod cuts;
mod kills;
mod notices;
