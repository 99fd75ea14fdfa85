import Evaluation
import PoseModel
import Statistics
import Testing

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
      agreement.plank.commonSeconds[Int(PlankClass.forearm.code), Int(PlankClass.high.code)]
        == 10)
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

  @Test("Swapping the two people transposes the table and turns the offsets around")
  func symmetry() throws {
    let one: [Stretch] = [(0, 12, PlankClass.none), (12, 30, .high), (30, 41, .forearm)]
    let other: [Stretch] = [(0, 12.5, PlankClass.none), (12.5, 29, .high), (29, 45, .forearm)]
    let there = try compare(first: one, second: other).plank
    let back = try compare(first: other, second: one).plank
    #expect(there.cohenKappa == back.cohenKappa)
    #expect(there.boundaries.median == back.boundaries.median)
    #expect(there.boundaries.offsets == back.boundaries.offsets.map { -$0 })
    #expect(there.firstOnly == back.secondOnly)
    for a in PlankClass.allCases.indices {
      for b in PlankClass.allCases.indices {
        #expect(there.commonSeconds[a, b] == back.commonSeconds[b, a])
      }
    }
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
      LabeledSegment(start: Seconds(0), end: Seconds(10), plank: .high, form: .aligned),
      LabeledSegment(start: Seconds(10), end: Seconds(20), plank: .high, form: .sag),
      LabeledSegment(start: Seconds(20), end: Seconds(30), plank: .high),
    ])
    let second = try LabelTrack([
      LabeledSegment(start: Seconds(0), end: Seconds(12), plank: .high, form: .aligned),
      LabeledSegment(start: Seconds(12), end: Seconds(30), plank: .high, form: .sag),
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
            start: Seconds(Double(frame)), end: Seconds(Double(frame) + 1),
            plank: PlankClass(code: UInt8(isWrong ? other : code)))
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

  @Test("Reports list every number once, with its unit and its stream")
  func rows() throws {
    let rows = try compare(first: [(0, 9, .high)], second: [(0, 9, .high)]).rows
    #expect(Set(rows.map(\.name)).count == rows.count)
    #expect(rows.first?.name == "plank.annotators_cohen_kappa")
    #expect(rows.allSatisfy { $0.name.hasSuffix("_s") == ($0.unit == "s") })
  }
}

/// Start and end in seconds, and the class, or nil for ignore.
typealias Stretch = (start: Double, end: Double, plank: PlankClass?)

/// Makes a track of stretches.
func track(_ stretches: [Stretch]) throws -> LabelTrack {
  try LabelTrack(
    stretches.map {
      LabeledSegment(start: Seconds($0.start), end: Seconds($0.end), plank: $0.plank)
    })
}

/// Compares two people's labels at one frame per second.
func compare(
  first: [Stretch], second: [Stretch], window: Double = 1
) throws -> LabelAgreement {
  LabelAgreement(
    first: try track(first), second: try track(second), times: (0..<60).map(Double.init),
    frameWeight: Seconds(1), window: Seconds(window))
}
