import PoseModel
import Statistics

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The small movements of a body over time: what a held pose never holds still.
///
/// Fatigue f (0...1, the share of a tiring hold) raises sway by half and slows it by half (van
/// Dieen 2011: larger and slower), quickens the breath, and lets tremor grow over the last fifth.
struct BodyMotion {
  /// What the motion adds at one moment.
  struct Moment {
    /// Meters at the hips, in the vertical plane.
    var hip = 0.0
    /// Meters at the middle of the spine, along the front.
    var spine = 0.0
    /// Meters by which the carrying arms lean on, along the body.
    var lean = 0.0
    /// Meters across the body.
    var across = 0.0
    /// Phase of a repeated movement in radians.
    var phase = 0.0
  }

  private let parameters: MotionParameters
  private var sway: AutoregressiveProcess
  private var tremorPhase: Double
  private var tremorWander: AutoregressiveProcess
  private var breathPhase: Double
  private var cyclePhase: Double

  /// Starts every movement at a random phase, from streams of a session's seed.
  init(_ parameters: MotionParameters, seed: UInt64) {
    self.parameters = parameters
    sway = AutoregressiveProcess(
      count: 3, stream: RandomStream(seed: seed, purpose: "motion.sway"))
    let tremor = RandomStream(seed: seed, purpose: "motion.tremor")
    tremorPhase = tremor.uniform() * 2 * Double.pi
    tremorWander = AutoregressiveProcess(count: 1, stream: tremor)
    let phases = RandomStream(seed: seed, purpose: "motion.phases")
    breathPhase = phases.uniform() * 2 * Double.pi
    cyclePhase = phases.uniform() * 2 * Double.pi
  }

  /// Moves on by `step` seconds.
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
