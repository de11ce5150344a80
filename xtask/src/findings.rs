//! What the checks have to say, each with its place, printed together at the end.

use crate::failure::Failure;

/// A list of complaints. A check adds to it and goes on, so that one run shows all there is to mend.
#[derive(Debug, Default)]
pub(crate) struct Findings(Vec<Finding>);

#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Finding {
    path: String,
    line: usize,
    text: String,
}

impl Findings {
    /// Lines count from 1; a complaint about a whole file stands at line 1.
    pub(crate) fn add(&mut self, path: &str, line: usize, text: impl Into<String>) {
        self.0.push(Finding { path: path.to_owned(), line, text: text.into() });
    }

    /// Prints all findings in the order of the tree; any finding fails the command.
    pub(crate) fn report(self, command: &str) -> Result<(), Failure> {
        let lines = self.into_lines();
        for line in &lines {
            println!("{line}");
        }
        match lines.len() {
            0 => Ok(()),
            count => Err(Failure::step(command, format!("{count} to mend"))),
        }
    }

    /// The findings as they are printed, sorted, each once.
    pub(crate) fn into_lines(mut self) -> Vec<String> {
        self.0.sort();
        self.0.dedup();
        self.0.iter().map(|f| format!("{}:{}: {}", f.path, f.line, f.text)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_finding_is_success() {
        assert_eq!(Findings::default().report("tidy"), Ok(()));
    }

    #[test]
    fn one_finding_fails_the_command() {
        let mut findings = Findings::default();
        findings.add("a.rs", 3, "too long");
        assert_eq!(findings.report("tidy"), Err(Failure::Broken("tidy: 1 to mend".into())));
    }

    #[test]
    fn findings_come_in_the_order_of_the_tree() {
        let mut findings = Findings::default();
        findings.add("b.rs", 1, "x");
        findings.add("a.rs", 10, "x");
        findings.add("a.rs", 9, "x");
        findings.add("a.rs", 9, "x");
        assert_eq!(findings.into_lines(), ["a.rs:9: x", "a.rs:10: x", "b.rs:1: x"]);
    }
}
