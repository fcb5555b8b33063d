//! Answers and failures as HTTP.

use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde_json::{Value, json};

/// Why a request is not answered.
#[derive(Debug)]
pub struct Refusal {
    pub status: StatusCode,
    /// `{"error": {"message": …}}`, perhaps with more.
    pub body: Value,
}

/// What a request comes to.
pub type Answer = Result<Value, Refusal>;

impl Refusal {
    pub fn new(status: StatusCode, message: impl Into<String>) -> Refusal {
        Refusal { status, body: json!({ "error": { "message": message.into() } }) }
    }

    pub fn bad(message: impl Into<String>) -> Refusal {
        Refusal::new(StatusCode::BAD_REQUEST, message)
    }

    pub fn not_found(message: impl Into<String>) -> Refusal {
        Refusal::new(StatusCode::NOT_FOUND, message)
    }

    pub fn superseded() -> Refusal {
        Refusal::new(StatusCode::CONFLICT, "superseded")
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        (self.status, as_json(&self.body)).into_response()
    }
}

/// Returns a value as the body of a response.
pub fn as_json(value: &Value) -> impl IntoResponse + use<> {
    ([(header::CONTENT_TYPE, "application/json")], value.to_string())
}
