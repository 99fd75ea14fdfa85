internal import ArgumentParser
internal import Evaluation
internal import Foundation
internal import PageDetector
internal import PlankDetection
internal import Platform
internal import PoseDatasets
internal import PoseModel
internal import Reports

struct ReportCommand: BenchCommand {
  static let configuration = CommandConfiguration(
    commandName: "report",
    abstract: "Make an HTML page from saved results without running anything again.",
    discussion: """
      The page is one self-contained file that needs no network. It shows the verdict, confusion \
      matrices (in frames, seconds and shares), classes, figures and provenance. Give JSON results \
      of evaluate, compare, gate, tune, suggest, sweep, smoothers compare or replay. If there are \
      several results, each gets a tab, and you can subtract one matrix from another.

      Examples:
        planklab evaluate my-data --output result.json
        planklab report --from result.json --html report.html --open
        planklab compare my-data article gravity --output compare.json
        planklab report --from result.json --from compare.json --html both.html
        planklab report --from before.json --from after.json --html report.html
      """)

  @Option(
    name: .customLong("from"),
    help: ArgumentHelp(
      "A JSON result, as `--format json` prints it; may be repeated.",
      valueName: "RESULT.json"),
    completion: .file(extensions: ["json"]))
  var results: [String] = []

  @Option(help: ArgumentHelp("The page to write.", valueName: "FILE"))
  var html: String

  @OptionGroup var opening: OpenOption

  func validate() throws {
    if results.isEmpty { throw ValidationError("Give a saved result: `--from result.json`.") }
  }

  func outcome() throws -> Outcome {
    try OutputFile.checkReport(html)
    let saved = try results.map { try SavedResult(path: $0) }
    try ReportPage.write(saved, to: html)
    return Outcome("wrote \(html)\n", remarks: opening.show(html))
  }
}

enum ReportPage {
  static func write(_ results: [SavedResult], viewer: ViewerData? = nil, to path: String) throws {
    let page = try html(results, viewer: viewer)
    try OutputFile.writeReport(page, to: path)
  }

  static func html(_ results: [SavedResult], viewer: ViewerData? = nil) throws -> String {
    let parts: [HTML] = results.enumerated().map { index, saved in
      """
      <section class="result" id="result-\(index)" data-name="\(saved.name)">
      \(saved.page.html(prefix: index == 0 ? "" : "result-\(index)-"))</section>

      """
    }
    let page = page(results[0].page.title)
    return try (viewer.map { withViewer(page, $0) } ?? page).html(
      blocks: viewer?.blocks ?? [], body: parts.map(\.text).joined())
  }

  private static func withViewer(_ page: OfflinePage, _ viewer: ViewerData) -> OfflinePage {
    OfflinePage(
      title: page.title, template: page.template,
      style: page.style + "\n" + PageFile.text("viewer.css"),
      scripts: page.scripts + [
        "unpack.js", "recording.js", "palette.js", "figure.js", "strips.js", "detector.js",
        "ribbons.js", "moment.js", "transport.js", "address.js", "viewer.js", "viewing.js",
      ], scriptPermissions: ["'wasm-unsafe-eval'"],
      directives: ["media-src blob:" + (viewer.hasVideos ? " 'self'" : "")])
  }

  private static func page(_ title: String) -> OfflinePage {
    OfflinePage(
      title: SVGCanvas.escaped(title), template: PageFile.text("report.html"),
      style: Theme.figureCSS + Theme.stateCSS
        + PageFile.text(["tables.css", "pages.css", "drawings.css"]),
      scripts: ["elements.js", "matrices.js", "report.js"])
  }
}

enum RelativeAddress {
  /// Starts with `./` or `../`, so that no name passes for a scheme or a host.
  static func text(of file: String, from page: String) throws -> String {
    let target = try parts(of: file)
    let folder = try parts(of: page).dropLast()
    let shared = zip(target.dropLast(), folder).prefix { $0 == $1 }.count
    let up = [String](repeating: "..", count: folder.count - shared)
    let start = up.isEmpty ? ["."] : up
    return (start + target.dropFirst(shared).map(encoded)).joined(separator: "/")
  }

  private static func encoded(_ name: String) -> String {
    name.addingPercentEncoding(withAllowedCharacters: unreserved) ?? name
  }

  private static func parts(of path: String) throws -> [String] {
    try OutputFile.standardized(path).split(separator: "/").map(String.init)
  }

  private static let unreserved = CharacterSet(
    charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
}

struct ViewedSequence: Sendable {
  let outcome: SequenceOutcome
  let other: SequenceOutcome?
  let stretches: [MatrixStretch]
  let videoPath: String?
  let load: @Sendable () throws -> DatasetSequence
}

extension ViewedSequence {
  init(
    _ run: SequenceRun, _ entry: DatasetCollection.Entry, of datasets: DatasetCollection
  ) throws {
    self.init(
      outcome: run.outcome, other: nil, stretches: run.stretches,
      videoPath: try datasets.videoPath(of: entry), load: { try datasets.load(entry) })
  }

  init(
    _ outcome: SequenceOutcome, beside other: SequenceOutcome, _ entry: DatasetCollection.Entry,
    of datasets: DatasetCollection
  ) throws {
    self.init(
      outcome: outcome, other: other, stretches: MatrixStretch.all(in: outcome, beside: other),
      videoPath: try datasets.videoPath(of: entry), load: { try datasets.load(entry) })
  }

  init(_ context: RecordingContext, _ outcome: SequenceOutcome) {
    self.init(
      outcome: outcome, other: nil, stretches: MatrixStretch.all(in: outcome),
      videoPath: context.videoPath, load: { context.sequence })
  }

  /// How long the answer is wrong or, beside another side, how long only one of them is right.
  fileprivate var seconds: Double {
    let counted = stretches.filter { other == nil ? $0.isWrong : $0.isLost || $0.isWon }
    return counted.reduce(0) { $0 + $1.duration.value }
  }
}

struct ViewerData: Sendable {
  static let usualSequences = 20
  /// The limit for poses and measurements that keeps a report under 5 MB.
  static let largestBytes = 3_600_000
  static let longestStretches = 100

  let blocks: [(id: String, json: String)]
  let sequenceCount: Int
  let hasVideos: Bool

  /// Takes the sequences with the most seconds until one does not fit.
  ///
  /// `sequences` are in the order in which the page numbers them. A browser looks for videos beside
  /// `page`.
  init(
    _ sequences: [ViewedSequence], _ bench: BenchDetector,
    sides: (own: String, other: String)? = nil, explain: ExplainCommand,
    limit: Int = usualSequences, page: String, progress: ProgressReport
  ) throws {
    let seconds = sequences.map(\.seconds)
    let order = sequences.indices.sorted { (-seconds[$0], $0) < (-seconds[$1], $1) }
    var places: [Int: Int] = [:]
    var shown: [(id: String, json: String)] = []
    var bytes = 0
    let most = min(limit, order.count)
    for (place, index) in order.prefix(limit).enumerated() {
      progress(place, most, "sequences of the page")
      let sequence = try sequences[index].load()
      guard sequence.recording.frameCount > 0 else { continue }
      let json = JSONText.of(Sequence(sequence, bench, beside: sequences[index].other), .line)
      bytes += json.utf8.count
      guard bytes <= Self.largestBytes else { break }
      places[index] = shown.count
      shown.append((id: "sequence-\(shown.count)-data", json: json))
    }
    progress(most, most, "sequences of the page")
    let entries = try sequences.enumerated().map { index, sequence in
      let block = places[index]
      let video = block == nil ? nil : sequence.videoPath
      return Entry(
        sequence, explain, block: block,
        video: try video.map { try RelativeAddress.text(of: $0, from: page) })
    }
    let head = Head(bench, sequences, entries, sides)
    hasVideos = entries.contains { $0.video != nil }
    blocks = [(id: "viewer-data", json: JSONText.of(head, .line))] + shown
    sequenceCount = shown.count
  }

  private struct Head: Encodable {
    struct Column: Encodable {
      let name: String
      let unit: String
      let thresholds: [LabelingStrip.Threshold]
    }

    let program: String
    let detector: String
    let sides: [String]?
    let measurements: [Column]
    let streams: [Stream]
    let sequences: [Entry]

    init(
      _ bench: BenchDetector, _ found: [ViewedSequence], _ sequences: [Entry],
      _ sides: (own: String, other: String)?
    ) {
      let detector = bench.detector
      program = PackedColumn.text(PageFile.bytes("detector.wasm"), .repetitive)
      self.detector = DetectorLines.text(of: detector)
      measurements = detector.measurements.members.map { measurement in
        Column(
          name: measurement.name, unit: measurement.unit.rawValue,
          thresholds: LabelingStrip.Threshold.all(of: measurement, in: detector))
      }
      streams = AnswerStream.allCases.map { Stream($0, bench, found) }
      self.sides = sides.map { [$0.own, $0.other] }
      self.sequences = sequences
    }
  }

  private struct Entry: Encodable {
    let name: String
    let facts: String
    let command: [String]
    let block: OrNull<Int>
    let wrong: Bool
    let video: String?

    init(_ sequence: ViewedSequence, _ explain: ExplainCommand, block: Int?, video: String?) {
      let outcome = sequence.outcome
      let line = explain.line(sequence: outcome.name)
      let facts = [
        outcome.subject.map { "subject \($0)" }, NumberText.count(outcome.times.count, "frame"),
      ]
      name = outcome.name
      self.facts = facts.compactMap(\.self).joined(separator: ", ")
      command = [line.before, line.after]
      self.block = OrNull(block)
      wrong = sequence.stretches.contains { $0.isWrong }
      self.video = video
    }
  }

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
        if let before = stretch.before { try list.encode(Int(before)) }
      }
    }

    let name: String
    let labels: [String]
    let rules: [LabeledRule]
    let needs: Needs
    let hold: String
    private(set) var counts: [Int]
    let lost: Int
    private(set) var stretches: [Stretch] = []

    init(_ stream: AnswerStream, _ bench: BenchDetector, _ sequences: [ViewedSequence]) {
      let detector = bench.detector
      let words = DebounceWords(detector, stream)
      name = stream.rawValue
      labels = stream.labels
      rules = bench.judging.list(stream).rules.map(LabeledRule.init)
      needs = Needs(
        enter: words.need(from: 0, to: 1), exit: words.need(from: 1, to: 0),
        switching: words.need(from: 1, to: 2))
      hold = NumberText.fixed(detector.parameters[.holdSeconds] ?? 0, 3)
      counts = [Int](repeating: 0, count: labels.count * labels.count)
      let sorted = Self.sorted(stream, sequences)
      lost = sorted.count { $0.stretch.isLost }
      for (sequence, stretch) in sorted {
        let cell = Int(stretch.truth) * labels.count + Int(stretch.answer)
        counts[cell] += 1
        guard counts[cell] <= ViewerData.longestStretches else { continue }
        stretches.append(Stretch(sequence: sequence, stretch: stretch))
      }
    }

    private static func sorted(
      _ stream: AnswerStream, _ sequences: [ViewedSequence]
    ) -> [(sequence: Int, stretch: MatrixStretch)] {
      let all = sequences.enumerated().flatMap { index, sequence in
        sequence.stretches.filter { $0.stream == stream }.map { (sequence: index, stretch: $0) }
      }
      return all.sorted { $0.stretch.duration.value > $1.stretch.duration.value }
    }
  }

  private struct Sequence: Encodable {
    let frames: Int
    let start: Double
    let end: Double
    let times: String
    let startsMid: Bool
    let calibration: Offset?
    let joints: [String]
    let bones: [[Int]]
    let dimension: Int
    let unit: Double
    let states: String
    let positions: String
    let truth: [String]
    let before: [String]?
    let columns: String

    private enum CodingKeys: String, SnakeCaseKey {
      case frames, start, end, times, calibration, joints, bones, dimension, unit, states,
        positions, truth, before, columns, startsMid
    }

    init(_ sequence: DatasetSequence, _ bench: BenchDetector, beside other: SequenceOutcome?) {
      let recording = sequence.recording
      let poses = UprightPoses(recording)
      let measured = bench.measure(recording)
      let run = CalibratedRun(bench, sequence, measured)
      calibration = Offset(run.detector)
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
      positions = PackedSteps.text(poses.positions, stride: recording.layout.stride)
      truth = AnswerStream.allCases.map { PackedColumn.text(run.truth.codes($0)) }
      before = other.map { other in
        AnswerStream.allCases.map { PackedColumn.text(other[$0].answers) }
      }
      columns = PackedColumn.text(
        bench.detector.measurements.members.flatMap { measured[$0].map(\.bitPattern) },
        .repetitive)
    }

    struct Offset: Encodable {
      let column: Int
      let offset: Double

      init?(_ detector: BatchDetector) {
        guard let calibration = detector.calibration,
          let column = detector.measurements.members.firstIndex(where: {
            $0.name == calibration.measurement
          })
        else { return nil }
        self.column = column
        offset = calibration.offset
      }
    }
  }
}
