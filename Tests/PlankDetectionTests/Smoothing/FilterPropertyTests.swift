import PoseModel
import TestSupport
import Testing

@testable import PlankDetection

@Suite("Filters, by property") struct FilterPropertyTests {
  /// A signal with everything that goes wrong: gaps, repeats, clocks that go back, lost samples.
  struct Signal {
    var values: [Double?]
    var times: [Double]

    init(seed: UInt64, count: Int) {
      var random = SplitMix64(seed: seed)
      var time = random.pick([0, 1e6, -3])
      values = []
      times = []
      for _ in 0..<count {
        time += random.pick([0.033, 0.033, 0.033, 0.125, 1e-9, 0, -0.02, 0.5, 0.6, -2])
        times.append(random.chance(0.02) ? random.pick([.nan, .infinity, -.infinity]) : time)
        values.append(Self.value(&random))
      }
    }

    private static func value(_ random: inout SplitMix64) -> Double? {
      if random.chance(0.1) { return random.pick([nil, .nan, .infinity, -.infinity]) }
      if random.chance(0.03) { return random.pick([1e308, -1e308, .leastNonzeroMagnitude, 0]) }
      return random.uniform(-10...10)
    }

    func smoothed(_ strategy: SmoothingStrategy) -> [Double?] {
      var smoother = SignalSmoother(strategy)
      return zip(values, times).map { smoother.update($0, at: Seconds($1)) }
    }
  }

  static let steps: [SmoothingStep] = (try? Strategies.steps(on: .joints)) ?? []

  @Test("There is a step of every kind")
  func stepsAreComplete() {
    #expect(Set(Self.steps.map(\.settings.kind)) == Set(SmoothingKind.allCases))
  }

  @Test(
    "An output is finite, and missing exactly where the sample or its time is",
    arguments: steps, Draws.seeds(20 as UInt64))
  func finiteOutput(step: SmoothingStep, seed: UInt64) throws {
    let signal = Signal(seed: seed, count: 400)
    let smoothed = signal.smoothed(try SmoothingStrategy([step]))
    for (index, output) in smoothed.enumerated() {
      let isPresent = signal.values[index]?.isFinite == true && signal.times[index].isFinite
      #expect((output != nil) == isPresent, "sample \(index)")
      if let output { #expect(output.isFinite, "sample \(index)") }
    }
  }

  @Test(
    "The first answers are the same whatever follows", arguments: steps, Draws.seeds(8 as UInt64))
  func causality(step: SmoothingStep, seed: UInt64) throws {
    let strategy = try SmoothingStrategy([step])
    let whole = Signal(seed: seed, count: 200)
    var other = whole
    for index in 120..<200 { other.values[index] = other.values[index].map { $0 + 5 } }
    #expect(whole.smoothed(strategy)[..<120] == other.smoothed(strategy)[..<120])
  }

  /// A step of every kind, and of every window with lengths and degrees that are a case of their own.
  static let varied: [SmoothingStep] = {
    let windows: [(SmoothingKind, [ParameterKey: Double])] = [
      (.movingAverage, [.windowFrames: 1]), (.movingAverage, [.windowSeconds: 0.001]),
      (.median, [.windowFrames: 1]), (.median, [.windowFrames: 8]), (.median, [.windowSeconds: 2]),
      (.hampel, [.windowFrames: 4, .threshold: 0.5]), (.hampel, [.windowFrames: 25]),
      (.savitzkyGolay, [.windowFrames: 2]), (.savitzkyGolay, [.windowFrames: 6, .degree: 3]),
      (.savitzkyGolay, [.windowSeconds: 1, .degree: 2]), (.mlKit, [.windowFrames: 1]),
      (.mlKit, [.windowFrames: 7, .alpha: 0]), (.oneEuro, [.beta: 3]),
    ]
    return steps + windows.compactMap { try? SmoothingStep($0, $1) }
  }()

  /// Eight signals in two blocks: those of the first come and go together, those of the second each
  /// on their own.
  @Test(
    "Signals side by side get what a plain filter gives each of them, to the bit",
    arguments: varied, Draws.seeds(10 as UInt64))
  func sideBySide(step: SmoothingStep, seed: UInt64) {
    let (count, lanes) = (300, Lanes.scalarCount)
    let shared = Signal(seed: seed, count: count)
    let signals = (0..<2 * lanes).map { index in
      index < lanes
        ? shared.values.map { $0.map { $0 * Double(index + 1) } }
        : Signal(seed: 100 + 8 * seed + UInt64(index), count: count).values
    }
    var chain = FilterChain([step], blocks: 2)
    var plain = signals.map { _ in PlainSmoother(step) }
    for (frame, time) in shared.times.enumerated() {
      var outputs: [Double] = []
      chain.update(at: time) { samples in
        for (index, signal) in signals.enumerated() {
          samples[index / lanes][index % lanes] = signal[frame] ?? .nan
        }
      } _: { smoothed in
        outputs = signals.indices.map { smoothed[$0 / lanes][$0 % lanes] }
      }
      for (index, output) in outputs.enumerated() {
        let expected = plain[index].update(signals[index][frame], at: time)
        let isPresent = output.isFinite && time.isFinite
        #expect(
          (isPresent ? output : nil)?.bitPattern == expected?.bitPattern,
          "signal \(index), frame \(frame)")
      }
    }
  }

  @Test("A missing sample changes no later output", arguments: steps)
  func missingSamples(step: SmoothingStep) throws {
    let strategy = try SmoothingStrategy([step])
    var with = SignalSmoother(strategy)
    var without = SignalSmoother(strategy)
    var random = SplitMix64(seed: 3)
    for frame in 0..<200 {
      let time = Seconds(Double(frame) * 0.05)
      if frame % 7 == 3 {
        #expect(with.update(random.pick([.nan, nil]), at: time) == nil)
        continue
      }
      let value = random.uniform(-1...1)
      #expect(with.update(value, at: time) == without.update(value, at: time))
    }
  }

  @Test("A filter starts afresh after more than 0.5 s, not after 0.5 s", arguments: steps)
  func gap(step: SmoothingStep) throws {
    guard ![.none, .hampel, .mlKit].contains(step.settings.kind) else { return }
    for (gap, isFresh) in [(0.5, false), (0.5 + 1e-6, true)] {
      var smoother = SignalSmoother(try SmoothingStrategy([step]))
      for frame in 0..<40 { _ = smoother.update(Double(frame % 5), at: Seconds(Double(frame) / 5)) }
      let last = 39.0 / 5
      let first = smoother.update(100, at: Seconds(last + gap))
      let isWindowInSeconds = step.settings[.windowSeconds] != nil
      #expect((first == 100) == (isFresh || isWindowInSeconds), "\(gap) s: \(first ?? .nan)")
    }
  }

  @Test("A repeated time gives the last output again and changes nothing", arguments: steps)
  func repeatedTime(step: SmoothingStep) throws {
    let strategy = try SmoothingStrategy([step])
    guard !strategy.isEmpty else { return }
    var with = SignalSmoother(strategy)
    var without = SignalSmoother(strategy)
    for frame in 0..<60 {
      let time = Seconds(Double(frame) / 30)
      let value = Double(frame * frame % 11)
      let output = with.update(value, at: time)
      #expect(output == without.update(value, at: time))
      #expect(with.update(1000, at: time) == output)
    }
  }

  @Test("A constant stays as it is, but for rounding", arguments: steps)
  func constant(step: SmoothingStep) throws {
    var smoother = SignalSmoother(try SmoothingStrategy([step]))
    for frame in 0..<200 {
      let output = smoother.update(0.7, at: Seconds(Double(frame) / 30))
      #expect(abs((output ?? .nan) - 0.7) < 1e-12)
    }
  }

  @Test("After a reset a filter is as new", arguments: steps)
  func reset(step: SmoothingStep) throws {
    var smoother = SignalSmoother(try SmoothingStrategy([step]))
    for frame in 0..<50 { _ = smoother.update(Double(frame), at: Seconds(Double(frame) / 30)) }
    smoother.reset()
    var fresh = SignalSmoother(try SmoothingStrategy([step]))
    for frame in 50..<90 {
      let time = Seconds(Double(frame) / 30)
      let value = Double(frame % 7)
      #expect(smoother.update(value, at: time) == fresh.update(value, at: time))
    }
  }
}
