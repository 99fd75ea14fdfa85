import Evaluation
import PlankDetection
import PoseModel
import TestSupport
import Testing

@testable import Tuning

@Suite("Threshold placement") struct ThresholdPlacementTests {
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

  @Test(
    "`none`, a rule of two comparisons, and a class of two rules give no place", arguments: 0..<3)
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
      ], [Rule(.plank(.high), when: Self.high.predicates + [cosine])],
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

@Suite("Threshold placement against a naive one") struct ThresholdPlacementOracleTests {
  private struct Plain {
    let subject: String
    let source: String?
    let rate: Double
    let frames: [(form: FormClass, height: Float)]
  }

  private static let typical: [FormClass: Double] = [.sag: -0.07, .aligned: 0.02, .pike: 0.12]

  private func recordings(_ random: inout SplitMix64) -> [Plain] {
    let sources = random.pick([1, 3])
    return (0..<random.integer(4...8)).map { index in
      let source = "d\(index % sources)"
      let forms = random.shuffled(FormClass.allCases).prefix(random.integer(1...3))
      return Plain(
        subject: "\(source)/s\(index / 2)", source: sources > 1 ? source : nil,
        rate: random.pick([4, 30, 60]),
        frames: (0..<random.integer(1...25)).map { _ in
          let form = random.pick(Array(forms))
          let height = (Self.typical[form] ?? 0) + random.uniform(-0.04, 0.04)
          let measured = Float((height * 50).rounded() / 50)
          return (form: form, height: random.chance(0.1) ? .nan : measured)
        })
    }
  }

  /// The middle of all numbers with at most half of the weight on either side.
  private func median(_ frames: [(value: Double, weight: Double)]) -> Double? {
    let half = frames.reduce(0) { $0 + $1.weight } * (0.5 + 1e-9)
    let middles = frames.map(\.value).filter { value in
      frames.filter { $0.value < value }.reduce(0) { $0 + $1.weight } <= half
        && frames.filter { $0.value > value }.reduce(0) { $0 + $1.weight } <= half
    }
    guard let least = middles.min(), let most = middles.max() else { return nil }
    return (least + most) / 2
  }

  private func median(_ form: FormClass, _ drawn: [String], _ all: [Plain]) -> Double? {
    let medians = Set(all.map(\.source)).sorted { ($0 ?? "") < ($1 ?? "") }.compactMap { source in
      median(
        drawn.flatMap { subject in
          all.filter { $0.subject == subject && $0.source == source }.flatMap { recording in
            recording.frames.filter { $0.form == form && $0.height.isFinite }
              .map { (value: Double($0.height), weight: 1 / recording.rate) }
          }
        })
    }
    return medians.isEmpty ? nil : medians.reduce(0, +) / Double(medians.count)
  }

  @Test(
    "Medians are those of the drawn people's time, averaged over sources",
    arguments: Draws.seeds(60))
  func medians(seed: Int) throws {
    var random = SplitMix64(spread: seed)
    let all = recordings(&random)
    let data = try MeasuredData(variants: [
      try all.enumerated().map { index, plain in
        try PlacementCase.sequence(
          "q\(index)", subject: plain.subject, source: plain.source, rate: plain.rate, plain.frames)
      }
    ])
    let subjects = Set(all.map(\.subject)).sorted()
    let drawn = subjects.map { _ in random.index(below: subjects.count) }
    let found = try PlacementCase.placements(PlacementCase.definition(), .form, data, drawn: drawn)
    let names = drawn.map { subjects[$0] }
    let (sag, aligned, pike) = (
      median(.sag, names, all), median(.aligned, names, all), median(.pike, names, all)
    )
    // What sags is told from the nearer of the two others that lies above it.
    let others = [aligned, pike].compactMap(\.self)
    let above = others.filter { other in sag.map { other > $0 } ?? false }
    let lower = sag.flatMap { sag in above.min().map { -(sag + $0) / 2 } }
    let upper = pike.flatMap { pike in aligned.flatMap { $0 < pike ? ($0 + pike) / 2 : nil } }
    for (key, expected) in [(ParameterKey.sag, lower), (.pike, upper)] {
      let middle = found.first { $0.key == key }?.middle
      #expect((middle == nil) == (expected == nil))
      if let middle, let expected { #expect(abs(middle - expected) < 1e-9) }
    }
  }
}

@Suite("Threshold placement on any data") struct ThresholdPlacementPropertyTests {
  private func data(_ seed: Int, sources: Int = 1) throws -> MeasuredData {
    var people = SimulatedPeople(seed: seed, personBias: 0.01, sourceBias: 0.01)
    return try MeasuredData(variants: [
      try people.sequences(sources: sources, people: 4, recordings: 1)
    ])
  }

  @Test("No cell of the plateau with the same frames is nearer to the middles", arguments: 0..<10)
  func nearest(seed: Int) async throws {
    let report = try await PlacementCase.tune(try data(seed, sources: 1 + seed % 3))
    let plateau = try #require(report.choice.plateau)
    #expect(plateau.cells.contains(report.choice.cell))
    func distance(_ cell: Int) throws -> Double {
      let values = try report.grid.parameters(of: cell)
      return report.choice.placements.reduce(0) { sum, placement in
        let offset = ((values[placement.key] ?? 0) - placement.middle) / placement.gap
        return sum + offset * offset
      }
    }
    let own = try distance(report.choice.cell)
    let frames = try report.grid.parameters(of: report.choice.cell)[.formFrames]
    for cell in plateau.cells where try report.grid.parameters(of: cell)[.formFrames] == frames {
      #expect(try distance(cell) >= own - 1e-9)
    }
  }
}

/// Two people whose hips hang, lie and stand at given heights, in meters, in a recording each.
struct PlacementCase {
  let data: MeasuredData

  /// Makes the recordings.
  ///
  /// - Parameter stray: where every third frame lies that is truly aligned; nil for with the others.
  init(sag: Float, aligned: Float, pike: Float, stray: Float? = nil) throws {
    let heights = [(FormClass.sag, sag), (.aligned, aligned), (.pike, pike)]
    let sequences = try ["a", "b"].flatMap { person in
      try heights.map { form, height in
        try Self.sequence(
          "\(person) \(form)", subject: person, rate: 30,
          (0..<30).map { frame in
            (form, form == .aligned && frame % 3 == 0 ? stray ?? height : height)
          })
      }
    }
    data = try MeasuredData(variants: [sequences])
  }

  /// A recording of frames with a true form and a height of the hips.
  static func sequence(
    _ name: String, subject: String, source: String? = nil, rate: Double,
    _ frames: [(form: FormClass, height: Float)]
  ) throws -> MeasuredSequence {
    try sequence(
      name, subject: subject, source: source, rate: rate, frames.map { (.high, $0.form) },
      [.hipDeviation: frames.map(\.height)])
  }

  /// A recording of frames with a true plank and measurements.
  static func sequence(
    _ name: String, _ frames: [(PlankClass, [Measurement: Float])]
  ) throws -> MeasuredSequence {
    var columns: [Measurement: [Float]] = [:]
    for measurement in Set(frames.flatMap(\.1.keys)) {
      columns[measurement] = frames.map { $0.1[measurement] ?? .nan }
    }
    return try sequence(
      name, subject: name, source: nil, rate: 30, frames.map { ($0.0, nil) }, columns)
  }

  private static func sequence(
    _ name: String, subject: String, source: String?, rate: Double,
    _ labels: [(plank: PlankClass, form: FormClass?)], _ columns: [Measurement: [Float]]
  ) throws -> MeasuredSequence {
    let segments = labels.enumerated().map { frame, label in
      LabeledSegment(
        Double(frame) / rate, Double(frame + 1) / rate, label.plank, label.form)
    }
    return try MeasuredSequence(
      name, subject: subject, source: source, rate: rate, startsMid: true, labels: segments, columns
    )
  }

  /// Where the thresholds of a grid with one variant stand for some or all subjects.
  static func placements(
    _ definition: GridDefinition, _ stream: AnswerStream, _ data: MeasuredData, drawn: [Int]? = nil
  ) throws -> [ThresholdPlacement] {
    let grid = try definition.grid(stream, data)
    let people = try SubjectGroups(
      data.sequences.map { (name: $0.name, subject: $0.subject) }, allowsUngrouped: false)
    return try ClassMedians(grid, people, data).placements(0, drawn ?? Array(people.names.indices))
  }

  /// Sag and pike in steps of a centimeter, the published rules.
  static func definition(_ axes: [ParameterAxis]? = nil) throws -> GridDefinition {
    try GridDefinition(
      [DetectorVariant(.gravity)],
      axes: axes ?? [
        ParameterAxis(.sag, .range(from: 0, to: 0.12, step: 0.01)),
        ParameterAxis(.pike, .range(from: 0, to: 0.25, step: 0.01)),
        ParameterAxis(.formFrames, .list([1, 2, 3])),
      ])
  }

  /// What tuning the balanced accuracy of form gives, without refinement and validation.
  static func tune(
    _ data: MeasuredData, _ definition: GridDefinition? = nil, engine: SweepEngine = .automatic
  ) async throws -> TuningReport {
    try await StreamTuner(
      definition ?? Self.definition(), data,
      TuningGoal(MetricKey(tunable: "form.balanced_accuracy")),
      TuningOptions(validation: nil, resamples: 0, refines: false, engine: engine)
    ).tune()
  }
}
