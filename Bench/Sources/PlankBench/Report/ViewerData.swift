internal import Evaluation
internal import PageDetector
internal import Parallelism
@_spi(Bench) internal import PlankDetection
internal import PoseDatasets
@_spi(Bench) internal import PoseModel

/// The data for the viewer of a report: the detector, the stretches of every matrix, and the poses
/// and measurements of the sequences that are wrong for longest.
struct ViewerData: Sendable {
  /// How many sequences a page shows by default.
  static let usualSequences = 20
  /// The largest size of the poses and measurements in bytes, so that a report stays under 5 MB.
  static let largestBytes = 3_600_000
  /// How many stretches of a cell are listed.
  static let longestStretches = 100

  /// The blocks of data in the page.
  let blocks: [(id: String, json: String)]
  /// How many sequences can be looked at.
  let sequenceCount: Int
  /// Whether the manifest names a video of any of them.
  let hasVideos: Bool

  /// Gathers the data of an evaluation.
  ///
  /// Of equal sequences the first one is taken; a sequence that no longer fits ends the choice.
  ///
  /// - Parameters:
  ///   - runs: what the evaluation kept, in the order of the entries.
  ///   - datasets: where the sequences are.
  ///   - bench: the detector that was evaluated.
  ///   - explain: the command that explains a moment.
  ///   - limit: how many sequences to take at most.
  ///   - page: the file of the page, beside which a browser looks for videos.
  /// - Throws: an error for a sequence that can no longer be read.
  init(
    _ runs: [SequenceRun], of datasets: DatasetCollection, _ bench: BenchDetector,
    explain: ExplainCommand, limit: Int, page: String, progress: ProgressReport
  ) throws {
    let wrongSeconds = runs.map { run in
      run.stretches.reduce(0) { $0 + ($1.isWrong ? $1.duration.value : 0) }
    }
    let order = runs.indices.sorted { (-wrongSeconds[$0], $0) < (-wrongSeconds[$1], $1) }
    var places: [Int: Int] = [:]
    var shown: [(id: String, json: String)] = []
    var bytes = 0
    let most = min(limit, order.count)
    for (place, index) in order.prefix(limit).enumerated() {
      progress(place, most, "sequences of the page")
      let sequence = try datasets.load(datasets.entries[index])
      guard sequence.recording.frameCount > 0 else { continue }
      let json = JSONText.of(Sequence(sequence, bench))
      bytes += json.utf8.count
      guard bytes <= Self.largestBytes else { break }
      places[index] = shown.count
      shown.append((id: "sequence-\(shown.count)-data", json: json))
    }
    progress(most, most, "sequences of the page")
    let entries = runs.enumerated().map { index, run in
      let block = places[index]
      let video = block == nil ? nil : datasets.videoPath(of: datasets.entries[index])
      return Entry(
        run, explain, block: block, video: video.map { RelativeAddress.text(of: $0, from: page) })
    }
    let head = Head(bench, runs, entries)
    hasVideos = entries.contains { $0.video != nil }
    blocks = [(id: "viewer-data", json: JSONText.of(head))] + shown
    sequenceCount = shown.count
  }
}

extension ViewerData {
  /// What the viewer reads before any sequence.
  private struct Head: Encodable {
    struct Column: Encodable {
      let name: String
      let unit: String
      let thresholds: [LabelingStrip.Threshold]
    }

    let program: String
    let detector: String
    let measurements: [Column]
    let streams: [Stream]
    let sequences: [Entry]

    init(_ bench: BenchDetector, _ runs: [SequenceRun], _ sequences: [Entry]) {
      let detector = bench.detector
      program = PackedColumn.text(PageFile.bytes("detector.wasm"))
      self.detector = DetectorLines.text(of: detector)
      measurements = detector.measurements.members.map { measurement in
        Column(
          name: measurement.name, unit: measurement.unit.rawValue,
          thresholds: LabelingStrip.Threshold.all(of: measurement, in: detector))
      }
      streams = AnswerStream.allCases.map { Stream($0, detector, runs) }
      self.sequences = sequences
    }
  }

  /// A sequence in the list of the viewer.
  private struct Entry: Encodable {
    let name: String
    let facts: String
    let command: [String]
    let block: OrNull<Int>
    let wrong: Bool
    /// The address of its video, as the page sees it; left out where there is none.
    let video: String?

    init(_ run: SequenceRun, _ explain: ExplainCommand, block: Int?, video: String?) {
      let row = run.evaluation.scores
      let line = explain.line(sequence: row.name)
      let facts = [
        row.subject.map { "subject \($0)" }, NumberText.count(row.plank.frames.frames, "frame"),
      ]
      name = row.name
      self.facts = facts.compactMap(\.self).joined(separator: ", ")
      command = [line.before, line.after]
      self.block = OrNull(block)
      wrong = run.stretches.contains { $0.isWrong }
      self.video = video
    }
  }

  /// The rules of a stream, and the stretches behind its matrix.
  private struct Stream: Encodable {
    struct Needs: Encodable {
      let enter: String
      let exit: String
      let switching: String

      private enum CodingKeys: String, CodingKey {
        case enter, exit
        case switching = "switch"
      }
    }

    struct Comparison: Encodable {
      let text: String
      let measurement: String
      let unit: String
    }

    struct LabeledRule: Encodable {
      let label: String
      let comparisons: [Comparison]

      init(_ rule: Rule) {
        label = rule.label.name
        comparisons = rule.predicates.map { predicate in
          Comparison(
            text: "\(predicate)", measurement: predicate.measurement.name,
            unit: predicate.measurement.unit.rawValue)
        }
      }
    }

    /// A list: sequence, truth, answer, first frame, frame after the last, start and seconds.
    struct Stretch: Encodable {
      let sequence: Int
      let stretch: MatrixStretch

      func encode(to encoder: any Encoder) throws {
        var list = encoder.unkeyedContainer()
        try list.encode(sequence)
        try list.encode(Int(stretch.truth))
        try list.encode(Int(stretch.answer))
        try list.encode(stretch.frames.lowerBound)
        try list.encode(stretch.frames.upperBound)
        try list.encode(stretch.start)
        try list.encode(stretch.duration)
      }
    }

    let name: String
    let labels: [String]
    let rules: [LabeledRule]
    let needs: Needs
    let hold: String
    /// How many stretches there are by truth and answer.
    private(set) var counts: [Int]
    /// The longest stretches of every cell, longest first.
    private(set) var stretches: [Stretch] = []

    init(_ stream: AnswerStream, _ detector: BatchDetector, _ runs: [SequenceRun]) {
      let words = DebounceWords(detector, stream)
      name = stream.rawValue
      labels = stream.labels
      rules = detector.definition.list(stream).rules.map(LabeledRule.init)
      needs = Needs(
        enter: words.need(from: 0, to: 1), exit: words.need(from: 1, to: 0),
        switching: words.need(from: 1, to: 2))
      hold = NumberText.fixed(detector.parameters[.holdSeconds] ?? 0, 3)
      counts = [Int](repeating: 0, count: labels.count * labels.count)
      for (sequence, stretch) in Self.sorted(stream, runs) {
        let cell = Int(stretch.truth) * labels.count + Int(stretch.answer)
        counts[cell] += 1
        guard counts[cell] <= ViewerData.longestStretches else { continue }
        stretches.append(Stretch(sequence: sequence, stretch: stretch))
      }
    }

    /// Longest first; sorting by place too keeps equal stretches in the order of the data.
    private static func sorted(
      _ stream: AnswerStream, _ runs: [SequenceRun]
    ) -> [(sequence: Int, stretch: MatrixStretch)] {
      let all = runs.enumerated().flatMap { index, run in
        run.stretches.filter { $0.stream == stream }.map { (sequence: index, stretch: $0) }
      }
      return all.enumerated().sorted {
        (-$0.element.stretch.duration.value, $0.offset)
          < (-$1.element.stretch.duration.value, $1.offset)
      }.map(\.element)
    }
  }

  /// A sequence with its poses, rounded to a millimeter, and its measurements as they are.
  private struct Sequence: Encodable {
    let frames: Int
    let start: Double
    let end: Double
    let times: String
    let startsMid: Bool
    let joints: [String]
    let bones: [[Int]]
    let dimension: Int
    let unit: Double
    let states: String
    let positions: String
    let truth: [String]
    let columns: [String]

    private enum CodingKeys: String, CodingKey {
      case frames, start, end, times, joints, bones, dimension, unit, states, positions, truth
      case columns
      case startsMid = "starts_mid"
    }

    init(_ sequence: DatasetSequence, _ bench: BenchDetector) {
      let recording = sequence.recording
      let poses = UprightPoses(recording)
      let measured = bench.measure(recording)
      let codes = sequence.truth()
      frames = recording.frameCount
      start = recording.times.first ?? 0
      end = LabelingData.end(of: recording)
      times = PackedTimes.text([recording.times])
      startsMid = sequence.startsMid
      joints = recording.header.joints.map(\.name)
      bones = LabelingData.bones(of: recording.header)
      dimension = recording.layout.dimension
      unit = poses.unit
      states = PackedColumn.text(poses.states.map(\.rawValue))
      positions = PackedColumn.text(Self.steps(poses.positions, recording.layout.stride))
      truth = AnswerStream.allCases.map { PackedColumn.text(codes.codes($0)) }
      columns = bench.detector.measurements.members.map {
        PackedColumn.text(measured[$0].map(\.bitPattern))
      }
    }

    /// Positions as steps from the frame before, which pack to half the size; sums wrap around.
    private static func steps(_ positions: [Int16], _ stride: Int) -> [UInt16] {
      positions.indices.map { place in
        let before = place < stride ? 0 : positions[place - stride]
        return UInt16(bitPattern: positions[place] &- before)
      }
    }
  }
}
