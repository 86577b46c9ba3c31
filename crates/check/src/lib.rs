//! throng-check
