//! Figures of one benchmark.

use serde_json::{Map, Value, json};

/// Named numbers, in the order they were measured.
pub(crate) struct Figures {
    bench: &'static str,
    list: Vec<(&'static str, f64, &'static str)>,
}

impl Figures {
    pub(crate) fn new(bench: &'static str) -> Figures {
        Figures { bench, list: Vec::new() }
    }

    /// Notes a figure and what it means.
    pub(crate) fn note(&mut self, name: &'static str, value: f64, meaning: &'static str) {
        self.list.push((name, value, meaning));
    }

    pub(crate) fn json(&self) -> Value {
        let figures: Map<String, Value> =
            self.list.iter().map(|(name, value, _)| ((*name).to_owned(), json!(value))).collect();
        json!({ "bench": self.bench, "figures": figures })
    }

    pub(crate) fn text(&self) -> String {
        let line = |(name, value, meaning): &(&str, f64, &str)| {
            format!("{name:<24} {value:>12.3}  {meaning}\n")
        };
        self.list.iter().map(line).collect()
    }

    pub(crate) fn markdown(&self) -> String {
        let rows: String = self
            .list
            .iter()
            .map(|(name, value, meaning)| format!("| `{name}` | {value:.3} | {meaning} |\n"))
            .collect();
        format!("| figure | value | what it is |\n|---|---|---|\n{rows}")
    }
}
