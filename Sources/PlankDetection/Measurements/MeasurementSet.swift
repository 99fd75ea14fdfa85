/// A set of measurements, one bit each.
public struct MeasurementSet: OptionSet, Hashable, Sendable {
  /// Bit k stands for the measurement with raw value k.
  public let rawValue: UInt32

  /// Makes a set from its bits.
  @inlinable public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// Makes the set of some measurements.
  public init(_ measurements: some Sequence<Measurement>) {
    rawValue = measurements.reduce(0) { $0 | (1 << UInt32($1.rawValue)) }
  }

  /// Every measurement.
  public static let all = MeasurementSet(Measurement.allCases)

  /// Whether a measurement is in the set.
  @inlinable public func contains(_ measurement: Measurement) -> Bool {
    rawValue & (1 << UInt32(measurement.rawValue)) != 0
  }

  /// The measurements in catalogue order.
  public var members: [Measurement] { Measurement.allCases.filter { contains($0) } }
}
