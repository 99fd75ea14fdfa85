import PlankDetection
import PoseModel
import TestSupport
import Testing

@Suite("Windows of expressions") struct ExpressionWindowTests {
  /// A recording in which the root is at given heights, nil if it is missing.
  private func column(
    _ text: String, _ heights: [Double?], times: [Double]? = nil, rate: Double = 10
  ) throws -> [MeasuredValue] {
    let header = RecordingHeader(skeleton: .vision3d, joints: [.root, .spine], frame: .camera)
    var recording = Recording(header: header)
    for (index, height) in heights.enumerated() {
      let root: [Float] = height.map { [0, Float($0), 0] } ?? [.nan, .nan, .nan]
      recording.append(
        time: Seconds(times?[index] ?? Double(index) / rate), pose: root + [0, 0, 0])
    }
    let measurement = try Measurement("it", text)
    let columns = MeasurementColumns(recording, [measurement], reading: .gravity)
    return heights.indices.map { columns.measured(measurement, at: $0) }
  }

  @Test("Speed is the slope per second, with its sign, once half of the window is there")
  func speed() throws {
    let rising = try column("speed(height(root), 0.4s)", (0..<8).map { Double($0) * 0.25 })
    #expect(rising[0] == .inapplicable && rising[1] == .inapplicable)
    for value in rising[2...] { #expect(abs((value.number ?? .nan) - 2.5) < 1e-5) }
    let falling = try column("speed(height(root), 0.4s)", (0..<8).map { -Double($0) * 0.25 })
    #expect(abs((falling[7].number ?? .nan) + 2.5) < 1e-5)
  }

  @Test("Range is the largest minus the smallest of the last seconds, the older end not included")
  func range() throws {
    let values = try column("range(height(root), 0.3s)", [0, 4, 1, 1, 1, 1])
    #expect(values == [.inapplicable, .inapplicable, .value(4), .value(3), .value(0), .value(0)])
  }

  @Test("Relative is the difference to the median of the first seconds, which must be over")
  func relative() throws {
    let values = try column("relative(height(root), 0.3s)", [1, 9, 2, 5, 2, 1])
    #expect(
      values == [
        .inapplicable, .inapplicable, .inapplicable, .value(3), .value(0), .value(-1),
      ])
  }

  @Test("A frame without a value changes nothing; a gap over half a second starts afresh")
  func gaps() throws {
    let short = try column("relative(height(root), 0.2s)", [1, 1, nil, 4, nil, nil, nil, 5])
    #expect(short[2] == .missing && short[3] == .value(3) && short[7] == .value(4))
    let long = try column(
      "relative(height(root), 0.2s)", [1, 1, 4, nil, nil, nil, nil, nil, 6, 6, 7])
    #expect(long[2] == .value(3) && long[8] == .inapplicable && long[10] == .value(1))
  }

  @Test("`when` ties a window to a posture: other frames are as good as lost")
  func posture() throws {
    let values = try column(
      "relative(when(height(root), height(root) > 2m), 0.2s)", [1, 1, 3, 3, 1, 4, 5])
    #expect(values[4] == .inapplicable && values[1] == .inapplicable)
    #expect(values[5] == .value(1) && values[6] == .value(2))
  }

  @Test("An angle that wraps around is not a jump for a window")
  func turns() throws {
    let text = "speed(atan2(height(root), 1m * (1 - 2 * height(spine) / 1m) * -1), 0.4s)"
    let values = try column(text, [0.2, 0.1, 0.05, -0.05, -0.1, -0.2])
    for value in values[2...] { #expect((value.number ?? 0) > 20 && (value.number ?? 900) < 90) }
  }

  @Test("What comes later changes nothing of what came before")
  func causality() throws {
    let heights = (0..<40).map { Double(($0 * 7) % 13) }
    let text = "speed(relative(height(root), 0.5s), 0.3s) + range(height(root), 1s) * 1Hz"
    let whole = try column(text, heights)
    #expect(Array(whole.prefix(25)) == (try column(text, Array(heights.prefix(25)))))
  }
}

@Suite("Expressions against the naive evaluator") struct ExpressionOracleTests {
  private func compare(_ tree: NaiveExpression, seed: UInt64, frames: Int) throws {
    let measurement = try Measurement("it", tree.text)
    let recording = RandomRecording.make(seed: seed, frames: frames, holdSeconds: 0.5)
    let columns = MeasurementColumns(
      recording, [measurement, .smallerKneeAngle], reading: .gravity)
    let history = (0..<frames).map { NaiveFrame(recording, $0, columns) }
    let expected = tree.values(history)
    let needs = tree.needs
    for frame in 0..<frames {
      let measured = columns.measured(measurement, at: frame)
      let isMissing =
        history[frame].map { frame in
          !needs.joints.allSatisfy { frame.joints[$0] != nil }
            || (needs.height && frame.height == nil)
        } ?? true
      #expect((measured == .missing) == isMissing, "frame \(frame) of \(tree.text)")
      guard !isMissing else { continue }
      let (found, wanted) = (measured.number.map(Double.init), expected[frame])
      if let found, let wanted {
        let limit = 1e-4 * max(1, abs(wanted))
        #expect(abs(found - wanted) <= limit, "frame \(frame) of \(tree.text)")
      } else {
        #expect(found == nil && wanted == nil, "frame \(frame) of \(tree.text)")
      }
    }
  }

  @Test("A random expression gives what the guide says", arguments: Draws.seeds(200 as UInt64))
  func agreement(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let unit = random.pick(["m", "deg", ""])
    let tree = NaiveExpression.random(&random, unit: unit, depth: random.integer(0...3))
    try compare(tree, seed: seed, frames: 60)
  }

  @Test("So does its speed", arguments: Draws.seeds(60 as UInt64))
  func speed(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let tree = NaiveExpression.random(&random, unit: random.pick(["m", ""]), depth: 1)
    try compare(.window("speed", tree, random.pick([0.3, 0.8])), seed: seed, frames: 60)
  }
}

@Suite("Detectors of expressions, by property") struct ExpressionDetectorPropertyTests {
  private static let limit = ParameterKey("limit")
  private static let pace = ParameterKey("pace")

  /// A detector whose rules mention expressions with and without windows.
  private func definition() throws -> DetectorDefinition {
    let bend = try Measurement("bend", "min(kneeAngle, 180deg)")
    let pace = try Measurement("pace_of_hips", "abs(speed(height(root - ankles), 0.3s))")
    let own = try Measurement("own", "relative(when(bodyAngle, verticalRatio < 0.7), 0.5s)")
    let unused = try Measurement("unused", "own * 2", using: [own])
    return try DetectorDefinition(
      name: "mine", summary: "", axes: .gravity,
      plank: DecisionList(
        .plank,
        [
          Rule(.plank(.none), when: [Predicate(pace, .greater, Self.pace)]),
          Rule(.plank(.high), when: [Predicate(bend, .less, Self.limit)]), Rule(.plank(.forearm)),
        ]),
      form: DecisionList(
        .form,
        [
          Rule(.form(.pike), when: [Predicate(own, .less, Self.limit, negated: true)]),
          Rule(.form(.aligned)),
        ]
      ), expressions: [own, unused],
      custom: [
        ParameterDefinition(Self.limit, unit: .degrees, default: 100, range: 0...180, meaning: ""),
        ParameterDefinition(
          Self.pace, unit: .metersPerSecond, default: 0.5, range: 0...10, meaning: ""),
      ])
  }

  @Test("A detector's expressions are those it was given and those its rules mention")
  func expressions() throws {
    let definition = try definition()
    #expect(definition.expressions.map(\.name) == ["own", "unused", "bend", "pace_of_hips"])
    #expect(!definition.measurements.members.map(\.name).contains("unused"))
    #expect(
      definition.reportedMeasurements.members.map(\.name).suffix(2) == ["pace_of_hips", "unused"])
  }

  @Test("Two measurements of one name are an error")
  func repeatedName() throws {
    let first = try Measurement("bend", "kneeAngle")
    let second = try Measurement("bend", "elbowAngle")
    let gravity = DetectorDefinition.gravity
    #expect(throws: DetectorError.invalidMeasurementName("bend", isTaken: true)) {
      try DetectorDefinition(
        name: "", summary: "", axes: .gravity, plank: gravity.plank, form: gravity.form,
        expressions: [first, second])
    }
  }

  @Test(
    "Columns measured with others are the same to the bit", arguments: Draws.seeds(10 as UInt64))
  func independence(seed: UInt64) throws {
    let definition = try definition()
    let recording = RandomRecording.make(seed: seed, frames: 150, holdSeconds: 0.5)
    let all = MeasurementColumns(
      recording, definition.reportedMeasurements, reading: .gravity)
    for measurement in definition.expressions {
      let alone = MeasurementColumns(recording, [measurement], reading: .gravity)
      #expect(alone[measurement].bits == all[measurement].bits)
    }
  }
}
