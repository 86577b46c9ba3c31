//! throng-sim
