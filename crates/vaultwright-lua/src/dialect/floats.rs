//! Which expressions are certainly floats: 5.4 writes 10/2 as `5.0`, 5.1 as `5`.

/// What is known of one expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct FloatId(u32);

/// A local variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct LocalId(pub(super) u32);

enum Fact {
    No,
    Yes,
    /// The local variable, wherever it got its value.
    Local(LocalId),
    Any(FloatId, FloatId),
    All(FloatId, FloatId),
}

/// The facts of a text, and what each local variable is given.
pub(super) struct Floats {
    facts: Vec<Fact>,
    values: Vec<Vec<FloatId>>,
    settled: Vec<bool>,
    known: Vec<bool>,
}

impl Floats {
    pub(super) const NO: FloatId = FloatId(0);
    pub(super) const YES: FloatId = FloatId(1);

    pub(super) fn new() -> Floats {
        Floats {
            facts: vec![Fact::No, Fact::Yes],
            values: Vec::new(),
            settled: Vec::new(),
            known: Vec::new(),
        }
    }

    pub(super) fn new_local(&mut self) -> LocalId {
        self.values.push(Vec::new());
        LocalId(self.values.len() as u32 - 1)
    }

    /// The local variable is given a value.
    pub(super) fn give(&mut self, local: LocalId, value: FloatId) {
        self.values[local.0 as usize].push(value);
    }

    pub(super) fn local(&mut self, local: LocalId) -> FloatId {
        self.fact(Fact::Local(local))
    }

    pub(super) fn any(&mut self, a: FloatId, b: FloatId) -> FloatId {
        match (a, b) {
            (Floats::YES, _) | (_, Floats::YES) => Floats::YES,
            (Floats::NO, other) | (other, Floats::NO) => other,
            _ => self.fact(Fact::Any(a, b)),
        }
    }

    pub(super) fn all(&mut self, a: FloatId, b: FloatId) -> FloatId {
        match (a, b) {
            (Floats::NO, _) | (_, Floats::NO) => Floats::NO,
            (Floats::YES, other) | (other, Floats::YES) => other,
            _ => self.fact(Fact::All(a, b)),
        }
    }

    fn fact(&mut self, fact: Fact) -> FloatId {
        self.facts.push(fact);
        FloatId(self.facts.len() as u32 - 1)
    }

    /// Settles which local variables only ever hold floats: those that are given nothing else.
    pub(super) fn settle(&mut self) {
        self.settled = self.values.iter().map(|values| !values.is_empty()).collect();
        for _ in 0..ROUNDS {
            self.known = self.evaluate();
            let holds = |values: &Vec<FloatId>| values.iter().all(|id| self.holds(*id));
            let next: Vec<bool> =
                self.values.iter().map(|values| !values.is_empty() && holds(values)).collect();
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

    /// Facts only ask older ones, so that one pass settles all.
    fn evaluate(&self) -> Vec<bool> {
        let mut known: Vec<bool> = Vec::with_capacity(self.facts.len());
        for fact in &self.facts {
            known.push(match fact {
                Fact::No => false,
                Fact::Yes => true,
                Fact::Local(local) => self.settled[local.0 as usize],
                Fact::Any(a, b) => known[a.0 as usize] || known[b.0 as usize],
                Fact::All(a, b) => known[a.0 as usize] && known[b.0 as usize],
            });
        }
        known
    }
}

/// How often values may pass from one variable to the next.
const ROUNDS: usize = 32;
