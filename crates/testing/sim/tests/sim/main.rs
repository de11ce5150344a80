//! The simulator, on few seeds.

mod faults;
mod seeds;
