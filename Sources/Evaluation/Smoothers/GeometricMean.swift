internal import Statistics

/// The mean of ratios: half and double make one.
enum GeometricMean {
  /// The exponential of the mean logarithm.
  ///
  /// - Precondition: at least one value, all positive.
  static func of(_ values: [Double]) -> Double {
    precondition(!values.isEmpty && values.allSatisfy { $0 > 0 }, "ratios are positive")
    return Exponential.exp(values.reduce(0) { $0 + Exponential.log($1) } / Double(values.count))
  }
}
