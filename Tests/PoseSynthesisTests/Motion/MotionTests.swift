import PoseModel
import Statistics
import Testing

@testable import PoseSynthesis

@Suite("Motion")
struct MotionTests {
  @Test("Sway has its spread and its correlation time at any frame rate", arguments: [8.0, 60])
  func sway(rate: Double) {
    var process = AutoregressiveProcess(
      count: 1, stream: RandomStream(seed: 4, purpose: "sway"))
    let values = (0..<60_000).map { _ in
      process.advance(by: 1 / rate, time: 1)
      return process.values[0]
    }
    #expect((moments(values).deviation - 1).magnitude < 0.08)
    let lag = Int(rate)
    let products = zip(values, values.dropFirst(lag)).map { $0 * $1 }
    let correlation = products.reduce(0, +) / Double(products.count)
    #expect((correlation - 0.3679).magnitude < 0.08)
  }

  @Test("Minimum jerk starts and ends at rest, halfway at half time")
  func minimumJerk() {
    #expect(MinimumJerk.share(-1) == 0 && MinimumJerk.share(0) == 0)
    #expect(MinimumJerk.share(1) == 1 && MinimumJerk.share(2) == 1)
    #expect(MinimumJerk.share(0.5) == 0.5)
    #expect(MinimumJerk.share(0.01) < 1e-5)
  }

  private func drift(_ change: (inout DriftParameters) -> Void) -> FatigueDrift {
    var parameters = DriftParameters()
    parameters.finalOffset = Meters(-0.10)
    change(&parameters)
    return FatigueDrift(
      parameters, duration: 60, stream: RandomStream(seed: 9, purpose: "recoveries"))
  }

  @Test("Without recoveries the drift follows its power from its onset to its end")
  func power() {
    let drift = drift {
      $0.recoveryMinimum = Seconds(600)
      $0.recoveryMaximum = Seconds(600)
    }
    #expect(drift.offset(at: 36) == 0)
    #expect((drift.offset(at: 48) + 0.025).magnitude < 1e-12)
    #expect((drift.offset(at: 60) + 0.10).magnitude < 1e-12)
  }

  @Test("A recovery leaves 40 to 80 percent of the drift")
  func recovery() {
    let drift = drift {
      $0.onset = 0
      $0.recoveryMinimum = Seconds(30)
      $0.recoveryMaximum = Seconds(30)
    }
    // Drift goes on during the 0.8 s of the recovery; the reference is the drift without it.
    let before = drift.offset(at: 30)
    let free = -0.10 * (30.8 / 60) * (30.8 / 60)
    let kept = (drift.offset(at: 30.8) - (free - before)) / before
    #expect((0.39...0.81).contains(kept))
  }

  @Test("Fatigue quickens the breath and makes tremor grow")
  func fatigue() {
    func size(_ fatigue: Double) -> Double {
      var parameters = MotionParameters.still
      parameters.tremor = Meters(0.0005)
      parameters.lateTremor = Meters(0.004)
      var motion = BodyMotion(parameters, seed: 3)
      let values = (0..<2000).map { _ in
        motion.advance(by: 1 / 97.0, fatigue: fatigue, cycleRate: Hertz(1)).hip
      }
      return moments(values).deviation * 2.0.squareRoot()
    }
    #expect((size(0) - 0.0005).magnitude < 5e-5)
    #expect((size(0.79) - 0.0005).magnitude < 5e-5)
    #expect((size(1) - 0.004).magnitude < 4e-4)
  }

  @Test("A forearm plank becomes a high one an arm at a time")
  func oneArmAfterTheOther() throws {
    var script = Session.still(.forearm)
    script.holds.append(Hold(.high, for: Seconds(1)))
    let recording = try Session.made(script).recording
    let middle = try #require(WorldFrame(recording, script, frame: 30 + 16))
    func bend(_ side: (Joint, Joint, Joint)) -> Double {
      (middle[side.0] - middle[side.1]).angleDegrees(to: middle[side.2] - middle[side.1])
    }
    let left = bend((.leftShoulder, .leftElbow, .leftWrist))
    let right = bend((.rightShoulder, .rightElbow, .rightWrist))
    #expect((left - right).magnitude > 20)
  }
}
