//! What all requests share.

use std::sync::Arc;

use super::events::Events;
use super::folder::Folder;
use super::generations::Generations;
use super::pool::Pool;
use super::settings::{Settings, StudioError};

pub struct App {
    pub settings: Settings,
    pub port: u16,
    pub token: String,
    pub folder: Folder,
    pub pool: Pool,
    pub events: Events,
    pub generations: Generations,
}

impl App {
    pub fn new(settings: Settings, port: u16) -> Result<Arc<App>, StudioError> {
        let token = match &settings.token {
            Some(token) if token.len() < 16 => {
                return Err("the token has to have 16 characters at least".into());
            }
            Some(token) => token.clone(),
            None => new_token()?,
        };
        let folder = Folder::open(&settings.folder)?;
        let pool = Pool::new(settings.workers);
        let (events, generations) = (Events::default(), Generations::default());
        Ok(Arc::new(App { settings, port, token, folder, pool, events, generations }))
    }

    /// The address that lets one in.
    pub fn url(&self) -> String {
        format!("http://127.0.0.1:{}/?token={}", self.port, self.token)
    }
}

/// 192 bits that nobody can guess.
fn new_token() -> Result<String, StudioError> {
    let mut bytes = [0; 24];
    getrandom::fill(&mut bytes).map_err(|error| format!("no random numbers: {error}"))?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}
