@testable import Statistics

/// Draws subjects of a normal population repeatedly, and counts the findings.
struct CoverageSimulation {
  let runs: Int
  let resamples: Int

  /// How often each method's interval contains the true mean of 0.
  struct Coverage {
    var clusterT = 0.0
    var percentile = 0.0
    var framewise = 0.0
    /// The percentile's, of every thousand runs by itself.
    var percentileByThousand: [Double] = []
  }

  /// Subjects of standard normal means, each with frames that vary half as much around it.
  func coverage(subjects: Int, framesPerSubject: Int = 100) throws -> Coverage {
    let stream = RandomStream(seed: 11, purpose: "coverage of \(subjects)")
    var result = Coverage()
    var thousand = 0.0
    for run in 0..<runs {
      let means = (0..<subjects).map { _ in stream.gaussian() }
      let sample = Self.sample(means, resamples: resamples, seed: UInt64(run))
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
    /// Standard normal.
    case normal
    /// Student's t with three degrees of freedom: now and then somebody far off.
    case heavyTailed = "heavy tails (t3)"
    /// One subject in eight is ten standard deviations worse than the rest.
    case contaminated = "one in eight bad"

    /// One subject's number.
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
      let sample = Self.sample(values, resamples: resamples, seed: UInt64(run))
      let (t, bca) = (try sample.clusterT(), try sample.bca())
      if contains(t) { hits.clusterT += 1 }
      if contains(bca) { hits.bca += 1 }
      if contains(t.width >= bca.width ? t : bca) { hits.wider += 1 }
    }
    let count = Double(runs)
    return (
      Double(hits.clusterT) / count, Double(hits.bca) / count, Double(hits.wider) / count
    )
  }

  /// How often the wider interval distinguishes a gain of 1 with standard deviation 1 from none.
  func power(subjects: Int) throws -> Double {
    let stream = RandomStream(seed: 12, purpose: "power of \(subjects)")
    let found = try (0..<runs).count { run in
      let gains = (0..<subjects).map { _ in stream.gaussian(mean: 1) }
      let sample = Self.sample(gains, resamples: resamples, seed: UInt64(run))
      return try min(sample.clusterT().lower, sample.bca().lower) > 0
    }
    return Double(found) / Double(runs)
  }

  private func contains(_ interval: Interval) -> Bool {
    interval.lower <= 0 && 0 <= interval.upper
  }

  /// The interval that takes frames for independent: the warning.
  private func isWithinFramewise(_ frames: [Double]) -> Bool {
    let count = Double(frames.count)
    let mean = frames.reduce(0, +) / count
    let variance = frames.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / (count - 1)
    return mean.magnitude <= 1.96 * (variance / count).squareRoot()
  }

  private static func sample(_ values: [Double], resamples: Int, seed: UInt64) -> ClusterSample {
    let draws = ClusterResamples(
      clusters: values.count, count: resamples,
      stream: RandomStream(seed: seed, purpose: "bootstrap"))
    return ClusterSample.make(draws) { drawn in
      [drawn.reduce(0) { $0 + values[$1] } / Double(drawn.count)]
    }[0]
  }
}

extension ClusterSample {
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
