import Testing

@testable import Statistics

@Suite("Random streams") struct RandomStreamTests {
  private static let count = 40_000

  private func sample(_ purpose: String = "test", _ draw: (RandomStream) -> Double) -> [Double] {
    let stream = RandomStream(seed: 20_260_117, purpose: purpose)
    return (0..<Self.count).map { _ in draw(stream) }
  }

  private func mean(_ values: [Double]) -> Double { values.reduce(0, +) / Double(values.count) }

  private func variance(_ values: [Double]) -> Double {
    let center = mean(values)
    return mean(values.map { ($0 - center) * ($0 - center) })
  }

  @Test("Seeds and purposes that hardly differ give unrelated numbers")
  func unrelated() {
    let base = sample("noise.white") { $0.uniform() }
    for other in [
      sample("noise.whitf") { $0.uniform() },
      (0..<Self.count).map { [stream = RandomStream(seed: 20_260_118, purpose: "noise.white")] _ in
        stream.uniform()
      },
    ] {
      let product = zip(base, other).map { ($0 - 0.5) * ($1 - 0.5) * 12 }
      #expect(mean(product).magnitude < 4 / Double(Self.count).squareRoot())
    }
  }

  @Test("The derivation of a seed is pinned: changing it changes every recording")
  func pinnedSeeds() {
    #expect(StreamSeed.derive(seed: 1, purpose: "noise.white") == PinnedSeeds.noiseWhite)
    #expect(StreamSeed.derive(seed: 0, purpose: "") == PinnedSeeds.empty)
    #expect(StreamSeed.derive64(seed: 1, purpose: "session.0") == PinnedSeeds.session)
  }

  @Test("Ten thousand purposes of one seed meet in at most two 32-bit seeds")
  func fewCollisions() {
    let seeds = Set((0..<10_000).map { StreamSeed.derive(seed: 3, purpose: "session.\($0)") })
    #expect(seeds.count >= 9_998)
  }

  @Test("Uniform numbers lie in [0, 1) with mean 1/2 and variance 1/12")
  func uniform() {
    let values = sample { $0.uniform() }
    #expect(values.allSatisfy { (0..<1).contains($0) })
    #expect((mean(values) - 0.5).magnitude < 0.006)
    #expect((variance(values) - 1.0 / 12).magnitude < 0.002)
  }

  @Test("Normal numbers have the mean, spread and tails asked for")
  func gaussian() {
    let values = sample { $0.gaussian(mean: 3, standardDeviation: 2) }
    #expect((mean(values) - 3).magnitude < 0.04)
    #expect((variance(values) - 4).magnitude < 0.12)
    let outside = values.count { ($0 - 3).magnitude > 2 * 1.959964 }
    #expect((Double(outside) / Double(values.count) - 0.05).magnitude < 0.005)
  }

  @Test("The median of lognormal numbers is exp of the log mean")
  func lognormal() {
    let values = sample { $0.lognormal(logMean: 0.5, logStandardDeviation: 0.4) }.sorted()
    #expect((values[Self.count / 2] - 1.648721).magnitude < 0.03)
    #expect(values[0] > 0)
  }

  @Test("Events happen as often as asked", arguments: [0, 0.02, 0.5, 1])
  func bernoulli(probability: Double) {
    let share = mean(sample { $0.bernoulli(probability) ? 1 : 0 })
    #expect(
      (share - probability).magnitude <= 4 * (probability * (1 - probability) / 4e4).squareRoot())
  }

  @Test("A permutation holds every index once, and each place is equally likely")
  func permutation() {
    let stream = RandomStream(seed: 5, purpose: "permutation")
    var firsts = Array(repeating: 0, count: 4)
    for _ in 0..<4000 {
      let order = stream.permutation(of: 4)
      #expect(order.sorted() == [0, 1, 2, 3])
      firsts[order[0]] += 1
    }
    #expect(firsts.allSatisfy { (880...1120).contains($0) })
    #expect(stream.permutation(of: 0).isEmpty)
  }
}

/// Seeds as they were first derived; computed once with an independent implementation.
private enum PinnedSeeds {
  static let noiseWhite: UInt32 = 4_191_947_153
  static let empty: UInt32 = 323_210_080
  static let session: UInt64 = 12_686_138_920_203_122_952
}

@Suite("Simplex minimizer")
struct SimplexMinimizerTests {
  @Test("It finds the bottom of a bowl", arguments: [[0.0, 0], [5, -7], [-3, 100]])
  func bowl(start: [Double]) {
    let minimum = SimplexMinimizer(tolerance: 1e-4, maximumSteps: 500)
      .minimize(from: start, stepSizes: [1, 1]) { point in
        let (x, y) = (point[0] - 1, point[1] + 2)
        return x * x + 3 * y * y + 4
      }
    #expect(minimum.isConverged)
    #expect(abs(minimum.point[0] - 1) < 1e-3 && abs(minimum.point[1] + 2) < 1e-3)
    #expect(abs(minimum.value - 4) < 1e-5)
  }

  @Test("It follows Rosenbrock's curved valley")
  func valley() {
    let minimum = SimplexMinimizer(tolerance: 1e-6, maximumSteps: 1000)
      .minimize(from: [-1.2, 1], stepSizes: [0.5, 0.5]) { point in
        let (a, b) = (1 - point[0], point[1] - point[0] * point[0])
        return a * a + 100 * b * b
      }
    #expect(abs(minimum.point[0] - 1) < 1e-3 && abs(minimum.point[1] - 1) < 1e-3)
  }

  @Test("Where a function has no number it is very large")
  func notFinite() {
    let minimum = SimplexMinimizer(tolerance: 1e-6).minimize(from: [2], stepSizes: [0.5]) {
      $0[0] < 1 ? .nan : $0[0]
    }
    #expect(abs(minimum.point[0] - 1) < 1e-3)
  }

  @Test("Out of steps, it says that it did not converge")
  func steps() {
    let minimum = SimplexMinimizer(tolerance: 1e-12, maximumSteps: 3)
      .minimize(from: [9, 9], stepSizes: [1, 1]) { $0[0] * $0[0] + $0[1] * $0[1] }
    #expect(!minimum.isConverged && minimum.steps == 3)
  }
}
