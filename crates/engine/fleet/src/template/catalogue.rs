//! The templates of a home.

use std::collections::BTreeMap;
use std::sync::Arc;

use rules::facts::Relevance;
use types::{AgentIdentity, Capability, Mode, limits};

use super::{BadTemplate, Template};
use crate::Error;

/// The files that are built in.
const BUILT_IN: [&str; 2] =
    [include_str!("../../templates/task_agent.toml"), include_str!("../../templates/watcher.toml")];

/// The templates of a home, by name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Templates(Arc<BTreeMap<String, Template>>);

impl Templates {
    /// Those that are built in.
    #[must_use]
    pub fn builtin() -> Templates {
        let parsed = BUILT_IN.map(|text| Template::parse(None, text).expect("they are tested"));
        Templates(Arc::new(parsed.into_iter().map(|one| (one.name.clone(), one)).collect()))
    }

    /// None at all, for whoever makes no agents and runs none.
    #[must_use]
    pub fn none() -> Templates {
        Templates(Arc::new(BTreeMap::new()))
    }

    /// These besides; one that has the name of a built-in one takes its place.
    ///
    /// # Errors
    /// If two of them have the same name, or there are too many.
    pub fn with(self, own: Vec<Template>) -> Result<Templates, BadTemplate> {
        let mut all = BTreeMap::clone(&self.0);
        let count = own.len();
        for template in own {
            let file = template.file.clone().unwrap_or_else(|| template.name.clone());
            let bad = |reason| Err(BadTemplate { file: file.clone(), line: None, reason });
            if count > limits::TEMPLATES_MAX {
                return bad(format!("a home has at most {} templates", limits::TEMPLATES_MAX));
            }
            let name = template.name.clone();
            if let Some(other) = all.insert(name.clone(), template).and_then(|other| other.file) {
                return bad(format!("the name {name} is taken by {other}"));
            }
        }
        Ok(Templates(Arc::new(all)))
    }

    /// Refuses a template that names a tool that there is not, or one that it has no right to: whoever
    /// wrote it would wait for calls that never come. `needs` says which rights a tool needs.
    ///
    /// # Errors
    /// The first such tool.
    pub fn fit(
        &self,
        needs: impl Fn(&str) -> Option<&'static [Capability]>,
    ) -> Result<(), BadTemplate> {
        for template in self.all() {
            for tool in &template.tools {
                let Some(needed) = needs(tool) else {
                    return Err(template.bad_tool(tool, format!("there is no tool {tool}")));
                };
                let held = |right: &&Capability| template.capabilities.contains(right);
                if let Some(missing) = needed.iter().find(|right| !held(right)) {
                    let right = missing.as_str();
                    let why = format!("{tool} needs {right}, which is not in `capabilities`");
                    return Err(template.bad_tool(tool, why));
                }
            }
        }
        Ok(())
    }

    /// The template of a name.
    ///
    /// # Errors
    /// If there is none.
    pub fn find(&self, name: &str) -> Result<&Template, Error> {
        self.0.get(name).ok_or_else(|| Error::UnknownTemplate {
            name: name.to_owned(),
            known: self.0.keys().cloned().collect(),
        })
    }

    /// Every one, by name.
    pub fn all(&self) -> impl Iterator<Item = &Template> {
        self.0.values()
    }

    /// What is relevant to an agent. To one whose template is gone everything is, so that its turn says
    /// what is missing, and no change is passed over meanwhile. To one that only talks nothing is: it works when it is
    /// spoken to.
    #[must_use]
    pub fn relevance(&self, agent: &AgentIdentity) -> Relevance {
        if agent.mode == Mode::Interactive {
            return Relevance::Nothing;
        }
        let template = self.0.get(&agent.template);
        template.map_or(Relevance::Everything, |template| template.relevance.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn own(file: &str, name: &str) -> Template {
        let text = BUILT_IN[1].replace("name = \"watcher\"", &format!("name = \"{name}\""));
        Template::parse(Some(file), &text).unwrap()
    }

    #[test]
    fn a_template_of_the_home_stands_beside_the_built_in_ones_or_in_their_place() {
        let mine = vec![own("a.toml", "mine"), own("b.toml", "task_agent")];
        let templates = Templates::builtin().with(mine).unwrap();
        let names: Vec<&str> = templates.all().map(|one| one.name.as_str()).collect();
        assert_eq!(names, ["mine", "task_agent", "watcher"]);
        assert_eq!(templates.find("task_agent").unwrap().file.as_deref(), Some("b.toml"));
        assert_eq!(templates.find("watcher").unwrap().file, None);
        let error = templates.find("poet").unwrap_err();
        assert!(types::Problem::from(error).hint.ends_with("mine, task_agent, watcher"));
    }

    #[test]
    fn two_templates_of_one_name_are_refused() {
        let twice = vec![own("a.toml", "mine"), own("b.toml", "mine")];
        let bad = Templates::builtin().with(twice).unwrap_err();
        assert_eq!(bad.to_string(), "b.toml: the name mine is taken by a.toml");
    }
}
