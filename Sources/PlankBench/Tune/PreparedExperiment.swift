internal import Evaluation
internal import FoundationEssentials
internal import ParameterTuning
internal import PlankDetection
internal import PoseDatasets
internal import PoseModel

/// An experiment with its data measured: the input of a sweep or a choice.
struct PreparedExperiment: Sendable {
  /// The experiment.
  let experiment: Experiment
  /// The datasets.
  let datasets: ExperimentData
  /// The labeled sequences, measured for every detector and smoothing.
  let data: MeasuredData

  /// The provenance of the data, dataset by dataset.
  var identities: [Evaluation.DatasetIdentity] { datasets.collection.parts.map(\.identity) }

  /// The names of the datasets.
  var dataName: String { identities.map(\.name).joined(separator: ", ") }

  /// Reads an experiment and its datasets.
  init(
    _ flags: ExperimentOptions, progress: @escaping ProgressReport
  ) async throws(WorkflowFailure) {
    let experiment = try Experiment(flags)
    let datasets = try ExperimentData(experiment)
    let smoothings = experiment.grid.smoothings
    let detectors = try experiment.grid.detectors.map {
      (detector) throws(WorkflowFailure) in
      try BatchDetector(compiling: detector.definition, detector.base)
    }
    let measured = try await ConcurrentMap.run(datasets.labeled, progress: progress) {
      (entry) throws(WorkflowFailure) in
      let tuning = datasets.tuning(try datasets.collection.load(entry), entry)
      return detectors.flatMap { detector in
        smoothings.map { MeasuredSequence(tuning, $0, detector) }
      }
    }
    do {
      data = try MeasuredData(
        variants: (0..<detectors.count * smoothings.count).map { variant in
          measured.map { $0[variant] }
        })
    } catch {
      throw experiment.failure(error)
    }
    self.experiment = experiment
    self.datasets = datasets
  }
}

extension PreparedExperiment {
  /// How sweeping and choosing are done.
  var options: TuningOptions { experiment.options }

  /// How many frames there are.
  var frameCount: Int { data.sequences.reduce(0) { $0 + $1.times.count } }

  /// The engine's name, without its kernel: the numbers do not depend on the machine.
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

  /// The engine and the kernel that this machine runs, for remarks.
  var engineRemark: String {
    if options.engine == .streaming { return "streaming detector" }
    let names = streamedDetectors
    let fast = "bit-parallel engine (\(SweepKernelPath.current))"
    return names.isEmpty
      ? fast : "\(fast), and by the streaming detector for " + names.joined(separator: ", ")
  }

  /// The sequences in which every detector leaves more than half of the scored frames undetermined,
  /// by stream.
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
  /// The share of the scored frames in which no measurement of a set is missing.
  ///
  /// Inapplicable measurements leave a frame determined; nil if no frame is scored.
  fileprivate func determinedShare(_ set: MeasurementSet, _ stream: AnswerStream) -> Double? {
    let codes = truth.codes(stream)
    let scored = codes.indices.filter { FrameTruth.isScored(codes[$0]) }
    guard !scored.isEmpty else { return nil }
    let members = set.members
    let determined = scored.count { frame in
      members.allSatisfy { columns.measured($0, at: frame) != .missing }
    }
    return Double(determined) / Double(scored.count)
  }
}

/// The exact program: two with the same text give the same numbers.
enum ProgramIdentity {
  /// Version and hash of the executable; the hash is left out if it cannot be read.
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
