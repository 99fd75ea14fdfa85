internal import CGSL

/// The standard normal distribution.
enum Normal {
  /// The probability of a value up to z.
  static func cumulative(_ z: Double) -> Double { gsl_cdf_ugaussian_P(z) }

  /// The value up to which a probability lies, for probabilities within 0...1.
  static func quantile(_ probability: Double) -> Double { gsl_cdf_ugaussian_Pinv(probability) }
}
