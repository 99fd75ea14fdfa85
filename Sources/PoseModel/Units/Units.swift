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

/// A length in meters.
public struct Meters: Quantity {
  /// The unit as it is printed: `m`.
  public static var symbol: String { "m" }

  /// The number, in the unit of the type.
  public var value: Double

  /// Makes a quantity from a number in the unit of the type.
  @inlinable public init(_ value: Double) { self.value = value }
}

/// An angle in degrees.
public struct Degrees: Quantity {
  /// The unit as it is printed: `deg`.
  public static var symbol: String { "deg" }

  /// The number, in the unit of the type.
  public var value: Double

  /// Makes a quantity from a number in the unit of the type.
  @inlinable public init(_ value: Double) { self.value = value }
}

/// A time or a duration in seconds.
public struct Seconds: Quantity {
  /// The unit as it is printed: `s`.
  public static var symbol: String { "s" }

  /// The number, in the unit of the type.
  public var value: Double

  /// Makes a quantity from a number in the unit of the type.
  @inlinable public init(_ value: Double) { self.value = value }
}

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

/// The two times that every layer shares.
package enum FrameTiming {
  /// Slack in seconds where times are compared with a bound, because times like k/30 are not exact.
  ///
  /// A bound that is included is widened by it, one that is excluded is narrowed.
  @inlinable package static var slack: Double { 1e-9 }

  /// The longest time in seconds between two frames that still belong together; bound included.
  ///
  /// No frame stands for more than this while the next one is awaited, and no step, stretch or
  /// filter reaches across more.
  @inlinable package static var longestGap: Double { 0.5 }
}
