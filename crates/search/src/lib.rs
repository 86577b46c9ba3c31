//! throng-search
