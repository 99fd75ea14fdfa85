import PoseModel
import Statistics

/// Which frames of a session have no pose.
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

  /// Whether the next frame has none.
  mutating func isLost(_ context: NoiseContext) -> Bool {
    let isSingle = single.bernoulli(parameters.probability)
    let isBurst = burst.advance(by: context.step)
    let isHeadOn = headOn.advance(by: context.step, isAllowed: context.isHeadOn)
    return isSingle || isBurst || isHeadOn || context.time < parameters.entryLoss.value
  }
}
