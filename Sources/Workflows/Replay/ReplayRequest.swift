/// What `replay` is asked for.
package struct ReplayRequest: Sendable {
  /// The recording's path.
  package var recording: String
  /// The detector and its parameters.
  package var detector: DetectorChoice
  /// Smoothing and debounce.
  package var steadying: SteadyingChoice
  /// Assignments to the session's parameters, such as `session_deadline=5s`.
  package var session: [String]
  /// Where the picture goes; nil for none.
  package var picture: String?
  /// The face of the result.
  package var format: OutputFormat
  /// Whether text may be colored.
  package var usesColor: Bool

  /// Makes a request.
  package init(
    recording: String, detector: DetectorChoice = DetectorChoice(),
    steadying: SteadyingChoice = SteadyingChoice(), session: [String] = [],
    picture: String? = nil, format: OutputFormat = .text, usesColor: Bool = false
  ) {
    self.recording = recording
    self.detector = detector
    self.steadying = steadying
    self.session = session
    self.picture = picture
    self.format = format
    self.usesColor = usesColor
  }
}
