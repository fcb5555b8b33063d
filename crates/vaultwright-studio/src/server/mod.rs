//! The server: who may ask, what is answered here, what workers answer.

mod answer;
mod app;
mod browser;
mod campaigns;
mod encoding;
mod events;
pub mod folder;
mod generations;
mod guard;
mod limits;
mod page;
mod parameters;
mod pool;
mod process;
mod routes;
mod scratch;
mod sessions;
pub(crate) mod settings;
mod watch;

use std::sync::Arc;

use tokio::net::TcpListener;

use app::App;
use settings::{Settings, StudioError};

/// Serves the page until Ctrl-C, or until the process is told to end. `ready` is told the address
/// with its token.
pub fn serve(settings: Settings, ready: &mut dyn FnMut(&str)) -> Result<(), StudioError> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let result = runtime.block_on(run(settings, ready));
    // A thread that still reads a file must not hold up the end.
    runtime.shutdown_background();
    result
}

async fn run(settings: Settings, ready: &mut dyn FnMut(&str)) -> Result<(), StudioError> {
    let address = ("127.0.0.1", settings.port);
    let listener = TcpListener::bind(address)
        .await
        .map_err(|error| format!("cannot listen on 127.0.0.1:{}: {error}", settings.port))?;
    let port = listener.local_addr()?.port();
    let app = App::new(settings, port)?;
    std::thread::spawn(|| scratch::remove_left_behind(&std::env::temp_dir()));
    let _watcher = watch::start(&app)?;
    let url = app.url();
    ready(&url);
    if app.settings.open {
        browser::open(&url);
    }
    app.pool.warm(&app);
    let service = routes::router(Arc::clone(&app));
    tokio::select! {
        served = axum::serve(listener, service) => served?,
        () = told_to_end() => {}
    }
    app.sessions.end_all();
    app.campaigns.end_all();
    app.scratch.end();
    app.pool.end().await;
    Ok(())
}

/// Waits for Ctrl-C, or for what else ends a program.
async fn told_to_end() {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        if let (Ok(mut terminated), Ok(mut hung_up)) =
            (signal(SignalKind::terminate()), signal(SignalKind::hangup()))
        {
            tokio::select! {
                _ = tokio::signal::ctrl_c() => {}
                _ = terminated.recv() => {}
                _ = hung_up.recv() => {}
            }
            return;
        }
    }
    // Where signals cannot be heard the process ends by them.
    if tokio::signal::ctrl_c().await.is_err() {
        std::future::pending::<()>().await;
    }
}
