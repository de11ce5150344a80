//! The report that stands.

use std::borrow::Cow;

use serde::Serialize;
use types::{At, BlockKind, ReportId};

use crate::cut::{cut, end_within};
use crate::part::{Part, reason};
use crate::{Bounds, Seen};

#[derive(Serialize)]
struct Stands<'a> {
    id: &'a ReportId,
    written_at: At,
    content: Cow<'a, str>,
}

pub(crate) fn report(seen: &Seen<'_>, bounds: &Bounds) -> Option<Part> {
    let standing = seen.report.as_ref()?;
    let missing = standing.content.len() - end_within(standing.content, bounds.report);
    let body = Stands {
        id: standing.id,
        written_at: standing.report.written_at,
        content: cut(standing.content, bounds.report),
    };
    let why = reason("the report that stands", &[(missing, "bytes")]);
    Some(Part::data(BlockKind::Report, &body, standing.label.clone(), why))
}
