/// What `measure` is asked for.
package struct MeasureRequest: Sendable {
  /// The dataset's folder or manifest.
  package var dataset: String
  /// The detector and its parameters.
  package var detector: DetectorChoice
  /// Smoothing and debounce.
  package var steadying: SteadyingChoice
  /// The split to measure; nil for all sequences.
  package var split: String?
  /// The folder to make.
  package var output: String

  /// Makes a request.
  package init(
    dataset: String, detector: DetectorChoice = DetectorChoice(),
    steadying: SteadyingChoice = SteadyingChoice(), split: String? = nil,
    output: String
  ) {
    self.dataset = dataset
    self.detector = detector
    self.steadying = steadying
    self.split = split
    self.output = output
  }
}
