//! Lines of Markdown as the tree that their indents make.

use crate::Error;
use crate::exchange::intake::Place;
use crate::exchange::refuse::bad;

use super::comment::{Comment, split};
use super::escape::unescape;
use super::quote::unquoted;

/// What a node looks like.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shape {
    /// `- [ ] words`, ticked or not.
    Box(bool),
    /// `- words`.
    Bullet,
    /// Plain lines.
    Text,
    /// `> lines`.
    Quote,
}

/// A node of a page.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Node {
    /// Its first line, from 1.
    pub(super) line: usize,
    /// Its last line.
    pub(super) end: usize,
    /// How far from the margin it stands.
    indent: usize,
    /// What it looks like.
    pub(super) shape: Shape,
    /// What it shows, as it stands in the file.
    pub(super) raw: String,
    /// What it carries.
    pub(super) comment: Option<Comment>,
    /// What stands below it.
    pub(super) children: Vec<Node>,
}

/// A heading and what stands under it.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Section {
    /// The line of its heading.
    pub(super) line: usize,
    /// How many signs it has; none for what comes before the first heading.
    pub(super) level: usize,
    /// What it shows.
    pub(super) title: String,
    /// What it carries.
    pub(super) comment: Option<Comment>,
    /// What stands under it.
    pub(super) nodes: Vec<Node>,
}

impl Node {
    /// The place in the file.
    pub(super) fn place(&self) -> Place {
        Place::Line(self.line)
    }

    /// What kind of thing its comment is about.
    pub(super) fn about(&self) -> Option<&'static str> {
        self.comment.as_ref().map(|comment| comment.kind)
    }

    /// The last line of all that stands below it.
    pub(super) fn last(&self) -> usize {
        self.children.last().map_or(self.end, Node::last)
    }

    /// The words that it shows. What we have written is exact, what people write is trimmed.
    pub(super) fn words(&self) -> String {
        let exact = self.comment.is_some();
        unescape(if exact { &self.raw } else { self.raw.trim() })
    }

    /// The node and all below it as plain Markdown.
    pub(super) fn plain(&self) -> String {
        let mut lines = vec![self.raw.trim().to_owned()];
        for child in &self.children {
            let sign = match child.shape {
                Shape::Box(true) => "- [x] ",
                Shape::Box(false) => "- [ ] ",
                Shape::Bullet => "- ",
                Shape::Text => "",
                Shape::Quote => "> ",
            };
            let below = child.plain();
            let indented = below.lines().enumerate().map(|(number, line)| match number {
                0 => format!("  {sign}{line}"),
                _ => format!("  {line}"),
            });
            lines.extend(indented);
        }
        lines.join("\n")
    }
}

/// The sections of a page.
///
/// # Errors
/// If a comment of ours is broken.
pub(super) fn tree(text: &str) -> Result<Vec<Section>, Error> {
    let mut growth = Growth::new();
    for (number, line) in text.split('\n').enumerate() {
        growth.line(number + 1, line)?;
    }
    Ok(growth.finish())
}

/// A tree as far as it has grown.
struct Growth {
    sections: Vec<Section>,
    /// Bullets that may still get children, outermost first.
    open: Vec<Node>,
    /// The sign that ends the block of code that we are in.
    fence: Option<&'static str>,
    /// We are in somebody's comment of several lines.
    remark: bool,
}

impl Growth {
    fn new() -> Growth {
        let before =
            Section { line: 1, level: 0, title: String::new(), comment: None, nodes: vec![] };
        Growth { sections: vec![before], open: vec![], fence: None, remark: false }
    }

    fn line(&mut self, number: usize, line: &str) -> Result<(), Error> {
        let words = line.trim();
        if self.remark {
            self.remark = !words.contains("-->");
            return Ok(());
        }
        if let Some(fence) = self.fence {
            self.fence = (!words.starts_with(fence)).then_some(fence);
            self.append(number, line);
            return Ok(());
        }
        if words.is_empty() || is_rule(words) {
            return Ok(());
        }
        let indent = indent(line);
        if let Some(quoted) = unquoted(line) {
            self.quote(number, indent, quoted);
            return Ok(());
        }
        let (shown, comment) = split(line).map_err(|why| bad(Place::Line(number), why))?;
        if comment.is_none() && words.starts_with("<!--") {
            self.remark = !words.contains("-->");
            return Ok(());
        }
        let start = shown.trim_start();
        if let Some((level, title)) = heading(start) {
            self.close(0);
            let title = title.to_owned();
            self.sections.push(Section { line: number, level, title, comment, nodes: vec![] });
            return Ok(());
        }
        let (shape, raw) = match bullet(start) {
            Some(rest) => boxed(rest),
            None => (Shape::Text, start),
        };
        self.fence =
            ["```", "~~~"].into_iter().find(|fence| shape == Shape::Text && raw.starts_with(fence));
        let (raw, children) = (raw.to_owned(), vec![]);
        let node = Node { line: number, end: number, indent, shape, raw, comment, children };
        self.grow(node);
        Ok(())
    }

    /// Puts a node where its indent says.
    fn grow(&mut self, node: Node) {
        self.close(node.indent);
        match node.shape {
            Shape::Box(_) | Shape::Bullet => self.open.push(node),
            Shape::Text if self.goes_on(&node) => {
                let raw = node.raw;
                self.append(node.line, &raw);
            }
            Shape::Text | Shape::Quote => self.place().push(node),
        }
    }

    /// Whether a line of text belongs to the text above it: a paragraph follows a paragraph.
    fn goes_on(&mut self, node: &Node) -> bool {
        let plain = |node: &Node| {
            let stamped = super::stamp::above(&node.raw).is_some();
            node.shape == Shape::Text && node.comment.is_none() && !stamped
        };
        plain(node) && self.place().last().is_some_and(plain)
    }

    fn quote(&mut self, number: usize, indent: usize, words: &str) {
        self.close(indent);
        let place = self.place();
        match place.last_mut() {
            Some(last) if last.shape == Shape::Quote && last.end + 1 == number => {
                last.raw.push('\n');
                last.raw += words;
                last.end = number;
            }
            _ => {
                let (raw, children) = (words.to_owned(), vec![]);
                let (shape, comment) = (Shape::Quote, None);
                place.push(Node {
                    line: number,
                    end: number,
                    indent,
                    shape,
                    raw,
                    comment,
                    children,
                });
            }
        }
    }

    /// Adds a line to the text that came last.
    fn append(&mut self, number: usize, line: &str) {
        if let Some(last) = self.place().last_mut() {
            // Code keeps its own indent beyond that of its block.
            let skip = last.indent.min(line.len() - line.trim_start_matches(' ').len());
            let gap = if number > last.end + 1 { "\n\n" } else { "\n" };
            last.raw += gap;
            last.raw += &line[skip..];
            last.end = number;
        }
    }

    /// Closes the bullets that nothing at this indent can lie under.
    fn close(&mut self, indent: usize) {
        while self.open.last().is_some_and(|top| top.indent >= indent) {
            let node = self.open.pop().expect("there is a last one");
            self.place().push(node);
        }
    }

    /// Where the next node goes.
    fn place(&mut self) -> &mut Vec<Node> {
        match self.open.last_mut() {
            Some(top) => &mut top.children,
            None => &mut self.sections.last_mut().expect("there is a first section").nodes,
        }
    }

    fn finish(mut self) -> Vec<Section> {
        self.close(0);
        self.sections
    }
}

/// Spaces before the words; a tab is four.
fn indent(line: &str) -> usize {
    let space = line.chars().take_while(|c| matches!(c, ' ' | '\t'));
    space.map(|c| if c == '\t' { 4 } else { 1 }).sum()
}

/// A line across the page, which says nothing.
fn is_rule(words: &str) -> bool {
    ['-', '*', '_'].into_iter().any(|sign| {
        words.chars().filter(|c| *c == sign).count() >= 3
            && words.chars().all(|c| c == sign || c == ' ')
    })
}

/// The level and words of a heading.
fn heading(words: &str) -> Option<(usize, &str)> {
    let level = words.len() - words.trim_start_matches('#').len();
    let title = words[level..].strip_prefix(' ')?;
    (1..=6).contains(&level).then_some((level, title))
}

/// What stands behind the sign of a bullet.
fn bullet(words: &str) -> Option<&str> {
    let digits = words.len() - words.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let sign = match digits {
        0 => words.strip_prefix(['-', '*', '+']),
        1..=9 => words[digits..].strip_prefix(['.', ')']),
        _ => None,
    }?;
    if sign.is_empty() { Some(sign) } else { sign.strip_prefix(' ') }
}

/// Whether what stands behind a bullet begins with a box to tick.
fn boxed(rest: &str) -> (Shape, &str) {
    let found =
        [("[ ]", false), ("[x]", true), ("[X]", true)].into_iter().find_map(|(sign, ticked)| {
            let behind = rest.trim_start_matches(' ').strip_prefix(sign)?;
            let words = if behind.is_empty() { behind } else { behind.strip_prefix(' ')? };
            Some((Shape::Box(ticked), words))
        });
    found.unwrap_or((Shape::Bullet, rest))
}
