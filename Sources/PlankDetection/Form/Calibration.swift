public import PoseModel

/// How far a detector misreads one person's hips, derived from a confirmed hold.
///
/// Pose estimators misplace hips and shoulders, and the error differs from body to body, so no
/// single limit is right for everybody. A hold in a confirmed position shows the error: the
/// measured value minus the true value. A calibrated detector subtracts this offset before its form
/// rules compare the measurement. The form rules use the limits for calibrated people
/// (`ParameterKey.calibrated`) where the detector defines them, and the usual limits otherwise. A
/// calibration does not change plank rules or grades.
///
/// Use `CalibrationHold` to make a calibration. A calibration is valid for one person and one
/// camera placement.
public struct Calibration: Hashable, Sendable {
  /// The name of the misread measurement.
  public let measurement: String
  /// The unit of the measurement and of the offset.
  public let unit: MeasurementUnit
  /// The measured value minus the confirmed value: positive if the detector reads too high.
  public let offset: Double
  /// How long the hold lasted.
  public let duration: Seconds
  /// How many frames of the hold had a value.
  public let frames: Int

  /// Creates a calibration after checking its values.
  ///
  /// - Parameters:
  ///   - measurement: the name of the measurement.
  ///   - unit: the measurement's unit: degrees, meters or body heights.
  ///   - offset: the measured value minus the true value, in this unit.
  ///   - duration: how long the hold lasted, in `CalibrationHold.durations`.
  ///   - frames: how many frames of the hold had a value; at least 1.
  /// - Throws: `CalibrationError` if the unit has no bounds, the offset is beyond the bounds, or no
  ///   hold can have the duration or the number of frames.
  public init(
    measurement: String, unit: MeasurementUnit, offset: Double, duration: Seconds, frames: Int
  ) throws(CalibrationError) {
    guard let bounds = CalibrationBounds(unit) else { throw .noBounds(measurement, unit) }
    guard offset.magnitude <= bounds.offset else {
      throw .offsetTooLarge(offset, largest: bounds.offset, unit)
    }
    guard ConfirmedHold.allows(duration), frames > 0 else {
      throw .tooShort(duration, needed: CalibrationHold.durations.lowerBound)
    }
    self.measurement = measurement
    self.unit = unit
    self.offset = offset
    self.duration = duration
    self.frames = frames
  }

  package func corrected(_ stored: Float) -> Float {
    stored.isNaN ? stored : stored - Float(offset)
  }
}

/// The largest offset and spread that a calibration accepts, by unit.
///
/// The bounds come from 33 sessions of app users. The median offset between a 2D estimator's hip
/// angle and that of hand-clicked points was at most 17 degrees. In 26 of the sessions, there was a
/// two-second stretch in which the middle half of the angles spanned at most 5 degrees. For a
/// person 1.75 m tall, 20 degrees correspond to 11 cm.
public struct CalibrationBounds: Hashable, Sendable {
  /// The largest accepted offset in either direction, inclusive.
  public let offset: Double
  /// The largest accepted distance between the quartiles of the measured values, inclusive.
  public let spread: Double

  /// The bounds for a unit; nil for a unit in which no position can be confirmed.
  public init?(_ unit: MeasurementUnit) {
    switch unit {
    case .degrees: (offset, spread) = (20, 5)
    case .meters: (offset, spread) = (0.11, 0.028)
    case .bodyHeights: (offset, spread) = (0.063, 0.016)
    default: return nil
    }
  }
}

#if !hasFeature(Embedded)
  extension Calibration: Codable {
    private enum CodingKeys: String, CodingKey {
      case measurement, unit, offset, frames
      case duration = "duration_s"
    }

    /// Decodes a calibration and checks it as the initializer does.
    public init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      let measurement = try container.decode(String.self, forKey: .measurement)
      let unit = try container.decode(MeasurementUnit.self, forKey: .unit)
      let offset = try container.decode(Double.self, forKey: .offset)
      let duration = try container.decode(Seconds.self, forKey: .duration)
      let frames = try container.decode(Int.self, forKey: .frames)
      self = try container.checked(.offset) {
        try Calibration(
          measurement: measurement, unit: unit, offset: offset, duration: duration, frames: frames)
      }
    }
  }
#endif

/// A hold that calibrates a detector, collected frame by frame while the person holds still.
///
/// The person takes a position that somebody confirms, by default a straight body. The detector
/// must answer every frame with a prone plank, and frames with a value must be at most 0.5 s apart.
/// The middle half of the values must stay within `CalibrationBounds.spread`. The offset is the
/// median of the values minus the confirmed value. An error explains why a hold is refused. After a
/// refusal or a calibration, the hold is empty, and the next frame starts a new hold.
///
/// The hold stores one number per frame, for at most 10 seconds.
public struct CalibrationHold: Sendable {
  /// The allowed durations of a hold.
  public static let durations = ConfirmedHold.durations

  /// The measurement that is calibrated.
  public let measurement: Measurement
  /// The value that the measurement would have without error, in the measurement's unit.
  public let confirmedValue: Double
  /// How long this hold lasts.
  public let duration: Seconds

  private let bounds: CalibrationBounds
  private var values: [Float] = []
  /// The time of the first value; nil while the hold is empty.
  public private(set) var start: Seconds?
  private var lastValue = 0.0

  /// Starts an empty hold for one measurement of a detector.
  ///
  /// - Parameters:
  ///   - definition: the detector that is calibrated.
  ///   - measurement: the measurement; nil for the only one in degrees, meters or body heights that
  ///     the form rules compare.
  ///   - confirmed: the true angle, for a measurement in degrees; nil for a straight body, which is
  ///     at 180 degrees, or at 0 meters or body heights.
  ///   - duration: how long the hold lasts, in `durations`.
  /// - Throws: `CalibrationError` for a measurement that the form rules do not compare or that has
  ///   no bounds, for an angle that is outside 0...360 degrees or given for a length, and for a
  ///   duration outside the range.
  public init(
    of definition: DetectorDefinition, _ measurement: Measurement? = nil,
    confirmed: Degrees? = nil, duration: Seconds = Seconds(2)
  ) throws(CalibrationError) {
    let compared = definition.form.measurements.members
    let usual = compared.filter { CalibrationBounds($0.unit) != nil }
    guard let chosen = measurement ?? (usual.count == 1 ? usual.first : nil),
      compared.contains(chosen)
    else {
      throw .unknownMeasurement(
        measurement?.name, detector: definition.name, available: usual.map { $0.name })
    }
    guard let bounds = CalibrationBounds(chosen.unit) else {
      throw .noBounds(chosen.name, chosen.unit)
    }
    if let confirmed {
      guard chosen.unit == .degrees, confirmed.value.isFinite,
        ConfirmedHold.angles.contains(confirmed)
      else {
        throw .unsuitableAngle(confirmed, chosen.name, chosen.unit)
      }
    }
    guard ConfirmedHold.allows(duration) else { throw .unsuitableDuration(duration) }
    self.measurement = chosen
    self.bounds = bounds
    self.duration = duration
    confirmedValue = confirmed?.value ?? (chosen.unit == .degrees ? 180 : 0)
  }

  /// How much longer the person must hold still, judging by the frames so far.
  public var remaining: Seconds {
    Seconds(start.map { max(0, duration.value - (lastValue - $0.value)) } ?? duration.value)
  }

  /// Adds a frame to the hold.
  ///
  /// - Parameters:
  ///   - answer: the detector's answer for the frame.
  ///   - detector: the detector after the frame, with or without a calibration.
  ///   - time: the time of the frame, which must be later than that of the previous one.
  /// - Returns: the calibration, on the first frame after the hold's duration; nil until then.
  /// - Throws: `CalibrationError` for a frame that is not a prone plank, for more than 0.5 s
  ///   without a value, and at the end for a spread or an offset beyond the bounds.
  /// - Complexity: constant, except O(frames log frames) at the end.
  public mutating func update(
    _ answer: DetectorAnswer, of detector: PlankDetector, at time: Seconds
  ) throws(CalibrationError) -> Calibration? {
    try update(answer.plank, detector.measured(measurement), at: time)
  }

  /// Adds a frame, as `update(_:of:at:)` does, with a given class and measured value.
  public mutating func update(
    _ plank: PlankClass, _ measured: MeasuredValue, at time: Seconds
  ) throws(CalibrationError) -> Calibration? {
    if let start, time.value >= start.value + duration.value - FrameTiming.slack {
      return try finish(at: Seconds(start.value + duration.value))
    }
    guard plank.isProne else {
      reset()
      throw .notAPlank(plank, at: time)
    }
    try checkGap(until: time)
    guard let value = measured.number else { return nil }
    if start == nil { start = time }
    lastValue = time.value
    values.append(value)
    return nil
  }

  /// Ends the hold and derives a calibration from its values.
  ///
  /// - Parameter time: when the hold ended, at least a second after its first value.
  /// - Returns: the calibration.
  /// - Throws: the errors of `update`, and `CalibrationError.tooShort` for a hold of less than a
  ///   second.
  public mutating func finish(at time: Seconds) throws(CalibrationError) -> Calibration {
    let held = Seconds(min(time.value - (start ?? time).value, duration.value))
    try checkGap(until: time)
    let sorted = values.sorted()
    reset()
    guard held.value >= Self.durations.lowerBound.value - FrameTiming.slack else {
      throw .tooShort(held, needed: Self.durations.lowerBound)
    }
    let spread = Self.quantile(sorted, 0.75) - Self.quantile(sorted, 0.25)
    guard spread <= bounds.spread else {
      throw .notStill(spread, largest: bounds.spread, measurement.unit)
    }
    return try Calibration(
      measurement: measurement.name, unit: measurement.unit,
      offset: Self.quantile(sorted, 0.5) - confirmedValue, duration: held, frames: sorted.count)
  }

  /// Forgets the frames so far.
  public mutating func reset() {
    values.removeAll(keepingCapacity: true)
    start = nil
  }

  private mutating func checkGap(until time: Seconds) throws(CalibrationError) {
    guard start != nil else { return }
    let gap = time.value - lastValue
    guard gap > FrameTiming.longestGap + FrameTiming.slack else { return }
    reset()
    throw .interrupted(Seconds(gap), at: time)
  }

  /// Interpolates linearly between neighbors.
  private static func quantile(_ sorted: [Float], _ fraction: Double) -> Double {
    let place = fraction * Double(sorted.count - 1)
    let below = Int(place)
    let above = min(below + 1, sorted.count - 1)
    let (low, high) = (Double(sorted[below]), Double(sorted[above]))
    return low + (place - Double(below)) * (high - low)
  }
}

/// Why a calibration is impossible.
public enum CalibrationError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The detector's answer was not a prone plank.
  case notAPlank(PlankClass, at: Seconds)
  /// The measurement had no value for too long.
  case interrupted(Seconds, at: Seconds)
  /// The hold ended too early.
  case tooShort(Seconds, needed: Seconds)
  /// The middle half of the values spans too wide a range.
  case notStill(Double, largest: Double, MeasurementUnit)
  /// The measurement is so far from the confirmed value that something else is wrong.
  case offsetTooLarge(Double, largest: Double, MeasurementUnit)
  /// The form rules do not compare this measurement; the name is nil if none was given and there is
  /// no single choice.
  case unknownMeasurement(String?, detector: String, available: [String])
  /// No position can be confirmed in the measurement's unit.
  case noBounds(String, MeasurementUnit)
  /// A confirmed angle is out of range, or is given for a length.
  case unsuitableAngle(Degrees, String, MeasurementUnit)
  /// A hold cannot have this duration.
  case unsuitableDuration(Seconds)

  /// What is wrong, what is allowed, and what to do.
  public var description: String {
    switch self {
    case .notAPlank(let plank, let time):
      "the answer at \(Self.text(time.value)) s is \(plank.name), but a hold must be a forearm or "
        + "high plank; hold the plank until the end"
    case .interrupted(let gap, let time):
      "at \(Self.text(time.value)) s nothing was measured for \(Self.text(gap.value)) s, but only "
        + "0.5 s is allowed; keep the whole body in the picture, in at least 3 frames per second"
    case .tooShort(let held, let needed):
      "the hold lasted \(Self.text(held.value)) s, but \(Self.text(needed.value)) s are needed; "
        + "hold it longer"
    case .notStill(let spread, let largest, let unit):
      "the hips moved: the middle half of the values spans \(Self.text(spread, unit)), but "
        + "only \(Self.text(largest, unit)) is allowed; hold still"
    case .offsetTooLarge(let offset, let largest, let unit):
      "the measured hips are off by \(Self.text(offset, unit)), but only \(Self.text(largest, unit)) is "
        + "allowed; check the position and that the camera sees the body from the side"
    case .unknownMeasurement(let name, let detector, let available):
      Self.unknown(name, detector, available)
    case .noBounds(let name, let unit):
      "`\(name)` is in \(unit.rawValue), in which no position can be confirmed; calibrate a "
        + "measurement in degrees, meters or body heights"
    case .unsuitableAngle(let angle, let name, let unit):
      unit == .degrees
        ? "\(Self.text(angle.value)) deg is not an angle of a body; give 0 to 360 deg, 180 for a "
          + "straight one"
        : "`\(name)` is in \(unit.rawValue) and cannot be confirmed by an angle; leave the angle "
          + "out for a straight body"
    case .unsuitableDuration(let duration):
      "a hold of \(Self.text(duration.value)) s is not allowed; give 1 to 10 s"
    }
  }

  private static func unknown(
    _ name: String?, _ detector: String, _ available: [String]
  ) -> String {
    let list = available.map { "`\($0)`" }.joined(separator: ", ")
    guard !available.isEmpty else {
      return "the form rules of \(detector) compare nothing in degrees, meters or body heights, so "
        + "there is nothing to calibrate; use another detector"
    }
    guard let name else {
      return "the form rules of \(detector) compare several measurements; calibrate one of \(list)"
    }
    return "the form rules of \(detector) do not compare `\(name)`; they compare \(list)"
  }

  private static func text(_ number: Double) -> String {
    guard number.isFinite, number.magnitude < 1e9 else { return "\(number)" }
    let rounded = (number * 1000).rounded() / 1000
    return rounded == rounded.rounded() ? "\(Int(rounded))" : "\(rounded)"
  }

  private static func text(_ number: Double, _ unit: MeasurementUnit) -> String {
    text(number) + " " + unit.rawValue
  }
}

extension PlankClass {
  var isProne: Bool { self == .forearm || self == .high }
}
