/// The labels of the last determined frames, counted.
struct VoteBox: Hashable, Sendable {
  private let needed: Int
  private var ballots: [UInt8]
  private var counts: SIMD16<Int32> = .zero
  private var next = 0
  private var used = 0

  /// Makes an empty box.
  init(needed: Int, of size: Int) {
    self.needed = needed
    ballots = Array(repeating: 0, count: size)
  }

  /// Takes in a vote; a full box drops its oldest one.
  ///
  /// - Returns: whether the label has the votes it needs.
  mutating func add(_ label: UInt8) -> Bool {
    if used == ballots.count { counts[Int(ballots[next])] -= 1 } else { used += 1 }
    ballots[next] = label
    counts[Int(label)] += 1
    next = next + 1 == ballots.count ? 0 : next + 1
    return counts[Int(label)] >= needed
  }

  /// Takes out all votes.
  mutating func removeAll() {
    counts = .zero
    next = 0
    used = 0
  }
}
