/// All that a detector says about one frame.
package struct OracleFrame: Sendable, Equatable {
  /// Seconds.
  package var time: Double
  /// The frame's measurements.
  package var measurements: OracleMeasurements
  /// The plank list's label; nil when undetermined.
  package var plankRaw: String?
  /// The form list's label; nil when undetermined.
  package var formRaw: String?
  /// The steady plank answer.
  package var plank: String
  /// The steady form answer.
  package var form: String
  /// `good`, `warning`, `bad`; nil for none or an undefined body angle.
  package var grade: String?
}
