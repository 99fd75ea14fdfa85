package import Evaluation

/// A gate as its file has it: what is judged, by which rules.
package struct GateSettings: Sendable {
  /// The dataset, seen from the file.
  package var dataset: String
  /// The split; nil for all sequences.
  package var split: String?
  /// The detector's name or file; nil where another key names it.
  package var detector: String?
  /// A thresholds file; nil where another key names the detector.
  package var parameters: String?
  /// Assignments of parameters.
  package var assignments: [String]
  /// A folder of answers to judge.
  package var predictions: String?
  /// Smoothing; nil for none.
  package var smoothing: String?
  /// Debounce; nil for the detector's own.
  package var debounce: String?
  /// The baseline's file; nil for none.
  package var baseline: String?
  /// How many resamples decide.
  package var resamples: Int
  /// The seed of the resamples.
  package var seed: UInt64
  /// The rules in order.
  package var rules: [GateRule]
  /// Where all of it stands.
  package var places: SettingPlaces
}
