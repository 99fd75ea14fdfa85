/// Why a number about two people's labels has no value; the text completes "undefined: ".
package enum AgreementGap: String, CaseIterable, Hashable, Sendable {
  /// Neither gave any frame a class.
  case nothingLabeled = "neither labeled any frame"
  /// No frame has a class from both.
  case noCommonTime = "no frame that both labeled"
  /// A kappa where both gave one and the same class everywhere.
  case certainAgreement = "both gave one and the same class, so chance agrees fully"
  /// A boundary difference where no boundary of one belongs to one of the other.
  case noMatchedBoundary = "no boundary of one lies near one of the other"
}
