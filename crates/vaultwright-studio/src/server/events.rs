//! Server-sent events: what pages are told without asking.

use std::pin::Pin;
use std::sync::{Mutex, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::http::header;
use axum::response::{IntoResponse, Response};
use futures_core::Stream;
use serde_json::Value;
use tokio::sync::mpsc::{Receiver, Sender, channel};
use tokio::time::{Interval, interval};

use super::limits::MAX_LISTENERS;

/// How many events may wait for a page; one that is further behind is let go, and asks again.
const MAX_EVENTS: usize = 256;

/// A sign of life, so that a page knows that its server is gone.
const SIGN_OF_LIFE: Duration = Duration::from_secs(15);

/// The pages that listen.
#[derive(Default)]
pub struct Events(Mutex<Vec<Sender<Bytes>>>);

impl Events {
    /// Tells all pages.
    pub fn tell(&self, event: &Value) {
        let text = Bytes::from(format!("data: {event}\n\n"));
        let mut pages = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        pages.retain(|page| page.try_send(text.clone()).is_ok());
    }

    /// Registers a page, which listens from now on.
    pub fn listen(&self) -> Response {
        let (sender, events) = channel(MAX_EVENTS);
        let _ = sender.try_send(Bytes::from_static(b"retry: 500\n\n"));
        let mut pages = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        pages.retain(|page| !page.is_closed());
        if pages.len() >= MAX_LISTENERS {
            pages.remove(0);
        }
        pages.push(sender);
        let stream = EventStream { events, alive: interval(SIGN_OF_LIFE) };
        let headers =
            [(header::CONTENT_TYPE, "text/event-stream"), (header::CACHE_CONTROL, "no-store")];
        (headers, Body::from_stream(stream)).into_response()
    }
}

struct EventStream {
    events: Receiver<Bytes>,
    alive: Interval,
}

impl Stream for EventStream {
    type Item = Result<Bytes, std::convert::Infallible>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context) -> Poll<Option<Self::Item>> {
        if let Poll::Ready(event) = self.events.poll_recv(context) {
            return Poll::Ready(event.map(Ok));
        }
        match self.alive.poll_tick(context) {
            Poll::Ready(_) => Poll::Ready(Some(Ok(Bytes::from_static(b": alive\n\n")))),
            Poll::Pending => Poll::Pending,
        }
    }
}
