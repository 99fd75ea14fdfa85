internal import ArgumentParser
internal import Essentials
internal import Evaluation
internal import Parallelism
internal import Synchronization

/// `planklab compare`.
struct Compare: BenchCommand {
  static let configuration = CommandConfiguration(
    abstract: "Compare detectors on a dataset, paired by subject: better, worse, or cannot tell.",
    discussion: """
      A side is a detector's name, a detector file, a thresholds file, a folder of answers, or, in \
      quotes, a detector with changes. The others are compared with the first. The exit code is 0 \
      whatever the verdict; `planklab gate` is for decisions.

      Examples:
        planklab compare datasets/scripted article gravity
        planklab compare datasets/scripted gravity "gravity sag=3cm plank_frames=5"
        planklab compare my-data --dataset datasets/studio/generated gravity coach
        planklab compare datasets/scripted article gravity --html compare.html
      """)

  @Argument(help: "The dataset's folder, or its dataset.yaml.", completion: .folder)
  var dataset: String

  @Argument(help: "Two or more sides.", completion: .detector)
  var candidates: [String]

  @OptionGroup var result: ResultOptions
  @OptionGroup var page: PageOptions

  @Option(
    name: .customLong("dataset"),
    help: ArgumentHelp(
      "A further dataset; may be repeated.",
      discussion:
        "With several datasets, each is a source: every metric is the mean over the sources.",
      valueName: "DIR"), completion: .folder)
  var others: [String] = []

  @OptionGroup var sources: SourceOptions

  @Option(help: ArgumentHelp("Use only the sequences of one split.", valueName: "NAME"))
  var split: String?

  @Option(
    name: .customLong("metric"),
    help: ArgumentHelp("Compare this metric only; may be repeated.", valueName: "NAME"),
    completion: .metric)
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

  /// The exit code is 0 whatever the verdicts; data without any scored frame is not comparable.
  func outcome() async throws -> Outcome {
    guard candidates.count >= 2 else {
      throw WorkflowFailure(.usage, "a comparison needs two or more sides; add another one")
    }
    try page.check(beside: [result.output])
    let keys = try keys()
    let progress = LongWork(["files", "sequences", "resamples"]).report
    let datasets = try DatasetCollection(
      opening: [dataset] + others, split: split, sourceTag: sources.sourceTag,
      progress: progress)
    var remarks: [String] = []
    let sides = try await sides(datasets, &remarks, progress)
    guard sides[0].contains(where: { $0.plank.frames.scored > 0 }) else {
      throw WorkflowFailure(
        .notComparable, "\(datasets.place): no frame is scored; label the recordings first")
    }
    let pairs = try await pairs(sides, keys, progress)
    let envelope = ResultEnvelope(
      ComparisonReport(
        reference: candidates[0], pairs: pairs,
        sides: zip(candidates, sides).map { ScoredSide(name: $0, scores: $1) }),
      on: try datasets.identity(),
      provenance: [
        "sides": candidates.joined(separator: "; "), "resamples": "\(resamples)", "seed": "\(seed)",
      ])
    remarks += try page.write(envelope)
    return try result.outcome(envelope, remarks: remarks)
  }

  /// The first side against each of the others.
  private func pairs(
    _ sides: [[SequenceScores]], _ keys: [MetricKey], _ progress: @escaping ProgressReport
  ) async throws -> [ComparisonReport.Pair] {
    let (resamples, seed) = (resamples, seed)
    let rest = Array(zip(candidates, sides).dropFirst())
    let silence: ProgressReport = { _, _, _ in }
    let done = Mutex(0)
    return await ConcurrentMap.run(rest, progress: silence) { other in
      ComparisonReport.Pair(
        name: other.0,
        comparison: PairedComparison(
          sides[0], other.1, keys: keys, resamples: resamples, seed: seed
        ) { count, total in
          let sum = done.withLock { sum in
            sum += count
            return sum
          }
          // Every pair has the same subjects, and so the same number of resamples.
          progress(sum, total * rest.count, "resamples")
        })
    }
  }

  /// The scores of every candidate: a sequence is loaded once for all of them.
  private func sides(
    _ datasets: DatasetCollection, _ remarks: inout [String],
    _ progress: @escaping ProgressReport
  ) async throws -> [[SequenceScores]] {
    var evaluators: [SequenceEvaluator] = []
    for text in candidates {
      evaluators.append(try CandidateChoice(text).evaluator(of: datasets, remarks: &remarks))
    }
    let all = evaluators
    let scores = try await ConcurrentMap.run(datasets.entries, progress: progress) { entry in
      let sequence = try datasets.load(entry)
      return try all.map { evaluator in
        try evaluator.scores(of: sequence, source: entry.source)
      }
    }
    return candidates.indices.map { side in scores.map { $0[side] } }
  }

  private func keys() throws -> [MetricKey] {
    guard !metrics.isEmpty else { return MetricKey.headlines }
    var keys: [MetricKey] = []
    for name in metrics {
      do throws(UnknownMetric) {
        let key = try MetricKey(name)
        if !keys.contains(key) { keys.append(key) }
      } catch {
        throw WorkflowFailure(.usage, "--metric: \(error)")
      }
    }
    return keys
  }
}

/// A side of a comparison as a user writes it.
///
/// `gravity`, `mine.yaml`, `thresholds.json`, a folder of answers, or, in quotes, a detector with
/// changes: `gravity sag=3cm smoothing=ema:alpha=0.5 debounce=dwell:enter=0.3s,exit=0.5s`.
struct CandidateChoice: Hashable, Sendable {
  /// The text as given.
  let text: String
  /// The detector's name or file; nil if thresholds or nothing give it.
  var detector: String?
  /// A thresholds file; nil for none.
  var thresholds: String?
  /// Assignments such as `sag=3cm`, in order.
  var assignments: [String] = []
  /// A smoothing strategy in text form; nil for that of the thresholds, or none.
  var smoothing: String?
  /// A debounce strategy in text form; nil for that of the thresholds or the detector.
  var debounce: String?
  /// A folder of answers; nil if a detector runs.
  var predictions: String?

  /// Parses a side.
  ///
  /// - Throws: with the exit code `usage` for an empty text.
  init(_ text: String) throws {
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

  /// What scores the side.
  ///
  /// - Parameter remarks: receives remarks about it.
  func evaluator(
    of datasets: DatasetCollection, remarks: inout [String]
  ) throws -> SequenceEvaluator {
    try SequenceEvaluator(
      of: datasets,
      detector: BenchDetector(
        detector, thresholds: thresholds, assignments: assignments, smoothing: smoothing,
        debounce: debounce), predictions: predictions, remarks: &remarks)
  }
}
