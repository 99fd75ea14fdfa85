import Evaluation
import PageDetector
import PlankDetection
import PoseDatasets
import PoseModel
import TestSupport
import Tuning

@testable import PlankBench

/// A random detector on a recording, and what each engine makes of it beside `planklab evaluate`.
///
/// A sweep gives sums and no answers. It is asked with the answers of `evaluate` as the truth: only
/// if every frame has the same answer, all frames are on the diagonal.
struct EngineCase {
  private let seed: Int
  private let detector: RandomDetectorFile
  private let bench: BenchDetector
  private let sequence: DatasetSequence
  /// What `planklab evaluate` answers.
  private let outcome: SequenceOutcome
  private let columns: MeasurementColumns
  private var random: SplitMix64
  /// Two cells of each sweep, with what the library makes of them.
  private var cells: [AnswerStream: [Cell]] = [:]

  /// How many frames the recording has.
  var frameCount: Int { outcome.frameCount }

  /// Draws a detector for one of some recordings.
  ///
  /// - Parameter refused: receives the reasons for which drawn detectors were not accepted.
  init(seed: Int, _ recordings: EngineRecordings, refused: inout [String]) throws {
    random = SplitMix64(spread: seed)
    self.seed = seed
    let index = random.index(below: recordings.sequences.count)
    sequence = recordings.sequences[index]
    detector = try RandomDetectorFile(&random, for: sequence.recording, refused: &refused)
    bench = try detector.bench()
    columns = bench.measure(sequence.recording)
    var remarks: [String] = []
    let evaluator = try SequenceEvaluator(
      of: recordings.collection, detector: bench, remarks: &remarks)
    outcome = try evaluator.run(recordings.collection.entries[index]).run.outcome
  }

  /// What differs between `evaluate` and the engines of this process, one after the other.
  mutating func differences() async throws -> [String] {
    var found = try libraryDifferences() + explanationDifferences()
    for stream in AnswerStream.allCases { found += try await sweepDifferences(stream) }
    return found.map { "detector \(seed): \($0); \(story)" }
  }

  /// The whole case, for whoever looks into a difference.
  private var story: String {
    "recording \(sequence.name), smoothing \(detector.smoothing ?? "none"), debounce "
      + "\(detector.debounce ?? "parameters")\n\(detector.text)"
  }

  /// The library answers every frame alike, frame by frame, as in an app.
  private func libraryDifferences() throws -> [String] {
    let answers = try answers(bench.detector.parameters)
    let batch = bench.detector.detect(
      columns, times: outcome.times, startsMid: sequence.startsMid)
    return AnswerStream.allCases.flatMap { stream in
      let own = outcome[stream]
      return answers[stream].enumerated().compactMap { frame, answer in
        let isSame =
          answer.code == own.answers[frame] && (answer.raw != nil) == own.isDetermined[frame]
          && (answer.raw ?? Debouncer.undetermined) == batch[stream].raw[frame]
        return isSame
          ? nil : "library, \(stream), frame \(frame): \(answer.code) and not \(own.answers[frame])"
      }
    }
  }

  /// What a detector with some values answers, frame by frame.
  private func answers(
    _ parameters: ParameterValues
  ) throws -> PerStream<[(code: UInt8, raw: UInt8?)]> {
    var causal = SmoothingStrategy.none
    if case .causal(let chain) = bench.smoothing { causal = chain }
    var detector = try PlankDetector(
      bench.detector.definition, parameters: parameters, smoothing: causal,
      debounce: bench.detector.debounce, startsMid: sequence.startsMid)
    let answers = try sequence.recording.poseFrames.map { try detector.update($0) }
    return PerStream { stream in
      answers.map { answer in
        stream == .plank
          ? (answer.plank.code, answer.rawPlank?.code) : (answer.form.code, answer.rawForm?.code)
      }
    }
  }

  /// `explain` says of every frame what was answered, and names the rule that gave the raw label.
  private func explanationDifferences() throws -> [String] {
    var found: [String] = []
    let context = RecordingContext(sequence: sequence)
    let whole = MomentExplanation(context, bench, frame: 0)
    for stream in AnswerStream.allCases {
      let answers = whole.answers[stream]
      if answers.answers != outcome[stream].answers { found.append("explain, \(stream): answers") }
      if answers.isHeld != outcome[stream].isHeld { found.append("explain, \(stream): held") }
      let (decisive, nearest) = try traced(stream)
      let rules = bench.detector.definition.list(stream).rules
      for (frame, raw) in answers.raw.enumerated() {
        let label = decisive[frame].map { rules[$0].label.code } ?? Debouncer.undetermined
        if label != raw { found.append("explain, \(stream), frame \(frame): rule and raw label") }
      }
      let distances = try bench.detector.nearestDistances(stream, columns, times: outcome.times)
      for frame in distances.indices where distances[frame] != nearest[frame] {
        found.append("explain, \(stream), frame \(frame): distance to the nearest comparison")
      }
    }
    return found
  }

  /// The place of the rule that decided each frame, nil for an undetermined one, and the relative
  /// distance of its nearest comparison.
  private func traced(_ stream: AnswerStream) throws -> (rules: [Int?], distances: [Double?]) {
    var rules: [Int?] = []
    var distances: [Double?] = []
    let detector = bench.detector
    try detector.forEachTrace(stream, columns, times: outcome.times, in: outcome.times.indices) {
      rules.append($1.firstIndex(where: \.decides))
      distances.append($1.nearestStep?.relativeDistance)
    }
    return (rules, distances)
  }
}

// The sweep.
extension EngineCase {
  /// A setting with the numbers that a sweep has for it.
  struct Cell: Encodable {
    let values: [String: Double]
    let frames: [Int]
    let transitions: Int
  }

  /// Sweeps some values of some parameters with every engine, and keeps the cell of the detector's
  /// own values and another one, among those around it.
  private mutating func sweepDifferences(_ stream: AnswerStream) async throws -> [String] {
    let data = try MeasuredData(variants: [[measured(stream)]])
    let variant = DetectorVariant(
      bench.detector.definition, base: bench.detector.parameters, debounce: bench.detector.debounce)
    let grid = try GridDefinition([variant], axes: axes(stream)).grid(stream, data)
    let values = bench.detector.parameters
    let own = try (0..<grid.cellCount).first { try grid.parameters(of: $0) == values }
    guard let own else { return ["sweep, \(stream): no cell has the detector's own values"] }
    let some = max(0, own - 8)..<min(own + 9, grid.cellCount)
    let table = try await StreamSweep(grid, data, engine: .streaming, keepsDetermined: true)
      .evaluate(some)
    var found: [String] = []
    let best = SweepKernelPath.current
    for name in SweepKernelPath.names
    where variant.isBitParallel(stream) && SweepKernelPath.use(name) {
      let sweep = StreamSweep(grid, data, engine: .bitParallel, keepsDetermined: true)
      if try await sweep.evaluate(some).storage != table.storage {
        found.append("sweep, \(stream): \(name) and streaming")
      }
    }
    _ = SweepKernelPath.use(best)
    return try found + cellDifferences(stream, table, grid, own: own)
  }

  private mutating func cellDifferences(
    _ stream: AnswerStream, _ table: CellTable, _ grid: StreamGrid, own: Int
  ) throws -> [String] {
    var found: [String] = []
    let place = table.ids.firstIndex(of: own) ?? 0
    for cell in [place, random.index(below: table.ids.count)] {
      let expected = try self.cell(stream, grid.parameters(of: table.ids[cell]))
      if table.confusion(at: cell, sequence: 0) != expected.frames
        || table.transitions(at: cell, sequence: 0) != expected.transitions
      {
        found.append("sweep, \(stream): cell \(table.ids[cell]) and library")
      }
      cells[stream, default: []].append(expected)
    }
    let labels = stream.labels.count
    let right = (0..<labels).map { table.confusion(at: place, sequence: 0)[$0 * (labels + 1)] }
    if right.reduce(0, +) != frameCount {
      found.append("sweep, \(stream): a frame differs from evaluate")
    }
    return found
  }

  /// What the library makes of some values, counted here.
  private func cell(_ stream: AnswerStream, _ values: ParameterValues) throws -> Cell {
    let labels = stream.labels.count
    let codes = try answers(values)[stream].map { Int($0.code) }
    var frames = Array(repeating: 0, count: labels * labels)
    for (truth, answer) in zip(outcome[stream].answers, codes) {
      frames[Int(truth) * labels + answer] += 1
    }
    let named = values.entries.map { ($0.definition.key.rawValue, $0.value) }
    return Cell(
      values: Dictionary(uniqueKeysWithValues: named), frames: frames,
      transitions: zip(codes, codes.dropFirst()).count { $0 != $1 })
  }

  /// The recording with the answers of `evaluate` as the truth of a stream.
  private func measured(_ stream: AnswerStream) throws -> MeasuredSequence {
    let (times, codes) = (outcome.times, outcome[stream].answers)
    var segments: [LabeledSegment] = []
    var start = 0
    for frame in codes.indices where frame + 1 == codes.count || codes[frame + 1] != codes[frame] {
      let end = frame + 1 == codes.count ? times[frame] + 1 : times[frame + 1]
      segments.append(
        LabeledSegment(
          start: Seconds(times[start]), end: Seconds(end),
          plank: stream == .plank ? PlankClass(code: codes[frame]) : .high,
          form: stream == .plank ? nil : FormClass(code: codes[frame])))
      start = frame + 1
    }
    return MeasuredSequence(
      name: sequence.name, subject: nil, times: times,
      truth: try LabelTrack(segments).truth(at: times), startsMid: sequence.startsMid,
      frameWeight: outcome.frameWeight, columns: columns)
  }

  /// The detector's own value and up to two others of up to two thresholds, of the debounce length
  /// and of the hold.
  private mutating func axes(_ stream: AnswerStream) -> [ParameterAxis] {
    let parameters = bench.detector.parameters
    let keys = bench.detector.definition.list(stream).parameterKeys
    var axes: [ParameterAxis] = []
    for key in random.shuffled(keys).prefix(2) {
      guard let own = parameters[key],
        let range = parameters.definitions.first(where: { $0.key == key })?.range
      else { continue }
      let others = (0..<2).map { _ in random.uniform(range) }.filter { $0 != own }
      axes.append(ParameterAxis(key, .list(Array(Set([own] + others)))))
    }
    let length = stream == .plank ? ParameterKey.plankFrames : .formFrames
    for (key, values) in [(length, [1, 4, 64]), (.holdSeconds, [0, 0.25, 2])]
    where random.chance(0.5) {
      let own = [parameters[key]].compactMap(\.self)
      axes.append(ParameterAxis(key, .list(Array(Set(own + values)))))
    }
    return axes
  }
}

// What runs in pages.
extension EngineCase {
  /// The case as the scripts of pages read it; `scripts/browser/engine_answers.mjs` compares.
  struct Page: Encodable {
    let seed: Int
    let detector: String
    let columns: [String]
    let times: String
    let start: Double
    let frames: Int
    let startsMid: Bool
    let streams: [Stream]
  }

  /// What is expected of a stream.
  struct Stream: Encodable {
    let raw: [UInt8]
    let answers: [UInt8]
    let held: [Bool]
    let rules: [Int?]
    let comparisons: Int
    /// The thresholds page with `evaluate`'s answers as the truth; nil where it has no sliders.
    let studio: StudioContent?
    let cells: [Cell]
  }

  /// What pages must give; the cells are those that `differences` swept.
  func page() throws -> Page {
    var streams: [Stream] = []
    let answers = bench.detector.detect(
      columns, times: outcome.times, startsMid: sequence.startsMid)
    for stream in AnswerStream.allCases {
      let list = bench.detector.definition.list(stream)
      streams.append(
        Stream(
          raw: answers[stream].raw, answers: outcome[stream].answers,
          held: outcome[stream].isHeld, rules: try traced(stream).rules,
          comparisons: list.rules.reduce(0) { $0 + $1.predicates.count },
          studio: bench.detector.debounce == .parameters ? try studio(stream) : nil,
          cells: cells[stream] ?? []))
    }
    return Page(
      seed: seed, detector: DetectorLines.text(of: bench.detector),
      columns: bench.detector.measurements.members.map {
        PackedColumn.text(columns[$0].map(\.bitPattern))
      },
      times: PackedTimes.text([outcome.times]), start: outcome.times.first ?? 0,
      frames: frameCount, startsMid: sequence.startsMid, streams: streams)
  }

  private func studio(_ stream: AnswerStream) throws -> StudioContent {
    let identity = Evaluation.DatasetIdentity(
      name: "engines", hash: "", posesHash: "", labelsHash: "", manifestHash: "", split: nil)
    return StudioData(
      [try measured(stream)], bench, base: bench.detector.parameters, identity: identity,
      command: []
    ).content()
  }
}
