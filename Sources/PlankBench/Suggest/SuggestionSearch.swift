internal import Evaluation
internal import PlankDetection
internal import Platform
internal import PoseDatasets
internal import PoseModel
internal import Tuning

struct SuggestionSearch: Sendable {
  let bench: BenchDetector
  let name: String
  let stream: AnswerStream
  var measurements: String?
  var settings = SuggestionSettings()
  var jobs: Int?

  /// - Throws: `WorkflowFailure` for data without a scored frame or a list of rules that is too
  /// long.
  func judge(
    _ datasets: DatasetCollection, progress: @escaping ProgressReport
  ) async throws -> SuggestionJudge {
    let definition = try bench.detector.definition.withDefaults(bench.detector.parameters)
    guard isSearchable else {
      throw WorkflowFailure(
        .usage,
        "\(name): has more than \(SuggestionSettings.mostRules) \(stream.rawValue) rules, "
          + "with every `or` written out; give a shorter list")
    }
    let candidates = try CandidateMeasurements.all(for: definition, file: measurements)
    let labeled = datasets.entries.filter { $0.entry.labelsPath != nil }
    let sequences = try await ConcurrentMap.run(labeled, jobs: jobs, progress: progress) { entry in
      try measured(datasets.load(entry), entry.source, MeasurementSet(candidates))
    }
    guard
      sequences.contains(where: { $0.truth.codes(stream).contains(where: FrameTruth.isScored) })
    else {
      throw WorkflowFailure(
        .notComparable,
        "\(datasets.place): no \(stream.rawValue) frame is scored; label the recordings first")
    }
    let debounce = bench.detector.debounce
    return try await SuggestionJudge(
      definition, sequences, stream, candidates: candidates, settings,
      jobs: jobs ?? max(1, ProcessInfo.processInfo.activeProcessorCount),
      debounced: { edited, sequence in
        try BatchDetector(edited, parameters: edited.defaults, debounce: debounce).run(
          stream, sequence.columns, times: sequence.times, startsMid: sequence.startsMid
        ).answers
      }, progress: progress)
  }

  var isSearchable: Bool {
    bench.detector.definition.list(stream).rules.count <= SuggestionSettings.mostRules
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

  /// The first stream's change that holds, else what was found for the first stream; nil if no
  /// stream is searched.
  ///
  /// Streams in which `next` can try nothing are not searched.
  static func first(
    beside next: NextSteps, _ datasets: DatasetCollection, _ bench: BenchDetector,
    _ command: EvaluateCommand, progress: @escaping ProgressReport
  ) async throws -> SuggestionResult? {
    var first: SuggestionResult?
    for stream in AnswerStream.allCases where next.findings[stream].isOpen {
      let search = SuggestionSearch(
        bench: bench, name: bench.detector.definition.name, stream: stream)
      guard search.isSearchable else { continue }
      var result = try await search.judge(datasets, progress: progress).result
      result.commands = command.suggesting(stream)
      if result.made > 0, next.fixes.isEmpty || result.suggested.contains(where: \.isOfRules) {
        return result
      }
      if first == nil { first = result }
    }
    return first
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

extension SuggestedEdit {
  fileprivate var isOfRules: Bool { edit.kind != .move }
}
