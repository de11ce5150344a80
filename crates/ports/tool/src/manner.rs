//! How calls of a tool are carried out.

/// How calls of a tool are carried out beside others, and how often each is tried.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Manner {
    /// It goes beside no other call of the same answer: what it touches cannot be told from what it
    /// writes and rests on.
    pub alone: bool,
    /// How often it is tried at most, the first time included, if what it rests on has moved: each time
    /// it is planned and judged anew. At least once.
    pub tries: u32,
}

impl Default for Manner {
    fn default() -> Manner {
        Manner { alone: false, tries: 4 }
    }
}
