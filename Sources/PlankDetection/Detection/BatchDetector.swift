public import PoseModel

/// Runs a detector over whole recordings; its answers equal `PlankDetector`'s to the frame.
public struct BatchDetector: Sendable {
  /// What the detector is.
  public let definition: DetectorDefinition
  /// The parameters it runs with.
  public let parameters: ParameterValues
  private let program: DetectorProgram

  /// Puts parameters into a detector.
  ///
  /// - Throws: `DetectorError.undefinedParameter` for parameters of another detector.
  public init(
    _ definition: DetectorDefinition, parameters: ParameterValues? = nil
  ) throws(DetectorError) {
    self.definition = definition
    self.parameters = parameters ?? definition.defaults
    program = try DetectorProgram(definition, self.parameters)
  }

  /// What must be measured: all that the rules mention, and the body angle for the grade.
  public var measurements: MeasurementSet { MeasurementSet(program.measurer.measurements) }

  /// Measures a recording for this detector, and more where asked.
  public func measure(
    _ recording: Recording, also extra: MeasurementSet = []
  ) -> MeasurementColumns {
    MeasurementColumns(recording, measurements.union(extra), reading: definition.axes)
  }

  /// Classifies the frames of a recording from its measurements.
  ///
  /// - Parameters:
  ///   - columns: at least `measurements`; a column that is missing reads as undefined.
  ///   - times: the recording's timestamps in seconds, one a frame.
  ///   - startsMid: whether the recording begins inside a hold.
  public func detect(
    _ columns: MeasurementColumns, times: [Double], startsMid: Bool
  ) -> DetectionColumns {
    var run = DetectionRun(self, times: times, startsMid: startsMid)
    run.advance(to: times.count, columns)
    return run.result
  }

  /// The compiled list of a stream.
  func compiled(_ stream: AnswerStream) -> CompiledList {
    stream == .plank ? program.plank : program.form
  }

  /// A debouncer for a stream at the start of a sequence.
  func debouncer(_ stream: AnswerStream, startsMid: Bool) -> Debouncer {
    program.debouncer(stream, startsMid: startsMid)
  }
}
