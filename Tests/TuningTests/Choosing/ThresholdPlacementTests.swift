import Evaluation
import PlankDetection
import PoseModel
import TestSupport
import Testing

@testable import Tuning

@Suite("Threshold placement")
struct ThresholdPlacementTests {
  /// Where the thresholds of one detector stand for everybody in some frames.
  private func placements(
    plank: [Rule], _ axes: [ParameterKey], _ frames: [(PlankClass, [Measurement: Float])]
  ) throws -> [ThresholdPlacement] {
    let detector = try DetectorDefinition(
      name: "own", summary: "", axes: .gravity, plank: DecisionList(.plank, plank),
      form: DecisionList(.form, [Rule(.form(.aligned))]))
    let data = try MeasuredData(variants: [[try PlacementCase.sequence("a", frames)]])
    let grid = try GridDefinition(
      [DetectorVariant(detector)], axes: axes.map { ParameterAxis($0, .list([0.1, 0.2, 0.3])) })
    return try PlacementCase.placements(grid, .plank, data)
  }

  private static let high = Rule(
    .plank(.high), when: [Predicate(.verticalRatio, .greater, .horizontalRatio)])

  @Test("The nearest class on the other side counts; classes beyond the rule's own do not")
  func nearest() throws {
    let frames: [(PlankClass, [Measurement: Float])] = [
      (.high, [.verticalRatio: 0.5]), (.forearm, [.verticalRatio: 0.25]),
      (.reverse, [.verticalRatio: 0]), (.sideLeft, [.verticalRatio: 0.625]),
    ]
    let rules = [
      Self.high, Rule(.plank(.sideLeft), when: [Predicate(.wristHipCosine, .less, .reverseCosine)]),
      Rule(.plank(.reverse), when: [Predicate(.wristHipCosine, .less, .trunkForearmVerticality)]),
      Rule(.plank(.forearm)),
    ]
    let all = frames.map { ($0.0, $0.1.merging([.wristHipCosine: 1]) { own, _ in own }) }
    let found = try placements(plank: rules, [.horizontalRatio], all)
    let pair = try #require(found.first?.pairs.first)
    #expect(pair.comparison == "verticalRatio > horizontal_ratio")
    #expect((pair.own.label, pair.other.label) == ("high", "forearm"))
    #expect((pair.own.median, pair.other.median) == (0.5, 0.25))
    #expect(found.first?.middle == 0.375)
  }

  @Test("A class that is not there, or that lies on the wrong side only, gives no place")
  func undefined() throws {
    let rules = [Self.high, Rule(.plank(.forearm))]
    #expect(
      try placements(plank: rules, [.horizontalRatio], [(.high, [.verticalRatio: 0.5])]).isEmpty)
    let reversed: [(PlankClass, [Measurement: Float])] = [
      (.high, [.verticalRatio: 0.25]), (.forearm, [.verticalRatio: 0.5]),
    ]
    #expect(try placements(plank: rules, [.horizontalRatio], reversed).isEmpty)
  }

  @Test(
    "`none`, a rule of two comparisons, and a class of two rules give no place",
    arguments: 0..<3)
  func notAlone(index: Int) throws {
    let frames: [(PlankClass, [Measurement: Float])] = [
      (.high, [.verticalRatio: 0.5, .wristHipCosine: 1]),
      (.forearm, [.verticalRatio: 0.25, .wristHipCosine: 0]),
      (.none, [.verticalRatio: 0.75, .wristHipCosine: 0]),
    ]
    let cosine = Predicate(.wristHipCosine, .greater, .reverseCosine)
    let rules: [[Rule]] = [
      [
        Rule(.plank(.none), when: [Predicate(.verticalRatio, .greater, .horizontalRatio)]),
        Rule(.plank(.high), when: [cosine]),
      ],
      [Rule(.plank(.high), when: Self.high.predicates + [cosine])],
      [Self.high, Rule(.plank(.high), when: [cosine])],
    ]
    let lone = try placements(
      plank: [Self.high, Rule(.plank(.forearm))], [.horizontalRatio], frames)
    #expect(lone.count == 1)
    let found = try placements(
      plank: rules[index] + [Rule(.plank(.forearm))], [.horizontalRatio], frames)
    #expect(found.isEmpty)
  }

  @Test("A negated parameter stands in the middle of negated values; two rules give the mean")
  func negated() throws {
    let rules = [
      Rule(.plank(.sideLeft), when: [Predicate(.shoulderRise, .greater, .sideRise)]),
      Rule(.plank(.sideRight), when: [Predicate(.shoulderRise, .less, .sideRise, negated: true)]),
      Rule(.plank(.forearm)),
    ]
    let frames: [(PlankClass, [Measurement: Float])] = [
      (.sideLeft, [.shoulderRise: 0.5]), (.sideRight, [.shoulderRise: -0.25]),
      (.forearm, [.shoulderRise: 0]),
    ]
    let found = try placements(plank: rules, [.sideRise], frames)
    #expect(found.first?.pairs.map(\.own.label) == ["sideLeft", "sideRight"])
    #expect(found.first?.middle == (0.25 + 0.125) / 2)
    let right = try placements(plank: rules, [.sideRise], [frames[1], frames[2]])
    #expect(right.first?.middle == 0.125)
  }

  @Test("Of values that are as good, the one halfway between the classes is chosen")
  func choice() async throws {
    let report = try await PlacementCase.tune(
      try PlacementCase(sag: -0.1, aligned: 0.02, pike: 0.2).data)
    #expect(report.choice.objective == 1)
    #expect(report.choice.plateau?.cells.count == 10 * 18 * 3)
    let values = try report.grid.parameters(of: report.choice.cell)
    #expect(values[.sag] == 0.04 && values[.pike] == 0.11)
    // What is compared with no measurement has the value of the plateau's center.
    #expect(values[.formFrames] == 2)
    #expect(report.choice.placements.map(\.key) == [.sag, .pike])
  }

  @Test("Outside the plateau the nearest value on it is chosen, seen from which its sides are told")
  func bounded() async throws {
    let spread = try PlacementCase(sag: -0.1, aligned: 0.02, pike: 0.2, stray: 0.155).data
    let axes = [
      ParameterAxis(.sag, .range(from: 0, to: 0.12, step: 0.01)),
      ParameterAxis(.pike, .range(from: 0, to: 0.25, step: 0.01)),
    ]
    let report = try await PlacementCase.tune(spread, try PlacementCase.definition(axes))
    #expect(report.choice.objective == 1)
    let values = try report.grid.parameters(of: report.choice.cell)
    #expect(values[.sag] == 0.04 && values[.pike] == 0.16)
    let plateau = try #require(report.choice.plateau)
    #expect(plateau.cells.contains(report.choice.cell) && plateau.cell == report.choice.cell)
    #expect(plateau.margin == 1 && plateau.cliffDistance == 1)
    let pike = try #require(plateau.axes.first { $0.key == .pike })
    #expect(pike.below == Plateau.Side(steps: 1, cliff: 0.15))
  }
}
