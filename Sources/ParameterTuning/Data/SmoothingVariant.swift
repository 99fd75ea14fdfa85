package import PlankDetection
package import PoseModel

/// One value of the smoothing axis: how a recording becomes columns of measurements.
///
/// Joints or columns may be smoothed; neither depends on thresholds, so a variant is computed once
/// for all cells that share it.
package struct SmoothingVariant: Sendable {
  /// The strategy in text form; unique in an experiment.
  package let name: String
  /// Measures a recording with the axes that a detector reads.
  package let measure: @Sendable (Recording, BatchDetector) -> MeasurementColumns

  /// Makes a variant.
  package init(
    name: String, measure: @escaping @Sendable (Recording, BatchDetector) -> MeasurementColumns
  ) {
    self.name = name
    self.measure = measure
  }

  /// No smoothing.
  package static let none = SmoothingVariant(name: "none") { recording, detector in
    detector.measure(recording)
  }
}
