@preconcurrency import CGSL

extension RandomStream {
  /// A number of the uniform distribution on [0, 1).
  package func uniform() -> Double { gsl_rng_uniform(generator) }

  /// A number of the uniform distribution between two bounds.
  package func uniform(in range: ClosedRange<Double>) -> Double {
    range.lowerBound + (range.upperBound - range.lowerBound) * uniform()
  }

  /// A whole number of 0..<`count`, each equally likely.
  ///
  /// - Precondition: `count` is at least 1.
  package func index(below count: Int) -> Int {
    precondition(count > 0, "there is no index below \(count)")
    return Int(gsl_rng_uniform_int(generator, UInt(count)))
  }

  /// A number of the normal distribution.
  ///
  /// The ziggurat of Marsaglia and Tsang 2000, doi 10.18637/jss.v005.i08, as in GSL.
  /// - Parameter standardDeviation: not negative; 0 gives the mean.
  package func gaussian(mean: Double = 0, standardDeviation: Double = 1) -> Double {
    mean + gsl_ran_gaussian_ziggurat(generator, standardDeviation)
  }

  /// A number whose logarithm is normal: exp(N(logMean, logStandardDeviation)).
  ///
  /// Median exp(logMean); always positive.
  package func lognormal(logMean: Double = 0, logStandardDeviation: Double) -> Double {
    gsl_ran_lognormal(generator, logMean, logStandardDeviation)
  }

  /// Whether an event of a probability happens; 0 is never, 1 always.
  package func bernoulli(_ probability: Double) -> Bool { uniform() < probability }

  /// A count of the Poisson distribution.
  package func poisson(mean: Double) -> Int { Int(gsl_ran_poisson(generator, mean)) }

  /// A number of the exponential distribution: the wait for the next of random events.
  package func exponential(mean: Double) -> Double { gsl_ran_exponential(generator, mean) }

  /// The numbers 0..<`count` in random order, every order equally likely.
  ///
  /// Fisher and Yates' shuffle from the end.
  package func permutation(of count: Int) -> [Int] {
    var order = Array(0..<count)
    for last in stride(from: count - 1, to: 0, by: -1) {
      order.swapAt(last, index(below: last + 1))
    }
    return order
  }
}
