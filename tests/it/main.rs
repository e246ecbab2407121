//! Every test that needs neither a terminal nor a server that others wrote.

mod layers;
mod proto;
mod url;
