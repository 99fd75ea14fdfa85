internal import Evaluation
internal import PlankDetection
internal import Platform
internal import PoseDatasets
internal import PoseModel
internal import Tuning

/// The built-in detectors beside the one that is evaluated: with their defaults, without smoothing.
struct OtherDetectors: Sendable {
  private let detectors: [BatchDetector]
  private let measurements: SharedMeasurements

  init(besides evaluated: DetectorDefinition?) throws {
    detectors = try DetectorDefinition.builtIn.filter { $0 != evaluated }.map {
      try BatchDetector($0)
    }
    measurements = SharedMeasurements(detectors)
  }

  /// `shared` are measurements that are known already.
  ///
  /// A tally is nil for poses that are not of the detector's kind; there are none for a sequence
  /// without a scored frame.
  func tallies(
    _ sequence: DatasetSequence, _ outcome: SequenceOutcome,
    sharing shared: (columns: MeasurementColumns, axes: AxisReading)?
  ) -> [AccuracyTally?] {
    guard outcome.truth.plank.contains(where: FrameTruth.isScored) else { return [] }
    let recording = sequence.recording
    let fitting = detectors.map { $0.definition.mismatch(with: recording.header) == nil }
    let axes = Set(zip(detectors, fitting).filter(\.1).map(\.0.definition.axes))
    let columns = Dictionary(
      uniqueKeysWithValues: axes.map { axes in
        let known = shared?.axes == axes ? shared?.columns : nil
        return (axes, measurements.measure(recording, axes, knowing: known))
      })
    return zip(detectors, fitting).map { detector, isFitting in
      guard isFitting, let measured = columns[detector.definition.axes] else { return nil }
      let detection = detector.detect(
        measured, times: recording.times, startsMid: sequence.startsMid)
      return AccuracyTally(
        outcome, answers: PerStream { detection[$0].answers },
        raw: PerStream { detection[$0].raw }, undetermined: Debouncer.undetermined)
    }
  }

  func scores(
    of outcomes: [SequenceOutcome], _ datasets: DatasetCollection,
    _ progress: @escaping ProgressReport
  ) async throws -> [DetectorScore] {
    let pairs = Array(zip(datasets.entries, outcomes))
    return scores(
      try await ConcurrentMap.run(pairs, progress: progress) { entry, outcome in
        tallies(try datasets.load(entry), outcome, sharing: nil)
      })
  }

  func scores(_ parts: [[AccuracyTally?]]) -> [DetectorScore] {
    let scores = detectors.enumerated().compactMap { index, detector -> DetectorScore? in
      let tallies = parts.compactMap { $0.isEmpty ? nil : $0[index] }
      guard !tallies.isEmpty else { return nil }
      let sum = tallies.reduce(into: AccuracyTally()) { $0 += $1 }
      return DetectorScore(name: detector.definition.name, sum)
    }
    return scores.enumerated().sorted {
      ($1.element.meanAccuracy, $0.offset) < ($0.element.meanAccuracy, $1.offset)
    }
    .map(\.element)
  }
}

/// What unsmoothed detectors measure of a recording: once for all that read its axes alike.
struct SharedMeasurements: Sendable {
  private let sets: [AxisReading: MeasurementSet]

  init(_ detectors: [BatchDetector]) {
    sets = Dictionary(
      detectors.map { ($0.definition.axes, $0.measurements) }, uniquingKeysWith: { $0.union($1) })
  }

  /// `known` were measured already, with the same axes.
  func measure(
    _ recording: Recording, _ axes: AxisReading, knowing known: MeasurementColumns? = nil
  ) -> MeasurementColumns {
    let all = sets[axes] ?? []
    let unknown = known.map { all.subtracting($0.measurements) } ?? all
    let rest = MeasurementColumns(recording, unknown, reading: axes)
    guard let known else { return rest }
    var columns: [Measurement: [Float]] = [:]
    for part in [known, rest] {
      for measurement in part.measurements.members { columns[measurement] = part[measurement] }
    }
    return MeasurementColumns(frameCount: recording.frameCount, columns: columns)
  }
}
