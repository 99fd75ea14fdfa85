internal import Platform
package import PoseModel
import Statistics

package struct MotionParameters: ScriptParameters {
  package var sway = Meters(0.005)
  package var swayTime = Seconds(1)
  package var tremorRate = Hertz(10)
  package var tremor = Meters(0.0005)
  package var lateTremor = Meters(0.003)
  package var breathRate = Hertz(0.25)
  package var lateBreathRate = Hertz(0.55)
  package var breathAtSpine = Meters(0.004)
  package var breathAtRoot = Meters(0.002)

  package init() {}

  package static let still: MotionParameters = {
    var motion = MotionParameters()
    motion.sway = Meters(0)
    motion.tremor = Meters(0)
    motion.lateTremor = Meters(0)
    motion.breathAtSpine = Meters(0)
    motion.breathAtRoot = Meters(0)
    return motion
  }()

  package static let section = "motion"

  package static let fields: [ScriptField<Self>] = [
    .init(
      "sway_m", 0...0.02, \.sway.value, "standard deviation of sway at the hips; 3 to 8 mm is usual"
    ),
    .init("sway_time_s", 0.1...5, \.swayTime.value, "correlation time of sway; 0.5 to 1.5 s"),
    .init(
      "tremor_rate_hz", 4...15, \.tremorRate.value,
      "frequency of tremor; physiological band 8 to 12 Hz (Lakie 2015)"),
    .init("tremor_m", 0...0.005, \.tremor.value, "amplitude of tremor; 0.3 to 1 mm (assumed)"),
    .init(
      "late_tremor_m", 0...0.01, \.lateTremor.value,
      "amplitude of tremor at the end of a tiring hold; 2 to 5 mm (assumed)"),
    .init("breath_rate_hz", 0.1...1, \.breathRate.value, "breaths per second at rest"),
    .init(
      "late_breath_rate_hz", 0.1...1, \.lateBreathRate.value,
      "breaths per second at the end of a tiring hold"),
    .init(
      "breath_at_spine_m", 0...0.02, \.breathAtSpine.value,
      "amplitude of breathing at the spine (Kaneko and Horie 2012: a few mm quiet)"),
    .init("breath_at_root_m", 0...0.01, \.breathAtRoot.value, "amplitude of breathing at the hips"),
  ]
}

/// The sway, breath and tremor of a body that holds still.
///
/// Fatigue f, 0...1, makes sway up to 1.5 times as large and as slow (van Dieen 2011). It also
/// quickens the breath and lets tremor grow over the last fifth of the hold.
struct BodyMotion {
  struct Moment {
    /// In meters, in the vertical plane.
    var hip = 0.0
    /// In meters, toward the front.
    var spine = 0.0
    /// The forward lean of the carrying arms, in meters along the body.
    var lean = 0.0
    var across = 0.0
    var phase = 0.0
  }

  private let parameters: MotionParameters
  private var sway: AutoregressiveProcess
  private var tremorPhase: Double
  private var tremorWander: AutoregressiveProcess
  private var breathPhase: Double
  private var cyclePhase: Double

  init(_ parameters: MotionParameters, seed: UInt64) {
    self.parameters = parameters
    sway = AutoregressiveProcess(count: 3, stream: RandomStream(seed: seed, purpose: "motion.sway"))
    let tremor = RandomStream(seed: seed, purpose: "motion.tremor")
    tremorPhase = tremor.uniform() * 2 * Double.pi
    tremorWander = AutoregressiveProcess(count: 1, stream: tremor)
    let phases = RandomStream(seed: seed, purpose: "motion.phases")
    breathPhase = phases.uniform() * 2 * Double.pi
    cyclePhase = phases.uniform() * 2 * Double.pi
  }

  mutating func advance(by step: Double, fatigue: Double, cycleRate: Hertz) -> Moment {
    let p = parameters
    sway.advance(by: step, time: p.swayTime.value * (1 + 0.5 * fatigue))
    tremorWander.advance(by: step, time: 0.5)
    let turn = 2 * Double.pi * step
    tremorPhase += turn * p.tremorRate.value * (1 + 0.1 * tremorWander.values[0])
    let rate = p.breathRate.value + (p.lateBreathRate.value - p.breathRate.value) * fatigue
    breathPhase += turn * rate
    cyclePhase += turn * cycleRate.value
    let size = p.sway.value * (1 + 0.5 * fatigue)
    let late = max(0, (fatigue - 0.8) / 0.2)
    let tremor = (p.tremor.value + (p.lateTremor.value - p.tremor.value) * late) * sin(tremorPhase)
    let breath = sin(breathPhase)
    return Moment(
      hip: size * sway.values[0] + tremor + p.breathAtRoot.value * breath,
      spine: p.breathAtSpine.value * breath,
      lean: size * sway.values[1] + tremor / 2, across: size * sway.values[2], phase: cyclePhase)
  }
}

/// A first-order autoregressive process in real time: Ornstein-Uhlenbeck, sampled exactly.
///
/// a_k = phi a_(k-1) + sqrt(1 - phi^2) sigma epsilon with phi = exp(-dt/tau) for the actual dt, so
/// that spread and correlation time do not depend on the frame rate. The process starts in
/// equilibrium.
struct AutoregressiveProcess {
  private(set) var values: [Double]
  private let stream: RandomStream

  init(count: Int, stream: RandomStream) {
    self.stream = stream
    values = (0..<count).map { _ in stream.gaussian() }
  }

  mutating func advance(by step: Double, time: Double) {
    let phi = exp(-step / time)
    let kick = (1 - phi * phi).squareRoot()
    for index in values.indices { values[index] = phi * values[index] + kick * stream.gaussian() }
  }
}

/// The progress of a minimum-jerk movement: s = 10 u^3 - 15 u^4 + 6 u^5.
///
/// Source: Flash and Hogan 1985, doi 10.1523/JNEUROSCI.05-07-01688.1985.
enum MinimumJerk {
  static func share(_ u: Double) -> Double {
    if u <= 0 { return 0 }
    if u >= 1 { return 1 }
    return u * u * u * (10 + u * (6 * u - 15))
  }
}

package struct DriftParameters: ScriptParameters {
  /// The drift of the hips at the end; negative is toward the floor.
  package var finalOffset = Meters(0)
  package var onset = 0.6
  package var exponent = 2.0
  package var recoveryMinimum = Seconds(5)
  package var recoveryMaximum = Seconds(20)
  package var recoveryFloor = 0.4
  package var recoveryCeiling = 0.8
  /// The fatigue at the end, 0...1, by which sway, tremor and breath approach their late values.
  package var fatigue = 0.0

  package init() {}

  package static let section = "drift"

  package static let fields: [ScriptField<Self>] = [
    .init(
      "final_offset_m", -0.15...0.15, \.finalOffset.value,
      "drift of the hips at the end of the hold; -3 to -12 cm is usual"),
    .init("onset", 0...0.95, \.onset, "share of the hold before drift starts; 0.5 to 0.7"),
    .init("exponent", 0.5...4, \.exponent, "exponent of the drift's course; 1.5 to 2.5"),
    .init(
      "recovery_minimum_s", 1...600, \.recoveryMinimum.value, "shortest time between recoveries"),
    .init(
      "recovery_maximum_s", 1...600, \.recoveryMaximum.value, "longest time between recoveries"),
    .init("recovery_floor", 0...1, \.recoveryFloor, "smallest share that a recovery leaves"),
    .init("recovery_ceiling", 0...1, \.recoveryCeiling, "largest share that a recovery leaves"),
    .init("fatigue", 0...1, \.fatigue, "how tired the body is at the end of the hold"),
  ]

  package static let limits = [
    (lower: "recovery_minimum_s", upper: "recovery_maximum_s"),
    (lower: "recovery_floor", upper: "recovery_ceiling"),
  ]
}

/// The drift of the hips: d(t) = d_end max(0, (t - t0) / (T - t0))^p, reduced by recoveries.
///
/// A recovery is a movement of 0.8 s that leaves 40 to 80 % of the current drift, from which the
/// drift continues.
struct FatigueDrift {
  private struct Recovery {
    let start: Double
    let amount: Double
  }

  private static let recoveryDuration = 0.8
  private let parameters: DriftParameters
  private let duration: Double
  private var recoveries: [Recovery] = []

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

  /// In meters, `time` seconds into the hold.
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

  func fatigue(at time: Double) -> Double { parameters.fatigue * min(max(time / duration, 0), 1) }
}
