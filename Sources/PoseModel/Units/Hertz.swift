/// A frequency or a rate in hertz.
public struct Hertz: Quantity {
  /// The unit as it is printed: `Hz`.
  public static var symbol: String { "Hz" }

  /// The number, in the unit of the type.
  public var value: Double

  /// Makes a quantity from a number in the unit of the type.
  @inlinable public init(_ value: Double) { self.value = value }
}
