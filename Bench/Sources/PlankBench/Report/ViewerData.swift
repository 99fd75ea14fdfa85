internal import Evaluation
internal import PageDetector
internal import Parallelism
@_spi(Bench) internal import PlankDetection
internal import PoseDatasets
@_spi(Bench) internal import PoseModel

/// What the viewer of a report reads: the detector, the stretches of every matrix, and the poses and
/// measurements of the sequences that are wrong for longest.
struct ViewerData: Sendable {
  /// How many sequences a page shows where nobody asks for another number.
  static let usualSequences = 20
  /// How many bytes the poses and measurements take at most, so that a report stays under 5 MB.
  static let largestBytes = 3_600_000
  /// How many stretches of a cell are listed.
  static let longestStretches = 100

  /// The blocks of data in the page.
  let blocks: [(id: String, data: JSONValue)]
  /// How many sequences can be looked at.
  let sequenceCount: Int

  /// Gathers the data of an evaluation.
  ///
  /// Of equal sequences the first one is taken; a sequence that no longer fits ends the choice.
  ///
  /// - Parameters:
  ///   - runs: what the evaluation left behind, in the order of the entries.
  ///   - datasets: where the sequences are.
  ///   - bench: the detector that was evaluated.
  ///   - explain: the command that explains a moment.
  ///   - limit: how many sequences to take at most.
  /// - Throws: an error for a sequence that can no longer be read.
  init(
    _ runs: [SequenceRun], of datasets: DatasetCollection, _ bench: BenchDetector,
    explain: ExplainCommand, limit: Int, progress: ProgressReport
  ) throws {
    let wrongSeconds = runs.map { run in
      run.stretches.reduce(0) { $0 + ($1.isWrong ? $1.duration.value : 0) }
    }
    let order = runs.indices.sorted { (-wrongSeconds[$0], $0) < (-wrongSeconds[$1], $1) }
    var places: [Int: Int] = [:]
    var shown: [(id: String, data: JSONValue)] = []
    var bytes = 0
    let most = min(limit, order.count)
    for (place, index) in order.prefix(limit).enumerated() {
      progress(place, most, "sequences of the page")
      let sequence = try datasets.load(datasets.entries[index])
      guard sequence.recording.frameCount > 0 else { continue }
      let data = Self.sequence(sequence, bench)
      bytes += data.text.utf8.count
      guard bytes <= Self.largestBytes else { break }
      places[index] = shown.count
      shown.append((id: "sequence-\(shown.count)-data", data: data))
    }
    progress(most, most, "sequences of the page")
    let sequences = runs.enumerated().map { index, run in
      Self.facts(run, explain, block: places[index])
    }
    let head = Self.head(bench, runs, sequences)
    blocks = [(id: "viewer-data", data: head)] + shown
    sequenceCount = shown.count
  }

  private static func head(
    _ bench: BenchDetector, _ runs: [SequenceRun], _ sequences: [JSONValue]
  ) -> JSONValue {
    let detector = bench.detector
    return .object([
      "program": .string(PackedColumn.text(PageFile.bytes("detector.wasm"))),
      "detector": .string(DetectorLines.text(of: detector)),
      "measurements": .array(
        detector.measurements.members.map { measurement in
          .object([
            "name": .string(measurement.name), "unit": .string(measurement.unit.rawValue),
            "thresholds": .array(
              LabelingStrip.Threshold.all(of: measurement, in: detector).map { threshold in
                .object(["name": .string(threshold.name), "value": .number(threshold.value)])
              }),
          ])
        }),
      "streams": .array(AnswerStream.allCases.map { stream($0, detector, runs) }),
      "sequences": .array(sequences),
    ])
  }

  private static func facts(
    _ run: SequenceRun, _ explain: ExplainCommand, block: Int?
  ) -> JSONValue {
    let row = run.evaluation.scores
    let command = explain.line(sequence: row.name)
    let facts = [
      row.subject.map { "subject \($0)" }, NumberText.count(row.plank.frames.frames, "frame"),
    ]
    return .object([
      "name": .string(row.name),
      "facts": .string(facts.compactMap(\.self).joined(separator: ", ")),
      "command": .array([.string(command.before), .string(command.after)]),
      "block": .optional(block.map(Double.init)),
      "wrong": .bool(run.stretches.contains { $0.isWrong }),
    ])
  }

  private static func stream(
    _ stream: AnswerStream, _ detector: BatchDetector, _ runs: [SequenceRun]
  ) -> JSONValue {
    let words = DebounceWords(detector, stream)
    let cells = stretches(stream, runs)
    return .object([
      "name": .string(stream.rawValue), "labels": .array(stream.labels.map(JSONValue.string)),
      "rules": .array(detector.definition.list(stream).rules.map { rule($0, stream) }),
      "needs": .object([
        "enter": .string(words.need(from: 0, to: 1)), "exit": .string(words.need(from: 1, to: 0)),
        "switch": .string(words.need(from: 1, to: 2)),
      ]),
      "hold": .string(NumberText.fixed(detector.parameters[.holdSeconds] ?? 0, 3)),
      "counts": .array(cells.counts.map(JSONValue.integer)), "stretches": .array(cells.longest),
    ])
  }

  private static func rule(_ rule: Rule, _ stream: AnswerStream) -> JSONValue {
    .object([
      "label": .string(rule.label.name),
      "comparisons": .array(
        rule.predicates.map { predicate in
          .object([
            "text": .string("\(predicate)"),
            "measurement": .string(predicate.measurement.name),
            "unit": .string(predicate.measurement.unit.rawValue),
          ])
        }),
    ])
  }

  /// The longest stretches of every cell, longest first, and how many there are by truth and answer.
  ///
  /// A stretch is sequence, truth, answer, first frame, frame behind the last, start and seconds.
  private static func stretches(
    _ stream: AnswerStream, _ runs: [SequenceRun]
  ) -> (longest: [JSONValue], counts: [Int]) {
    var all = runs.enumerated().flatMap { index, run in
      run.stretches.filter { $0.stream == stream }.map { (sequence: index, stretch: $0) }
    }
    // Sorting by place too keeps equal stretches in the order of the data.
    all = all.enumerated().sorted {
      (-$0.element.stretch.duration.value, $0.offset)
        < (-$1.element.stretch.duration.value, $1.offset)
    }.map(\.element)
    var counts = [Int](repeating: 0, count: stream.labels.count * stream.labels.count)
    var longest: [JSONValue] = []
    for (sequence, stretch) in all {
      let cell = Int(stretch.truth) * stream.labels.count + Int(stretch.answer)
      counts[cell] += 1
      guard counts[cell] <= longestStretches else { continue }
      longest.append(
        .array([
          .integer(sequence), .integer(Int(stretch.truth)), .integer(Int(stretch.answer)),
          .integer(stretch.frames.lowerBound), .integer(stretch.frames.upperBound),
          .number(stretch.start.value), .number(stretch.duration.value),
        ]))
    }
    return (longest: longest, counts: counts)
  }

  /// A sequence with its poses, rounded to a millimeter, and its measurements as they are.
  private static func sequence(_ sequence: DatasetSequence, _ bench: BenchDetector) -> JSONValue {
    let recording = sequence.recording
    let poses = UprightPoses(recording)
    let columns = bench.measure(recording)
    let truth = sequence.truth()
    return .object([
      "frames": .integer(recording.frameCount), "start": .number(recording.times.first ?? 0),
      "end": .number(LabelingData.end(of: recording)),
      "times": .string(PackedTimes.text([recording.times])),
      "starts_mid": .bool(sequence.startsMid),
      "joints": .array(recording.header.joints.map { .string($0.name) }),
      "bones": .array(LabelingData.bones(of: recording.header)),
      "dimension": .integer(recording.layout.dimension), "unit": .number(poses.unit),
      "states": .string(PackedColumn.text(poses.states.map(\.rawValue))),
      "positions": .string(PackedColumn.text(steps(poses.positions, recording.layout.stride))),
      "truth": .array(
        AnswerStream.allCases.map { .string(PackedColumn.text(truth.codes($0))) }),
      "columns": .array(
        bench.detector.measurements.members.map {
          .string(PackedColumn.text(columns[$0].map(\.bitPattern)))
        }),
    ])
  }

  /// Positions as steps from the frame before, which pack to half the size; sums wrap around.
  private static func steps(_ positions: [Int16], _ stride: Int) -> [UInt16] {
    positions.indices.map { place in
      let before = place < stride ? 0 : positions[place - stride]
      return UInt16(bitPattern: positions[place] &- before)
    }
  }
}
