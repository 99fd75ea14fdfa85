/// Times a body several times and keeps the best, which noise cannot make better.
struct Stopwatch {
  /// How often each body runs.
  let runs: Int

  /// The best time of several runs in seconds, and the checksum of the answers.
  ///
  /// - Precondition: every run gives the same checksum.
  func best(_ body: () throws -> UInt64) rethrows -> Timing {
    let clock = ContinuousClock()
    var best = Double.infinity
    var checksum: UInt64?
    for _ in 0..<runs {
      let start = clock.now
      let sum = try body()
      let parts = (clock.now - start).components
      best = min(best, Double(parts.seconds) + Double(parts.attoseconds) * 1e-18)
      precondition(checksum == nil || checksum == sum, "equal runs must give equal answers")
      checksum = sum
    }
    return Timing(seconds: best, checksum: checksum ?? 0)
  }
}

/// The best time of a body and what it computed.
struct Timing {
  /// Seconds.
  let seconds: Double
  /// A checksum of the answers.
  let checksum: UInt64
}
