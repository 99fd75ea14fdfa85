internal import FoundationEssentials

/// Runs independent pieces of work on all cores, results in the order of the input.
enum ConcurrentMap {
  /// Maps elements concurrently, at most as many at a time as there are cores.
  ///
  /// - Throws: the failure of the first element, in input order, among those that failed.
  static func run<Element: Sendable, Result: Sendable>(
    _ elements: [Element], progress: @escaping ProgressReport,
    _ body: @escaping @Sendable (Element) throws(WorkflowFailure) -> Result
  ) async throws(WorkflowFailure) -> [Result] {
    let width = max(1, ProcessInfo.processInfo.activeProcessorCount)
    typealias Attempt = Swift.Result<Result, WorkflowFailure>
    let attempts = await withTaskGroup(of: (Int, Attempt).self) { group -> [Attempt?] in
      var attempts = [Attempt?](repeating: nil, count: elements.count)
      var next = 0
      var done = 0
      var hasFailed = false
      func start() {
        guard next < elements.count, !hasFailed else { return }
        let index = next
        next += 1
        group.addTask {
          (index, attempt { () throws(WorkflowFailure) in try body(elements[index]) })
        }
      }
      for _ in 0..<width { start() }
      while let (index, attempt) = await group.next() {
        attempts[index] = attempt
        if case .failure = attempt { hasFailed = true }
        done += 1
        progress(done, elements.count, "sequences")
        start()
      }
      return attempts
    }
    var results: [Result] = []
    for attempt in attempts {
      if let attempt { results.append(try attempt.get()) }
    }
    return results
  }

  private static func attempt<Result>(
    _ body: () throws(WorkflowFailure) -> Result
  ) -> Swift.Result<Result, WorkflowFailure> {
    do { return .success(try body()) } catch { return .failure(error) }
  }
}
