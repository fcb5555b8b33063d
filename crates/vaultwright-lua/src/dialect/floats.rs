//! Which expressions are certainly floats: 5.4 writes 10/2 as `5.0`, 5.1 as `5`.

use std::collections::BTreeSet;

/// What is known of one expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct FloatId(u32);

/// A local variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct LocalId(pub(super) u32);

#[derive(Clone, Copy)]
enum Fact {
    No,
    Yes,
    /// The local variable, wherever it got its value.
    Local(LocalId),
    Any(FloatId, FloatId),
    All(FloatId, FloatId),
    /// This, unless the value is the whole number that the text writes.
    Unless(FloatId, u32),
}

/// The facts of a text, and what each local variable is given.
pub(super) struct Floats {
    facts: Vec<Fact>,
    values: Vec<Vec<FloatId>>,
    /// Whether a second variable may tell what one holds.
    accompanied: Vec<bool>,
    /// Whether it may hold what this text has not given it.
    open: Vec<bool>,
    /// The whole numbers of [`Fact::Unless`].
    wholes: Vec<String>,
    /// Whether all that the text gives the variable is floats.
    always: Vec<bool>,
    settled: Vec<bool>,
    known: Vec<bool>,
    /// Variables that hold now floats, now other numbers.
    mixed: Vec<bool>,
    possible: Vec<bool>,
}

impl Floats {
    pub(super) const NO: FloatId = FloatId(0);
    pub(super) const YES: FloatId = FloatId(1);

    pub(super) fn new() -> Floats {
        Floats {
            facts: vec![Fact::No, Fact::Yes],
            values: Vec::new(),
            accompanied: Vec::new(),
            open: Vec::new(),
            always: Vec::new(),
            wholes: Vec::new(),
            settled: Vec::new(),
            known: Vec::new(),
            mixed: Vec::new(),
            possible: Vec::new(),
        }
    }

    pub(super) fn new_local(&mut self) -> LocalId {
        self.values.push(Vec::new());
        self.accompanied.push(false);
        self.open.push(false);
        LocalId(self.values.len() as u32 - 1)
    }

    /// All that gives the variable a value also says what it is, should that be needed.
    pub(super) fn accompany(&mut self, local: LocalId) {
        self.accompanied[local.0 as usize] = true;
    }

    /// The variable may hold something before the text gives it anything.
    pub(super) fn leave_open(&mut self, local: LocalId) {
        self.open[local.0 as usize] = true;
    }

    /// The local variable is given a value.
    pub(super) fn give(&mut self, local: LocalId, value: FloatId) {
        self.values[local.0 as usize].push(value);
    }

    /// Whether anything gives the variable a value.
    pub(super) fn is_given(&self, local: LocalId) -> bool {
        !self.values[local.0 as usize].is_empty()
    }

    pub(super) fn local(&mut self, local: LocalId) -> FloatId {
        self.fact(Fact::Local(local))
    }

    pub(super) fn any(&mut self, a: FloatId, b: FloatId) -> FloatId {
        match (self.unconditional(a), self.unconditional(b)) {
            (Floats::YES, _) | (_, Floats::YES) => Floats::YES,
            (Floats::NO, other) | (other, Floats::NO) => other,
            (a, b) => self.fact(Fact::Any(a, b)),
        }
    }

    pub(super) fn all(&mut self, a: FloatId, b: FloatId) -> FloatId {
        match (self.unconditional(a), self.unconditional(b)) {
            (Floats::NO, _) | (_, Floats::NO) => Floats::NO,
            (Floats::YES, other) | (other, Floats::YES) => other,
            (a, b) => self.fact(Fact::All(a, b)),
        }
    }

    /// The value is either that one or a whole number of the text.
    pub(super) fn unless(&mut self, value: FloatId, whole: &str) -> FloatId {
        match self.unconditional(value) {
            Floats::NO => Floats::NO,
            value => {
                self.wholes.push(whole.to_owned());
                self.fact(Fact::Unless(value, self.wholes.len() as u32 - 1))
            }
        }
    }

    /// The value with its other sign.
    pub(super) fn negated(&mut self, value: FloatId) -> FloatId {
        let Fact::Unless(inner, whole) = self.facts[value.0 as usize] else { return value };
        let whole = &self.wholes[whole as usize];
        let negated = whole.strip_prefix('-').map_or_else(|| format!("-{whole}"), str::to_owned);
        self.unless(inner, &negated)
    }

    /// What is computed from a value tells no more whether it was the whole number.
    fn unconditional(&self, float: FloatId) -> FloatId {
        match self.facts[float.0 as usize] {
            Fact::Unless(..) => Floats::NO,
            _ => float,
        }
    }

    fn fact(&mut self, fact: Fact) -> FloatId {
        self.facts.push(fact);
        FloatId(self.facts.len() as u32 - 1)
    }

    /// Settles which local variables only ever hold floats: those that are given nothing else; and
    /// which hold some.
    pub(super) fn settle(&mut self) {
        self.settle_known(|_| true);
        self.always.clone_from(&self.settled);
        if self.open.contains(&true) {
            let open = std::mem::take(&mut self.open);
            self.settle_known(|at| !open[at]);
        }
        self.mixed = vec![false; self.values.len()];
        self.possible = self.evaluate_possible();
        for _ in 0..ROUNDS {
            let holds_some = |at: usize| {
                self.accompanied[at]
                    && !self.settled[at]
                    && self.values[at].iter().any(|id| self.possible[id.0 as usize])
            };
            let next: Vec<bool> = (0..self.values.len()).map(holds_some).collect();
            if next == self.mixed {
                return;
            }
            self.mixed = next;
            self.possible = self.evaluate_possible();
        }
    }

    fn settle_known(&mut self, may_be: impl Fn(usize) -> bool) {
        let values = self.values.iter().enumerate();
        self.settled = values.map(|(at, values)| !values.is_empty() && may_be(at)).collect();
        for _ in 0..ROUNDS {
            self.known = self.evaluate();
            let holds = |values: &Vec<FloatId>| values.iter().all(|id| self.holds(*id));
            let values = self.values.iter().enumerate();
            let next: Vec<bool> = values
                .map(|(at, values)| !values.is_empty() && may_be(at) && holds(values))
                .collect();
            if next == self.settled {
                return;
            }
            self.settled = next;
        }
        self.settled.fill(false);
        self.known = self.evaluate();
    }

    /// Whether the expression is certainly a float; asked once all is settled.
    pub(super) fn holds(&self, float: FloatId) -> bool {
        self.known.get(float.0 as usize).copied().unwrap_or(false)
    }

    /// Whether the text gives the variable nothing but floats; asked once all is settled.
    pub(super) fn is_always(&self, local: LocalId) -> bool {
        self.always[local.0 as usize]
    }

    /// Whether it shows only when the text runs if the expression is a float.
    pub(super) fn shows_later(&self, float: FloatId) -> bool {
        !self.holds(float) && self.possible.get(float.0 as usize).copied().unwrap_or(false)
    }

    /// Whether the variable holds now floats, now other numbers.
    pub(super) fn is_mixed(&self, local: LocalId) -> bool {
        self.mixed[local.0 as usize]
    }

    /// The whole number that alone is no float among what the expression may be.
    pub(super) fn only_whole(&self, float: FloatId) -> Option<&str> {
        match self.facts[float.0 as usize] {
            Fact::Unless(_, whole) if self.shows_later(float) => Some(&self.wholes[whole as usize]),
            _ => None,
        }
    }

    /// A condition in Lua: whether the value, which the variable `name` has now, is a float.
    pub(super) fn condition(&self, float: FloatId, name: &str) -> String {
        if self.holds(float) {
            return "true".to_owned();
        }
        if let Some(whole) = self.only_whole(float) {
            return format!("{name} ~= {whole}");
        }
        let mut names = BTreeSet::new();
        let mut open = vec![float];
        for _ in 0..MAX_PARTS {
            let Some(id) = open.pop() else { break };
            match self.facts[id.0 as usize] {
                _ if !self.shows_later(id) => {}
                Fact::Local(local) => {
                    names.insert(companion(local));
                }
                Fact::Any(a, b) => open.extend([a, b]),
                _ => {}
            }
        }
        match names.is_empty() {
            true => "false".to_owned(),
            false => names.into_iter().collect::<Vec<_>>().join(" or "),
        }
    }

    /// Facts only ask older ones, so that one pass settles all.
    fn evaluate(&self) -> Vec<bool> {
        let mut known: Vec<bool> = Vec::with_capacity(self.facts.len());
        for fact in &self.facts {
            known.push(match fact {
                Fact::No | Fact::Unless(..) => false,
                Fact::Yes => true,
                Fact::Local(local) => self.settled[local.0 as usize],
                Fact::Any(a, b) => known[a.0 as usize] || known[b.0 as usize],
                Fact::All(a, b) => known[a.0 as usize] && known[b.0 as usize],
            });
        }
        known
    }

    fn evaluate_possible(&self) -> Vec<bool> {
        let mut possible: Vec<bool> = Vec::with_capacity(self.facts.len());
        for (at, fact) in self.facts.iter().enumerate() {
            possible.push(match fact {
                Fact::Local(local) => {
                    self.settled[local.0 as usize] || self.mixed[local.0 as usize]
                }
                Fact::Any(a, b) => possible[a.0 as usize] || possible[b.0 as usize],
                Fact::Unless(value, _) => self.known[value.0 as usize],
                _ => self.known[at],
            });
        }
        possible
    }
}

/// The name of the variable that tells what another holds.
pub(super) fn companion(local: LocalId) -> String {
    format!("__vw_k{}", local.0)
}

/// How often values may pass from one variable to the next.
const ROUNDS: usize = 32;

/// How much of an expression is looked at for what it is made of.
const MAX_PARTS: usize = 100;
