//! Categories.

mod add;
mod allowed;
mod edit;
mod remove;
mod seed;

pub(crate) use add::AddCategory;
pub(crate) use allowed::ListAllowedCategories;
pub(crate) use edit::EditCategory;
pub(crate) use remove::RemoveCategory;
pub(crate) use seed::is_untouched_seed;
