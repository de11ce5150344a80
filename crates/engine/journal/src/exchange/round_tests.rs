//! Out and in again: what comes back is what was there.

use proptest::prelude::*;
use types::Code;

use super::check::check;
use super::format::Format;
use super::given::archive;
use super::intake::Here;
use super::meet::Meeting;
use super::standing::Standing;
use crate::Error;

const OWN: [Format; 2] = [Format::Json, Format::Markdown];

fn code(error: Error) -> (Code, String) {
    let problem = types::Problem::from(error);
    (problem.code, problem.message)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn every_archive_comes_back_as_it_was(seed in any::<u64>()) {
        let archive = archive(seed);
        for format in OWN {
            let text = format.write(&archive).unwrap();
            let reading = format.read(&text, &Here::default()).unwrap();
            prop_assert_eq!(&reading.archive, &archive, "{}\n{}", format.as_str(), text);
            prop_assert!(reading.whole && reading.left_out.is_empty());
            prop_assert_eq!(format.write(&reading.archive).unwrap(), text);
            prop_assert!(check(&reading, &Standing::default(), Meeting::Refuse).is_ok());
        }
    }

    #[test]
    fn a_file_that_breaks_off_anywhere_is_refused(seed in any::<u64>(), at in any::<prop::sample::Index>()) {
        for format in OWN {
            let text = format.write(&archive(seed)).unwrap();
            let ends: Vec<usize> = text.trim_end().char_indices().map(|(end, _)| end).collect();
            let end = ends[at.index(ends.len())];
            let refused = format.read(&text[..end], &Here::default());
            // Of the first line of Markdown alone nobody can tell what it was to be.
            let begun = text[..end].contains("<!-- dormouse {\"version\":1} -->");
            if format == Format::Json || begun {
                let (code, _) = code(refused.unwrap_err());
                prop_assert_eq!(code, Code::BadImport);
            }
        }
    }

    #[test]
    fn lines_that_end_as_on_other_systems_are_the_same(seed in any::<u64>()) {
        let archive = archive(seed);
        for format in OWN {
            let text = format.write(&archive).unwrap().replace('\n', "\r\n");
            let reading = format.read(&format!("\u{feff}{text}"), &Here::default()).unwrap();
            prop_assert_eq!(&reading.archive, &archive);
        }
    }
}
