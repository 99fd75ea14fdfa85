/// What `evaluate` is asked for.
package struct EvaluateRequest: Sendable {
  /// The dataset's folder or manifest.
  package var dataset: String
  /// The detector and its parameters.
  package var detector: DetectorChoice
  /// Smoothing and debounce.
  package var steadying: SteadyingChoice
  /// The split to evaluate; nil for all sequences.
  package var split: String?
  /// A folder with answers to score instead of the detector's.
  package var predictions: String?
  /// The face of the result.
  package var format: OutputFormat
  /// Whether every number is shown, rather than the few that matter.
  package var isVerbose: Bool
  /// Whether text may be colored.
  package var usesColor: Bool

  /// Makes a request.
  package init(
    dataset: String, detector: DetectorChoice = DetectorChoice(),
    steadying: SteadyingChoice = SteadyingChoice(), split: String? = nil,
    predictions: String? = nil, isVerbose: Bool = false, format: OutputFormat = .text,
    usesColor: Bool = false
  ) {
    self.dataset = dataset
    self.detector = detector
    self.steadying = steadying
    self.split = split
    self.predictions = predictions
    self.isVerbose = isVerbose
    self.format = format
    self.usesColor = usesColor
  }
}
