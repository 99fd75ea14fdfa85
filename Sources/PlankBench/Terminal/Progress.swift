internal import FoundationEssentials
internal import ParameterTuning
internal import Synchronization

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// Receives the progress of a long job; called from any thread, in order.
typealias ProgressReport = @Sendable (_ done: Int, _ total: Int, _ what: String) -> Void

/// A bar on stderr for long work; silent if stderr is not a terminal.
///
/// The time left is that of the current kind of work, from the speed since it began.
final class ProgressBar: Sendable {
  private struct State {
    var what = ""
    var total = 0
    var startedAt = ContinuousClock.now
    var lastDrawn: ContinuousClock.Instant?
  }

  private let isVisible: Bool
  private let state = Mutex(State())

  /// Makes a bar.
  init() { isVisible = isatty(STDERR_FILENO) == 1 }

  /// The function to hand to a workflow.
  var report: ProgressReport {
    { [self] done, total, what in draw(done, of: total, what) }
  }

  private func draw(_ done: Int, of total: Int, _ what: String) {
    guard isVisible, total > 0 else { return }
    let now = ContinuousClock.now
    let startedAt = state.withLock { state -> ContinuousClock.Instant? in
      if state.what != what || state.total != total {
        state = State(what: what, total: total, startedAt: now)
      }
      if done < total, let last = state.lastDrawn, now - last < .milliseconds(100) { return nil }
      state.lastDrawn = now
      return state.startedAt
    }
    guard let startedAt else { return }
    let line = "\r" + Self.line(done, of: total, what, after: now - startedAt) + "\u{1B}[K"
    Terminal.write(done == total ? "\r\u{1B}[K" : line, to: STDERR_FILENO)
  }

  /// The bar as text.
  ///
  /// - Parameter elapsed: the time since this kind of work began.
  static func line(
    _ done: Int, of total: Int, _ what: String, after elapsed: Duration
  ) -> String {
    let width = 30
    let filled = width * done / total
    let bar = String(repeating: "#", count: filled) + String(repeating: ".", count: width - filled)
    let seconds = Double(elapsed.components.seconds)
    let left = done > 0 ? Int(seconds / Double(done) * Double(total - done)) : 0
    return "[\(bar)] \(done)/\(total) \(what), \(left) s left"
  }
}

/// Runs independent pieces of work on all cores, with results in the order of the input.
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

/// A sum over pieces of concurrent work, added in their order as soon as all before them are there.
///
/// The sum is the same whatever the number of threads, and few pieces are in memory at a time.
final class OrderedSum<Part: Sendable>: Sendable {
  private struct State {
    var sum: Part
    var next = 0
    var waiting: [Int: Part] = [:]
  }

  private let state: Mutex<State>
  private let combine: @Sendable (inout Part, Part) -> Void

  /// Starts at zero.
  init(_ zero: Part, _ combine: @escaping @Sendable (inout Part, Part) -> Void) {
    state = Mutex(State(sum: zero))
    self.combine = combine
  }

  /// Takes the piece of an index, each index once.
  func add(_ part: Part, at index: Int) {
    state.withLock { state in
      state.waiting[index] = part
      while let part = state.waiting.removeValue(forKey: state.next) {
        combine(&state.sum, part)
        state.next += 1
      }
    }
  }

  /// The sum of all pieces up to the first that is missing.
  var sum: Part { state.withLock { $0.sum } }
}
