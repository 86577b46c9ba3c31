//! throng-formats
