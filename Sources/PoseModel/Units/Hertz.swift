/// A frequency or a rate in hertz.
public struct Hertz: Quantity {
  /// The unit as it is printed: `Hz`.
  public static var symbol: String { "Hz" }

  /// The number, in the unit of the type.
  public var value: Double

  /// Makes a quantity from a number in the unit of the type.
  @inlinable public init(_ value: Double) { self.value = value }

  /// Whether the rate is above 0 and its interval, 1 over it, is a number above 0 too.
  ///
  /// Rates below about 5.6e-309 Hz have none that a `Double` can hold.
  package var hasInterval: Bool { value > 0 && value.isFinite && (1 / value).isFinite }
}
