internal import ArgumentParser
internal import Evaluation
internal import PlankDetection
internal import Platform
internal import PoseDatasets
internal import PoseModel

struct Measure: BenchCommand {
  static let configuration = CommandConfiguration(
    abstract: "Write measurements, raw labels and answers of every frame as CSV.",
    discussion: """
      One file per sequence: time, truth, every measurement with its unit in the header, the raw \
      labels, the debounced answers and the frame's grade. Undefined values are empty. The files can \
      be scored again with `evaluate --predictions`. The folder `spectra` has the power spectral \
      densities of measurements on holds, and the folder `allan` has their Allan deviations; jitter \
      is printed.

      Example:
        planklab measure datasets/scripted --output measurements
      """)

  @Argument(
    help: ArgumentHelp(
      "Folders of datasets, or their dataset.yaml; several get one folder of tables each.",
      valueName: "dataset"), completion: .folder)
  var datasets: [String] = []

  @OptionGroup var detector: DetectorOptions
  @OptionGroup var strategies: StrategyOptions

  @Option(help: ArgumentHelp("Use only the sequences of one split.", valueName: "NAME"))
  var split: String?

  @Option(name: .shortAndLong, help: ArgumentHelp("The folder to make.", valueName: "DIR"))
  var output: String

  @Flag(help: "Also print spectra, averaging times, bones, and the jitter outside holds.")
  var verbose = false

  mutating func takeDefaults() throws {
    strategies = try detector.takeDefaults(strategies)
    if datasets.isEmpty { datasets = [try detector.defaults.dataset("")] }
    detector.defaults.say()
  }

  func outcome() async throws -> Outcome {
    let detector = try detector.found(strategies)
    let progress = LongWork(["sequences"]).report
    let datasets = try DatasetCollection(opening: datasets, split: split)
    try Self.checkNames(datasets)
    let folder = try StagedFolder(destination: output)
    do {
      let parts = try await ConcurrentMap.run(datasets.entries, progress: progress) {
        (entry) throws -> MeasuredPart in
        let sequence = try datasets.load(entry)
        let table = FrameTable(sequence, detector)
        try OutputFile.write(table.bytes(), to: folder.path(of: sequence.name + ".csv"))
        let jitter = table.jitter(verbose ? .spectra : .spectraOnHolds)
        try Self.write(SpectrumTables(jitter, of: sequence), sequence.name, to: folder)
        return MeasuredPart(
          frames: sequence.recording.frameCount, jitter: jitter,
          mismatch: table.mismatch)
      }
      try folder.commit()
      let total = parts.reduce(0) { $0 + $1.frames }
      let jitter = parts.reduce(into: JitterStatistics()) { $0 += $1.jitter }
      return Outcome(
        "wrote \(NumberText.count(datasets.entries.count, "table")), "
          + "\(NumberText.count(total, "frame")), to \(folder.destination)\n"
          + details(jitter.summary), remarks: BenchDetector.cautions(of: parts.map(\.mismatch))
      )
    } catch {
      folder.abandon()
      throw error
    }
  }

  private struct MeasuredPart {
    let frames: Int
    let jitter: JitterStatistics
    let mismatch: PoseMismatch?
  }

  private static func checkNames(_ datasets: DatasetCollection) throws {
    let names = Set(datasets.entries.map(\.name))
    for folder in ["spectra", "allan"] {
      let name = datasets.entries.map(\.name).first { names.contains("\(folder)/\($0)") }
      guard let name else { continue }
      throw WorkflowFailure(
        .badData,
        "\(datasets.place): the frames of the sequence `\(folder)/\(name)` and the \(folder) table "
          + "of `\(name)` would be one file; move the recordings out of the folder `\(folder)`")
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

  private func details(_ jitter: JitterSummary) -> String {
    guard (jitter.rows + jitter.movementRows).contains(where: { $0.frames > 0 }) else { return "" }
    guard !verbose else { return TextRenderer().render(jitter.details) }
    var document = Document()
    document.heading("Jitter on holds")
    document.table(jitter.table)
    document.paragraph("Spectra, averaging times, bones and what is outside holds: --verbose")
    return TextRenderer().render(document)
  }
}
