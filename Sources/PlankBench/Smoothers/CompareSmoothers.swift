internal import ArgumentParser
internal import Evaluation
internal import ParameterTuning
internal import PlankDetection
internal import PoseDatasets
internal import PoseModel
internal import Statistics

extension Smoothers {
  /// `planklab smoothers compare`.
  struct Compare: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Compare every causal smoother on a dataset: jitter against lag.",
      discussion: """
        Each filter runs over its range of parameters. Jitter is measured on holds, lag where planks \
        begin, end and change; a search finds continuous parameters of least jitter plus lag; the \
        calmest within 100 ms are tried at half the frame rate, with dropped frames and with a \
        jittered clock. Filters that look ahead bound what could be had and are never recommended.

        Examples:
          planklab smoothers compare datasets/scripted
          planklab smoothers compare my-data --output smoothers-report
          planklab smoothers compare my-data --candidate median:frames=5+one-euro:beta=2
        """)

    @Argument(help: "The dataset's folder, or its dataset.yaml.")
    var dataset: String

    @OptionGroup var detector: DetectorOptions

    @Option(help: ArgumentHelp("Only the sequences of one split.", valueName: "NAME"))
    var split: String?

    @Flag(help: "Smooth measurements rather than joints.")
    var onMeasurements = false

    @Option(
      name: .customLong("candidate"),
      help: ArgumentHelp("Place a further strategy; may be repeated.", valueName: "STRATEGY"))
    var candidates: [String] = []

    @Option(
      help: ArgumentHelp(
        "What a second of lag costs, in shares of the raw jitter (3).", valueName: "NUMBER"))
    var lagCost = 3.0

    @Option(
      name: .shortAndLong,
      help: ArgumentHelp(
        "Make a folder with report, page, figures and result.json.", valueName: "DIR"))
    var output: String?

    @Flag(help: "List every smoother in text, not the best ones only.")
    var verbose = false

    @Option(help: "text, json or markdown.")
    var format: OutputFormat = .text

    func validate() throws {
      guard lagCost.isFinite, lagCost >= 0 else {
        throw ValidationError("--lag-cost: \(lagCost) is no cost; give a number from 0 on")
      }
    }

    func run() async throws {
      try await Terminal.run {
        let request = CompareSmoothersRequest(
          dataset: dataset, detector: detector.choice, split: split,
          onMeasurements: onMeasurements, candidates: candidates, lagCost: lagCost,
          output: output, isVerbose: verbose, format: format, usesColor: Terminal.usesColor)
        return try await CompareSmoothers.run(request, progress: ProgressBar().report)
      }
    }
  }
}

/// What `smoothers compare` is asked for.
struct CompareSmoothersRequest: Sendable {
  /// The dataset's folder or manifest.
  var dataset: String
  /// The detector and its parameters.
  var detector: DetectorChoice
  /// The split; nil for all sequences.
  var split: String?
  /// Whether measurements are smoothed rather than joints.
  var onMeasurements: Bool
  /// Further strategies to place among the others, as text.
  var candidates: [String]
  /// What a second of lag costs, in shares of the raw jitter.
  var lagCost: Double
  /// The folder for report, figures and result; nil for none.
  var output: String?
  /// Whether text lists every smoother; the folder always does.
  var isVerbose: Bool
  /// The face on stdout.
  var format: OutputFormat
  /// Whether text may be colored.
  var usesColor: Bool

  /// Makes a request.
  init(
    dataset: String, detector: DetectorChoice = DetectorChoice(), split: String? = nil,
    onMeasurements: Bool = false, candidates: [String] = [], lagCost: Double = 3,
    output: String? = nil, isVerbose: Bool = false, format: OutputFormat = .text,
    usesColor: Bool = false
  ) {
    self.dataset = dataset
    self.detector = detector
    self.split = split
    self.onMeasurements = onMeasurements
    self.candidates = candidates
    self.lagCost = lagCost
    self.output = output
    self.isVerbose = isVerbose
    self.format = format
    self.usesColor = usesColor
  }
}

/// Compares every causal smoother on a dataset: jitter against lag, and what the detector makes of
/// it.
enum CompareSmoothers {
  /// How many frames the search of parameters sees, at most one sequence more.
  private static let tuningFrames = 12_000
  /// The lag in seconds at which the smoothers for the stress are chosen.
  private static let stressLag = 0.1
  /// How many smoothers are put under stress.
  private static let stressCount = 6

  /// Runs the command.
  static func run(
    _ request: CompareSmoothersRequest, progress: @escaping ProgressReport
  ) async throws(WorkflowFailure) -> Outcome {
    let comparison = try await compare(request, progress: progress)
    var remarks: [String] = []
    if let output = request.output {
      try write(comparison, to: output)
      remarks.append("wrote \(output)")
    }
    return Outcome(
      request.format, usesColor: request.usesColor, remarks: remarks, json: comparison.json,
      document: comparison.document(isFull: request.isVerbose))
  }

  /// Compares.
  ///
  /// Strategies run concurrently; the result does not depend on the number of threads. All
  /// sequences are in memory.
  static func compare(
    _ request: CompareSmoothersRequest, progress: @escaping ProgressReport
  ) async throws(WorkflowFailure) -> SmootherComparison {
    let (definition, parameters) = try request.detector.resolve()
    let detector = try BatchDetector(compiling: definition, parameters)
    let data = try await load(request, detector, progress)
    let grid = SmootherGrid(target: request.onMeasurements ? .measurements : .joints)
    var variants = try grid.variants()
    for text in request.candidates {
      variants.append(.init(family: "candidate " + text, choice: try grid.choice(text)))
    }
    let trial = data.trial
    var points = try await ConcurrentMap.run(variants, progress: named("smoothers", progress)) {
      (variant) throws(WorkflowFailure) in trial.point(variant)
    }
    guard points.contains(where: { $0.place != nil }) else {
      throw WorkflowFailure(
        .notComparable,
        "\(request.dataset): has no hold on which jitter could be measured; label holds first")
    }
    points += try await tuned(points, data, grid, request, progress)
    let chosen = chosen(points)
    let stress = try await stress(chosen, data, grid, progress)
    return SmootherComparison(
      dataset: data.identity, detector: definition.name, target: grid.target.rawValue,
      rate: 1 / trial.interval.value, size: data.size, raw: trial.raw, points: points,
      lagCost: request.lagCost, stress: stress, angles: try angles(trial, chosen),
      notes: notes(data, request))
  }

  /// What was loaded.
  struct Loaded: Sendable {
    let trial: SmootherTrial
    let identity: Evaluation.DatasetIdentity
    let size: SmootherComparison.Size

    /// Whether no posture follows another without a stretch that is not scored.
    var leavesMovementsOut: Bool {
      trial.sequences.allSatisfy { sequence in
        sequence.transitions.allSatisfy { frame in
          let codes = sequence.truth.plank[(frame - 1)...frame]
          return !codes.allSatisfy(FrameTruth.isScored)
        }
      }
    }
  }

  private static func load(
    _ request: CompareSmoothersRequest, _ detector: BatchDetector,
    _ progress: @escaping ProgressReport
  ) async throws(WorkflowFailure) -> Loaded {
    let reader = try DatasetAccess.open(request.dataset)
    let entries = try DatasetAccess.failing { () throws(DatasetError) in
      try reader.sequences(split: request.split)
    }
    let sequences = try await ConcurrentMap.run(entries, progress: progress) {
      (entry) throws(WorkflowFailure) in
      SmootherSequence(try DatasetAccess.load(entry, from: reader), detector)
    }
    let identity = try DatasetAccess.failing { () throws(DatasetError) in
      try DatasetIdentities.identity(of: reader, split: request.split)
    }
    let intervals = sequences.flatMap { zip($0.times.dropFirst(), $0.times).map { $0 - $1 } }
    let interval = Seconds(Description.median(intervals) ?? 1.0 / 30)
    return Loaded(
      trial: SmootherTrial(sequences, detector, interval: interval), identity: identity,
      size: .init(
        sequences: sequences.count, frames: sequences.reduce(0) { $0 + $1.times.count },
        transitions: sequences.reduce(0) { $0 + $1.changeCount }))
  }

  private static func tuned(
    _ points: [SmootherPoint], _ data: Loaded, _ grid: SmootherGrid,
    _ request: CompareSmoothersRequest, _ progress: @escaping ProgressReport
  ) async throws(WorkflowFailure) -> [SmootherPoint] {
    let trial = data.trial
    var frames = 0
    let part = trial.sequences.prefix { sequence in
      defer { frames += sequence.times.count }
      return frames < tuningFrames
    }
    let tuning = SmootherTuning(
      trial: SmootherTrial(Array(part), trial.detector, interval: trial.interval), grid: grid,
      lagCost: request.lagCost)
    let found = try await ConcurrentMap.run(
      SmootherTuning.families, progress: named("searches", progress)
    ) { (family) throws(WorkflowFailure) in
      tuning.search(family, from: points).map { trial.point($0, isTuned: true) }
    }
    return found.compactMap(\.self)
  }

  /// What is put under stress: no smoother, and the calmest of each kind at one lag.
  private static func chosen(_ points: [SmootherPoint]) -> [SmootherPoint] {
    let rows = SmootherFront(points).equalLag
    let best = rows.first { $0.limit >= stressLag }?.points.filter { $0.family != "none" } ?? []
    return points.filter { $0.family == "none" }
      + best.prefix(stressCount)
      + points.filter { point in
        point.family.hasPrefix("candidate") && !best.prefix(stressCount).contains(point)
      }
  }

  private static func stress(
    _ chosen: [SmootherPoint], _ data: Loaded, _ grid: SmootherGrid,
    _ progress: @escaping ProgressReport
  ) async throws(WorkflowFailure) -> [SmootherStress] {
    var result: [SmootherStress] = []
    for condition in SmootherStress.Condition.allCases {
      let detector = data.trial.detector
      let worse = data.trial.sequences.map { $0.stressed(condition, detector) }
      let intervals = worse.flatMap { zip($0.times.dropFirst(), $0.times).map { $0 - $1 } }
      let trial = SmootherTrial(
        worse, detector, interval: Seconds(Description.median(intervals) ?? 1.0 / 30))
      let points = try await ConcurrentMap.run(
        chosen, progress: named("smoothers, \(condition.rawValue)", progress)
      ) { (point) throws(WorkflowFailure) in
        trial.point(.init(family: point.family, choice: try grid.choice(point.text)))
      }
      result += points.map { SmootherStress(condition: condition, point: $0) }
    }
    return result
  }

  /// The angle of straight bodies, raw and behind the chosen smoothers on either target.
  private static func angles(
    _ trial: SmootherTrial, _ chosen: [SmootherPoint]
  ) throws(WorkflowFailure) -> [AngleBias] {
    var result: [AngleBias] = []
    for point in chosen {
      for target in SmoothingTarget.allCases where target == .joints || point.text != "none" {
        let text = point.text.replacing("@joints", with: "@" + target.rawValue)
          .replacing("@measurements", with: "@" + target.rawValue)
        result.append(trial.angle(try SmootherGrid(target: target).choice(text)))
      }
    }
    return result
  }

  private static func notes(_ data: Loaded, _ request: CompareSmoothersRequest) -> [String] {
    var notes = [
      "Smoothers that look ahead bound what could be had; no app can run them, and none is "
        + "recommended."
    ]
    if data.size.transitions == 0 {
      notes.append(
        "No true change: lags are those of a reference movement, 0.3 m in 1 s, and latencies say "
          + "nothing.")
    } else if data.leavesMovementsOut {
      notes.append(
        "The labels leave movements out: lags are measured there, but answers are not scored, so "
          + "latencies say how fast a hold is recognized that has begun already.")
    }
    if request.onMeasurements {
      notes.append(
        "Measurements have different units: parameters in units of the signal (one-euro beta, "
          + "kalman) mean something else for each.")
    }
    return notes
  }

  private static func named(
    _ what: String, _ progress: @escaping ProgressReport
  ) -> ProgressReport {
    { done, total, _ in progress(done, total, what) }
  }

  private static func write(
    _ comparison: SmootherComparison, to path: String
  ) throws(WorkflowFailure) {
    let folder = try StagedFolder(destination: path)
    do {
      for (name, text) in comparison.files { try OutputFile.write(text, to: folder.path(of: name)) }
      try folder.commit()
    } catch {
      folder.abandon()
      throw error
    }
  }
}
