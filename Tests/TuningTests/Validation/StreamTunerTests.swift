import Evaluation
import PlankDetection
import PoseModel
import TestSupport
import Testing

@testable import Tuning

@Suite("Tuning")
struct StreamTunerTests {
  /// People who hold, sag and pike by 6 cm, each with a bias, measured with noise.
  private func people(
    _ count: Int, seed: Int, shuffled: Bool = false, noise: Double = 0.02
  ) throws -> MeasuredData {
    var random = SplitMix64(spread: seed)
    var tracks: [[LabeledSegment]] = []
    var columns: [[Float]] = []
    for _ in 0..<count {
      var segments: [LabeledSegment] = []
      var column: [Float] = []
      let bias = random.uniform(-0.01, 0.01)
      for part in 0..<12 {
        let form = random.pick(FormClass.allCases)
        segments.append(LabeledSegment(Double(part) * 5, Double(part + 1) * 5, .high, form))
        let offset = form == .sag ? -0.06 : form == .pike ? 0.06 : 0
        for _ in 0..<150 {
          let error = (0..<6).reduce(0.0) { sum, _ in sum + random.uniform(-1, 1) } / 1.41
          column.append(Float(offset + bias + noise * error))
        }
      }
      tracks.append(segments)
      columns.append(column)
    }
    return try MeasuredData(variants: [
      try (0..<count).map { index in
        try MeasuredSequence(
          "q\(index)", subject: "p\(index)",
          labels: tracks[shuffled ? (index + 1) % count : index], [.hipDeviation: columns[index]])
      }
    ])
  }

  private func definition(_ axes: [ParameterAxis]) throws -> GridDefinition {
    try GridDefinition(
      [DetectorVariant(.gravity)], axes: axes)
  }

  private func sagAndPike(frames: [Double] = [1, 5, 9]) throws -> GridDefinition {
    try definition([
      ParameterAxis(.sag, .range(from: 0, to: 0.1, step: 0.01)),
      ParameterAxis(.pike, .range(from: 0, to: 0.1, step: 0.01)),
      ParameterAxis(.formFrames, .list(frames)),
    ])
  }

  @Test("On people who agree the nested estimate is near the sample's, and thresholds lie between")
  func recovery() async throws {
    let goal = try TuningGoal(MetricKey(tunable: "form.balanced_accuracy"), tolerance: 0.01)
    let tuner = StreamTuner(
      try sagAndPike(), try people(6, seed: 1), goal, TuningOptions(resamples: 20, jobs: 2))
    let report = try await tuner.tune()
    let estimate = try #require(report.heldOut?.value)
    #expect(estimate > 0.85)
    let optimism = try #require(report.optimism)
    #expect(abs(optimism) < 0.05)
    #expect(report.folds.count == 6)
    for key in [ParameterKey.sag, .pike] {
      let value = try #require(report.parameters[key])
      #expect((0.015...0.045).contains(value), "\(key) \(value)")
    }
    #expect((report.samePlateauShare ?? 0) > 0.5)
    #expect(!report.front.points.isEmpty)
    let settings = try FixedSettings(
      DetectorVariant(.gravity, base: report.parameters), .none)
    let again = try await settings.value(
      goal.objective, over: try people(6, seed: 1).sequences)
    #expect(again == report.objective)
  }

  @Test(
    "With labels shuffled between subjects the nested estimate is at chance", arguments: [3, 4])
  func chance(seed: Int) async throws {
    let goal = try TuningGoal(MetricKey(tunable: "form.balanced_accuracy"))
    let tuner = StreamTuner(
      try sagAndPike(frames: [1, 15]), try people(12, seed: seed, shuffled: true), goal,
      TuningOptions(resamples: 0, jobs: 2))
    let report = try await tuner.tune()
    let estimate = try #require(report.heldOut?.value)
    #expect(abs(estimate - 1.0 / 3) < 0.08, "nested \(estimate)")
    #expect(report.choice.bestObjective >= estimate - 0.01)
  }

  private func advisedFrames(_ detector: DetectorVariant, _ data: MeasuredData) async throws
    -> Double
  {
    let advised = try await ParameterLine.map(.form, detector, SweptPeople(data.sequences), jobs: 1)
    {
      line in
      line.definition.key == .formFrames
        ? try line.choice(least: NextSteps.leastGain).map { line.values[$0.place] } : nil
    }.compactMap(\.self)
    return try #require(advised.count == 1 ? advised[0] : nil)
  }

  @Test("A single change that does as much has the value that `evaluate` advises")
  func oneChoice() async throws {
    let data = try people(6, seed: 2)
    let goal = try TuningGoal(MetricKey(tunable: "form.balanced_accuracy"))
    let grid = try definition([ParameterAxis(.formFrames, .list((1...9).map(Double.init)))])
    let report = try await StreamTuner(grid, data, goal, TuningOptions(resamples: 0)).tune()
    let advised = try await advisedFrames(DetectorVariant(.gravity), data)
    #expect(report.parameters[.formFrames] == advised)
    #expect(report.decision.usesFound)
  }

  @Test("Where the whole change is not worth taking, no single change takes its place")
  func worthlessWhole() async throws {
    let (detector, data) = (DetectorVariant(.gravity), try people(6, seed: 2))
    let frames = try await advisedFrames(detector, data)
    let options = TuningOptions(resamples: 0)
    let change = SmallestChange(
      constraints: [], goal: try TuningGoal(MetricKey(tunable: "form.balanced_accuracy")),
      tables: ConfigurationTables(data.compared(by: .form), .form, options), detector: detector,
      variant: 0, people: Array(0..<6), jobs: 1)
    var single = detector.base
    try single.set(.formFrames, to: frames)
    for sag in [0.05, 0.3] {
      var found = single
      try found.set(.sag, to: sag)
      let settings = try await change.settings(of: found, lacking: []) { _ in
        [(key: .formFrames, value: frames)]
      }
      #expect((settings?.parameters ?? found) == (sag < 0.1 ? single : found), "\(sag)")
    }
  }

  @Test("Quantile axes are resolved on the held-in subjects of every fold")
  func quantiles() async throws {
    let goal = try TuningGoal(MetricKey(tunable: "form.f1_macro"), tolerance: 0.01)
    let grid = try definition([
      ParameterAxis(.sag, .quantiles(9)), ParameterAxis(.pike, .quantiles(9)),
    ])
    let tuner = StreamTuner(
      grid, try people(4, seed: 7), goal,
      TuningOptions(validation: .subjectFolds(2), resamples: 5, refines: false))
    let report = try await tuner.tune()
    #expect(report.folds.map(\.heldOut.count) == [2, 2])
    #expect(Set(report.folds.compactMap { $0.parameters[.sag] }).count == 2)
  }

  @Test("A report does not depend on the number of cores")
  func determinism() async throws {
    let goal = try TuningGoal(MetricKey(tunable: "form.balanced_accuracy"), tolerance: 0.01)
    let data = try people(4, seed: 5)
    func run(_ jobs: Int) async throws -> TuningReport {
      let options = TuningOptions(resamples: 10, jobs: jobs)
      return try await StreamTuner(try sagAndPike(), data, goal, options).tune()
    }
    let one = try await run(1)
    let three = try await run(3)
    #expect(one.choice == three.choice)
    #expect(one.parameters == three.parameters)
    #expect(one.heldOut == three.heldOut)
    #expect(one.samePlateauShare == three.samePlateauShare)
  }

  /// Options that use what was found, whatever the evidence.
  private var taking: TuningOptions {
    var options = TuningOptions(resamples: 0, refines: false)
    options.takesFound = Set(AnswerStream.allCases)
    return options
  }

  @Test("In each fold the second stream keeps what the first one chose without the same people")
  func pairFolds() async throws {
    let grid = try definition([
      ParameterAxis(.holdSeconds, .list([0, 0.5])), ParameterAxis(.plankFrames, .list([1, 5])),
      ParameterAxis(.sag, .range(from: 0.01, to: 0.06, step: 0.001)),
    ])
    let tuner = PairTuner(
      grid, try people(5, seed: 2), taking)
    let pair = try await tuner.tune(
      first: TuningGoal(MetricKey(tunable: "form.accuracy")),
      second: TuningGoal(MetricKey(tunable: "plank.accuracy")))
    #expect(Set(pair.first.folds.compactMap { $0.parameters[.sag] }).count > 1)
    #expect(pair.first.folds.count == 5)
    #expect(pair.second.folds.count == 5)
    for (first, second) in zip(pair.first.folds, pair.second.folds) {
      #expect(first.heldOut == second.heldOut)
      #expect(first.parameters[.sag] == second.parameters[.sag])
      #expect(first.parameters[.holdSeconds] == second.parameters[.holdSeconds])
    }
  }

  @Test("A parameter whose axis changes nothing keeps its starting value")
  func inertAxis() async throws {
    let grid = try definition([
      ParameterAxis(.sag, .range(from: 0.01, to: 0.06, step: 0.01)),
      ParameterAxis(.holdSeconds, .list([0.1, 0.2, 0.9])),
    ])
    let report = try await StreamTuner(
      grid, try people(3, seed: 2), try TuningGoal(MetricKey(tunable: "form.accuracy")),
      TuningOptions(resamples: 0, refines: false)
    ).tune()
    #expect(report.diagnostics.inertAxes == [.holdSeconds])
    #expect(report.parameters[.holdSeconds] == 0.5)
    #expect(report.objective == report.choice.objective)
    #expect(report.folds.allSatisfy { $0.parameters[.holdSeconds] == 0.5 })
  }

  @Test("Over several sources a metric is the mean of its values in each, whatever their sizes")
  func equalSources() async throws {
    var world = SimulatedPeople(seed: 3, personBias: 0.04)
    let small = try world.sequences(people: 2, recordings: 1)
    let large = try world.sequences(people: 6, recordings: 1)
    func named(_ sequences: [MeasuredSequence], _ source: String) -> [MeasuredSequence] {
      sequences.map {
        $0.renamed(source + $0.name, subject: source + ($0.subject ?? ""), source: source)
      }
    }
    let settings = try FixedSettings(DetectorVariant(.gravity), .none)
    let metric = try MetricKey(tunable: "form.balanced_accuracy")
    let first = try #require(try await settings.value(metric, over: small))
    let second = try #require(try await settings.value(metric, over: large))
    let both = try await settings.value(metric, over: named(small, "a") + named(large, "b"))
    #expect(abs(try #require(both) - (first + second) / 2) < 1e-12)
    #expect(first != second)
  }

  @Test("A fold that holds out a source reports the source, not its people")
  func foldsOfSources() async throws {
    var world = SimulatedPeople(seed: 3, personBias: 0.04)
    let sequences = try ["a", "b"].flatMap { source in
      try world.sequences(people: 2, recordings: 1).map {
        $0.renamed(source + $0.name, subject: source + ($0.subject ?? ""), source: source)
      }
    }
    let report = try await StreamTuner(
      definition([ParameterAxis(.sag, .list([0.03, 0.05]))]),
      MeasuredData(variants: [sequences]),
      TuningGoal(MetricKey(tunable: "form.balanced_accuracy")),
      TuningOptions(validation: .leaveOneSourceOut, refines: false)
    ).tune()
    #expect(report.folds.map(\.heldOut) == [["a"], ["b"]])
  }

  @Test("A sequence without a subject is an error unless allowed")
  func ungrouped() async throws {
    let sequence = try SurfaceCase.sequence("a")
    let nameless = sequence.renamed("b", subject: nil, source: nil)
    let data = try MeasuredData(variants: [[sequence, nameless]])
    let goal = try TuningGoal(MetricKey(tunable: "form.accuracy"))
    let grid = try definition([ParameterAxis(.sag, .list([0.05]))])
    await #expect(throws: TuningError.missingSubject(sequence: "b")) {
      try await StreamTuner(grid, data, goal).tune()
    }
    let report = try await StreamTuner(
      grid, data, goal, TuningOptions(refines: false, allowsUngrouped: true)
    ).tune()
    #expect(report.subjects == ["a", "b"])
    #expect(report.heldOut?.unit == .peopleAndRecordings)
  }

  @Test("One subject cannot be held out, and folds must fit")
  func folds() throws {
    #expect(throws: TuningError.tooFewSubjects(found: 1, needed: 2)) {
      try SubjectFolds(.leaveOneSubjectOut, subjects: 1, seed: 1)
    }
    #expect(throws: TuningError.invalidFolds(9, subjects: 4)) {
      try SubjectFolds(.subjectFolds(9), subjects: 4, seed: 1)
    }
    #expect(throws: TuningError.tooFewSources(found: 1)) {
      try SubjectFolds(.leaveOneSourceOut, subjects: 2, sources: ["a", "a"], seed: 1)
    }
    let sources = try SubjectFolds(
      .leaveOneSourceOut, subjects: 4, sources: ["b", "a", "b", "a"], seed: 1)
    #expect(sources.heldOut == [[1, 3], [0, 2]])
    #expect(try SubjectFolds(.automatic, subjects: 20, seed: 1).heldOut.count == 20)
    #expect(try SubjectFolds(.automatic, subjects: 21, seed: 1).heldOut.count == 20)
    let folds = try SubjectFolds(.subjectFolds(3), subjects: 8, seed: 1)
    #expect(folds.heldOut.flatMap(\.self).sorted() == Array(0..<8))
  }
}
