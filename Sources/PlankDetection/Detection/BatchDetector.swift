public import PoseModel

/// Runs a detector over whole recordings; its answers equal `PlankDetector`'s to the frame.
public struct BatchDetector: Sendable {
  /// What the detector is.
  public let definition: DetectorDefinition
  /// The parameters it runs with.
  public let parameters: ParameterValues
  /// How joints and measurements are smoothed.
  public let smoothing: SmoothingStrategy
  /// How raw labels become steady answers.
  public let debounce: DebounceStrategy
  private let program: DetectorProgram

  /// Puts parameters and strategies into a detector.
  ///
  /// - Throws: `DetectorError` for parameters of another detector and for strategies that do not
  ///   fit them.
  public init(
    _ definition: DetectorDefinition, parameters: ParameterValues? = nil,
    smoothing: SmoothingStrategy = .none, debounce: DebounceStrategy = .parameters
  ) throws(DetectorError) {
    self.definition = definition
    self.parameters = parameters ?? definition.defaults
    self.smoothing = smoothing
    self.debounce = debounce
    program = try DetectorProgram(definition, self.parameters, smoothing, debounce)
  }

  /// What must be measured: all that the rules mention, and the body angle for the grade.
  public var measurements: MeasurementSet { program.measurements }

  /// Where the grade of a frame turns.
  public var gradeBands: GradeBands { program.gradeBands }

  /// Measures a recording for this detector, smoothed as it says, and more where asked.
  public func measure(
    _ recording: Recording, also extra: MeasurementSet = []
  ) -> MeasurementColumns {
    measure(recording, also: extra, smoothing: smoothing)
  }

  /// Measures a recording with another smoothing than the detector's.
  public func measure(
    _ recording: Recording, also extra: MeasurementSet = [], smoothing: SmoothingStrategy
  ) -> MeasurementColumns {
    var run = MeasurementRun(
      recording, measurements.union(extra), reading: definition.axes, smoothing: smoothing)
    run.advance(to: recording.frameCount, recording)
    return run.columns
  }

  /// Classifies the frames of a recording from its measurements.
  ///
  /// - Parameters:
  ///   - columns: at least `measurements`, smoothed already; where a column is missing, so is the
  ///     measurement.
  ///   - times: the recording's timestamps in seconds, one per frame.
  ///   - startsMid: whether the recording begins inside a hold.
  public func detect(
    _ columns: MeasurementColumns, times: [Double], startsMid: Bool
  ) -> DetectionColumns {
    var run = DetectionRun(self, times: times, startsMid: startsMid)
    run.advance(to: times.count, columns)
    return run.result
  }

  /// The rules of a stream with what they remember, at the start of a sequence.
  func labeler(_ stream: AnswerStream) -> RawLabeler { program.labeler(stream) }

  /// A debouncer for a stream at the start of a sequence.
  public func debouncer(_ stream: AnswerStream, startsMid: Bool) -> Debouncer {
    program.debouncer(stream, startsMid: startsMid)
  }
}

extension BatchDetector {
  /// What every rule of a stream made of one frame, with the thresholds that hysteresis left there.
  ///
  /// - Parameters:
  ///   - columns: at least `measurements`, smoothed already.
  ///   - times: the recording's timestamps in seconds, one per frame.
  ///   - frame: the frame's place in them.
  /// - Throws: `DetectorError.undefinedParameter` for a key that the values lack.
  /// - Complexity: O(frames before it) where a threshold has hysteresis, else constant.
  public func trace(
    _ stream: AnswerStream, _ columns: MeasurementColumns, times: [Double], at frame: Int
  ) throws(DetectorError) -> [RuleTrace] {
    let list = definition.list(stream)
    guard !debounce.bands.isEmpty else { return try list.trace(parameters, columns, at: frame) }
    var rules = labeler(stream)
    let members = measurements.members.map { columns[$0] }
    var values = [Float](repeating: .nan, count: members.count)
    for earlier in 0..<frame {
      for (index, column) in members.enumerated() where !column.isEmpty {
        values[index] = column[earlier]
      }
      values.withUnsafeBufferPointer { values in
        if let base = values.baseAddress { _ = rules.classify(base, at: times[earlier]) }
      }
    }
    return try list.trace(
      parameters, { columns.measured($0, at: frame) },
      thresholds: rules.thresholds(at: times[frame]))
  }

  /// Classifies one stream of a recording: the same rules and debounce as `detect`, for callers
  /// that ask one question many times.
  ///
  /// - Parameters:
  ///   - columns: at least what the stream's list mentions.
  ///   - times: timestamps in seconds, one per frame.
  ///   - startsMid: whether the recording begins inside a hold.
  /// - Returns: the raw label, `Debouncer.undetermined` where there is none, and the answer of
  ///   every frame.
  /// - Complexity: O(frames x predicates).
  package func run(
    _ stream: AnswerStream, _ columns: MeasurementColumns, times: [Double], startsMid: Bool
  ) -> (raw: [UInt8], answers: [UInt8]) {
    var rules = labeler(stream)
    var debouncer = debouncer(stream, startsMid: startsMid)
    let width = program.measurements.members.count
    var raw = [UInt8](repeating: Debouncer.undetermined, count: times.count)
    var answers = [UInt8](repeating: 0, count: times.count)
    let block = 256
    withUnsafeTemporaryAllocation(of: Float.self, capacity: block * width) { rows in
      rows.initialize(repeating: .nan)
      guard let base = rows.baseAddress else { return }
      for start in stride(from: 0, to: times.count, by: block) {
        let frames = start..<min(start + block, times.count)
        columns.copyRows(of: program.measurements, frames, into: base)
        for frame in frames {
          let label = rules.classify(base + (frame - start) * width, at: times[frame])
          raw[frame] = label
          answers[frame] = debouncer.update(label, at: times[frame])
        }
      }
    }
    return (raw: raw, answers: answers)
  }
}

extension MeasurementColumns {
  /// Writes frames as rows of the numbers of a set; what has no column stays as it is.
  func copyRows(
    of wanted: MeasurementSet, _ frames: Range<Int>, into rows: UnsafeMutablePointer<Float>
  ) {
    for (index, measurement) in wanted.members.enumerated() {
      let column = self[measurement]
      guard !column.isEmpty else { continue }
      var place = index
      for frame in frames {
        rows[place] = column[frame]
        place += wanted.members.count
      }
    }
  }
}
