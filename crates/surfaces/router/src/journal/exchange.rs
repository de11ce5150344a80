//! Going out and coming in.

use std::collections::BTreeMap;

use api_types::{ExportReply, ImportParams, ImportReply};
use runtime::{Format, Import, Meeting};
use types::{Code, Problem};

use crate::route::Router;

impl Router {
    pub(super) async fn export(&self, format: String) -> Result<ExportReply, Problem> {
        let export = self.runtime.journal.export(Format::to_export(&format)?).await?;
        Ok(ExportReply { format, text: export.text, unknown: export.unknown })
    }

    pub(crate) async fn import(&self, params: ImportParams) -> Result<ImportReply, Problem> {
        let journal = &self.runtime.journal;
        let format = Format::named(&params.format)?;
        let meeting = match (params.replace, params.skip) {
            (false, false) => Meeting::Refuse,
            (true, false) => Meeting::Replace,
            (false, true) => Meeting::Skip,
            (true, true) => {
                let message = "it cannot both replace and skip";
                return Err(Problem::new(Code::WrongUsage, message, "choose one of the two"));
            }
        };
        let text = match (params.upload, params.piece) {
            (Some(upload), Some(piece @ 1..)) => {
                journal.import_whole(&upload, piece, &params.text)?
            }
            (None, None | Some(0)) => params.text,
            _ => {
                let message = "pieces of the file came before this one, or none did";
                let hint = "send `upload`, the name of those before it, with `piece`, how many \
                            they are; a file in one piece needs neither";
                return Err(Problem::new(Code::WrongUsage, message, hint));
            }
        };
        let (category, preview) = (params.category, params.preview);
        let import = Import { format, text, category, meeting, preview };
        let imported = journal.import(import).await?;
        Ok(ImportReply {
            format: params.format,
            added: named(imported.added),
            replaced: named(imported.replaced),
            unchanged: named(imported.unchanged),
            skipped: named(imported.skipped),
            left_out: named(imported.left_out),
            operations: imported.operations.iter().map(ToString::to_string).collect(),
            preview,
        })
    }
}

fn named(counts: BTreeMap<&'static str, usize>) -> BTreeMap<String, usize> {
    counts.into_iter().map(|(name, count)| (name.to_owned(), count)).collect()
}
