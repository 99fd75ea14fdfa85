package import ParameterTuning

/// A question put to a dataset: which parameters are tried, on what, and what is wanted of them.
package struct Experiment: Sendable {
  /// The question in words.
  package let question: String?
  /// The dataset's folder or manifest, as it is written.
  package let dataset: String
  /// The split to use; nil for all sequences.
  package let split: String?
  /// Detectors, smoothings, axes and the constraints between them.
  package let grid: GridDefinition
  /// What is wanted: one goal a stream at most; the first chooses detector and smoothing.
  package let goals: [TuningGoal]
  /// Validation, resamples, refinement and seed.
  package let options: TuningOptions
  /// Where all of it stands.
  package let places: SettingPlaces
}
