internal import Synchronization

/// Counts pieces of work on several threads and reports how many are done.
final class ProgressCounter: Sendable {
  private let total: Int
  private let what: String
  private let report: ProgressReport
  private let done = Mutex(0)

  init(total: Int, what: String, report: @escaping ProgressReport) {
    self.total = total
    self.what = what
    self.report = report
  }

  /// Adds pieces that are done.
  @Sendable
  func add(_ count: Int) {
    let sum = done.withLock { sum in
      sum += count
      return sum
    }
    report(sum, total, what)
  }
}
