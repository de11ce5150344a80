//! Time zones, from the database in the program and from nowhere else: two hosts agree on them.

use std::sync::OnceLock;

use jiff::tz::{TimeZone, TimeZoneDatabase};

use super::error::{ScheduleError, beginning};

/// The zone that stands for the home host's own.
pub const LOCAL: &str = "local";

/// Characters of a zone's name that an error repeats.
const NAME_CHARS_SHOWN: usize = 80;

/// Names that an error suggests.
const SUGGESTIONS_MAX: usize = 3;

/// The zone of a schedule. `local` is the zone of that name on the home host; a host whose own
/// name for it is unknown still has a clock, so it goes by UTC.
///
/// # Errors
/// If the schedule names a zone that is not in the database.
pub(super) fn resolve(name: &str, local_zone: &str) -> Result<TimeZone, ScheduleError> {
    if name == LOCAL {
        return Ok(known(local_zone).unwrap_or(TimeZone::UTC));
    }
    named(name)
}

/// The zone of that name, written as the database writes it.
///
/// # Errors
/// If there is none.
pub(crate) fn named(name: &str) -> Result<TimeZone, ScheduleError> {
    // The database does not care about case; a record does, so that it is written in one way.
    known(name).filter(|zone| zone.iana_name() == Some(name)).ok_or_else(|| {
        let near = suggestions(name);
        ScheduleError::UnknownZone { name: beginning(name, NAME_CHARS_SHOWN), near }
    })
}

fn database() -> &'static TimeZoneDatabase {
    static DATABASE: OnceLock<TimeZoneDatabase> = OnceLock::new();
    DATABASE.get_or_init(TimeZoneDatabase::bundled)
}

fn known(name: &str) -> Option<TimeZone> {
    database().get(name).ok().filter(|zone| !zone.is_unknown())
}

/// Names that differ only in case, or end in the same place.
fn suggestions(name: &str) -> Vec<String> {
    let place = |text: &str| {
        let last = text.rsplit('/').next().unwrap_or_default();
        last.replace(' ', "_").to_ascii_lowercase()
    };
    let wanted = place(name);
    let names = database().available().map(|known| known.as_str().to_owned());
    names.filter(|known| place(known) == wanted).take(SUGGESTIONS_MAX).collect()
}

/// Every zone of the database, for tests that hold for all of them.
#[cfg(test)]
pub(super) fn all() -> Vec<TimeZone> {
    database().available().filter_map(|name| known(name.as_str())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(name: &str) -> Vec<String> {
        match resolve(name, "UTC") {
            Err(ScheduleError::UnknownZone { near, .. }) => near,
            other => panic!("{name} gave {other:?}"),
        }
    }

    #[test]
    fn a_zone_is_found_by_its_name() {
        for name in ["Europe/Berlin", "UTC", "Pacific/Apia", "Etc/GMT+5"] {
            assert_eq!(resolve(name, "").unwrap().iana_name(), Some(name));
        }
    }

    #[test]
    fn an_unknown_zone_is_refused_with_what_was_perhaps_meant() {
        assert_eq!(near("europe/berlin"), ["Europe/Berlin"]);
        assert_eq!(near("US/New York"), ["America/New_York"]);
        assert_eq!(near("Mars/Olympus"), Vec::<String>::new());
        assert_eq!(near("Etc/Unknown"), Vec::<String>::new());
        assert_eq!(near(""), Vec::<String>::new());
        let error = resolve("Berlin", "UTC").unwrap_err().to_string();
        assert_eq!(error, "no time zone is called \"Berlin\"; perhaps Europe/Berlin was meant");
        let ScheduleError::UnknownZone { name, .. } = resolve(&"x".repeat(9_000), "").unwrap_err()
        else {
            panic!("another error")
        };
        assert_eq!(name.len(), NAME_CHARS_SHOWN);
    }

    #[test]
    fn local_is_what_the_host_says_and_utc_if_nobody_knows_it() {
        let local = |zone| resolve(LOCAL, zone).unwrap();
        assert_eq!(local("Asia/Tokyo").iana_name(), Some("Asia/Tokyo"));
        assert_eq!(local("Custom/Zone").iana_name(), Some("UTC"));
        assert_eq!(local("local").iana_name(), Some("UTC"));
    }
}
