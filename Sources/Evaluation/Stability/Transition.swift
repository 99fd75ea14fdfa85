/// A change between two consecutive scored frames of one sequence.
struct Transition: Hashable {
  /// The time of the later frame, in seconds.
  let time: Double
  /// The class that begins.
  let to: UInt8
}

extension ScoredStream {
  /// The changes of a column of codes, in time order.
  func transitions(of codes: [UInt8]) -> [Transition] {
    var found: [Transition] = []
    for frame in times.indices.dropFirst() where codes[frame] != codes[frame - 1] {
      guard isScored(frame), isScored(frame - 1) else { continue }
      found.append(Transition(time: times[frame], to: codes[frame]))
    }
    return found
  }
}
