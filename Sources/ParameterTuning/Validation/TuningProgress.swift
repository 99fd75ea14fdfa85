internal import PoseModel
internal import Synchronization

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
