//! How a request finds the recorded call that answers it.

/// How a request finds the recorded call that answers it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Matching {
    /// Which way.
    pub way: MatchWay,
    /// JSON pointers into `params` that do not count, beside what never counts: `/_meta`, `/requestState`,
    /// `/inputResponses`, `/task`.
    pub ignored: Vec<String>,
}

/// See [`Matching::way`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum MatchWay {
    /// By method and params without what is volatile; the same call again gets the next recorded answer, and the last
    /// one from then on.
    #[default]
    Params,
    /// Likewise, but each recorded call answers once.
    Strict,
    /// In recorded order, whatever the params of a method say.
    Order,
}
