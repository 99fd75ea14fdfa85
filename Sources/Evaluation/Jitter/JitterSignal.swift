/// A quantity whose jitter is measured.
package struct JitterSignal: Hashable, Sendable {
  /// What kind of quantity it is.
  package enum Kind: String, Hashable, Sendable {
    /// A number a frame.
    case measurement
    /// A position a frame.
    case joint
  }

  /// What kind of quantity it is.
  package let kind: Kind
  /// The measurement's or the joint's name.
  package let name: String
  /// The unit of its numbers.
  package let unit: String

  /// The unit of angles; steps of angles are taken the short way around the circle.
  static let degrees = "deg"

  /// The numbers of a full turn where the signal is an angle.
  var period: Double? { kind == .measurement && unit == Self.degrees ? 360 : nil }
}
