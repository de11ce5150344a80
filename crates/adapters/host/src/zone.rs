//! The zone that this machine goes by, by its name.

use std::sync::{Mutex, PoisonError};

use jiff::tz::{self, TimeZone};
use jiff::{Timestamp, ToSpan};
use types::At;

/// A zone that has no name of its own, and the one that stands for it.
static NAMELESS: Mutex<Option<(TimeZone, String)>> = Mutex::new(None);

/// Weeks ahead in which two zones have to agree to be taken for the same.
const WEEKS: i64 = 2 * 52;

/// The name of the system's zone. Only the name: what it means is looked up in the zones that come with the
/// program. A system may tell its rules and no name (a copied file, a `TZ` of rules): then it is called by the name
/// of one with the same hours, and UTC if there is none.
pub(crate) fn name(now: At) -> String {
    let Ok(system) = TimeZone::try_system() else { return "UTC".to_owned() };
    match system.iana_name() {
        Some(name) => name.to_owned(),
        None => known_or(&system, || like(&system, now)),
    }
}

/// What was found for a zone before, since to find it takes a while.
fn known_or(zone: &TimeZone, find: impl FnOnce() -> Option<String>) -> String {
    let mut nameless = NAMELESS.lock().unwrap_or_else(PoisonError::into_inner);
    match &*nameless {
        Some((known, name)) if known == zone => name.clone(),
        _ => {
            let name = find().unwrap_or_else(|| "UTC".to_owned());
            *nameless = Some((zone.clone(), name.clone()));
            name
        }
    }
}

/// The name of a zone whose clocks show the same from a time on; a place rather than an offset.
fn like(zone: &TimeZone, from: At) -> Option<String> {
    let from = Timestamp::from_millisecond(from.millis()).ok()?;
    let weeks = |week: i64| from.checked_add((week * 7 * 24).hours()).ok();
    let moments: Vec<Timestamp> = (0..WEEKS).filter_map(weeks).collect();
    let same = |name: &str| {
        TimeZone::get(name)
            .is_ok_and(|other| moments.iter().all(|at| zone.to_offset(*at) == other.to_offset(*at)))
    };
    let names: Vec<String> = tz::db().available().map(|name| name.to_string()).collect();
    let is_place = |name: &&String| name.contains('/') && !name.starts_with("Etc/");
    let found = names.iter().filter(is_place).find(|name| same(name));
    found.or_else(|| names.iter().find(|name| same(name))).cloned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn posix(rules: &str) -> Option<String> {
        let zone = TimeZone::posix(rules).unwrap();
        assert_eq!(zone.iana_name(), None);
        like(&zone, "2026-11-18T00:00:00Z".parse().unwrap())
    }

    #[test]
    fn a_zone_without_a_name_is_called_by_one_with_the_same_hours() {
        let named = posix("CET-1CEST,M3.5.0,M10.5.0/3").unwrap();
        let (named, berlin) =
            (TimeZone::get(&named).unwrap(), TimeZone::get("Europe/Berlin").unwrap());
        for at in ["2026-12-24T17:00:00Z", "2027-07-01T06:00:00Z", "2027-10-31T00:59:59Z"] {
            let at: Timestamp = at.parse().unwrap();
            assert_eq!(named.to_offset(at), berlin.to_offset(at), "{at}");
        }
        assert!(posix("<+0545>-5:45").is_some_and(|name| name.starts_with("Asia/")));
    }

    #[test]
    fn one_with_hours_that_nobody_has_is_none() {
        assert_eq!(posix("<+0107>-1:07"), None);
    }

    #[test]
    fn what_was_found_for_a_zone_is_found_once() {
        let zone = TimeZone::posix("<+0107>-1:07").unwrap();
        assert_eq!(known_or(&zone, || Some("Here/There".to_owned())), "Here/There");
        assert_eq!(known_or(&zone, || panic!("it is known")), "Here/There");
    }
}
