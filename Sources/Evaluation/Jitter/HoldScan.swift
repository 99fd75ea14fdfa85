/// One pass over one signal in one hold.
///
/// Pairs and triples are of consecutive frames that are all valid and no farther apart than
/// 0.5 s. Angles are unwrapped as they come: a step is the short way around the circle.
struct HoldScan {
  /// The longest step in time, in seconds; the bound is included.
  static let gapCap = 0.5
  /// Slack on the bound, because frame times like k/30 are not exact.
  static let tolerance = 1e-9

  /// The sum of squared steps.
  private(set) var stepSquares = 0.0
  /// How many steps there are.
  private(set) var pairs = 0
  /// The sum of the lengths of second differences, per s^2.
  private(set) var accelerations = 0.0
  /// How many second differences there are.
  private(set) var triples = 0
  /// The valid values by axis, in time order.
  private(set) var valid: [[Double]]

  private let series: StridedSeries
  private var turns = 0.0
  private var lastValid: Double?
  private var previous: (time: Double, value: SIMD3<Double>)?
  private var slope: (interval: Double, value: SIMD3<Double>)?

  /// Starts a pass.
  init(_ series: StridedSeries) {
    self.series = series
    valid = Array(repeating: [], count: series.dimension)
  }

  /// Passes over the frames of a hold.
  mutating func scan(_ hold: Range<Int>, _ times: [Double]) {
    for axis in valid.indices { valid[axis].reserveCapacity(hold.count) }
    for frame in hold {
      guard let value = series.sample(frame) else {
        previous = nil
        slope = nil
        continue
      }
      take(unwrapped(value), at: times[frame])
    }
  }

  private mutating func take(_ value: SIMD3<Double>, at time: Double) {
    for axis in valid.indices { valid[axis].append(value[axis]) }
    defer { previous = (time, value) }
    guard let previous, time - previous.time <= Self.gapCap + Self.tolerance else {
      slope = nil
      return
    }
    let step = value - previous.value
    let interval = time - previous.time
    let newSlope = step / interval
    stepSquares += (step * step).sum()
    pairs += 1
    if let slope {
      let bend = 2 * (newSlope - slope.value) / (interval + slope.interval)
      accelerations += (bend * bend).sum().squareRoot()
      triples += 1
    }
    slope = (interval, newSlope)
  }

  private mutating func unwrapped(_ value: SIMD3<Double>) -> SIMD3<Double> {
    guard let period = series.period else { return value }
    if let lastValid, abs(value.x - lastValid) > period / 2 {
      turns += ((lastValid - value.x) / period).rounded()
    }
    lastValid = value.x
    return SIMD3(value.x + turns * period, 0, 0)
  }
}
