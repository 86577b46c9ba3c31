//! The studio as those see it who come over the network.

mod exports;
mod http;
mod kit;
mod robust;
mod rooms;
mod sockets;
