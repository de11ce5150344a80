//! Who may use whom. An arrow points from what uses to what is used; there are no others.
//!
//! A place is `room/crate`, as in `crates/room/crate`, or `xtask`. `room/*` is every crate of a
//! room, `*` every place. The tables speak of normal and build dependencies: tests may use all.

/// One row: the crates at `from` may use the crates at `to`.
pub(crate) struct Arrow {
    pub(crate) from: &'static str,
    pub(crate) to: &'static [&'static str],
}

const fn arrow(from: &'static str, to: &'static [&'static str]) -> Arrow {
    Arrow { from, to }
}

/// The first row whose `from` covers a crate speaks for it.
pub(crate) const ARROWS: &[Arrow] = &[
    // The middle is pure, and its nouns stand alone.
    arrow("kernel/types", &[]),
    arrow("kernel/*", &["kernel/types"]),
    arrow("ports/*", &["kernel/types"]),
    // One outside thing each; the way out, the secrets and the cage are shared.
    arrow("adapters/sqlite", &["ports/*", "kernel/*", "adapters/vfs"]),
    arrow("adapters/vfs", &[]),
    arrow(
        "adapters/*",
        &["ports/*", "kernel/*", "adapters/egress", "adapters/secrets", "adapters/sandbox"],
    ),
    // Engine rooms meet in the runtime and through the store, not in each other.
    arrow("engine/runtime", &["engine/*", "ports/*", "kernel/*"]),
    // A turn acts through the executor; nobody else does.
    arrow("engine/turn", &["engine/tools", "ports/*", "kernel/*"]),
    arrow("engine/*", &["ports/*", "kernel/*"]),
    arrow("surfaces/api-types", &["kernel/types"]),
    arrow("surfaces/client", &["surfaces/api-types"]),
    arrow("surfaces/cli", &["surfaces/client", "surfaces/api-types"]),
    arrow("surfaces/tui", &["surfaces/client", "surfaces/api-types"]),
    arrow("surfaces/router", &["engine/runtime", "surfaces/api-types", "kernel/types"]),
    arrow("surfaces/http", &["surfaces/router", "surfaces/api-types", "kernel/types"]),
    arrow("surfaces/web", &["engine/runtime", "surfaces/api-types", "kernel/types"]),
    arrow("surfaces/mcp", &["engine/runtime", "surfaces/api-types", "kernel/types"]),
    // The one place outside of testing that names adapters.
    arrow("bin/*", &["surfaces/*", "engine/runtime", "adapters/*", "ports/*", "kernel/types"]),
    arrow("testing/*", &["*"]),
    arrow("xtask", &[]),
];

/// Crates of others that a room keeps out. A name that ends in `*` stands for all that start so.
pub(crate) struct Ban {
    pub(crate) places: &'static [&'static str],
    pub(crate) crates: &'static [&'static str],
    pub(crate) reason: &'static str,
}

/// All rows that cover a crate speak for it.
pub(crate) const BANS: &[Ban] = &[
    Ban {
        places: &["kernel/*"],
        crates: &["tokio", "rusqlite", "getrandom", "rand", "async-*"],
        reason: "the kernel is pure: what it needs comes in as values",
    },
    Ban {
        places: &["engine/*", "ports/*"],
        crates: &["rusqlite"],
        reason: "the outside is reached through ports",
    },
];

/// Crates of others that have one home.
pub(crate) struct Home {
    pub(crate) name: &'static str,
    pub(crate) places: &'static [&'static str],
}

/// Nobody else may use the crate.
pub(crate) const HOMES: &[Home] = &[
    Home {
        name: "rusqlite",
        places: &["adapters/sqlite", "adapters/vfs", "adapters/index", "testing/*"],
    },
    // Whoever could open a connection of its own would need no leave.
    Home { name: "hyper", places: &["adapters/egress", "surfaces/http", "testing/*"] },
    Home { name: "hyper-util", places: &["adapters/egress", "surfaces/http", "testing/*"] },
    Home { name: "tokio-rustls", places: &["adapters/egress", "testing/*"] },
    Home { name: "reqwest", places: &["adapters/egress"] },
    Home { name: "ureq", places: &["adapters/egress"] },
    Home { name: "curl", places: &["adapters/egress"] },
];

/// Features of our own crates that only some may ask for, not even in their tests.
pub(crate) const FEATURES: &[Home] =
    // The simulator's faults: nothing that people use is ever built with them.
    &[Home { name: "planted", places: &["testing/*"] }];

/// Licences under which we take the work of others.
pub(crate) const LICENCES: &[&str] = &[
    "MIT",
    "MIT-0",
    "Apache-2.0",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "ISC",
    "Zlib",
    "Unicode-3.0",
    "CC0-1.0",
    "MPL-2.0",
    "Unlicense",
    "0BSD",
    "BSL-1.0",
    // Data: the certificates of the authorities that everybody trusts.
    "CDLA-Permissive-2.0",
];
