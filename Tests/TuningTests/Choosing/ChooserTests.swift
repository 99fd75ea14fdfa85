import Evaluation
import PlankDetection
import PoseModel
import TestSupport
import Testing

@testable import Tuning

@Suite("Choice") struct ChooserTests {
  private static let centimeters = ParameterAxis(.sag, .range(from: 0.01, to: 0.12, step: 0.01))

  private func goal(
    _ constraints: [MetricConstraint] = [], tolerance: Double = 0
  ) throws -> TuningGoal {
    try TuningGoal(
      MetricKey(tunable: "form.accuracy"), constraints: constraints, tolerance: tolerance)
  }

  private func centimeter(_ values: ParameterValues) -> Int {
    Int(((values[.sag] ?? 0) * 100).rounded())
  }

  @Test("A spike of one cell beside a plateau gives the plateau's center", arguments: [2, 3])
  func spike(place: Int) throws {
    let surface = try SurfaceCase([Self.centimeters], subjects: 4) { values in
      switch centimeter(values) {
      case place: Array(repeating: 905, count: 4)
      case 4...8: Array(repeating: 900, count: 4)
      default: Array(repeating: 700, count: 4)
      }
    }
    let choice = try surface.choose(goal(tolerance: 0.01))
    let parameters = try surface.grid.parameters(of: choice.cell)
    let plateau = try #require(choice.plateau)
    #expect(abs(choice.bestObjective - 0.905) < 1e-12)
    #expect(abs(choice.objective - 0.9) < 1e-12)
    // A spike next to the plateau is part of it and moves the middle to a tie of two cells.
    #expect(parameters[.sag] == (place == 3 ? 0.05 : 0.06))
    #expect(plateau.margin == 3)
    #expect(choice.steps.allSatisfy { !$0.isBeyondChance })
    let extent = try #require(plateau.axes.first)
    #expect(extent.to == 0.08)
    #expect(extent.above.cliff == 0.09)
  }

  @Test("Without a tolerance a lone peak is chosen and called a knife edge")
  func knifeEdge() throws {
    let surface = try SurfaceCase([Self.centimeters], subjects: 7) { values in
      Array(repeating: centimeter(values) == 5 ? 905 : 700, count: 7)
    }
    let choice = try surface.choose(goal())
    #expect(try surface.grid.parameters(of: choice.cell)[.sag] == 0.05)
    #expect(choice.steps.contains { $0.isBeyondChance })
    #expect(choice.plateau?.cliffDistance == 1)
  }

  @Test("Differences that hold in every subject are not chance: one standard error is paired")
  func pairedError() throws {
    // Subjects differ by 200 frames, cells by 10 in every subject: paired, the error is zero.
    let surface = try SurfaceCase([Self.centimeters], subjects: 5) { values in
      (0..<5).map { 600 + 50 * $0 + (centimeter(values) == 5 ? 10 : 0) }
    }
    let steady = try surface.choose(goal())
    #expect(try surface.grid.parameters(of: steady.cell)[.sag] == 0.05)
    // The same mean gain from one subject alone is within an error.
    let lucky = try SurfaceCase([Self.centimeters], subjects: 5) { values in
      (0..<5).map { 600 + 50 * $0 + (centimeter(values) == 2 && $0 == 0 ? 50 : 0) }
    }
    let choice = try lucky.choose(goal())
    #expect(choice.bestObjective > choice.objective)
    #expect(choice.plateau?.cells.count == 12)
  }

  @Test(
    "A step that is worse for one person only is not a knife edge; one that is worse for all is")
  func chanceSteps() throws {
    func surface(_ losers: Int) throws -> SurfaceCase {
      try SurfaceCase([Self.centimeters], subjects: 5) { values in
        (0..<5).map { person in
          centimeter(values) == 5 ? 900 : 900 - (person < losers ? 40 + 5 * person : 0)
        }
      }
    }
    let lone = try surface(1).choose(goal())
    #expect(lone.steps.allSatisfy { !$0.isBeyondChance })
    let shared = try surface(5).choose(goal())
    #expect(try surface(5).grid.parameters(of: shared.cell)[.sag] == 0.05)
    #expect(shared.steps.map(\.to) == [0.04, 0.06])
    #expect(shared.steps.allSatisfy { abs(($0.cost ?? 0) - 0.05) < 1e-12 && $0.isBeyondChance })
  }

  @Test(
    "A step that costs everybody the same is a knife edge only if that many signs exclude chance",
    arguments: [(5, false), (6, false), (7, true)])
  func alikeSteps(people: Int, isBeyond: Bool) throws {
    let surface = try SurfaceCase([Self.centimeters], subjects: people) { values in
      (0..<people).map { _ in centimeter(values) == 5 ? 900 : 850 }
    }
    let choice = try surface.choose(goal())
    #expect(choice.steps.map(\.to) == [0.04, 0.06])
    #expect(choice.steps.allSatisfy { $0.isBeyondChance == isBeyond })
  }

  @Test("Permuting axes and values changes nothing", arguments: Draws.seeds(20))
  func permutation(seed: Int) throws {
    var random = SplitMix64(spread: seed)
    let lists: [(ParameterKey, [Double])] = [
      (.sag, [0.02, 0.04, 0.06, 0.08]), (.pike, [0.01, 0.05, 0.09]), (.formFrames, [1, 5, 9, 15]),
    ]
    func right(_ values: ParameterValues) -> [Int] {
      let key = values.entries.reduce(0) { $0 &* 31 &+ Int($1.value * 1000) }
      var noise = SplitMix64(spread: key &+ 1000 * seed)
      return (0..<4).map { _ in 500 + 25 * noise.index(below: 4) }
    }
    let plain = try SurfaceCase(
      lists.map { ParameterAxis($0.0, .list($0.1)) }, subjects: 4, right: right)
    let mixed = try SurfaceCase(
      random.shuffled(lists).map { ParameterAxis($0.0, .list(random.shuffled($0.1))) },
      subjects: 4, right: right)
    for tolerance in [0, 0.02] {
      let goal = try goal(tolerance: tolerance)
      let (first, second) = (try plain.choose(goal), try mixed.choose(goal))
      let chosen = try plain.grid.parameters(of: first.cell)
      let best = try plain.grid.parameters(of: first.bestCell)
      #expect(try mixed.grid.parameters(of: second.cell) == chosen)
      #expect(try mixed.grid.parameters(of: second.bestCell) == best)
      #expect(first.objective == second.objective)
      #expect(first.plateau?.margin == second.plateau?.margin)
    }
  }

  @Test("Constraints come before the objective")
  func constraints() throws {
    let surface = try SurfaceCase(
      [Self.centimeters], subjects: 2, transitions: { centimeter($0) },
      right: { Array(repeating: 500 + 10 * centimeter($0), count: 2) })
    // 1,000 frames at 30 Hz are 1/1.8 of a minute: k transitions are 1.8 k a minute.
    let calm = MetricConstraint(try MetricKey(tunable: "form.transitions_per_minute"), .atMost, 9.1)
    let choice = try surface.choose(goal([calm]))
    #expect(choice.feasibility == .feasible)
    #expect(choice.feasibleCount == 5)
    #expect(abs(choice.bestObjective - 0.55) < 1e-12)
  }

  @Test("If no cell is feasible, the least violating one reports the binding constraint")
  func infeasible() throws {
    let surface = try SurfaceCase(
      [Self.centimeters], subjects: 2, transitions: { centimeter($0) },
      right: { Array(repeating: 500 + 10 * centimeter($0), count: 2) })
    let calm = MetricConstraint(try MetricKey(tunable: "form.transitions_per_minute"), .atMost, 0.9)
    let exact = MetricConstraint(try MetricKey(tunable: "form.accuracy"), .atLeast, 0.9)
    let choice = try surface.choose(goal([exact, calm]))
    #expect(choice.plateau == nil)
    #expect(try surface.grid.parameters(of: choice.cell)[.sag] == 0.01)
    guard case .infeasible(let binding, let value) = choice.feasibility else {
      Issue.record("nothing is feasible")
      return
    }
    #expect(binding == calm)
    #expect(abs((value ?? 0) - 1.8) < 1e-9)
  }

  @Test("Where all cells are equal the middle of the grid is chosen, fewer frames first")
  func ties() throws {
    let surface = try SurfaceCase(
      [
        ParameterAxis(.sag, .list([0.02, 0.04, 0.06])),
        ParameterAxis(.formFrames, .list([1, 5, 9, 15])),
      ], subjects: 2
    ) { _ in [800, 800] }
    let choice = try surface.choose(goal())
    let parameters = try surface.grid.parameters(of: choice.cell)
    #expect(parameters[.sag] == 0.04)
    #expect(parameters[.formFrames] == 5)
    #expect(choice.plateau?.isLimitedByEdge == true)
    #expect(try surface.grid.parameters(of: choice.bestCell)[.formFrames] == 1)
    let chooser = Chooser(surface.grid, surface.table, try goal())
    let diagnostics = GridDiagnostics(chooser, choice, [0, 1])
    #expect(diagnostics.inertAxes == [.sag, .formFrames])
    #expect(diagnostics.edgeAxes.isEmpty)
  }

  @Test("Rejected cells limit a plateau as the grid's end does, but do not count as a cliff")
  func rejected() throws {
    let axes = [
      ParameterAxis(.sag, .range(from: 0.01, to: 0.09, step: 0.01)),
      ParameterAxis(.pike, .range(from: 0.01, to: 0.09, step: 0.01)),
    ]
    let triangle = [AxisConstraint(.sag, .less, .pike)]
    let flat = try SurfaceCase(axes, subjects: 2, constraints: triangle) { _ in [800, 800] }
    let open = try #require(try flat.choose(goal()).plateau)
    #expect(open.margin == 2)
    #expect(open.isLimitedByEdge)
    #expect(open.cliffDistance == nil)
    let banded = try SurfaceCase(axes, subjects: 2, constraints: triangle) { values in
      (values[.sag] ?? 0) > 0.025 ? [800, 800] : [100, 100]
    }
    let closed = try #require(try banded.choose(goal()).plateau)
    #expect(closed.margin == 2)
    #expect(!closed.isLimitedByEdge)
  }

  @Test("A best cell at an end is reported, unless the parameter ends there too")
  func edges() throws {
    let surface = try SurfaceCase(
      [
        ParameterAxis(.sag, .list([0.02, 0.04, 0.06])), ParameterAxis(.formFrames, .list([1, 5])),
      ], subjects: 2
    ) { values in
      let right = 900 - Int((values[.sag] ?? 0) * 2000) - 40 * Int(values[.formFrames] ?? 0)
      return [right, right]
    }
    let chooser = Chooser(surface.grid, surface.table, try goal())
    let diagnostics = GridDiagnostics(chooser, try surface.choose(goal()), [0, 1])
    #expect(diagnostics.inertAxes.isEmpty)
    #expect(diagnostics.edgeAxes == [.sag])
  }

  @Test("Unknown metrics and metrics of the other stream are errors")
  func names() throws {
    #expect(throws: UnknownMetric.self) { try MetricKey(tunable: "form.fabulousness") }
    #expect(try MetricKey(tunable: "plank.recall[sideLeft]").metric.higherIsBetter)
    #expect(throws: TuningError.mixedStreams("plank.accuracy", expected: .form)) {
      try TuningGoal(
        MetricKey(tunable: "form.accuracy"),
        constraints: [MetricConstraint(MetricKey(tunable: "plank.accuracy"), .atLeast, 0.5)])
    }
  }

  @Test("The front keeps what nothing beats and prices one more point")
  func front() throws {
    let surface = try SurfaceCase(
      [ParameterAxis(.sag, .list([0.01, 0.02, 0.03, 0.04]))], subjects: 1,
      transitions: { [5, 2, 3, 0][centimeter($0) - 1] },
      right: { [[900, 800, 790, 700][centimeter($0) - 1]] })
    let metrics = try ["form.accuracy", "form.transitions_per_minute"].map(MetricKey.init(tunable:))
    let front = ParetoFront(metrics, Chooser(surface.grid, surface.table, try goal()), [0])
    #expect(front.points.map(\.cell) == [0, 1, 3])
    #expect(front.points[0].costOfFirst == nil)
    let price = try #require(front.points[1].costOfFirst?.first ?? nil)
    #expect(abs(price - 3 * 1.8 / 0.1) < 1e-6)
  }

  @Test(
    "Sums in another order are equal; a frame more or less in a week is not",
    arguments: [(0.1 + 0.2, 0.3, true), (0.5, 0.5 + 1.0 / 18_144_000, false), (0, 1e-16, true)])
  func rounding(one: Double, other: Double, isRounding: Bool) {
    #expect(ParetoFront.isRounding(one, other) == isRounding)
  }
}

@Suite("Lattice") struct CellLatticeTests {
  @Test("Distances equal the nearest outside cell by search", arguments: Draws.seeds(30))
  func distances(seed: Int) throws {
    var random = SplitMix64(spread: seed)
    let bases = (0..<random.integer(1...3)).map { _ in random.integer(1...6) }
    let lattice = try #require(MixedRadix(bases))
    let members = (0..<lattice.count).map { _ in random.chance(0.85) }
    let found = lattice.distances(in: members)
    for cell in 0..<lattice.count where bases.contains(where: { $0 > 1 }) {
      // Without an end or an outside cell nothing is known beyond the cell itself.
      let isBounded = bases.contains { $0 > 2 } || members.contains(false)
      var nearest = isBounded ? Int.max : 1
      for axis in bases.indices where bases[axis] > 2 {
        let digit = lattice.digit(cell, axis)
        nearest = min(nearest, digit + 1, bases[axis] - digit)
      }
      for other in 0..<lattice.count where !members[other] {
        let steps = bases.indices.map { abs(lattice.digit(cell, $0) - lattice.digit(other, $0)) }
        nearest = min(nearest, steps.max() ?? 0)
      }
      #expect(found[cell] == nearest)
    }
  }

  @Test("Cells that touch at a corner are one component")
  func components() throws {
    let lattice = try #require(MixedRadix([3, 4]))
    let picture = ["#..#", ".#..", "...#"]
    let members = picture.joined().map { $0 == "#" }
    #expect(lattice.components(of: members) == [[0, 5], [3], [11]])
  }
}

/// Cells of the form stream whose accuracy is given: 1,000 frames per subject, all truly aligned.
struct SurfaceCase {
  static let frames = 1000
  let grid: StreamGrid
  let table: SubjectTable

  /// Makes cells.
  ///
  /// - Parameter right: the right frames of every subject, by parameter values; nil for a cell that
  ///   was not evaluated.
  init(
    _ axes: [ParameterAxis], subjects: Int, constraints: [AxisConstraint] = [],
    transitions: (ParameterValues) -> Int = { _ in 0 }, right: (ParameterValues) -> [Int]
  ) throws {
    let sequences = try (0..<subjects).map { try Self.sequence("s\($0)") }
    let data = try MeasuredData(variants: [sequences])
    let definition = try GridDefinition(
      [DetectorVariant(.gravity)], axes: axes, constraints: constraints)
    grid = try definition.grid(.form, data)
    let layout = StatisticsLayout(StreamFacts(.form, sequences))
    let ids = grid.accepted(in: 0..<grid.cellCount)
    var storage: [UInt32] = []
    for id in ids {
      let parameters = try grid.parameters(of: id)
      for count in right(parameters) { storage += [UInt32(count), UInt32(Self.frames - count), 0] }
      storage += Array(repeating: UInt32(transitions(parameters)), count: subjects)
    }
    table = try SubjectTable(CellTable(layout: layout, ids: ids, storage: storage))
  }

  static func sequence(_ name: String) throws -> MeasuredSequence {
    try MeasuredSequence(
      name, subject: name, frames: frames,
      labels: [LabeledSegment(0, 100, .high, .aligned)])
  }

  func choose(_ goal: TuningGoal) throws -> Choice {
    try Chooser(grid, table, goal).choose(Array(table.subjects.indices))
  }
}
