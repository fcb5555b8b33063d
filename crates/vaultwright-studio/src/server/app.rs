//! What all requests share.

use std::sync::Arc;

use axum::http::HeaderValue;

use super::campaigns::Campaigns;
use super::events::Events;
use super::folder::Folder;
use super::generations::Generations;
use super::guard::policy;
use super::pool::Pool;
use super::scratch::Scratch;
use super::sessions::Sessions;
use super::settings::{Settings, StudioError};

pub struct App {
    pub settings: Settings,
    pub port: u16,
    pub token: String,
    /// What the page may load, and who may show it.
    pub policy: HeaderValue,
    pub folder: Folder,
    pub pool: Pool,
    pub events: Events,
    pub generations: Generations,
    pub sessions: Sessions,
    pub campaigns: Campaigns,
    pub scratch: Scratch,
}

impl App {
    pub fn new(mut settings: Settings, port: u16) -> Result<Arc<App>, StudioError> {
        let token = match &settings.token {
            Some(token) if token.len() < 16 => {
                return Err("the token has to have 16 characters at least".into());
            }
            Some(token) => token.clone(),
            None => random_word(24)?,
        };
        let policy = policy(&settings.frames)?;
        let folder = Folder::open(&settings.folder, std::mem::take(&mut settings.inside))?;
        let pool = Pool::new(settings.workers);
        Ok(Arc::new(App {
            settings,
            port,
            token,
            policy,
            folder,
            pool,
            events: Events::default(),
            generations: Generations::default(),
            sessions: Sessions::default(),
            campaigns: Campaigns::default(),
            scratch: Scratch::default(),
        }))
    }

    /// Returns the address that lets one in.
    pub fn url(&self) -> String {
        format!("http://127.0.0.1:{}/?token={}", self.port, self.token)
    }
}

/// Returns so many bytes that nobody can guess, as digits.
pub fn random_word(length: usize) -> Result<String, StudioError> {
    let mut bytes = vec![0; length];
    getrandom::fill(&mut bytes).map_err(|error| format!("no random numbers: {error}"))?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}
