import Evaluation
import PoseModel
import Statistics
import Testing

@Suite("Paired comparison")
struct PairedComparisonTests {
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

  @Test("One subject has numbers and no interval")
  func oneSubject() throws {
    let metric = try #require(compare([0], [5]).metrics.first)
    #expect(metric.difference == -0.25)
    #expect(metric.intervals.wider == .undefined(.fewerThanTwoClusters))
  }

  @Test(
    "Progress counts every multiset of subjects: resamples and omissions",
    arguments: [(1, 2 * (1 + 1)), (4, 2 * (4 + 500)), (17, 2 * (17 + 500))])
  func progress(subjects: Int, expected: Int) {
    let side = GateSide.scripted((0..<subjects).map { $0 % 5 }).sequences
    var done = 0
    var totals: Set<Int> = []
    _ = PairedComparison(side, side, keys: [accuracy], resamples: 500) { count, total in
      done += count
      totals.insert(total)
    }
    #expect(done == expected && totals == [expected])
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
