/// A number about two people's labels, or the reason why there is none.
package enum AgreementValue: Hashable, Sendable {
  /// A finite number.
  case value(Double)
  /// No number, and why.
  case undefined(AgreementGap)

  /// The number, or nil where it is undefined.
  package var number: Double? {
    guard case .value(let number) = self else { return nil }
    return number
  }

  /// Why there is no number, or nil where there is one.
  package var reason: AgreementGap? {
    guard case .undefined(let reason) = self else { return nil }
    return reason
  }

  /// An optional number, undefined where it is nil.
  static func of(_ number: Double?, orElse reason: AgreementGap) -> AgreementValue {
    number.map(AgreementValue.value) ?? .undefined(reason)
  }
}
