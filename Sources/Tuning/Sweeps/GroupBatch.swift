internal import CSweepKernels

/// The groups of one variant and hold time.
struct GroupBatch: Sendable {
  let variant: Int
  let hold: Int
  let groups: [LaneGroup]
  /// Positions of all cells of the batch; the groups' positions refer to this list.
  let positions: [Int]
}

extension GroupBatch {
  /// How many groups go to a core at a time.
  private static let groupsPerBatch = 16

  /// Sorts cells into groups: cells that differ only in their debounce length share a lane.
  ///
  /// - Parameters:
  ///   - cells: ids, ascending.
  ///   - prepared: the variants of the grid; nil for those that other engines evaluate, whose
  ///     cells are left out.
  /// - Complexity: O(cells log cells).
  static func batches(
    _ cells: [Int], _ grid: StreamGrid, _ prepared: [PreparedVariant?]
  ) -> [GroupBatch] {
    var lanes: [LaneKey: [(length: UInt32, position: Int)]] = [:]
    var order: [LaneKey] = []
    for (position, cell) in cells.enumerated() {
      let (index, local) = grid.locate(cell)
      guard let variant = prepared[index] else { continue }
      let digits = variant.grid.digits(of: local)
      var key = LaneKey(variant: index, hold: 0, digits: digits)
      if let axis = variant.holdAxis { key.hold = digits[axis] }
      if let axis = variant.framesAxis { key.digits[axis] = 0 }
      if lanes[key] == nil { order.append(key) }
      lanes[key, default: []].append(
        (length: variant.framesNeeded(digits), position: position))
    }
    order.sort()
    var batches: [GroupBatch] = []
    var start = 0
    while start < order.count {
      let (variant, hold) = (order[start].variant, order[start].hold)
      var end = start
      while end < order.count, order[end].variant == variant, order[end].hold == hold,
        end - start < groupsPerBatch * Int(SWEEP_LANES)
      { end += 1 }
      batches.append(batch(order[start..<end], lanes))
      start = end
    }
    return batches
  }

  private struct LaneKey: Hashable, Comparable {
    var variant: Int
    var hold: Int
    var digits: [Int]

    static func < (left: LaneKey, right: LaneKey) -> Bool {
      if left.variant != right.variant { return left.variant < right.variant }
      if left.hold != right.hold { return left.hold < right.hold }
      return left.digits.lexicographicallyPrecedes(right.digits)
    }
  }

  private static func batch(
    _ keys: ArraySlice<LaneKey>, _ lanes: [LaneKey: [(length: UInt32, position: Int)]]
  ) -> GroupBatch {
    var groups: [LaneGroup] = []
    var positions: [Int] = []
    for start in stride(from: keys.startIndex, to: keys.endIndex, by: Int(SWEEP_LANES)) {
      let group = keys[start..<min(start + Int(SWEEP_LANES), keys.endIndex)]
      let all = Set(group.flatMap { lanes[$0, default: []].map(\.length) }).sorted()
      for first in stride(from: 0, to: all.count, by: LaneGroup.mostLengths) {
        let lengths = Array(all[first..<min(first + LaneGroup.mostLengths, all.count)])
        var members: [LaneGroup.Member] = []
        for (lane, key) in group.enumerated() {
          for (length, position) in lanes[key, default: []] {
            guard let index = lengths.firstIndex(of: length) else { continue }
            members.append(
              LaneGroup.Member(lane: lane, length: index, position: positions.count))
            positions.append(position)
          }
        }
        groups.append(
          LaneGroup(lanes: padded(group.map(\.digits)), lengths: lengths, members: members))
      }
    }
    return GroupBatch(
      variant: keys[keys.startIndex].variant, hold: keys[keys.startIndex].hold, groups: groups,
      positions: positions)
  }

  private static func padded(_ lanes: [[Int]]) -> [[Int]] {
    lanes + Array(repeating: lanes[lanes.count - 1], count: Int(SWEEP_LANES) - lanes.count)
  }
}

/// Up to eight sets of thresholds that the kernel counts side by side, each at the same lengths.
struct LaneGroup: Sendable {
  /// A cell of a group.
  struct Member: Sendable {
    /// The lane of its thresholds.
    let lane: Int
    /// The debounce length.
    let length: Int
    /// The position of its numbers.
    let position: Int
  }

  /// The position of each lane on every axis; lanes without thresholds repeat the last one.
  let lanes: [[Int]]
  /// The debounce lengths, ascending.
  let lengths: [UInt32]
  /// The cells.
  let members: [Member]

  /// The largest number of lengths in a group, so that its sums stay in the cache.
  static let mostLengths = 16
}

/// Groups that are counted at the same lengths.
struct LaneBundle {
  /// The debounce lengths, ascending.
  let lengths: [UInt32]
  /// The cells; lanes count over all groups.
  private(set) var members: [LaneGroup.Member] = []
  /// The rows of every lane, one per predicate.
  private(set) var rows: [Int] = []
  /// How many predicates there are.
  let width: Int
  private(set) var laneCount = 0

  /// Bundles groups.
  static func bundles(of groups: [LaneGroup], _ table: PredicateTable) -> [LaneBundle] {
    var bundles: [LaneBundle] = []
    for group in groups {
      let index =
        bundles.firstIndex { $0.lengths == group.lengths }
        ?? {
          bundles.append(LaneBundle(lengths: group.lengths, width: table.entries.count))
          return bundles.count - 1
        }()
      bundles[index].add(group, table)
    }
    return bundles
  }

  private mutating func add(_ group: LaneGroup, _ table: PredicateTable) {
    for digits in group.lanes {
      rows += table.entries.map { $0.firstRow + ($0.axis.map { digits[$0] } ?? 0) }
    }
    members += group.members.map {
      LaneGroup.Member(lane: laneCount + $0.lane, length: $0.length, position: $0.position)
    }
    laneCount += group.lanes.count
  }

  /// The row of a predicate in a lane.
  func row(of entry: Int, in lane: Int) -> Int { rows[lane * width + entry] }
}
