@preconcurrency import CGSL

/// A seeded stream of random numbers from GSL's Mersenne Twister (`mt19937`).
///
/// A number depends only on the seed, the purpose and the draws before it. Each random process has
/// its own purpose, so switching one process off does not change the numbers of another. A stream
/// is not Sendable; it belongs to one task. Source: Matsumoto and Nishimura 1998, doi
/// 10.1145/272991.272995, as in GSL.
package final class RandomStream {
  let generator: UnsafeMutablePointer<gsl_rng>

  package init(seed: UInt64, purpose: String) {
    guard let generator = gsl_rng_alloc(gsl_rng_mt19937) else {
      preconditionFailure("no memory for a random generator of 5 kB")
    }
    gsl_rng_set(generator, UInt(StreamSeed.derive(seed: seed, purpose: purpose)))
    self.generator = generator
  }

  deinit { gsl_rng_free(generator) }
}

extension RandomStream {
  package func uniform() -> Double { gsl_rng_uniform(generator) }

  package func uniform(in range: ClosedRange<Double>) -> Double {
    range.lowerBound + (range.upperBound - range.lowerBound) * uniform()
  }

  /// Draws from 0..<`count`, each number equally likely; `count` is at least 1.
  package func index(below count: Int) -> Int {
    precondition(count > 0, "there is no index below \(count)")
    return Int(gsl_rng_uniform_int(generator, UInt(count)))
  }

  /// Draws from a normal distribution; `standardDeviation` is at least 0.
  ///
  /// Uses the ziggurat method of Marsaglia and Tsang 2000, doi 10.18637/jss.v005.i08, as in GSL.
  package func gaussian(mean: Double = 0, standardDeviation: Double = 1) -> Double {
    mean + gsl_ran_gaussian_ziggurat(generator, standardDeviation)
  }

  /// Draws exp(N(logMean, logStandardDeviation)), whose median is exp(logMean).
  package func lognormal(logMean: Double = 0, logStandardDeviation: Double) -> Double {
    gsl_ran_lognormal(generator, logMean, logStandardDeviation)
  }

  package func exponential() -> Double { gsl_ran_exponential(generator, 1) }

  /// Draws from Beta(1, `other`) with a positive `other`.
  package func betaOfOne(_ other: Double) -> Double { gsl_ran_beta(generator, 1, other) }

  /// Draws from the chi-squared distribution; the degrees of freedom must be positive.
  package func chiSquared(freedom: Double) -> Double { gsl_ran_chisq(generator, freedom) }

  package func bernoulli(_ probability: Double) -> Bool { uniform() < probability }

  /// Shuffles 0..<`count`, each order equally likely, with the Fisher-Yates method.
  package func permutation(of count: Int) -> [Int] {
    var order = Array(0..<count)
    for last in stride(from: count - 1, to: 0, by: -1) {
      order.swapAt(last, index(below: last + 1))
    }
    return order
  }
}

/// Derives the seeds of streams.
///
/// h is the 64-bit FNV-1a hash of the purpose's UTF-8 bytes (Fowler, Noll and Vo; RFC 9923). The
/// finalizer of SplitMix64 (Steele, Lea and Flood 2014, doi 10.1145/2660193.2660195) is applied to
/// mix(seed) + h, and the upper 32 bits are the derived seed.
///
/// The hash needs no library and need not be cryptographic, because nobody attacks a synthetic
/// recording. The generator takes a 32-bit seed: among n streams, about n^2 / 2^33 pairs share
/// their numbers (for 20,000 streams, 0.05 pairs).
package enum StreamSeed {
  package static func derive(seed: UInt64, purpose: String) -> UInt32 {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in purpose.utf8 { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01b3 }
    return UInt32(truncatingIfNeeded: mix(mix(seed) &+ hash) >> 32)
  }

  package static func derive64(seed: UInt64, purpose: String) -> UInt64 {
    let upper = derive(seed: seed, purpose: purpose + "/upper")
    return UInt64(upper) << 32 | UInt64(derive(seed: seed, purpose: purpose + "/lower"))
  }

  private static func mix(_ value: UInt64) -> UInt64 {
    var z = value &+ 0x9e37_79b9_7f4a_7c15
    z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
    z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
    return z ^ (z >> 31)
  }
}
