public import PoseModel

/// How far a detector misreads one person's hips, from a hold that somebody confirmed.
///
/// Pose estimators place hips and shoulders a little off, and differently for each body, so that one
/// limit cannot be right for everybody. A hold whose true position a person or a coach confirms
/// tells the error: what the detector measured less what is true. The form rules of a calibrated
/// detector compare the measurement less this offset, which is the true position, with the limits
/// that the detector defines for it (`ParameterKey.calibrated`), or else with the same as before.
/// Plank rules and grades stay as they are.
///
/// Make one with `CalibrationHold`, and keep it for the person and the way in which they place the
/// camera.
public struct Calibration: Hashable, Sendable {
  /// The name of the measurement that is misread.
  public let measurement: String
  /// The unit of the measurement and of the offset.
  public let unit: MeasurementUnit
  /// What was measured less what was confirmed: positive if the detector reads too much.
  public let offset: Double
  /// How long the hold lasted.
  public let duration: Seconds
  /// How many frames of the hold had a value.
  public let frames: Int

  /// Checks and makes a calibration.
  ///
  /// - Parameters:
  ///   - measurement: the name of the measurement.
  ///   - unit: its unit: degrees, meters or body heights.
  ///   - offset: what was measured less what is true, in this unit.
  ///   - duration: how long the hold lasted: `CalibrationHold.durations`.
  ///   - frames: how many frames of the hold had a value; at least 1.
  /// - Throws: `CalibrationError` for a unit that has no bounds, an offset beyond them, and a
  ///   duration or a number of frames that no hold has.
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

/// How far a hold may be off and spread in a unit.
///
/// The bounds are ours. In 33 sessions of app users, the median offset of a 2D estimator's hip angle
/// from hand-clicked points was 17 degrees at most, and 26 sessions have two seconds whose middle
/// half of angles spans 5 degrees at most. On a body of 1.75 m, 20 degrees are 11 cm.
public struct CalibrationBounds: Hashable, Sendable {
  /// The largest offset in either direction; bound included.
  public let offset: Double
  /// The largest distance between the quartiles of the measured numbers; bound included.
  public let spread: Double

  /// The bounds of a unit; nil for a unit in which no position can be confirmed.
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

    /// Decodes a calibration and checks it like any other.
    public init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      let measurement = try container.decode(String.self, forKey: .measurement)
      let unit = try container.decode(MeasurementUnit.self, forKey: .unit)
      let offset = try container.decode(Double.self, forKey: .offset)
      let duration = try container.decode(Seconds.self, forKey: .duration)
      let frames = try container.decode(Int.self, forKey: .frames)
      do throws(CalibrationError) {
        try self.init(
          measurement: measurement, unit: unit, offset: offset, duration: duration, frames: frames)
      } catch {
        throw DecodingError.dataCorruptedError(
          forKey: .offset, in: container, debugDescription: "\(error)")
      }
    }
  }
#endif

/// A hold that calibrates a detector, frame by frame while the person holds still.
///
/// The person takes a position that somebody confirms, by default a straight body. The frames of
/// the hold must answer a prone plank and lie at most 0.5 s apart where they have a value, and the
/// middle half of their values must stay within `CalibrationBounds.spread`. The offset is their
/// median less the confirmed value. What is not a calm plank is refused, with a reason to show.
/// After a refusal and after a calibration the hold is empty: the next frame starts another one.
///
/// It keeps one number per frame for at most 10 seconds.
public struct CalibrationHold: Sendable {
  /// How long a hold may last.
  public static let durations = ConfirmedHold.durations

  /// The measurement that is calibrated.
  public let measurement: Measurement
  /// What the measurement would be without error, in its unit.
  public let confirmedValue: Double
  /// How long a hold lasts.
  public let duration: Seconds

  private let bounds: CalibrationBounds
  private var values: [Float] = []
  /// When the hold began: at its first value; nil while it is empty.
  public private(set) var start: Seconds?
  private var lastValue = 0.0

  /// Prepares a hold.
  ///
  /// - Parameters:
  ///   - definition: the detector that is calibrated.
  ///   - measurement: the measurement; nil for the only one in degrees, meters or body heights that
  ///     the form rules compare.
  ///   - confirmed: the true angle, for a measurement in degrees; nil for a straight body, which is
  ///     at 180 degrees, or at 0 meters or body heights.
  ///   - duration: how long a hold lasts: `durations`.
  /// - Throws: `CalibrationError` for a measurement that the form rules do not compare or that has
  ///   no bounds, an angle outside 0 to 360 or for a length, and a duration outside the range.
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

  /// How much longer the person must hold still, as far as the frames so far tell.
  public var remaining: Seconds {
    Seconds(start.map { max(0, duration.value - (lastValue - $0.value)) } ?? duration.value)
  }

  /// Takes the answer to a frame.
  ///
  /// - Parameters:
  ///   - answer: the detector's answer to the frame.
  ///   - detector: the detector after the frame, with or without a calibration.
  ///   - time: the time of the frame, later than that of the previous one.
  /// - Returns: the calibration with the first frame after the hold's duration, until then nil.
  /// - Throws: `CalibrationError` for a frame that is no prone plank, for more than 0.5 s without
  ///   a value, and at the end for values that spread too far or lie too far off.
  /// - Complexity: constant, except O(frames log frames) at the end.
  public mutating func update(
    _ answer: DetectorAnswer, of detector: PlankDetector, at time: Seconds
  ) throws(CalibrationError) -> Calibration? {
    try update(answer.plank, detector.measured(measurement), at: time)
  }

  /// Takes what a detector answered and measured in a frame; see the other `update`.
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

  /// Ends the hold at a time, with what it has.
  ///
  /// - Parameter time: when it ended; a second after its first value at the earliest.
  /// - Returns: the calibration.
  /// - Throws: as `update`, and `tooShort` for a hold of less than a second.
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

/// Why there is no calibration.
public enum CalibrationError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The detector's answer was not a plank with the face down.
  case notAPlank(PlankClass, at: Seconds)
  /// The measurement had no value for too long.
  case interrupted(Seconds, at: Seconds)
  /// The hold ended too early.
  case tooShort(Seconds, needed: Seconds)
  /// The middle half of the values is too wide.
  case notStill(Double, largest: Double, MeasurementUnit)
  /// The measurement is so far from the confirmed value that something else is wrong.
  case offsetTooLarge(Double, largest: Double, MeasurementUnit)
  /// The form rules do not compare a measurement; nil where none was given and it is not clear
  /// which one is meant.
  case unknownMeasurement(String?, detector: String, available: [String])
  /// No position can be confirmed in the unit of a measurement.
  case noBounds(String, MeasurementUnit)
  /// A confirmed angle is none, or is given for a length.
  case unsuitableAngle(Degrees, String, MeasurementUnit)
  /// A hold cannot last so long.
  case unsuitableDuration(Seconds)

  /// What is wrong, what is allowed, and what to do.
  public var description: String {
    switch self {
    case .notAPlank(let plank, let time):
      "the answer at \(Self.text(time.value)) s is \(plank.name), but a hold must be a forearm or "
        + "high plank; hold the plank until the end"
    case .interrupted(let gap, let time):
      "at \(Self.text(time.value)) s nothing was measured for \(Self.text(gap.value)) s, but only "
        + "0.5 s is allowed; keep the whole body in the picture"
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
