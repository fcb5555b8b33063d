//! Names that are only needed on a level in play: channels, clouds and their properties.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// The number of a kind of cloud, in the order in which names are matched.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct CloudKindId(pub usize);

/// The number of a message channel.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize,
)]
#[serde(transparent)]
pub struct ChannelId(pub usize);

/// Names and properties used in play (spec 07 §8.7, §16.1, §21).
pub struct PlayTables {
    /// The kinds of clouds.
    pub clouds: Vec<CloudKind>,
    names: PlayNames,
}

/// What is the same in all versions.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct PlayNames {
    cloud_spread: BTreeMap<String, i32>,
    channels: Vec<String>,
    channel_aliases: BTreeMap<String, String>,
    killers: Vec<String>,
    speech_odds: i32,
}

/// A kind of cloud.
#[derive(Deserialize)]
pub struct CloudKind {
    /// Its name.
    pub name: String,
    /// The default probability that it spreads, in percent.
    #[serde(skip)]
    pub spread: i32,
    /// Whether it blocks sight.
    #[serde(default)]
    pub opaque: bool,
    /// Whether it hurts whoever stands in it.
    #[serde(default)]
    pub harmful: bool,
}

impl PlayTables {
    /// The channel of messages that name none.
    pub const PLAIN: ChannelId = ChannelId(0);

    pub(crate) fn new(mut clouds: Vec<CloudKind>, names: PlayNames) -> PlayTables {
        for cloud in &mut clouds {
            cloud.spread = names.cloud_spread.get(&cloud.name).copied().unwrap_or(0);
        }
        PlayTables { clouds, names }
    }

    /// Returns how rarely a monster in sight speaks: in one of this many turns.
    pub fn speech_odds(&self) -> i32 {
        self.names.speech_odds
    }

    /// Returns the kind of cloud with this name. Names are not case-sensitive.
    pub fn cloud(&self, name: &str) -> Option<CloudKindId> {
        let index = self.clouds.iter().position(|cloud| cloud.name.eq_ignore_ascii_case(name));
        index.map(CloudKindId)
    }

    /// Returns the channel with this name.
    pub fn channel(&self, name: &str) -> Option<ChannelId> {
        let name = self.names.channel_aliases.get(name).map_or(name, String::as_str);
        self.names.channels.iter().position(|channel| channel == name).map(ChannelId)
    }

    /// Returns the name of a channel.
    pub fn channel_name(&self, channel: ChannelId) -> Option<&str> {
        self.names.channels.get(channel.0).map(String::as_str)
    }

    /// Returns the code of a killer, such as `you`.
    pub fn killer(&self, name: &str) -> Option<usize> {
        self.names.killers.iter().position(|killer| killer == name)
    }

    /// Returns the name for a killer's code.
    pub fn killer_name(&self, code: usize) -> Option<&str> {
        self.names.killers.get(code).map(String::as_str)
    }
}
