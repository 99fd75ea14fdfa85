import Foundation
import PlankDetection
import PoseModel
import TestSupport
import Testing

/// What an app shows while a session runs.
@Suite("A running session")
struct RunningSessionTests {
  /// Frames of a session: random intervals, dropouts, grades and breaks.
  private static func frames(seed: UInt64) -> [SessionFrame] {
    var random = SplitMix64(seed: seed)
    var time = 0.0
    return (0..<900).map { index in
      time += [0.033, 0.033, 0.02, 0.1, 0.7][Int(random.next() % (index % 50 == 0 ? 5 : 4))]
      let isBreak = (400..<440).contains(index)
      let draw = random.next() % 20
      return SessionFrame(
        time: Seconds(time), plank: draw == 0 ? nil : isBreak ? PlankClass.none : .forearm,
        grade: draw == 1 ? nil : draw < 5 ? .bad : draw < 9 ? .warning : .good)
    }
  }

  @Test(
    "Time and score at a frame are those of the session up to it", arguments: [1, 2, 3] as [UInt64])
  func equalsTheSummary(seed: UInt64) throws {
    let parameters = try SessionParameters([
      .sessionWarning: 0.5, .sessionBad: 2, .sessionLateShare: 0.3, .sessionLateWeight: 3,
    ])
    var log = SessionLog(parameters)
    let frames = Self.frames(seed: seed)
    var scored = 0
    for (index, frame) in frames.enumerated() {
      try log.append(frame)
      #expect(log.activeTime(at: frame.time) == log.summary(finishedAt: frame.time).activeTime)
      // The session up to the frame whose last interval ends with it: the same session, told a
      // frame earlier, when the summary's median for the last frame is replaced by the interval.
      let expected = Self.scores(of: Array(frames[...index]), parameters)
      let running = log.score(at: frame.time)
      #expect(Self.isClose(running.frameCount, expected.frameCount))
      #expect(Self.isClose(running.timeWeighted, expected.timeWeighted))
      #expect(Self.isClose(running.lateWeighted, expected.lateWeighted))
      #expect(abs(running.gradedTime.value - expected.gradedTime) < 1e-9)
      scored += running.timeWeighted == nil ? 0 : 1
    }
    #expect(scored > 500)
  }

  @Test(
    "Between frames the timer goes on, and the last frame's grade counts for half a second at most")
  func betweenFrames() throws {
    var log = SessionLog()
    for index in 0...40 {
      try log.append(
        SessionFrame(
          time: Seconds(Double(index) / 10), plank: .high, grade: index < 40 ? .good : .bad))
    }
    #expect(abs(log.activeTime(at: Seconds(4)).value - 3) < 1e-9)
    #expect(abs(log.activeTime(at: Seconds(4.4)).value - 3.4) < 1e-9)
    // The person is lost after 1.5 s without a pose, and the timer stands still from there on.
    #expect(abs(log.activeTime(at: Seconds(9)).value - 4.5) < 1e-9)
    let graded = log.score(at: Seconds(4)).gradedTime.value
    #expect(abs(log.score(at: Seconds(4.2)).gradedTime.value - graded - 0.2) < 1e-9)
    #expect(abs(log.score(at: Seconds(60)).gradedTime.value - graded - 0.5) < 1e-9)
    #expect(log.score(at: Seconds(4.5)).timeWeighted ?? 100 < 90)
  }

  @Test("A session without frames has no score and no time")
  func empty() {
    let log = SessionLog()
    #expect(log.score(at: Seconds(1)).timeWeighted == nil)
    #expect(log.score(at: Seconds(1)).lateWeighted == nil)
    #expect(log.activeTime(at: Seconds(1)) == Seconds(0))
  }

  /// The scores by their definitions, frame by frame, where the last frame has no duration.
  private static func scores(
    of frames: [SessionFrame], _ parameters: SessionParameters
  ) -> (frameCount: Double?, timeWeighted: Double?, lateWeighted: Double?, gradedTime: Double) {
    var log = SessionLog(parameters)
    var graded: [(worth: Double, duration: Double)] = []
    for (index, frame) in frames.enumerated() {
      guard let state = try? log.append(frame) else { continue }
      guard state == .active, let plank = frame.plank, plank != PlankClass.none,
        let grade = frame.grade
      else { continue }
      let next = index + 1 < frames.count ? frames[index + 1].time.value : frame.time.value
      graded.append(
        (
          worth: grade == .good ? 1 : grade == .bad ? 0 : 0.5,
          duration: min(0.5, next - frame.time.value)
        ))
    }
    let total = graded.map(\.duration).reduce(0, +)
    let lateStart = 0.7 * total
    var passed = 0.0
    var (weight, late) = (0.0, 0.0)
    for frame in graded {
      let early = min(frame.duration, max(0, lateStart - passed))
      let own = early + 3 * (frame.duration - early)
      weight += own
      late += frame.worth * own
      passed += frame.duration
    }
    let worths = graded.map { $0.worth * $0.duration }.reduce(0, +)
    return (
      graded.isEmpty ? nil : 100 * graded.map(\.worth).reduce(0, +) / Double(graded.count),
      total > 0 ? 100 * worths / total : nil, weight > 0 ? 100 * late / weight : nil, total
    )
  }

  private static func isClose(_ left: Double?, _ right: Double?) -> Bool {
    guard let left, let right else { return left == nil && right == nil }
    return abs(left - right) < 1e-6
  }
}
