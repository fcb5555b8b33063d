//! The followers of monsters that lead a band (data/README: bands.json).

use foldhash::{HashMap, HashSet};
use serde::Deserialize;

use crate::pack_faults::nearest;
use crate::{Content, MonsterId, Monsters};

/// When a row applies. Conditions are tested in the order of the fields, up to the first that
/// fails.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct BandCondition {
    /// The branch has a population.
    pub needs_population: bool,
    /// The row of the leader has yielded a band.
    pub needs_band: bool,
    /// The minimum level of the branch.
    pub min_level: Option<i32>,
    /// The chance is one in this many.
    pub one_in: Option<i32>,
    /// The minimum absolute depth, from 0.
    pub min_depth: Option<i32>,
    /// The branches where it holds.
    #[serde(rename = "in")]
    pub within: Vec<String>,
    /// Branches where it does not hold.
    pub not_in: Vec<String>,
    /// The branch is connected to the others by stairs.
    pub connected_branch: bool,
    /// A chance of x in y; both may depend on the level.
    pub chance: Option<(Amount, Amount)>,
    /// The chance is only drawn in this branch; in others the condition holds.
    pub chance_only_in: Option<String>,
    /// The chance holds if the drawn number is not 0.
    pub chance_is_not_0: bool,
}

impl BandCondition {
    /// Returns the error in a condition of a pack.
    fn fault(&self, branches: &HashSet<&str>) -> Option<String> {
        if let Some(one_in) = self.one_in.filter(|&one_in| one_in < 1) {
            return Some(format!("one_in is {one_in}: write 1 or more"));
        }
        let mut named = self.within.iter().chain(&self.not_in);
        let unknown = named.find(|name| !branches.contains(name.as_str()))?;
        let near = nearest(unknown, branches.iter().copied());
        Some(format!("no branch is named '{unknown}'{near}"))
    }
}

/// A number, or the level of the branch plus a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub struct Amount {
    with_level: bool,
    number: i32,
}

impl Amount {
    /// Returns the amount on a level of a branch.
    pub fn at(self, level: i32) -> i32 {
        self.number + if self.with_level { level } else { 0 }
    }
}

impl TryFrom<String> for Amount {
    type Error = String;

    fn try_from(text: String) -> Result<Amount, String> {
        let (with_level, rest) = match text.strip_prefix("level") {
            Some("") => (true, "0"),
            Some(rest) => (true, rest),
            None => (false, text.as_str()),
        };
        let number = rest.parse().map_err(|_| format!("'{text}' is no amount"))?;
        Ok(Amount { with_level, number })
    }
}

/// The number of followers: a sum.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub struct Size(pub Vec<SizeTerm>);

/// A part of a [`Size`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SizeTerm {
    /// The number in the leader's row.
    Leader,
    /// A fixed number.
    Number(i32),
    /// A number, with a chance.
    Chance(i32, Amount, Amount),
    /// A number in a range, inclusive.
    Uniform(Amount, Amount),
    /// Half of a number in a range, rounded down.
    Half(Amount, Amount),
}

impl TryFrom<String> for Size {
    type Error = String;

    fn try_from(text: String) -> Result<Size, String> {
        let mut terms = Vec::new();
        let mut rest = text.as_str();
        while !rest.is_empty() {
            let end = match (rest.find('+'), rest.find('(')) {
                (Some(plus), Some(open)) if open < plus => {
                    rest.find(')').map_or(rest.len(), |close| close + 1)
                }
                (Some(plus), _) => plus,
                (None, _) => rest.len(),
            };
            terms.push(term(&rest[..end])?);
            rest = rest[end..].strip_prefix('+').unwrap_or(&rest[end..]);
        }
        Ok(Size(terms))
    }
}

fn term(text: &str) -> Result<SizeTerm, String> {
    let bad = || format!("'{text}' is no size");
    if text == "leader" {
        return Ok(SizeTerm::Leader);
    }
    let Some((name, arguments)) = text.strip_suffix(')').and_then(|t| t.split_once('(')) else {
        return text.parse().map(SizeTerm::Number).map_err(|_| bad());
    };
    let (a, b) = arguments.split_once(',').ok_or_else(bad)?;
    let (a, b) = (Amount::try_from(a.to_owned())?, Amount::try_from(b.to_owned())?);
    Ok(match name {
        "chance" => SizeTerm::Chance(1, a, b),
        "2*chance" => SizeTerm::Chance(2, a, b),
        "uniform" => SizeTerm::Uniform(a, b),
        "half" => SizeTerm::Half(a, b),
        _ => return Err(bad()),
    })
}

/// A band that a leader may bring.
#[derive(Clone, Debug, Deserialize)]
pub struct BandChoice {
    /// Its name.
    pub band: String,
    /// The minimum number of followers.
    #[serde(default)]
    pub min: i32,
    /// The maximum number of followers.
    #[serde(default)]
    pub max: i32,
    /// The number of followers, instead of `min` and `max`.
    #[serde(default)]
    pub size: Option<Size>,
    /// Its weight among others.
    #[serde(default = "one")]
    pub weight: i32,
}

fn one() -> i32 {
    1
}

impl BandChoice {
    /// Returns the error in a choice of a pack.
    fn fault(&self, bands: &Bands) -> Option<String> {
        let BandChoice { band, min, max, weight, .. } = self;
        if !bands.members.contains_key(band) {
            let near = nearest(band, bands.members.keys().map(String::as_str));
            return Some(format!("no band is named '{band}'{near}: none has members"));
        }
        if min > max {
            return Some(format!("{band} has {min} to {max}: write the smaller number first"));
        }
        below_0("min", band, *min).or_else(|| below_0("weight", band, *weight))
    }
}

fn below_0(key: &str, of: &str, number: i32) -> Option<String> {
    (number < 0).then(|| format!("the {key} of {of} is {number}: write 0 or more"))
}

/// The bands of a leader.
#[derive(Clone, Debug)]
pub struct LeaderRow {
    /// When the row applies.
    pub condition: BandCondition,
    /// The bands to choose from.
    pub bands: Vec<BandChoice>,
    /// The number of followers, instead of that in the leader's row.
    pub size: Option<Size>,
}

/// How one of several members is drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum MemberDraw {
    /// By one number below the sum of the weights.
    #[default]
    Table,
    /// By a draw for each member after the first.
    Sequential,
    /// By a number from 0 to 6, drawn again for the second.
    Range,
}

/// The candidates for a place in a band.
#[derive(Clone, Debug)]
pub struct MemberRow {
    /// The first place that the row is for; the first follower has 1.
    pub slot: i32,
    /// Whether it is also for all later places.
    pub and_later: bool,
    /// When the row applies.
    pub condition: BandCondition,
    /// How a member is drawn.
    pub draw: MemberDraw,
    /// The members with their weights; empty if the rows of the first place are used.
    pub members: Vec<(Member, i32)>,
}

/// A member of a band.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Member {
    /// This kind of monster.
    Kind(MonsterId),
    /// A random monster of the level that leads no band.
    OfThePlace,
    /// A demon of a class: 1 for lesser, 2 for common, 3 for greater, 0 for any.
    Demon(u8),
    /// A demonspawn without a calling, or one with.
    Demonspawn {
        /// Whether it has no calling.
        base: bool,
    },
    /// A kind that only the game itself draws.
    Other,
}

/// The bands of a pack.
#[derive(Clone, Debug, Default)]
pub struct Bands {
    leaders: HashMap<MonsterId, Vec<LeaderRow>>,
    overrides: HashMap<MonsterId, Vec<LeaderRow>>,
    members: HashMap<String, Vec<MemberRow>>,
}

#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Row {
    #[serde(flatten)]
    own: OwnFields,
    #[serde(flatten)]
    condition: BandCondition,
}

/// The contents of a row besides its condition.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct OwnFields {
    kind: String,
    #[serde(default)]
    leader: String,
    #[serde(default)]
    bands: Vec<BandChoice>,
    #[serde(default)]
    size: Option<Size>,
    #[serde(default)]
    band: String,
    #[serde(default)]
    slot: i32,
    #[serde(default)]
    and_later: bool,
    #[serde(default)]
    draw: MemberDraw,
    #[serde(default)]
    members: Vec<(String, i32)>,
}

impl Row {
    /// Returns the error in a row of a pack; `branches` are those of the pack and of the version.
    pub(crate) fn fault(&self, content: &Content, branches: &HashSet<&str>) -> Option<String> {
        let monsters = content.monsters();
        let unknown = |name: &str| {
            (monsters.by_name(name).is_none())
                .then(|| format!("no monster is named '{name}'{}", nearest(name, monsters.names())))
        };
        let own = match &*self.own.kind {
            "members" if self.own.band.is_empty() => Some("members need a band".to_owned()),
            "members" => self.own.members.iter().find_map(|(name, weight)| {
                let is_drawn = name.starts_with("random monster of");
                let unknown = (!is_drawn).then(|| unknown(name)).flatten();
                unknown.or_else(|| below_0("weight", name, *weight))
            }),
            "leader" => unknown(&self.own.leader)
                .or_else(|| self.own.bands.iter().find_map(|band| band.fault(content.bands()))),
            other => Some(format!("'{other}' is no kind of row: write leader or members")),
        };
        own.or_else(|| self.condition.fault(branches))
    }

    /// Returns the subject of a row. A pack's own rows replace the embedded ones with the same
    /// subject.
    fn subject(&self) -> (bool, &str) {
        let members = self.own.kind == "members";
        (members, if members { &self.own.band } else { &self.own.leader })
    }
}

/// Returns the embedded rows with those of a pack, which define a leader or a band completely.
pub(crate) fn with_own(mut base: Vec<Row>, own: &[Row]) -> Vec<Row> {
    base.retain(|row| !own.iter().any(|other| other.subject() == row.subject()));
    base.extend(own.iter().cloned());
    base
}

fn member(name: &str, monsters: &Monsters) -> Member {
    match (monsters.in_tables(name), name) {
        (Some(id), _) => Member::Kind(id),
        (_, "random demon") => Member::Demon(0),
        (_, "random common demon") => Member::Demon(2),
        (_, "random greater demon") => Member::Demon(3),
        (_, "random base demonspawn kind") => Member::Demonspawn { base: true },
        (_, "random demonspawn class kind") => Member::Demonspawn { base: false },
        _ if name.starts_with("random monster of") => Member::OfThePlace,
        _ => Member::Other,
    }
}

impl Bands {
    pub(crate) fn new(rows: Vec<Row>, monsters: &Monsters) -> Bands {
        let mut bands = Bands::default();
        for row in rows {
            let Row { own: row, condition } = row;
            let size = row.size;
            if row.kind == "members" {
                let member = |name: &str| member(name, monsters);
                bands.members.entry(row.band).or_default().push(MemberRow {
                    slot: row.slot,
                    and_later: row.and_later,
                    condition,
                    draw: row.draw,
                    members: row.members.iter().map(|(name, w)| (member(name), *w)).collect(),
                });
                continue;
            }
            let Some(leader) = monsters.in_tables(&row.leader) else { continue };
            let rows = match row.kind.as_str() {
                "leader" => &mut bands.leaders,
                _ => &mut bands.overrides,
            };
            let row = LeaderRow { condition, bands: row.bands, size };
            rows.entry(leader).or_default().push(row);
        }
        bands
    }

    /// Returns the rows of a leader.
    pub fn leader(&self, kind: MonsterId) -> &[LeaderRow] {
        self.leaders.get(&kind).map_or(&[], Vec::as_slice)
    }

    /// Returns the rows that are examined after those.
    pub fn overrides(&self, kind: MonsterId) -> &[LeaderRow] {
        self.overrides.get(&kind).map_or(&[], Vec::as_slice)
    }

    /// Returns the rows of a band's members, in the order in which they are tried.
    pub fn members(&self, band: &str) -> &[MemberRow] {
        self.members.get(band).map_or(&[], Vec::as_slice)
    }
}
