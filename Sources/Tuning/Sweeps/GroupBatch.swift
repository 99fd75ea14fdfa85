internal import CSweepKernels

struct GroupBatch: Sendable {
  let variant: Int
  let hold: Int
  let groups: [LaneGroup]
  let positions: [Int]
}

extension GroupBatch {
  private static let groupsPerBatch = 16

  /// Cells that differ only in their debounce length share a lane.
  ///
  /// `cells` are ids, ascending; `prepared` is nil for variants that other engines evaluate, whose
  /// cells are left out.
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

struct LaneGroup: Sendable {
  struct Member: Sendable {
    let lane: Int
    let length: Int
    let position: Int
  }

  let lanes: [[Int]]
  let lengths: [UInt32]
  let members: [Member]

  /// The largest number of lengths in a group, so that its sums stay in the cache.
  static let mostLengths = 16
}

struct LaneBundle {
  let lengths: [UInt32]
  private(set) var members: [LaneGroup.Member] = []
  private(set) var rows: [Int] = []
  let width: Int
  private(set) var laneCount = 0

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

  func row(of entry: Int, in lane: Int) -> Int { rows[lane * width + entry] }
}
