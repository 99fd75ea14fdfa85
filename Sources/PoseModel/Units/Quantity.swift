/// A physical quantity: a `Double` that cannot be mistaken for one in another unit.
///
/// Every conforming type is a struct around one `Double` and costs nothing in a release build.
/// Values order and compare as their numbers do; NaN behaves as it does for `Double`.
public protocol Quantity: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// The unit as it is printed after a number: `m`, `deg`, `s`, `Hz`.
  static var symbol: String { get }

  /// The number, in the unit of the type.
  var value: Double { get }

  /// Makes a quantity from a number in the unit of the type.
  init(_ value: Double)
}

extension Quantity {
  /// Whether the first quantity is the smaller one.
  @inlinable public static func < (left: Self, right: Self) -> Bool { left.value < right.value }

  /// The number followed by its unit, for example `0.05 m`.
  public var description: String { "\(value) \(Self.symbol)" }
}
