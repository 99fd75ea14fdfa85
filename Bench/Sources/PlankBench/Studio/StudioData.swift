internal import Evaluation
internal import Parallelism
internal import ParameterTuning
@_spi(Bench) internal import PlankDetection
internal import PoseDatasets
@_spi(Bench) internal import PoseModel

/// A dataset measured once, the data of a page of `planklab studio`: everything but the thresholds.
struct StudioData: Sendable {
  /// The labeled sequences, measured and smoothed.
  let sequences: [MeasuredSequence]
  /// The detector and the initial values of the sliders.
  private let bench: BenchDetector
  /// The values of the detector without assignments.
  private let base: ParameterValues
  private let identity: Evaluation.DatasetIdentity
  private let command: [String]

  /// Measures a dataset.
  ///
  /// - Parameters:
  ///   - path: the dataset's folder or manifest.
  ///   - split: the split to take; nil for all sequences.
  ///   - detector: the detector, debounced by its parameters.
  ///   - base: the values that `command` already has.
  ///   - command: the command that evaluates the same, without assignments.
  /// - Throws: an error for a dataset that is missing or wrong, or has no labels.
  init(
    of path: String, split: String?, detector: BenchDetector, base: ParameterValues,
    command: [String], progress: @escaping ProgressReport
  ) async throws {
    let reader = try DatasetAccess.open(path)
    let entries = try reader.sequences(split: split).filter { $0.labelsPath != nil }
    guard !entries.isEmpty else {
      throw WorkflowFailure(
        .badData, "\(path): no sequence has labels; label some with `planklab label`")
    }
    let measured = try await ConcurrentMap.run(entries, progress: progress) { entry in
      Self.measure(try reader.load(entry), detector)
    }
    let identity = try DatasetIdentities.identity(of: reader, split: split, progress: progress)
    self.init(measured, detector, base: base, identity: identity, command: command)
  }

  /// Takes measured sequences.
  init(
    _ sequences: [MeasuredSequence], _ bench: BenchDetector, base: ParameterValues,
    identity: Evaluation.DatasetIdentity, command: [String]
  ) {
    self.sequences = sequences
    self.bench = bench
    self.base = base
    self.identity = identity
    self.command = command
  }

  private static func measure(
    _ sequence: DatasetSequence, _ bench: BenchDetector
  ) -> MeasuredSequence {
    MeasuredSequence(
      name: sequence.name, subject: sequence.subject, times: sequence.recording.times,
      truth: sequence.truth(), startsMid: sequence.startsMid,
      frameWeight: sequence.recording.frameWeight, columns: bench.measure(sequence.recording))
  }

  /// How many frames there are.
  var frameCount: Int { sequences.reduce(0) { $0 + $1.times.count } }

  /// The data that the page's script reads.
  ///
  /// - Parameter progress: called with how many of the packed columns are done, which take most of
  ///   the time, and how many there are.
  func json(progress: (_ done: Int, _ total: Int) -> Void = { _, _ in }) -> JSONValue {
    let definition = bench.detector.definition
    let members = definition.measurements.members
    let columns = members.enumerated().map { index, measurement in
      progress(index, members.count)
      return JSONValue.string(column(measurement))
    }
    progress(members.count, members.count)
    return .object([
      "dataset": .string(identity.name), "split": .optional(identity.split),
      "dataset_hash": .string(identity.hash), "program": .string("planklab " + PlankLab.version),
      "detector": .string(definition.name), "description": .string(definition.summary),
      "smoothing": .string(bench.smoothingText),
      "command": .string(command.map(ShellWord.quoted).joined(separator: " ")),
      "thresholds": JSONValue(encoding: thresholds),
      "parameters": parameters,
      "measurements": .array(
        members.map {
          .object(["name": .string($0.name), "unit": .string($0.unit.rawValue)])
        }),
      "slack": .number(FrameTiming.slack), "sequences": sequenceFacts,
      "times": .string(PackedTimes.text(sequences.map(\.times))),
      "streams": .array(AnswerStream.allCases.map { stream($0, members) }),
      "columns": .array(columns),
      "kernel": .string(Base64.text(of: PageFile.bytes("sweep.wasm"))),
    ])
  }

  private var thresholds: Thresholds {
    Thresholds(
      definition: bench.detector.definition, parameters: bench.detector.parameters,
      smoothing: bench.smoothing, debounce: .parameters)
  }

  /// The parameters on which answers depend, with what a slider must know.
  private var parameters: JSONValue {
    let variant = DetectorVariant(bench.detector.definition)
    let used = Set(AnswerStream.allCases.flatMap { variant.keys($0) })
    let start = bench.detector.parameters
    return .array(
      start.entries.filter { used.contains($0.definition.key) }.map { definition, value in
        .object([
          "key": .string(definition.key.rawValue), "unit": .string(definition.unit.rawValue),
          "meaning": .string(definition.meaning), "is_integer": .bool(definition.isInteger),
          "least": .number(definition.range.lowerBound),
          "greatest": .number(definition.range.upperBound), "start": .number(value),
          "default": .number(definition.defaultValue),
          "base": .number(base[definition.key] ?? value),
        ])
      })
  }

  private var sequenceFacts: JSONValue {
    .array(
      sequences.map {
        .object([
          "name": .string($0.name), "frames": .integer($0.times.count),
          "start": .number($0.times.first ?? 0), "weight": .number($0.frameWeight.value),
          "starts_mid": .bool($0.startsMid),
        ])
      })
  }

  /// A measurement of all frames, one sequence after the other.
  private func column(_ measurement: Measurement) -> String {
    PackedColumn.text(sequences.flatMap { $0.columns[measurement].map(\.bitPattern) })
  }

  private func stream(_ stream: AnswerStream, _ columns: [Measurement]) -> JSONValue {
    let facts = StreamFacts(stream, sequences).sequences
    let list = bench.detector.definition.list(stream)
    let frames = stream == .plank ? ParameterKey.plankFrames : .formFrames
    return .object([
      "name": .string(stream.rawValue), "labels": .array(stream.labels.map(JSONValue.string)),
      "frames": .string(frames.rawValue), "hold": .string(ParameterKey.holdSeconds.rawValue),
      "rules": .array(list.rules.map { rule($0, columns) }),
      "sentences": .array(list.sentences.map(JSONValue.string)),
      "truth": .string(PackedColumn.text(sequences.flatMap { $0.truth.codes(stream) })),
      "determined": .string(
        PackedColumn.text(sequences.flatMap { determined(list.measurements.members, in: $0) })),
      "evaluated_seconds": .number(facts.reduce(0) { $0 + $1.evaluatedSeconds.value }),
      "true_transitions": .integer(facts.reduce(0) { $0 + $1.trueTransitions }),
      "onsets": .array(facts.enumerated().flatMap { onsets(of: $1, sequence: $0) }),
    ])
  }

  private func rule(_ rule: Rule, _ columns: [Measurement]) -> JSONValue {
    .object([
      "label": .integer(Int(rule.label.code)),
      "predicates": .array(
        rule.predicates.map { predicate in
          guard let column = columns.firstIndex(of: predicate.measurement) else {
            preconditionFailure("the columns hold every measurement of the rules")
          }
          return .object([
            "column": .integer(column),
            "comparison": .integer(Int(predicate.comparison.kernelCode)),
            "parameter": .string(predicate.parameter.rawValue),
            "is_negated": .bool(predicate.isNegated),
          ])
        }),
    ])
  }

  /// One number per frame: 1 if none of the list's measurements is missing.
  private func determined(_ mentioned: [Measurement], in sequence: MeasuredSequence) -> [UInt8] {
    var result = [UInt8](repeating: 1, count: sequence.times.count)
    for measurement in mentioned {
      for (frame, value) in sequence.columns[measurement].enumerated()
      where MeasuredValue.isMissing(value) { result[frame] = 0 }
    }
    return result
  }

  /// Label, first frame, frame after the last, whether the start was seen, and the duration.
  private func onsets(of facts: StreamFacts.SequenceFacts, sequence: Int) -> [JSONValue] {
    facts.onsets.map { onset in
      .array([
        .integer(sequence), .integer(Int(onset.label)), .integer(onset.frames.lowerBound),
        .integer(onset.frames.upperBound), .bool(onset.isObserved), .number(onset.duration.value),
      ])
    }
  }
}

/// Frame times as whole microseconds from one frame to the next.
struct MicrosecondSteps {
  /// The steps; the first is 0.
  private(set) var steps: [UInt32] = []
  /// Whether the times are restored exactly: the start in whole microseconds, plus the steps, over
  /// a million.
  private(set) var isExact = true

  /// Finds the steps between ascending times.
  init(_ times: [Double]) {
    var previous: Double?
    for time in times {
      let whole = (time * 1e6).rounded()
      let step = whole - (previous ?? whole)
      guard whole / 1e6 == time, let step = UInt32(exactly: step) else {
        isExact = false
        return
      }
      steps.append(step)
      previous = whole
    }
  }
}

/// Frame times packed for a page.
enum PackedTimes {
  /// The steps between the times of sequences, one after the other: whole microseconds where that is
  /// exact, else the bits of the times themselves.
  static func text(_ times: [[Double]]) -> String {
    let steps = times.map { MicrosecondSteps($0) }
    guard steps.allSatisfy(\.isExact) else {
      return "bits:" + PackedColumn.text(times.flatMap { $0.map(\.bitPattern) })
    }
    return "steps:" + PackedColumn.text(steps.flatMap(\.steps))
  }
}

/// Numbers packed for a page: their bytes sorted by place, deflated, in base64.
///
/// Bytes of equal place have more in common than neighbors: measurements shrink by another tenth.
enum PackedColumn {
  /// Packs whole numbers or the bits of others.
  static func text<Number: FixedWidthInteger & UnsignedInteger>(_ numbers: [Number]) -> String {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(numbers.count * MemoryLayout<Number>.size)
    for place in stride(from: 0, to: Number.bitWidth, by: 8) {
      for number in numbers { bytes.append(UInt8(truncatingIfNeeded: number >> Number(place))) }
    }
    guard let packed = PackedBytes.deflated(bytes) else {
      preconditionFailure("no memory to pack \(bytes.count) bytes")
    }
    return Base64.text(of: packed)
  }
}
