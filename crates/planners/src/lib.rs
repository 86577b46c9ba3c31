//! throng-planners
