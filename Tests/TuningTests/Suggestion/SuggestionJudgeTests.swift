import Evaluation
import PlankDetection
import PoseModel
import TestSupport
import Testing

@testable import Tuning

/// What is suggested, and what is not.
@Suite("Judging of edits") struct SuggestionJudgeTests {
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
    #expect(abs(advice.gain - edit.seen.change) < 1e-9)
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
      frames: frames, before: frames.truth, after: frames.truth.map { $0 == 2 ? 1 : $0 }, harm: 1)
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

/// Thresholds that people can remember.
@Suite("Round thresholds") struct RoundNumberTests {
  @Test(
    "The roundest number in the middle half",
    arguments: [
      (0.45, 0.75, 0.6), (0.4, 0.7, 0.5), (126.1, 128.3, 127), (-0.31, 0.27, 0),
      (0.0512, 0.0544, 0.053), (-181, -120, -150), (90, 170, 150), (2000, 9000, 6000),
    ])
  func middle(lower: Double, upper: Double, number: Double) {
    #expect(RoundNumber.inMiddle(of: lower, upper) == number)
  }

  @Test("Between neighboring numbers there is none")
  func neighbors() {
    let value: Float = 0.3
    #expect(RoundNumber.inMiddle(of: Double(value), Double(value.nextUp)) == nil)
    #expect(StepProfile.middle(value, value.nextUp) == nil)
  }

  @Test("Of thresholds that lose less than a tenth, the middle one is chosen")
  func plateau() throws {
    let changes: [(value: Float, worth: Int64)] = [(1, 0), (2, 95), (5, 5), (6, -50), (7, 0)]
    let choice = try #require(StepProfile(changes, base: 0, side: .below).choice(in: -100...100))
    #expect(choice.worth == 100)
    #expect(choice.range.lower == 2)
    #expect(choice.range.upper == 6)
    #expect(choice.threshold == 5)
  }
}

/// Simulated people who change between three postures, with a detector that is right for them.
struct RestlessPeople {
  /// The measurements that the people have; the last one tells nothing.
  static let measurements: [Measurement] = [.verticalRatio, .elbowAngle, .kneeAngle]
  let sequences: [MeasuredSequence]

  /// Makes people.
  ///
  /// - Parameters:
  ///   - errors: the share of the stretches whose label is drawn at random.
  ///   - kneeling: the people who kneel in every stretch of `none`, upright or not.
  init(_ count: Int, seed: Int, errors: Double = 0, kneeling: Range<Int> = 0..<0) throws {
    var random = SplitMix64(spread: seed + 1)
    var sequences: [MeasuredSequence] = []
    for person in 0..<count {
      sequences.append(
        try Self.sequence(person, errors: errors, isKneeling: kneeling.contains(person), &random))
    }
    self.sequences = sequences
  }

  /// The detector: what stands is no plank, and straight arms are a high one.
  static func detector(_ changes: [String] = []) throws -> DetectorDefinition {
    let detector = try DetectorDefinition(
      name: "simple", summary: "", axes: .gravity,
      plank: DecisionList(
        .plank,
        [
          Rule(.plank(.none), when: [Predicate(.verticalRatio, .greaterOrEqual, .horizontalRatio)]),
          Rule(.plank(.high), when: [Predicate(.elbowAngle, .greater, .elbowSplit)]),
          Rule(.plank(.forearm)),
        ]), form: DecisionList(.form, [Rule(.form(.aligned))]))
    var values = detector.defaults
    for change in changes { try values.set(change) }
    return try detector.withDefaults(values)
  }

  private static func sequence(
    _ person: Int, errors: Double, isKneeling: Bool, _ random: inout SplitMix64
  ) throws -> MeasuredSequence {
    let classes: [PlankClass] = [.none, .forearm, .high]
    var columns = measurements.map { _ in [Float]() }
    var segments: [LabeledSegment] = []
    let (lean, bend) = (random.uniform(-0.05, 0.05), random.uniform(-8, 8))
    for stretch in 0..<24 {
      let shown = classes[stretch % 3]
      let label = random.chance(errors) ? random.pick(classes) : shown
      let kneels = isKneeling && shown == .none
      for _ in 0..<20 {
        let noise = random.uniform(-0.08, 0.08)
        columns[0].append(Float((shown == .none && !kneels ? 0.85 : 0.25) + lean + noise))
        columns[1].append(Float((shown == .high ? 168 : 95) + bend + random.uniform(-10, 10)))
        columns[2].append(Float((kneels ? 90 : 165) + random.uniform(-12, 12)))
      }
      segments.append(LabeledSegment(Double(stretch) * 2, Double(stretch + 1) * 2, label))
    }
    return try MeasuredSequence(
      "q\(person)", subject: "p\(person)", source: person % 2 == 0 ? "even" : "odd", rate: 10,
      labels: segments, Dictionary(uniqueKeysWithValues: zip(measurements, columns)))
  }
}
