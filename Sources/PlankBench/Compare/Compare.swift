internal import ArgumentParser
internal import Evaluation
internal import FoundationEssentials

/// `planklab compare`.
struct Compare: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Compare detectors on a dataset, paired by subject: better, worse, or cannot tell.",
    discussion: """
      A side is a detector's name, a detector file, thresholds, a folder of answers, or in quotes \
      a detector with what differs. The others are compared with the first. The exit code is 0 \
      whatever the verdict; `planklab gate` is for decisions.

      Examples:
        planklab compare datasets/scripted article gravity
        planklab compare datasets/scripted gravity "gravity sag=3cm plank_frames=5"
      """)

  @Argument(help: "The dataset's folder, or its dataset.yaml.")
  var dataset: String

  @Argument(help: "Two sides or more.")
  var candidates: [String]

  @OptionGroup var result: ResultOptions

  @Option(help: ArgumentHelp("Only the sequences of one split.", valueName: "NAME"))
  var split: String?

  @Option(
    name: .customLong("metric"),
    help: ArgumentHelp("Compare this metric only; may be repeated.", valueName: "NAME"))
  var metrics: [String] = []

  @Option(help: ArgumentHelp("How many resamples are drawn.", valueName: "COUNT"))
  var resamples = 10_000

  @Option(help: ArgumentHelp("The seed of the resamples.", valueName: "NUMBER"))
  var seed: UInt64 = 0

  func validate() throws {
    guard (100...1_000_000).contains(resamples) else {
      throw ValidationError("--resamples: give 100 to 1000000")
    }
  }

  func run() async throws {
    try await Terminal.run {
      let request = CompareCandidates.Request(
        dataset: dataset, candidates: candidates, split: split, metrics: metrics,
        resamples: resamples, seed: seed, format: result.format, usesColor: result.usesColor)
      let bar = ProgressBar()
      return try result.deliver(await CompareCandidates.run(request, progress: bar.report))
    }
  }
}

/// Compares detectors, files and folders of answers on one dataset.
enum CompareCandidates {
  /// What `compare` is asked for.
  struct Request: Sendable {
    /// The dataset's folder or manifest.
    var dataset: String
    /// The sides; the first is what the others are compared with.
    var candidates: [String]
    /// The split; nil for all sequences.
    var split: String?
    /// The metrics by name; empty for the headlines.
    var metrics: [String]
    /// How many resamples are drawn.
    var resamples: Int
    /// The seed of the resamples.
    var seed: UInt64
    /// The face of the result.
    var format: OutputFormat
    /// Whether text may be colored.
    var usesColor: Bool

    /// Makes a request.
    init(
      dataset: String, candidates: [String], split: String? = nil, metrics: [String] = [],
      resamples: Int = 10_000, seed: UInt64 = 0, format: OutputFormat = .text,
      usesColor: Bool = false
    ) {
      self.dataset = dataset
      self.candidates = candidates
      self.split = split
      self.metrics = metrics
      self.resamples = resamples
      self.seed = seed
      self.format = format
      self.usesColor = usesColor
    }
  }

  /// Compares and renders; the exit code is 0 whatever the verdicts.
  ///
  /// - Throws: `WorkflowFailure`: `usage` below two sides and for unknown metrics, `notComparable`
  ///   where nothing was scored.
  static func run(
    _ request: Request, progress: @escaping ProgressReport
  ) async throws(WorkflowFailure) -> Outcome {
    guard request.candidates.count >= 2 else {
      throw WorkflowFailure(.usage, "a comparison has two sides or more; name another one")
    }
    let keys = try keys(request.metrics)
    var sides: [[SequenceScores]] = []
    var remarks: [String] = []
    var identity: Evaluation.DatasetIdentity?
    for text in request.candidates {
      let choice = try CandidateChoice(text)
      let found = try await choice.evaluation(
        of: request.dataset, split: request.split, progress: progress)
      sides.append(found.runs.map(\.evaluation.scores))
      remarks += found.remarks.filter { !remarks.contains($0) }
      identity = found.report.dataset.identity
    }
    guard let identity, sides[0].contains(where: { $0.plank.frames.scored > 0 }) else {
      throw WorkflowFailure(
        .notComparable, "\(request.dataset): no frame is scored; label the recordings first")
    }
    let pairs = zip(request.candidates, sides).dropFirst().map { name, side in
      ComparisonReport.Pair(
        name: name,
        comparison: PairedComparison(
          sides[0], side, keys: keys, resamples: request.resamples, seed: request.seed))
    }
    let report = ComparisonReport(
      dataset: identity, reference: request.candidates[0], pairs: pairs)
    return Outcome(render(report, request), remarks: remarks)
  }

  private static func keys(_ names: [String]) throws(WorkflowFailure) -> [MetricKey] {
    guard !names.isEmpty else { return MetricKey.headlines }
    var keys: [MetricKey] = []
    for name in names {
      do throws(UnknownMetric) {
        let key = try MetricKey(name)
        if !keys.contains(key) { keys.append(key) }
      } catch {
        throw WorkflowFailure(.usage, "--metric: \(error)")
      }
    }
    return keys
  }

  private static func render(_ report: ComparisonReport, _ request: Request) -> String {
    switch request.format {
    case .json: report.json.text
    case .markdown: MarkdownRenderer().render(report.document)
    case .text: TextRenderer(usesColor: request.usesColor).render(report.document)
    }
  }
}

/// A side of a comparison as a user names it.
///
/// `gravity`, `mine.yaml`, `thresholds.json`, a folder of answers, or in quotes a detector with
/// what differs: `gravity sag=3cm smoothing=ema:alpha=0.5 debounce=dwell:enter=0.3s,exit=0.5s`.
struct CandidateChoice: Hashable, Sendable {
  /// The text that named it.
  let text: String
  /// The detector's name or file; nil where thresholds or nothing names it.
  var detector: String?
  /// A thresholds file; nil for none.
  var thresholds: String?
  /// Assignments such as `sag=3cm`, in order.
  var assignments: [String] = []
  /// A smoothing strategy in text form; nil for the thresholds' or none.
  var smoothing: String?
  /// A debounce strategy in text form; nil for the thresholds' or the detector's own.
  var debounce: String?
  /// A folder of answers; nil where a detector runs.
  var predictions: String?

  /// Reads a text.
  ///
  /// - Throws: `WorkflowFailure` (`usage`) for an empty text.
  init(_ text: String) throws(WorkflowFailure) {
    self.text = text
    var isFolder = false
    if FileManager.default.fileExists(atPath: text, isDirectory: &isFolder), isFolder {
      predictions = text
      return
    }
    let words = text.split(separator: " ").map(String.init)
    guard let first = words.first else {
      throw WorkflowFailure(.usage, "a side has no name; name a detector, a file or a folder")
    }
    if first.hasSuffix(".json") { thresholds = first } else { detector = first }
    for word in words.dropFirst() {
      if word.hasPrefix("smoothing=") {
        smoothing = String(word.dropFirst("smoothing=".count))
      } else if word.hasPrefix("debounce=") {
        debounce = String(word.dropFirst("debounce=".count))
      } else {
        assignments.append(word)
      }
    }
  }

  /// What the side answers on a dataset, scored.
  func evaluation(
    of dataset: String, split: String?, progress: @escaping ProgressReport
  ) async throws(WorkflowFailure) -> DatasetEvaluation {
    try await DatasetEvaluation(
      of: dataset, split: split,
      detector: BenchDetector(
        detector, thresholds: thresholds, assignments: assignments, smoothing: smoothing,
        debounce: debounce), predictions: predictions, progress: progress)
  }
}
