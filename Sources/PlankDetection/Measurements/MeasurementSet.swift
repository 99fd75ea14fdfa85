/// A set of measurements: the built-in ones in catalogue order, then expressions by name.
public struct MeasurementSet: Hashable, Sendable, ExpressibleByArrayLiteral {
  /// The measurements in order.
  public private(set) var members: [Measurement] = []

  /// Makes the set of some measurements.
  public init(_ measurements: some Sequence<Measurement>) {
    for measurement in measurements where !contains(measurement) { insert(measurement) }
  }

  /// Makes a set of the listed measurements.
  public init(arrayLiteral measurements: Measurement...) { self.init(measurements) }

  /// Every built-in measurement.
  public static let all = MeasurementSet(Measurement.builtIn)

  /// Whether the set is empty.
  public var isEmpty: Bool { members.isEmpty }

  /// Whether a measurement is in the set.
  public func contains(_ measurement: Measurement) -> Bool { index(of: measurement) != nil }

  /// The position of a measurement among the members; nil if it is not one.
  public func index(of measurement: Measurement) -> Int? {
    // Names nearly always differ, and comparing them copies no expression.
    members.indices.first { members[$0].name == measurement.name && members[$0] == measurement }
  }

  package func place(of measurement: Measurement) -> Int {
    guard let place = index(of: measurement) else {
      preconditionFailure("the measurement \(measurement.name) is not in the set that was measured")
    }
    return place
  }

  /// The measurements of both sets.
  public func union(_ other: MeasurementSet) -> MeasurementSet {
    MeasurementSet(members + other.members)
  }

  /// The measurements that both sets have.
  public func intersection(_ other: MeasurementSet) -> MeasurementSet {
    MeasurementSet(members.filter { other.contains($0) })
  }

  /// The measurements that another set does not have.
  public func subtracting(_ other: MeasurementSet) -> MeasurementSet {
    MeasurementSet(members.filter { !other.contains($0) })
  }

  private mutating func insert(_ measurement: Measurement) {
    let place = members.firstIndex { measurement.precedes($0) } ?? members.endIndex
    members.insert(measurement, at: place)
  }
}

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
  /// Multiples of the image's height.
  case imageHeights = "image heights"
  /// A whole number of frames.
  case frames
  /// Seconds.
  case seconds = "s"
  /// Hertz.
  case hertz = "Hz"
  /// Meters per second.
  case metersPerSecond = "m/s"
  /// Degrees per second.
  case degreesPerSecond = "deg/s"
  /// Multiples of the person's height, per second.
  case bodyHeightsPerSecond = "body heights/s"
  /// Multiples of the image's height, per second.
  case imageHeightsPerSecond = "image heights/s"

  /// Suffixes that a number in this unit may have, each with the divisor of the number.
  ///
  /// Dividing keeps decimals exact: 7cm is the nearest `Double` to 0.07.
  public var suffixes: [(text: String, divisor: Double)] {
    switch self {
    case .ratio: []
    case .meters: [("m", 1), ("cm", 100), ("mm", 1000)]
    case .degrees: [("deg", 1), ("°", 1)]
    case .bodyHeights: [("bodyHeights", 1), ("body heights", 1)]
    case .imageHeights: [("imageHeights", 1), ("image heights", 1)]
    case .frames: [("frames", 1), ("frame", 1)]
    case .seconds: [("s", 1), ("ms", 1000)]
    case .hertz: [("Hz", 1)]
    case .metersPerSecond: [("m/s", 1), ("cm/s", 100)]
    case .degreesPerSecond: [("deg/s", 1), ("°/s", 1)]
    case .bodyHeightsPerSecond: [("bodyHeights/s", 1), ("body heights/s", 1)]
    case .imageHeightsPerSecond: [("imageHeights/s", 1), ("image heights/s", 1)]
    }
  }
}
