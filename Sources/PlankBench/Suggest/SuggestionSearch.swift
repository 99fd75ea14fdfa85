internal import Evaluation
internal import PlankDetection
internal import Platform
internal import PoseDatasets
internal import PoseModel
internal import Tuning

struct SuggestionSearch: Sendable {
  let bench: BenchDetector
  let name: String
  var streams = AnswerStream.allCases
  var measurements: String?
  var settings = SuggestionSettings()
  var jobs: Int?

  /// The detector that is searched, with the values of its parameters as defaults.
  var definition: DetectorDefinition {
    get throws { try bench.detector.definition.withDefaults(bench.detector.parameters) }
  }

  func candidates() throws -> [Measurement] {
    try CandidateMeasurements.all(for: definition, file: measurements)
  }

  /// - Throws: `WorkflowFailure` if no stream can be searched.
  func report(
    _ datasets: DatasetCollection, progress: @escaping ProgressReport
  ) async throws -> SuggestionReport {
    let (definition, candidates) = (try definition, try candidates())
    let labeled = datasets.entries.filter { $0.entry.labelsPath != nil }
    let sequences = try await ConcurrentMap.run(labeled, jobs: jobs, progress: progress) { entry in
      try measured(datasets.load(entry), entry.source, MeasurementSet(candidates))
    }
    let unsearched = streams.compactMap { stream in
      obstacle(stream, sequences).map { SuggestionReport.Unsearched(stream, $0) }
    }
    if let first = unsearched.first, unsearched.count == streams.count {
      throw WorkflowFailure(
        first.reason == .tooManyRules ? .usage : .notComparable,
        "\(first.reason == .tooManyRules ? name : datasets.place): "
          + unsearched.map(\.sentence).joined(separator: "; "))
    }
    let debounce = bench.detector.debounce
    var found: [SuggestionResult] = []
    for stream in streams where !unsearched.contains(where: { $0.stream == stream }) {
      found.append(
        try await SuggestionJudge(
          definition, sequences, stream, candidates: candidates, settings,
          jobs: jobs ?? max(1, ProcessInfo.processInfo.activeProcessorCount),
          debounced: { edited, sequence in
            try BatchDetector(edited, parameters: edited.defaults, debounce: debounce).run(
              stream, sequence.columns, times: sequence.times, startsMid: sequence.startsMid
            ).answers
          }, progress: progress
        ).result)
    }
    return SuggestionReport(detector: definition.name, streams: found, unsearched: unsearched)
  }

  private func obstacle(
    _ stream: AnswerStream, _ sequences: [MeasuredSequence]
  ) -> SuggestionReport.Unsearched.Reason? {
    if bench.detector.definition.list(stream).rules.count > SuggestionSettings.mostRules {
      return .tooManyRules
    }
    let classes = sequences.classes(stream)
    return classes.isEmpty ? .unlabeled : classes.count == 1 ? .oneClass : nil
  }

  private func measured(
    _ sequence: DatasetSequence, _ source: String?, _ candidates: MeasurementSet
  ) -> MeasuredSequence {
    MeasuredSequence(
      name: sequence.name, subject: sequence.subject, source: source,
      times: sequence.recording.times, truth: sequence.truth(), startsMid: sequence.startsMid,
      frameWeight: sequence.recording.frameWeight,
      columns: bench.measure(sequence.recording, also: candidates))
  }
}

extension SuggestionSearch {
  private static let mostFrames = 20_000

  static func isShort(people: Int, frames: Int) -> Bool {
    people >= SuggestionResult.fewestPeople && frames <= mostFrames
  }

  /// What the streams in which `next` can try something suggest; nil if none is searched.
  static func report(
    beside next: NextSteps, _ datasets: DatasetCollection, _ bench: BenchDetector,
    _ command: EvaluateCommand, progress: @escaping ProgressReport
  ) async throws -> SuggestionReport? {
    let open = AnswerStream.allCases.filter { stream in
      next.findings[stream].isOpen
        && bench.detector.definition.list(stream).rules.count <= SuggestionSettings.mostRules
    }
    guard !open.isEmpty else { return nil }
    var report = try await SuggestionSearch(
      bench: bench, name: bench.detector.definition.name, streams: open
    ).report(datasets, progress: progress)
    report.commands = command.suggesting
    return report
  }
}

extension NextSteps.Finding {
  fileprivate var isOpen: Bool {
    switch self {
    case .helps, .nothingHelps, .notAdvised: true
    default: false
    }
  }
}
