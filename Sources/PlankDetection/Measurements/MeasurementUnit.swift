/// The unit of a measurement or of a parameter.
public enum MeasurementUnit: String, CaseIterable, Hashable, Sendable {
  /// A pure number.
  case ratio = "-"
  /// Meters.
  case meters = "m"
  /// Degrees.
  case degrees = "deg"
  /// Multiples of the person's height.
  case bodyHeights = "body heights"
  /// A whole number of frames.
  case frames
  /// Seconds.
  case seconds = "s"
  /// Hertz.
  case hertz = "Hz"

  /// Suffixes that a number in this unit may carry, each with what to divide the number by.
  ///
  /// Dividing keeps decimals exact: 7cm is the nearest `Double` to 0.07.
  public var suffixes: [(text: String, divisor: Double)] {
    switch self {
    case .ratio: []
    case .meters: [("m", 1), ("cm", 100), ("mm", 1000)]
    case .degrees: [("deg", 1), ("°", 1)]
    case .bodyHeights: [("bodyHeights", 1), ("body heights", 1)]
    case .frames: [("frames", 1), ("frame", 1)]
    case .seconds: [("s", 1), ("ms", 1000)]
    case .hertz: [("Hz", 1)]
    }
  }
}
