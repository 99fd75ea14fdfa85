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

  private let series: StridedSeries
  private var x: [Double] = []
  private var y: [Double] = []
  private var z: [Double] = []
  private var turns = 0.0
  private var lastValid: Double?
  private var previous: (time: Double, value: SIMD3<Double>)?
  private var slope: (interval: Double, value: SIMD3<Double>)?

  /// Passes over the frames of a hold.
  init(_ series: StridedSeries, _ hold: Range<Int>, _ times: [Double]) {
    self.series = series
    x.reserveCapacity(hold.count)
    if series.dimension > 1 { y.reserveCapacity(hold.count) }
    if series.dimension > 2 { z.reserveCapacity(hold.count) }
    for frame in hold {
      if let value = series.sample(frame) {
        take(unwrapped(value), at: times[frame])
      } else {
        previous = nil
        slope = nil
      }
    }
  }

  /// The valid values by axis, in time order.
  var valid: [[Double]] { Array([x, y, z].prefix(series.dimension)) }

  private mutating func take(_ value: SIMD3<Double>, at time: Double) {
    x.append(value.x)
    if series.dimension > 1 { y.append(value.y) }
    if series.dimension > 2 { z.append(value.z) }
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
