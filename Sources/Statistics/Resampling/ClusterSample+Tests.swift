extension ClusterSample {
  /// How probable a number this far above a bound, or farther, is if the truth is the bound.
  ///
  /// One-sided: P(T >= (estimate - bound) / standard error), T with G - 1 degrees of freedom.
  ///
  /// - Throws: `IntervalGap` where there is no standard error.
  package func probability(above bound: Double) throws(IntervalGap) -> Double {
    let error = try standardError()
    guard let estimate else { throw .undefinedEstimate }
    return StudentT.cumulative((bound - estimate) / error, freedom: Double(clusters - 1))
  }

  /// The same below a bound.
  package func probability(below bound: Double) throws(IntervalGap) -> Double {
    let error = try standardError()
    guard let estimate else { throw .undefinedEstimate }
    return StudentT.cumulative((estimate - bound) / error, freedom: Double(clusters - 1))
  }

  /// The least true difference that these clusters would show in four of five such experiments.
  ///
  /// (t(1 - risk / 2) + t(power)) times the standard error, G - 1 degrees of freedom.
  ///
  /// - Parameters:
  ///   - risk: how often a difference may be claimed where there is none.
  ///   - power: how often a true difference shall be found.
  /// - Throws: `IntervalGap` where there is no standard error.
  /// - Source: Cohen 1988, Statistical Power Analysis, 2.3, with t in place of normal quantiles.
  package func detectableDifference(
    risk: Double = 0.05, power: Double = 0.8
  ) throws(IntervalGap) -> Double {
    let freedom = Double(clusters - 1)
    let error = try standardError()
    return error
      * (StudentT.quantile(1 - risk / 2, freedom: freedom)
        + StudentT.quantile(power, freedom: freedom))
  }
}
