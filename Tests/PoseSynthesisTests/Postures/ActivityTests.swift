import PoseModel
import Testing

@testable import PoseSynthesis

@Suite("Planks in motion")
struct ActivityTests {
  private func frames(
    _ posture: Posture, _ activity: Activity = .still, feet: FootPlacement = .apart
  ) throws -> [WorldFrame] {
    var script = Session.still(posture, seconds: 4)
    script.holds[0].placement.activity = activity
    script.holds[0].placement.feet = feet
    script.holds[0].placement.cycleRate = Hertz(0.5)
    let recording = try Session.made(script).recording
    return try (0..<recording.frameCount).map {
      try #require(WorldFrame(recording, script, frame: $0))
    }
  }

  @Test("Each hand in turn touches the other shoulder while the other one carries")
  func taps() throws {
    let frames = try frames(.high, .shoulderTaps)
    for (hand, shoulder) in [
      (Joint.leftWrist, Joint.rightShoulder), (.rightWrist, .leftShoulder),
    ] {
      let nearest = frames.map { ($0[hand] - $0[shoulder]).norm }.min() ?? 1
      #expect(nearest < 0.11, "\(hand)")
    }
    for frame in frames {
      let drop = max(
        (frame[.leftShoulder] - frame[.leftWrist]).y,
        (frame[.rightShoulder] - frame[.rightWrist]).y)
      #expect(drop > 0.5)
    }
  }

  @Test("Jacks spread the feet by more than a shoulder's width, lifts raise one foot at a time")
  func legs() throws {
    let widths = try frames(.forearm, .jacks).map { ($0[.leftAnkle] - $0[.rightAnkle]).norm }
    #expect((widths.max() ?? 0) > 0.6 && (widths.min() ?? 1) < 0.25)
    let rises = try frames(.forearm, .legLifts).map { $0[.leftAnkle].y - $0[.rightAnkle].y }
    #expect((rises.max() ?? 0) > 0.2 && (rises.min() ?? 0) < -0.2)
    for frame in try frames(.forearm, .legLifts) {
      #expect(frame[.leftKnee].y > -0.4 && frame[.rightKnee].y > -0.4)
    }
  }

  @Test("Mountain climbers bring each knee near the chest and are no plank")
  func climbs() throws {
    let frames = try frames(.mountainClimber)
    for knee in [Joint.leftKnee, .rightKnee] {
      let nearest = frames.map { ($0[knee] - $0[.centerShoulder]).norm }.min() ?? 9
      #expect(nearest < 0.5, "\(knee)")
    }
    for frame in frames {
      let floor = min(frame[.leftWrist].y, frame[.rightWrist].y) - ContactHeights.wrist * 1.75
      #expect((frame.all.map(\.y).min() ?? -9) > floor - 0.04)
    }
    #expect(Posture.mountainClimber.plankClass == .none)
  }

  @Test("A low crawl keeps forearms and shanks on the floor")
  func lowCrawl() throws {
    for frame in try frames(.lowCrawl) {
      let floor = frame.all.map(\.y).min() ?? 0
      for joint in [
        Joint.leftElbow, .rightElbow, .leftWrist, .rightWrist, .leftAnkle, .rightAnkle,
      ] {
        #expect(frame[joint].y - floor < 0.1, "\(joint)")
      }
    }
  }

  @Test("Stacked feet lie one upon the other; without that the upper leg hangs in the air")
  func feet() throws {
    for posture in [Posture.sideLeftElbow, .sideRightHand] {
      let apart = try frames(posture)[0]
      let stacked = try frames(posture, feet: .stacked)[0]
      let staggered = try frames(posture, feet: .staggered)[0]
      func gap(_ frame: WorldFrame) -> Double {
        (frame[.leftAnkle] - frame[.rightAnkle]).y.magnitude
      }
      #expect(gap(apart) > 0.15 && gap(stacked) < 0.11 && gap(staggered) < 0.11)
      #expect((staggered[.leftAnkle] - staggered[.rightAnkle]).norm > 0.15)
    }
  }
}
