import Evaluation
import Foundation
import PageDetector
import PlankDetection
import PoseDatasets
import PoseModel
import PoseRecording
import TestSupport
import Testing
import Tuning

@testable import PlankBench
@testable import Reports

/// Everything that answers frames answers them as `planklab evaluate` does, whatever the detector.
///
/// `PLANKLAB_DETECTORS` says how many detectors are drawn, or which: `500`, or `2000-2999`.
@Suite("Engines") struct EngineAgreementPropertyTests {
  static let hasNode = (try? run("node", ["--version"]))?.status == 0

  /// Seeds, at most 50 of them in a batch.
  static let batches: [Range<Int>] = {
    let text = ProcessInfo.processInfo.environment["PLANKLAB_DETECTORS"] ?? "12"
    let numbers = text.split(separator: "-").compactMap { Int($0) }
    let seeds = numbers.count == 2 ? numbers[0]..<numbers[1] + 1 : 0..<(numbers.first ?? 0)
    precondition(!seeds.isEmpty, "PLANKLAB_DETECTORS is \(text); give 500, or 2000-2999")
    return stride(from: seeds.lowerBound, to: seeds.upperBound, by: 50).map {
      $0..<min($0 + 50, seeds.upperBound)
    }
  }()

  @Test(
    "The library, `explain`, every engine of sweeps and the pages answer as `evaluate` does",
    arguments: batches)
  func agreement(seeds: Range<Int>) async throws {
    let recordings = try EngineRecordings()
    var refused: [String] = []
    var pages: [EngineCase.Page] = []
    for seed in seeds {
      var example = try EngineCase(seed: seed, recordings, refused: &refused)
      let differences = try await example.differences()
      #expect(differences.isEmpty, "\(differences.prefix(3).joined(separator: "\n"))")
      pages.append(try example.page())
    }
    // Most of what is drawn is a detector.
    #expect(refused.count < seeds.count, "\(refused.prefix(3))")
    guard Self.hasNode else { return }
    try expectEqual(pages, in: recordings.folder)
  }

  /// Hands cases to the scripts of pages, which run in node.
  private func expectEqual(_ pages: [EngineCase.Page], in folder: TemporaryFolder) throws {
    let lines = try pages.map { String(decoding: try JSONEncoder().encode($0), as: UTF8.self) }
    let file = try folder.write(lines.map { $0 + "\n" }.joined(), to: "pages.jsonl")
    let run = try Self.run(
      "node", [Repository.file("scripts/browser/engine_answers.mjs").path, file])
    #expect(run.status == 0, "\(run.output.prefix(2000))")
    let frames = pages.reduce(0) { $0 + 2 * $1.frames }
    let cells = pages.reduce(0) { sum, page in
      page.streams.reduce(sum) { $0 + ($1.thresholds == nil ? 0 : $1.cells.count) }
    }
    #expect(
      run.output.contains("compared \(frames) answers and \(cells) cells\n"),
      "\(run.output.suffix(200))")
  }

  @Test("Pages are compared too", .enabled(if: hasNode, "needs node"))
  func node() { #expect(Self.hasNode) }

  private static func run(
    _ program: String, _ arguments: [String]
  ) throws -> (status: Int32, output: String) {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [program] + arguments
    let pipe = Pipe()
    (process.standardOutput, process.standardError) = (pipe, pipe)
    try process.run()
    let output = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return (process.terminationStatus, String(decoding: output, as: UTF8.self))
  }
}

/// A random detector on a recording, and what each engine makes of it beside `planklab evaluate`.
///
/// A sweep gives sums and no answers. It is asked with the answers of `evaluate` as the truth: only
/// if every frame has the same answer, all frames are on the diagonal.
struct EngineCase {
  private let seed: Int
  private let detector: RandomDetectorFile
  private let bench: BenchDetector
  private let sequence: DatasetSequence
  private let outcome: SequenceOutcome
  private let columns: MeasurementColumns
  private var random: SplitMix64
  private var cells: [AnswerStream: [Cell]] = [:]

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
    let table = try await StreamSweep(grid, data, engine: .streaming)
      .evaluate(some)
    var found: [String] = []
    let best = SweepKernelPath.current
    for name in SweepKernelPath.names
    where variant.isBitParallel(stream) && SweepKernelPath.use(name) {
      let sweep = StreamSweep(grid, data, engine: .bitParallel)
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
    let columns: String
    let times: String
    let start: Double
    let frames: Int
    let startsMid: Bool
    let streams: [Stream]
  }

  struct Stream: Encodable {
    let raw: [UInt8]
    let answers: [UInt8]
    let held: [Bool]
    let rules: [Int?]
    let comparisons: Int
    /// The thresholds page with `evaluate`'s answers as the truth; nil where it has no sliders.
    let thresholds: ThresholdsContent?
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
          thresholds: bench.detector.debounce == .parameters ? try thresholds(stream) : nil,
          cells: cells[stream] ?? []))
    }
    return Page(
      seed: seed, detector: DetectorLines.text(of: bench.detector),
      columns: PackedColumn.text(
        bench.detector.measurements.members.flatMap { columns[$0].map(\.bitPattern) }),
      times: PackedTimes.text([outcome.times]), start: outcome.times.first ?? 0,
      frames: frameCount, startsMid: sequence.startsMid, streams: streams)
  }

  private func thresholds(_ stream: AnswerStream) throws -> ThresholdsContent {
    let identity = Evaluation.DatasetIdentity(
      name: "engines", hash: "", posesHash: "", labelsHash: "", manifestHash: "", split: nil)
    return ThresholdsData(
      sequences: [try measured(stream)], bench: bench, base: bench.detector.parameters,
      identity: identity, command: []
    ).content()
  }
}

/// A dataset of short recordings that ask everything of a detector: people of the scripted dataset,
/// bodies that cannot be, gaps around the hold time, lost joints, few joints, and images.
final class EngineRecordings {
  /// The recordings; a third of them start inside a hold.
  let collection: DatasetCollection
  let sequences: [DatasetSequence]
  let folder: TemporaryFolder

  /// Writes the dataset to a folder of its own and opens it, as `planklab evaluate` does.
  init(frames: Int = 150) throws {
    folder = try TemporaryFolder()
    var manifest = "name: engines\ndescription: \"for engines\"\nlicense: MIT\nsequences:\n"
    for (index, recording) in try Self.recordings(frames).enumerated() {
      let name = "recording-\(index).poses.jsonl"
      try folder.write(PoseRecordingText.bytes(of: recording), to: name)
      manifest += "  - poses: \(name)\n" + (index.isMultiple(of: 3) ? "    starts: mid\n" : "")
    }
    try folder.write(manifest, to: "dataset.yaml")
    let reader = try DatasetReader(path: folder.path)
    collection = try DatasetCollection([.init(reader, split: nil)])
    let opened = collection
    sequences = try opened.entries.map { try opened.load($0) }
  }

  private static func recordings(_ frames: Int) throws -> [Recording] {
    let scripted = try [
      "s01-floor", "s01-upside-down", "s02-sides", "s04-pelvis", "s05-clip",
    ].flatMap { name in
      let whole = try RecordingReader.read(
        path: Repository.file("datasets/scripted/\(name).poses.jsonl").path
      ).recording
      return [0, whole.frameCount - frames].map { slice(whole, from: max(0, $0), frames) }
    }
    let oracle = try (0..<8 as Range<UInt64>).map { seed in
      var generator = OracleGenerator(seed: seed)
      let text = generator.recordingText(frames: frames)
      return try RecordingReader.read(text: text, name: "oracle").recording
    }
    let nonsense = (0..<6 as Range<UInt64>).map { seed in
      RandomRecording.make(seed: seed, frames: frames, holdSeconds: 0.5)
    }
    var random = SplitMix64(seed: 3)
    let upper = Skeleton.vision3d.joints.filter { !"\($0)".contains("Ankle") }
    let few = scripted.prefix(2).map { copy($0, .vision3d, upper, losing: 0.02, &random) }
    let images = [scripted[0], scripted[5], oracle[1], oracle[2]].enumerated().map { index, one in
      let skeleton: Skeleton = index.isMultiple(of: 2) ? .vision2d : .coco17
      return copy(one, skeleton, skeleton.joints, losing: 0.03, &random)
    }
    return scripted + oracle + nonsense + few + images
  }

  private static func slice(_ recording: Recording, from start: Int, _ count: Int) -> Recording {
    var part = Recording(header: recording.header)
    for frame in start..<min(start + count, recording.frameCount) {
      let stride = recording.layout.stride
      let pose = Array(recording.positions[frame * stride..<(frame + 1) * stride])
      part.append(
        time: Seconds(recording.times[frame]), pose: recording.hasPose(at: frame) ? pose : nil,
        extras: recording.extras(at: frame))
    }
    return part
  }

  /// The same movement with other joints, some of them lost; an image shows its x and y.
  private static func copy(
    _ recording: Recording, _ skeleton: Skeleton, _ joints: [Joint], losing share: Double,
    _ random: inout SplitMix64
  ) -> Recording {
    let isImage = skeleton.dimension == 2
    var header = RecordingHeader(
      skeleton: skeleton, joints: joints,
      frame: isImage ? .image : recording.header.frame)
    if isImage { (header.imageWidth, header.imageHeight) = (1600, 800) }
    var copy = Recording(header: header)
    for frame in 0..<recording.frameCount {
      var pose: [Float] = []
      var confidences: [Float] = []
      for joint in joints {
        let position = recording.position(of: joint, at: frame)
        let isLost = random.chance(share)
        confidences.append(isLost || position == nil ? 0 : Float(random.uniform(0.1, 1)))
        guard let position, !isLost else {
          pose += Array(repeating: .nan, count: skeleton.dimension)
          continue
        }
        let (x, y) = (Float(0.5 + position.x / 4), Float(0.5 + position.y / 4))
        switch skeleton {
        case .vision3d: pose += [Float(position.x), Float(position.y), Float(position.z)]
        case .vision2d: pose += [x, y]
        case .coco17: pose += [x * 1600, (1 - y) * 800]
        }
      }
      let isFound = recording.hasPose(at: frame)
      pose.withUnsafeBufferPointer { pose in
        confidences.withUnsafeBufferPointer { confidences in
          copy.append(
            time: recording.times[frame], pose: isFound ? pose : nil,
            extras: isImage ? FrameExtras() : recording.extras(at: frame),
            confidences: isImage && isFound ? confidences : nil)
        }
      }
    }
    return copy
  }
}
