/// What `explain` is asked for.
package struct ExplainRequest: Sendable {
  /// The recording's path.
  package var recording: String
  /// The moment in seconds.
  package var time: Double
  /// The detector and its parameters.
  package var detector: DetectorChoice
  /// The face of the result.
  package var format: OutputFormat
  /// Whether text may be colored.
  package var usesColor: Bool

  /// Makes a request.
  package init(
    recording: String, time: Double, detector: DetectorChoice = DetectorChoice(),
    format: OutputFormat = .text, usesColor: Bool = false
  ) {
    self.recording = recording
    self.time = time
    self.detector = detector
    self.format = format
    self.usesColor = usesColor
  }
}
