import Testing

@testable import Evaluation

/// A small instance of `experiments/regret/regret.py`: five people are drawn, the best threshold for them
/// is found, and the people who were not drawn judge what advice ships.
@Suite("Regret of advice")
struct RegretTests {
  private static let people = 40
  private static let thresholds = (0..<41).map { -0.5 + 0.05 * Double($0) }
  private static let frames = 60

  /// What advice loses to the better of both sides, in points, over draws that can gain so much.
  private struct Loss {
    var (keep, take, advice) = (0.0, 0.0, 0.0)
    var (taken, harmed) = (0, 0)
    var draws = 0
  }

  @Test("Betting loses less than keeping, and does less harm than taking")
  func regret() {
    var all = Loss()
    for gain in [0.0, 0.05, 0.1] {
      let loss = Self.loss(gain: gain, draws: 120)
      all.keep += loss.keep
      all.take += loss.take
      all.advice += loss.advice
      if gain == 0 {
        #expect(loss.harmed * 2 < loss.draws, "an idle change is taken rarely")
      }
      if gain == 0.1 { #expect(loss.taken * 10 > 8 * loss.draws, "a real one mostly") }
    }
    #expect(all.advice < all.keep / 3)
    #expect(all.advice < all.take + 0.5 * 360)
  }

  private static func loss(gain: Double, draws: Int) -> Loss {
    var random = NumberStream(state: UInt64(1000 * gain) + 3)
    let population = (0..<people).map { _ in Person(&random) }
    let shares = thresholds.map { share(population, $0) }
    let best = shares.max() ?? 0
    let start =
      thresholds.indices.min {
        (best - shares[$0] - gain).magnitude < (best - shares[$1] - gain).magnitude
      } ?? 0
    var loss = Loss()
    for _ in 0..<draws {
      var order = Array(population.indices)
      for place in 0..<5 {
        order.swapAt(place, place + Int(random.next() * Double(people - place)))
      }
      let drawn = order.prefix(5).map { population[$0] }
      let others = order.dropFirst(5).map { population[$0] }
      let found = thresholds.indices.max {
        share(drawn, thresholds[$0]) < share(drawn, thresholds[$1])
      }
      let counts = PairedCounts(
        drawn.map { $0.unit(thresholds[start], thresholds[found ?? start]) })
      let (kept, changed) = (
        share(others, thresholds[start]), share(others, thresholds[found ?? start])
      )
      let takes = Advice(counts, settings: 1)?.step.takes ?? false
      let (better, shipped) = (max(kept, changed), takes ? changed : kept)
      loss.keep += 100 * (better - kept)
      loss.take += 100 * (better - changed)
      loss.advice += 100 * (better - shipped)
      loss.taken += takes ? 1 : 0
      loss.harmed += takes && changed < kept - 0.005 ? 1 : 0
      loss.draws += 1
    }
    return loss
  }

  private static func share(_ people: [Person], _ threshold: Double) -> Double {
    let total = Double(frames * people.count)
    return people.reduce(0) { $0 + $1.right(threshold).reduce(0, +) } / total / 2
  }

  /// A number below the threshold is one class, above it the other; each person has a shift.
  private struct Person {
    let low: [Double]
    let high: [Double]

    init(_ random: inout NumberStream) {
      let shift = 0.25 * random.normal()
      low = (0..<RegretTests.frames).map { _ in shift + 0.3 * random.normal() }
      high = (0..<RegretTests.frames).map { _ in 1 + shift + 0.3 * random.normal() }
    }

    /// How many frames of either class are right.
    func right(_ threshold: Double) -> [Double] {
      [Double(low.count { $0 < threshold }), Double(high.count { $0 >= threshold })]
    }

    func unit(_ before: Double, _ after: Double) -> PairedCounts.Unit {
      let amount = Double(RegretTests.frames)
      return PairedCounts.Unit(right(before), right(after), [amount, amount])
    }
  }
}
