//! What the contract calls the activities of a turn, and which file of this room does each.

/// The activities by the contract's names, each with the step that does it. The steps keep the names they
/// have here, in failures too; whoever looks for an activity finds it by this table.
///
/// Two things stand elsewhere than a list could say. What may be sent is judged with the prompt at hand, so
/// policy and budget are judged exactly between making the prompt and asking, before every question; what a
/// first question may cost at most is set aside before anything else, in the commit that begins the run. And
/// the last two are one commit: a turn is remembered and grounded, or neither.
pub const ACTIVITIES: &[(&str, &str)] = &[
    ("ClassifyDialogAct", "gather"),
    ("EvaluatePolicy", "permit"),
    ("CheckTokenBudget", "permit"),
    ("RetrieveMemory", "gather"),
    ("AssemblePrompt", "gather"),
    ("InvokeModel", "ask"),
    ("ExecuteTools", "act"),
    ("EncodeMemory", "close"),
    ("UpdateCommonGround", "close"),
];

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    #[test]
    fn every_activity_has_its_full_name_and_a_step_of_this_room() {
        let short = ["ClassifyIntent", "EncodeMem", "SelectItems", "Summarize", "UpdateTiers"];
        let names: Vec<&str> = ACTIVITIES.iter().map(|(name, _)| *name).collect();
        assert!(short.iter().all(|name| !names.contains(name)));
        assert_eq!(
            (names.len(), names[0], names[8]),
            (9, "ClassifyDialogAct", "UpdateCommonGround")
        );
        for (name, step) in ACTIVITIES {
            let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("src/{step}.rs"));
            assert!(file.is_file(), "{name}: {file:?}");
        }
    }
}
