internal import Platform
package import PoseModel
import Statistics

/// The fatigue of a hold: the hips drift after an onset, and are pulled back now and then.
package struct DriftParameters: ScriptParameters {
  /// The drift's end value at the hips; negative is toward the floor; 0 is no drift.
  package var finalOffset = Meters(0)
  /// The fraction of the hold after which the drift starts.
  package var onset = 0.6
  /// The power of the course after the onset.
  package var exponent = 2.0
  /// Shortest time between two recoveries; beyond the end of the hold there are none.
  package var recoveryMinimum = Seconds(5)
  /// Longest time between two recoveries.
  package var recoveryMaximum = Seconds(20)
  /// The smallest fraction of the drift that a recovery leaves.
  package var recoveryFloor = 0.4
  /// The largest fraction of the drift that a recovery leaves.
  package var recoveryCeiling = 0.8
  /// Fatigue at the end, 0...1: sway, tremor and breath grow to that fraction.
  package var fatigue = 0.0

  /// A fresh body that does not drift.
  package init() {}

  package static let section = "drift"

  package static let fields: [ScriptField<Self>] = [
    ScriptField(
      "final_offset_m", "m", -0.15...0.15, \.finalOffset.value,
      "drift of the hips at the end of the hold; -3 to -12 cm is usual"),
    ScriptField(
      "onset", "", 0...0.95, \.onset, "share of the hold before drift starts; 0.5 to 0.7"),
    ScriptField("exponent", "", 0.5...4, \.exponent, "exponent of the drift's course; 1.5 to 2.5"),
    ScriptField(
      "recovery_minimum_s", "s", 1...600, \.recoveryMinimum.value,
      "shortest time between recoveries"),
    ScriptField(
      "recovery_maximum_s", "s", 1...600, \.recoveryMaximum.value,
      "longest time between recoveries"),
    ScriptField(
      "recovery_floor", "", 0...1, \.recoveryFloor, "smallest share that a recovery leaves"),
    ScriptField(
      "recovery_ceiling", "", 0...1, \.recoveryCeiling, "largest share that a recovery leaves"),
    ScriptField("fatigue", "", 0...1, \.fatigue, "how tired the body is at the end of the hold"),
  ]

  package func validateRelations(in section: String) throws {
    guard recoveryMinimum <= recoveryMaximum else {
      throw ScriptError.reversedLimits(
        lower: section + ".recovery_minimum_s", upper: section + ".recovery_maximum_s")
    }
    guard recoveryFloor <= recoveryCeiling else {
      throw ScriptError.reversedLimits(
        lower: section + ".recovery_floor", upper: section + ".recovery_ceiling")
    }
  }
}

/// The drift of one hold over its time.
///
/// d(t) = d_end max(0, (t - t0)/(T - t0))^p, minus the effect of recoveries: in each, a movement of
/// 0.8 s leaves 40 to 80 % of the current drift, and the drift goes on from there.
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

  /// The fatigue, 0...1, `time` seconds into the hold.
  func fatigue(at time: Double) -> Double {
    parameters.fatigue * min(max(time / duration, 0), 1)
  }
}
