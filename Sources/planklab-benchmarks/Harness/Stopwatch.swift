#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

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

/// The best time of a body and its result.
struct Timing {
  /// Seconds.
  let seconds: Double
  /// A checksum of the answers.
  let checksum: UInt64
}

/// The processor time of the calling thread: time of other programs does not count.
enum ThreadTime {
  /// Nanoseconds since an arbitrary moment.
  static var nanoseconds: Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
  }
}

/// The processor time of all threads of the process.
enum ProcessTime {
  /// Seconds since an arbitrary moment.
  static var seconds: Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
  }
}

/// The process's largest resident memory so far.
enum PeakMemory {
  /// Bytes.
  static var bytes: Int {
    var usage = rusage()
    #if canImport(Glibc)
      getrusage(RUSAGE_SELF.rawValue, &usage)
    #else
      getrusage(RUSAGE_SELF, &usage)
    #endif
    // Linux counts kibibytes, Darwin bytes.
    #if canImport(Darwin)
      return usage.ru_maxrss
    #else
      return usage.ru_maxrss * 1024
    #endif
  }
}

/// A checksum of answers: FNV-1a over 64-bit words.
struct Checksum {
  /// The sum so far.
  private(set) var value: UInt64 = 0xcbf2_9ce4_8422_2325

  /// Takes in a word.
  mutating func add(_ word: UInt64) { value = (value ^ word) &* 0x100_0000_01b3 }

  /// Takes in a time.
  mutating func add(_ number: Double) { add(number.bitPattern) }

  /// Takes in a position; every missing one counts the same.
  mutating func add(_ number: Float) {
    add(UInt64(number.isNaN ? Float.nan.bitPattern : number.bitPattern))
  }
}
