/// A seeded source of random detectors, recordings and labels that are valid by the contract.
///
/// Equal seeds give equal results on every platform up to the last digit of `log` and `cos`.
package struct OracleGenerator: Sendable {
  /// The stream of random numbers.
  package var random: SplitMix64

  /// Starts a generator.
  package init(seed: UInt64) {
    random = SplitMix64(seed: seed)
  }
}
