import Evaluation
import PlankDetection
import PoseModel
import TestSupport
import Testing

@testable import Tuning

/// What is suggested, and what is not.
@Suite("Judging of edits")
struct SuggestionJudgeTests {
  @Test(
    "A moved threshold is named and put back", arguments: ["elbow_split=166", "elbow_split=90"])
  func movedThreshold(change: String) async throws {
    let judge = try await judge(
      RestlessPeople(12, seed: 1), RestlessPeople.detector([change]))
    let edit = try #require(judge.result.edits.first)
    guard case .move("elbow_split", let value) = edit.edit else {
      Issue.record("\(edit.edit)")
      return
    }
    #expect((115...150).contains(value))
    #expect(edit.verdict == .sure)
    #expect(edit.sameChoices == judge.result.folds)
    #expect(judge.edited?.defaults[.elbowSplit] == value)
    #expect(edit.thresholds.first?.before == Double(change.suffix(change.count - 12)))
  }

  @Test("A missing rule is found, and its number is round")
  func missingRule() async throws {
    let judge = try await judge(
      RestlessPeople(12, seed: 2, kneeling: 0..<12), RestlessPeople.detector())
    let edit = try #require(judge.result.edits.first)
    guard case .insert(_, "none", let conditions) = edit.edit else {
      Issue.record("\(edit.edit)")
      return
    }
    #expect(conditions.map(\.measurement) == ["kneeAngle"])
    #expect(conditions.first?.threshold == 130)
    #expect(edit.verdict == .sure)
    #expect(edit.people.map(\.better) == [6, 6])
  }

  @Test("Under six people nothing is suggested", arguments: 1...5)
  func tooFewPeople(count: Int) async throws {
    let judge = try await judge(
      RestlessPeople(count, seed: 3), RestlessPeople.detector(["elbow_split=166"]))
    #expect(judge.result.edits.map(\.verdict) == [.tooFewPeople])
    #expect(judge.edited == nil)
  }

  @Test("What one person needs is not suggested for all")
  func onePerson() async throws {
    let judge = try await judge(
      RestlessPeople(12, seed: 4, kneeling: 3..<4), RestlessPeople.detector())
    let edit = try #require(judge.result.edits.first)
    #expect(edit.verdict == .onePerson)
    #expect(judge.edited == nil)
  }

  @Test("Random errors are no reason for a change", arguments: [6, 12, 24])
  func randomErrors(people: Int) async throws {
    var suggested = 0
    for seed in 0..<20 {
      let judge = try await judge(
        RestlessPeople(people, seed: 100 + seed, errors: 0.1), RestlessPeople.detector())
      if judge.edited != nil { suggested += 1 }
    }
    #expect(suggested <= 1)
  }

  @Test("The result does not depend on the number of threads")
  func threads() async throws {
    let people = try RestlessPeople(9, seed: 5, errors: 0.05, kneeling: 0..<5)
    let detector = try RestlessPeople.detector(["elbow_split=160"])
    let one = try await judge(people, detector, jobs: 1, steps: 3)
    let many = try await judge(people, detector, jobs: 7, steps: 3)
    #expect(one.result == many.result)
    #expect(one.edited == many.edited)
  }

  @Test("The score of what is suggested is that of its answers")
  func scores() async throws {
    let people = try RestlessPeople(8, seed: 6, kneeling: 0..<8)
    let judge = try await judge(people, RestlessPeople.detector(), steps: 2)
    // The debounce of one frame and no hold time is no debounce at all.
    for edit in judge.result.edits { #expect(edit.seen == edit.debounced) }
    #expect(!judge.result.edits.isEmpty)
  }

  @Test("A class that loses a point is named")
  func lostClass() throws {
    let people = try RestlessPeople(6, seed: 7)
    let frames = SuggestionFrames(people.sequences, .plank, RestlessPeople.measurements)
    let effect = EditEffect(
      frames, before: frames.truth, after: frames.truth.map { $0 == 2 ? 1 : $0 }, harm: 1)
    #expect(effect.lost.map(\.label) == ["high", "high"])
    #expect(effect.lost.map(\.source) == ["even", "odd"])
    #expect(effect.lost.allSatisfy { $0.before == 1 && $0.after == 0 })
    #expect(abs(effect.worth + 1.0 / 3) < 1e-12)
    // Six people with equal losses.
    #expect(abs(effect.standardError - 6.0.squareRoot() / 18) < 1e-9)
  }

  private func judge(
    _ people: RestlessPeople, _ detector: DetectorDefinition, jobs: Int = 2, steps: Int = 1
  ) async throws -> SuggestionJudge {
    try await SuggestionJudge(
      detector, people.sequences, .plank, candidates: RestlessPeople.measurements,
      SuggestionSettings(steps: steps), jobs: jobs,
      debounced: { edited, sequence in
        var values = edited.defaults
        try values.set(.plankFrames, to: 1)
        try values.set(.holdSeconds, to: 0)
        return try BatchDetector(edited, parameters: values).run(
          .plank, sequence.columns, times: sequence.times, startsMid: sequence.startsMid
        ).answers
      }, progress: { _, _, _ in })
  }
}
