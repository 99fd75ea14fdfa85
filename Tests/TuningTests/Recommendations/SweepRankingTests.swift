import Evaluation
import PlankDetection
import PoseModel
import TestSupport
import Testing

@testable import Tuning

@Suite("Ranking of a sweep")
struct SweepRankingTests {
  private static let count = 7

  @Test(
    "The best cells are those of a full sort, in whatever order they pass by",
    arguments: Draws.seeds(30))
  func sorted(seed: Int) async throws {
    let example = try RandomCase(seed: seed)
    var random = SplitMix64(spread: seed + 70)
    let grid = try example.grid.grid(.plank, example.data)
    let cells = try await StreamSweep(grid, example.data).evaluate(0..<min(grid.cellCount, 150))
    let goal = try TuningGoal(
      MetricKey(tunable: "plank.accuracy"),
      constraints: [MetricConstraint(MetricKey(tunable: "plank.hit_rate"), .atLeast, 0.5)])
    var ranking = try SweepRanking(grid, cells.layout, goal, count: Self.count)
    let stride = cells.layout.stride
    for position in random.shuffled(Array(cells.ids.indices)) {
      try ranking.add(
        CellTable(
          layout: cells.layout, ids: [cells.ids[position]],
          storage: Array(cells.storage[position * stride..<(position + 1) * stride])))
    }
    let expected = try best(cells, grid, goal)
    #expect(ranking.rows.map(\.cell) == expected, "seed \(seed)")
    #expect(ranking.cellCount == cells.ids.count)
    #expect(ranking.feasibleCount >= ranking.rows.count { $0.isFeasible })
  }

  /// The ids of the best cells, by sorting all of them.
  private func best(
    _ cells: CellTable, _ grid: StreamGrid, _ goal: TuningGoal
  ) throws -> [Int] {
    let table = try SubjectTable(cells, allowsUngrouped: true)
    let everyone = Array(table.subjects.indices)
    var keys: [(id: Int, isBroken: Int, loss: Double, declared: [Double])] = []
    for (position, id) in cells.ids.enumerated() {
      guard let value = table.value(goal.objective, at: position, everyone) else { continue }
      let hits = table.value(goal.constraints[0].metric, at: position, everyone)
      let parameters = try grid.parameters(of: id)
      let names = grid.variants[0].keys.filter { ![.plankFrames, .holdSeconds].contains($0) }
        .sorted { $0.rawValue < $1.rawValue }
      keys.append(
        (
          id: id, isBroken: goal.constraints[0].violation(hits) == 0 ? 0 : 1,
          loss: -goal.gain(value),
          declared: ([.plankFrames, .holdSeconds] + names).map { parameters[$0] ?? 0 }
        ))
    }
    keys.sort { left, right in
      if left.isBroken != right.isBroken { return left.isBroken < right.isBroken }
      if left.loss != right.loss { return left.loss < right.loss }
      return left.declared.lexicographicallyPrecedes(right.declared)
    }
    return keys.prefix(Self.count).map(\.id)
  }
}
