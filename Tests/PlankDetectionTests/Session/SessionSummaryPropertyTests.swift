import PlankDetection
import PoseModel
import TestSupport
import Testing

@Suite("Scores of sessions, by property")
struct SessionScoresPropertyTests {
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
