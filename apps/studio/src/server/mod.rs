//! The server: one page, its commands and its frames, for this machine or for whoever has the token.

mod actor;
mod drawn;
mod export;
mod guard;
mod http;
mod info;
mod keep;
mod link;
mod rooms;
mod slot;
mod socket;
mod viewer;

use crate::folder::Folder;
use crate::room::{Draft, Room};
use crate::{Refusal, limits};
use guard::Guard;
use rooms::Rooms;
use std::fs::File;
use std::future::Future;
use std::io::{self, Read as _};
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tokio::net::TcpListener;

/// How to serve the studio.
#[derive(Clone, Debug)]
pub struct Options {
    /// The address to listen at.
    pub bind: IpAddr,
    /// The port; 0 for any that is free.
    pub port: u16,
    /// What everybody has to know who comes; needed where others than this machine can come.
    pub token: Option<String>,
    /// A recorded run to show.
    pub trace: Option<PathBuf>,
    /// A scenario to begin with.
    pub file: Option<PathBuf>,
    /// The working folder: nothing outside of it is read or written.
    pub folder: PathBuf,
    /// Whether documents are kept in the working folder, and taken up again.
    pub autosave: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            bind: IpAddr::V4(Ipv4Addr::LOCALHOST),
            port: 7878,
            token: None,
            trace: None,
            file: None,
            folder: PathBuf::from("."),
            autosave: true,
        }
    }
}

/// Why the studio does not begin.
#[derive(Debug, thiserror::Error)]
pub enum StudioError {
    /// Others could come without a token.
    #[error(
        "{bind} can be reached from elsewhere: that needs --token, and whoever has it can change everything"
    )]
    NoToken {
        /// The address.
        bind: IpAddr,
    },
    /// A token that nobody could give, or anybody could guess.
    #[error("the token has to have 8 to 256 letters, digits, - or _")]
    BadToken,
    /// Somebody else listens there.
    #[error("port {port} is taken: give another one with --port, or 0 for any that is free")]
    Taken {
        /// The port.
        port: u16,
    },
    /// It cannot listen there.
    #[error("cannot listen at {address}: {why}")]
    Listen {
        /// Where.
        address: SocketAddr,
        /// Why not.
        why: io::Error,
    },
    /// A file or a folder that cannot be used.
    #[error("{}: {why}", path.display())]
    File {
        /// Which.
        path: PathBuf,
        /// Why not.
        why: Refusal,
    },
    /// It had to end.
    #[error("the studio had to end: {0}")]
    Ended(#[from] io::Error),
}

/// A studio that listens and does not answer yet.
pub struct Studio {
    listener: TcpListener,
    address: SocketAddr,
    rooms: Arc<Rooms>,
    guard: Guard,
    notes: Vec<String>,
}

impl std::fmt::Debug for Studio {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Studio").field("address", &self.address).finish_non_exhaustive()
    }
}

impl Studio {
    /// Looks at what there is to begin with, and listens.
    pub async fn bind(options: Options) -> Result<Self, StudioError> {
        let Options { bind, port, token, trace, file, folder, autosave } = options;
        let plain = |token: &String| {
            let fits = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
            (8..=256).contains(&token.len()) && token.chars().all(fits)
        };
        match &token {
            None if !bind.is_loopback() => return Err(StudioError::NoToken { bind }),
            Some(token) if !plain(token) => return Err(StudioError::BadToken),
            _ => {}
        }
        let blamed = |path: &Path| {
            let path = path.to_owned();
            move |why: Refusal| StudioError::File { path, why }
        };
        let working = Folder::new(&folder).map_err(|why| blamed(&folder)(Refusal::new(why.to_string())))?;
        let mut first = match &file {
            Some(path) => {
                let mut room = Room::new(read_draft(path).map_err(blamed(path))?);
                working.name_of(path).iter().for_each(|name| room.document.belongs_to(name));
                Some(room)
            }
            None => None,
        };
        if let Some(path) = &trace {
            let bytes = read(path).map_err(blamed(path))?;
            let stem = path.file_stem().unwrap_or_default().to_string_lossy();
            first = Some(match first.take() {
                Some(mut room) => {
                    room.show_recording(&bytes).map_err(blamed(path))?;
                    room
                }
                None => Room::recorded(&bytes, &stem).map_err(blamed(path))?,
            });
        }
        let address = SocketAddr::new(bind, port);
        let listener = TcpListener::bind(address).await.map_err(|why| match why.kind() {
            io::ErrorKind::AddrInUse => StudioError::Taken { port },
            _ => StudioError::Listen { address, why },
        })?;
        let address = listener.local_addr()?;
        let unreadable = if autosave { keep::look_through(&working) } else { Vec::new() };
        let notes = unreadable.iter().map(|(_, why)| why.clone()).collect();
        let rooms = Arc::new(Rooms::new(working, autosave, first, unreadable.into_iter().collect()));
        Ok(Self { listener, address, rooms, guard: Guard::new(bind, token), notes })
    }

    /// Where it listens.
    #[must_use]
    pub const fn address(&self) -> SocketAddr {
        self.address
    }

    /// What whoever has started it should know: documents that could not be read, and what became of them.
    #[must_use]
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// Answers until `end` is there; then keeps what is to be kept.
    pub async fn run(self, end: impl Future<Output = ()>) -> Result<(), StudioError> {
        let Self { listener, rooms, guard, .. } = self;
        let router = http::router(http::Studio { rooms: Arc::clone(&rooms), guard });
        let served = tokio::select! {
            served = async { axum::serve(listener, router).await } => served,
            () = end => Ok(()),
        };
        rooms.end();
        Ok(served?)
    }
}

/// Serves until somebody presses Ctrl-C or it is told to end (SIGTERM); `ready` is told when it listens.
pub fn serve(options: Options, ready: impl FnOnce(&Studio)) -> Result<(), StudioError> {
    // Rooms have threads of their own: one is enough to pass on what they say.
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        let studio = Studio::bind(options).await?;
        ready(&studio);
        studio.run(asked_to_end()).await
    })
}

/// Somebody presses Ctrl-C, or the machine wants it to end.
async fn asked_to_end() {
    // Where there is no such signal, the program ends as others do.
    let pressed = async {
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
    };
    #[cfg(unix)]
    if let Ok(mut end) = tokio::signal::unix::signal(tokio::signal::unix::SignalKind::terminate()) {
        tokio::select! {
            () = pressed => {}
            _ = end.recv() => {}
        }
        return;
    }
    pressed.await;
}

fn read(path: &Path) -> Result<Vec<u8>, Refusal> {
    let mut bytes = Vec::new();
    let file = File::open(path).map_err(|why| Refusal::new(why.to_string()))?;
    file.take(limits::FILE + 1).read_to_end(&mut bytes).map_err(|why| Refusal::new(why.to_string()))?;
    limits::at_most("bytes in a file", bytes.len(), limits::FILE as usize)?;
    Ok(bytes)
}

/// A scenario of the command line; what it names is looked for beside it.
fn read_draft(path: &Path) -> Result<Draft, Refusal> {
    let text = String::from_utf8(read(path)?).map_err(|_| Refusal::new("not UTF-8"))?;
    let folder = path.parent().map(Path::to_owned).unwrap_or_default();
    let mut draft = Draft::parse(&text, &mut |name| read(&folder.join(name)).map_err(|why| why.message))?;
    if draft.settings.name.is_empty() {
        draft.settings.name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    }
    Ok(draft)
}
