import PlankDetection
import PoseModel
import Testing

@Suite("The log of a session")
struct SessionLogTests {
  private func summary(
    _ parts: [(Double, PlankClass?, FormGrade?)], finishedAt end: Double
  ) throws -> SessionSummary {
    var log = SessionLog(reservedFrames: 1000)
    var frame = 0
    for (seconds, plank, grade) in parts {
      for _ in 0..<Int((seconds * 10).rounded()) {
        let time = Seconds(Double(frame) / 10)
        try log.append(SessionFrame(time: time, plank: plank, grade: grade))
        frame += 1
      }
    }
    return log.summary(finishedAt: Seconds(end))
  }

  @Test("Active time, longest stretch, pauses and segments add up")
  func parts() throws {
    let result = try summary(
      [
        (5, .forearm, .good), (3, PlankClass.none, nil), (2, .forearm, .good), (2, .high, .good),
      ], finishedAt: 12)
    #expect(result.stretches == 2)
    #expect(result.pauses.map(\.pause.reason) == [.noPlank])
    #expect(result.pauses.first?.isResumed == true)
    #expect(result.pauses.first?.end == Seconds(8.5))
    #expect(abs(result.activeTime.value - 8.5) < 1e-9)
    #expect(abs(result.longestStretch.value - 5) < 1e-9)
    #expect(result.segments.map(\.plank) == [.forearm, .forearm, .high])
    let durations = result.segments.map(\.duration.value)
    for (duration, expected) in zip(durations, [4, 1.5, 2]) {
      #expect(abs(duration - expected) < 1e-9)
    }
    #expect(result.isLongEnough)
  }

  @Test("Time in a pause, without a pose or without a plank is not graded")
  func graded() throws {
    let result = try summary(
      [(3, .forearm, .good), (0.4, nil, nil), (0.6, PlankClass.none, nil), (2, .forearm, .bad)],
      finishedAt: 6)
    // Active from 1.0 on; bad from 4.0 on, paused at 4.5.
    #expect(abs((result.scores.timeWeighted ?? 0) - 100 * 2 / 2.5) < 1e-6)
    #expect(abs(result.scores.gradedTime.value - 2.5) < 1e-6)
  }

  @Test("A stall that loses the pose and passes the deadline leaves one pause without end")
  func stall() throws {
    var log = SessionLog()
    for frame in 0..<30 {
      try log.append(
        SessionFrame(time: Seconds(Double(frame) / 10), plank: .high, grade: .good))
    }
    let result = log.summary(finishedAt: Seconds(60))
    #expect(result.pauses.count == 1)
    #expect(result.pauses.first?.isResumed == false)
    #expect(abs((result.pauses.first?.pause.start.value ?? 0) - 4.4) < 1e-9)
    #expect(result.end == .ended(SessionEnd(reason: .deadline, time: Seconds(2.9 + 1.5 + 10))))
  }

  @Test("A session under three seconds is too short to count")
  func short() throws {
    #expect(try !summary([(3.9, .forearm, .good)], finishedAt: 3.9).isLongEnough)
    #expect(try summary([(4.1, .forearm, .good)], finishedAt: 4.1).isLongEnough)
  }
}
