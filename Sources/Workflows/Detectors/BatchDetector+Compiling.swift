internal import PlankDetection

extension BatchDetector {
  /// Compiles a detector with parameters of its own.
  init(
    compiling definition: DetectorDefinition, _ parameters: ParameterValues
  ) throws(WorkflowFailure) {
    do {
      try self.init(definition, parameters: parameters)
    } catch {
      throw WorkflowFailure(.usage, "\(error)")
    }
  }
}
