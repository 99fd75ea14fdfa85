import PoseModel
import Statistics
import TestSupport
import Testing

@testable import Evaluation

@Suite("Agreement of two people")
struct LabelAgreementTests {
  @Test("Kappa of a table of 20, 5, 10 and 15 frames is 0.4, and agreement 0.7")
  func kappa() throws {
    // Cohen's kappa by hand: p_o = 35/50, p_e = (25 x 30 + 25 x 20)/2500 = 0.5.
    let agreement = try compare(
      first: [(0, 25, .high), (25, 50, .forearm)],
      second: [(0, 20, .high), (20, 25, .forearm), (25, 35, .high), (35, 50, .forearm)])
    #expect(abs(try #require(agreement.plank.cohenKappa.number) - 0.4) < 1e-12)
    #expect(abs(try #require(agreement.plank.agreement.number) - 0.7) < 1e-12)
    #expect(agreement.plank.commonSeconds.total == 50)
    #expect(
      agreement.plank.commonSeconds[Int(PlankClass.forearm.code), Int(PlankClass.high.code)] == 10)
    #expect(agreement.plank.oneSidedShare == .value(0))
  }

  @Test("Time that only one labeled is counted apart and not part of kappa")
  func oneSided() throws {
    let agreement = try compare(
      first: [(0, 10, .high), (10, 20, .forearm), (20, 30, nil)],
      second: [(5, 10, .high), (10, 15, .forearm), (15, 20, nil), (20, 35, .high)])
    let plank = agreement.plank
    #expect(plank.commonSeconds.total == 10)
    #expect(plank.cohenKappa == .value(1))
    #expect(plank.firstOnly == Seconds(10))
    #expect(plank.secondOnly == Seconds(15))
    #expect(plank.oneSidedShare == .value(25.0 / 35))
  }

  @Test("A value that does not exist has a reason")
  func undefined() throws {
    let same = try compare(first: [(0, 9, .high)], second: [(0, 9, .high)]).plank
    #expect(same.agreement == .value(1))
    #expect(same.cohenKappa == .undefined(.bothAlike))
    #expect(same.boundaries.median == .undefined(.noMatchedBoundary))
    #expect(same.boundaries.largest.reason == .noMatchedBoundary)
    let apart = try compare(first: [(0, 9, .high)], second: [(9, 20, .high)]).plank
    #expect(apart.cohenKappa == .undefined(.noCommonTime))
    #expect(apart.oneSidedShare == .value(1))
    let empty = try compare(first: [], second: []).plank
    #expect(empty.oneSidedShare == .undefined(.nothingLabeled))
    #expect(empty.agreement == .undefined(.noCommonTime))
  }

  @Test("Form is compared in frames for which both gave one")
  func form() throws {
    let first = try LabelTrack([
      LabeledSegment(0, 10, .high, .aligned), LabeledSegment(10, 20, .high, .sag),
      LabeledSegment(20, 30, .high),
    ])
    let second = try LabelTrack([
      LabeledSegment(0, 12, .high, .aligned), LabeledSegment(12, 30, .high, .sag),
    ])
    let form = LabelAgreement(
      first: first, second: second, times: (0..<30).map(Double.init), frameWeight: Seconds(1)
    ).form
    #expect(form.commonSeconds.total == 20)
    #expect(form.secondOnly == Seconds(10))
    #expect(form.agreement == .value(0.9))
    #expect(form.boundaries.offsets.isEmpty)
    #expect(form.boundaries.firstUnmatched == 1)
  }

  @Test("Recordings pool by their sums, seconds by each one's frame weight")
  func pooling() throws {
    var pool = try compare(first: [(0, 10, .high)], second: [(0, 10, .forearm)])
    let other = LabelAgreement(
      first: try track([(0, 1, PlankClass.none), (1, 10, .high)]),
      second: try track([(0, 1.25, PlankClass.none), (1.25, 10, .high)]),
      times: (0..<40).map { Double($0) / 4 }, frameWeight: Seconds(0.25))
    pool += other
    #expect(pool.plank.commonSeconds.total == 20)
    #expect(abs(try #require(pool.plank.agreement.number) - 9.75 / 20) < 1e-12)
    #expect(pool.plank.boundaries.offsets == [0.25])
  }

  @Test("Without a recording an even grid takes its place")
  func grid() throws {
    let agreement = LabelAgreement(
      first: try track([(1, 11, .high)]), second: try track([(6, 16, .high)]), rate: Hertz(10))
    #expect(abs(agreement.plank.commonSeconds.total - 5) < 1e-9)
    #expect(abs(agreement.plank.firstOnly.value - 5) < 1e-9)
    let nothing = LabelAgreement(first: try track([]), second: try track([]), rate: Hertz(10))
    #expect(nothing.plank.agreement == .undefined(.noCommonTime))
  }

  @Test(
    "People who err independently agree as the product of their agreements with the truth",
    arguments: [(0.02, 2), (0.1, 2), (0.1, 4), (0.25, 4)])
  func independentErrors(rate: Double, classes: Int) throws {
    let stream = RandomStream(seed: 1, purpose: "annotators")
    let times = (0..<60_000).map(Double.init)
    let truth = times.indices.map { $0 / 10 % classes }
    func labels(_ rate: Double) throws -> LabelTrack {
      try LabelTrack(
        truth.enumerated().map { frame, code in
          let isWrong = stream.uniform() < rate
          let other = (code + 1 + Int(stream.uniform() * Double(classes - 1))) % classes
          return LabeledSegment(
            Double(frame), Double(frame) + 1, PlankClass(code: UInt8(isWrong ? other : code)))
        })
    }
    let (right, first, second) = (try labels(0), try labels(rate), try labels(rate))
    func agreement(_ one: LabelTrack, _ other: LabelTrack) -> StreamAgreement {
      LabelAgreement(first: one, second: other, times: times, frameWeight: Seconds(1)).plank
    }
    let reached = try #require(agreement(right, first).cohenKappa.number)
    let predicted = try #require(agreement(first, second).perfectKappa.number)
    // With more classes than two, both may make the same mistake by chance.
    #expect(abs(reached - predicted) < (classes == 2 ? 0.01 : 0.04), "\(reached), \(predicted)")
    #expect(reached > (try #require(agreement(first, second).cohenKappa.number)))
  }

  @Test("People who agree no better than by chance say nothing about a perfect detector")
  func noAgreement() throws {
    let stretches: [Stretch] = [(0, 10, .high), (10, 20, .forearm)]
    let opposite: [Stretch] = [(0, 10, .forearm), (10, 20, .high)]
    let apart = try compare(first: stretches, second: opposite).plank
    #expect(apart.perfectKappa == .undefined(.noAgreementBeyondChance))
    let empty = try compare(first: [], second: []).plank
    #expect(empty.perfectKappa == .undefined(.noCommonTime))
  }
}

/// Start and end in seconds, and the class, or nil for ignore.
typealias Stretch = (start: Double, end: Double, plank: PlankClass?)

func track(_ stretches: [Stretch]) throws -> LabelTrack {
  try LabelTrack(stretches.map { LabeledSegment($0.start, $0.end, $0.plank) })
}

/// Compares two people's labels at one frame per second.
func compare(first: [Stretch], second: [Stretch], window: Double = 1) throws -> LabelAgreement {
  LabelAgreement(
    first: try track(first), second: try track(second), times: (0..<60).map(Double.init),
    frameWeight: Seconds(1), window: Seconds(window))
}

@Suite("Agreement on boundaries")
struct BoundaryAgreementTests {
  @Test("Differences are those of matched boundaries; the others are counted")
  func differences() throws {
    let boundaries = try compare(
      first: [
        (0, 10, PlankClass.none), (10, 20, .high), (20, 30, .forearm), (30, 40, PlankClass.none),
        (40, 50, .high),
      ],
      second: [
        (0, 10.25, PlankClass.none), (10.25, 19.5, .high), (19.5, 30, .forearm),
        (30, 45, PlankClass.none), (45, 50, .high),
      ]
    ).plank.boundaries
    #expect(boundaries.offsets.sorted() == [-0.5, 0, 0.25])
    #expect(boundaries.matched == 3)
    #expect(boundaries.firstUnmatched == 1)
    #expect(boundaries.secondUnmatched == 1)
    #expect(boundaries.median == .value(0.25))
    #expect(boundaries.ninetiethPercentile == .value(0.45))
    #expect(boundaries.largest == .value(0.5))
    #expect(boundaries.medianOffset == .value(0))
  }

  @Test(
    "A person who ignores transitions and one who does not are compared by the starts of classes")
  func transitions() throws {
    let boundaries = try compare(
      first: [
        (0, 4, PlankClass.none), (4, 5, nil), (5, 20, .high), (22, 30, .high),
        (30, 40, PlankClass.none),
      ], second: [(0, 4.75, PlankClass.none), (4.75, 30.5, .high), (30.5, 40, PlankClass.none)]
    ).plank.boundaries
    #expect(boundaries.offsets == [0.5, -0.25])
    #expect(boundaries.firstUnmatched + boundaries.secondUnmatched == 0)
  }

  @Test("The window is included, and what lies beyond has no counterpart", arguments: [1.0, 0.999])
  func window(_ window: Double) throws {
    let boundaries = try compare(
      first: [(0, 10, PlankClass.none), (10, 20, .high)],
      second: [(0, 11, PlankClass.none), (11, 20, .high)], window: window
    ).plank.boundaries
    #expect(boundaries.matched == (window == 1 ? 1 : 0))
  }

  @Test("Boundaries to different classes never match")
  func classes() throws {
    let boundaries = try compare(
      first: [(0, 10, PlankClass.none), (10, 20, .high)],
      second: [(0, 10, PlankClass.none), (10, 20, .forearm)]
    ).plank.boundaries
    #expect(boundaries.matched == 0)
    #expect(boundaries.firstUnmatched == 1)
    #expect(boundaries.secondUnmatched == 1)
  }
}

@Suite("Matchings against all matchings") struct BoundaryMatchingOracleTests {
  @Test("No other matching has more pairs, or as many at less distance", arguments: 1...60)
  func best(seed: Int) {
    var random = NumberStream(state: UInt64(seed))
    func next(_ bound: UInt64) -> Double { Double((random.advance() >> 33) % bound) }
    let left = (0..<Int(next(6))).map { _ in next(40) / 4 }.sorted()
    let right = (0..<Int(next(6))).map { _ in next(40) / 4 }.sorted()
    let offsets = BoundaryMatching(left, right, within: 1).offsets
    let (pairs, distance) = Self.best(left[...], right, within: 1)
    #expect(offsets.count == pairs)
    #expect(abs(offsets.map(\.magnitude).reduce(0, +) - distance) < 1e-12)
  }

  @Test("Boundaries of a day, two per second, are matched without a table of all pairs")
  func day() {
    let left = (0..<172_800).map { Double($0) / 2 }
    let offsets = BoundaryMatching(left, left.map { $0 + 0.125 }, within: 1).offsets
    #expect(offsets.count == left.count && offsets.allSatisfy { $0 == 0.125 })
  }

  static func best(
    _ left: ArraySlice<Double>, _ right: [Double], within bound: Double
  ) -> (pairs: Int, distance: Double) {
    guard let first = left.first else { return (0, 0) }
    var best = Self.best(left.dropFirst(), right, within: bound)
    for (index, time) in right.enumerated() where abs(time - first) <= bound {
      var rest = right
      rest.remove(at: index)
      var found = Self.best(left.dropFirst(), rest, within: bound)
      found.pairs += 1
      found.distance += abs(time - first)
      if (found.pairs, -found.distance) > (best.pairs, -best.distance) { best = found }
    }
    return best
  }
}
