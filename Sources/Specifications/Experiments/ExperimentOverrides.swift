/// What a command line puts in the place of an experiment's own words.
package struct ExperimentOverrides: Hashable, Sendable {
  /// Axes that replace those of the same parameter, or come after the others.
  package var axes: [AxisText]
  /// Values of parameters that no axis varies, such as `plank_frames=5`; they end an axis.
  package var assignments: [String]
  /// Smoothings in text form, in the place of the experiment's; empty keeps those.
  package var smoothings: [String]
  /// Debounces in text form, in the place of the experiment's; empty keeps those.
  package var debounces: [String]
  /// The dataset.
  package var dataset: String?
  /// The split.
  package var split: String?
  /// The seed.
  package var seed: UInt64?

  /// Makes overrides; none unless given.
  package init(
    axes: [AxisText] = [], assignments: [String] = [], smoothings: [String] = [],
    debounces: [String] = [], dataset: String? = nil, split: String? = nil, seed: UInt64? = nil
  ) {
    self.axes = axes
    self.assignments = assignments
    self.smoothings = smoothings
    self.debounces = debounces
    self.dataset = dataset
    self.split = split
    self.seed = seed
  }
}
