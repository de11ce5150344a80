//! What is wrong with a value that may not be stored.

/// A value that breaks its own rules: which field, and how.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{field} {why}")]
pub struct Invalid {
    /// The field, as a path from the record.
    pub field: &'static str,
    /// The rest of the sentence.
    pub why: String,
}

impl Invalid {
    /// Says what is wrong with a field.
    pub fn new(field: &'static str, why: impl Into<String>) -> Invalid {
        Invalid { field, why: why.into() }
    }

    /// Refuses a text that is empty or too long.
    ///
    /// # Errors
    /// If it is.
    pub fn unless_text(field: &'static str, text: &str, bytes_max: usize) -> Result<(), Invalid> {
        if text.trim().is_empty() {
            return Err(Invalid::new(field, "is empty"));
        }
        Invalid::unless_within(field, text.len(), bytes_max, "bytes")
    }

    /// Refuses a text that is empty, too long, or has more than one line.
    ///
    /// # Errors
    /// If it is.
    pub fn unless_line(field: &'static str, text: &str, bytes_max: usize) -> Result<(), Invalid> {
        Invalid::unless_text(field, text, bytes_max)?;
        match text.chars().find(|c| c.is_control()) {
            Some(control) => Err(Invalid::new(field, format!("has {control:?} in it"))),
            None => Ok(()),
        }
    }

    /// Refuses the name of a request that is empty or too long.
    ///
    /// # Errors
    /// If it is.
    pub fn unless_request(name: &str) -> Result<(), Invalid> {
        Invalid::unless_text("request id", name, crate::limits::REQUEST_BYTES_MAX)
    }

    /// Refuses a size above its limit.
    ///
    /// # Errors
    /// If it is.
    pub fn unless_within(
        field: &'static str,
        size: usize,
        max: usize,
        unit: &str,
    ) -> Result<(), Invalid> {
        if size > max {
            return Err(Invalid::new(
                field,
                format!("has {size} {unit}, at most {max} are allowed"),
            ));
        }
        Ok(())
    }
}
