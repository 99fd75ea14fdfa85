/// Why there is no interval; the text completes "no interval: ".
package enum IntervalGap: String, Error, CaseIterable, Hashable, Sendable {
  /// Clusters are what is drawn; one of them says nothing about the next.
  case fewerThanTwoClusters = "fewer than two subjects"
  /// The number itself is undefined.
  case undefinedEstimate = "the number is undefined"
  /// Without one of the clusters the number is undefined.
  case undefinedWithoutACluster = "the number is undefined without one of the subjects"
  /// More than one resample in twenty has no number.
  case undefinedReplicates = "the number is undefined in over 5 % of the resamples"
  /// Every resample, or every omission, gives the same number.
  case noVariation = "the number is the same whichever subjects are drawn"
  /// All resamples lie on one side of the estimate, so that the bias has no finite correction.
  case oneSided = "every resample is on the same side of the number"
}
