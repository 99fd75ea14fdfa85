import Foundation
import Testing

@testable import Statistics

/// Simulations with known truth.
///
/// `PLANKLAB_PROVE=1` runs them at full size, as `make prove` does.
///
/// Full size is 10,000 runs. What a percentile interval of 1,000 resamples really covers was found
/// with numpy in 40,000 runs: 0.859, 0.902 and 0.926, +- 0.002. All are within 0.02 of 0.86, 0.90
/// and 0.92; but at 20 subjects 1,000 runs, whose standard error is 0.008, come out beyond 0.94 in
/// one of twenty seeds, and the first thousand here are such a one.
/// The prints show every thousand runs by itself.
@Suite("Interval coverage") struct IntervalCoveragePropertyTests {
  private static let isFull = ProcessInfo.processInfo.environment["PLANKLAB_PROVE"] != nil

  @Test(
    "Cluster t covers as promised, percentiles less, frame-wise intervals hardly ever",
    arguments: [(6, 0.86, 0.859), (10, 0.90, 0.902), (20, 0.92, 0.926)])
  func coverage(subjects: Int, percentile: Double, known: Double) throws {
    let runs = Self.isFull ? 10_000 : 200
    let simulation = CoverageSimulation(runs: runs, resamples: Self.isFull ? 1000 : 200)
    let found = try simulation.coverage(
      subjects: subjects, framesPerSubject: Self.isFull ? 100 : 20)
    let slack = Self.isFull ? 0 : 0.03
    #expect((0.93 - slack...0.97 + slack).contains(found.clusterT), "t \(found.clusterT)")
    #expect(abs(found.percentile - percentile) <= 0.02 + slack, "percentile \(found.percentile)")
    let chance = 4 * (known * (1 - known) / Double(runs)).squareRoot()
    #expect(abs(found.percentile - known) <= chance, "percentile \(found.percentile)")
    #expect(found.framewise < 0.5, "frame-wise \(found.framewise)")
    if Self.isFull {
      print(
        "coverage at \(subjects) subjects: cluster t \(found.clusterT), percentile "
          + "\(found.percentile) (every thousand runs by itself "
          + "\(found.percentileByThousand)), frame-wise \(found.framewise) (all asked for 0.95)")
    }
  }

  @Test(
    "The wider interval covers about what is asked, and less where one in eight is bad",
    arguments: [6, 10, 15, 20, 30], CoverageSimulation.Population.allCases)
  func printed(subjects: Int, population: CoverageSimulation.Population) throws {
    let simulation = CoverageSimulation(
      runs: Self.isFull ? 5000 : 200, resamples: Self.isFull ? 2000 : 200)
    let found = try simulation.printed(subjects: subjects, population)
    let slack = Self.isFull ? 0 : 0.04
    #expect(found.wider >= found.bca - slack, "\(found)")
    if population != .contaminated { #expect(found.wider >= 0.925 - slack, "\(found)") }
    if population == .contaminated, subjects == 6 { #expect(found.wider < 0.8, "\(found)") }
    if Self.isFull {
      print(
        "printed intervals, \(subjects) subjects, \(population.rawValue): cluster t "
          + "\(found.clusterT), BCa \(found.bca), the wider \(found.wider)")
    }
  }

  @Test("A gain of one standard deviation is found in 80 to 92 % of comparisons of 12 subjects")
  func power() throws {
    let simulation = CoverageSimulation(
      runs: Self.isFull ? 500 : 200, resamples: Self.isFull ? 2000 : 200)
    let found = try simulation.power(subjects: 12)
    let slack = Self.isFull ? 0 : 0.04
    #expect((0.80 - slack...0.92 + slack).contains(found), "power \(found)")
    if Self.isFull { print("power at 12 subjects: \(found)") }
  }
}

/// Draws subjects of a normal population repeatedly, and counts the findings.
struct CoverageSimulation {
  let runs: Int
  let resamples: Int

  /// How often each method's interval contains the true mean of 0.
  struct Coverage {
    var clusterT = 0.0
    var percentile = 0.0
    var framewise = 0.0
    var percentileByThousand: [Double] = []
  }

  /// Subjects of standard normal means, each with frames that vary half as much around it.
  func coverage(subjects: Int, framesPerSubject: Int = 100) throws -> Coverage {
    let stream = RandomStream(seed: 11, purpose: "coverage of \(subjects)")
    var result = Coverage()
    var thousand = 0.0
    for run in 0..<runs {
      let means = (0..<subjects).map { _ in stream.gaussian() }
      let sample = ClusterSample.mean(of: means, resamples: resamples, seed: UInt64(run))
      if contains(try sample.clusterT()) { result.clusterT += 1 }
      if try sample.percentile().contains(0) {
        result.percentile += 1
        thousand += 1
      }
      if run % 1000 == 999 {
        result.percentileByThousand.append(thousand / 1000)
        thousand = 0
      }
      let frames = means.flatMap { mean in
        (0..<framesPerSubject).map { _ in stream.gaussian(mean: mean, standardDeviation: 0.5) }
      }
      if isWithinFramewise(frames) { result.framewise += 1 }
    }
    let count = Double(runs)
    return Coverage(
      clusterT: result.clusterT / count, percentile: result.percentile / count,
      framewise: result.framewise / count, percentileByThousand: result.percentileByThousand)
  }

  /// The population of the subjects; every mean is 0.
  enum Population: String, CaseIterable {
    case normal
    /// Student's t with three degrees of freedom: now and then somebody far off.
    case heavyTailed = "heavy tails (t3)"
    /// One subject in eight is ten standard deviations worse than the rest.
    case contaminated = "one in eight bad"

    func draw(_ stream: RandomStream) -> Double {
      switch self {
      case .normal: return stream.gaussian()
      case .heavyTailed:
        let squares = (0..<3).reduce(0.0) { sum, _ in
          let value = stream.gaussian()
          return sum + value * value
        }
        return stream.gaussian() / (squares / 3).squareRoot()
      case .contaminated:
        return stream.bernoulli(0.125) ? stream.gaussian(mean: -8.75) : stream.gaussian(mean: 1.25)
      }
    }
  }

  /// How often each interval that is printed contains the true mean of a population.
  func printed(
    subjects: Int, _ population: Population
  ) throws -> (clusterT: Double, bca: Double, wider: Double) {
    let stream = RandomStream(seed: 13, purpose: "printed \(population) \(subjects)")
    var hits = (clusterT: 0, bca: 0, wider: 0)
    for run in 0..<runs {
      let values = (0..<subjects).map { _ in population.draw(stream) }
      let sample = ClusterSample.mean(of: values, resamples: resamples, seed: UInt64(run))
      let (t, bca) = (try sample.clusterT(), try sample.bca())
      if contains(t) { hits.clusterT += 1 }
      if contains(bca) { hits.bca += 1 }
      if contains(t.width >= bca.width ? t : bca) { hits.wider += 1 }
    }
    let count = Double(runs)
    return (Double(hits.clusterT) / count, Double(hits.bca) / count, Double(hits.wider) / count)
  }

  /// How often the wider interval distinguishes a gain of 1 with standard deviation 1 from none.
  func power(subjects: Int) throws -> Double {
    let stream = RandomStream(seed: 12, purpose: "power of \(subjects)")
    let found = try (0..<runs).count { run in
      let gains = (0..<subjects).map { _ in stream.gaussian(mean: 1) }
      let sample = ClusterSample.mean(of: gains, resamples: resamples, seed: UInt64(run))
      return try min(sample.clusterT().lower, sample.bca().lower) > 0
    }
    return Double(found) / Double(runs)
  }

  private func contains(_ interval: Interval) -> Bool { interval.lower <= 0 && 0 <= interval.upper }

  /// The interval that takes frames for independent: the warning.
  private func isWithinFramewise(_ frames: [Double]) -> Bool {
    let count = Double(frames.count)
    let mean = frames.reduce(0, +) / count
    let variance = frames.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / (count - 1)
    return mean.magnitude <= 1.96 * (variance / count).squareRoot()
  }
}

extension ClusterSample {
  /// The mean over clusters of equal weight, resampled.
  static func mean(of values: [Double], resamples: Int, seed: UInt64) -> ClusterSample {
    let draws = ClusterResamples(
      clusters: values.count, count: resamples,
      stream: RandomStream(seed: seed, purpose: "bootstrap"))
    return make(draws) { drawn in
      [drawn.reduce(0) { $0 + values[$1] } / Double(drawn.count)]
    }[0]
  }

  /// Quantiles of the resamples (type 7), equal tails: 95 %.
  ///
  /// - Source: Efron 1979, Annals of Statistics 7:1; by clusters Field and Welsh 2007, JRSS B 69:369.
  func percentile() throws(UndefinedReason) -> ClosedRange<Double> {
    guard let ends = Description.quantiles(try definedReplicates(), at: [0.025, 0.975]) else {
      throw .undefinedReplicates
    }
    return ends[0]...ends[1]
  }
}
