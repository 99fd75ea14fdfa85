internal import Synchronization

package enum ConcurrentMap {
  /// `body` runs for 0..<`count`, at most `jobs` at a time; after a failure no further piece
  /// starts.
  ///
  /// `progress` gets how many pieces are done, first with 0. Throws the failure of the first piece,
  /// in order, among those that failed.
  package static func run<Result: Sendable, Failure: Error>(
    _ count: Int, jobs: Int, progress: (Int) -> Void = { _ in },
    _ body: @escaping @Sendable (Int) async throws(Failure) -> Result
  ) async throws(Failure) -> [Result] {
    typealias Attempt = Swift.Result<Result, Failure>
    let attempts = await withTaskGroup(of: (Int, Attempt).self) { group -> [Attempt?] in
      var attempts = [Attempt?](repeating: nil, count: count)
      var next = 0
      var done = 0
      var hasFailed = false
      func start() {
        guard next < count, !hasFailed else { return }
        let index = next
        next += 1
        group.addTask { (index, await attempt(index, body)) }
      }
      progress(0)
      for _ in 0..<max(1, jobs) { start() }
      while let (index, attempt) = await group.next() {
        attempts[index] = attempt
        if case .failure = attempt { hasFailed = true }
        done += 1
        progress(done)
        start()
      }
      return attempts
    }
    var results: [Result] = []
    results.reserveCapacity(count)
    for attempt in attempts {
      if let attempt { results.append(try attempt.get()) }
    }
    return results
  }

  /// At most `jobs` pieces are being made, and as many may wait until those before them are used,
  /// in order; throws the first failure, in order, of a piece or of its use; nothing behind it is
  /// used.
  package static func inOrder<Piece: Sendable>(
    _ count: Int, jobs: Int, _ make: @escaping @Sendable (Int) async throws -> Piece,
    use: (Piece) throws -> Void
  ) async throws {
    typealias Attempt = Swift.Result<Piece, any Error>
    let jobs = max(1, jobs)
    try await withThrowingTaskGroup(of: (Int, Attempt).self) { group in
      var (started, making, used) = (0, 0, 0)
      var waiting: [Int: Attempt] = [:]
      func start() {
        while started < count, making < jobs, started - used < 2 * jobs {
          let index = started
          started += 1
          making += 1
          group.addTask { (index, await attempt(index, make)) }
        }
      }
      start()
      while let (index, attempt) = try await group.next() {
        making -= 1
        waiting[index] = attempt
        start()
        while let attempt = waiting.removeValue(forKey: used) {
          try use(attempt.get())
          used += 1
          start()
        }
      }
    }
  }

  private static func attempt<Result, Failure: Error>(
    _ index: Int, _ body: (Int) async throws(Failure) -> Result
  ) async -> Swift.Result<Result, Failure> {
    do { return .success(try await body(index)) } catch { return .failure(error) }
  }
}

/// Pieces done, pieces in total and what they are; called from any thread.
///
/// A report of nothing done, or of another total or kind of piece, begins a step.
package typealias ProgressReport =
  @Sendable (_ done: Int, _ total: Int, _ what: String) -> Void

package final class ProgressCounter: Sendable {
  private let total: Int
  private let what: String
  private let report: ProgressReport
  private let done = Mutex(0)

  package init(total: Int, what: String, report: @escaping ProgressReport) {
    self.total = total
    self.what = what
    self.report = report
  }

  @Sendable
  package func add(_ count: Int) {
    let sum = done.withLock { sum in
      sum += count
      return sum
    }
    report(sum, total, what)
  }
}
