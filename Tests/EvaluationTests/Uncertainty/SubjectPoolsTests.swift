import PoseModel
import Statistics
import Testing

@testable import Evaluation

@Suite("Pools of subjects") struct SubjectPoolsTests {
  private func scores(
    _ subject: String?, _ name: String, wrong: Int, source: String? = nil
  ) -> SequenceScores {
    var scenario = Scenario(
      "hhhhhhhhhh",
      answers: String(repeating: "n", count: wrong) + String(repeating: "h", count: 10 - wrong),
      name: name, subject: subject)
    scenario.source = source
    return SequenceScores(scenario.outcome)
  }

  private let accuracy = MetricKey(.accuracy, in: .plank)

  @Test("Sequences of one person are one pool; unknown people are one together, last")
  func grouping() {
    let pools = SubjectPools(
      [
        scores(nil, "a", wrong: 1), scores("zoe", "b", wrong: 2), scores("ann", "c", wrong: 3),
        scores("zoe", "d", wrong: 6), scores(nil, "e", wrong: 5),
      ], .plank)
    #expect(pools.subjects == ["ann", "zoe", nil])
    #expect(isNear(pools.values([accuracy], of: [1])[0], 0.6))
    #expect(isNear(pools.values([accuracy], of: [2])[0], 0.7))
    #expect(isNear(pools.values([accuracy], of: [0, 0, 1])[0], 26.0 / 40))
  }

  @Test("A person without a scored frame of the stream is not one of its subjects")
  func unscored() {
    let silent = SequenceScores(Scenario("....", name: "x", subject: "mute").outcome)
    let all = [silent, scores("ann", "c", wrong: 3)]
    #expect(SubjectPools(all, .plank).subjects == ["ann"])
    #expect(SubjectPools(all, .form).subjects == [])
  }

  @Test("A swap takes a person's counts from the other side")
  func swapping() {
    let here = SubjectPools([scores("a", "1", wrong: 0), scores("b", "2", wrong: 0)], .plank)
    let there = SubjectPools([scores("a", "1", wrong: 4), scores("b", "2", wrong: 2)], .plank)
    let draws = MetricDraws([here, there], [accuracy])
    #expect(draws.numbers(of: [0, 1]) == [1])
    #expect(draws.numbers(of: [2, 1]) == [0.8])
    #expect(draws.numbers(of: [0, 3]) == [0.9])
  }

  @Test("A metric is the mean over the sources that have one of the drawn people")
  func sources() throws {
    func pool(_ wrong: [Int]) -> SubjectPools {
      let people = [("gym", "ann"), ("gym", "bob"), ("web", "ann")]
      return SubjectPools(
        zip(people, wrong).map { scores($0.1, $0.0 + $0.1, wrong: $1, source: $0.0) }, .plank)
    }
    let pools = pool([1, 3, 6])
    #expect(isNear(pools.values([accuracy])[0], (0.8 + 0.4) / 2))
    #expect(isNear(pools.values([accuracy], of: [0])[0], (0.9 + 0.4) / 2))
    #expect(isNear(pools.values([accuracy], of: [1, 1])[0], 0.7))
    let right = pool([0, 0, 0])
    let swapped = try #require(MetricDraws([pools, right], [accuracy]).numbers(of: [2, 1])[0])
    #expect(abs(swapped - (0.85 + 1) / 2) < 1e-12)
  }

  @Test(
    "Laid out for many multisets, every metric has the same number to the bit",
    arguments: AnswerStream.allCases, 0..<8 as Range<UInt64>)
  func draws(stream: AnswerStream, seed: UInt64) {
    let random = RandomStream(seed: seed, purpose: "draws")
    func text(_ letters: String) -> String {
      let letters = Array(letters)
      var text: [Character] = []
      while text.count < 60 {
        text += Array(
          repeating: letters[random.index(below: letters.count)], count: 1 + random.index(below: 9))
      }
      return String(text.prefix(60))
    }
    let sequences = (0..<12).map { index in
      var scenario = Scenario(
        text("nnhfl."), answers: text("nnhfl"), name: "\(index)", subject: "s\(index % 4)")
      scenario.source = seed.isMultiple(of: 2) ? nil : index < 5 ? "gym" : "web"
      scenario.formTruth = text("asp.")
      scenario.formAnswers = text("asp")
      return SequenceScores(scenario.outcome)
    }
    let keys = MetricKey.all.filter { $0.stream == stream }
    let pools = SubjectPools(sequences, stream)
    let metrics = MetricDraws([pools], keys)
    for _ in 0..<40 {
      let drawn = (0..<random.index(below: 6)).map { _ in
        random.index(below: pools.subjects.count)
      }
      #expect(metrics.numbers(of: drawn) == pools.values(keys, of: drawn).map(\.number))
    }
  }

  @Test("Intervals are by person: more frames of the same people do not narrow them")
  func framesDoNotCount() throws {
    let key = MetricKey(.accuracy, in: .plank)
    let once = (1...6).map { scores("s\($0)", "a\($0)", wrong: $0) }
    let twice = once + (1...6).map { scores("s\($0)", "b\($0)", wrong: $0) }
    let narrow = StreamUncertainty(once, .plank, [key], resamples: 200)
    let wide = StreamUncertainty(twice, .plank, [key], resamples: 200)
    #expect(narrow.subjects == 6)
    let (left, right) = (try #require(narrow.intervals[key]), try #require(wide.intervals[key]))
    for method in [\MetricIntervals.clusterT, \.bca] {
      let one = try #require(left[keyPath: method].interval)
      let other = try #require(right[keyPath: method].interval)
      #expect(abs(one.width - other.width) < 1e-12)
    }
  }
}

@Suite("Weights of subjects") struct SubjectWeightsTests {
  private func scores(
    _ subject: String, _ truth: String, _ answers: String? = nil, source: String? = nil,
    start: Double = 0
  ) -> SequenceScores {
    var scenario = Scenario(
      truth, answers: answers, start: start, name: (source ?? "") + subject, subject: subject)
    scenario.source = source
    // The median interval, whose last digits move with the zero of the clock.
    scenario.weight = nil
    return SequenceScores(scenario.outcome)
  }

  private func effective(_ key: MetricKey, _ sequences: [SequenceScores]) throws -> Double {
    try #require(SubjectPools(sequences, key.stream).weights(key)).effective
  }

  @Test("Accuracy weighs people by their scored time")
  func scoredTime() throws {
    let key = MetricKey(.accuracy, in: .plank)
    let same = [scores("a", "nnhh"), scores("b", "hhhn"), scores("c", "nnnn")]
    #expect(abs(try effective(key, same) - 3) < 1e-8)
    // 6, 2 and 2 frames: 10^2 / (36 + 4 + 4).
    let unequal = [scores("a", "nnhhhh"), scores("b", "hh.."), scores("c", "nn")]
    #expect(abs(try effective(key, unequal) - 100.0 / 44) < 1e-6)
  }

  @Test("A recall weighs people by the time of its class, a precision by the answers")
  func classTime() throws {
    let people = [
      scores("a", "hhhh", "hhnn"), scores("b", "hhnn", "hhhh"), scores("c", "nnnn", "nnnn"),
    ]
    // `high` is true for 4, 2 and 0 frames, and answered in 2, 4 and 0.
    let recall = MetricKey(.recall, in: .plank, label: "high")
    let precision = MetricKey(.precision, in: .plank, label: "high")
    #expect(abs(try effective(recall, people) - 36.0 / 20) < 1e-6)
    #expect(abs(try effective(precision, people) - 36.0 / 20) < 1e-6)
    let f1 = MetricKey(.f1, in: .plank, label: "high")
    #expect(abs(try effective(f1, people) - 2) < 1e-6)
    let weights = try #require(SubjectPools(people, .plank).weights(recall))
    #expect(abs(weights.contributing - 2) < 1e-8)
  }

  @Test("A mean over classes averages the shares of each class")
  func classMean() throws {
    // `none` is of a and b alike, `high` of c alone: shares 1/4, 1/4 and 1/2.
    let people = [scores("a", "nn"), scores("b", "nn"), scores("c", "hhhhhhhh")]
    let key = MetricKey(.balancedAccuracy, in: .plank)
    #expect(abs(try effective(key, people) - 1 / (2.0 / 16 + 1.0 / 4)) < 1e-6)
  }

  @Test("Each source counts once")
  func sources() throws {
    let people =
      [scores("a", "nh", source: "gym")]
      + ["b", "c", "d", "e"].map { scores($0, "nh", source: "web") }
    let key = MetricKey(.accuracy, in: .plank)
    #expect(abs(try effective(key, people) - 1 / (1.0 / 4 + 1.0 / 16)) < 1e-6)
  }

  @Test("Shares get the logit scale and their weights, numbers without an upper end neither")
  func scales() throws {
    let people = [
      scores("a", "nnhhhh", "nnhhhn"), scores("b", "hh", "hn"), scores("c", "nnh", "nhn"),
    ]
    let (share, rate) = (
      MetricKey(.accuracy, in: .plank), MetricKey(.falseTransitionsPerMinute, in: .plank)
    )
    let found = StreamUncertainty(people, .plank, [share, rate], resamples: 50).intervals
    let interval = try #require(found[share]?.clusterT.interval)
    #expect(interval.lower > 0 && interval.upper < 1)
    #expect(abs(try #require(found[share]?.effectiveSubjects) - 121.0 / 49) < 1e-6)
    let pools = SubjectPools(people, .plank)
    let sample = try #require(pools.samples([share], resamples: 50, seed: 0).first)
    #expect(try sample.clusterT(scale: share.metric.logitScale) == interval)
    #expect(rate.metric.logitScale == nil)
  }

  @Test("People who are all right get a bound, not silence", arguments: [2, 5])
  func allRight(people: Int) throws {
    let key = MetricKey(.accuracy, in: .plank)
    let sequences = (0..<people).map { scores("s\($0)", "nnhh") }
    let found = StreamUncertainty(sequences, .plank, [key], resamples: 20).intervals[key]
    let interval = try #require(found?.wider.interval)
    #expect(interval.method == .alike)
    #expect(interval.lower == ClusterSample.leastShareAlike(Double(people)))
    #expect(interval.upper == 1)
    #expect(found?.bca == .undefined(.noVariation))
  }

  @Test(
    "The zero of the clock changes no digit of an interval",
    arguments: [1.0, -1000, 0.1, 12_345.678])
  func clocks(shift: Double) throws {
    let texts = [
      ("nnnhhhhhff", "nnhhhhfhff"), ("hhhhnnnnff", "hhhnnnfnfh"), ("nnhhhhhhhh", "nnhhhhnnhh"),
      ("ffffffhhhn", "ffnfffhhhn"), ("nnnnnnffff", "nnhnnfffhf"),
    ]
    let keys = MetricKey.all.filter { $0.stream == .plank }
    func intervals(_ start: Double) -> [MetricKey: MetricIntervals] {
      let people = texts.enumerated().map { index, text in
        scores("s\(index)", text.0 + text.0, text.1 + text.0, start: start)
      }
      return StreamUncertainty(people, .plank, keys, resamples: 300).intervals
    }
    #expect(intervals(0) == intervals(shift))
  }
}

@Suite("Metric intervals") struct MetricIntervalsTests {
  private func intervals(_ count: Int) -> MetricIntervals {
    let values = (0..<count).map { Double($0 * $0) }
    let draws = ClusterResamples(
      clusters: count, count: 500, stream: RandomStream(seed: 1, purpose: "bootstrap"))
    return MetricIntervals(
      ClusterSample.make(draws) { drawn in
        [drawn.reduce(0) { $0 + values[$1] } / Double(drawn.count)]
      }[0])
  }

  @Test("Intervals end at the metric's range, and stay ordered")
  func range() throws {
    let sample = ClusterSample(
      estimate: 0.97, omissions: [0.9, 1, 1, 0.98], replicates: [0.9, 0.95, 1, 1, 0.96])
    let free = MetricIntervals(sample)
    let found = MetricIntervals(sample, range: 0...1)
    let (wide, narrow) = (
      try #require(free.clusterT.interval), try #require(found.clusterT.interval)
    )
    #expect(wide.upper > 1)
    #expect(narrow.upper == 1)
    #expect(narrow.lower == wide.lower)
    for interval in [narrow, try #require(found.wider.interval)] {
      #expect(interval.lower >= 0 && interval.lower <= interval.upper)
    }
  }

  @Test("The wider one decides", arguments: [4, 8, 30])
  func wider(subjects: Int) throws {
    let found = intervals(subjects)
    let (t, bca) = (try #require(found.clusterT.interval), try #require(found.bca.interval))
    #expect(found.wider.interval?.width == max(t.width, bca.width))
    #expect(found.method == found.wider.interval?.method)
  }

  @Test("Where the bootstrap has none, Student's t decides; without that there is none")
  func gaps() throws {
    let oneSided = MetricIntervals(
      ClusterSample(estimate: 9, omissions: [8, 9, 10], replicates: [1, 2, 3]))
    #expect(oneSided.bca == .undefined(.oneSided))
    #expect(oneSided.wider.interval?.method == .clusterT)
    let partial = MetricIntervals(
      ClusterSample(estimate: 9, omissions: [8, nil, 10], replicates: [8, 9, 10]))
    #expect(partial.wider == .undefined(.undefinedWithoutACluster))
    #expect(partial.method == nil)
  }
}

@Suite("Paired comparison") struct PairedComparisonTests {
  private let accuracy = MetricKey(.accuracy, in: .plank)

  private func compare(_ before: [Int], _ after: [Int], keys: [MetricKey]? = nil)
    -> PairedComparison
  {
    PairedComparison(
      GateSide.scripted(before).sequences, GateSide.scripted(after).sequences,
      keys: keys ?? [accuracy], resamples: 500)
  }

  /// How many subjects are better, equal and worse on the second side.
  private func record(_ metric: MetricComparison) -> [Int] {
    [metric.wins, metric.ties, metric.losses]
  }

  @Test("The difference is the second side's number minus the first's")
  func difference() throws {
    let metric = try #require(compare([0, 0, 2, 2], [4, 4, 4, 4]).metrics.first)
    #expect(metric.before == .value(0.95))
    #expect(metric.after == .value(0.8))
    #expect(abs(try #require(metric.difference) + 0.15) < 1e-12)
    #expect(metric.subjects.map(\.subject) == ["s1", "s2", "s3", "s4"])
  }

  @Test("A side compared with itself is unchanged")
  func itself() throws {
    let metric = try #require(compare([1, 2, 3], [1, 2, 3]).metrics.first)
    #expect(metric.isUnchanged)
    #expect(record(metric) == [0, 3, 0])
  }

  @Test("Numbers that are equal only when pooled are not unchanged")
  func pooledAlike() throws {
    let metric = try #require(compare([0, 4], [4, 0]).metrics.first)
    #expect(metric.difference == 0)
    #expect(!metric.isUnchanged)
    #expect(record(metric) == [1, 0, 1])
  }

  @Test("A loss of everybody excludes zero, as does a gain", arguments: [true, false])
  func everybody(isLoss: Bool) throws {
    let (few, many) = ([0, 1, 0, 1, 0, 1], [6, 8, 7, 6, 9, 7])
    let metric = try #require((isLoss ? compare(few, many) : compare(many, few)).metrics.first)
    let interval = try #require(metric.intervals.wider.interval)
    #expect(isLoss ? interval.upper < 0 : interval.lower > 0)
    #expect(record(metric) == (isLoss ? [0, 0, 6] : [6, 0, 0]))
  }

  @Test("What smaller values are better for wins by falling")
  func smallerIsBetter() throws {
    let flickers = MetricKey(.falseTransitionsPerMinute, in: .plank)
    let before = [Scenario(String(repeating: "h", count: 20), name: "q1", subject: "s1")]
    var after = before
    after[0].plankAnswers = String(repeating: "hn", count: 10)
    let metric = try #require(
      PairedComparison(
        before.map { SequenceScores($0.outcome) }, after.map { SequenceScores($0.outcome) },
        keys: [flickers], resamples: 100
      ).metrics.first)
    #expect(try #require(metric.difference) > 0)
    #expect(record(metric) == [0, 0, 1])
    #expect(metric.worse.map(\.subject) == ["s1"])
  }

  @Test("Who got worse comes worst first, who did not is left out")
  func worse() throws {
    let metric = try #require(compare([2, 2, 2, 2], [3, 2, 6, 0]).metrics.first)
    #expect(metric.worse.map(\.subject) == ["s3", "s1"])
  }

  @Test("Sequences are listed by seconds lost; equal ones are left out")
  func sequences() {
    let found = compare([2, 2, 2], [5, 2, 0]).sequences
    #expect(found.map(\.name) == ["q1", "q3"])
    #expect(zip(found, [0.3, -0.2]).allSatisfy { abs($0.lost - $1) < 1e-12 })
  }
}
