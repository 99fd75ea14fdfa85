/// The mean unsigned body angle over frames of holds whose form is aligned, in degrees.
package struct AngleBias: Hashable, Sendable {
  /// The smoother's text.
  package let text: String
  /// The mean angle.
  package let mean: MetricValue
  /// The mean over sequences of the angle's standard deviation about the sequence's mean.
  package let deviation: MetricValue

  /// Makes a row.
  package init(text: String, mean: MetricValue, deviation: MetricValue) {
    self.text = text
    self.mean = mean
    self.deviation = deviation
  }
}
