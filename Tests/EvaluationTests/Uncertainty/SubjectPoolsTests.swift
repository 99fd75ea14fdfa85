import PoseModel
import Statistics
import Testing

@testable import Evaluation

@Suite("Pools of subjects")
struct SubjectPoolsTests {
  private func scores(_ subject: String?, _ name: String, wrong: Int) -> SequenceScores {
    SequenceScores(
      Scenario(
        "hhhhhhhhhh",
        answers: String(repeating: "n", count: wrong) + String(repeating: "h", count: 10 - wrong),
        name: name, subject: subject
      ).outcome)
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
    func recorded(_ source: String, _ subject: String, wrong: Int) -> SequenceScores {
      var scenario = Scenario(
        "hhhhhhhhhh",
        answers: String(repeating: "n", count: wrong) + String(repeating: "h", count: 10 - wrong),
        name: source + subject, subject: subject)
      scenario.source = source
      return SequenceScores(scenario.outcome)
    }
    let pools = SubjectPools(
      [
        recorded("gym", "ann", wrong: 1), recorded("gym", "bob", wrong: 3),
        recorded("web", "ann", wrong: 6),
      ], .plank)
    #expect(isNear(pools.values([accuracy])[0], (0.8 + 0.4) / 2))
    #expect(isNear(pools.values([accuracy], of: [0])[0], (0.9 + 0.4) / 2))
    #expect(isNear(pools.values([accuracy], of: [1, 1])[0], 0.7))
    let right = SubjectPools(
      [
        recorded("gym", "ann", wrong: 0), recorded("gym", "bob", wrong: 0),
        recorded("web", "ann", wrong: 0),
      ], .plank)
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

  @Test("Progress counts the resamples and the subjects left out", arguments: [1, 3])
  func progress(subjects: Int) {
    let sequences = (1...subjects).map { scores("s\($0)", "a\($0)", wrong: $0) }
    var reports: [(done: Int, total: Int)] = []
    _ = StreamUncertainty(
      sequences, .plank, [MetricKey(.accuracy, in: .plank)], resamples: 20
    ) { reports.append(($0, $1)) }
    let total = subjects == 1 ? 2 : 23
    #expect(reports.map(\.done) == Array(0...total))
    #expect(reports.allSatisfy { $0.total == total })
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
