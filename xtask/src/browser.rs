//! `cargo xtask browser`: the studio in a real browser. The types of its page, its parts, the page before a server of its own
//! making, and the page before the real one; and the engine in a page of its own (`bindings/web`), without any server.
//!
//! Installs what that needs, from the ordinary package managers: npm packages beside the tests, and Chromium by `apt-get` if there is
//! none. Where that cannot be done it says what is missing; nothing is skipped.

use crate::packages::{self, need};
use crate::{cargo, wasm};
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// Where the tests are.
const TESTS: &str = "apps/studio/e2e";

/// Names under which Chromium goes.
const BROWSERS: [&str; 3] = ["chromium", "chromium-browser", "google-chrome"];

/// How long the studio may take until it serves.
const PATIENCE: Duration = Duration::from_secs(60);

pub(crate) fn run(root: &Path) -> Result<(), String> {
    let tests = root.join(TESTS);
    let chromium = chromium()?;
    npm(&tests, &["ci", "--no-audit", "--no-fund"], &[])?;
    npm(&tests, &["run", "types"], &[])?;
    npm(&tests, &["run", "format"], &[])?;
    let browser = [("CHROMIUM", chromium.display().to_string())];
    npm(&tests, &["test"], &browser)?;
    let mut studio = Studio::start(root)?;
    let real = [
        browser[0].clone(),
        ("STUDIO_URL", studio.address.clone()),
        ("STUDIO_DIR", studio.folder.display().to_string()),
    ];
    let result = npm(&tests, &["test"], &real);
    studio.stop();
    result?;
    let site = wasm::site(root)?;
    let tests = root.join("bindings/web/tests/throng.test.mjs");
    let mut node = Command::new("node");
    node.arg("--test").arg(tests).env("THRONG_WEB", site).env("CHROMIUM", &browser[0].1);
    packages::run(&mut node)
}

fn npm(folder: &Path, words: &[&str], variables: &[(&str, String)]) -> Result<(), String> {
    let mut command = Command::new("npm");
    command.current_dir(folder).args(words).envs(variables.iter().map(|(name, value)| (name, value)));
    let status = command.status().map_err(|e| format!("cannot start npm, which comes with Node.js: {e}"))?;
    if status.success() { Ok(()) } else { Err(format!("npm {} in {TESTS}: {status}", words.join(" "))) }
}

/// Chromium, installed if need be.
fn chromium() -> Result<PathBuf, String> {
    if let Some(told) = std::env::var_os("CHROMIUM") {
        return Ok(told.into());
    }
    let told = |why| format!("{why}, or name its program by CHROMIUM");
    need(&BROWSERS, &["chromium"], "the studio in a browser").map_err(told)
}

/// The real studio, in a working folder of its own.
struct Studio {
    server: Child,
    address: String,
    folder: PathBuf,
}

impl Studio {
    fn start(root: &Path) -> Result<Self, String> {
        let built =
            Command::new(cargo()).current_dir(root).args(["build", "--package", "throng-cli"]).status();
        if !built.is_ok_and(|status| status.success()) {
            return Err("cannot build throng".to_owned());
        }
        let target = wasm::build_folder(root)?;
        let folder = target.join("tmp/studio");
        // What an earlier run has left would be restored.
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
        let mut server = Command::new(target.join("debug/throng"))
            .args(["studio", "--port", "0"])
            .current_dir(&folder)
            .stdout(Stdio::piped())
            .spawn()
            .map_err(|e| format!("cannot start throng studio: {e}"))?;
        let Some(output) = server.stdout.take() else { return Err("throng studio says nothing".to_owned()) };
        let (tell, told) = std::sync::mpsc::channel();
        // All that it says is read, also what nobody asks for: otherwise it would have nowhere to say it.
        std::thread::spawn(move || {
            for line in BufReader::new(output).lines().map_while(Result::ok) {
                let address = line.find("http://").and_then(|place| line[place..].split_whitespace().next());
                if let Some(address) = address {
                    let _ = tell.send(address.trim_end_matches('/').to_owned());
                }
            }
        });
        let Ok(address) = told.recv_timeout(PATIENCE) else {
            let _ = server.kill();
            return Err(format!("throng studio told no address within {} s", PATIENCE.as_secs()));
        };
        Ok(Self { server, address, folder })
    }

    fn stop(&mut self) {
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}
