//! What models cost.

use std::collections::BTreeMap;

use model::Price;
use serde::Deserialize;
use types::{Invalid, ModelRef};

/// The table that comes with the program.
const BUILTIN: &str = include_str!("prices.toml");

/// The dearest a million tokens may be: what costs more was typed wrongly.
const PER_MILLION_MAX: f64 = 1_000_000.0;

/// What models cost, by name.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PriceTable {
    rows: BTreeMap<ModelRef, Price>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    input_per_million: f64,
    output_per_million: f64,
}

impl PriceTable {
    /// The table that comes with the program.
    ///
    /// # Panics
    /// Never: it is read by a test.
    #[must_use]
    pub fn builtin() -> PriceTable {
        PriceTable::parse(BUILTIN).expect("the table that comes with the program can be read")
    }

    /// Reads a `prices.toml`.
    ///
    /// # Errors
    /// If it is no such table; the whole of it is refused, since half a table would undercount.
    pub fn parse(text: &str) -> Result<PriceTable, Invalid> {
        let bad = |reason: String| Invalid::new("prices", reason);
        let rows: BTreeMap<String, Row> = toml::from_str(text).map_err(|error| {
            let before = error.span().and_then(|span| text.get(..span.start)).unwrap_or_default();
            let line = before.matches('\n').count() + 1;
            bad(format!("cannot be read, line {line}: {}", error.message()))
        })?;
        let rows = rows.into_iter().map(|(name, row)| {
            let model: ModelRef = name.parse()?;
            let price = Price {
                input_micros: micros(row.input_per_million)
                    .ok_or_else(|| bad(no_price("input_per_million", &name)))?,
                output_micros: micros(row.output_per_million)
                    .ok_or_else(|| bad(no_price("output_per_million", &name)))?,
            };
            Ok((model, price))
        });
        Ok(PriceTable { rows: rows.collect::<Result<_, Invalid>>()? })
    }

    /// This table, with the rows of another before its own.
    #[must_use]
    pub fn under(mut self, other: PriceTable) -> PriceTable {
        self.rows.extend(other.rows);
        self
    }

    /// What a model costs, if it is known.
    #[must_use]
    pub fn price(&self, model: &ModelRef) -> Option<Price> {
        self.rows.get(model).copied()
    }
}

fn no_price(field: &str, model: &str) -> String {
    format!("{field} of {model} has to lie between 0 and {PER_MILLION_MAX}")
}

/// Millionths of what was written; by its decimals, since they are what was written.
fn micros(written: f64) -> Option<u64> {
    if !(0.0..=PER_MILLION_MAX).contains(&written) {
        return None;
    }
    format!("{written:.6}").replace('.', "").parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_builtin_table_is_read_and_ones_own_counts_before_it() {
        let mini: ModelRef = "openai/gpt-4o-mini".parse().unwrap();
        let builtin = PriceTable::builtin();
        let price = Price { input_micros: 150_000, output_micros: 600_000 };
        assert_eq!(builtin.price(&mini), Some(price));
        let own = "[\"openai/gpt-4o-mini\"]\ninput_per_million = 1\noutput_per_million = 0.000001";
        let table = builtin.under(PriceTable::parse(own).unwrap());
        assert_eq!(table.price(&mini), Some(Price { input_micros: 1_000_000, output_micros: 1 }));
        assert_eq!(table.price(&"local/unknown".parse().unwrap()), None);
        assert!(table.price(&"openai/gpt-4o".parse().unwrap()).is_some());
    }

    #[test]
    fn a_table_with_one_bad_row_is_refused() {
        let row = |input: &str| {
            format!("[\"a/b\"]\ninput_per_million = {input}\noutput_per_million = 1.0")
        };
        assert!(PriceTable::parse(&row("0")).is_ok());
        for bad in ["-1", "nan", "inf", "2e9", "\"1\"", "1\nspare = 2"] {
            assert!(PriceTable::parse(&row(bad)).is_err(), "{bad}");
        }
        assert!(PriceTable::parse("[\"a/b\"]\ninput_per_million = 1").is_err());
        assert!(
            PriceTable::parse("[nothing]\ninput_per_million = 1\noutput_per_million = 1").is_err()
        );
    }
}
