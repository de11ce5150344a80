use types::{
    Author, ContentRef, Counter, Digest, Epoch, Image, Origin, Position, Properties, RecordId,
    RunKey, Token,
};

use super::*;

fn report(scope: ReportScope) -> Report {
    let subject: RecordId = "report_a".parse().unwrap();
    Report {
        agent_id: "agent_a".parse().unwrap(),
        scope,
        run_key: RunKey(Digest::ZERO),
        content: ContentRef { subject, hash: Digest::ZERO },
        confidence: None,
        model: "builtin/scribe".to_owned(),
        journal_seen: Position(7),
        written_at: At::from_millis(1_000),
        claims: vec![],
        based_on: None,
    }
}

#[test]
fn a_report_is_old_when_it_is_older_than_its_scope_allows() {
    for scope in ReportScope::ALL {
        let at = |more: i64| report(scope).written_at.plus_millis(age_max_ms(scope) + more);
        assert!(!judge(&report(scope), at(0), 0, false).is_stale(), "{scope:?}");
        let old = judge(&report(scope), at(1), 0, false);
        assert_eq!(old.reasons, [Reason::TooOld], "{scope:?}");
        assert!(!judge(&report(scope), At::EPOCH, 0, false).is_stale(), "a clock set back");
    }
    let days = |scope| age_max_ms(scope) / (24 * HOUR_MS);
    assert_eq!(ReportScope::ALL.map(days), [7, 1, 9, 40]);
}

#[test]
fn newer_changes_make_it_stale_and_both_reasons_are_named() {
    let now = report(ReportScope::Daily).written_at;
    let fresh = judge(&report(ReportScope::Daily), now, 3, true);
    assert_eq!(
        fresh,
        Freshness { reasons: vec![Reason::NewerChanges], newer_changes: 3, more: true }
    );
    let later = now.plus_millis(age_max_ms(ReportScope::Daily) + 1);
    let both = judge(&report(ReportScope::Daily), later, 1, false);
    assert_eq!(
        both.reasons.iter().map(|one| one.as_str()).collect::<Vec<_>>(),
        ["too_old", "newer_changes"]
    );
}

fn change(author: Author, about: &str) -> ChangeRecord {
    let id: RecordId = about.parse().unwrap();
    ChangeRecord {
        position: Position(8),
        host: "host_a".parse().unwrap(),
        counter: Counter(1),
        origin: Origin::Local,
        author,
        at: At::EPOCH,
        logical_change_key: Digest::ZERO,
        tokens: vec![Token::entity(&id)],
        images: vec![Image {
            id,
            kind: "TASK".to_owned(),
            before: Some(Properties::new()),
            after: Some(Properties::new()),
            fields: ["status".to_owned()].into(),
        }],
    }
}

#[test]
fn what_counts_is_what_the_agent_listens_for_and_did_not_do() {
    let (agent, other): (AgentId, AgentId) =
        ("agent_a".parse().unwrap(), "agent_b".parse().unwrap());
    let by = |agent: &AgentId| {
        let epoch = Epoch { boot: 1, attempt: 0 };
        Author::Agent { agent: agent.clone(), run: RunKey(Digest::ZERO), epoch }
    };
    let task: RecordId = "task_1".parse().unwrap();
    let wish = Subscription::to(agent.clone(), vec![Token::entity(&task)]);
    let changes = [
        change(Author::Operator, "task_1"),
        change(by(&agent), "task_1"),
        change(by(&other), "task_1"),
        change(Author::Operator, "task_2"),
    ];
    let newer = |relevance, wish: &Subscription| {
        newer(&agent, &relevance, std::slice::from_ref(wish), &changes)
    };
    assert_eq!(newer(Relevance::Everything, &wish), 2);
    assert_eq!(newer(Relevance::fields(&[("TASK", &["title"])]), &wish), 0, "none of that matters");
    let deaf = Subscription { active: false, ..wish };
    assert_eq!(newer(Relevance::Everything, &deaf), 0);
}
