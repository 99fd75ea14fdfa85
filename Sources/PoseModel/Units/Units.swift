/// A physical quantity: a `Double` with a unit in its type.
///
/// Each conforming type is a struct around one `Double` and costs nothing in a release build.
/// Values are ordered and compared as their numbers are; NaN behaves as it does for `Double`.
public protocol Quantity: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// The unit as printed after a number: `m`, `deg`, `s`, `Hz`.
  static var symbol: String { get }

  /// The number, in the unit of the type.
  var value: Double { get }

  /// Makes a quantity from a number in the unit of the type.
  init(_ value: Double)
}

extension Quantity {
  /// Whether the first quantity is smaller than the second.
  @inlinable public static func < (left: Self, right: Self) -> Bool { left.value < right.value }

  /// The number followed by its unit, for example `0.05 m`.
  public var description: String { "\(value) \(Self.symbol)" }
}

/// A length in meters.
public struct Meters: Quantity {
  /// The unit as printed: `m`.
  public static var symbol: String { "m" }

  /// The number, in the unit of the type.
  public var value: Double

  /// Makes a quantity from a number in the unit of the type.
  @inlinable public init(_ value: Double) { self.value = value }
}

/// An angle in degrees.
public struct Degrees: Quantity {
  /// The unit as printed: `deg`.
  public static var symbol: String { "deg" }

  /// The number, in the unit of the type.
  public var value: Double

  /// Makes a quantity from a number in the unit of the type.
  @inlinable public init(_ value: Double) { self.value = value }
}

/// A time or a duration in seconds.
public struct Seconds: Quantity {
  /// The unit as printed: `s`.
  public static var symbol: String { "s" }

  /// The number, in the unit of the type.
  public var value: Double

  /// Makes a quantity from a number in the unit of the type.
  @inlinable public init(_ value: Double) { self.value = value }
}

/// A frequency or a rate in hertz.
public struct Hertz: Quantity {
  /// The unit as printed: `Hz`.
  public static var symbol: String { "Hz" }

  /// The number, in the unit of the type.
  public var value: Double

  /// Makes a quantity from a number in the unit of the type.
  @inlinable public init(_ value: Double) { self.value = value }

  /// Whether the rate and its reciprocal are positive and finite.
  ///
  /// The reciprocal of a rate below about 5.6e-309 Hz exceeds all finite `Double`s.
  package var hasInterval: Bool { value > 0 && value.isFinite && (1 / value).isFinite }
}

#if !hasFeature(Embedded)
  extension Quantity where Self: Codable {
    /// Decodes the number alone, in the unit of the type.
    public init(from decoder: any Decoder) throws {
      self.init(try decoder.singleValueContainer().decode(Double.self))
    }

    /// Encodes the number alone, in the unit of the type.
    public func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      try container.encode(value)
    }
  }

  extension Meters: Codable {}

  extension Degrees: Codable {}

  extension Seconds: Codable {}

  extension Hertz: Codable {}
#endif

package enum FrameTiming {
  /// The tolerance in seconds for comparing times with a bound, because times like k/30 are not
  /// exact.
  ///
  /// An inclusive bound is widened by the tolerance, and an exclusive bound is narrowed.
  @inlinable package static var slack: Double { 1e-9 }

  /// The longest interval between two frames that still belong together, in seconds, inclusive.
  ///
  /// No step, stretch or filter reaches across a longer interval.
  @inlinable package static var longestGap: Double { 0.5 }
}

extension Sequence where Element: Hashable {
  package var distinct: [Element] {
    var seen: Set<Element> = []
    return filter { seen.insert($0).inserted }
  }
}

extension [Double] {
  /// The median of numbers in ascending order: the mean of the two middle ones if the count is even,
  /// nil if there are none.
  package var middle: Double? {
    guard !isEmpty else { return nil }
    let half = count / 2
    return count.isMultiple(of: 2) ? (self[half - 1] + self[half]) / 2 : self[half]
  }
}

extension RandomAccessCollection {
  /// Returns the first index for which `isReached` is true; `endIndex` if there is none.
  ///
  /// `isReached` must be false up to some index and true from there on.
  @inlinable
  package func partitioningIndex<Failure: Error>(
    where isReached: (Element) throws(Failure) -> Bool
  ) throws(Failure) -> Index {
    var low = startIndex
    var length = count
    while length > 0 {
      let half = length / 2
      let middle = index(low, offsetBy: half)
      if try isReached(self[middle]) {
        length = half
      } else {
        low = index(after: middle)
        length -= half + 1
      }
    }
    return low
  }
}

package enum CountText {
  package static func of(_ count: Int) -> String {
    var rest = Substring(String(count.magnitude))
    var groups: [Substring] = []
    while rest.count > 3 {
      groups.insert(rest.suffix(3), at: 0)
      rest = rest.dropLast(3)
    }
    return (count < 0 ? "-" : "") + ([rest] + groups).joined(separator: ",")
  }

  package static func of(_ count: Int, _ noun: String, plural: String? = nil) -> String {
    "\(of(count)) \(count == 1 ? noun : plural ?? noun + "s")"
  }
}
