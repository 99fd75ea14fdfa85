internal import ArgumentParser
internal import Evaluation
internal import PlankDetection
internal import PoseDatasets
internal import PoseModel

/// `planklab measure`.
struct Measure: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Write measurements, raw labels and answers of every frame as CSV.",
    discussion: """
      One file a sequence: time, truth, every measurement with its unit in the header, the raw \
      labels, the steady answers and the frame's grade. Undefined values are empty. The files can \
      be scored again with `evaluate --predictions`. The folder `spectra` has the power spectral \
      densities of measurements on holds, the folder `allan` their Allan deviations; jitter is \
      printed.

      Example:
        planklab measure datasets/scripted --output measurements
      """)

  @Argument(help: "The dataset's folder, or its dataset.yaml.")
  var dataset: String

  @OptionGroup var detector: DetectorOptions
  @OptionGroup var steadying: SteadyingOptions

  @Option(help: ArgumentHelp("Only the sequences of one split.", valueName: "NAME"))
  var split: String?

  @Option(name: .shortAndLong, help: ArgumentHelp("The folder to make.", valueName: "DIR"))
  var output: String

  func run() async throws {
    try await Terminal.run {
      let request = MeasureRequest(
        dataset: dataset, detector: detector.choice, steadying: steadying.choice, split: split,
        output: output)
      return try await MeasureDataset.run(request, progress: ProgressBar().report)
    }
  }
}

/// What `measure` is asked for.
struct MeasureRequest: Sendable {
  /// The dataset's folder or manifest.
  var dataset: String
  /// The detector and its parameters.
  var detector: DetectorChoice
  /// Smoothing and debounce.
  var steadying: SteadyingChoice
  /// The split to measure; nil for all sequences.
  var split: String?
  /// The folder to make.
  var output: String

  /// Makes a request.
  init(
    dataset: String, detector: DetectorChoice = DetectorChoice(),
    steadying: SteadyingChoice = SteadyingChoice(), split: String? = nil,
    output: String
  ) {
    self.dataset = dataset
    self.detector = detector
    self.steadying = steadying
    self.split = split
    self.output = output
  }
}

/// Writes measurements, raw labels and answers of every frame as CSV, and how they jitter.
enum MeasureDataset {
  /// Runs the command.
  static func run(
    _ request: MeasureRequest, progress: @escaping ProgressReport
  ) async throws(WorkflowFailure) -> Outcome {
    let detector = try request.detector.resolve(request.steadying)
    let reader = try DatasetAccess.open(request.dataset)
    let entries = try DatasetAccess.failing { () throws(DatasetError) in
      try reader.sequences(split: request.split)
    }
    let folder = try StagedFolder(destination: request.output)
    do {
      let parts = try await ConcurrentMap.run(entries, progress: progress) {
        (entry) throws(WorkflowFailure) -> (frames: Int, jitter: JitterStatistics) in
        let sequence = try DatasetAccess.load(entry, from: reader)
        let table = FrameTable(sequence, detector)
        try OutputFile.write(table.bytes(), to: folder.path(of: sequence.name + ".csv"))
        let jitter = table.jitter
        try write(SpectrumTables(jitter), sequence.name, to: folder)
        return (sequence.recording.frameCount, jitter)
      }
      try folder.commit()
      let total = parts.reduce(0) { $0 + $1.frames }
      let jitter = parts.reduce(into: JitterStatistics()) { $0 += $1.jitter }
      return Outcome(
        "wrote \(entries.count) tables, \(total) frames, to \(folder.destination)\n"
          + details(jitter))
    } catch {
      folder.abandon()
      throw error
    }
  }

  /// Spectra and Allan deviations lie in folders beside the tables.
  private static func write(
    _ tables: SpectrumTables, _ name: String, to folder: StagedFolder
  ) throws(WorkflowFailure) {
    if let spectrum = tables.spectrum {
      try OutputFile.write(spectrum, to: folder.path(of: "spectra/\(name).csv"))
    }
    if let allan = tables.allan {
      try OutputFile.write(allan, to: folder.path(of: "allan/\(name).csv"))
    }
  }

  private static func details(_ jitter: JitterStatistics) -> String {
    guard (jitter.rows + jitter.movementRows).contains(where: { $0.frames > 0 }) else { return "" }
    return TextRenderer(usesColor: false).render(jitter.details)
  }
}
