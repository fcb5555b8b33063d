//! Access control: only the browser of the user who started the studio may send requests.

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use super::answer::Refusal;
use super::app::App;
use super::settings::StudioError;

/// Nothing runs and nothing is loaded but what the studio itself serves.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: \
    blob:; font-src 'self'; connect-src 'self'; frame-src 'self'; worker-src 'self'; manifest-src 'self'; base-uri 'none'; \
    form-action 'none'; frame-ancestors 'self'";

/// Returns what the page may load and who may show it in a frame: itself, and these origins and
/// schemes.
pub fn policy(frames: &[String]) -> Result<HeaderValue, StudioError> {
    let plain = |c: char| c.is_ascii_alphanumeric() || "+-.:/[]".contains(c);
    if let Some(frame) =
        frames.iter().find(|frame| !frame.contains(':') || !frame.chars().all(plain))
    {
        return Err(format!("{frame} is neither an origin nor a scheme with its colon").into());
    }
    let frames: String = frames.iter().map(|frame| format!(" {frame}")).collect();
    Ok(HeaderValue::from_str(&format!("{POLICY}{frames}"))?)
}

/// Lets a request in, or refuses it.
pub async fn guard(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    let refused = refuse(&app, &request);
    let with_cookie = request.uri().path() == "/" && token_in_query(&request) == Some(&app.token);
    let mut response = match refused {
        Some(why) => Refusal::new(StatusCode::FORBIDDEN, why).into_response(),
        None => next.run(request).await,
    };
    let headers = response.headers_mut();
    headers.entry(header::CONTENT_SECURITY_POLICY).or_insert(app.policy.clone());
    let mut set = |name: HeaderName, value: &'static str| {
        headers.entry(name).or_insert(HeaderValue::from_static(value));
    };
    set(header::X_CONTENT_TYPE_OPTIONS, "nosniff");
    set(header::REFERRER_POLICY, "no-referrer");
    set(header::CACHE_CONTROL, "no-store");
    set(HeaderName::from_static("cross-origin-resource-policy"), "same-origin");
    set(HeaderName::from_static("cross-origin-opener-policy"), "same-origin");
    if with_cookie && refused.is_none() {
        // In a frame the page is a guest, whose cookies browsers send on these terms alone. The
        // requests of other pages are refused by their origin all the same.
        let reach = if app.settings.frames.is_empty() { "Strict" } else { "None; Secure" };
        let cookie =
            format!("{}={}; Path=/; HttpOnly; SameSite={reach}", cookie_name(&app), app.token);
        if let Ok(cookie) = HeaderValue::from_str(&cookie) {
            response.headers_mut().insert(header::SET_COOKIE, cookie);
        }
    }
    response
}

/// Returns why a request is refused; `None` if it is let in.
fn refuse(app: &App, request: &Request) -> Option<&'static str> {
    let headers = request.headers();
    // A page of somebody else whose name leads here asks under that name.
    if !is_one_of(headers, header::HOST, &hosts(app, "")) {
        return Some("this is not the studio's address");
    }
    if headers.contains_key(header::ORIGIN)
        && !is_one_of(headers, header::ORIGIN, &hosts(app, "http://"))
    {
        return Some("pages of others may not ask");
    }
    let site = headers.get("sec-fetch-site").map(HeaderValue::as_bytes);
    let is_navigation = request.method() == Method::GET && request.uri().path() == "/";
    if site.is_some_and(|site| site != b"same-origin" && site != b"none") && !is_navigation {
        return Some("pages of others may not ask");
    }
    let given = token_in_query(request).or_else(|| token_in_cookie(app, headers));
    if !given.is_some_and(|given| is_same(given.as_bytes(), app.token.as_bytes())) {
        return Some("the token is missing or wrong: open the address that the studio has printed");
    }
    None
}

fn hosts(app: &App, scheme: &str) -> [String; 2] {
    ["127.0.0.1", "localhost"].map(|host| format!("{scheme}{host}:{}", app.port))
}

fn is_one_of(headers: &HeaderMap, name: HeaderName, wanted: &[String]) -> bool {
    let mut values = headers.get_all(name).iter();
    let value = values.next().and_then(|value| value.to_str().ok());
    values.next().is_none() && value.is_some_and(|value| wanted.iter().any(|w| w == value))
}

fn token_in_query(request: &Request) -> Option<&str> {
    let pairs = request.uri().query()?.split('&');
    pairs.filter_map(|pair| pair.strip_prefix("token=")).next()
}

fn token_in_cookie<'h>(app: &App, headers: &'h HeaderMap) -> Option<&'h str> {
    let name = cookie_name(app);
    let cookies = headers.get_all(header::COOKIE).iter().filter_map(|all| all.to_str().ok());
    let mut pairs =
        cookies.flat_map(|all| all.split(';')).filter_map(|one| one.trim().split_once('='));
    pairs.find(|(other, _)| *other == name).map(|(_, token)| token)
}

/// Cookies know no ports: two studios have two names.
fn cookie_name(app: &App) -> String {
    format!("vaultwright-studio-{}", app.port)
}

/// Compares without telling by the time it takes how much is right.
fn is_same(a: &[u8], b: &[u8]) -> bool {
    a.len() == b.len() && a.iter().zip(b).fold(0, |sum, (a, b)| sum | (a ^ b)) == 0
}
