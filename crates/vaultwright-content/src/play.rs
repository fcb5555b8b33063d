use std::collections::BTreeMap;

use serde::Deserialize;

/// The number of a kind of cloud, in the order in which names are matched.
pub type CloudKindId = usize;

/// The number of a message channel.
pub type ChannelId = usize;

/// Names and facts of play (spec 07 §8.7, §16.1, §21).
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlayTables {
    /// The kinds of clouds.
    pub clouds: Vec<CloudKind>,
    channels: Vec<String>,
    channel_aliases: BTreeMap<String, String>,
    killers: Vec<String>,
}

/// A kind of cloud.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CloudKind {
    /// Its name.
    pub name: String,
    /// How readily it spreads where nobody says otherwise, in percent.
    #[serde(default)]
    pub spread: i32,
    /// It blocks sight.
    #[serde(default)]
    pub opaque: bool,
    /// It hurts nobody.
    #[serde(default)]
    pub harmless: bool,
}

impl PlayTables {
    /// The channel where messages go that name none.
    pub const PLAIN: ChannelId = 0;

    /// The kind of cloud of a name, in any case.
    pub fn cloud(&self, name: &str) -> Option<CloudKindId> {
        self.clouds.iter().position(|cloud| cloud.name.eq_ignore_ascii_case(name))
    }

    /// The channel of a name.
    pub fn channel(&self, name: &str) -> Option<ChannelId> {
        let name = self.channel_aliases.get(name).map_or(name, String::as_str);
        self.channels.iter().position(|channel| channel == name)
    }

    /// The name of a channel.
    pub fn channel_name(&self, channel: ChannelId) -> Option<&str> {
        self.channels.get(channel).map(String::as_str)
    }

    /// The code of a killer, such as `you`.
    pub fn killer(&self, name: &str) -> Option<usize> {
        self.killers.iter().position(|killer| killer == name)
    }

    /// The name of a killer's code.
    pub fn killer_name(&self, code: usize) -> Option<&str> {
        self.killers.get(code).map(String::as_str)
    }
}
