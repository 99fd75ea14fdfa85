package import PlankDetection
package import PoseModel

/// The sequences of a dataset, measured once for every detector and smoothing.
package struct MeasuredData: Sendable {
  /// The sequences of every variant, detectors slowest; the same sequences in the same order.
  package let variants: [[MeasuredSequence]]

  /// Takes measured sequences.
  ///
  /// - Precondition: at least one variant, and the same sequences in each.
  /// - Throws: `TuningError` for no sequences and repeated names.
  package init(variants: [[MeasuredSequence]]) throws {
    precondition(
      variants.allSatisfy { $0.map(\.name) == variants[0].map(\.name) }, "the same sequences")
    guard let first = variants.first, !first.isEmpty else { throw TuningError.noSequences }
    var names: Set<String> = []
    for sequence in first where !names.insert(sequence.name).inserted {
      throw TuningError.repeatedSequence(sequence.name)
    }
    self.variants = variants
  }

  /// Measures recordings for every detector and smoothing of a grid.
  ///
  /// - Complexity: O(variants x frames).
  package init(_ sequences: [TuningSequence], for grid: GridDefinition) throws {
    var variants: [[MeasuredSequence]] = []
    for variant in grid.detectors {
      let detector = try BatchDetector(variant.definition, parameters: variant.base)
      for smoothing in grid.smoothings {
        variants.append(sequences.map { MeasuredSequence($0, smoothing, detector) })
      }
    }
    try self.init(variants: variants)
  }

  /// The sequences' names, subjects and truth, which no variant changes.
  package var sequences: [MeasuredSequence] { variants[0] }

  /// The data of some sequences, by index.
  package func selecting(_ indices: [Int]) throws -> MeasuredData {
    try MeasuredData(variants: variants.map { variant in indices.map { variant[$0] } })
  }
}

/// A sequence with its measurements in columns: the whole input for trying thresholds.
package struct MeasuredSequence: Sendable {
  /// The sequence's name; unique in its dataset.
  package let name: String
  /// Who was recorded, if known.
  package let subject: String?
  /// The source of the recording, such as a dataset's name; nil if all data is one source.
  package let source: String?
  /// Timestamps in seconds, strictly increasing.
  package let times: [Double]
  /// The truth of every frame.
  package let truth: FrameTruth
  /// Whether the recording starts inside a hold.
  package let startsMid: Bool
  /// The seconds that one frame represents when sequences are pooled.
  package let frameWeight: Seconds
  /// One number per frame and measurement, NaN if undefined.
  package let columns: MeasurementColumns
  /// What the form rules take off their measurement; nil for nothing.
  package let calibration: Calibration?

  /// Makes a sequence from columns.
  ///
  /// - Precondition: one element per frame everywhere; a positive weight.
  package init(
    name: String, subject: String?, source: String? = nil, times: [Double], truth: FrameTruth,
    startsMid: Bool, frameWeight: Seconds, columns: MeasurementColumns,
    calibration: Calibration? = nil
  ) {
    precondition(
      truth.plank.count == times.count && columns.frameCount == times.count,
      "the columns of a sequence have one element per frame")
    precondition(frameWeight.value > 0, "a frame takes some time")
    self.name = name
    self.subject = subject
    self.source = source
    self.times = times
    self.truth = truth
    self.startsMid = startsMid
    self.frameWeight = frameWeight
    self.columns = columns
    self.calibration = calibration
  }

  /// The sequence as the rules of a stream compare it: calibrated columns, for a detector without a
  /// calibration.
  package func compared(by stream: AnswerStream) -> MeasuredSequence {
    MeasuredSequence(
      name: name, subject: subject, source: source, times: times, truth: truth,
      startsMid: startsMid, frameWeight: frameWeight,
      columns: columns.compared(by: stream, calibration))
  }

  /// The same sequence with other measurements.
  ///
  /// - Precondition: one number per frame.
  package func with(_ columns: MeasurementColumns) -> MeasuredSequence {
    MeasuredSequence(
      name: name, subject: subject, source: source, times: times, truth: truth,
      startsMid: startsMid, frameWeight: frameWeight, columns: columns, calibration: calibration)
  }

  /// The same sequence of another subject.
  func with(subject: String?) -> MeasuredSequence {
    MeasuredSequence(
      name: name, subject: subject, source: source, times: times, truth: truth,
      startsMid: startsMid, frameWeight: frameWeight, columns: columns,
      calibration: calibration)
  }

  /// Measures a recording.
  package init(_ sequence: TuningSequence, _ smoothing: SmoothingChoice, _ detector: BatchDetector)
  {
    self.init(sequence, columns: smoothing.measure(sequence.recording, detector))
  }

  /// Takes the measurements of a recording.
  ///
  /// - Precondition: one number per frame.
  package init(_ sequence: TuningSequence, columns: MeasurementColumns) {
    self.init(
      name: sequence.name, subject: sequence.subject, source: sequence.source,
      times: sequence.recording.times, truth: sequence.truth, startsMid: sequence.startsMid,
      frameWeight: sequence.recording.frameWeight, columns: columns)
  }
}

/// A labeled recording as tuning gets it: in memory, so that nothing else can be read.
package struct TuningSequence: Sendable {
  /// The sequence's name; unique in its dataset.
  package let name: String
  /// Who was recorded, if known.
  package let subject: String?
  /// The source of the recording, such as a dataset's name; nil if all data is one source.
  package let source: String?
  /// The poses.
  package let recording: Recording
  /// The truth of every frame.
  package let truth: FrameTruth
  /// Whether the recording starts inside a hold.
  package let startsMid: Bool

  /// Makes a sequence.
  ///
  /// - Precondition: the truth has one code per frame.
  package init(
    name: String, subject: String?, source: String? = nil, recording: Recording,
    truth: FrameTruth, startsMid: Bool
  ) {
    precondition(truth.plank.count == recording.frameCount, "one truth code per frame")
    self.name = name
    self.subject = subject
    self.source = source
    self.recording = recording
    self.truth = truth
    self.startsMid = startsMid
  }
}
