//! Licence expressions, as packages declare them: names joined by `OR`, `AND` and parentheses.

/// Whether the expression can be met with the allowed licences alone. An exception (`WITH`) only
/// adds permissions, so it is passed over; `/` is an old way to write `OR`.
pub(crate) fn is_allowed(expression: &str, allowed: &[&str]) -> bool {
    let spaced = expression.replace('/', " OR ").replace('(', " ( ").replace(')', " ) ");
    let tokens: Vec<&str> = spaced.split_whitespace().collect();
    let mut reader = Reader { tokens: &tokens, allowed };
    let verdict = reader.any();
    verdict.unwrap_or(false) && reader.tokens.is_empty()
}

/// Reads from the left; `None` means that the expression is broken.
struct Reader<'a> {
    tokens: &'a [&'a str],
    allowed: &'a [&'a str],
}

impl<'a> Reader<'a> {
    fn any(&mut self) -> Option<bool> {
        let mut verdict = self.all()?;
        while self.take("OR") {
            verdict |= self.all()?;
        }
        Some(verdict)
    }

    fn all(&mut self) -> Option<bool> {
        let mut verdict = self.one()?;
        while self.take("AND") {
            verdict &= self.one()?;
        }
        Some(verdict)
    }

    fn one(&mut self) -> Option<bool> {
        if self.take("(") {
            let verdict = self.any()?;
            return self.take(")").then_some(verdict);
        }
        let name = self.next()?;
        if self.take("WITH") {
            self.next()?;
        }
        Some(self.allowed.contains(&name))
    }

    fn take(&mut self, token: &str) -> bool {
        let there = self.tokens.first() == Some(&token);
        if there {
            self.tokens = &self.tokens[1..];
        }
        there
    }

    fn next(&mut self) -> Option<&'a str> {
        let (first, rest) = self.tokens.split_first()?;
        self.tokens = rest;
        Some(first)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALLOWED: &[&str] = &["MIT", "Apache-2.0", "Unicode-3.0"];

    #[test]
    fn what_can_be_met_is_allowed() {
        for expression in [
            "MIT",
            "MIT/Apache-2.0",
            "GPL-3.0 OR MIT",
            "(MIT OR Apache-2.0) AND Unicode-3.0",
            "Apache-2.0 WITH LLVM-exception OR GPL-2.0",
        ] {
            assert!(is_allowed(expression, ALLOWED), "{expression}");
        }
    }

    #[test]
    fn what_cannot_be_met_is_refused() {
        for expression in
            ["GPL-3.0", "MIT AND GPL-3.0", "(MIT OR GPL-3.0) AND X", "", "(MIT", "MIT MIT", "OR"]
        {
            assert!(!is_allowed(expression, ALLOWED), "{expression}");
        }
    }
}
