//! Figures of one benchmark.

use serde_json::{Map, Value, json};

/// Named numbers, in the order they were measured.
pub(crate) struct Figures {
    bench: &'static str,
    list: Vec<Figure>,
}

struct Figure {
    name: &'static str,
    value: f64,
    target: &'static str,
    meaning: &'static str,
}

impl Figures {
    pub(crate) fn new(bench: &'static str) -> Figures {
        Figures { bench, list: Vec::new() }
    }

    /// Notes a figure and what it means.
    pub(crate) fn note(&mut self, name: &'static str, value: f64, meaning: &'static str) {
        self.note_against(name, value, "", meaning);
    }

    /// Notes a figure that has a target.
    pub(crate) fn note_against(
        &mut self,
        name: &'static str,
        value: f64,
        target: &'static str,
        meaning: &'static str,
    ) {
        self.list.push(Figure { name, value, target, meaning });
    }

    pub(crate) fn json(&self) -> Value {
        let figures: Map<String, Value> =
            self.list.iter().map(|f| (f.name.to_owned(), json!(f.value))).collect();
        json!({ "bench": self.bench, "figures": figures })
    }

    pub(crate) fn text(&self) -> String {
        let line = |f: &Figure| {
            let (shown, target) = (shown(f.value), f.target);
            format!("{:<24} {shown:>12} {target:>7}  {}\n", f.name, f.meaning)
        };
        self.list.iter().map(line).collect()
    }

    pub(crate) fn markdown(&self) -> String {
        let aimed = self.list.iter().any(|f| !f.target.is_empty());
        let target = |text: &str| if aimed { format!(" {text} |") } else { String::new() };
        let row = |f: &Figure| {
            format!("| `{}` | {} |{} {} |\n", f.name, shown(f.value), target(f.target), f.meaning)
        };
        let rows: String = self.list.iter().map(row).collect();
        let (head, rule) = (target("target"), if aimed { "---|" } else { "" });
        format!("| figure | value |{head} what it is |\n|---|---|{rule}---|\n{rows}")
    }
}

/// Three places, and more for what is small.
fn shown(value: f64) -> String {
    if value.abs() < 0.01 { format!("{value:.6}") } else { format!("{value:.3}") }
}
