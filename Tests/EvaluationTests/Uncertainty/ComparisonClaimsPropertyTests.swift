import Evaluation
import PoseModel
import Statistics
import Testing

/// Simulated people whose detectors differ by a known amount, or not at all.
///
/// `scripts/proofs/compare_claims.py` runs the same at full size, through the command.
@Suite("Claims of comparisons of simulated people")
struct ComparisonClaimsPropertyTests {
  private static let runs = 60
  private static let key = MetricKey(.f1MacroTruth, in: .plank)
  private static let truth = String(
    repeating: String(repeating: "n", count: 10) + String(repeating: "h", count: 10)
      + String(repeating: "f", count: 10), count: 2)

  private static func normal(_ random: RandomStream) -> Double {
    (0..<12).reduce(-6.0) { sum, _ in sum + Double(random.index(below: 1 << 20)) / Double(1 << 20) }
  }

  /// One side's answers to all people, each right with its own probability.
  private static func side(
    _ people: [Double], mean: Double, _ random: RandomStream
  ) -> [SequenceScores] {
    people.enumerated().map { index, person in
      let odds = mean + person + 0.6 * normal(random)
      let share = 1 / (1 + Exponential.exp(-odds))
      let answers = String(
        truth.map { letter in
          Double(random.index(below: 1 << 20)) / Double(1 << 20) < share
            ? letter : letter == "n" ? "h" : "n"
        })
      return SequenceScores(
        Scenario(truth, answers: answers, name: "q\(index)", subject: "s\(index)").outcome)
    }
  }

  /// The claims of comparisons of a first side with others, whose log odds are higher by a gain.
  private static func claims(
    people: Int, others: Int, gain: Double, seed: String, mean: Double = 1.7,
    margin: Double? = nil
  ) -> [MetricComparison] {
    let random = RandomStream(seed: 7, purpose: seed)
    let persons = (0..<people).map { _ in 0.8 * normal(random) }
    let first = side(persons, mean: mean, random)
    let pairs = (0..<others).map { _ in
      PairedComparison(
        first, side(persons, mean: mean + gain, random), keys: [key], tested: [],
        resamples: 200)
    }
    return PairedComparison.decided(pairs, by: [key], margin: margin).compactMap(\.metrics.first)
  }

  /// The largest count of runs that a probability explains, three standard errors up.
  private static func most(_ probability: Double) -> Double {
    let runs = Double(runs)
    return runs * probability + 3 * (runs * probability * (1 - probability)).squareRoot()
  }

  @Test(
    "Ten candidates as good as the first have a winner in at most 5 % of comparisons",
    arguments: [3, 5, 8, 15])
  func falseWinners(people: Int) {
    let winners = (0..<Self.runs).count { run in
      Self.claims(people: people, others: 10, gain: 0, seed: "equal.\(people).\(run)")
        .contains { $0.claim?.verdict == .better }
    }
    #expect(Double(winners) <= Self.most(0.05), "\(winners) of \(Self.runs)")
  }

  @Test(
    "A true difference as large as the one printed is found in about four of five comparisons",
    arguments: [(5, 1.45), (8, 1.0), (15, 0.65)])
  func power(people: Int, gain: Double) throws {
    let found = (0..<Self.runs).compactMap {
      Self.claims(
        people: people, others: 1, gain: gain, seed: "power.\(people).\($0)", mean: 0.3
      ).first
    }
    let printed = found.compactMap { $0.claim?.detectableDifference }.sorted()
    let middle = printed[printed.count / 2]
    let mean = found.compactMap(\.difference).reduce(0, +) / Double(found.count)
    let share = Double(found.count { $0.claim?.verdict == .better }) / Double(found.count)
    // Near the printed difference, power rises about as fast as the difference.
    #expect(abs(share - (0.8 + (mean / middle - 1))) < 0.18, "\(mean) \(middle) \(share)")
  }

  @Test("Four of five pilots plan as many people as it takes", arguments: [5, 8])
  func plans(pilot: Int) throws {
    let large = try #require(
      Self.claims(people: 300, others: 1, gain: 0.5, seed: "large", margin: 0.05).first)
    let margin = try #require(large.difference)
    let risk = MetricClaim.risk
    let deviation = try #require(large.standardError) * 300.0.squareRoot()
    let needed = try #require(
      SampleSize(
        margin: margin,
        pilot: StudentTest(
          estimate: 0, standardError: deviation / 10_000.0.squareRoot(), clusters: 10_000),
        risk: risk
      ).clusters)
    let planned = (0..<Self.runs).compactMap {
      Self.claims(
        people: pilot, others: 1, gain: 0.5, seed: "pilot.\(pilot).\($0)", margin: margin
      ).first?.claim?.plan?.clusters
    }
    let enough = planned.count { $0 >= needed }
    let runs = Double(Self.runs)
    #expect(Double(enough) >= 0.8 * runs - 3 * (0.16 * runs).squareRoot(), "\(enough) \(needed)")
  }
}
