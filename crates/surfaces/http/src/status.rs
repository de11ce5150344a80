//! From codes to HTTP statuses, in one place.

use hyper::StatusCode;
use types::Code;

/// The status of each code; a test sees that none is left out.
const STATUSES: &[(StatusCode, &[Code])] = &[
    (StatusCode::BAD_REQUEST, &[Code::WrongUsage]),
    (StatusCode::UNAUTHORIZED, &[Code::BadToken]),
    (
        StatusCode::FORBIDDEN,
        &[
            Code::CapabilityMissing,
            Code::ForeignOrigin,
            Code::OutOfScope,
            Code::WakeReasonNotAllowed,
        ],
    ),
    (
        StatusCode::NOT_FOUND,
        &[
            Code::UnknownAgent,
            Code::UnknownCategory,
            Code::UnknownField,
            Code::UnknownOperation,
            Code::UnknownRecord,
            Code::UnknownSchedule,
            Code::UnknownSession,
            Code::UnknownTask,
            Code::UnknownTemplate,
            Code::UnknownTool,
            Code::UnknownTrigger,
            Code::UnknownZone,
        ],
    ),
    // It is understood, and nobody may.
    (
        StatusCode::FORBIDDEN,
        &[
            Code::ModelNotAllowed,
            Code::NetworkDenied,
            Code::OversharedPayloadBlocked,
            Code::PrivacyConfirmationRequired,
            Code::ProviderNotAllowed,
            Code::SecretUnavailable,
        ],
    ),
    // It is understood, and does not go with how things stand.
    (
        StatusCode::CONFLICT,
        &[
            Code::AgentDestroyed,
            Code::NoReport,
            Code::AgentExists,
            Code::AgentStopped,
            Code::BackupExists,
            Code::CannotUndo,
            Code::DayClosed,
            Code::ImportConflict,
            Code::NotEmpty,
            Code::Conflict,
            Code::Fenced,
            Code::KillSwitchOn,
            Code::NameTaken,
            Code::NoSuchStep,
            Code::SessionOver,
            Code::TimerRunning,
            Code::ToolClassStopped,
        ],
    ),
    (StatusCode::PAYLOAD_TOO_LARGE, &[Code::EnvelopeTooLarge, Code::RequestTooLarge]),
    (
        StatusCode::UNPROCESSABLE_ENTITY,
        &[
            Code::AmbiguousReference,
            Code::UnsupportedTransport,
            Code::UnsafeTarget,
            Code::UnsourcedClaim,
            Code::ContextLengthExceeded,
            Code::BadConfig,
            Code::BadArguments,
            Code::BadImport,
            Code::EndBeforeStart,
            Code::BadSchedule,
            Code::BadTime,
            Code::CircularRelation,
            Code::InvalidRecord,
            Code::LimitReached,
            Code::NotAdmissible,
            Code::OperationIdMissing,
            Code::OtherCategory,
            Code::PreviewNotOffered,
        ],
    ),
    (
        StatusCode::TOO_MANY_REQUESTS,
        &[Code::BudgetExceeded, Code::MailboxFull, Code::ToolQuotaExceeded],
    ),
    // It may be otherwise in a moment.
    (StatusCode::SERVICE_UNAVAILABLE, &[Code::HomeLocked, Code::StoreBusy, Code::StoreClosed]),
    (StatusCode::GATEWAY_TIMEOUT, &[Code::ToolTimedOut]),
    (StatusCode::INSUFFICIENT_STORAGE, &[Code::DiskFull]),
    // Nothing that the caller could do otherwise.
    (
        StatusCode::INTERNAL_SERVER_ERROR,
        &[
            Code::AddressInUse,
            Code::CannotListen,
            Code::HomeInaccessible,
            Code::HomeIncomplete,
            Code::NotLoopback,
            Code::RunCancelled,
            Code::RunInterrupted,
            Code::TurnLimitReached,
            Code::ProviderRefused,
            Code::NoProgress,
            Code::ModelUnavailable,
            Code::InvalidResponse,
            Code::ServerGone,
            Code::StoreCorrupt,
            Code::StoreForeign,
            Code::StoreIo,
            Code::StoreNewer,
        ],
    ),
];

/// The status that goes with a code.
pub(crate) fn of(code: Code) -> StatusCode {
    let found = STATUSES.iter().find(|(_, codes)| codes.contains(&code));
    found.map_or(StatusCode::INTERNAL_SERVER_ERROR, |(status, _)| *status)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_has_one_status() {
        for code in Code::ALL {
            let listed = STATUSES.iter().filter(|(_, codes)| codes.contains(code)).count();
            assert_eq!(listed, 1, "{code}");
        }
    }

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
