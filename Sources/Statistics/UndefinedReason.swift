/// The text completes "undefined: ".
package struct UndefinedReason: RawRepresentable, Error, Hashable, Sendable, Codable {
  package let rawValue: String

  package init(rawValue: String) { self.rawValue = rawValue }

  package init(_ text: String) { rawValue = text }
}

extension UndefinedReason {
  package static let fewerThanTwoClusters = UndefinedReason("fewer than two subjects")
  package static let undefinedEstimate = UndefinedReason("the number is undefined")
  package static let undefinedWithoutACluster = UndefinedReason(
    "the number is undefined without one of the subjects")
  package static let undefinedReplicates = UndefinedReason(
    "the number is undefined in over 5 % of the resamples")
  package static let noVariation = UndefinedReason(
    "the number is the same whichever subjects are drawn")
  /// All resamples are on one side of the estimate, so the bias has no finite correction.
  package static let oneSided = UndefinedReason(
    "every resample is on the same side of the number")
}
