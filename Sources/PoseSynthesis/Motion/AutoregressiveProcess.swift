import Statistics

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A first-order autoregressive process in real time: Ornstein-Uhlenbeck, sampled exactly.
///
/// a_k = phi a_(k-1) + sqrt(1 - phi^2) sigma epsilon with phi = exp(-dt/tau) for the actual dt,
/// so that spread and correlation time do not depend on the frame rate. Starts in equilibrium.
struct AutoregressiveProcess {
  private(set) var values: [Double]
  private let stream: RandomStream

  /// Starts `count` independent processes of standard deviation 1.
  init(count: Int, stream: RandomStream) {
    self.stream = stream
    values = (0..<count).map { _ in stream.gaussian() }
  }

  /// Moves all of them on by a time step; both in seconds.
  mutating func advance(by step: Double, time: Double) {
    let phi = exp(-step / time)
    let kick = (1 - phi * phi).squareRoot()
    for index in values.indices {
      values[index] = phi * values[index] + kick * stream.gaussian()
    }
  }
}
