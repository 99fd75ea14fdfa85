internal import Evaluation
internal import PlankDetection
internal import PoseDatasets
internal import PoseModel
internal import Reporting
internal import Smoothing
internal import Statistics

/// Compares every causal smoother on a dataset: jitter against lag, and what the detector makes of
/// it.
package enum CompareSmoothers {
  /// How many frames the search of parameters sees, at most one sequence more.
  private static let tuningFrames = 12_000
  /// The lag in seconds at which the smoothers for the stress are chosen.
  private static let stressLag = 0.1
  /// How many smoothers are put under stress.
  private static let stressCount = 6

  /// Runs the command.
  package static func run(
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
