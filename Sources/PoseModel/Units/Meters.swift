/// A length in meters.
public struct Meters: Quantity {
  /// The unit as it is printed: `m`.
  public static var symbol: String { "m" }

  /// The number, in the unit of the type.
  public var value: Double

  /// Makes a quantity from a number in the unit of the type.
  @inlinable public init(_ value: Double) { self.value = value }
}
