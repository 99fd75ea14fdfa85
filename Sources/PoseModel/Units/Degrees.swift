/// An angle in degrees.
public struct Degrees: Quantity {
  /// The unit as it is printed: `deg`.
  public static var symbol: String { "deg" }

  /// The number, in the unit of the type.
  public var value: Double

  /// Makes a quantity from a number in the unit of the type.
  @inlinable public init(_ value: Double) { self.value = value }
}
