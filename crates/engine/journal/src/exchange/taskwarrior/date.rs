//! Instants as Taskwarrior writes them.

use types::{At, Day, Due};

use crate::exchange::intake::Here;

/// An instant: `20261115T093000Z`, or as the rest of the world writes it.
pub(super) fn instant(text: &str) -> Option<At> {
    let digits = text.strip_suffix('Z').and_then(|text| text.split_once('T'));
    let compact = digits.filter(|(day, time)| day.len() == 8 && time.len() == 6);
    match compact {
        Some((day, time)) if format!("{day}{time}").bytes().all(|b| b.is_ascii_digit()) => {
            let (year, month, day) = (&day[..4], &day[4..6], &day[6..]);
            let (hour, minute, second) = (&time[..2], &time[2..4], &time[4..]);
            format!("{year}-{month}-{day}T{hour}:{minute}:{second}Z").parse().ok()
        }
        _ => text.parse().ok(),
    }
}

/// When something is due that is due at an instant. Midnight stands for the day that begins.
pub(super) fn due(at: At, here: &Here) -> Option<Due> {
    let found = rules::when::due(&at.to_string(), here.now(), &here.zone).ok()?;
    let time = found.time.filter(|time| (time.hour(), time.minute()) != (0, 0));
    Some(Due { day: Day::new(found.day).ok()?, time })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn instants_are_read_and_midnight_here_is_a_day() {
        let at = instant("20261119T230000Z").unwrap();
        assert_eq!(at.to_string(), "2026-11-19T23:00:00.000Z");
        assert_eq!(instant("2026-11-19T23:00:00Z"), Some(at));
        for bad in ["20261319T230000Z", "20261119", "tomorrow", "2026111aT230000Z", ""] {
            assert_eq!(instant(bad), None, "{bad}");
        }
        let here = |zone: &str| Here { zone: zone.to_owned(), ..Here::default() };
        assert_eq!(due(at, &here("Europe/Berlin")).unwrap().to_string(), "2026-11-20");
        assert_eq!(due(at, &here("UTC")).unwrap().to_string(), "2026-11-19T23:00");
    }
}
