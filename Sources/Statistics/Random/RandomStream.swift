@preconcurrency import CGSL

/// A seeded stream of random numbers on GSL's Mersenne Twister (`mt19937`).
///
/// The numbers are a function of the seed, the purpose and how many were drawn before: no clock,
/// no thread, no global state. Every random process owns a stream of its own purpose, so that
/// switching one process off changes no number of another. A stream belongs to one task; it is
/// not Sendable.
///
/// Source: Matsumoto and Nishimura 1998, doi 10.1145/272991.272995, as in GSL.
package final class RandomStream {
  let generator: UnsafeMutablePointer<gsl_rng>

  /// Starts the stream of a purpose, for example `noise.white`.
  package init(seed: UInt64, purpose: String) {
    guard let generator = gsl_rng_alloc(gsl_rng_mt19937) else {
      preconditionFailure("no memory for a random generator of 5 kB")
    }
    gsl_rng_set(generator, UInt(StreamSeed.derive(seed: seed, purpose: purpose)))
    self.generator = generator
  }

  deinit { gsl_rng_free(generator) }
}
