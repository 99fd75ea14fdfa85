internal import PoseModel

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

  var measurer: FrameMeasurer {
    FrameMeasurer(measurements, reading: reading, smoothing: smoothing)
  }

  func debouncer(_ stream: AnswerStream, startsMid: Bool) -> Debouncer {
    Debouncer(
      stream == .plank ? plankNeed : formNeed, holdSeconds: holdSeconds, startsMid: startsMid)
  }

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
  fileprivate func require(_ key: ParameterKey) throws(DetectorError) -> Double {
    guard let value = self[key] else {
      throw .undefinedParameter(key, available: definitions.map { $0.key })
    }
    return value
  }
}
