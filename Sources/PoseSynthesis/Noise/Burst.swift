import Statistics

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Something that starts at random and lasts a while: a Poisson process of starts.
struct Burst {
  /// How long one lasts.
  enum Length {
    /// 1 to this many frames, each equally likely.
    case frames(Int)
    /// Uniform between two times in seconds.
    case seconds(ClosedRange<Double>)
  }

  private let perMinute: Double
  private let length: Length
  private let stream: RandomStream
  private var framesLeft = 0
  private var secondsLeft = 0.0

  init(perMinute: Double, length: Length, stream: RandomStream) {
    self.perMinute = perMinute
    self.length = length
    self.stream = stream
  }

  /// Moves on by a frame of `step` seconds; `started` runs when a burst begins.
  ///
  /// - Returns: whether a burst is on in this frame. While `isAllowed` is false none begins.
  mutating func advance(
    by step: Double, isAllowed: Bool = true, started: (RandomStream) -> Void = { _ in }
  ) -> Bool {
    guard perMinute > 0 else { return false }
    framesLeft -= 1
    secondsLeft -= step
    let begins = stream.bernoulli(1 - exp(-perMinute * step / 60))
    if framesLeft > 0 || secondsLeft > 0 { return true }
    guard begins, isAllowed else { return false }
    switch length {
    case .frames(let most): framesLeft = 1 + stream.index(below: most)
    case .seconds(let range): secondsLeft = stream.uniform(in: range)
    }
    started(stream)
    return true
  }
}
