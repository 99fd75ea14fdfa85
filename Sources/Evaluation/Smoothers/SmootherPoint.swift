/// What one smoother with one set of parameters does to a dataset.
package struct SmootherPoint: Hashable, Sendable {
  /// The curve that it belongs to, for example `ema` or `one-euro beta=0.5`.
  package let family: String
  /// The strategy as text, every number written.
  package let text: String
  /// The strategy for a table, without what goes without saying.
  package let name: String
  /// Whether an app could run it.
  package let isCausal: Bool
  /// Whether a search found its parameters, rather than the grid having them.
  package let isTuned: Bool
  /// What it does to measurements while a plank is held.
  package let calm: SmootherCalm
  /// How late it is.
  package let delay: SmootherDelay
  /// What the detector makes of the smoothed measurements; nil without labels.
  package let answers: SmootherAnswers?

  /// Makes a point.
  package init(
    family: String, text: String, name: String? = nil, isCausal: Bool, isTuned: Bool = false,
    calm: SmootherCalm,
    delay: SmootherDelay, answers: SmootherAnswers? = nil
  ) {
    self.family = family
    self.text = text
    self.name = name ?? text
    self.isCausal = isCausal
    self.isTuned = isTuned
    self.calm = calm
    self.delay = delay
    self.answers = answers
  }

  /// The filters that it is made of, whatever their parameters: `one-euro`, `median + ema`.
  package var kind: String {
    text.split(separator: "+").map { $0.prefix { $0 != ":" && $0 != "@" } }
      .joined(separator: " + ")
  }

  /// Jitter and lag where both are defined: the plane of the comparison.
  package var place: (jitter: Double, lag: Double)? {
    guard let jitter = calm.step.number, let lag = delay.lag.number else { return nil }
    return (jitter, lag)
  }
}
