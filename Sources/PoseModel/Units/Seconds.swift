/// A time or a duration in seconds.
public struct Seconds: Quantity {
  /// The unit as it is printed: `s`.
  public static var symbol: String { "s" }

  /// The number, in the unit of the type.
  public var value: Double

  /// Makes a quantity from a number in the unit of the type.
  @inlinable public init(_ value: Double) { self.value = value }
}
