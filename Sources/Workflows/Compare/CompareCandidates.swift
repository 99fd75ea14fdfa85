internal import Evaluation
internal import Reporting

/// Compares detectors, files and folders of answers on one dataset.
package enum CompareCandidates {
  /// What `compare` is asked for.
  package struct Request: Sendable {
    /// The dataset's folder or manifest.
    package var dataset: String
    /// The sides; the first is what the others are compared with.
    package var candidates: [String]
    /// The split; nil for all sequences.
    package var split: String?
    /// The metrics by name; empty for the headlines.
    package var metrics: [String]
    /// How many resamples are drawn.
    package var resamples: Int
    /// The seed of the resamples.
    package var seed: UInt64
    /// The face of the result.
    package var format: OutputFormat
    /// Whether text may be colored.
    package var usesColor: Bool

    /// Makes a request.
    package init(
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
  package static func run(
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
      let found = try await EvaluateDataset.evaluate(
        choice.request(request.dataset, split: request.split), progress: progress,
        intervals: false)
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
      guard let key = MetricKey(name) else {
        throw WorkflowFailure(
          .usage, "--metric \(name): no such metric; docs/metrics.md lists all")
      }
      if !keys.contains(key) { keys.append(key) }
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
