//! One viewer's WebSocket.

use super::actor::{Message as Ask, Reply};
use super::rooms::{NoRoom, Seat};
use super::slot::Parcel;
use crate::Refusal;
use axum::body::Bytes;
use axum::extract::ws::{Message, Utf8Bytes, WebSocket};
use serde_json::Value;
use std::time::{Duration, Instant};
use tokio::sync::oneshot;

/// How often viewers are asked whether they are still there, and how long they may take to read or to say something: whoever has gone
/// without a word gives back its place.
const PING: Duration = Duration::from_secs(15);
const PATIENCE: Duration = Duration::from_secs(45);

/// Passes on what comes and what goes until one side ends. The next command is read when the last one has its answer, so
/// that nobody can ask for more than is done.
pub(super) async fn serve(mut socket: WebSocket, seat: Seat) {
    let mut pending: Option<oneshot::Receiver<Reply>> = None;
    let (mut heard, mut next) = (Instant::now(), tokio::time::interval(PING));
    loop {
        let sent = tokio::select! {
            // What is shown goes before the answer that it is there.
            biased;
            _ = next.tick() => {
                // Who is asked something need not listen meanwhile.
                if pending.is_none() && heard.elapsed() > PATIENCE {
                    break;
                }
                within(socket.send(Message::Ping(Bytes::new()))).await
            }
            parcels = seat.slot.take() => {
                let Some(parcels) = parcels else { break };
                let sent = within(send(&mut socket, parcels)).await;
                seat.slot.sent();
                sent
            }
            answer = answered(&mut pending) => {
                (pending, heard) = (None, Instant::now());
                within(socket.send(Message::Text(answer.into()))).await
            }
            message = socket.recv(), if pending.is_none() => {
                heard = Instant::now();
                match message {
                    Some(Ok(Message::Text(text))) => match ask(&seat, text.to_string()) {
                        Ok(answer) => {
                            pending = Some(answer);
                            Ok(())
                        }
                        Err(why) => refuse(&mut socket, why).await,
                    },
                    Some(Ok(Message::Binary(_))) => {
                        refuse(&mut socket, Refusal::new("not a command: expected JSON as text")).await
                    }
                    Some(Ok(Message::Ping(_) | Message::Pong(_))) => Ok(()),
                    Some(Ok(Message::Close(_)) | Err(_)) | None => break,
                }
            }
        };
        if sent.is_err() {
            break;
        }
    }
}

/// Who reads nothing for long is gone.
async fn within(sending: impl Future<Output = Result<(), axum::Error>>) -> Result<(), axum::Error> {
    tokio::time::timeout(PATIENCE, sending).await.unwrap_or_else(|late| Err(axum::Error::new(late)))
}

fn ask(seat: &Seat, text: String) -> Result<oneshot::Receiver<Reply>, Refusal> {
    let (reply, answer) = oneshot::channel();
    let sent = seat.door.ask(Ask::Do { text, viewer: Some(seat.viewer), reply });
    sent.map_err(|why| why.why().clone())?;
    Ok(answer)
}

/// The answer to what was asked; never, if nothing was.
async fn answered(pending: &mut Option<oneshot::Receiver<Reply>>) -> String {
    match pending {
        Some(answer) => match answer.await {
            Ok(reply) => reply.text,
            Err(_) => refusal(NoRoom::ended().why().clone()),
        },
        None => std::future::pending().await,
    }
}

fn refusal(why: Refusal) -> String {
    Reply::of(&Value::Null, &Err(why)).text
}

async fn refuse(socket: &mut WebSocket, why: Refusal) -> Result<(), axum::Error> {
    socket.send(Message::Text(refusal(why).into())).await
}

async fn send(socket: &mut WebSocket, parcels: Vec<Parcel>) -> Result<(), axum::Error> {
    for parcel in parcels {
        socket
            .send(match parcel {
                Parcel::Text(text) => Message::Text(Utf8Bytes::from(&*text)),
                Parcel::Frame(frame) => Message::Binary(Bytes::from_owner(frame)),
            })
            .await?;
    }
    Ok(())
}
