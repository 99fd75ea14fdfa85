import PoseModel
import Statistics

/// The timestamps of a session: nominal, jittered, with gaps, strictly increasing.
struct FrameClock {
  /// Seconds, rounded to a microsecond.
  let times: [Double]

  /// Ticks through a session of `duration` seconds.
  ///
  /// Jitter displaces single timestamps and does not add up; it is cut at four tenths of the
  /// shorter neighboring interval, so that no two frames change places. A gap drops the 1 to 3 frames
  /// that follow.
  init(_ clock: ClockParameters, noise: CaptureNoiseParameters, duration: Double, seed: UInt64) {
    let jitter = RandomStream(seed: seed, purpose: "clock.jitter")
    let gaps = RandomStream(seed: seed, purpose: "clock.gaps")
    var times: [Double] = []
    times.reserveCapacity(Int(duration * clock.rate.value) + 1)
    var nominal = 0.0
    var shorter = 1 / clock.rate.value
    while nominal < duration {
      let interval = 1 / (nominal < clock.warmAfter.value ? clock.rate : clock.warmRate).value
      let limit = 0.4 * min(shorter, interval)
      shorter = interval
      let shift = jitter.gaussian(standardDeviation: noise.clockJitter.value)
      let time = max(0, nominal + min(max(shift, -limit), limit))
      times.append((time * 1e6).rounded() / 1e6)
      let isGap = gaps.bernoulli(noise.clockGapProbability)
      nominal += interval * (isGap ? 2 + Double(gaps.index(below: 3)) : 1)
    }
    self.times = times
  }
}
