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
    let detector = try RestlessPeople.detector([change])
    let result = try await judge(RestlessPeople(12, seed: 1), detector)
    let edit = try #require(result.edits.first)
    guard case .move("elbow_split", let value) = edit.edit else {
      Issue.record("\(edit.edit)")
      return
    }
    #expect((115...150).contains(value))
    #expect(edit.advice?.step == .takeProven && edit.advice?.settings == 1)
    #expect(edit.sameChoices == result.folds && result.made == 1)
    let edited = try SuggestionReport(detector: "restless", streams: [result]).edited(
      detector, candidates: RestlessPeople.measurements)
    #expect(edited?.defaults[.elbowSplit] == value)
    #expect(edit.thresholds.first?.before == Double(change.suffix(change.count - 12)))
  }

  @Test("A missing rule is found, and its number is round")
  func missingRule() async throws {
    let result = try await judge(
      RestlessPeople(12, seed: 2, kneeling: 0..<12), RestlessPeople.detector())
    let edit = try #require(result.edits.first)
    guard case .insert(_, "none", let conditions) = edit.edit else {
      Issue.record("\(edit.edit)")
      return
    }
    #expect(conditions.map(\.measurement) == ["kneeAngle"])
    #expect(conditions.first?.threshold == 130)
    // Of so many rules that were tried, none is proven.
    #expect(edit.advice?.step == .takeLikely)
    #expect(edit.people.map(\.better) == [6, 6])
  }

  @Test("A change that few people need alike is likely", arguments: 1...6)
  func fewPeople(count: Int) async throws {
    let result = try await judge(
      RestlessPeople(count, seed: 3), RestlessPeople.detector(["elbow_split=166"]))
    #expect(result.made == 1)
    #expect(result.advice?.people == count && result.advice?.helped == count)
    #expect(result.advice?.step.takes == true)
    #expect(count == 6 || result.advice?.step == .takeLikely)
  }

  @Test("Its gain is that of balanced accuracy on the scored frames, and it names no other change")
  func gain() async throws {
    let people = try RestlessPeople(8, seed: 4, kneeling: 3..<4)
    let result = try await judge(people, RestlessPeople.detector())
    let (edit, advice) = (try #require(result.edits.first), try #require(result.advice))
    // The debounce of one frame and no hold time is no debounce at all.
    #expect(abs(advice.gain - edit.seen.gain) < 1e-9)
    #expect(advice.candidates > 1 && advice.helped == 1 && !advice.step.isProven)
  }

  @Test("Of several changes those up to the largest expected gain are made")
  func largest() async throws {
    let people = try RestlessPeople(9, seed: 5, errors: 0.05, kneeling: 0..<5)
    let result = try await judge(people, RestlessPeople.detector(["elbow_split=160"]), steps: 4)
    let expected = result.edits.map { edit in
      edit.advice.map { $0.step.takes ? $0.expected : 0 } ?? 0
    }
    #expect(result.made > 0 && expected[result.made - 1] == expected.max())
    #expect(result.advice == result.edits[result.made - 1].advice)
    for (index, edit) in result.edits.enumerated() {
      #expect(edit.advice?.settings ?? 0 <= index + 1)
    }
  }

  @Test("The result does not depend on the number of threads")
  func threads() async throws {
    let people = try RestlessPeople(9, seed: 5, errors: 0.05, kneeling: 0..<5)
    let detector = try RestlessPeople.detector(["elbow_split=160"])
    let one = try await judge(people, detector, jobs: 1, steps: 3)
    let many = try await judge(people, detector, jobs: 7, steps: 3)
    #expect(one == many)
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
    // Six people with equal losses.
    #expect(abs(effect.standardError - 6.0.squareRoot() / 18) < 1e-9)
  }

  private func judge(
    _ people: RestlessPeople, _ detector: DetectorDefinition, jobs: Int = 2, steps: Int = 1
  ) async throws -> SuggestionResult {
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
      }, progress: { _, _, _ in }
    ).result
  }
}
