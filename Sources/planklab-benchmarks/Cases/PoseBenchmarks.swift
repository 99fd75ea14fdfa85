import Evaluation
import Foundation
import PlankDetection
import PoseDatasets
import PoseModel

struct DetectBenchmark {
  let recording: Recording
  let detector: BatchDetector

  func measure() -> UInt64 {
    let columns = detector.measure(recording)
    var sum = Checksum()
    for measurement in columns.measurements.members {
      for value in columns[measurement] { sum.add(value) }
    }
    return sum.value
  }

  func classify(_ columns: MeasurementColumns) -> UInt64 {
    let answers = detector.detect(columns, times: recording.times, startsMid: false)
    return Checksum(
      zip(answers.plank.answers, answers.form.answers).lazy.map { UInt64($0) << 8 | UInt64($1) }
    ).value
  }

  func stream() throws -> UInt64 {
    var detector = try PlankDetector(detector.definition, parameters: detector.parameters)
    var pose = Pose()
    var sum = Checksum()
    let axesReader = AxesReader(recording.header)
    for frame in 0..<recording.frameCount {
      guard let axes = axesReader.axes(at: frame, of: recording) else { continue }
      pose.load(recording, frame: frame)
      let answer = try detector.update(
        PoseFrame(
          time: Seconds(recording.times[frame]), pose: pose, axes: axes,
          bodyHeight: recording.bodyHeight(at: frame)))
      sum.add(UInt64(answer.plank.code) << 8 | UInt64(answer.form.code))
    }
    return sum.value
  }
}

struct EvaluateBenchmark {
  let outcome: SequenceOutcome

  init(_ recording: Recording, _ answers: DetectionColumns) throws {
    let planks = PlankClass.allCases
    let segments = stride(from: 0, to: recording.frameCount - 90, by: 90).map { frame in
      LabeledSegment(
        start: Seconds(recording.times[frame]), end: Seconds(recording.times[frame + 90]),
        plank: planks[frame / 90 % planks.count],
        form: planks[frame / 90 % planks.count] == .none ? nil : .aligned)
    }
    outcome = SequenceOutcome(
      name: "benchmark", times: recording.times,
      truth: try LabelTrack(segments).truth(at: recording.times),
      plank: StreamOutcome(answers: answers.plank.answers),
      form: StreamOutcome(answers: answers.form.answers), frameWeight: recording.frameWeight)
  }

  func score() -> UInt64 {
    let evaluation = SequenceEvaluation(outcome, detail: .report)
    var sum = Checksum()
    for stream in AnswerStream.allCases {
      for cell in evaluation.scores[stream].confusion.cells { sum.add(UInt64(cell)) }
      sum.add(UInt64(evaluation.scores[stream].stability.predictedTransitions))
    }
    return sum.value
  }
}

struct LoadBenchmark {
  let frames: Int
  private let text: [UInt8]

  init(frames: Int, seed: UInt64 = 1) {
    self.frames = frames
    text = SyntheticText.recording(frames: frames, seed: seed)
  }

  func read() throws -> Recording {
    try RecordingReader.read(bytes: text, name: "memory").recording
  }

  func checksum(_ recording: Recording) -> UInt64 {
    var sum = Checksum()
    for frame in 0..<recording.frameCount {
      sum.add(recording.times[frame])
      let start = frame * recording.layout.stride
      for index in 0..<recording.layout.stride { sum.add(recording.positions[start + index]) }
    }
    return sum.value
  }
}

struct PoseNetBenchmark {
  private let tensors: PoseNetTensors

  static let people = 4
  private static let side = 33
  private static let stride = 16

  /// Each joint of a body is a peak of scores over 5 x 5 places.
  init(seed: UInt64) {
    let (cells, edges) = (Self.side * Self.side, Self.edges)
    var scores = [Float](repeating: 0, count: cells * 17)
    var offsets = [Float](repeating: 0, count: cells * 34)
    var forward = [Float](repeating: 0, count: cells * 32)
    var backward = forward
    var random = SplitMix64(seed: seed)
    for person in 0..<Self.people {
      let joints = (0..<17).map { _ in
        let place = SIMD2(random.uniform(), random.uniform())
        return SIMD2(Double(40 + 128 * person), 40) + place * SIMD2(90, 430)
      }
      for (part, joint) in joints.enumerated() {
        for cell in Self.cells(around: joint) {
          let place =
            SIMD2(Double(cell % Self.side), Double(cell / Self.side)) * Double(Self.stride)
          let way = joint - place
          scores[cell * 17 + part] = Float(exp(-(way * way).sum() / 512))
          offsets[cell * 34 + part] = Float(way.y)
          offsets[cell * 34 + 17 + part] = Float(way.x)
          func point(_ displacements: inout [Float], _ edge: Int, to other: Int) {
            displacements[cell * 32 + edge] = Float(joints[other].y - joint.y)
            displacements[cell * 32 + 16 + edge] = Float(joints[other].x - joint.x)
          }
          for (index, edge) in edges.enumerated() {
            if edge.parent == part { point(&forward, index, to: edge.child) }
            if edge.child == part { point(&backward, index, to: edge.parent) }
          }
        }
      }
    }
    tensors = PoseNetTensors(
      rows: Self.side, columns: Self.side, stride: Self.stride, scores: scores, offsets: offsets,
      forward: forward, backward: backward)
  }

  func decode(_ reading: PoseNetDecoding.Reading) -> UInt64 {
    var sum = Checksum()
    for person in PoseNetDecoder(PoseNetDecoding(reading)).people(in: tensors) {
      sum.add(person.score)
      for point in person.points {
        sum.add(point?.position.x ?? .nan)
        sum.add(point?.position.y ?? .nan)
      }
    }
    return sum.value
  }

  private static func cells(around joint: SIMD2<Double>) -> [Int] {
    let (row, column) = (Int(joint.y) / stride, Int(joint.x) / stride)
    return (row - 2...row + 2).flatMap { row in
      (column - 2...column + 2).compactMap { column in
        (0..<side).contains(row) && (0..<side).contains(column) ? row * side + column : nil
      }
    }
  }

  private static let edges: [(parent: Int, child: Int)] = [
    (0, 1), (1, 3), (0, 2), (2, 4), (0, 5), (5, 7), (7, 9), (5, 11), (11, 13), (13, 15),
    (0, 6), (6, 8), (8, 10), (6, 12), (12, 14), (14, 16),
  ]
}

enum ExpressionDetectors {
  static func gravity() throws -> DetectorDefinition {
    let texts: [PlankDetection.Measurement: String] = [
      .verticalRatio: "abs(height(centerShoulder - ankles)) / length(centerShoulder - ankles)",
      .shoulderRise: "height(leftShoulder - rightShoulder)",
      .wristHipCosine: "dot(direction(centerShoulder, root), direction(centerShoulder, wrists))",
      .elbowAngle: "mean(angle(leftShoulder, leftElbow, leftWrist), "
        + "angle(rightShoulder, rightElbow, rightWrist))",
      .hipDeviation: "deviation(root, centerShoulder, ankles)",
    ]
    func list(_ list: DecisionList) throws -> DecisionList {
      let rules = try list.rules.map { rule in
        Rule(
          rule.label,
          when: try rule.predicates.map { predicate in
            Predicate(
              try PlankDetection.Measurement(
                "own_" + predicate.measurement.name, texts[predicate.measurement] ?? ""),
              predicate.comparison, predicate.parameter, negated: predicate.isNegated)
          })
      }
      return try DecisionList(list.stream, rules)
    }
    let gravity = DetectorDefinition.gravity
    return try DetectorDefinition(
      name: "gravity as expressions", summary: gravity.summary, axes: gravity.axes,
      plank: list(gravity.plank), form: list(gravity.form))
  }

  static func windows() throws -> DetectorDefinition {
    let gravity = DetectorDefinition.gravity
    let pace = try PlankDetection.Measurement("pace", "abs(speed(height(root - ankles), 0.5s))")
    let sway = try PlankDetection.Measurement("sway", "range(shoulderRise, 1s) * 1Hz")
    let drift = try PlankDetection.Measurement(
      "drift", "abs(relative(when(hipDeviation, verticalRatio < 0.5), 2s)) * 1Hz")
    let moving = try Condition(
      "pace > pace_limit or sway > pace_limit or drift > pace_limit",
      measurements: [pace, sway, drift])
    return try DetectorDefinition(
      name: "windows", summary: "gravity while nothing moves", axes: .gravity,
      plank: DecisionList(.plank, Rule.rules(.plank(.none), when: moving) + gravity.plank.rules),
      form: gravity.form,
      custom: [
        ParameterDefinition(
          ParameterKey("pace_limit"), unit: .metersPerSecond, default: 5, range: 0...10,
          meaning: "speed beyond which nothing is held")
      ])
  }
}
