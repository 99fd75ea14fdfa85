import PlankDetection
import PoseModel
import TestSupport
import Testing

@Suite("Sessions") struct SessionTrackerTests {
  private struct Part {
    var seconds: Double
    var plank: PlankClass?
    var grade: FormGrade?

    static func hold(_ seconds: Double, _ plank: PlankClass = .forearm) -> Part {
      Part(seconds: seconds, plank: plank, grade: .good)
    }

    static func bad(_ seconds: Double) -> Part {
      Part(seconds: seconds, plank: .forearm, grade: .bad)
    }

    static func warning(_ seconds: Double) -> Part {
      Part(seconds: seconds, plank: .forearm, grade: .warning)
    }

    static func ungraded(_ seconds: Double) -> Part {
      Part(seconds: seconds, plank: .forearm, grade: nil)
    }

    static func nothing(_ seconds: Double) -> Part {
      Part(seconds: seconds, plank: PlankClass.none, grade: nil)
    }

    static func lost(_ seconds: Double) -> Part { Part(seconds: seconds, plank: nil, grade: nil) }
  }

  /// The states after frames at 10 Hz, with the time at which each began.
  private func run(_ parts: [Part]) throws -> (changes: [(Double, SessionState)], SessionTracker) {
    var tracker = SessionTracker()
    var changes: [(Double, SessionState)] = [(0, .idle)]
    var frame = 0
    for part in parts {
      for _ in 0..<Int((part.seconds * 10).rounded()) {
        let time = Double(frame) / 10
        let state = try tracker.update(
          SessionFrame(time: Seconds(time), plank: part.plank, grade: part.grade))
        if state != changes[changes.count - 1].1 { changes.append((time, state)) }
        frame += 1
      }
    }
    return (changes, tracker)
  }

  private func names(_ parts: [Part]) throws -> [String] {
    try run(parts).changes.map { "\($0.1.name) \($0.0)" }
  }

  @Test("A plank class held for a second starts a session; another class starts over")
  func enter() throws {
    #expect(try names([.hold(3)]) == ["idle 0.0", "active 1.0"])
    #expect(try names([.hold(0.9), .hold(3, .high)]) == ["idle 0.0", "active 1.9"])
    #expect(try names([.hold(0.9), .nothing(0.1), .hold(0.9)]) == ["idle 0.0"])
  }

  @Test("Bad form for half a second, no plank for one, no pose for one and a half pause")
  func pauses() throws {
    let (bad, _) = try run([.hold(3), .bad(0.5), .bad(2)])
    let badPause = SessionPause.of(bad[2].1)
    #expect(bad[2].0 == 3.5 && badPause?.reason == .badForm && badPause?.causeStart.value == 3)
    let (none, _) = try run([.hold(3), .nothing(2)])
    #expect(none[2].0 == 4 && SessionPause.of(none[2].1)?.reason == .noPlank)
    let (lost, _) = try run([.hold(3), .lost(3)])
    let pause = try #require(SessionPause.of(lost[2].1))
    #expect(pause.reason == .lost && abs(pause.start.value - 4.4) < 1e-9)
    #expect(abs(pause.causeStart.value - 2.9) < 1e-9)
    #expect(abs(pause.deadline.value - 14.4) < 1e-9)
  }

  @Test("Shorter faults do not pause, and a good frame starts over")
  func tolerance() throws {
    let parts: [Part] = [.hold(3), .bad(0.5), .hold(0.1), .bad(0.5), .nothing(1), .hold(1)]
    #expect(try names(parts) == ["idle 0.0", "active 1.0"])
    #expect(try names([.hold(3), .warning(3), .ungraded(3)]) == ["idle 0.0", "active 1.0"])
  }

  @Test("Frames without a pose neither lengthen nor end a fault")
  func dropouts() throws {
    let parts: [Part] = [.hold(3), .bad(0.3), .lost(1), .bad(0.3), .hold(1)]
    #expect(try names(parts) == ["idle 0.0", "active 1.0"])
    let longer = try run([.hold(3), .bad(0.3), .lost(1), .bad(0.4)]).changes
    #expect(longer.last.flatMap { SessionPause.of($0.1)?.reason } == .badForm)
  }

  @Test("Form of at least warning for half a second resumes, whatever the class")
  func recovery() throws {
    #expect(
      try names([.hold(2), .nothing(3), .warning(1)])
        == ["idle 0.0", "active 1.0", "paused 3.0", "active 5.5"])
    #expect(
      try names([.hold(2), .nothing(3), .hold(1, .high)])
        == ["idle 0.0", "active 1.0", "paused 3.0", "active 5.5"])
    #expect(try names([.hold(2), .nothing(3), .bad(1), .ungraded(2)]).count == 3)
  }

  @Test(
    "A recovery counts when it is confirmed before the deadline; at the deadline it is over",
    arguments: [(9.4, "active"), (9.5, "ended")])
  func deadline(wait: Double, state: String) throws {
    let (changes, tracker) = try run([.hold(2), .nothing(1 + wait), .hold(0.6)])
    #expect(changes.last?.1.name == state)
    if case .ended(let end) = tracker.state {
      #expect(end == SessionEnd(reason: .deadline, time: Seconds(13)))
    }
  }

  @Test("The deadline takes effect at its own time, though no frame comes")
  func deadlineWithoutFrames() throws {
    var (_, tracker) = try run([.hold(2), .nothing(1.1)])
    #expect(tracker.advance(to: Seconds(12.9)).name == "paused")
    let state = tracker.advance(to: Seconds(99))
    #expect(state == .ended(SessionEnd(reason: .deadline, time: Seconds(13))))
    #expect(tracker.completedActive == Seconds(2))
  }

  @Test("An ended session stays ended, and only active time is its duration")
  func ended() throws {
    var (_, tracker) = try run([.hold(2), .nothing(12), .hold(5)])
    #expect(tracker.state.name == "ended")
    #expect(tracker.completedActive == Seconds(2))
    #expect(tracker.finish(at: Seconds(50)) == tracker.state)
  }

  @Test("A user ends a session at once")
  func finish() throws {
    var (_, tracker) = try run([.hold(3)])
    let state = tracker.finish(at: Seconds(2.95))
    #expect(state == .ended(SessionEnd(reason: .finished, time: Seconds(2.95))))
    #expect(abs(tracker.completedActive.value - 1.95) < 1e-9)
  }

  @Test("A frame that is not later is refused and changes nothing")
  func timeWentBack() throws {
    var (_, tracker) = try run([.hold(3)])
    let before = tracker
    for time in [2.9, 1, .nan] {
      #expect(throws: FrameOrderError.self) {
        try tracker.update(SessionFrame(time: Seconds(time), plank: .forearm, grade: .good))
      }
    }
    #expect(tracker == before)
  }
}

extension SessionPause {
  fileprivate static func of(_ state: SessionState) -> SessionPause? {
    if case .paused(let pause) = state { return pause }
    return nil
  }
}

@Suite("The log of a session") struct SessionLogTests {
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

  @Test("A loss that the next frame ends is a pause between two segments")
  func recoveryAtOnce() throws {
    var log = SessionLog(try SessionParameters([.sessionRecovery: 0]))
    for time in [0, 0.5, 1, 1.5, 2, 6, 6.5, 7] {
      try log.append(SessionFrame(time: Seconds(time), plank: .high, grade: .good))
    }
    let result = log.summary(finishedAt: Seconds(7))
    #expect(result.pauses.map(\.pause.reason) == [.lost])
    #expect(result.pauses.first?.end == Seconds(6))
    #expect(result.stretches == 2 && result.segments.count == 2)
  }

  @Test("A session under three seconds is too short to count")
  func short() throws {
    #expect(try !summary([(3.9, .forearm, .good)], finishedAt: 3.9).isLongEnough)
    #expect(try summary([(4.1, .forearm, .good)], finishedAt: 4.1).isLongEnough)
  }
}

@Suite("A running session") struct RunningSessionTests {
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

@Suite("Scores of sessions, by property") struct SessionScoresPropertyTests {
  /// Grades in time: what was held from each time on.
  private struct Course {
    var pieces: [(seconds: Double, grade: FormGrade)]

    func summary(
      rate: (Double) -> Double = { _ in 30 }, _ values: [ParameterKey: Double] = [:]
    ) throws -> SessionSummary {
      let values = [.sessionBad: 60, .sessionEnter: 0].merging(values) { $1 }
      var log = SessionLog(try SessionParameters(values))
      let total = pieces.reduce(0) { $0 + $1.seconds }
      var time = 0.0
      while time < total - 1e-9 {
        try log.append(
          SessionFrame(time: Seconds(time), plank: .forearm, grade: grade(at: time)))
        time += 1 / rate(time)
      }
      return log.summary(finishedAt: Seconds(total))
    }

    private func grade(at time: Double) -> FormGrade? {
      var end = 0.0
      for piece in pieces {
        end += piece.seconds
        if time < end - 1e-9 { return piece.grade }
      }
      return pieces.last?.grade
    }
  }

  private static func random(_ seed: UInt64) -> Course {
    var random = SplitMix64(seed: seed)
    return Course(
      pieces: (0..<12).map { _ in
        (Double(random.integer(1...40)) / 8, random.pick(FormGrade.allCases))
      })
  }

  private func scores(_ summary: SessionSummary) throws -> [Double] {
    let scores = summary.scores
    return [
      try #require(scores.frameCount), try #require(scores.timeWeighted),
      try #require(scores.lateWeighted),
    ]
  }

  @Test("All good is 100, all bad is 0, in every way")
  func extremes() throws {
    #expect(try scores(Course(pieces: [(60, .good)]).summary()) == [100, 100, 100])
    #expect(try scores(Course(pieces: [(60, .bad)]).summary()) == [0, 0, 0])
  }

  @Test("Counting frames favors the stretch with more of them, counting time does not")
  func rates() throws {
    let course = Course(pieces: [(45, .good), (15, .bad)])
    let result = try scores(course.summary { $0 < 45 ? 30 : 10 })
    #expect(abs(result[0] - 90) < 0.1)
    #expect(abs(result[1] - 75) < 0.1)
  }

  @Test("A second of sagging costs the same anywhere by frames, and more when it is late")
  func late() throws {
    let early = try scores(Course(pieces: [(5, .good), (1, .bad), (54, .good)]).summary())
    let late = try scores(Course(pieces: [(55, .good), (1, .bad), (4, .good)]).summary())
    #expect(abs(early[0] - 98.33) < 0.01 && abs(late[0] - 98.33) < 0.01)
    #expect(abs(early[2] - 98.96) < 0.01)
    #expect(abs(late[2] - 96.88) < 0.01)
  }

  @Test("A late weight of 1 gives the score by time", arguments: Draws.seeds(20 as UInt64))
  func evenWeight(seed: UInt64) throws {
    let result = try scores(Self.random(seed).summary([.sessionLateWeight: 1]))
    #expect(abs(result[1] - result[2]) < 1e-9)
  }

  @Test("Scores by time do not depend on the frame rate", arguments: Draws.seeds(20 as UInt64))
  func resampling(seed: UInt64) throws {
    let course = Self.random(seed)
    let slow = try scores(course.summary(rate: { _ in 8 }))
    for rate in [16.0, 32, 64] {
      let other = try scores(course.summary(rate: { _ in rate }))
      #expect(abs(other[1] - slow[1]) < 1e-6)
      #expect(abs(other[2] - slow[2]) < 1e-6)
    }
  }

  @Test("A better grade never lowers a score", arguments: Draws.seeds(30 as UInt64))
  func monotone(seed: UInt64) throws {
    var course = Self.random(seed)
    let values: [ParameterKey: Double] = [.sessionWarning: 0.5]
    let before = try scores(course.summary(rate: { _ in 30 }, values))
    guard let index = course.pieces.firstIndex(where: { $0.grade != .good }) else { return }
    course.pieces[index].grade = course.pieces[index].grade == .bad ? .warning : .good
    let after = try scores(course.summary(rate: { _ in 30 }, values))
    for (a, b) in zip(before, after) { #expect(b >= a - 1e-9) }
  }

  @Test("Without a graded frame there is no score")
  func undefined() {
    let summary = SessionLog().summary(finishedAt: Seconds(10))
    #expect(summary.scores.frameCount == nil && summary.scores.timeWeighted == nil)
    #expect(summary.scores.lateWeighted == nil && !summary.isLongEnough)
  }
}
