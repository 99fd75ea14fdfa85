/// What `smoothers compare` is asked for.
package struct CompareSmoothersRequest: Sendable {
  /// The dataset's folder or manifest.
  package var dataset: String
  /// The detector and its parameters.
  package var detector: DetectorChoice
  /// The split; nil for all sequences.
  package var split: String?
  /// Whether measurements are smoothed rather than joints.
  package var onMeasurements: Bool
  /// Further strategies to place among the others, as text.
  package var candidates: [String]
  /// What a second of lag costs, in shares of the raw jitter.
  package var lagCost: Double
  /// The folder for report, figures and result; nil for none.
  package var output: String?
  /// Whether text lists every smoother; the folder always does.
  package var isVerbose: Bool
  /// The face on stdout.
  package var format: OutputFormat
  /// Whether text may be colored.
  package var usesColor: Bool

  /// Makes a request.
  package init(
    dataset: String, detector: DetectorChoice = DetectorChoice(), split: String? = nil,
    onMeasurements: Bool = false, candidates: [String] = [], lagCost: Double = 3,
    output: String? = nil, isVerbose: Bool = false, format: OutputFormat = .text,
    usesColor: Bool = false
  ) {
    self.dataset = dataset
    self.detector = detector
    self.split = split
    self.onMeasurements = onMeasurements
    self.candidates = candidates
    self.lagCost = lagCost
    self.output = output
    self.isVerbose = isVerbose
    self.format = format
    self.usesColor = usesColor
  }
}
