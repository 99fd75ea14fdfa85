internal import PoseModel

/// A detector with its parameters put in: what the streaming and the batch detector both run.
struct DetectorProgram: Sendable {
  let plank: CompiledList
  let form: CompiledList
  let measurer: FrameMeasurer
  let plankFrames: Int
  let formFrames: Int
  let holdSeconds: Seconds

  /// Puts parameters into a detector.
  ///
  /// - Throws: `DetectorError.undefinedParameter` for values of another detector.
  init(
    _ definition: DetectorDefinition, _ parameters: ParameterValues
  ) throws(DetectorError) {
    plank = try CompiledList(definition.plank, parameters)
    form = try CompiledList(definition.form, parameters)
    let measurements = definition.measurements.union(MeasurementSet([.bodyAngle]))
    measurer = FrameMeasurer(measurements: measurements.members, reading: definition.axes)
    plankFrames = Int(try parameters.require(.plankFrames))
    formFrames = Int(try parameters.require(.formFrames))
    holdSeconds = Seconds(try parameters.require(.holdSeconds))
  }

  /// A debouncer for a stream at the start of a sequence.
  func debouncer(_ stream: AnswerStream, startsMid: Bool) -> Debouncer {
    Debouncer(
      framesNeeded: stream == .plank ? plankFrames : formFrames, holdSeconds: holdSeconds,
      startsMid: startsMid)
  }
}

extension ParameterValues {
  /// The value of a parameter that must be there.
  fileprivate func require(_ key: ParameterKey) throws(DetectorError) -> Double {
    guard let value = self[key] else {
      throw .undefinedParameter(key, available: definitions.map(\.key))
    }
    return value
  }
}
