import Evaluation
import Foundation
import PlankDetection
import PoseModel
import Testing

@testable import Tuning

/// When to keep the starting values and when to change them.
@Suite("Decision of tuning") struct TuningDecisionTests {
  struct Case: CustomTestStringConvertible, Sendable {
    var name: String
    var isFeasible = true
    var breaks = false
    var isSame = false
    /// The change of each of six people, as a share of their time; nil if nothing was counted.
    var changes: [Double]? = [0.1, 0.12, 0.08, 0.1, 0.11, 0.09]
    var verdict = TuningDecision.Verdict.keep
    var reason: TuningDecision.Reason
    var isTakeable = true
    var testDescription: String { name }
  }

  static let cases = [
    Case(name: "a gain of all", verdict: .change, reason: .advice),
    Case(
      name: "a gain of most", changes: [0.2, 0.1, 0, 0.1, -0.05, 0.1], verdict: .change,
      reason: .advice),
    Case(name: "a gain of one", changes: [0.4, 0, 0, 0, 0, 0], verdict: .change, reason: .advice),
    Case(
      name: "a gain of one that is not worth a bet", changes: [0.1, 0, 0, 0, 0, 0], reason: .advice),
    Case(
      name: "a gain that nobody notices", changes: Array(repeating: 0.009, count: 6),
      reason: .advice),
    Case(
      name: "a loss of all", changes: [-0.1, -0.1, -0.1, -0.2, -0.1, -0.1], reason: .advice,
      isTakeable: false),
    Case(name: "no combination that keeps the constraints", isFeasible: false, reason: .infeasible),
    Case(
      name: "a start that breaks a constraint", breaks: true, changes: [-0.1, 0, 0, 0, 0, 0],
      verdict: .change, reason: .constraint),
    Case(
      name: "a constraint that nothing keeps", isFeasible: false, breaks: true,
      reason: .infeasible),
    Case(name: "the starting values found", isSame: true, changes: nil, reason: .same),
    Case(name: "nothing counted", changes: nil, reason: .nothingCounted),
  ]

  private func decision(_ example: Case, takesFound: Bool = false) throws -> TuningDecision {
    let broken = TuningDecision.Broken(
      bound: MetricConstraint(MetricKey(.accuracy, in: .form), .atLeast, 0.9), value: 0.5,
      relation: nil)
    let advice = example.changes.flatMap { changes in
      Advice(
        PairedCounts(
          changes.map {
            PairedCounts.Unit(
              amounts: [10, 0, 0, 0, 0, 0, 0, 0], before: [5, 0, 0, 0, 0, 0, 0, 0],
              after: [5 + 10 * $0, 0, 0, 0, 0, 0, 0, 0])
          }), settings: 1)
    }
    return TuningDecision(
      isFeasible: example.isFeasible, broken: example.breaks ? broken : nil,
      isSame: example.isSame, advice: advice, falseTransitions: nil, takesFound: takesFound)
  }

  @Test(
    "A change needs the advice to take it, or a start that breaks a constraint", arguments: cases)
  func decide(example: Case) throws {
    let found = try decision(example)
    #expect(found.verdict == example.verdict)
    #expect(found.reason == example.reason)
    #expect(found.usesFound == (example.verdict == .change))
    #expect(!found.isTaken)
    let text = try JSONEncoder().encode(found)
    #expect(try JSONDecoder().decode(TuningDecision.self, from: text) == found)
  }

  @Test(
    "What was found is taken on request, unless it is the start or expected to lose",
    arguments: cases)
  func take(example: Case) throws {
    let found = try decision(example, takesFound: true)
    let isTaken = example.verdict != .change && !example.isSame && example.isTakeable
    #expect(found.verdict == example.verdict)
    #expect(found.isTaken == isTaken)
    #expect(found.usesFound == (example.verdict == .change || isTaken))
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

  @Test("The second stream follows the start that the first one keeps")
  func settledPair() async throws {
    let kept = try await pair(TuningOptions(resamples: 0, refines: false))
    #expect(kept.0.decision.verdict == .keep)
    #expect(kept.0.parameters[.sag] != kept.0.start.detector.base[.sag])
    #expect(kept.1.settled.base[.sag] == kept.0.start.detector.base[.sag])
    #expect(kept.1.folds.allSatisfy { $0.parameters[.sag] == kept.1.settled.base[.sag] })
  }

  private static let other = TuningDecision.OtherStream(
    metric: MetricKey(.accuracy, in: .form), start: 0.95, changed: 0.66)

  @Test("A gain is given up if the other stream loses by what both share", arguments: cases)
  func otherStream(example: Case) throws {
    let found = try decision(example)
    let losing = found.knowing(Self.other, loses: true, takesFound: false)
    #expect(losing.other == Self.other)
    guard example.reason == .advice, example.verdict == .change else {
      #expect(losing.verdict == found.verdict && losing.reason == found.reason)
      return
    }
    #expect(losing.verdict == .keep && losing.reason == .costsOther && !losing.usesFound)
    #expect(found.knowing(Self.other, loses: true, takesFound: true).isTaken)
    let gaining = found.knowing(Self.other, loses: false, takesFound: false)
    #expect(gaining.verdict == .change && gaining.reason == .advice && gaining.other == Self.other)
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
      TuningGoal(MetricKey(tunable: "form.accuracy")), TuningOptions(resamples: 0, refines: false)
    ).tune()
    #expect(report.start.detector.name == "article")
  }
}
