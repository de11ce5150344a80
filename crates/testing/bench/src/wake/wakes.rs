//! Durable wakes a second, from the door to a receipt, beside raw SQLite writing the same rows.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use rusqlite::Connection;
use sqlite::Config;
use testkit::TempHome;

use super::fleet::Fleet;
use super::hinting::Hinting;
use super::raw_wakes;
use crate::stopwatch::median;

/// How often each side is measured, in turn, so that both meet the same moods of the machine.
const ROUNDS: u64 = 9;

/// Wakes of one round.
const WAKES: u64 = 4_000;

/// Wakes a second of each side, the median of the ratios, and the rows that one wake writes.
pub(super) struct Pair {
    pub(super) ours: f64,
    pub(super) raw: f64,
    pub(super) ratio: f64,
    pub(super) rows: f64,
}

pub(super) fn pair(fleet: &Fleet) -> Pair {
    let (our_home, raw_home) = (TempHome::new(), TempHome::new());
    let agents = fleet.size.agents;
    copy(fleet.home.path(), our_home.path());
    // Every agent gets a trigger and wakes once: then both sides begin with the same file.
    drop({
        let hinting = Hinting::open(our_home.path(), agents);
        hinting.round("first", agents);
        hinting
    });
    copy(our_home.path(), raw_home.path());
    let config = Config::default();
    let path = |home: &TempHome| home.path().join("agent.db");
    let open = |path: &Path| raw_wakes::open(path, config.checkpoint_pages, config.cache_kib);
    let connection = open(&path(&raw_home));
    let (before, ends) = (count_rows(&connection), raw_wakes::ends(&connection));
    let hinting = Hinting::open(our_home.path(), agents);
    let (mut ours, mut raws, mut ratios) = (vec![], vec![], vec![]);
    for round in 0..ROUNDS {
        let our_s = hinting.round("ours", WAKES).as_secs_f64();
        let numbers = round * WAKES..(round + 1) * WAKES;
        let rows: Vec<_> = numbers.map(|n| raw_wakes::rows(n, agents, 1, &ends)).collect();
        let raw_s = raw_wakes::write(&connection, &rows).as_secs_f64();
        #[expect(clippy::cast_precision_loss, reason = "a few thousand")]
        let wakes = WAKES as f64;
        ours.push(wakes / our_s);
        raws.push(wakes / raw_s);
        ratios.push(raw_s / our_s);
    }
    drop(hinting);
    let rows = same_rows(&before, &count_rows(&open(&path(&our_home))), &count_rows(&connection));
    Pair { ours: median(ours), raw: median(raws), ratio: median(ratios), rows }
}

/// Makes sure that both sides wrote the same number of rows into every table, and says how many a
/// wake is.
fn same_rows(before: &Counts, ours: &Counts, raw: &Counts) -> f64 {
    assert_eq!(ours, raw, "both sides write the same rows");
    let grown: i64 = raw.iter().map(|(table, rows)| rows - before[table]).sum();
    let wakes = i64::try_from(ROUNDS * WAKES).expect("few");
    assert_eq!(raw["runs"] - before["runs"], wakes, "nothing is merged");
    assert_eq!(raw["open runs"], 0, "every wake has its receipt");
    #[expect(clippy::cast_precision_loss, reason = "some hundred thousand")]
    let per_wake = grown as f64 / wakes as f64;
    per_wake
}

/// How many rows there are, by table.
type Counts = BTreeMap<String, i64>;

fn count_rows(connection: &Connection) -> Counts {
    let counted = || -> rusqlite::Result<Counts> {
        let sql = "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%'";
        let tables = connection
            .prepare(sql)?
            .query_map([], |row| row.get(0))?
            .collect::<rusqlite::Result<Vec<String>>>()?;
        let mut counts = Counts::new();
        let count = |sql: &str| connection.query_row(sql, [], |row| row.get::<_, i64>(0));
        for table in tables {
            let rows = count(&format!("SELECT COUNT(*) FROM {table}"))?;
            counts.insert(table, rows);
        }
        let open = count("SELECT COUNT(*) FROM runs WHERE receipt IS NULL")?;
        counts.insert("open runs".to_owned(), open);
        Ok(counts)
    };
    counted().expect("the tables are there")
}

/// Copies a closed home.
fn copy(from: &Path, to: &Path) {
    for file in ["journal.db", "agent.db"] {
        fs::copy(from.join(file), to.join(file)).expect("there is room for a copy");
    }
}
