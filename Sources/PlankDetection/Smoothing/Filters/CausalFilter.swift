/// A filter of one number that sees the past only.
///
/// Filters get finite samples at increasing times and no long gaps: `FilterChannel` sees to that.
/// Updating allocates nothing once windows have grown to their size.
protocol CausalFilter: Sendable {
  /// Forgets everything and starts at a sample.
  ///
  /// - Returns: the first output, which is the sample for every filter here.
  mutating func start(_ value: Double, at time: Double) -> Double

  /// Takes in the next sample.
  ///
  /// - Parameters:
  ///   - value: the sample, finite.
  ///   - time: its time in seconds.
  ///   - interval: the time since the sample before, above 0.
  mutating func update(_ value: Double, at time: Double, after interval: Double) -> Double
}
