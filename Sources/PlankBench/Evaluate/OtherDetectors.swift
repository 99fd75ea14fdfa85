internal import Evaluation
internal import PlankDetection
internal import Platform
internal import PoseDatasets
internal import PoseModel
internal import Tuning

/// The built-in detectors beside the one that is evaluated: with their defaults, without smoothing.
struct OtherDetectors: Sendable {
  /// The detectors in the order of the catalogue.
  private let detectors: [BatchDetector]
  private let measurements: SharedMeasurements

  /// Prepares every built-in detector but one.
  ///
  /// - Parameter evaluated: the detector to leave out; nil for none.
  /// - Throws: nothing for the built-in detectors, whose defaults fit them.
  init(besides evaluated: DetectorDefinition?) throws {
    detectors = try DetectorDefinition.builtIn.filter { $0 != evaluated }.map {
      try BatchDetector($0)
    }
    measurements = SharedMeasurements(detectors)
  }

  /// What each detector answers in a sequence, counted.
  ///
  /// - Parameters:
  ///   - outcome: the evaluated answers, for their truth.
  ///   - shared: measurements that are known already, with the axes with which they were made.
  /// - Returns: one tally per detector, in order, nil for poses that are not of its kind; none at all
  ///   for a sequence without a scored frame.
  /// - Complexity: O(frames) per detector.
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

  /// The scores on sequences that are read once more.
  ///
  /// - Parameter outcomes: what was evaluated, in the order of the sequences.
  /// - Throws: an error for a recording that can no longer be read.
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

  /// The scores of the detectors that take such poses, the most accurate first.
  ///
  /// Their order is that of the mean accuracy of the streams that are labeled.
  ///
  /// - Parameter parts: the tallies of sequences.
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

  /// Takes detectors, whose own smoothing does not matter.
  init(_ detectors: [BatchDetector]) {
    sets = Dictionary(
      detectors.map { ($0.definition.axes, $0.measurements) }, uniquingKeysWith: { $0.union($1) })
  }

  /// The measurements of all detectors with some axes.
  ///
  /// - Parameter known: some that were measured already, with the same axes; nil for none.
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
