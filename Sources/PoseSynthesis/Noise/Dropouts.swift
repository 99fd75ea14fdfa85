internal import Platform
package import PoseModel
import Statistics

package struct DropoutParameters: ScriptParameters {
  package var probability = 0.0
  package var burstsPerMinute = 0.0
  package var burstMinimum = Seconds(0.2)
  package var burstMaximum = Seconds(3)
  package var entryLoss = Seconds(0)
  package var headOnBurstsPerMinute = 0.0

  package init() {}

  package static let section = "dropouts"

  package static let fields: [ScriptField<Self>] = [
    ScriptField("probability", "", 0...0.5, \.probability, "frames without a pose; 1 to 5 %"),
    ScriptField("bursts_per_minute", "/min", 0...60, \.burstsPerMinute, "longer losses"),
    ScriptField("burst_minimum_s", "s", 0.02...10, \.burstMinimum.value, "shortest of these"),
    ScriptField("burst_maximum_s", "s", 0.02...10, \.burstMaximum.value, "longest of these"),
    ScriptField("entry_loss_s", "s", 0...10, \.entryLoss.value, "no pose at the session's start"),
    ScriptField(
      "head_on_bursts_per_minute", "/min", 0...60, \.headOnBurstsPerMinute,
      "losses while a low camera looks along the body"),
  ]

  package func validateRelations(in section: String) throws {
    guard burstMinimum <= burstMaximum else {
      throw ScriptError.reversedLimits(
        lower: section + ".burst_minimum_s", upper: section + ".burst_maximum_s")
    }
  }
}

struct Dropouts {
  private let parameters: DropoutParameters
  private let single: RandomStream
  private var burst: Burst
  private var headOn: Burst

  init(_ parameters: DropoutParameters, seed: UInt64) {
    self.parameters = parameters
    single = RandomStream(seed: seed, purpose: "noise.drops")
    let range = parameters.burstMinimum.value...parameters.burstMaximum.value
    burst = Burst(
      perMinute: parameters.burstsPerMinute, length: .seconds(range),
      stream: RandomStream(seed: seed, purpose: "noise.losses"))
    headOn = Burst(
      perMinute: parameters.headOnBurstsPerMinute, length: .seconds(range),
      stream: RandomStream(seed: seed, purpose: "noise.headOnLosses"))
  }

  mutating func isLost(_ context: NoiseContext) -> Bool {
    let isSingle = single.bernoulli(parameters.probability)
    let isBurst = burst.advance(by: context.step)
    let isHeadOn = headOn.advance(by: context.step, isAllowed: context.isHeadOn)
    return isSingle || isBurst || isHeadOn || context.time < parameters.entryLoss.value
  }
}

/// Something that starts at random and lasts for a while: a Poisson process of starts.
struct Burst {
  enum Length {
    case frames(Int)
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

  /// Advances by `step` seconds; `started` runs when a burst starts, and none starts unless
  /// `isAllowed`.
  ///
  /// Returns whether a burst is active in this frame.
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
