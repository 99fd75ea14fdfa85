internal import CGSL

/// Student's t distribution.
package enum StudentT {
  /// The probability of a value up to t.
  ///
  /// - Parameter freedom: degrees of freedom, positive.
  package static func cumulative(_ t: Double, freedom: Double) -> Double {
    gsl_cdf_tdist_P(t, freedom)
  }

  /// The value up to which a probability lies, for probabilities within 0...1.
  package static func quantile(_ probability: Double, freedom: Double) -> Double {
    gsl_cdf_tdist_Pinv(probability, freedom)
  }
}
