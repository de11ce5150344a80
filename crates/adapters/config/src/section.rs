//! A table of the file, read by name: whatever is wrong is told with its place and its whole name.

use toml::Spanned;
use toml::de::{DeArray, DeTable, DeValue};
use types::ModelRef;

use crate::{key, money};

/// Something that is not understood.
#[derive(Debug)]
pub(crate) struct Wrong {
    /// Where it begins, in bytes.
    pub(crate) start: usize,
    /// Its whole name, such as `models.default`.
    pub(crate) key: String,
    /// What is wrong with it.
    pub(crate) what: String,
}

/// A table with its name.
pub(crate) struct Section<'a> {
    name: String,
    table: &'a DeTable<'a>,
}

type Value<'a> = &'a Spanned<DeValue<'a>>;

impl<'a> Section<'a> {
    pub(crate) fn root(table: &'a DeTable<'a>) -> Section<'a> {
        Section { name: String::new(), table }
    }

    /// Refuses what is not in the list.
    pub(crate) fn only(&self, known: &[&str]) -> Result<(), Wrong> {
        match self.table.keys().find(|key| !known.contains(&key.get_ref().as_ref())) {
            None => Ok(()),
            Some(key) => {
                let what = format!("is not a setting; there are {}", known.join(", "));
                Err(self.wrong(key.get_ref(), key.span().start, what))
            }
        }
    }

    pub(crate) fn section(&self, key: &str) -> Result<Option<Section<'a>>, Wrong> {
        let Some(value) = self.get(key) else { return Ok(None) };
        let table = value.get_ref().as_table();
        let table = table.ok_or_else(|| self.not(key, value, "a table"))?;
        Ok(Some(Section { name: self.full(key), table }))
    }

    /// The tables under a table, each with its own name.
    pub(crate) fn sections(&self) -> Result<Vec<(String, Section<'a>)>, Wrong> {
        let keys = self.table.keys().map(|key| key.get_ref().to_string());
        let named = |key: String| Ok(self.section(&key)?.map(|section| (key, section)));
        keys.map(named).filter_map(Result::transpose).collect()
    }

    /// The tables of a list of tables.
    pub(crate) fn list(&self, key: &str) -> Result<Vec<Section<'a>>, Wrong> {
        let Some(values) = self.array(key)? else { return Ok(vec![]) };
        let table = |value: Value<'a>| match value.get_ref().as_table() {
            Some(table) => Ok(Section { name: self.full(key), table }),
            None => Err(self.not(key, value, "a list of tables")),
        };
        values.iter().map(table).collect()
    }

    /// A text. One that looks like a secret is refused, whatever it is for.
    pub(crate) fn text(&self, key: &str) -> Result<Option<String>, Wrong> {
        self.get(key).map(|value| self.text_of(key, value)).transpose()
    }

    /// A text that is made into something by a function that says what is wrong with it.
    pub(crate) fn parsed<T>(
        &self,
        key: &str,
        parse: impl FnOnce(&str) -> Result<T, String>,
    ) -> Result<Option<T>, Wrong> {
        let Some(text) = self.text(key)? else { return Ok(None) };
        parse(&text).map(Some).map_err(|what| self.refuse(key, what))
    }

    /// The same, for one that has to be there.
    pub(crate) fn needed<T>(
        &self,
        key: &str,
        parse: impl FnOnce(&str) -> Result<T, String>,
    ) -> Result<T, Wrong> {
        let missing = || self.wrong(key, self.start(), "is missing");
        self.parsed(key, parse)?.ok_or_else(missing)
    }

    pub(crate) fn models(&self, key: &str) -> Result<Vec<ModelRef>, Wrong> {
        let Some(values) = self.array(key)? else { return Ok(vec![]) };
        let model = |value: Value<'a>| {
            let text = self.text_of(key, value)?;
            key::model(&text).map_err(|what| self.wrong(key, value.span().start, what))
        };
        values.iter().map(model).collect()
    }

    pub(crate) fn flag(&self, key: &str) -> Result<Option<bool>, Wrong> {
        let Some(value) = self.get(key) else { return Ok(None) };
        let flag = value.get_ref().as_bool();
        flag.map(Some).ok_or_else(|| self.not(key, value, "true or false"))
    }

    /// A whole number that is not negative.
    pub(crate) fn number(&self, key: &str) -> Result<Option<u64>, Wrong> {
        let Some(value) = self.get(key) else { return Ok(None) };
        let number = value.get_ref().as_integer();
        let number = number.and_then(|n| u64::from_str_radix(n.as_str(), n.radix()).ok());
        number.map(Some).ok_or_else(|| self.not(key, value, "a whole number that is not negative"))
    }

    /// A number from 0 up to a small one, with or without a fraction.
    pub(crate) fn share(&self, key: &str, max: u32) -> Result<Option<f64>, Wrong> {
        let Some(value) = self.get(key) else { return Ok(None) };
        let text = match value.get_ref() {
            DeValue::Integer(number) if number.radix() == 10 => Some(number.as_str()),
            DeValue::Float(number) => Some(number.as_str()),
            _ => None,
        };
        let number = text.and_then(|text| text.parse().ok());
        let within = number.filter(|number| (0.0..=f64::from(max)).contains(number));
        within.map(Some).ok_or_else(|| self.not(key, value, &format!("a number from 0 to {max}")))
    }

    /// An amount of money, in millionths.
    pub(crate) fn micros(&self, key: &str) -> Result<Option<u64>, Wrong> {
        let Some(value) = self.get(key) else { return Ok(None) };
        let text = match value.get_ref() {
            DeValue::Integer(number) if number.radix() == 10 => Some(number.as_str()),
            DeValue::Float(number) => Some(number.as_str()),
            _ => None,
        };
        let micros = text.and_then(money::micros);
        micros.map(Some).ok_or_else(|| self.not(key, value, "an amount such as 2.50"))
    }

    /// Whether the setting says that there is no limit.
    pub(crate) fn is_unlimited(&self, key: &str) -> bool {
        self.get(key).is_some_and(|value| value.get_ref().as_str() == Some("unlimited"))
    }

    /// What is wrong with a setting that is there.
    pub(crate) fn refuse(&self, key: &str, what: impl Into<String>) -> Wrong {
        self.wrong(key, self.get(key).map_or(0, |value| value.span().start), what)
    }

    fn text_of(&self, key: &str, value: Value<'a>) -> Result<String, Wrong> {
        let text = value.get_ref().as_str().ok_or_else(|| self.not(key, value, "a text"))?;
        if key::is_likely(text) {
            let what = "looks like a secret; write where it is to be found instead, such as \
                        env:NAME or file:PATH";
            return Err(self.wrong(key, value.span().start, what));
        }
        Ok(text.to_owned())
    }

    fn array(&self, key: &str) -> Result<Option<&'a DeArray<'a>>, Wrong> {
        let Some(value) = self.get(key) else { return Ok(None) };
        let array = value.get_ref().as_array();
        array.map(Some).ok_or_else(|| self.not(key, value, "a list"))
    }

    fn get(&self, key: &str) -> Option<Value<'a>> {
        self.table.iter().find(|(name, _)| **name.get_ref() == *key).map(|(_, value)| value)
    }

    /// Where the first of its settings stands; the file's beginning, if it has none.
    fn start(&self) -> usize {
        self.table.keys().map(|key| key.span().start).min().unwrap_or(0)
    }

    fn not(&self, key: &str, value: Value<'a>, expected: &str) -> Wrong {
        self.wrong(key, value.span().start, format!("is not {expected}"))
    }

    fn wrong(&self, key: &str, start: usize, what: impl Into<String>) -> Wrong {
        Wrong { start, key: self.full(key), what: what.into() }
    }

    fn full(&self, key: &str) -> String {
        if self.name.is_empty() { key.to_owned() } else { format!("{}.{key}", self.name) }
    }
}
