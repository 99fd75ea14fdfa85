internal import Evaluation
internal import PlankDetection
internal import Platform
internal import PoseDatasets
internal import PoseModel
internal import Reports
internal import Statistics
internal import Tuning

struct PreparedExperiment: Sendable {
  let experiment: Experiment
  let datasets: ExperimentData
  let data: MeasuredData
  let swept: PerStream<MeasuredData>
  private let persons: [Person?]
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
      let columns = detectors.flatMap { detector in
        smoothings.map { $0.measure(tuning.recording, detector) }
      }
      let person = try Person(experiment, sequence, columns[0])
      let variants = columns.map { columns in
        let measured = MeasuredSequence(tuning, columns: columns)
        return person?.calibrated(measured) ?? measured
      }
      return (mismatches: mismatches, variants: variants, person: person, worse: worse)
    }
    try Self.check(detectors.indices.map { index in measured.map { $0.mismatches[index] } })
    do {
      data = try MeasuredData(
        variants: (0..<detectors.count * smoothings.count).map { variant in
          measured.map { $0.variants[variant] }
        })
    } catch { throw experiment.failure(error) }
    let data = data
    swept = PerStream { data.compared(by: $0).withShortOnesJoined }
    persons = measured.map(\.person)
    if let choice = experiment.calibrating, persons.allSatisfy({ $0?.found == nil }) {
      throw experiment.places.failure(
        ["calibrate"],
        "\(datasets.collection.name): no recording has a hold to calibrate with; `planklab evaluate "
          + "DATASET --calibrate \(choice.text)` says why for each")
    }
    worse = keepsWorse ? measured.compactMap(\.worse) : nil
    self.experiment = experiment
    self.datasets = datasets
  }

  private static func check(_ detectors: [[PoseMismatch?]]) throws {
    for mismatches in detectors {
      let cautions = BenchDetector.cautions(of: mismatches)
      try require(
        mismatches.isEmpty || mismatches.contains(nil), .badData, cautions.joined(separator: " "))
      for caution in cautions { Terminal.say(caution) }
    }
  }

  var options: TuningOptions { experiment.options }

  var frameCount: Int { data.sequences.reduce(0) { $0 + $1.times.count } }

  /// Leaves out the kernel, because the numbers do not depend on the machine.
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
      return try AnswerStream.allCases.map {
        try experiment.grid.grid($0, data.compared(by: $0))
      }
    } catch { throw experiment.failure(error) }
  }

  /// How many recordings have no hold, so that their form is not judged; nil without calibration.
  var refusedCount: Int? {
    experiment.calibrating == nil ? nil : persons.count { $0?.found == nil }
  }

  var calibratedPeople: Int {
    Set(
      zip(data.sequences, persons).filter { $1?.found != nil }.map { $0.0.subject ?? $0.0.name }
    ).count
  }

  func calibrated(_ measured: [MeasuredSequence], at index: Int) -> [MeasuredSequence] {
    measured.map { persons[index]?.calibrated($0) ?? $0 }
  }

  func plan(of title: String, _ streams: [RunPlan.Stream]) throws -> RunPlan {
    let identity = datasets.identity
    return RunPlan(
      identity: RunIdentity(
        experiment: title,
        dataset: RunIdentity.Dataset(
          name: identity.name, hash: identity.hash, split: identity.split,
          calibration: experiment.calibrating?.text),
        program: try ProgramIdentity.text(), seed: options.seed), streams: streams)
  }

  func cells(of stream: AnswerStream, in store: String, _ title: String) throws -> CellTable {
    let streams = try grids().map { grid in
      RunPlan.Stream(
        grid: grid,
        layout: StatisticsLayout(StreamFacts(grid.stream, swept[grid.stream].sequences)))
    }
    let plan = try plan(of: title, streams)
    let database = try RunAccess.read(store)
    let runs = try database.runs().filter {
      $0.identity.experiment == title && $0.finishedAt != nil
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

/// Programs with equal texts give equal numbers.
enum ProgramIdentity {
  /// Throws if the executable cannot be read, because without its hash, another build would pass
  /// for this one.
  static func text() throws -> String {
    "\(Program.name) (\(try hash.get().prefix(16)))"
  }

  private static let hash = Result<String, any Error> {
    let executable = try require(
      Self.executable, .noInput, "the path of the running program is unknown")
    do {
      return "\(try SHA256Digest(ofFileAt: executable))"
    } catch {
      throw WorkflowFailure(
        .noInput, "the running program cannot be read, so results cannot state its hash: \(error)")
    }
  }

  /// The first argument of the process is not reliable, because the caller typed it.
  private static var executable: String? {
    #if os(Linux)
      // The running file itself, even if another file has replaced it since then.
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

struct ExperimentData: Sendable {
  let collection: DatasetCollection
  let identity: Evaluation.DatasetIdentity

  init(_ experiment: Experiment, progress: @escaping ProgressReport) throws {
    let parts = try experiment.datasets.map { path in try Self.part(path, experiment) }
    do {
      collection = try DatasetCollection(parts, sourceTag: experiment.sourceTag)
    } catch let error as WorkflowFailure {
      throw experiment.places.failure(
        ["source_tag", "dataset"], error.message, status: error.status)
    }
    identity = try collection.identity(progress: progress)
  }

  private static func part(
    _ path: String, _ experiment: Experiment
  ) throws -> DatasetCollection.Part {
    try require(
      !experiment.flags.datasets.isEmpty || FileManager.default.fileExists(atPath: path), .noInput,
      experiment.places.message(
        ["dataset"],
        "\(path): no such dataset; write its path relative to the folder of this file"))
    let reader = try DatasetAccess.open(path)
    do {
      return try DatasetCollection.Part(reader, split: experiment.split)
    } catch DatasetError.unknownSplit(let file, let found, let known)
      where experiment.flags.split == nil
    {
      let error = DatasetError.unknownSplit(file: file, found: found, known: known)
      throw experiment.places.failure(["split"], "\(error)")
    }
  }

  var labeled: [DatasetCollection.Entry] {
    collection.entries.filter { $0.entry.labelsPath != nil }
  }

  var unlabeledCount: Int { collection.entries.count - labeled.count }

  var hasSources: Bool { collection.entries.contains { $0.source != nil } }

  func tuning(_ sequence: DatasetSequence, _ entry: DatasetCollection.Entry) -> TuningSequence {
    TuningSequence(
      name: sequence.name, subject: sequence.subject, source: entry.source,
      recording: sequence.recording, truth: sequence.truth(), startsMid: sequence.startsMid)
  }
}

struct Person: Sendable {
  let found: FoundHold?

  init?(
    _ experiment: Experiment, _ sequence: DatasetSequence, _ columns: MeasurementColumns
  ) throws {
    guard let choice = experiment.calibrating else { return nil }
    let variant = experiment.grid.detectors[0]
    let detector = try BatchDetector(
      experiment.detectors[0], parameters: variant.base, debounce: variant.debounce)
    guard !choice.lacksHold(sequence) else {
      found = nil
      return
    }
    found = try? choice.find(
      in: sequence, detector, columns, detector.detect(columns, of: sequence))
  }

  func calibrated(_ measured: MeasuredSequence) -> MeasuredSequence {
    var truth = measured.truth
    if let found {
      for stream in AnswerStream.allCases {
        truth.ignore(found.unscored(at: measured.times)[stream], in: stream)
      }
    } else {
      truth.ignore(measured.times.indices, in: .form)
    }
    return measured.calibrated(by: found?.calibration, truth)
  }
}

struct StressTest: Sendable {
  static let what = "degraded sequences"
  let prepared: PreparedExperiment

  /// The draws depend only on the seed, the condition and the sequence's name.
  ///
  /// - Complexity: O(conditions x frames).
  func run(
    _ found: TunedDetector, progress: @escaping ProgressReport
  ) async throws -> [[StreamRecommendation.Stressed]] {
    do {
      let settings = try FixedSettings(found.detector, found.thresholds.smoothing)
      let kept = kept(found.thresholds)
      let measured = try await ConcurrentMap.run(
        Array(prepared.datasets.labeled.enumerated()), of: Self.what, jobs: prepared.options.jobs,
        progress: progress
      ) { entry in
        let worse = try kept?(entry.offset) ?? measure(entry.element, settings)
        return prepared.calibrated(worse, at: entry.offset)
      }
      var results: [[StreamRecommendation.Stressed]] = []
      for goal in prepared.experiment.goals {
        var rows: [StreamRecommendation.Stressed] = []
        for (index, condition) in StreamRecommendation.Condition.allCases.enumerated() {
          let value = try await settings.value(
            goal.objective, over: measured.map { $0[index] }, engine: prepared.options.engine,
            jobs: prepared.options.jobs)
          rows.append(StreamRecommendation.Stressed(condition: condition, objective: value))
        }
        results.append(rows)
      }
      return results
    } catch { throw prepared.experiment.failure(error) }
  }

  private func kept(
    _ thresholds: Thresholds
  ) -> (@Sendable (_ index: Int) -> [MeasuredSequence]?)? {
    let grid = prepared.experiment.grid
    guard let worse = prepared.worse, thresholds.smoothing.isNone,
      let smoothing = grid.smoothings.firstIndex(of: .none),
      let detector = grid.detectors.firstIndex(where: { $0.name == thresholds.definition.name })
    else { return nil }
    let plain = prepared.data.variants[detector * grid.smoothings.count + smoothing]
    return { worse[$0].measured(plain[$0], by: detector) }
  }

  private func measure(
    _ entry: DatasetCollection.Entry, _ settings: FixedSettings
  ) throws -> [MeasuredSequence] {
    let sequence = try prepared.datasets.collection.load(entry)
    return try StreamRecommendation.Condition.allCases.map { condition in
      let worse = prepared.datasets.tuning(
        condition.applied(to: sequence, seed: prepared.options.seed), entry)
      do { return try settings.measure(worse) } catch { throw prepared.experiment.failure(error) }
    }
  }
}

/// Degraded frames that let a stress test without smoothing read a recording only once.
///
/// Only noise is measured, which takes 4 bytes per frame and measurement of every detector.
struct WorseFrames: Sendable {
  private struct Rest {
    let frames: [Int32]
    let sequence: MeasuredSequence
  }

  private let rests: [Rest?]
  private let noisier: [MeasuredSequence?]

  static func suits(_ detector: BatchDetector) -> Bool {
    !detector.measurements.members.contains(where: \.looksBack)
  }

  init(
    _ sequence: DatasetSequence, _ entry: DatasetCollection.Entry, _ datasets: ExperimentData,
    _ detectors: [BatchDetector], seed: UInt64
  ) {
    let clock = sequence.withoutPoses
    rests = StreamRecommendation.Condition.allCases.map { condition in
      guard condition != .noisier else { return nil }
      let rest = datasets.tuning(condition.applied(to: clock, seed: seed), entry)
      return Rest(
        frames: Self.places(of: rest.recording.times, in: clock.recording.times),
        sequence: MeasuredSequence(
          rest,
          columns: MeasurementColumns(measurements: [], frameCount: rest.recording.frameCount)))
    }
    let noisy = datasets.tuning(
      StreamRecommendation.Condition.noisier.applied(to: sequence, seed: seed), entry)
    noisier = detectors.map { Self.suits($0) ? MeasuredSequence(noisy, .none, $0) : nil }
  }

  func measured(_ plain: MeasuredSequence, by detector: Int) -> [MeasuredSequence]? {
    guard let noisier = noisier[detector] else { return nil }
    return rests.map { rest in
      rest.map { rest in
        rest.sequence.with(plain.columns.selecting(rest.frames.map(Int.init)))
      } ?? noisier
    }
  }

  private static func places(of some: [Double], in all: [Double]) -> [Int32] {
    var place = 0
    return some.map { time in
      while all[place] < time { place += 1 }
      return Int32(place)
    }
  }
}

extension DatasetSequence {
  fileprivate var withoutPoses: DatasetSequence {
    var header = recording.header
    header.joints = []
    var clock = Recording(header: header)
    for time in recording.times { clock.append(time: Seconds(time), pose: nil) }
    return DatasetSequence(
      name: name, recording: clock, labels: labels, subject: subject, startsMid: startsMid,
      tags: tags, activities: activities)
  }
}

extension StreamRecommendation.Condition {
  fileprivate func applied(to sequence: DatasetSequence, seed: UInt64) -> DatasetSequence {
    let stream = RandomStream(seed: seed, purpose: "tuning.stress.\(rawValue)/\(sequence.name)")
    return degradation.applied(to: sequence, stream)
  }

  private var degradation: FrameDegradation {
    switch self {
    case .noisier: .noisier
    case .twentiethDropped: .dropped(0.05)
    case .tenthDropped: .dropped(0.1)
    case .slower: .atMost(Hertz(15))
    }
  }
}
