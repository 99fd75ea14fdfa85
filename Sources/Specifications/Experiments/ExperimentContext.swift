package import ParameterTuning
package import PlankDetection

/// What an experiment names and only its surroundings can find: detectors and smoothings.
package struct ExperimentContext: Sendable {
  /// The detector of a built-in name or a file; throws where there is none.
  package let detector: @Sendable (String) throws -> DetectorDefinition
  /// The smoothing of a text form; throws where it cannot be read.
  package let smoothing: @Sendable (String) throws -> SmoothingVariant

  /// Makes a context.
  package init(
    detector: @escaping @Sendable (String) throws -> DetectorDefinition,
    smoothing: @escaping @Sendable (String) throws -> SmoothingVariant
  ) {
    self.detector = detector
    self.smoothing = smoothing
  }
}
