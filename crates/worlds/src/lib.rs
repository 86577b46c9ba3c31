//! throng-worlds
