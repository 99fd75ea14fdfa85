import PlankDetection
import PoseModel
import Testing

@Suite("Sessions")
struct SessionTrackerTests {
  /// A stretch of equal frames.
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

  @Test("Another class while active goes on")
  func typeChange() throws {
    #expect(try names([.hold(2), .hold(3, .sideLeft)]) == ["idle 0.0", "active 1.0"])
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

  @Test("Each pause has a deadline of its own")
  func perPause() throws {
    let parts: [Part] = [.hold(2), .nothing(8), .hold(1), .nothing(8), .hold(1), .nothing(8)]
    #expect(try run(parts).changes.last?.1.name == "paused")
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
