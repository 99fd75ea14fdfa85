import PlankDetection
import PoseModel
import TestSupport
import Testing

@Suite("Debounce") struct DebouncerTests {
  private static let nothing = Debouncer.undetermined

  private func answers(
    _ raw: [UInt8], needed: Int, startsMid: Bool = false, pauses: [Int: Double] = [:]
  ) -> [UInt8] {
    Debouncer(framesNeeded: needed, holdSeconds: Seconds(0.5), startsMid: startsMid)
      .answers(raw, pauses: pauses)
  }

  @Test("A label needs N frames in a row, and then is the answer at once")
  func run() {
    #expect(answers([1, 1, 1, 2, 2, 1, 2, 2, 2], needed: 3) == [0, 0, 1, 1, 1, 1, 1, 1, 2])
  }

  @Test("A dropout holds the answer and neither lengthens nor ends a run")
  func dropout() {
    let n = Self.nothing
    #expect(answers([1, 1, n, n, 1, 1], needed: 3) == [0, 0, 0, 0, 1, 1])
    #expect(answers([1, 1, 1, n, 2, n, 2, n, 2], needed: 3) == [0, 0, 1, 1, 1, 1, 1, 1, 2])
  }

  @Test(
    "The hold's bound is inclusive, with a billionth of a second of tolerance",
    arguments: [(0.5, true), (0.5 + 0.9e-9, true), (0.5 + 1.2e-9, false), (0.499, true)])
  func bound(gap: Double, isHeld: Bool) {
    var debouncer = Debouncer(framesNeeded: 1, holdSeconds: Seconds(0.5))
    _ = debouncer.update(2, at: 1)
    let answer = debouncer.update(Self.nothing, at: 1 + gap)
    #expect(answer == (isHeld ? 2 : 0))
    #expect(debouncer.isHolding == isHeld)
  }

  @Test("Fifteen frames at 30 Hz are half a second, rounded as they may be")
  func decimalTimes() {
    for start in 0..<200 {
      var debouncer = Debouncer(framesNeeded: 1, holdSeconds: Seconds(0.5))
      _ = debouncer.update(1, at: Double(start) / 30)
      #expect(debouncer.update(Self.nothing, at: Double(start + 15) / 30) == 1)
      #expect(debouncer.update(Self.nothing, at: Double(start + 16) / 30) == 0)
    }
  }

  @Test("A gap clears answer and candidate", arguments: [(0.5, false), (0.6, true)])
  func gap(pause: Double, isCleared: Bool) {
    let result = answers([1, 1, 1, 1, 1], needed: 2, pauses: [3: pause])
    #expect(result == (isCleared ? [0, 1, 1, 0, 1] : [0, 1, 1, 1, 1]))
    let other = answers([1, 1, 2, 2, 2], needed: 2, pauses: [3: pause])
    #expect(other == (isCleared ? [0, 1, 1, 0, 2] : [0, 1, 1, 2, 2]))
  }

  @Test("A recording that starts inside a hold answers with its first determined frame")
  func startsMid() {
    let n = Self.nothing
    #expect(answers([n, 3, 2, 2, 2], needed: 3, startsMid: true) == [0, 3, 3, 3, 2])
    #expect(answers([3, 3, 2, 2, 2], needed: 3, startsMid: true) == [3, 3, 3, 3, 2])
  }

  @Test("The candidate and its run can be read")
  func pending() {
    var debouncer = Debouncer(framesNeeded: 3, holdSeconds: Seconds(0.5))
    #expect(debouncer.pending == nil)
    for (index, label) in [UInt8(2), 2, 4].enumerated() {
      _ = debouncer.update(label, at: Double(index) * 0.1)
    }
    #expect(debouncer.pending?.code == 4 && debouncer.pending?.run == 1)
    _ = debouncer.update(4, at: 0.3)
    #expect(debouncer.pending?.code == 4 && debouncer.pending?.run == 2)
  }
}

extension Debouncer {
  /// The answers to raw labels that come every 0.1 s, with pauses before some of them.
  fileprivate func answers(_ raw: [UInt8], pauses: [Int: Double]) -> [UInt8] {
    var debouncer = self
    var time = 0.0
    return raw.enumerated().map { index, label in
      time += index == 0 ? 0 : pauses[index] ?? 0.1
      return debouncer.update(label, at: time)
    }
  }
}

@Suite("Debounce strategies") struct DebounceStrategyTests {
  private static let nothing = Debouncer.undetermined

  private func answers(
    _ raw: [UInt8], _ kind: DebounceKind, _ values: [ParameterKey: Double],
    startsMid: Bool = false, pauses: [Int: Double] = [:]
  ) throws -> [UInt8] {
    Debouncer(try StrategySettings(kind, values), holdSeconds: Seconds(0.5), startsMid: startsMid)
      .answers(raw, pauses: pauses)
  }

  private static let counts: [ParameterKey: Double] = [.enter: 3, .switchOver: 2, .exit: 4]

  @Test("To enter, to switch and to exit each need frames of their own")
  func consecutive() throws {
    let raw: [UInt8] = [1, 1, 1, 2, 2, 0, 0, 0, 0, 2, 2, 2]
    #expect(
      try answers(raw, .consecutive, Self.counts) == [0, 0, 1, 1, 2, 2, 2, 2, 0, 0, 0, 2])
  }

  @Test("Equal counts are the contract's N frames in a row", arguments: 1...5)
  func equalCounts(needed: Int) throws {
    let n = Self.nothing
    let raw: [UInt8] = [1, 1, 2, 1, 1, 1, n, 1, 1, 0, 0, n, n, 0, 0, 0, 0, 3, 3, 3, 3, 3, 3]
    let count = Double(needed)
    var plain = Debouncer(framesNeeded: needed, holdSeconds: Seconds(0.5))
    let expected = raw.enumerated().map { plain.update($1, at: Double($0) * 0.1) }
    let values: [ParameterKey: Double] = [.enter: count, .switchOver: count, .exit: count]
    #expect(try answers(raw, .consecutive, values) == expected)
  }

  @Test("A dwell counts time, not frames: at half the rate half the frames do")
  func dwell() throws {
    let values: [ParameterKey: Double] = [.enter: 0.2, .switchOver: 0.3, .exit: 0.1]
    #expect(
      try answers([1, 1, 1, 2, 2, 2, 2, 0, 0], .dwell, values) == [0, 0, 1, 1, 1, 1, 2, 2, 0])
    #expect(try answers([1, 1, 1], .dwell, values, pauses: [1: 0.2, 2: 0.2]) == [0, 1, 1])
  }

  @Test("A dwell of 0 answers at once, one above 0 never on a single frame")
  func shortDwell() throws {
    let none: [ParameterKey: Double] = [.enter: 0, .switchOver: 0, .exit: 0]
    #expect(try answers([1, 2, 0], .dwell, none) == [1, 2, 0])
    let short: [ParameterKey: Double] = [.enter: 1e-3, .switchOver: 1e-3, .exit: 1e-3]
    #expect(try answers([1, 2, 0, 0], .dwell, short) == [0, 0, 0, 0])
    #expect(try answers([1, 1], .dwell, short) == [0, 1])
  }

  @Test("A dropout neither lengthens nor ends a dwell")
  func dwellDropout() throws {
    let n = Self.nothing
    let values: [ParameterKey: Double] = [.enter: 0.2, .switchOver: 0.2, .exit: 0.2]
    #expect(
      try answers([1, 1, n, n, 1, 1], .dwell, values) == [0, 0, 0, 0, 0, 1])
  }

  @Test("A vote answers as soon as enough of the last frames agree, and keeps it else")
  func vote() throws {
    let values: [ParameterKey: Double] = [.votes: 3, .ballots: 4]
    #expect(
      try answers([1, 2, 1, 1, 2, 2, 1, 2, 0, 0, 0], .vote, values)
        == [0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 0])
  }

  @Test("A dropout casts no vote and drops none")
  func voteDropout() throws {
    let n = Self.nothing
    let values: [ParameterKey: Double] = [.votes: 3, .ballots: 4]
    #expect(try answers([1, n, 1, n, n, 1], .vote, values) == [0, 0, 0, 0, 0, 1])
  }

  @Test(
    "A gap over the hold clears answer, run, dwell and votes",
    arguments: [
      (DebounceKind.consecutive, [ParameterKey.enter: 2, .switchOver: 2, .exit: 2]),
      (.dwell, [.enter: 0.1, .switchOver: 0.1, .exit: 0.1]),
      (.vote, [.votes: 2, .ballots: 3]),
    ])
  func gap(kind: DebounceKind, values: [ParameterKey: Double]) throws {
    #expect(try answers([1, 1, 1, 1], kind, values, pauses: [2: 0.6]) == [0, 1, 0, 1])
    #expect(try answers([1, 1, 1, 1], kind, values, pauses: [2: 0.5]) == [0, 1, 1, 1])
  }

  @Test(
    "A recording that starts inside a hold answers its first label at once, then as usual",
    arguments: DebounceKind.allCases)
  func startsMid(kind: DebounceKind) throws {
    let result = try answers([3, 1, 3], kind, [:], startsMid: true)
    #expect(result == (kind == .none ? [3, 1, 3] : [3, 3, 3]))
  }

  @Test("A stream that its own parameter debounces already takes no other rule")
  func twice() throws {
    var parameters = DetectorDefinition.gravity.defaults
    try parameters.set(.formFrames, to: 5)
    let rule = try StrategySettings(DebounceKind.dwell)
    #expect(throws: DetectorError.debouncedTwice(.form, .formFrames, 5)) {
      try BatchDetector(
        .gravity, parameters: parameters, debounce: DebounceStrategy(plank: rule, form: rule))
    }
    #expect(throws: Never.self) {
      try BatchDetector(.gravity, parameters: parameters, debounce: DebounceStrategy(plank: rule))
    }
  }
}

@Suite("Schmitt bands") struct SchmittBandTests {
  private static let nan = Float.nan

  /// Raw form labels of hip deviations in centimeters, with a band of 1 cm around 5 cm.
  private func labels(
    _ centimeters: [Float], times: [Double]? = nil, band: Double? = 0.01
  ) throws -> [UInt8] {
    let bands = try band.map { width in
      try [ParameterKey.sag, .pike].map { try SchmittBand($0, halfWidth: width) }
    }
    let detector = try BatchDetector(
      .gravity, debounce: DebounceStrategy(bands: bands ?? []))
    let columns = MeasurementColumns(
      frameCount: centimeters.count, columns: [.hipDeviation: centimeters.map { $0 / 100 }])
    let times = times ?? centimeters.indices.map { Double($0) / 30 }
    return detector.detect(columns, times: times, startsMid: false).form.raw
  }

  @Test("A label comes half the width beyond its threshold and goes half the width before it")
  func hysteresis() throws {
    #expect(try labels([0, -5.5, -6.5, -5.5, -4.5, -3.5]) == [0, 0, 1, 1, 1, 0])
    #expect(try labels([0, 5.5, 6.5, 5.5, 4.5, 3.5]) == [0, 0, 2, 2, 2, 0])
    #expect(try labels([0, -5.5, -6.5, -5.5, -4.5, -3.5], band: nil) == [0, 1, 1, 1, 0, 0])
  }

  @Test("The first frame is compared with the threshold itself")
  func start() throws {
    #expect(try labels([-5.5, -4.5, -3.9]) == [1, 1, 0])
    #expect(try labels([-4.5, -5.5, -6.1]) == [0, 0, 1])
  }

  @Test("An undefined measurement keeps the memory, a gap over the hold drops it")
  func dropouts() throws {
    let nothing = Debouncer.undetermined
    #expect(try labels([-6.5, Self.nan, -4.5]) == [1, nothing, 1])
    #expect(try labels([-6.5, -4.5, -4.5], times: [0, 0.5, 1.1]) == [1, 1, 0])
  }

  @Test("A rule that was not asked remembers too")
  func everyRuleRemembers() throws {
    let detector = try BatchDetector(
      .gravity,
      debounce: DebounceStrategy(bands: [SchmittBand(.elbowSplit, halfWidth: 5)]))
    // The second frame stands upright, so the elbows decide nothing, but they cross the band.
    let columns = MeasurementColumns(
      frameCount: 3,
      columns: [
        .verticalRatio: [0, 0.9, 0], .shoulderRise: [0, 0, 0], .wristHipCosine: [0, 0, 0],
        .elbowAngle: [130, 150, 137],
      ])
    let raw = detector.detect(columns, times: [0, 0.1, 0.2], startsMid: false).plank.raw
    let expected: [PlankClass] = [.forearm, .none, .high]
    #expect(raw == expected.map(\.code))
  }

  @Test("A band needs a width, and a threshold that some rule compares with")
  func mistakes() {
    for width in [0, -1, .nan, .infinity] {
      #expect(throws: StrategyError.self) { try SchmittBand(.sag, halfWidth: width) }
    }
    #expect(throws: DetectorError.self) {
      try BatchDetector(
        .gravity, debounce: DebounceStrategy(bands: [SchmittBand(.sagFraction, halfWidth: 0.01)]))
    }
    #expect(throws: StrategyError.repeatedBand(.sag)) {
      try DebounceStrategy(bands: [
        SchmittBand(.sag, halfWidth: 0.01), SchmittBand(.sag, halfWidth: 0.02),
      ])
    }
  }
}

@Suite("Debounce against the oracle") struct DebouncerOracleTests {
  @Test(
    "The state machine answers what the history says", arguments: Draws.seeds(300 as UInt64))
  func steadyAnswers(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let hold = random.pick([0, 0.1, 0.2, 0.5, 1])
    let needed = random.integer(1...6)
    let startsMid = random.chance(0.3)
    var times: [Double] = []
    var raw: [String?] = []
    var time = 0.0
    for _ in 0..<120 {
      times.append(time)
      let fresh = random.chance(0.15) ? nil : random.pick(["none", "forearm", "high"])
      raw.append(random.chance(0.5) ? raw.last ?? fresh : fresh)
      time += random.pick([0.1, 0.1, 0.1, hold, hold + 0.5e-9, hold + 2e-9, hold / 2]) + 1e-6
    }
    var debouncer = Debouncer(
      framesNeeded: needed, holdSeconds: Seconds(hold), startsMid: startsMid)
    let labels = AnswerStream.plank.labels
    let answers = times.indices.map { frame in
      let code = raw[frame].flatMap { AnswerStream.plank.code(of: $0) }
      return labels[Int(debouncer.update(code ?? Debouncer.undetermined, at: times[frame]))]
    }
    let expected = times.indices.map { frame in
      OracleReplay.steady(
        times, raw, at: frame, count: needed, hold: hold, startsMid: startsMid, empty: "none")
    }
    #expect(answers == expected)
  }
}
