import Testing

@testable import Evaluation

@Suite("Advice") struct AdviceTests {
  @Test(
    "People who gain alike: six are a proof, fewer are a bet, and the mirror keeps as strongly",
    arguments: [(1, false), (3, false), (5, false), (6, true), (12, true)])
  func alike(people: Int, isProven: Bool) throws {
    let counts = Self.alike(people, change: 0.1)
    let advice = try #require(Advice(counts, settings: 1))
    #expect(advice.step == (isProven ? .takeProven : .takeLikely))
    #expect(advice.ships == .after)
    #expect(advice.people == people && advice.helped == people && advice.hurt == 0)
    let mirror = try #require(Advice(Self.swapped(counts), settings: 1))
    #expect(mirror.step == (isProven ? .keepProven : .keepLikely))
    #expect(mirror.ships == .before)
    #expect(abs(mirror.better - (1 - advice.better)) < 0.03)
  }

  @Test("Candidates beside it, and people without names, take a proof away")
  func proofs() throws {
    #expect(Advice(Self.alike(6, change: 0.1), settings: 1, candidates: 5)?.step == .takeLikely)
    let unnamed = PairedCounts(Self.alike(12, change: 0.1).units, unnamed: 12)
    let advice = try #require(Advice(unnamed, settings: 1))
    #expect(advice.step == .takeLikely)
    #expect(advice.sentence.contains("12 recordings of unnamed people"))
    #expect(advice.sentence.contains("97 in 100"))
  }

  @Test("The same answers, and answers that help as many as they hurt, are either")
  func either() throws {
    let same = try #require(Advice(Self.alike(5, change: 0), settings: 1))
    #expect(same.step == .same)
    #expect(same.sentence == "Either: the answers are the same.")
    let units = (0..<8).map { Self.unit([5, 5], [$0 < 4 ? 6 : 4, 5], [10, 10]) }
    #expect(Advice(PairedCounts(units), settings: 1)?.step == .either)
  }

  @Test("One of eight is hurt: likely, and counted")
  func oneHurt() throws {
    let changes = [1.0, 1, 1, 1, 2, 2, 2, -1]
    let units = changes.map { Self.unit([5, 5], [5 + $0, 5], [10, 10]) }
    let advice = try #require(Advice(PairedCounts(units), settings: 1))
    #expect(advice.step == .takeLikely)
    #expect((advice.helped, advice.hurt) == (7, 1))
  }

  @Test("A source that loses is named, and nothing is proven")
  func sources() throws {
    let units =
      (0..<8).map { _ in Self.unit([5], [8], [10], "a") }
      + (0..<8).map { _ in Self.unit([5], [4], [10], "b") }
    let advice = try #require(Advice(PairedCounts(units), settings: 1))
    #expect(advice.against == ["b"])
    #expect(advice.step == .takeLikely)
    #expect(advice.sentence.hasSuffix("from 16 people; the opposite in b."))
  }

  @Test("A point is taken where it is proven, and not worth a bet")
  func worth() throws {
    let proven = try #require(Advice(Self.alike(100, change: 0.012), settings: 1))
    #expect(proven.step == .takeProven && proven.expected < 0.015)
    let bet = try #require(Advice(Self.alike(4, change: 0.012), settings: 1))
    #expect(bet.step == .either && bet.ships == .before)
  }

  @Test("Names and their order change nothing; nor does the order of recordings")
  func order() throws {
    let frames = (0..<6).map { index in
      (
        before: Self.frames("r\(index)", "p\(index % 3)", right: 3 + Double(index)),
        after: Self.frames("r\(index)", "p\(index % 3)", right: 9)
      )
    }
    let first = Advice(PairedCounts(frames.map(\.before), frames.map(\.after)), settings: 1)
    let renamed = frames.enumerated().map { index, pair in
      (
        before: Self.frames(
          "x" + String(pair.before.name.reversed()), "q" + pair.before.subject!,
          right: 3 + Double(index)),
        after: Self.frames("x" + String(pair.before.name.reversed()), "a", right: 9)
      )
    }.reversed()
    #expect(first == Advice(PairedCounts(renamed.map(\.before), renamed.map(\.after)), settings: 1))
  }

  @Test("The last digits of seconds, which follow the start of a clock, change no draw")
  func clock() throws {
    func advice(_ digits: [Double]) throws -> Advice {
      let units = digits.enumerated().map { index, digit in
        let (scored, before, after) = (12 + digit, Double(index), Double(2 * index % 5))
        return PairedCounts.Unit(
          amounts: SIMD8(scored, 9, 0, 0, 0, 0, 0, 0), before: SIMD8(before, 3, 0, 0, 0, 0, 0, 0),
          after: SIMD8(after, 4, 0, 0, 0, 0, 0, 0))
      }
      return try #require(Advice(PairedCounts(units), settings: 1))
    }
    let exact = try advice([0, 0, 0, 0, 0])
    let shifted = try advice([3e-11, -2e-11, 1e-11, -3e-11, 2e-11])
    #expect(shifted.better == exact.better)
    #expect(abs(shifted.expected - exact.expected) < 1e-9 && abs(shifted.low - exact.low) < 1e-9)
  }

  /// Numbers of an independent implementation in numpy, the mean of five seeds.
  @Test(
    "Gain, people that count, and what is expected equal another program's",
    arguments: [
      (
        amounts: [[15.0, 17], [5, 17], [12, 12]], before: [[7.0, 5], [2, 9], [3, 3]],
        after: [[6.0, 9], [1, 11], [6, 2]], settings: 1, gain: 0.069973, expected: 0.0392,
        effective: 2.891
      ),
      (
        amounts: [[10.0, 15], [6, 18], [10, 8], [13, 18], [18, 18]],
        before: [[3.0, 10], [1, 10], [5, 3], [6, 14], [8, 7]],
        after: [[2.0, 12], [3, 11], [4, 6], [9, 13], [6, 7]], settings: 1, gain: 0.041239,
        expected: 0.0251, effective: 4.7317
      ),
      (
        amounts: [[7.0, 16], [12, 12], [9, 12], [19, 8], [16, 5]],
        before: [[6.0, 5], [9, 6], [7, 6], [16, 5], [7, 3]],
        after: [[5.0, 7], [12, 8], [9, 7], [19, 4], [7, 5]], settings: 3, gain: 0.112159,
        expected: 0.0825, effective: 4.9577
      ),
    ])
  func reference(
    _ example: (
      amounts: [[Double]], before: [[Double]], after: [[Double]], settings: Int, gain: Double,
      expected: Double, effective: Double
    )
  ) throws {
    let counts = PairedCounts(
      example.amounts.indices.map {
        Self.unit(example.before[$0], example.after[$0], example.amounts[$0])
      })
    let advice = try #require(Advice(counts, settings: example.settings))
    #expect(abs(advice.gain - example.gain) < 1e-6)
    #expect(abs(advice.effective - example.effective) < 1e-4)
    #expect(abs(advice.expected - example.expected) < 0.003)
    #expect(abs(counts.expectedGain() - advice.expected) < 0.02)
  }

  @Test("A rate is judged in its own unit: fewer is better")
  func rates() throws {
    let units = [40.0, 50, 60, 55, 45, 52].map { Self.unit([$0], [2], [1]) }
    let now = 302.0 / 6
    let advice = try #require(
      Advice(PairedCounts(units), settings: 1, in: .rate("flickers per minute", now: now)))
    #expect(advice.step == .takeProven)
    #expect(advice.gain > 0 && advice.high <= now)
    #expect(advice.sentence.hasPrefix("Take it (proven): -40.5 "))
    #expect(advice.sentence.contains("flickers per minute"))
  }

  @Test("Nothing counted is no advice; undecided recordings are left out")
  func nothing() throws {
    #expect(Advice(PairedCounts([Self.unit([0], [0], [0])]), settings: 1) == nil)
    let units = Self.alike(3, change: 0.1).units + [Self.unit([0], [0], [0])]
    #expect(Advice(PairedCounts(units), settings: 1)?.people == 3)
  }

  @Test(
    "Nine of ten intervals hold the mean of the people that they were drawn from",
    arguments: [4, 8, 20])
  func coverage(people: Int) throws {
    var random = NumberStream(state: 7)
    let runs = 150
    var held = 0
    for _ in 0..<runs {
      let units = (0..<people).map { _ in
        Self.unit([50], [50 + 20 * (random.next() + random.next() - 1) + 5], [100])
      }
      let advice = try #require(Advice(PairedCounts(units), settings: 0))
      held += advice.low <= 0.05 && 0.05 <= advice.high ? 1 : 0
    }
    #expect(Double(held) / Double(runs) > 0.86)
  }

  private static func alike(_ people: Int, change: Double) -> PairedCounts {
    PairedCounts(
      (0..<people).map { _ in unit([5, 5], [5 + 10 * change, 5 + 10 * change], [10, 10]) })
  }

  private static func swapped(_ counts: PairedCounts) -> PairedCounts {
    PairedCounts(
      counts.units.map {
        PairedCounts.Unit(
          source: $0.source, amounts: $0.amounts, before: $0.after, after: $0.before)
      })
  }

  private static func unit(
    _ before: [Double], _ after: [Double], _ amounts: [Double], _ source: String = ""
  ) -> PairedCounts.Unit {
    PairedCounts.Unit(before, after, amounts, source: source)
  }

  private static func frames(_ name: String, _ subject: String, right: Double) -> RightSeconds {
    RightSeconds(
      name: name, subject: subject, source: nil, scored: SIMD8(1, 0, 0, 0, 0, 0, 0, 0),
      right: SIMD8(right * 0.1, 0, 0, 0, 0, 0, 0, 0))
  }
}
