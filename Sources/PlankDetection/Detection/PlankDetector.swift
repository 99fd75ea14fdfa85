public import PoseModel

/// The detector that an app runs: one frame in, one answer out.
///
/// After initialization, no frame allocates memory, except during a hold that calibrates the
/// detector. An answer depends only on the frames so far. `BatchDetector` gives the same answers.
public struct PlankDetector: Sendable {
  /// The definition of the detector.
  public var definition: DetectorDefinition { detector.definition }
  /// The parameters of this run.
  public var parameters: ParameterValues { detector.parameters }
  /// The correction of the form rules' measurement for this person; nil for no correction.
  public var calibration: Calibration? { detector.calibration }
  /// The hold that will calibrate the detector; nil while none is running.
  public private(set) var hold: CalibrationHold?
  /// Why the running hold was last refused; nil if it was not refused or if none is running.
  public private(set) var refusal: CalibrationError?

  private var detector: BatchDetector
  private let startsMid: Bool
  private var measurer: FrameMeasurer
  private var plankRules: RawLabeler
  private var formRules: RawLabeler
  private var plankDebouncer: Debouncer
  private var formDebouncer: Debouncer
  private var values: [Float]
  private let bodyAngle: Int
  private var lastTime: Seconds?
  private var pelvisPoses = 0
  private var unturnedPoses = 0

  /// Starts a sequence with a detector, its parameters and strategies.
  ///
  /// - Parameters:
  ///   - definition: the rules.
  ///   - parameters: the values of the parameters; nil for the detector's defaults.
  ///   - smoothing: how joints and measurements are smoothed; by default not at all.
  ///   - debounce: how raw labels are debounced; by default as the parameters say.
  ///   - startsMid: whether the sequence starts inside a hold.
  ///   - calibration: a correction from a confirmed hold of this person; nil for none.
  /// - Throws: `DetectorError` for parameters of another detector, for strategies that do not fit
  ///   the parameters, and for a calibration of a measurement that no form rule compares.
  public init(
    _ definition: DetectorDefinition, parameters: ParameterValues? = nil,
    smoothing: SmoothingStrategy = .none, debounce: DebounceStrategy = .parameters,
    startsMid: Bool = false, calibration: Calibration? = nil
  ) throws(DetectorError) {
    self.startsMid = startsMid
    detector = try BatchDetector(
      definition, parameters: parameters, smoothing: smoothing, debounce: debounce,
      calibration: calibration)
    measurer = detector.measurer
    plankRules = detector.labeler(.plank)
    formRules = detector.labeler(.form)
    plankDebouncer = detector.debouncer(.plank, startsMid: startsMid)
    formDebouncer = detector.debouncer(.form, startsMid: startsMid)
    values = Array(repeating: .nan, count: detector.measurements.members.count)
    bodyAngle = detector.measurements.place(of: .bodyAngle)
  }

  /// Takes the next frame and returns the answer after it.
  ///
  /// - Parameter frame: a frame later than the previous one; a frame without a pose still advances
  ///   the time.
  /// - Throws: `FrameOrderError` for a frame that is not later than the previous one; the detector
  ///   stays unchanged.
  /// - Complexity: constant; no allocation, except during a hold.
  public mutating func update(_ frame: PoseFrame) throws(FrameOrderError) -> DetectorAnswer {
    try FrameOrderError.check(frame.time, after: lastTime)
    lastTime = frame.time
    countUnturned(frame)
    measure(frame)
    let time = frame.time.value
    let (rawPlank, rawForm) = values.withUnsafeBufferPointer { values in
      guard let values = values.baseAddress else {
        return (Debouncer.undetermined, Debouncer.undetermined)
      }
      return (plankRules.classify(values, at: time), formRules.classify(values, at: time))
    }
    let answer = DetectorAnswer(
      rawPlank: rawPlank, rawForm: rawForm, plank: plankDebouncer.update(rawPlank, at: time),
      form: formDebouncer.update(rawForm, at: time), bodyAngle: values[bodyAngle],
      detector.gradeBands)
    continueHold(answer.plank, at: frame.time)
    return answer
  }

  /// Starts a hold whose frames calibrate the detector.
  ///
  /// Call this once somebody has confirmed that the person holds the position. After the first
  /// frame beyond the hold's duration, `calibration` has the result, and `hold` is nil. If the hold
  /// is refused, `refusal` says why, and the next frame starts it again, until `stopHold` or
  /// `calibrate` ends it.
  ///
  /// - Parameters:
  ///   - measurement: the measurement; nil for the only one in degrees, meters or body heights that
  ///     the form rules compare.
  ///   - confirmed: the true angle, for a measurement in degrees; nil for a straight body.
  ///   - duration: how long the hold lasts, in `CalibrationHold.durations`.
  /// - Throws: the errors of `CalibrationHold.init`; the detector stays unchanged.
  public mutating func startHold(
    _ measurement: Measurement? = nil, confirmed: Degrees? = nil, duration: Seconds = Seconds(2)
  ) throws(CalibrationError) {
    hold = try CalibrationHold(
      of: definition, measurement, confirmed: confirmed, duration: duration)
    refusal = nil
  }

  /// Ends a running hold without a calibration, for example because the confirmation has expired.
  public mutating func stopHold() {
    hold = nil
    refusal = nil
  }

  private mutating func continueHold(_ plank: PlankClass, at time: Seconds) {
    guard var current = hold.take() else { return }
    do throws(CalibrationError) {
      let found = try current.update(plank, measured(current.measurement), at: time)
      hold = current
      guard let found else { return }
      do throws(DetectorError) { try calibrate(found) } catch {
        preconditionFailure("a hold measures what the form rules compare")
      }
    } catch {
      hold = current
      refusal = error
    }
  }

  /// Calibrates the form rules for a person, in place of an earlier calibration.
  ///
  /// The calibration applies from the next frame on and ends a running hold. Answers, smoothing and
  /// debounce continue unchanged; only the hysteresis of form rules starts anew.
  ///
  /// - Parameter calibration: a correction from a confirmed hold of this person; nil for none.
  /// - Throws: `DetectorError.unusedCalibration` if no form rule compares the calibrated
  ///   measurement; the detector stays unchanged.
  public mutating func calibrate(_ calibration: Calibration?) throws(DetectorError) {
    try detector.calibrate(calibration)
    formRules = detector.labeler(.form)
    stopHold()
  }

  /// Whether poses without a rotation look fixed to the pelvis, which means that the camera matrix
  /// is missing.
  ///
  /// In the axes of the pelvis, every straight body looks upright, so no plank is ever found.
  /// `PoseFrame(_:up:time:)` passes Vision's matrix. The result is false for the first 29 such
  /// poses.
  public var looksFixedToPelvis: Bool {
    unturnedPoses >= 30 && Double(pelvisPoses) >= Recording.pelvisShare * Double(unturnedPoses)
  }

  private mutating func countUnturned(_ frame: PoseFrame) {
    guard let pose = frame.pose, frame.axes.rotation == nil, frame.axes.image == nil,
      pose[.leftHip] != nil, pose[.spine] != nil
    else { return }
    unturnedPoses += 1
    if pose.looksFixedToPelvis { pelvisPoses += 1 }
  }

  /// Forgets all frames: the next frame starts a new sequence, and a running hold starts again.
  public mutating func reset() {
    lastTime = nil
    hold?.reset()
    pelvisPoses = 0
    unturnedPoses = 0
    measurer = detector.measurer
    plankRules = detector.labeler(.plank)
    formRules = detector.labeler(.form)
    plankDebouncer = detector.debouncer(.plank, startsMid: startsMid)
    formDebouncer = detector.debouncer(.form, startsMid: startsMid)
  }

  /// A measurement of the last frame after smoothing, without the calibration's correction.
  ///
  /// - Returns: nil if the measurement has no value or the rules do not use it.
  public func measurement(_ measurement: Measurement) -> Float? { measured(measurement).number }

  /// A measurement of the last frame, or why it has no value; missing if the rules do not use it.
  public func measured(_ measurement: Measurement) -> MeasuredValue {
    detector.measurements.index(of: measurement).map { MeasuredValue(stored: values[$0]) }
      ?? .missing
  }

  /// The candidate for the answer of a stream, and how many frames in a row have had its label.
  ///
  /// - Returns: nil if there is no candidate.
  public func pending(_ stream: AnswerStream) -> (label: AnswerLabel, run: Int)? {
    let pending = stream == .plank ? plankDebouncer.pending : formDebouncer.pending
    guard let pending, let label = AnswerLabel(stream, code: pending.code) else { return nil }
    return (label: label, run: pending.run)
  }

  private mutating func measure(_ frame: PoseFrame) {
    values.withUnsafeMutableBufferPointer { values in
      guard let values = values.baseAddress else { return }
      guard let pose = frame.pose else { return measurer.clear(values) }
      pose.positions.withUnsafeBufferPointer { positions in
        pose.confidences.withUnsafeBufferPointer { confidences in
          JointLayout.full.offsets.withUnsafeBufferPointer { offsets in
            guard let positions = positions.baseAddress, let offsets = offsets.baseAddress else {
              return
            }
            let reader = JointReader(
              positions: positions, offsets: offsets, dimension: 3,
              confidences: confidences.baseAddress, axes: frame.axes)
            measurer.measure(
              reader, axes: frame.axes, bodyHeight: frame.bodyHeight?.value,
              at: frame.time.value, into: values)
          }
        }
      }
    }
  }
}

/// The detector's answer for a frame.
public struct DetectorAnswer: Hashable, Sendable {
  /// The debounced plank class, for users.
  public let plank: PlankClass
  /// The debounced form class, for users.
  public let form: FormClass
  /// The plank class before debounce; nil if the frame is undetermined.
  public let rawPlank: PlankClass?
  /// The form class before debounce; nil if the frame is undetermined.
  public let rawForm: FormClass?
  /// The grade of this frame's body angle for the debounced plank class; nil if there is none.
  public let grade: FormGrade?

  init(
    rawPlank: UInt8, rawForm: UInt8, plank: UInt8, form: UInt8, bodyAngle: Float,
    _ bands: GradeBands
  ) {
    self.plank = PlankClass(code: plank) ?? .none
    self.form = FormClass(code: form) ?? .aligned
    self.rawPlank = PlankClass(code: rawPlank)
    self.rawForm = FormClass(code: rawForm)
    grade = FormGrade(bodyAngle: bodyAngle, answer: self.plank, bands)
  }
}

#if !hasFeature(Embedded)
  extension DetectorAnswer: Codable {}
#endif

/// The error for a frame whose time is not later than that of the previous one, or is not finite.
public struct FrameOrderError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The time of the frame.
  public let time: Seconds
  /// The time of the previous frame; nil if `time` is not a finite number.
  public let last: Seconds?

  /// The two times, and what to do.
  public var description: String {
    guard let last else {
      return "a frame has the time \(time); give the frame's own finite time in seconds"
    }
    return
      "a frame at \(time) follows one at \(last); give frames in the order of their times, each "
      + "once, and call reset() before a new sequence"
  }

  static func check(_ time: Seconds, after last: Seconds?) throws(FrameOrderError) {
    guard time.value.isFinite else { throw FrameOrderError(time: time, last: nil) }
    if let last, time <= last { throw FrameOrderError(time: time, last: last) }
  }
}
