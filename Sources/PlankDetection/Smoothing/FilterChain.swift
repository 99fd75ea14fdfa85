/// Some steps one after the other over many signals.
struct FilterChain: Sendable {
  private var banks: [any ChannelBank]

  /// Makes the chain of a strategy's steps on a target.
  init(_ steps: [SmoothingStep], channels count: Int) {
    banks = steps.compactMap { $0.bank(channels: count) }
  }

  /// Whether there is nothing to do.
  var isEmpty: Bool { banks.isEmpty }

  /// Filters the next sample of a channel; NaN for a missing one.
  mutating func update(_ channel: Int, _ value: Double, at time: Double) -> Double {
    var result = value
    for index in banks.indices { result = banks[index].update(channel, result, at: time) }
    return result
  }

  /// Filters the next sample of every channel in place.
  mutating func update(_ samples: UnsafeMutablePointer<Double>, at time: Double) {
    for index in banks.indices { banks[index].update(samples, at: time) }
  }

  /// Forgets the past.
  mutating func reset() {
    for index in banks.indices { banks[index].reset() }
  }
}
