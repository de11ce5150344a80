//! From codes to HTTP statuses, in one place.

use hyper::StatusCode;
use types::Code;

/// The status that goes with a code.
pub(crate) const fn of(code: Code) -> StatusCode {
    match code {
        Code::WrongUsage => StatusCode::BAD_REQUEST,
        Code::BadToken => StatusCode::UNAUTHORIZED,
        Code::CapabilityMissing
        | Code::ForeignOrigin
        | Code::OutOfScope
        | Code::WakeReasonNotAllowed => StatusCode::FORBIDDEN,
        Code::UnknownAgent
        | Code::UnknownCategory
        | Code::UnknownField
        | Code::UnknownOperation
        | Code::UnknownRecord
        | Code::UnknownSchedule
        | Code::UnknownTask
        | Code::UnknownTemplate
        | Code::UnknownTool
        | Code::UnknownTrigger
        | Code::UnknownZone => StatusCode::NOT_FOUND,
        // It is understood, and does not go with how things stand.
        Code::AgentDestroyed
        | Code::AgentStopped
        | Code::BackupExists
        | Code::CannotUndo
        | Code::DayClosed
        | Code::ImportConflict
        | Code::NotEmpty
        | Code::Conflict
        | Code::Fenced
        | Code::KillSwitchOn
        | Code::NameTaken
        | Code::NoSuchStep
        | Code::TimerRunning => StatusCode::CONFLICT,
        Code::EnvelopeTooLarge | Code::RequestTooLarge => StatusCode::PAYLOAD_TOO_LARGE,
        Code::AmbiguousReference
        | Code::BadArguments
        | Code::BadImport
        | Code::EndBeforeStart
        | Code::BadSchedule
        | Code::BadTime
        | Code::CircularRelation
        | Code::InvalidRecord
        | Code::LimitReached
        | Code::NotAdmissible
        | Code::OperationIdMissing
        | Code::OtherCategory
        | Code::PreviewNotOffered => StatusCode::UNPROCESSABLE_ENTITY,
        Code::MailboxFull | Code::ToolQuotaExceeded => StatusCode::TOO_MANY_REQUESTS,
        // It may be otherwise in a moment.
        Code::HomeLocked | Code::StoreBusy | Code::StoreClosed => StatusCode::SERVICE_UNAVAILABLE,
        Code::DiskFull => StatusCode::INSUFFICIENT_STORAGE,
        // Nothing that the caller could do otherwise.
        Code::AddressInUse
        | Code::CannotListen
        | Code::HomeInaccessible
        | Code::HomeIncomplete
        | Code::NotLoopback
        | Code::RunInterrupted
        | Code::ServerGone
        | Code::StoreCorrupt
        | Code::StoreForeign
        | Code::StoreIo
        | Code::StoreNewer => StatusCode::INTERNAL_SERVER_ERROR,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_unknown_is_not_found_and_nothing_that_fails_is_a_success() {
        for code in Code::ALL {
            let status = of(*code);
            assert!(status.is_client_error() || status.is_server_error(), "{code}: {status}");
            let unknown = code.as_str().starts_with("unknown_");
            assert_eq!(status == StatusCode::NOT_FOUND, unknown, "{code}: {status}");
        }
    }

    #[test]
    fn each_kind_of_failure_has_the_status_that_programs_go_by() {
        let statuses = [
            (Code::WrongUsage, 400),
            (Code::BadToken, 401),
            (Code::ForeignOrigin, 403),
            (Code::Conflict, 409),
            (Code::Fenced, 409),
            (Code::RequestTooLarge, 413),
            (Code::InvalidRecord, 422),
            (Code::StoreCorrupt, 500),
            (Code::StoreBusy, 503),
            (Code::DiskFull, 507),
        ];
        for (code, status) in statuses {
            assert_eq!(of(code).as_u16(), status, "{code}");
        }
    }
}
