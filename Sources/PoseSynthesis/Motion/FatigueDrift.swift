import PoseModel
import Statistics

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The drift of one hold over its time.
///
/// d(t) = d_end max(0, (t - t0)/(T - t0))^p, less what recoveries took back: at each, a movement
/// of 0.8 s leaves 40 to 80 % of the drift of that moment, and the drift goes on from there.
struct FatigueDrift {
  private struct Recovery {
    let start: Double
    let amount: Double
  }

  private static let recoveryDuration = 0.8
  private let parameters: DriftParameters
  private let duration: Double
  private var recoveries: [Recovery] = []

  /// Draws the recoveries of a hold of `duration` seconds.
  init(_ parameters: DriftParameters, duration: Double, stream: RandomStream) {
    self.parameters = parameters
    self.duration = duration
    guard parameters.finalOffset.value != 0 else { return }
    let waits = parameters.recoveryMinimum.value...parameters.recoveryMaximum.value
    let shares = parameters.recoveryFloor...parameters.recoveryCeiling
    var time = parameters.onset * duration + stream.uniform(in: waits)
    while time < duration {
      let kept = stream.uniform(in: shares)
      recoveries.append(Recovery(start: time, amount: offset(at: time) * (1 - kept)))
      time += stream.uniform(in: waits)
    }
  }

  /// Meters at the hips, `time` seconds into the hold.
  func offset(at time: Double) -> Double {
    let onset = parameters.onset * duration
    guard time > onset, parameters.finalOffset.value != 0 else { return 0 }
    let share = min(1, (time - onset) / (duration - onset))
    var offset = parameters.finalOffset.value * pow(share, parameters.exponent)
    for recovery in recoveries where recovery.start < time {
      let done = (time - recovery.start) / Self.recoveryDuration
      offset -= recovery.amount * MinimumJerk.share(done)
    }
    return offset
  }

  /// How tired the body is, 0...1, `time` seconds into the hold.
  func fatigue(at time: Double) -> Double {
    parameters.fatigue * min(max(time / duration, 0), 1)
  }
}
