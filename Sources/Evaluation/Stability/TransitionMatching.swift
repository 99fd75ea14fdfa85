internal import PoseModel

/// How many predicted changes have a true one of their own to the same class nearby.
enum TransitionMatching {
  /// How far apart two matched changes may be, in seconds; the bound is included.
  static let collar = 0.5

  /// The size of a maximum one-to-one matching of changes to equal classes within the collar.
  ///
  /// Changes to different classes never match, so each class is matched alone. Within one, both
  /// lists are sorted and every change matches an interval of equal width, so the greedy choice
  /// is best: take the earliest p and the earliest t. If they match, some maximum matching
  /// contains the pair: were p matched to a later t' and t to a later p', then p' - t' lies
  /// between p - t' and p' - t, hence within the collar, and the partners can be swapped; were
  /// only one of them matched, it can change its partner without loss. If they do not match, the
  /// earlier one is too far from everything later on the other side as well and can go.
  ///
  /// - Complexity: O(predicted + true), after a pass a class.
  static func matches(predicted: [Transition], true truth: [Transition]) -> Int {
    Set(predicted.map(\.to)).reduce(0) { sum, label in
      sum
        + matches(
          predicted.filter { $0.to == label }.map(\.time),
          truth.filter { $0.to == label }.map(\.time))
    }
  }

  private static func matches(_ predicted: [Double], _ truth: [Double]) -> Int {
    var count = 0
    var (left, right) = (0, 0)
    while left < predicted.count, right < truth.count {
      let difference = predicted[left] - truth[right]
      if abs(difference) <= collar + FrameTiming.slack {
        count += 1
        left += 1
        right += 1
      } else if difference < 0 {
        left += 1
      } else {
        right += 1
      }
    }
    return count
  }
}
