internal import Evaluation
internal import FoundationEssentials
internal import ParameterTuning
internal import PlankDetection
internal import PoseDatasets
internal import PoseModel

/// An experiment with its data measured: all that a sweep or a choice needs.
struct PreparedExperiment: Sendable {
  /// What was asked for.
  let request: ExperimentRequest
  /// The experiment.
  let experiment: Experiment
  /// The datasets.
  let datasets: ExperimentData
  /// The labeled sequences, measured for every detector and smoothing.
  let data: MeasuredData
  /// The options, those of the command line included.
  let options: TuningOptions

  /// What the data are, dataset by dataset.
  var identities: [Evaluation.DatasetIdentity] { datasets.parts.map(\.identity) }

  /// The one dataset of a sweep, whose store knows no more.
  ///
  /// - Throws: `WorkflowFailure` where the experiment names several.
  func onlyIdentity() throws(WorkflowFailure) -> Evaluation.DatasetIdentity {
    guard identities.count == 1, let identity = identities.first else {
      throw WorkflowFailure(
        request.datasets.isEmpty ? .badData : .usage,
        experiment.places.message(
          ["dataset"],
          "a sweep takes one dataset, and there are \(identities.count); name one with --dataset, or "
            + "use `planklab tune`, which takes several"))
    }
    return identity
  }

  /// The names of the datasets.
  var dataName: String { identities.map(\.name).joined(separator: ", ") }

  /// Reads an experiment and its datasets.
  static func load(
    _ request: ExperimentRequest, progress: @escaping ProgressReport
  ) async throws(WorkflowFailure) -> PreparedExperiment {
    let experiment = try ExperimentFile.read(request)
    let datasets = try ExperimentData(request, experiment)
    let detectors = try experiment.grid.detectors.map {
      (detector) throws(WorkflowFailure) in
      try BatchDetector(compiling: detector.definition, detector.base)
    }
    let measured = try await ConcurrentMap.run(datasets.labeled, progress: progress) {
      (entry) throws(WorkflowFailure) in
      let tuning = try datasets.tuning(datasets.load(entry), entry)
      return detectors.flatMap { detector in
        experiment.grid.smoothings.map { MeasuredSequence(tuning, $0, detector) }
      }
    }
    return PreparedExperiment(
      request: request, experiment: experiment, datasets: datasets,
      data: try failing(request, experiment) { () throws(TuningError) in
        try data(measured, variants: detectors.count * experiment.grid.smoothings.count)
      }, options: options(experiment, request))
  }

  private static func data(
    _ measured: [[MeasuredSequence]], variants: Int
  ) throws(TuningError) -> MeasuredData {
    try MeasuredData(variants: (0..<variants).map { variant in measured.map { $0[variant] } })
  }

  private static func options(
    _ experiment: Experiment, _ request: ExperimentRequest
  ) -> TuningOptions {
    var options = experiment.options
    options.jobs = request.jobs ?? max(1, ProcessInfo.processInfo.activeProcessorCount)
    options.engine = request.engine.sweepEngine
    if request.allowsUngrouped { options.allowsUngrouped = true }
    return options
  }
}

extension PreparedExperiment {
  /// Runs a step of sweeping or choosing; its errors name the setting that is wrong.
  static func failing<Result>(
    _ request: ExperimentRequest, _ experiment: Experiment,
    _ body: () throws(TuningError) -> Result
  ) throws(WorkflowFailure) -> Result {
    do {
      return try body()
    } catch {
      throw WorkflowFailure(error, experiment, request)
    }
  }

  /// The failure that an error of sweeping or choosing is.
  func failure(_ error: TuningError) -> WorkflowFailure {
    WorkflowFailure(error, experiment, request)
  }

  /// How many frames there are.
  var frameCount: Int { data.sequences.reduce(0) { $0 + $1.times.count } }

  /// The engine's name; the numbers do not depend on the machine, so its kernel is not named.
  var engine: String {
    if options.engine == .streaming { return "streaming" }
    let names = streamedDetectors
    return names.isEmpty
      ? "bit-parallel" : "bit-parallel, and streaming for " + names.joined(separator: ", ")
  }

  /// The detectors whose debounce the bit-parallel engine cannot express.
  private var streamedDetectors: [String] {
    experiment.grid.detectors.filter { detector in
      !AnswerStream.allCases.allSatisfy(detector.isBitParallel)
    }.map(\.name)
  }

  /// The engine and which of its copies this machine runs, for remarks.
  var engineRemark: String {
    if options.engine == .streaming { return "streaming detector" }
    let names = streamedDetectors
    let fast = "bit-parallel engine (\(SweepKernelPath.current))"
    return names.isEmpty
      ? fast : "\(fast), and by the streaming detector for " + names.joined(separator: ", ")
  }

  /// The sequences in which no detector determines half of the scored frames, by stream.
  var noEvidence: [AnswerStream: [String]] {
    var result: [AnswerStream: [String]] = [:]
    for stream in AnswerStream.allCases {
      let lists = experiment.grid.detectors.map { $0.definition.list(stream).measurements }
      let smoothings = experiment.grid.smoothings.count
      result[stream] = data.sequences.indices.filter { index in
        lists.indices.allSatisfy { list in
          let share = data.variants[list * smoothings][index].determinedShare(lists[list], stream)
          return share.map { $0 < 0.5 } ?? false
        }
      }.map { data.sequences[$0].name }
    }
    return result
  }
}

extension MeasuredSequence {
  /// The share of the scored frames in which every measurement of a set is defined; nil where no
  /// frame is scored.
  fileprivate func determinedShare(_ set: MeasurementSet, _ stream: AnswerStream) -> Double? {
    let codes = truth.codes(stream)
    let scored = codes.indices.filter { FrameTruth.isScored(codes[$0]) }
    guard !scored.isEmpty else { return nil }
    let members = set.members
    let determined = scored.count { frame in
      members.allSatisfy { columns.value(of: $0, at: frame) != nil }
    }
    return Double(determined) / Double(scored.count)
  }
}

extension WorkflowFailure {
  /// A failure to sweep or to choose, with the place of the setting that the data do not allow.
  ///
  /// Settings of the command line are named as options; what neither says has no place.
  init(_ error: TuningError, _ experiment: Experiment, _ request: ExperimentRequest) {
    let problem = "\(error)"
    switch error {
    case .notBitParallel, .invalidShard: self.init(.badData, problem)
    default:
      if let option = request.option(of: error) {
        self.init(.usage, "\(option): \(problem)")
      } else {
        let fields = error.fields.filter { $0 != "dataset" || request.datasets.isEmpty }
        self.init(.badData, experiment.places.message(fields, problem))
      }
    }
  }
}

extension ExperimentRequest {
  /// The option that gave what an error is about; nil where the file did.
  fileprivate func option(of error: TuningError) -> String? {
    if let key = error.axis?.rawValue,
      let axis = axes.first(where: { $0.prefix { $0 != "=" } == key })
    {
      return "--axis \(axis)"
    }
    guard case .noSequences = error else { return nil }
    return split.map { "--split \($0)" } ?? datasets.first.map { "--dataset \($0)" }
  }
}

extension TuningError {
  /// The axis that an error is about; nil for others.
  fileprivate var axis: ParameterKey? {
    switch self {
    case .emptyAxis(let key), .repeatedValue(let key, _), .repeatedAxis(let key),
      .invalidRange(let key, _, _, _), .tooManyValues(let key, _), .noMeasurement(let key),
      .nothingObserved(let key), .unusedAxis(let key, _):
      key
    default: nil
    }
  }

  /// The settings of an experiment that an error is about, the nearest first.
  fileprivate var fields: [String] {
    if let axis { return ["axes.\(axis.rawValue)", "axes"] }
    return switch self {
    case .gridTooLarge: ["axes"]
    case .everyCellRejected, .undefinedConstraint: ["constraints"]
    case .invalidFolds, .tooFewSubjects: ["validation.subject_folds", "validation"]
    case .missingSubject: ["allow_ungrouped", "dataset"]
    case .tooFewSources: ["source_tag", "validation", "dataset"]
    case .subjectInTwoSources: ["source_tag", "dataset"]
    case .noSequences: ["split", "dataset"]
    case .repeatedSequence: ["dataset"]
    case .noDetector, .repeatedDetector: ["detector"]
    case .mixedStreams, .undefinedObjective: ["objective"]
    default: []
    }
  }
}

/// Which program this is, exactly: two of the same text give the same numbers.
enum ProgramIdentity {
  /// Version and hash of the executable, the latter left out where it cannot be read.
  static func text() throws(WorkflowFailure) -> String {
    let name = "planklab \(Provenance.version)"
    let places = ["/proc/self/exe", CommandLine.arguments.first].compactMap(\.self)
    for place in places {
      guard let data = FileManager.default.contents(atPath: place), !data.isEmpty else { continue }
      let digest = try DatasetAccess.failing { () throws(DatasetError) in
        try SHA256Digest(of: Array(data))
      }
      return "\(name) (\("\(digest)".prefix(16)))"
    }
    return name
  }
}

extension BatchDetector {
  /// Compiles a detector with parameters of its own.
  fileprivate init(
    compiling definition: DetectorDefinition, _ parameters: ParameterValues
  ) throws(WorkflowFailure) {
    do {
      try self.init(definition, parameters: parameters)
    } catch {
      throw WorkflowFailure(.usage, "\(error)")
    }
  }
}
