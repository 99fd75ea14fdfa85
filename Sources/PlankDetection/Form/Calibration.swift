public import PoseModel

/// How far a detector misreads one person's hips, from a hold that somebody confirmed.
///
/// Pose estimators place hips and shoulders a little off, and differently for each body, so that one
/// limit cannot be right for everybody. A hold whose true position a person or a coach confirms
/// tells the error: what the detector measured less what is true. The form rules of a calibrated
/// detector compare the measurement less this offset. That moves each of their limits on the
/// measurement by the offset; nothing else changes, neither plank rules nor grades.
///
/// Limits of a calibrated detector are limits on the true position. Make one with
/// `CalibrationHold`, and keep it for the person and the way in which they place the camera.
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

  /// A number of the measurement as it is stored, less the offset; without a value it stays as it
  /// is.
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
      case measurement, unit, offset
      case duration = "duration_s"
      case frames
    }

    /// Decodes a calibration and checks it like any other.
    ///
    /// - Throws: `DecodingError` for missing values and for those that `init` refuses.
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
