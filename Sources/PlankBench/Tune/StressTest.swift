internal import Evaluation
internal import PlankDetection
internal import Platform
internal import PoseDatasets
internal import PoseModel
internal import Statistics
internal import Tuning

struct StressTest: Sendable {
  static let what = "degraded sequences"
  let prepared: PreparedExperiment

  /// The draws depend only on the seed, the condition and the sequence's name.
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
      ) { entry in try kept?(entry.offset) ?? measure(entry.element, settings) }
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
    } catch {
      throw prepared.experiment.failure(error)
    }
  }

  private func kept(
    _ thresholds: Thresholds
  ) -> (@Sendable (_ index: Int) -> [MeasuredSequence]?)? {
    let grid = prepared.experiment.grid
    guard let worse = prepared.worse, thresholds.smoothing.isNone,
      let smoothing = grid.smoothings.firstIndex(of: .none),
      let detector = grid.detectors.firstIndex(where: { $0.definition == thresholds.definition })
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
      do {
        return try settings.measure(worse)
      } catch {
        throw prepared.experiment.failure(error)
      }
    }
  }
}

/// Lets a stress test without smoothing read a recording only once; only noise is measured; that
/// takes 4 bytes per frame and measurement of every detector.
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

  /// - Parameter detector: the detector's place in the experiment.
  /// - Returns: nil for a detector that looks back.
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
    let stream = RandomStream(
      seed: seed, purpose: "tuning.stress.\(rawValue)/\(sequence.name)")
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
