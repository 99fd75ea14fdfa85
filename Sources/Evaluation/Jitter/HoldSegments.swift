package import PoseModel

package enum HoldSegments {
  /// The maximal runs of consecutive scored frames with one plank class other than `none` and one
  /// true form.
  ///
  /// Runs are ranges of frames. A form that was not judged counts as a form of its own.
  package static func find(in truth: FrameTruth) -> [Range<Int>] {
    let (planks, forms) = (truth.plank, truth.form)
    return planks.indices.runs { planks[$0] == planks[$1] && forms[$0] == forms[$1] }.filter {
      let code = planks[$0.lowerBound]
      return FrameTruth.isScored(code) && code != PlankClass.none.code
    }
  }

  /// The time that is left out at the start of a hold if signals are smoothed.
  ///
  /// The project chose one second: after it, a window of up to a second no longer contains the
  /// movement before the hold, and a first-order filter at 0.5 Hz retains exp(-pi), 4 %, of a step.
  package static let settling = Seconds(1)

  /// Leaves out the frames before `settling` has passed, and holds without later frames.
  static func find(in truth: FrameTruth, times: [Double], after settling: Seconds) -> [Range<Int>] {
    find(in: truth).compactMap { hold in
      let start = times[hold.lowerBound] + settling.value - FrameTiming.slack
      return hold.first { times[$0] >= start }.map { $0..<hold.upperBound }
    }
  }
}

package enum MovementSegments {
  package static func find(in truth: FrameTruth) -> [Range<Int>] {
    let planks = truth.plank
    return planks.indices.runs { planks[$0] == planks[$1] }
      .filter { planks[$0.lowerBound] == PlankClass.none.code }
  }
}

extension FrameTiming {
  static func isStep(from earlier: Double, to later: Double) -> Bool {
    later - earlier <= longestGap + slack
  }
}

/// A step runs between consecutive frames that are both valid and at most 0.5 s apart; a step of an
/// angle goes the short way around the circle.
struct HoldScan {
  private(set) var count = 0
  private(set) var runs: [Range<Int>] = []
  private(set) var sums = StepSums()
  private var dimension = 0
  private var storage: [Double] = []
  private var capacity = 0

  mutating func pass(over series: StridedSeries, _ hold: Range<Int>, _ clock: [Double]) {
    dimension = series.dimension
    capacity = hold.count
    let needed = (1 + dimension) * capacity
    if storage.count < needed { storage = Array(repeating: 0, count: needed) }
    runs.removeAll(keepingCapacity: true)
    sums = StepSums()
    count = storage.withUnsafeMutableBufferPointer { [capacity, dimension] storage in
      guard let base = storage.baseAddress else { return 0 }
      return series.values.withUnsafeBufferPointer { numbers in
        var turns = Turns(series.period)
        return dimension == 1
          ? Self.gather(hold, clock, base, &runs, &sums) { frame in
            turns.unwrap(series.number(frame, of: numbers))
          } keep: { (place, value: Double) in
            base[capacity + place] = value
          }
          : Self.gather(hold, clock, base, &runs, &sums) { frame in
            series.sample(frame, of: numbers)
          } keep: { (place, value: SIMD3<Double>) in
            for axis in 0..<dimension { base[(1 + axis) * capacity + place] = value[axis] }
          }
      }
    }
  }

  func copyTimes() -> [Double] { Array(storage[..<count]) }

  func copyAxes() -> [[Double]] { (0..<dimension).map { Array(storage[places(of: $0)]) } }

  func forEachAxis(_ use: (UnsafeBufferPointer<Double>) -> Void) {
    storage.withUnsafeBufferPointer { storage in
      for axis in 0..<dimension { use(UnsafeBufferPointer(rebasing: storage[places(of: axis)])) }
    }
  }

  mutating func withValues(of axis: Int, _ use: (UnsafeMutableBufferPointer<Double>) -> Void) {
    storage.withUnsafeMutableBufferPointer { [places = places(of: axis)] storage in
      use(UnsafeMutableBufferPointer(rebasing: storage[places]))
    }
  }

  private func places(of axis: Int) -> Range<Int> {
    let start = (1 + axis) * capacity
    return start..<start + count
  }

  @inline(__always) private static func gather<Value: SignalValue>(
    _ hold: Range<Int>, _ clock: [Double], _ times: UnsafeMutablePointer<Double>,
    _ runs: inout [Range<Int>], _ sums: inout StepSums, _ sample: (Int) -> Value?,
    keep: (Int, Value) -> Void
  ) -> Int {
    var (count, start) = (0, 0)
    var isBroken = false
    var run: StepRun<Value>?
    var total = StepSums()
    for frame in hold {
      guard let value = sample(frame) else {
        isBroken = true
        continue
      }
      let time = clock[frame]
      if !isBroken, count > 0, FrameTiming.isStep(from: times[count - 1], to: time) {
        run?.extend(to: value, at: time, &total)
      } else {
        if count > start { runs.append(start..<count) }
        start = count
        run = StepRun(value, at: time)
      }
      isBroken = false
      times[count] = time
      keep(count, value)
      count += 1
    }
    if count > start { runs.append(start..<count) }
    sums = total
    return count
  }

  private struct Turns {
    private let period: Double?
    private var last: Double?
    private var turns = 0.0

    init(_ period: Double?) { self.period = period }

    mutating func unwrap(_ value: Double?) -> Double? {
      guard let period, let value else { return value }
      if let last, abs(value - last) > period / 2 { turns += ((last - value) / period).rounded() }
      last = value
      return value + turns * period
    }
  }
}
