/// One number about two people's labels, as reports list it.
package struct AgreementRow: Hashable, Sendable {
  /// The name, for example `plank.annotators_cohen_kappa`.
  package let name: String
  /// The unit, `-` for shares and coefficients.
  package let unit: String
  /// The number, or why there is none.
  package let value: AgreementValue
}
