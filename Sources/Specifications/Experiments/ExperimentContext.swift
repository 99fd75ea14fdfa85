package import PlankDetection

/// What an experiment names and only its surroundings can find: detectors.
package struct ExperimentContext: Sendable {
  /// The detector of a built-in name or a file; throws where there is none.
  package let detector: @Sendable (String) throws -> DetectorDefinition

  /// Makes a context.
  package init(detector: @escaping @Sendable (String) throws -> DetectorDefinition) {
    self.detector = detector
  }
}
