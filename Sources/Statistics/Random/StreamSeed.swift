/// How the seed of a random stream follows from a session's seed and the stream's purpose.
///
/// h = FNV-1a (64 bits) over the purpose's UTF-8 bytes (Fowler, Noll and Vo; RFC 9923), then the
/// finalizer of SplitMix64 (Steele, Lea and Flood 2014, doi 10.1145/2660193.2660195) over
/// mix(seed) + h; the upper 32 bits are the seed. Not a cryptographic hash: nobody attacks a
/// synthetic recording, and a hash of this kind needs no library. Both parts are bijective or
/// close to it, so that seeds that differ by one, and purposes that differ in one letter, give
/// unrelated streams. The generator takes 32 bits: among n streams about n^2 / 2^33 pairs share
/// their numbers (20,000 streams: 0.05 pairs).
package enum StreamSeed {
  /// The 32-bit seed of the stream of a purpose.
  package static func derive(seed: UInt64, purpose: String) -> UInt32 {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in purpose.utf8 { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01b3 }
    return UInt32(truncatingIfNeeded: mix(mix(seed) &+ hash) >> 32)
  }

  /// The 64-bit seed of a part of something larger, for parts that derive streams of their own.
  package static func derive64(seed: UInt64, purpose: String) -> UInt64 {
    let upper = derive(seed: seed, purpose: purpose + "/upper")
    return UInt64(upper) << 32 | UInt64(derive(seed: seed, purpose: purpose + "/lower"))
  }

  /// The finalizer of SplitMix64 after one step of its counter.
  private static func mix(_ value: UInt64) -> UInt64 {
    var z = value &+ 0x9e37_79b9_7f4a_7c15
    z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
    z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
    return z ^ (z >> 31)
  }
}
