import Evaluation
import Foundation
import PlankDetection
import PoseModel
import Testing

@testable import Tuning

/// When to keep the starting values and when to change them.
@Suite("Decision of tuning")
struct TuningDecisionTests {
  /// What was found, and what is decided.
  struct Case: CustomTestStringConvertible, Sendable {
    var name: String
    var metric = "form.accuracy"
    var tolerance = 0.0
    var isFeasible = true
    var breaks = false
    var isSame = false
    var start: Double? = 0.5
    var subjects = 6
    /// The members of the held-out estimate that decide; nil if nothing was held out.
    var heldOut: String? = Self.heldOut(change: 0.1, lower: 0.02, upper: 0.18, p: 0.02)
    var goals = 1
    var verdict = TuningDecision.Verdict.keep
    var reason: TuningDecision.Reason
    var testDescription: String { name }

    static func heldOut(change: Double, lower: Double, upper: Double, p: Double) -> String {
      """
      "change": \(change), "change_p": \(p), "change_interval": {"method": "cluster_t",
        "level": 0.95, "lower": \(lower), "upper": \(upper), "subjects": 6}
      """
    }
  }

  private static let loss = Case.heldOut(change: -0.1, lower: -0.18, upper: -0.02, p: 0.02)

  static let cases = [
    Case(name: "a gain beyond chance", verdict: .change, reason: .gain),
    Case(
      name: "a gain whose interval includes zero",
      heldOut: Case.heldOut(change: 0.1, lower: -0.01, upper: 0.2, p: 0.06), reason: .noGain),
    Case(name: "a gain that may be chance for two goals", goals: 3, reason: .noGain),
    Case(name: "a gain within the tolerance", tolerance: 0.2, reason: .noGain),
    Case(name: "a loss beyond chance", heldOut: loss, reason: .noGain),
    Case(
      name: "a fall of a metric of which less is better", metric: "form.transitions_per_minute",
      heldOut: loss, verdict: .change, reason: .gain),
    Case(name: "no combination that keeps the constraints", isFeasible: false, reason: .infeasible),
    Case(
      name: "a start that breaks a constraint", breaks: true,
      heldOut: Case.heldOut(change: -0.1, lower: -0.2, upper: 0, p: 0.06), verdict: .change,
      reason: .constraint),
    Case(
      name: "a constraint that nothing keeps", isFeasible: false, breaks: true,
      reason: .infeasible),
    Case(name: "the starting values found", isSame: true, reason: .same),
    Case(name: "nothing held out", heldOut: nil, reason: .notValidated),
    Case(
      name: "one person", subjects: 1, heldOut: nil, verdict: .tooFewPeople, reason: .noInterval),
    Case(name: "an undefined start", start: nil, reason: .undefinedStart),
    Case(
      name: "no error", heldOut: #""change": 0.1"#, verdict: .tooFewPeople, reason: .noInterval),
    Case(
      name: "all alike, too few", heldOut: #""change": 0.1, "change_p": 0.0625"#,
      verdict: .tooFewPeople, reason: .noInterval),
    Case(
      name: "all alike, enough", heldOut: #""change": 0.1, "change_p": 0.03125"#,
      verdict: .change, reason: .gain),
    Case(name: "no change in anyone", heldOut: #""change": 0, "change_p": 1"#, reason: .noGain),
  ]

  private func decision(_ example: Case, takesFound: Bool = false) throws -> TuningDecision {
    let goal = try TuningGoal(MetricKey(tunable: example.metric), tolerance: example.tolerance)
    let heldOut = try example.heldOut.map {
      try JSONDecoder().decode(
        HeldOutEstimate.self, from: Data(#"{"unit": "people", \#($0)}"#.utf8))
    }
    let broken = TuningDecision.Broken(
      bound: MetricConstraint(goal.objective, .atLeast, 0.9), value: 0.5, relation: nil)
    return TuningDecision(
      TuningDecision.Evidence(
        goal: goal, isFeasible: example.isFeasible, broken: example.breaks ? broken : nil,
        isSame: example.isSame, start: example.start, subjects: example.subjects,
        heldOut: heldOut), goals: example.goals, takesFound: takesFound)
  }

  @Test(
    "A change needs a gain beyond chance, or a start that breaks a constraint", arguments: cases)
  func decide(example: Case) throws {
    let found = try decision(example)
    #expect(found.verdict == example.verdict)
    #expect(found.reason == example.reason)
    #expect(found.usesFound == (example.verdict == .change))
    #expect(!found.isTaken)
    let text = try JSONEncoder().encode(found)
    #expect(try JSONDecoder().decode(TuningDecision.self, from: text) == found)
  }

  @Test("A change that is the same in all is beyond chance from 6 on, with two goals from 7 on")
  func leastAlike() {
    #expect([1, 2, 3].map(TuningDecision.leastAlike) == [6, 7, 7])
  }

  @Test("What was found is taken on request, unless the start is what was found", arguments: cases)
  func take(example: Case) throws {
    let found = try decision(example, takesFound: true)
    #expect(found.verdict == example.verdict)
    #expect(found.isTaken == (example.verdict != .change && !example.isSame))
    #expect(found.usesFound == !example.isSame)
  }

  private func pair(_ options: TuningOptions) async throws -> (TuningReport, TuningReport) {
    var world = SimulatedPeople(seed: 11, personBias: 0.04)
    let data = try MeasuredData(variants: [try world.sequences(people: 4, recordings: 1)])
    let grid = try GridDefinition(
      [DetectorVariant(.gravity)],
      axes: [
        ParameterAxis(.holdSeconds, .list([0, 0.1, 0.2])),
        ParameterAxis(.plankFrames, .list([1, 5])),
        ParameterAxis(.sag, .range(from: 0, to: 0.1, step: 0.01)),
      ])
    let found = try await PairTuner(grid, data, options).tune(
      first: TuningGoal(MetricKey(tunable: "form.accuracy")),
      second: TuningGoal(MetricKey(tunable: "plank.accuracy")))
    return (found.first, found.second)
  }

  @Test("The second stream follows the start that the first one keeps, or what it takes")
  func settledPair() async throws {
    var options = TuningOptions(resamples: 0, refines: false)
    let kept = try await pair(options)
    #expect(kept.0.decision.verdict == .keep)
    #expect(kept.0.decision.goals == 2 && kept.1.decision.goals == 2)
    #expect(kept.0.parameters[.sag] != kept.0.start.detector.base[.sag])
    #expect(kept.1.settled.base[.sag] == kept.0.start.detector.base[.sag])
    #expect(kept.1.folds.allSatisfy { $0.parameters[.sag] == kept.1.settled.base[.sag] })
    options.takesFound = true
    let taken = try await pair(options)
    #expect(taken.0.decision.isTaken)
    #expect(taken.1.settled.base[.sag] == taken.0.parameters[.sag])
  }

  private static let other = TuningDecision.OtherStream(
    metric: MetricKey(.accuracy, in: .form), start: 0.95, changed: 0.66)

  @Test("A gain is given up if the other stream loses by what both share", arguments: cases)
  func otherStream(example: Case) throws {
    let found = try decision(example)
    let losing = found.knowing(Self.other, loses: true, takesFound: false)
    #expect(losing.other == Self.other)
    guard example.reason == .gain else {
      #expect(losing.verdict == found.verdict && losing.reason == found.reason)
      return
    }
    #expect(losing.verdict == .keep && losing.reason == .costsOther && !losing.usesFound)
    #expect(found.knowing(Self.other, loses: true, takesFound: true).isTaken)
    let gaining = found.knowing(Self.other, loses: false, takesFound: false)
    #expect(gaining.verdict == .change && gaining.reason == .gain && gaining.other == Self.other)
  }

  @Test("With several detectors the first one listed is the start")
  func firstDetector() async throws {
    var world = SimulatedPeople(seed: 12, personBias: 0.01)
    let sequences = try world.sequences(people: 4, recordings: 1)
    let report = try await StreamTuner(
      GridDefinition(
        [DetectorVariant(.article), DetectorVariant(.gravity)],
        axes: [ParameterAxis(.sag, .list([0.01, 0.03]))]),
      MeasuredData(variants: [sequences, sequences]),
      TuningGoal(MetricKey(tunable: "form.accuracy")),
      TuningOptions(resamples: 0, refines: false)
    ).tune()
    #expect(report.start.detector.name == "article")
  }
}
