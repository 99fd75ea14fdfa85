import Evaluation
import PlankDetection
import PoseModel
import TestSupport
import Testing

@testable import Tuning

@Suite("Refinement") struct RefinementTests {
  @Test("A band around a limit is also around its limit for calibrated people")
  func calibratedBand() throws {
    let detector = DetectorVariant(
      .coach, debounce: try DebounceStrategy(text: "bands:coach_pike_angle=2deg"))
    #expect(detector.shifts(of: ParameterKey("coach_pike_angle_calibrated")) == [2, -2])
    #expect(detector.shifts(of: ParameterKey("coach_sag_angle_calibrated")).isEmpty)
  }

  /// Two people of whom a twentieth of the frames is aligned at one depth, and as many sag at another.
  ///
  /// On the grid every threshold is wrong in one or the other; only between the depths in neither.
  private func refined(aligned: Float, sag: Float) async throws -> Refinement {
    let labels = [
      LabeledSegment(0, 200.0 / 30, .high, .aligned),
      LabeledSegment(200.0 / 30, 400.0 / 30, .high, .sag),
    ]
    let column = (0..<400).map { frame -> Float in
      switch frame {
      case 100..<120: -aligned
      case 300..<320: -sag
      case ..<200: 0
      default: -0.1
      }
    }
    let report = try await tuned(
      ["a", "b"].map { name in
        try MeasuredSequence(name, subject: name, labels: labels, [.hipDeviation: column])
      }, sag: [0.04, 0.06])
    return try #require(report.refinement)
  }

  /// Tunes the accuracy of form over two values of `sag`.
  private func tuned(
    _ sequences: [MeasuredSequence], sag: [Double], tolerance: Double = 0.01
  ) async throws -> TuningReport {
    try await StreamTuner(
      GridDefinition(
        [DetectorVariant(.gravity)],
        axes: [ParameterAxis(.sag, .list(sag)), ParameterAxis(.formFrames, .list([1]))]),
      MeasuredData(variants: [sequences]),
      TuningGoal(MetricKey(tunable: "form.accuracy"), tolerance: tolerance),
      TuningOptions(validation: nil, resamples: 0)
    ).tune()
  }

  @Test("A value between those of the grid that gains is taken from the middle of its interval")
  func wide() async throws {
    let refinement = try await refined(aligned: 0.045, sag: 0.055)
    let step = try #require(refinement.steps.first)
    #expect(refinement.steps.count == 1)
    #expect(step.isTaken)
    #expect(abs(step.gain - 0.05) < 1e-9)
    #expect(abs(step.to - 0.05) < 1e-6)
    #expect(refinement.parameters[.sag] == step.to)
    #expect(abs(refinement.objective - 1) < 1e-9)
  }

  @Test("Of values that gain alike, the one nearest to halfway between the classes is taken")
  func towardTheMiddle() async throws {
    // Frames without a form make breakpoints that change nothing, from 3 to 7 cm.
    let unjudged: [Float] = [0.036, 0.044, 0.05, 0.06]
    let labels = [
      LabeledSegment(0, 196.0 / 30, .high, .aligned), LabeledSegment(196.0 / 30, 204.0 / 30, .high),
      LabeledSegment(204.0 / 30, 400.0 / 30, .high, .sag),
    ]
    let column = (0..<400).map { frame -> Float in
      switch frame {
      case 100..<120: -0.03
      case 300..<320: -0.07
      case 196..<204: -unjudged[frame % 4]
      case ..<200: 0.01
      default: -0.09
      }
    }
    let report = try await tuned(
      ["a", "b"].map { name in
        try MeasuredSequence(name, subject: name, labels: labels, [.hipDeviation: column])
      }, sag: [0.02, 0.08])
    let step = try #require(report.refinement?.steps.first)
    #expect(abs(step.interval.lowerBound - 0.03) < 1e-6)
    #expect(abs(step.interval.upperBound - 0.07) < 1e-6)
    #expect(step.isTaken && abs(step.to - 0.04) < 1e-6)
  }

  @Test("A gain in only a sliver of an axis is reported but not taken")
  func knifeEdge() async throws {
    let refinement = try await refined(aligned: 0.05, sag: 0.0501)
    let step = try #require(refinement.steps.first)
    #expect(step.obstacle == .knifeEdge)
    #expect(abs(step.gain - 0.05) < 1e-9)
    #expect(step.interval.upperBound - step.interval.lowerBound < 0.0002)
    #expect(refinement.parameters[.sag] == step.from)
    #expect(abs(refinement.objective - 0.95) < 1e-9)
  }

  @Test("A gain between any two of thousands of observed values is found")
  func everyBreakpoint() async throws {
    let count = 4000
    let middle = Double(count / 2) / 30
    let labels = [
      LabeledSegment(0, middle, .high, .aligned), LabeledSegment(middle, 200, .high, .sag),
    ]
    // Aligned frames come closer and closer to 5 cm, sagging ones to the next number beyond it.
    let column = (0..<count).map { frame -> Float in
      let offset = Float(abs(frame - count / 2) + (frame < count / 2 ? 0 : 1)) * 1e-5
      return frame < count / 2 ? -0.05 + offset : -0.05 - offset
    }
    let report = try await tuned(
      [try MeasuredSequence("a", subject: "a", labels: labels, [.hipDeviation: column])],
      sag: [0.0305, 0.0695], tolerance: 0.6)
    let step = try #require(report.refinement?.steps.first)
    #expect(abs(step.to - 0.05) < 1e-5)
    #expect(abs(report.choice.objective + step.gain - 1) < 1e-12)
    #expect(step.interval.upperBound - step.interval.lowerBound < 2.1e-5)
  }
}

/// Lines of breakpoints beside a sweep of all of them by the streaming detector.
@Suite("Line of breakpoints") struct RefinementLineOracleTests {
  private static let metrics = [
    "accuracy", "balanced_accuracy", "transitions_per_minute", "hit_rate",
    "detection_latency_p50_s",
  ]

  /// A random detector with or without hysteresis, on recordings of a few people.
  private struct Example {
    let definition: GridDefinition
    let data: MeasuredData
    let goal: TuningGoal
    let key: ParameterKey
    let parameters: [ParameterValues]

    init?(seed: Int, _ stream: AnswerStream) throws {
      var random = SplitMix64(spread: seed + 9000)
      let drawn = try RandomCase(seed: seed).grid
      let detector = drawn.detectors[0]
      let keys = detector.definition.list(stream).parameterKeys
      guard !keys.isEmpty else { return nil }
      key = random.pick(keys)
      let debounce = try DebounceStrategy(
        bands: random.chance(0.4) ? [SchmittBand(random.pick(keys), halfWidth: 0.07)] : [])
      definition = try GridDefinition(
        [DetectorVariant(detector.definition, base: detector.base, debounce: debounce)],
        axes: [ParameterAxis(key, .list([0, 0.1, 0.3, 0.5]))], constraints: drawn.constraints)
      data = try MeasuredData(
        variants: [(0..<6).map { RandomCase.sequence("q\($0)", size: 150, &random) }])
      let names = random.shuffled(RefinementLineOracleTests.metrics)
      goal = try TuningGoal(
        MetricKey(tunable: "\(stream.rawValue).\(names[0])"),
        constraints: [
          MetricConstraint(
            MetricKey(tunable: "\(stream.rawValue).\(names[1])"), .atMost, random.pick([0.5, 20]))
        ])
      var current = detector.base
      try current.set(key, to: 0.3)
      var other = current
      for own in keys where own != key { try other.set(own, to: random.uniform()) }
      parameters = [current, other]
    }
  }

  @Test(
    "Every breakpoint has the objective that a sweep gives it, for all folds",
    arguments: Draws.seeds(40))
  func breakpoints(seed: Int) async throws {
    for stream in AnswerStream.allCases {
      guard let example = try Example(seed: seed, stream) else { continue }
      let options = TuningOptions(allowsUngrouped: true)
      let groups = try SubjectGroups(
        example.data.sequences.map { (name: $0.name, subject: $0.subject) }, allowsUngrouped: true)
      let grid = try example.definition.grid(stream, example.data)
      let everyone = Array(groups.names.indices)
      let folds = everyone.map { left in everyone.filter { $0 != left } }.filter { !$0.isEmpty }
      let walks = try RefinementWalks(stream, example.data, options)
      for (jobs, current) in zip([1, 3], example.parameters) {
        for people in [everyone] + folds {
          let line = try await Refiner(
            constraints: example.definition.constraints, grid: grid, walks: walks,
            goal: example.goal, people: people, jobs: jobs
          ).line(grid.variants[0].axes[0], 0...0.5, current, 0)
          let sequences = people.flatMap { groups.sequences[$0] }.sorted()
          let expected = try await swept(example, current, try example.data.selecting(sequences))
          #expect(line?.tried ?? [] == expected.tried, "seed \(seed) \(stream)")
          #expect(line?.gains ?? [] == expected.gains, "seed \(seed) \(stream)")
        }
      }
    }
  }

  /// All breakpoints and their gains, every one of them from the whole data.
  private func swept(
    _ example: Example, _ current: ParameterValues, _ data: MeasuredData
  ) async throws -> (tried: [Double], gains: [Double?]) {
    let variant = example.definition.detectors[0]
    var observed: Set<Double> = []
    let lists = [variant.definition.plank, variant.definition.form]
    for predicate in lists.flatMap(\.rules).flatMap(\.predicates)
    where predicate.parameter == example.key {
      for value in data.sequences.flatMap({ $0.columns[predicate.measurement] })
      where value.isFinite {
        let own = predicate.isNegated ? -Double(value) : Double(value)
        for shift in [0] + variant.shifts(of: example.key) { observed.insert(own - shift) }
      }
    }
    let values = observed.filter { (0...0.5).contains($0) }.sorted()
    guard values.count > 1, let own = current[example.key] else { return (tried: [], gains: []) }
    let middles = zip(values, values.dropFirst()).map { $0 + ($1 - $0) / 2 }
    let tried = Set(middles + [own]).sorted()
    let definition = try GridDefinition(
      [variant.with(current)], axes: [ParameterAxis(example.key, .list(tried))],
      constraints: example.definition.constraints)
    let grid = try definition.grid(example.goal.stream, data)
    let cells = try await StreamSweep(grid, data, engine: .streaming).evaluate(0..<grid.cellCount)
    let table = try SubjectTable(cells, allowsUngrouped: true)
    let everyone = Array(table.subjects.indices)
    let gains = tried.indices.map { cell -> Double? in
      guard let place = cells.position(of: cell),
        example.goal.constraints.allSatisfy({
          $0.violation(table.value($0.metric, at: place, everyone)) == 0
        })
      else { return nil }
      return table.value(example.goal.objective, at: place, everyone).map(example.goal.gain)
    }
    return (tried: tried, gains: gains)
  }

  @Test(
    "The least number at which a condition changes is exact", arguments: [-0.25, 0, 1e-300, 0.3])
  func firstChange(turn: Double) {
    #expect((-1.0...1).firstChange { $0 >= turn } == turn)
    #expect((-1.0...1).firstChange { $0 > turn } == turn.nextUp)
    #expect((-1.0...1).firstChange { Float($0) >= Float(0.1) } < Double(Float(0.1)))
  }
}
