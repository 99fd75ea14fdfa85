internal import PoseModel
internal import Synchronization

/// Runs independent pieces of a choice at the same time, results in order.
enum ParallelMap {
  /// Maps 0..<count, at most `jobs` at a time.
  ///
  /// - Parameter progress: called with the number of pieces done.
  /// - Throws: the error of the first piece, in order, among those that failed.
  static func run<Result: Sendable>(
    _ count: Int, jobs: Int, progress: @Sendable (Int) -> Void = { _ in },
    _ body: @escaping @Sendable (Int) async throws(TuningError) -> Result
  ) async throws(TuningError) -> [Result] {
    typealias Attempt = Swift.Result<Result, TuningError>
    let attempts = await withTaskGroup(of: (Int, Attempt).self) { group -> [Attempt?] in
      var attempts = [Attempt?](repeating: nil, count: count)
      var next = 0
      var done = 0
      func start() {
        guard next < count else { return }
        let index = next
        next += 1
        group.addTask { (index, await attempt(index, body)) }
      }
      for _ in 0..<max(1, jobs) { start() }
      for await (index, attempt) in group {
        attempts[index] = attempt
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

  private static func attempt<Result>(
    _ index: Int, _ body: (Int) async throws(TuningError) -> Result
  ) async -> Swift.Result<Result, TuningError> {
    do { return .success(try await body(index)) } catch { return .failure(error) }
  }
}

/// How far a choice is: steps done, steps in all and what they are; called from any thread.
package typealias TuningProgress =
  @Sendable (_ done: Int, _ total: Int, _ what: String) -> Void

/// Counts cells on several threads and reports how many are done.
final class CellCounter: Sendable {
  private let total: Int
  private let what: String
  private let report: TuningProgress
  private let done = Mutex(0)

  init(total: Int, stream: AnswerStream, report: @escaping TuningProgress) {
    self.total = total
    self.report = report
    what = "\(stream.rawValue) cells"
  }

  /// Adds cells that are done.
  func add(_ count: Int) {
    let sum = done.withLock { sum in
      sum += count
      return sum
    }
    report(sum, total, what)
  }
}
