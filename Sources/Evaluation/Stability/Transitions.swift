internal import PoseModel

struct Transition: Hashable {
  let time: Double
  let to: UInt8
}

extension ScoredStream {
  func transitions(of codes: [UInt8]) -> [Transition] {
    var found: [Transition] = []
    for frame in times.indices.dropFirst() where codes[frame] != codes[frame - 1] {
      guard isScored(frame), isScored(frame - 1) else { continue }
      found.append(Transition(time: times[frame], to: codes[frame]))
    }
    return found
  }
}

enum TransitionMatching {
  /// How far apart two matched changes may be, in seconds; the bound is included.
  static let collar = 0.5

  /// The size of a maximum one-to-one matching of changes to equal classes within the collar.
  ///
  /// Changes to different classes never match, so each class is matched separately. Within a class,
  /// both lists are sorted and every change can match an interval of equal width, so the greedy
  /// choice is best: take the earliest p and the earliest t. If they match, some maximum matching
  /// contains the pair: if p were matched to a later t' and t to a later p', then p' - t' would lie
  /// between p - t' and p' - t, hence within the collar, and the partners could be swapped; if only
  /// one of them were matched, it could change its partner without loss. If they do not match, the
  /// earlier one is too far from everything later on the other side as well and can be dropped.
  ///
  /// - Complexity: O(predicted + true), after a pass per class.
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

extension ScoredStream {
  /// How short a passing answer must be to count as a flicker, in seconds; the bound is excluded,
  /// so 0.5 s is never a flicker.
  static let flickerBound = 0.5

  /// A flicker is a run B between two runs of A that lasts, from its first frame to the first of
  /// the next run, less than 0.5 s, with every frame from the last A before to the first A after it
  /// scored and of one true class; in A, B, A, B, A both inner B's and the inner A may count.
  var flickerCount: Int {
    var count = 0
    var start: Int?  // first frame of the current run, where a run stands before it
    for frame in answers.indices.dropFirst() where answers[frame] != answers[frame - 1] {
      if let start, answers[start - 1] == answers[frame],
        times[frame] - times[start] < Self.flickerBound - FrameTiming.slack,
        isScored(frame), truth[start - 1...frame].allSatisfy({ $0 == truth[frame] })
      {
        count += 1
      }
      start = frame
    }
    return count
  }
}
