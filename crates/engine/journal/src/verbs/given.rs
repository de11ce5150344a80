//! Arguments that can be given, given as nothing, or left out.

use serde::{Deserialize, Deserializer};

/// Tells a value that is absent from one that is null.
pub(crate) fn given<'de, T: Deserialize<'de>, D: Deserializer<'de>>(
    d: D,
) -> Result<Option<Option<T>>, D::Error> {
    Option::<T>::deserialize(d).map(Some)
}
