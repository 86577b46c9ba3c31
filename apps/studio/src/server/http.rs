//! What comes over HTTP.

use super::actor::{Message, Reply};
use super::export::{NoExport, Wish};
use super::guard::{Barred, Guard};
use super::rooms::{MAIN, NoRoom, Rooms};
use super::{info, socket};
use crate::folder::Folder;
use crate::{Refusal, limits};
use axum::Router;
use axum::body::{Body, Bytes, to_bytes};
use axum::extract::rejection::{BytesRejection, PathRejection, QueryRejection};
use axum::extract::ws::rejection::WebSocketUpgradeRejection;
use axum::extract::{DefaultBodyLimit, Path, Query, State, WebSocketUpgrade};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use rust_embed::RustEmbed;
use serde::Deserialize;
use serde_json::json;
use std::sync::Arc;
use std::time::Duration;
use throng::formats::plain;
use tokio::sync::{Semaphore, oneshot};

/// The page.
#[derive(RustEmbed)]
#[folder = "page/"]
struct Page;

/// Pages load nothing from elsewhere, and nobody shows them inside of others.
const POLICY: &str = "default-src 'self'; connect-src 'self' ws: wss:; img-src 'self' data: blob:; \
                      style-src 'self' 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

const JSON: &str = "application/json";

#[derive(Clone)]
pub(super) struct Studio {
    pub(super) rooms: Arc<Rooms>,
    pub(super) guard: Guard,
}

/// What addresses may say.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Asked {
    room: Option<String>,
    token: Option<String>,
    #[serde(default)]
    run: usize,
    tick: Option<u64>,
    width: Option<u32>,
    /// What a file that is uploaded is called.
    name: Option<String>,
}

/// What an address says, or why it says nothing.
type MaybeAsked = Result<Query<Asked>, QueryRejection>;

pub(super) fn router(studio: Studio) -> Router {
    Router::new()
        .route("/", get(|studio, headers| page(studio, headers, Ok(Path("index.html".to_owned())))))
        .route("/page/{*path}", get(page))
        .route("/api/info", get(tell_info))
        .route("/api/do", post(obey))
        .route("/api/open", post(upload))
        .route("/api/export/{kind}", get(export))
        .route("/ws", get(upgrade))
        .fallback(nowhere)
        .method_not_allowed_fallback(not_so)
        .layer(DefaultBodyLimit::max(limits::MESSAGE))
        .with_state(studio)
}

/// Why a request is not answered as whoever sent it would like.
enum Trouble {
    Barred(Barred),
    NoRoom(NoRoom),
    NoExport(NoExport),
    /// Something else is wrong with it.
    Wrong(StatusCode, String),
}

impl IntoResponse for Trouble {
    fn into_response(self) -> Response {
        match self {
            Self::Barred(barred @ Barred::Token) => error(StatusCode::UNAUTHORIZED, barred.message()),
            Self::Barred(barred) => error(StatusCode::FORBIDDEN, barred.message()),
            Self::NoRoom(NoRoom::Name(why)) => error(StatusCode::BAD_REQUEST, &why.message),
            Self::NoRoom(NoRoom::Full(why)) => error(StatusCode::TOO_MANY_REQUESTS, &why.message),
            Self::NoRoom(NoRoom::Ended(why)) => error(StatusCode::SERVICE_UNAVAILABLE, &why.message),
            Self::NoExport(NoExport::Kind(why)) => error(StatusCode::NOT_FOUND, &why.message),
            Self::NoExport(NoExport::Refused(why)) => error(StatusCode::BAD_REQUEST, &why.message),
            Self::Wrong(status, why) => error(status, &why),
        }
    }
}

impl From<Barred> for Trouble {
    fn from(why: Barred) -> Self {
        Self::Barred(why)
    }
}

impl From<NoRoom> for Trouble {
    fn from(why: NoRoom) -> Self {
        Self::NoRoom(why)
    }
}

impl From<NoExport> for Trouble {
    fn from(why: NoExport) -> Self {
        Self::NoExport(why)
    }
}

impl From<QueryRejection> for Trouble {
    fn from(why: QueryRejection) -> Self {
        // Its source says which key is wrong and why.
        let cause = std::error::Error::source(&why).map_or_else(|| why.body_text(), ToString::to_string);
        Self::Wrong(why.status(), format!("what comes after the ?: {}", plain(&cause)))
    }
}

impl From<PathRejection> for Trouble {
    fn from(why: PathRejection) -> Self {
        Self::Wrong(why.status(), why.body_text())
    }
}

impl From<WebSocketUpgradeRejection> for Trouble {
    fn from(why: WebSocketUpgradeRejection) -> Self {
        Self::Wrong(why.status(), why.body_text())
    }
}

impl From<BytesRejection> for Trouble {
    fn from(why: BytesRejection) -> Self {
        let status = why.status();
        let told = match status {
            StatusCode::PAYLOAD_TOO_LARGE => format!("a message may have at most {} bytes", limits::MESSAGE),
            _ => why.body_text(),
        };
        Self::Wrong(status, told)
    }
}

/// Every error looks the same.
fn error(status: StatusCode, message: &str) -> Response {
    let body = json!({"error": {"message": message}}).to_string();
    (status, [(header::CONTENT_TYPE, JSON)], body).into_response()
}

async fn nowhere(uri: Uri) -> Response {
    error(StatusCode::NOT_FOUND, &format!("there is nothing at {}", uri.path()))
}

async fn not_so(method: Method, uri: Uri) -> Response {
    let path = uri.path();
    let how = if matches!(path, "/api/do" | "/api/open") { "POST" } else { "GET" };
    error(StatusCode::METHOD_NOT_ALLOWED, &format!("{method} {path}: expected {how}"))
}

async fn page(
    State(studio): State<Studio>,
    headers: HeaderMap,
    path: Result<Path<String>, PathRejection>,
) -> Result<Response, Trouble> {
    studio.guard.check_source(&headers)?;
    let Path(path) = path?;
    let Some(file) = Page::get(&path) else {
        return Err(Trouble::Wrong(StatusCode::NOT_FOUND, "there is no such page".to_owned()));
    };
    let kind = match path.rsplit_once('.').map(|(_, ending)| ending) {
        Some("html") => "text/html; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("svg") => "image/svg+xml",
        Some("woff2") => "font/woff2",
        _ => "application/octet-stream",
    };
    let policy = HeaderName::from_static("content-security-policy");
    let headers = [
        (header::CONTENT_TYPE, kind),
        (header::CACHE_CONTROL, "no-cache"),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
        (policy, POLICY),
    ];
    Ok((headers, file.data.into_owned()).into_response())
}

impl Studio {
    /// Whether somebody may come in, and what the address says then.
    fn admit(&self, headers: &HeaderMap, asked: MaybeAsked) -> Result<Asked, Trouble> {
        // Whoever may not come in is not told what else is wrong.
        let token = asked.as_ref().ok().and_then(|asked| asked.token.as_deref());
        self.guard.check(headers, token)?;
        let Query(asked) = asked?;
        Ok(asked)
    }

    /// Does something with the rooms that may take a moment, while others are served.
    async fn of_rooms<T: Send + 'static>(
        &self,
        what: impl FnOnce(&Arc<Rooms>) -> Result<T, NoRoom> + Send + 'static,
    ) -> Result<T, Trouble> {
        let rooms = Arc::clone(&self.rooms);
        let done = tokio::task::spawn_blocking(move || what(&rooms)).await;
        Ok(done.unwrap_or_else(|_| Err(NoRoom::ended()))?)
    }
}

async fn tell_info(
    State(studio): State<Studio>,
    headers: HeaderMap,
    asked: MaybeAsked,
) -> Result<Response, Trouble> {
    studio.admit(&headers, asked)?;
    Ok(([(header::CONTENT_TYPE, JSON)], info::info().to_string()).into_response())
}

/// One command; its answer, as in a WebSocket. What is refused is a bad request.
async fn obey(
    State(studio): State<Studio>,
    headers: HeaderMap,
    asked: MaybeAsked,
    body: Result<Bytes, BytesRejection>,
) -> Result<Response, Trouble> {
    let Asked { room, .. } = studio.admit(&headers, asked)?;
    let text = String::from_utf8_lossy(&body?).into_owned();
    let (reply, answer) = oneshot::channel();
    let message = Message::Do { text, viewer: None, reply };
    studio.of_rooms(move |rooms| rooms.ask(room.as_deref().unwrap_or(MAIN), message)).await?;
    told(answer.await)
}

/// Who has a file read.
static UPLOADS: Semaphore = Semaphore::const_new(limits::UPLOADS);
/// So long a file may take to come.
const COMING: Duration = Duration::from_secs(120);

/// A file from elsewhere, as bytes, opened as those of the working folder are.
async fn upload(
    State(studio): State<Studio>,
    headers: HeaderMap,
    asked: MaybeAsked,
    body: Body,
) -> Result<Response, Trouble> {
    let Asked { room, name, .. } = studio.admit(&headers, asked)?;
    let wrong = |status, why: String| Trouble::Wrong(status, why);
    let name =
        name.ok_or_else(|| wrong(StatusCode::BAD_REQUEST, "expected ?name= with the file's".to_owned()))?;
    Folder::kind(&name).map_err(|why| wrong(StatusCode::BAD_REQUEST, why.message))?;
    // Nobody closes this, so that everybody has a turn; and nobody keeps others waiting for long.
    let _turn = UPLOADS.acquire().await;
    let read = tokio::time::timeout(COMING, to_bytes(body, limits::UPLOAD)).await;
    let bytes = match read {
        Ok(Ok(bytes)) => bytes.to_vec(),
        Ok(Err(_)) => {
            let why = format!("a file that is uploaded may have at most {} bytes", limits::UPLOAD);
            return Err(wrong(StatusCode::PAYLOAD_TOO_LARGE, why));
        }
        Err(_) => return Err(wrong(StatusCode::REQUEST_TIMEOUT, "the file did not come in time".to_owned())),
    };
    let (reply, answer) = oneshot::channel();
    let message = Message::Upload { name, bytes, reply };
    studio.of_rooms(move |rooms| rooms.ask(room.as_deref().unwrap_or(MAIN), message)).await?;
    told(answer.await)
}

/// The answer of a room.
fn told(answer: Result<Reply, oneshot::error::RecvError>) -> Result<Response, Trouble> {
    let answer = answer.map_err(|_| NoRoom::ended())?;
    let status = if answer.done { StatusCode::OK } else { StatusCode::BAD_REQUEST };
    Ok((status, [(header::CONTENT_TYPE, JSON)], answer.text).into_response())
}

/// Who has an export made.
static EXPORTS: Semaphore = Semaphore::const_new(limits::EXPORTS);

async fn export(
    State(studio): State<Studio>,
    headers: HeaderMap,
    kind: Result<Path<String>, PathRejection>,
    asked: MaybeAsked,
) -> Result<Response, Trouble> {
    let Asked { room, run, tick, width, .. } = studio.admit(&headers, asked)?;
    let Path(kind) = kind?;
    let room = room.unwrap_or_else(|| MAIN.to_owned());
    let (reply, answer) = oneshot::channel();
    let host = headers.get(header::HOST).and_then(|host| host.to_str().ok()).unwrap_or("localhost");
    let page = format!("http://{host}/?room={room}");
    let wish = Wish { kind, run, tick, width, page };
    // Each holds a copy of a run while it is made. Nobody closes this, so that everybody has a turn.
    let _turn = EXPORTS.acquire().await;
    studio.of_rooms(move |rooms| rooms.ask(&room, Message::Export { wish, reply })).await?;
    let material = answer.await.map_err(|_| NoRoom::ended())??;
    let attached = format!("attachment; filename=\"{}\"", material.file_name());
    let attached = HeaderValue::from_str(&attached).unwrap_or(HeaderValue::from_static("attachment"));
    let kind = HeaderValue::from_static(material.mime);
    // Pictures take longer than anybody should have to wait for something else.
    let made = tokio::task::spawn_blocking(|| material.make()).await;
    let bytes = made.unwrap_or_else(|why| Err(Refusal::new(why.to_string()))).map_err(NoExport::Refused)?;
    Ok(([(header::CONTENT_TYPE, kind), (header::CONTENT_DISPOSITION, attached)], bytes).into_response())
}

async fn upgrade(
    State(studio): State<Studio>,
    headers: HeaderMap,
    asked: MaybeAsked,
    socket: Result<WebSocketUpgrade, WebSocketUpgradeRejection>,
) -> Result<Response, Trouble> {
    let Asked { room, .. } = studio.admit(&headers, asked)?;
    let socket = socket?;
    let seat = studio.of_rooms(move |rooms| rooms.join(room.as_deref().unwrap_or(MAIN))).await?;
    // Messages a little longer than allowed are read, so that they get an answer and not an end.
    Ok(socket
        .max_message_size(2 * limits::MESSAGE)
        .max_frame_size(2 * limits::MESSAGE)
        .on_upgrade(|socket| socket::serve(socket, seat)))
}
