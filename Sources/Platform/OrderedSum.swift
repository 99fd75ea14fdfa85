internal import Synchronization

/// A sum over pieces of concurrent work, added in their order as soon as all before them are there.
///
/// The sum is the same whatever the number of threads, and few pieces are in memory at a time.
package final class OrderedSum<Part: Sendable>: Sendable {
  private struct State {
    var sum: Part
    var next = 0
    var waiting: [Int: Part] = [:]
  }

  private let state: Mutex<State>
  private let combine: @Sendable (inout Part, Part) -> Void

  package init(_ zero: Part, _ combine: @escaping @Sendable (inout Part, Part) -> Void) {
    state = Mutex(State(sum: zero))
    self.combine = combine
  }

  /// Takes the piece of an index, each index once.
  package func add(_ part: Part, at index: Int) {
    state.withLock { state in
      state.waiting[index] = part
      while let part = state.waiting.removeValue(forKey: state.next) {
        combine(&state.sum, part)
        state.next += 1
      }
    }
  }

  package var sum: Part { state.withLock { $0.sum } }
}
