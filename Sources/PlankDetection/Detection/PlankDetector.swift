public import PoseModel

/// The detector that an app runs: one frame in, one answer out.
///
/// Nothing is allocated a frame once the detector exists. An answer depends on the frames so far
/// and on nothing later. The batch detector gives the same answers to the frame.
public struct PlankDetector: Sendable {
  /// What the detector is.
  public let definition: DetectorDefinition
  /// The parameters it runs with.
  public let parameters: ParameterValues

  private let program: DetectorProgram
  private let startsMid: Bool
  private var plankDebouncer: Debouncer
  private var formDebouncer: Debouncer
  private var values: [Float]

  /// Makes a detector at the start of a sequence.
  ///
  /// - Parameters:
  ///   - definition: the rules.
  ///   - parameters: the numbers; the detector's defaults unless given.
  ///   - startsMid: whether the sequence begins inside a hold.
  /// - Throws: `DetectorError.undefinedParameter` for parameters of another detector.
  public init(
    _ definition: DetectorDefinition, parameters: ParameterValues? = nil, startsMid: Bool = false
  ) throws(DetectorError) {
    self.definition = definition
    self.parameters = parameters ?? definition.defaults
    self.startsMid = startsMid
    program = try DetectorProgram(definition, self.parameters)
    plankDebouncer = program.debouncer(.plank, startsMid: startsMid)
    formDebouncer = program.debouncer(.form, startsMid: startsMid)
    values = Array(repeating: .nan, count: Measurement.count)
  }

  /// Takes in the next frame and gives the answer after it.
  ///
  /// - Parameter frame: later than the one before; a frame without a pose keeps its place in time.
  /// - Complexity: constant; no allocation.
  public mutating func update(_ frame: PoseFrame) -> DetectorAnswer {
    measure(frame)
    let (rawPlank, rawForm) = values.withUnsafeBufferPointer { values in
      guard let values = values.baseAddress else {
        return (Debouncer.undetermined, Debouncer.undetermined)
      }
      return (program.plank.classify(values), program.form.classify(values))
    }
    return DetectorAnswer(
      rawPlank: rawPlank, rawForm: rawForm,
      plank: plankDebouncer.update(rawPlank, at: frame.time.value),
      form: formDebouncer.update(rawForm, at: frame.time.value),
      bodyAngle: values[Int(Measurement.bodyAngle.rawValue)])
  }

  /// Forgets everything: the next frame starts a sequence.
  public mutating func reset() {
    plankDebouncer = program.debouncer(.plank, startsMid: startsMid)
    formDebouncer = program.debouncer(.form, startsMid: startsMid)
  }

  /// A measurement of the last frame, or nil where it is undefined or the rules do not need it.
  public func measurement(_ measurement: Measurement) -> Float? {
    let value = values[Int(measurement.rawValue)]
    return value.isNaN ? nil : value
  }

  /// The candidate of a stream and how many frames in a row it has.
  public func pending(_ stream: AnswerStream) -> (code: UInt8, run: Int)? {
    stream == .plank ? plankDebouncer.pending : formDebouncer.pending
  }

  private mutating func measure(_ frame: PoseFrame) {
    values.withUnsafeMutableBufferPointer { values in
      guard let values = values.baseAddress else { return }
      guard let pose = frame.pose else { return program.measurer.clear(values) }
      pose.positions.withUnsafeBufferPointer { positions in
        JointLayout.full.offsets.withUnsafeBufferPointer { offsets in
          guard let positions = positions.baseAddress, let offsets = offsets.baseAddress else {
            return
          }
          let joints = JointReader(
            positions: positions, offsets: offsets, rotation: frame.axes.rotation)
          program.measurer.measure(
            joints, axes: frame.axes, bodyHeight: frame.bodyHeight?.value, into: values)
        }
      }
    }
  }
}
