internal import FoundationEssentials
internal import ParameterTuning

/// Runs independent pieces of work on all cores, results in the order of the input.
enum ConcurrentMap {
  /// Maps elements concurrently, at most as many at a time as there are cores.
  ///
  /// - Throws: the failure of the first element, in input order, among those that failed.
  static func run<Element: Sendable, Result: Sendable>(
    _ elements: [Element], progress: @escaping ProgressReport,
    _ body: @escaping @Sendable (Element) throws(WorkflowFailure) -> Result
  ) async throws(WorkflowFailure) -> [Result] {
    let cores = max(1, ProcessInfo.processInfo.activeProcessorCount)
    return try await ParameterTuning.ConcurrentMap.run(elements.count, jobs: cores) {
      progress($0, elements.count, "sequences")
    } _: { (index) async throws(WorkflowFailure) in
      try body(elements[index])
    }
  }
}
