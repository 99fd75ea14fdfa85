internal import ArgumentParser
internal import Evaluation
internal import PlankDetection
internal import Platform
internal import PoseDatasets
internal import PoseModel
internal import Reports
internal import Statistics
internal import Tuning

struct Measure: BenchCommand {
  static let configuration = CommandConfiguration(
    abstract: "Write the measurements, raw labels and answers of every frame as CSV.",
    discussion: """
      Writes one file per sequence. Its columns are the time, the label, every measurement with \
      its unit in the header, the raw labels, the debounced answers and the frame's grade. \
      Undefined values are empty. `evaluate --predictions` can score the files. The folder \
      `spectra` contains the power spectral densities of measurements during holds, and the \
      folder `allan` contains their Allan deviations. The command prints the jitter.

      Example:
        planklab measure datasets/scripted --output measurements
      """)

  @Argument(
    help: ArgumentHelp(
      "Dataset folders or dataset.yaml files; with several, each gets a folder of tables.",
      valueName: "dataset"), completion: .folder)
  var datasets: [String] = []

  @OptionGroup var detector: DetectorOptions
  @OptionGroup var strategies: StrategyOptions

  @Option(help: ArgumentHelp("Use only the sequences in one split.", valueName: "NAME"))
  var split: String?

  @Option(name: .shortAndLong, help: ArgumentHelp("The folder to make.", valueName: "DIR"))
  var output: String

  @Flag(help: "Also print spectra, averaging times, bone lengths and the jitter outside holds.")
  var verbose = false

  mutating func takeDefaults() throws {
    strategies = try detector.takeDefaults(strategies)
    if datasets.isEmpty { datasets = [try detector.defaults.dataset("")] }
    detector.defaults.say()
  }

  func outcome() async throws -> Outcome {
    let detector = try BenchDetector(detector.settings(strategies))
    let progress = LongWork(["sequences"]).report
    let datasets = try DatasetCollection(opening: datasets, split: split)
    try Self.checkNames(datasets)
    return try await StagedFolder(destination: output).committing { folder in
      let parts = try await ConcurrentMap.run(datasets.entries, progress: progress) { entry in
        let sequence = try datasets.load(entry)
        let table = FrameTable(sequence, detector)
        try OutputFile.write(table.bytes(), to: folder.path(of: sequence.name + ".csv"))
        let jitter = table.jitter(verbose ? .spectra : .spectraOnHolds)
        try Self.write(SpectrumTables(jitter, of: sequence), sequence.name, to: folder)
        return (
          frames: sequence.recording.frameCount, jitter: jitter, mismatch: table.mismatch
        )
      }
      let total = parts.reduce(0) { $0 + $1.frames }
      let jitter = parts.reduce(into: JitterStatistics()) { $0 += $1.jitter }
      return Outcome(
        "wrote \(NumberText.count(datasets.entries.count, "table")), "
          + "\(NumberText.count(total, "frame")), to \(folder.destination)\n"
          + TextRenderer().render(jitter.summary.screen(isFull: verbose)),
        remarks: BenchDetector.cautions(of: parts.map(\.mismatch)))
    }
  }

  private static func checkNames(_ datasets: DatasetCollection) throws {
    let names = Set(datasets.entries.map(\.name))
    for folder in ["spectra", "allan"] {
      let name = datasets.entries.map(\.name).first { names.contains("\(folder)/\($0)") }
      guard let name else { continue }
      throw WorkflowFailure(
        .badData,
        "\(datasets.place): the frames of the sequence `\(folder)/\(name)` and the \(folder) table "
          + "of `\(name)` would have the same file name; move the recordings out of the folder "
          + "`\(folder)`")
    }
  }

  private static func write(
    _ tables: SpectrumTables, _ name: String, to folder: StagedFolder
  ) throws {
    if let spectrum = tables.spectrum {
      try OutputFile.write(spectrum, to: folder.path(of: "spectra/\(name).csv"))
    }
    if let allan = tables.allan {
      try OutputFile.write(allan, to: folder.path(of: "allan/\(name).csv"))
    }
  }
}

struct FrameTable {
  private let sequence: DatasetSequence
  private let measurements: [Measurement]
  private let gradeBands: GradeBands
  private let columns: MeasurementColumns
  private let answers: DetectionColumns
  private let truth: FrameTruth
  private let settling: Seconds
  let mismatch: PoseMismatch?

  init(_ sequence: DatasetSequence, _ bench: BenchDetector) {
    self.sequence = sequence
    let reported = bench.detector.definition.reportedMeasurements
    mismatch = bench.detector.definition.mismatch(with: sequence.recording.header)
    measurements = reported.members
    gradeBands = bench.detector.gradeBands
    columns = bench.measure(sequence.recording, also: reported)
    answers = bench.detector.detect(columns, of: sequence)
    truth = sequence.truth()
    settling = bench.smoothing.isNone ? Seconds(0) : HoldSegments.settling
  }

  func jitter(_ detail: JitterDetail) -> JitterStatistics {
    let recording = sequence.recording
    guard mismatch == nil else { return JitterStatistics() }
    return JitterStatistics(
      times: recording.times, truth: truth,
      measurements: measurements.map { MeasurementSeries($0, of: columns) }, detail: detail,
      settling: settling)
  }

  func bytes() -> [UInt8] {
    var text = Array(header.utf8)
    let end = "," + SequenceColumns.fields(of: sequence).joined(separator: ",") + "\n"
    let values = measurements.map { columns[$0] }
    let angles = columns[.bodyAngle]
    text.reserveCapacity(sequence.recording.frameCount * (12 * values.count + 60))
    for frame in 0..<sequence.recording.frameCount {
      appendRow(frame, values, angle: angles.isEmpty ? .nan : angles[frame], to: &text)
      text += end.utf8
    }
    return text
  }

  private var header: String {
    (["t", "truth_plank", "truth_form"] + measurements.map(\.columnName)
      + ["raw_plank", "raw_form", "plank", "form", "grade"] + SequenceColumns.names)
      .joined(separator: ",") + "\n"
  }

  private func appendRow(_ frame: Int, _ values: [[Float]], angle: Float, to text: inout [UInt8]) {
    func append(_ field: String) {
      text.append(UInt8(ascii: ","))
      text += field.utf8
    }
    text += sequence.recording.times[frame].description.utf8
    for stream in AnswerStream.allCases { append(truthName(stream, frame)) }
    for column in values { append(column[frame].isNaN ? "" : column[frame].description) }
    for stream in AnswerStream.allCases { append(name(stream, answers[stream].raw[frame])) }
    for stream in AnswerStream.allCases { append(name(stream, answers[stream].answers[frame])) }
    let plank = PlankClass(code: answers.plank.answers[frame]) ?? .none
    let grade = FormGrade(bodyAngle: angle.isNaN ? nil : angle, answer: plank, gradeBands)
    append(grade?.rawValue ?? "")
  }

  private func truthName(_ stream: AnswerStream, _ frame: Int) -> String {
    let code = truth.codes(stream)[frame]
    if code == FrameTruth.ignored { return "ignore" }
    return FrameTruth.isScored(code) ? name(stream, code) : ""
  }

  private func name(_ stream: AnswerStream, _ code: UInt8) -> String {
    let labels = stream.labels
    return Int(code) < labels.count ? labels[Int(code)] : ""
  }
}

enum SequenceColumns {
  static let names = ["sequence", "subject"]

  static func fields(of sequence: DatasetSequence) -> [String] {
    [sequence.name, sequence.subject ?? ""].map(CSVText.name)
  }
}

struct SpectrumTables {
  private let rows: [JitterRow]
  private let sequence: [String]

  init(_ jitter: JitterStatistics, of sequence: DatasetSequence) {
    self.sequence = SequenceColumns.fields(of: sequence)
    rows = jitter.rows.filter { $0.signal.kind == .measurement && $0.frames > 0 }
  }

  var spectrum: [UInt8]? {
    let found = rows.compactMap { row in row.spectral?.spectra.first.map { (row, $0) } }
    guard let first = found.first?.1 else { return nil }
    let columns = found.filter { $0.1.hasFrequencies(of: first) }
    let header = ["frequency_hz"] + columns.map { "\($0.0.signal.name)_(\($0.0.signal.unit))^2/hz" }
    return text(
      header, first.frequencies, columns.map { column in column.1.densities.map(Optional.some) })
  }

  var allan: [UInt8]? {
    let found = rows.compactMap { row in
      row.spectral.flatMap { $0.allan.isEmpty ? nil : (row, $0.allan) }
    }
    guard let longest = found.map(\.1).max(by: { $0.count < $1.count }) else { return nil }
    let header = ["averaging_s"] + found.map { "\($0.0.signal.name)_\($0.0.signal.unit)" }
    return text(
      header, longest.map(\.seconds),
      found.map { column in
        longest.indices.map { $0 < column.1.count ? column.1[$0].deviation : nil }
      })
  }

  private func text(_ header: [String], _ first: [Double], _ columns: [[Double?]]) -> [UInt8] {
    var text = (header + SequenceColumns.names).joined(separator: ",") + "\n"
    for (row, value) in first.enumerated() {
      let fields = columns.map { column in column[row].map { "\(Float($0))" } ?? "" }
      text += (["\(Float(value))"] + fields + sequence).joined(separator: ",") + "\n"
    }
    return Array(text.utf8)
  }
}
