internal import PoseModel

/// A detector with its parameters applied: what both the streaming and the batch detector run.
struct DetectorProgram: Sendable {
  let plank: CompiledList
  private(set) var form: CompiledList
  /// All measurements that the rules use, and the body angle for the grade.
  let measurements: MeasurementSet
  let gradeBands: GradeBands
  private let reading: AxisReading
  private let smoothing: SmoothingStrategy
  private let plankNeed: DebounceNeed
  private let formNeed: DebounceNeed
  private let holdSeconds: Seconds
  private let formMeasurements: [Measurement]

  /// Applies parameters and strategies to a detector.
  ///
  /// - Throws: `DetectorError` for values of another detector, a stream that is debounced twice,
  ///   and a band around a parameter that no rule uses.
  init(
    _ definition: DetectorDefinition, _ parameters: ParameterValues,
    _ smoothing: SmoothingStrategy, _ debounce: DebounceStrategy
  ) throws(DetectorError) {
    let thresholds = definition.plank.parameterKeys + definition.form.parameterKeys
    for band in debounce.bands where !thresholds.contains(band.parameter) {
      throw .bandWithoutThreshold(band.parameter, available: thresholds)
    }
    measurements = definition.measurements.union([.bodyAngle])
    plank = try CompiledList(
      definition.plank, parameters, of: measurements, bands: debounce.bands)
    form = try CompiledList(definition.form, parameters, of: measurements, bands: debounce.bands)
    formMeasurements = definition.form.measurements.members
    gradeBands = GradeBands(parameters)
    reading = definition.axes
    self.smoothing = smoothing
    plankNeed = try Self.need(.plank, .plankFrames, parameters, debounce)
    formNeed = try Self.need(.form, .formFrames, parameters, debounce)
    holdSeconds = Seconds(try parameters.require(.holdSeconds))
  }

  /// Calibrates the form rules in place of an earlier calibration.
  ///
  /// - Parameter calibration: what the rules read too much; nil for nothing.
  /// - Throws: `DetectorError.unusedCalibration` for a measurement that they do not compare.
  mutating func calibrate(_ calibration: Calibration?) throws(DetectorError) {
    guard let calibration else { return form.calibrate(nil, by: 0) }
    let measurement = formMeasurements.first {
      $0.name == calibration.measurement && $0.unit == calibration.unit
    }
    guard let measurement else {
      throw .unusedCalibration(calibration, available: formMeasurements)
    }
    form.calibrate(measurements.index(of: measurement), by: Float(calibration.offset))
  }

  /// The measurer of frames, at the start of a sequence.
  var measurer: FrameMeasurer {
    FrameMeasurer(measurements, reading: reading, smoothing: smoothing)
  }

  /// A debouncer for a stream at the start of a sequence.
  func debouncer(_ stream: AnswerStream, startsMid: Bool) -> Debouncer {
    Debouncer(
      stream == .plank ? plankNeed : formNeed, holdSeconds: holdSeconds, startsMid: startsMid)
  }

  /// The rules of a stream with their memory, at the start of a sequence.
  func labeler(_ stream: AnswerStream) -> RawLabeler {
    RawLabeler(stream == .plank ? plank : form, holdSeconds: holdSeconds)
  }

  private static func need(
    _ stream: AnswerStream, _ key: ParameterKey, _ parameters: ParameterValues,
    _ debounce: DebounceStrategy
  ) throws(DetectorError) -> DebounceNeed {
    let frames = try parameters.require(key)
    guard let rule = debounce[stream] else { return .frames(Int(frames)) }
    guard frames == 1 else { throw .debouncedTwice(stream, key, frames) }
    return DebounceNeed(rule)
  }
}

extension ParameterValues {
  /// The value of a parameter that must exist.
  fileprivate func require(_ key: ParameterKey) throws(DetectorError) -> Double {
    guard let value = self[key] else {
      throw .undefinedParameter(key, available: definitions.map { $0.key })
    }
    return value
  }
}
