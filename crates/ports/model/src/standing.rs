//! How providers stand.

/// How often and after how long what failed is tried again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RetryPolicy {
    /// Attempts of one question, the first included.
    pub attempts_max: u32,
    /// How long the second waits, if nobody says; each further one waits twice as long.
    pub backoff_ms: u64,
    /// How long a provider may make us wait; whoever is told to wait longer gives up.
    pub wait_ms_max: u64,
}

/// How a provider stands, as far as that can be told without asking it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProviderStanding {
    /// Its name.
    pub provider: String,
    /// How it is spoken to.
    pub transport: String,
    /// Where it is.
    pub destination: String,
    /// Why nothing could be sent to it now. Never a secret.
    pub obstacle: Option<String>,
    /// What becomes of questions that fail.
    pub retry: RetryPolicy,
}
