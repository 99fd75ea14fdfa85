import ArgumentParser
import Foundation
import PlankDetection
import PoseModel
import Statistics
import TestSupport
import Testing

@testable import Evaluation
@testable import PlankBench
@testable import Reports

@Suite("Report of a comparison") struct ComparisonReportTests {
  /// Scores of some people, each with so many wrong frames of 40, and so many in the form.
  private func scores(_ wrong: [Int], form: [Int]? = nil) throws -> [SequenceScores] {
    let times = (0..<40).map { Double($0) / 10 }
    return try wrong.indices.map { person in
      let (planks, forms) = (wrong[person], (form ?? wrong)[person])
      return SequenceScores(
        try SequenceOutcome(
          "q\(person)", of: person == 0 ? nil : "s\(person)", tags: ["view": "side"], times: times,
          [LabeledSegment(0, 4, .high, .aligned)],
          plank: times.indices.map { $0 < planks ? .none : .high },
          form: times.indices.map { $0 < forms ? .sag : .aligned }))
    }
  }

  private static let names = ["first", "second", "third", "fourth", "fifth", "sixth", "seventh"]

  private func report(_ sides: [[SequenceScores]]) -> ComparisonReport {
    ComparisonReport(
      reference: Self.names[0],
      pairs: zip(Self.names, sides).dropFirst().map { name, scores in
        .init(
          name: name,
          advice: StreamAdvice(sides[0], scores, candidates: sides.count - 1) { _ in 1 },
          comparison: PairedComparison(
            sides[0], scores, keys: MetricKey.headlines, resamples: 40))
      }, sides: zip(Self.names, sides).map { ScoredSide(name: $0, scores: $1) },
      commands: .init(again: ["compare", "people"], explain: [:]))
  }

  private func screen(_ report: ComparisonReport) -> String {
    let origin = ResultOrigin(command: ComparisonReport.command, provenance: [:])
    return TextRenderer().render(report.document(origin).screen(closing: []))
  }

  private func screen(_ sides: [[Int]]) throws -> String {
    screen(report(try sides.map { try scores($0) }))
  }

  private func flat(_ text: String) -> String {
    text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }

  private static let few = [2, 3, 1, 2, 4, 2, 3]
  private static let many = [9, 12, 8, 10, 12, 9, 11]

  @Test("A side that is taken in one stream and kept in the other is mixed, with both sentences")
  func mixed() throws {
    let report = report([
      try scores(Self.many, form: Self.few), try scores(Self.few, form: Self.many),
    ])
    let text = flat(screen(report))
    #expect(text.hasPrefix("Mixed - Plank: Take it "), "\(text)")
    #expect(text.contains(" - Form: Keep yours "), "\(text)")
    #expect(report.advisedSide == 0)
    let answer = ComparisonAnswer(report)
    #expect(answer.state == .warning && answer.word == "Mixed")
  }

  @Test("Of several sides, the one with most to gain comes first in each stream, by its name")
  func several() throws {
    let sides = [Self.many, Self.few, Self.many.map { $0 - 4 }, Self.many.map { $0 + 6 }]
    let report = report(try sides.map { try scores($0) })
    let text = flat(screen(report))
    #expect(text.hasPrefix("`second`, plank: Take it "), "\(text)")
    let places = ["`second`", "`third`", "`fourth`"].map { name in
      AnswerStream.allCases.map { text.firstRange(of: "\(name), \($0.rawValue): ")?.lowerBound }
    }
    for stream in AnswerStream.allCases.indices {
      let order = places.compactMap { $0[stream] }
      #expect(order.count == 3 && (stream == 0 ? order[1] < order[2] : order == order.sorted()))
    }
    #expect(report.advisedSide == 1 && ComparisonAnswer(report).state == .good)
    #expect(report.pairs.allSatisfy { $0.advice.plank?.candidates == 3 })
  }

  @Test("Only the moments of the side that the viewer shows lead to it")
  func moments() throws {
    func outcome(_ answers: [PlankClass]) throws -> SequenceOutcome {
      try SequenceOutcome(times: [0, 0.1], [LabeledSegment(0, 0.2, .high)], plank: answers)
    }
    let lost = RecordingDifference(
      try outcome([.high, .high]), try outcome([.none, .none]), .plank)
    var report = report(try [Self.few, Self.many, Self.many].map { try scores($0) })
    for index in report.pairs.indices { report.pairs[index].recordings = [lost] }
    let origin = ResultOrigin(command: ComparisonReport.command, provenance: [:])
    // Without a viewer, all links stay hidden.
    for (viewed, links) in [(nil, 2), ("third", 1)] {
      let page = report.page(origin, viewed: viewed).html.text
      #expect(page.ranges(of: "s lost</b>").count == 2)
      #expect(page.ranges(of: "class=\"button show\"").count == links)
    }
  }

  @Test(
    "The state follows from the steps",
    arguments: [
      ([many, few], VerdictPanel.State.good, 1), ([few, many], .bad, 0), ([few, few], .unsure, 0),
      ([few, many, few], .unsure, 0), ([few, many, many], .bad, 0), ([many, many, few], .good, 2),
    ])
  func state(sides: [[Int]], state: VerdictPanel.State, advised: Int) throws {
    let report = report(try sides.map { try scores($0) })
    #expect(ComparisonAnswer(report).state == state)
    #expect(report.advisedSide == advised)
  }

  /// A screen whose people hold a plank in some of 40 frames, with both sides' answers.
  private func staged(
    frames: Int = 40, planks: Int, people: Int = 7, _ sides: [(PlankClass, FormClass)]
  ) throws -> String {
    let times = (0..<frames).map { Double($0) / 10 }
    let (middle, end) = (Double(planks) / 10, Double(frames) / 10)
    let labels = [
      LabeledSegment(0, middle, .high, .sag), LabeledSegment(middle, end, PlankClass.none),
    ].filter { $0.end > $0.start }
    let scores = try sides.map { plank, form in
      try (0..<people).map { person in
        SequenceScores(
          try SequenceOutcome(
            "q\(person)", of: "s\(person)", times: times, labels, plank: times.map { _ in plank },
            form: times.map { _ in form }))
      }
    }
    return flat(screen(report(scores)))
  }

  @Test("Two sides that never say anything are no tie")
  func silent() throws {
    let text = try staged(planks: 30, [(.none, .aligned), (.none, .aligned)])
    #expect(
      text.hasPrefix(
        "Check the recordings first (`planklab dataset lint`): no candidate answers anything but `none` "
          + "and `aligned`."), "\(text)")
    #expect(text.contains("`first` and `second` answer `none` in all 280 scored frames."))
  }

  @Test("A single frame is no ground for a choice")
  func tiny() throws {
    let text = try staged(
      frames: 1, planks: 1, people: 1, [(.high, .sag), (.high, .sag)])
    #expect(text.hasPrefix("Label more first: only 1 frame is scored."), "\(text)")
    #expect(text.contains("Scored: only 1 frame for plank, only 1 frame for form."), "\(text)")
  }

  @Test("The data are to be checked where always answering one class would beat both sides")
  func belowConstant() throws {
    let text = try staged(planks: 30, [(.forearm, .sag), (.none, .sag)])
    #expect(
      text.hasPrefix(
        "Check units, axes and labels first (`planklab dataset lint`): both are right less often "
          + "than a detector that always answers `high` (75 % of the time)."), "\(text)")
    #expect(text.contains("Plank: Take it "), "the advice is the same: \(text)")
  }

  @Test("A constant answer that is right more often stops nobody where every class is found")
  func unequalClasses() throws {
    let times = (0..<100).map { Double($0) / 10 }
    let labels = [
      LabeledSegment(0, 9.5, PlankClass.none), LabeledSegment(9.5, 10, .high, .aligned),
    ]
    let sides = try [10, 8].map { alarms in
      [
        SequenceScores(
          try SequenceOutcome(
            times: times, labels,
            plank: times.indices.map { $0 >= 95 || $0 < alarms ? .high : .none }))
      ]
    }
    #expect(ComparisonCautions(report(sides)).obstacle == nil)
  }
}

@Suite("Comparisons of simulated people") struct ComparisonDataTests {
  private static let people = 4

  /// Compares the detector of simulated people with itself under other thresholds.
  private func compare(
    _ options: [String] = [], start: Double = 0, limits: [Double] = [0.05],
    changing edit: (SimulatedExperiment) throws -> Void = { _ in }
  ) async throws -> String {
    let experiment = try SimulatedExperiment(people: Self.people, seed: 5, start: start)
    try edit(experiment)
    let detector = experiment.path("detector.yaml")
    let sides = [detector] + limits.map { "\(detector) limit=\($0)" }
    let few = ["--resamples", "100"]
    let found = try await Compare.parse([experiment.folder.path] + sides + few + options).outcome()
    return found.text.replacing("\n    ", with: " ").replacing("\n", with: " ")
      .replacing(detector, with: "mine")
  }

  private func result(
    limits: [Double] = [0.05], changing edit: (SimulatedExperiment) throws -> Void = { _ in }
  ) async throws -> ComparisonReport {
    let json = try await compare(["--format", "json"], limits: limits, changing: edit)
    return try JSONDecoder().decode(
      ResultEnvelope<ComparisonReport>.self, from: Data(json.utf8)
    ).result
  }

  private func rewrite(
    _ experiment: SimulatedExperiment, _ from: String, _ to: String
  ) throws {
    let path = experiment.path("dataset.yaml")
    let text = try String(contentsOfFile: path, encoding: .utf8)
    try text.replacing(from, with: to).write(toFile: path, atomically: true, encoding: .utf8)
  }

  private func removeNames(_ experiment: SimulatedExperiment) throws {
    for person in 0..<Self.people { try rewrite(experiment, ", subject: s\(person)", "") }
  }

  @Test("A value that differs is a setting, and each other side a candidate")
  func settings() async throws {
    let pairs = try await result(limits: [0.05, 0.02, 0.9]).pairs
    let advice = try pairs.map { try #require($0.advice.plank) }
    #expect(advice.map(\.settings) == [1, 1, 1] && advice.map(\.candidates) == [3, 3, 3])
    #expect(advice.allSatisfy { $0.named && $0.people == Self.people })
  }

  @Test("Unnamed recordings are judged as recordings, and prove nothing")
  func unnamed() async throws {
    let text = try await compare(changing: removeNames)
    #expect(text.contains("4 recordings of unnamed people"), "\(text)")
    #expect(text.contains("Name the people (`subject` in dataset.yaml)"), "\(text)")
    let advice = try #require(try await result(changing: removeNames).pairs.first?.advice.plank)
    #expect(!advice.named && advice.people == Self.people && !advice.step.isProven)
    let some = try await compare { try rewrite($0, ", subject: s1", "") }
    #expect(some.contains("Name the people (`subject` in dataset.yaml)"), "\(some)")
  }

  @Test("Recordings without labels are named, in the result too")
  func unlabeled() async throws {
    func remove(_ experiment: SimulatedExperiment, _ person: Int) throws {
      try rewrite(experiment, ", labels: p\(person).labels.csv", "")
      try FileManager.default.removeItem(atPath: experiment.path("p\(person).labels.csv"))
    }
    #expect(
      try await compare { try remove($0, 2) }.contains(
        "Left out because they have no labels: `p2`."))
    #expect(try await result { try remove($0, 2) }.unscored == ["p2"])
    #expect(try await !compare().contains("Left out"))
    let none = await #expect(throws: WorkflowFailure.self) {
      try await compare { experiment in
        for person in 0..<Self.people { try remove(experiment, person) }
      }
    }
    #expect(none?.status == .notComparable)
  }

  @Test(
    "The thresholds are those of the side that is advised",
    arguments: [(start: 0.15, limit: 0.0, isTaken: true), (0, 0.15, false)])
  func thresholds(start: Double, limit: Double, isTaken: Bool) async throws {
    let folder = try TemporaryFolder()
    let file = folder.path("advised.json")
    let text = try await compare(["--thresholds", file], start: start, limits: [limit])
    #expect(text.hasPrefix("Plank: \(isTaken ? "Take it" : "Keep yours")"), "\(text)")
    let written = try ThresholdsFile.read(file).parameters
    #expect(written[ParameterKey("limit")] == (isTaken ? limit : start))
  }

  @Test("Answers that are advised have no thresholds")
  func answers() async throws {
    let experiment = try SimulatedExperiment(people: Self.people, seed: 5)
    let (data, answers) = (experiment.folder.path, experiment.path("answers"))
    let detector = experiment.path("detector.yaml")
    _ = try await Measure.parse([data, "--detector", detector, "--output", answers]).outcome()
    let failure = await #expect(throws: WorkflowFailure.self) {
      try await Compare.parse(
        [data, answers, detector, "--thresholds", experiment.path("advised.json")]
      ).outcome()
    }
    #expect(failure?.status == .usage, "\(failure.map(\.message) ?? "")")
  }
}

@Suite("Recordings in which sides differ") struct RecordingDifferenceTests {
  @Test("Seconds that one side alone has right, the longest stretch of them, and runs")
  func kept() throws {
    let times = [2, 2.1, 2.2, 2.3, 2.4, 2.5]
    func outcome(_ answers: [PlankClass]) throws -> SequenceOutcome {
      try SequenceOutcome(times: times, [LabeledSegment(2, 2.45, .high)], plank: answers)
    }
    let before = try outcome([.high, .high, .none, .high, .none, .none])
    let after = try outcome([.none, .none, .high, .none, .reverse, .high])
    let size = try #require(RecordingDifference.sizes(before, after).first)
    let kept = RecordingDifference(before, after, .plank)
    #expect(RecordingDifference.sizes(before, after).count == 1)
    #expect(abs(size.lost - 0.3) < 1e-9 && abs(size.won - 0.1) < 1e-9)
    #expect(kept.lost.value == size.lost && kept.won.value == size.won)
    #expect(kept.longestLost?.start.value == 2 && kept.longestLost?.after == "none")
    #expect(kept.longestWon?.middle.value == 2.2)
    #expect(kept.truth.classes == ["high", nil])
    #expect(kept.before.classes == ["high", "none", "high", "none"])
    #expect(abs((kept.before.ends.last?.value ?? 0) - 0.6) < 1e-9)
    #expect(kept.truth.spans.map(\.label) == ["high"])
    #expect(RecordingDifference.sizes(before, before).isEmpty)
  }
}

@Suite("Bars whose width follows the page") struct BarScaleTests {
  @Test("The ends are round", arguments: [(0.42, 0.5), (0.5, 0.5), (1.2, 2), (0, 1), (17, 20)])
  func ends(magnitude: Double, end: Double) {
    #expect(abs(BarScale.roundEnd(magnitude) - end) < 1e-9)
  }
}

@Suite("One advice in every command") struct OneAdviceTests {
  struct World: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let people: Int
    var areNamed = true
    var offsets = [0.0]

    var options: [String] { offsets.count > 1 ? ["--source-tag", "source"] : [] }
  }

  static let worlds = [
    World(testDescription: "3 people", people: 3), World(testDescription: "6 people", people: 6),
    World(testDescription: "12 people", people: 12),
    World(testDescription: "unnamed recordings", people: 6, areNamed: false),
    World(testDescription: "two sources that disagree", people: 12, offsets: [0, -0.15]),
  ]
  private static let start = -0.2

  private func result(_ json: String) throws -> [String: Any] {
    let object = try JSONSerialization.jsonObject(with: Data(json.utf8))
    return try #require((object as? [String: Any])?["result"] as? [String: Any])
  }

  private func plank(_ result: [String: Any]?) throws -> [String: Any] {
    let advice = try #require(result?["advice"] as? [String: Any])
    return try #require(advice["plank"] as? [String: Any])
  }

  private func compared(
    _ experiment: SimulatedExperiment, _ limit: Double, _ world: World
  ) async throws -> [String: Any] {
    let detector = experiment.path("detector.yaml")
    let json = try await Compare.parse(
      [experiment.folder.path, detector, "\(detector) limit=\(limit)", "--format", "json"]
        + ["--resamples", "100"] + world.options
    ).outcome().text
    let pairs = try #require(try result(json)["pairs"] as? [[String: Any]])
    return try plank(pairs.first)
  }

  /// Whether two objects of advice are equal, but for proofs that more candidates make harder.
  private func expectEqual(_ left: [String: Any], _ right: [String: Any], _ what: String) {
    var (left, right) = (left, right)
    if left["candidates"] as? Int != right["candidates"] as? Int {
      for key in ["candidates", "step", "sentence"] { (left[key], right[key]) = (nil, nil) }
    }
    #expect(NSDictionary(dictionary: left) == NSDictionary(dictionary: right), "\(what)")
  }

  @Test("tune, gate and baseline update give the advice of compare", arguments: worlds)
  func given(world: World) async throws {
    let experiment = try SimulatedExperiment(
      people: world.people, seed: 7, start: Self.start, areNamed: world.areNamed,
      offsets: world.offsets)
    let expected = try await compared(experiment, 0, world)
    let sentence = try #require(expected["sentence"] as? String)
    #expect(sentence.hasPrefix("Take it"), "\(sentence)")

    try """
    dataset: dataset.yaml
    detector: detector.yaml
    parameters: {plank_frames: 1, other: 0.9}
    axes: {limit: [\(Self.start), 0]}
    objective: plank.balanced_accuracy
    allow_ungrouped: true
    refine: false
    resamples: 0
    \(world.offsets.count > 1 ? "source_tag: source" : "")
    """.write(toFile: experiment.path("pair.yaml"), atomically: true, encoding: .utf8)
    let tuned = try await Tune.parse([experiment.path("pair.yaml"), "--format", "json"])
      .outcome().text
    let streams = try #require(try result(tuned)["streams"] as? [[String: Any]])
    let decision = try #require(streams.first?["decision"] as? [String: Any])
    expectEqual(try #require(decision["advice"] as? [String: Any]), expected, "tune")

    // A gate has one source.
    guard world.offsets.count == 1 else { return }
    try """
    dataset: .
    detector: detector.yaml
    baseline: baseline.json
    rules:
      - {metric: plank.accuracy, at_least: 0}
    """.write(toFile: experiment.path("gate.yaml"), atomically: true, encoding: .utf8)
    let update = ["update", experiment.path("gate.yaml"), "--reason", "new"]
    _ = try await BaselineUpdate.parse(Array(update.dropFirst())).outcome()
    let detector = experiment.path("detector.yaml")
    try String(contentsOfFile: detector, encoding: .utf8)
      .replacing("default: \(Self.start)", with: "default: 0.0")
      .write(toFile: detector, atomically: true, encoding: .utf8)
    let gate = try await Gate.parse([experiment.path("gate.yaml"), "--format", "json"])
      .outcome().text
    expectEqual(try plank(result(gate)), expected, "gate")
    let updated = try await BaselineUpdate.parse(Array(update.dropFirst())).outcome()
    #expect((updated.text + updated.remarks.joined()).contains("Plank: \(sentence)"))
  }

  @Test("evaluate and suggest give the advice of compare for what they find", arguments: worlds)
  func found(world: World) async throws {
    let experiment = try SimulatedExperiment(
      people: world.people, seed: 7, start: Self.start, areNamed: world.areNamed,
      offsets: world.offsets)
    let words =
      [experiment.folder.path, "--detector", experiment.path("detector.yaml"), "--format", "json"]
      + world.options
    let next = try #require(
      try await result(Evaluate.parse(words).outcome().text)["next"] as? [String: Any])
    let fixes = try #require(next["fixes"] as? [[String: Any]])
    let fix = try #require(fixes.first { $0["parameter"] as? String == "limit" })
    expectEqual(
      try #require(fix["advice"] as? [String: Any]),
      try await compared(experiment, try #require(fix["to"] as? Double), world), "evaluate")

    let suggested = try await result(
      Suggest.parse(words + ["--stream", "plank"]).outcome().text)
    let found = try #require(suggested["streams"] as? [[String: Any]])
    let edit = try #require((found.first?["edits"] as? [[String: Any]])?.first)
    let thresholds = try #require(edit["thresholds"] as? [[String: Any]])
    guard thresholds.count == 1, thresholds[0]["name"] as? String == "limit" else { return }
    let value = try #require(thresholds[0]["value"] as? Double)
    expectEqual(
      try #require(edit["advice"] as? [String: Any]),
      try await compared(experiment, value, world), "suggest")
  }
}
