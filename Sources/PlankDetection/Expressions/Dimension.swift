/// The unit of a number in an expression, as powers of the base units.
struct Dimension: Hashable, Sendable {
  var meters = 0
  var bodyHeights = 0
  var imageHeights = 0
  var degrees = 0
  var seconds = 0

  static let ratio = Dimension()
  static let meters = Dimension(meters: 1)
  static let imageHeights = Dimension(imageHeights: 1)
  static let degrees = Dimension(degrees: 1)
  static let seconds = Dimension(seconds: 1)
  /// Meters per body height: a length divided by it becomes body heights.
  static let bodyHeight = Dimension(meters: 1, bodyHeights: -1)

  /// The powers of a unit; frames have none and count as a pure number.
  init(_ unit: MeasurementUnit) {
    switch unit {
    case .ratio, .frames: self = .ratio
    case .meters: self = .meters
    case .degrees: self = .degrees
    case .bodyHeights: self = Dimension(bodyHeights: 1)
    case .imageHeights: self = .imageHeights
    case .seconds: self = .seconds
    case .hertz: self = Dimension(seconds: -1)
    case .metersPerSecond: self = Dimension(meters: 1, seconds: -1)
    case .degreesPerSecond: self = Dimension(degrees: 1, seconds: -1)
    case .bodyHeightsPerSecond: self = Dimension(bodyHeights: 1, seconds: -1)
    case .imageHeightsPerSecond: self = Dimension(imageHeights: 1, seconds: -1)
    }
  }

  private init(
    meters: Int = 0, bodyHeights: Int = 0, imageHeights: Int = 0, degrees: Int = 0,
    seconds: Int = 0
  ) {
    self.meters = meters
    self.bodyHeights = bodyHeights
    self.imageHeights = imageHeights
    self.degrees = degrees
    self.seconds = seconds
  }

  static let units: [MeasurementUnit] = MeasurementUnit.allCases.filter { $0 != .frames }

  var unit: MeasurementUnit? { Self.units.first { Dimension($0) == self } }

  /// The powers as text: `m`, `deg/s`, `m^2`.
  var text: String {
    if let unit { return unit.rawValue }
    let factors = [
      ("m", meters), ("body heights", bodyHeights), ("image heights", imageHeights),
      ("deg", degrees), ("s", seconds),
    ].filter { $0.1 != 0 }
    return factors.map { $0.1 == 1 ? $0.0 : "\($0.0)^\($0.1)" }.joined(separator: " ")
  }

  static func * (left: Dimension, right: Dimension) -> Dimension {
    Dimension(
      meters: left.meters + right.meters, bodyHeights: left.bodyHeights + right.bodyHeights,
      imageHeights: left.imageHeights + right.imageHeights,
      degrees: left.degrees + right.degrees, seconds: left.seconds + right.seconds)
  }

  static func / (left: Dimension, right: Dimension) -> Dimension {
    Dimension(
      meters: left.meters - right.meters, bodyHeights: left.bodyHeights - right.bodyHeights,
      imageHeights: left.imageHeights - right.imageHeights,
      degrees: left.degrees - right.degrees, seconds: left.seconds - right.seconds)
  }
}
