internal import Evaluation
internal import PlankDetection
internal import Platform
internal import PoseDatasets
internal import PoseModel
internal import Tuning

struct PreparedExperiment: Sendable {
  let experiment: Experiment
  let datasets: ExperimentData
  let data: MeasuredData
  let worse: [WorseFrames]?

  var dataName: String { datasets.collection.name }

  init(
    _ experiment: Experiment, isStressed: Bool = false, progress: @escaping ProgressReport
  ) async throws {
    let datasets = try ExperimentData(experiment, progress: progress)
    let smoothings = experiment.grid.smoothings
    let detectors = try experiment.grid.detectors.map { detector in
      try BatchDetector(compiling: detector.definition, detector.base)
    }
    let keepsWorse =
      isStressed && smoothings.contains(.none) && detectors.contains(where: WorseFrames.suits)
    let measured = try await ConcurrentMap.run(
      datasets.labeled, jobs: experiment.options.jobs, progress: progress
    ) { entry in
      let sequence = try datasets.collection.load(entry)
      let worse =
        keepsWorse
        ? WorseFrames(sequence, entry, datasets, detectors, seed: experiment.options.seed) : nil
      let tuning = datasets.tuning(sequence, entry)
      let mismatches = detectors.map { $0.definition.mismatch(with: tuning.recording.header) }
      let variants = detectors.flatMap { detector in
        smoothings.map { smoothing in
          MeasuredSequence(tuning, columns: smoothing.measure(tuning.recording, detector))
        }
      }
      return (mismatches: mismatches, variants: variants, worse: worse)
    }
    try Self.check(detectors.indices.map { index in measured.map { $0.mismatches[index] } })
    do {
      data = try MeasuredData(
        variants: (0..<detectors.count * smoothings.count).map { variant in
          measured.map { $0.variants[variant] }
        })
    } catch {
      throw experiment.failure(error)
    }
    worse = keepsWorse ? measured.compactMap(\.worse) : nil
    self.experiment = experiment
    self.datasets = datasets
  }

  private static func check(_ detectors: [[PoseMismatch?]]) throws {
    for mismatches in detectors {
      let cautions = BenchDetector.cautions(of: mismatches)
      guard mismatches.isEmpty || mismatches.contains(nil) else {
        throw WorkflowFailure(.badData, cautions.joined(separator: " "))
      }
      for caution in cautions { Terminal.say(caution) }
    }
  }
}

extension PreparedExperiment {
  var options: TuningOptions { experiment.options }

  var frameCount: Int { data.sequences.reduce(0) { $0 + $1.times.count } }

  /// The engine's name, without its kernel: the numbers do not depend on the machine.
  var engine: String {
    if options.engine.asked == .streaming { return "streaming" }
    let names = streamedDetectors
    return names.isEmpty
      ? "bit-parallel" : "bit-parallel, and streaming for " + names.joined(separator: ", ")
  }

  private var streamedDetectors: [String] {
    experiment.grid.detectors.filter { detector in
      !AnswerStream.allCases.allSatisfy(detector.isBitParallel)
    }.map(\.name)
  }

  var engineRemark: String {
    if options.engine.asked == .streaming { return "streaming detector" }
    let names = streamedDetectors
    let fast = "bit-parallel engine (\(SweepKernelPath.current))"
    return names.isEmpty
      ? fast : "\(fast), and by the streaming detector for " + names.joined(separator: ", ")
  }

  func grids() throws -> [StreamGrid] {
    do {
      var grids: [StreamGrid] = []
      for stream in AnswerStream.allCases {
        grids.append(try experiment.grid.grid(stream, data))
      }
      return grids
    } catch {
      throw experiment.failure(error)
    }
  }

  func plan(of title: String, _ shard: Shard, _ streams: [RunPlan.Stream]) throws -> RunPlan {
    let identity = datasets.identity
    return RunPlan(
      identity: RunIdentity(
        experiment: title,
        dataset: RunIdentity.Dataset(
          name: identity.name, hash: identity.hash, split: identity.split),
        program: try ProgramIdentity.text(), seed: options.seed, shard: shard),
      streams: streams)
  }

  /// - Throws: with the exit code `noInput` where the store has no such run, `notComparable` where
  /// it is of other data, another grid, program or seed.
  func cells(of stream: AnswerStream, in store: String, _ title: String) throws -> CellTable {
    let streams = try grids().map { grid in
      RunPlan.Stream(
        grid: grid,
        layout: StatisticsLayout(
          StreamFacts(grid.stream, data.sequences), keepsDetermined: false))
    }
    let plan = try plan(of: title, .whole, streams)
    let database = try RunAccess.read(store)
    let runs = try database.runs().filter {
      $0.identity.experiment == title && $0.identity.shard == .whole && $0.finishedAt != nil
    }
    guard let newest = runs.last else {
      throw RunStoreError.noWhole(path: store, experiment: title)
    }
    let reader = try database.run(newest.id)
    let changes = reader.changes(to: plan)
    guard changes.isEmpty else { throw RunStoreError.outdated(run: newest.id, changes) }
    guard let table = try reader.allCells(stream),
      table.ids.count == newest.streams.first(where: { $0.stream == stream })?.acceptedCount
    else {
      throw RunStoreError.unfinished(
        run: newest.id, missing: newest.acceptedCount - newest.storedCount)
    }
    return table
  }

  func trueClasses(_ stream: AnswerStream) -> [String] {
    let seen = data.sequences.classes(stream)
    return stream.labels.enumerated().filter { seen.contains(UInt8($0.offset)) }.map(\.element)
  }

  /// The sequences in which every detector leaves more than half of the scored frames undetermined.
  var noEvidence: PerStream<[String]> {
    PerStream { stream in
      let lists = experiment.grid.detectors.map { $0.definition.list(stream).measurements }
      let smoothings = experiment.grid.smoothings.count
      return data.sequences.indices.filter { index in
        lists.indices.allSatisfy { list in
          let share = data.variants[list * smoothings][index].determinedShare(lists[list], stream)
          return share.map { $0 < 0.5 } ?? false
        }
      }.map { data.sequences[$0].name }
    }
  }
}

extension MeasuredSequence {
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
  /// - Throws: where the executable cannot be found or read: without its hash, another build would
  /// pass for this one.
  static func text() throws -> String {
    "planklab \(PlankLab.version) (\(try hash.get().prefix(16)))"
  }

  private static let hash = Result<String, any Error> {
    guard let executable else {
      throw WorkflowFailure(.noInput, "the system does not say where the running program is")
    }
    do {
      return "\(try SHA256Digest(ofFileAt: executable))"
    } catch {
      throw WorkflowFailure(
        .noInput, "the running program cannot be read, by whose hash results name it: \(error)")
    }
  }

  /// The first argument is not reliable: it is what the caller typed, and a search along `PATH` may
  /// have turned it into a file elsewhere.
  private static var executable: String? {
    #if os(Linux)
      // The running file itself, even if another file has since replaced it.
      "/proc/self/exe"
    #else
      Bundle.main.executablePath
    #endif
  }
}

extension BatchDetector {
  fileprivate init(compiling definition: DetectorDefinition, _ parameters: ParameterValues) throws {
    do {
      try self.init(definition, parameters: parameters)
    } catch {
      throw WorkflowFailure(.usage, "\(error)")
    }
  }
}
