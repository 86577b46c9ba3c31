//! A studio on a port of its own, and those who talk to it.

use serde_json::Value;
use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;
use throng_studio::{Options, Studio, StudioError};
use tokio::sync::oneshot;

/// A folder that is gone when the test is over.
pub(crate) struct Scratch(PathBuf);

impl Scratch {
    pub(crate) fn new() -> Self {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("throng-studio-{}-{number}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    pub(crate) fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// A studio that runs until it is dropped.
pub(crate) struct Server {
    pub(crate) address: SocketAddr,
    end: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

/// What came back over HTTP.
pub(crate) struct Reply {
    pub(crate) status: u16,
    pub(crate) head: String,
    pub(crate) body: Vec<u8>,
}

impl Reply {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap()
    }
}

impl Server {
    /// In this folder.
    pub(crate) fn in_folder(folder: &Path) -> Self {
        Self::with(Options { port: 0, folder: folder.to_owned(), ..Options::default() }).unwrap()
    }

    pub(crate) fn with(options: Options) -> Result<Self, StudioError> {
        let (end, ended) = oneshot::channel();
        let (tell, told) = std::sync::mpsc::channel();
        let thread = std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
            runtime.block_on(async {
                match Studio::bind(options).await {
                    Ok(studio) => {
                        tell.send(Ok(studio.address())).unwrap();
                        let _ = studio.run(async { drop(ended.await) }).await;
                    }
                    Err(why) => tell.send(Err(why)).unwrap(),
                }
            });
        });
        let address = told.recv().unwrap()?;
        Ok(Self { address, end: Some(end), thread: Some(thread) })
    }

    /// One request, as it is written.
    pub(crate) fn raw(&self, request: &[u8]) -> Reply {
        let mut stream = TcpStream::connect(self.address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
        stream.write_all(request).unwrap();
        let mut all = Vec::new();
        stream.read_to_end(&mut all).unwrap();
        let split = all.windows(4).position(|four| four == b"\r\n\r\n").unwrap_or(all.len());
        let head = String::from_utf8_lossy(&all[..split]).into_owned();
        let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0);
        Reply { status, head, body: all.get(split + 4..).unwrap_or_default().to_vec() }
    }

    pub(crate) fn get(&self, path: &str, headers: &str) -> Reply {
        let host = self.address;
        self.raw(
            format!("GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n{headers}\r\n").as_bytes(),
        )
    }

    pub(crate) fn post(&self, path: &str, headers: &str, body: &[u8]) -> Reply {
        let (host, length) = (self.address, body.len());
        let head = format!(
            "POST {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\nContent-Length: {length}\r\n{headers}\r\n"
        );
        self.raw(&[head.as_bytes(), body].concat())
    }

    /// One command to a room; its whole answer.
    pub(crate) fn tell(&self, room: &str, command: &Value) -> Value {
        self.post(&format!("/api/do?room={room}"), "", command.to_string().as_bytes()).json()
    }

    /// One command to the first room, which is to be done.
    pub(crate) fn ask(&self, command: Value) -> Value {
        let answer = self.tell("main", &command);
        assert!(answer.get("ok").is_some(), "{command}: {answer}");
        answer["ok"].clone()
    }

    /// One command to the first room, which is to be refused; why.
    pub(crate) fn refused(&self, command: Value) -> String {
        let answer = self.tell("main", &command);
        answer["error"]["message"].as_str().unwrap_or_else(|| panic!("{command}: {answer}")).to_owned()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.end.take().map(|end| end.send(()));
        self.thread.take().map(JoinHandle::join);
    }
}
