/// Frame times and disturbances of a generated recording, in whole microseconds.
struct OracleTimeline: Sendable {
  /// What happens to a frame.
  enum Disturbance: Sendable {
    case none
    case noPose
    case noMatrix
    case missingJoints
    case allNull
  }

  var microseconds: [Int] = []
  var disturbances: [Disturbance] = []

  /// Draws times at a rate with jitter, gaps and dropouts of about `hold` seconds.
  init(frames: Int, rate: Int, hold: Double, _ random: inout SplitMix64) {
    let step = 1_000_000 / rate
    let jitter = random.pick([0, 0, step / 20, step / 4])
    var time = random.pick([0, 0, 33_333, 1_234_567])
    var dropoutEnd = 0
    var dropout = Disturbance.none
    while microseconds.count < frames {
      microseconds.append(time)
      let isInside = time < dropoutEnd
      let single: Disturbance = random.chance(0.08) ? OracleTimeline.kind(&random) : .none
      disturbances.append(isInside ? dropout : single)
      let next = time + step + (jitter > 0 ? random.integer(-jitter, jitter) : 0)
      let around = OracleTimeline.around(hold, &random)
      if isInside {
        time = next >= dropoutEnd ? dropoutEnd : next
      } else if around > 0 && random.chance(0.03) {
        time += around
      } else if around > step && random.chance(0.03) {
        dropoutEnd = time + around
        dropout = OracleTimeline.kind(&random)
        time = min(next, dropoutEnd)
      } else {
        time = next
      }
    }
  }

  private static func kind(_ random: inout SplitMix64) -> Disturbance {
    random.pick([.noPose, .noPose, .noMatrix, .missingJoints, .allNull])
  }

  /// A duration at, next to, or well away from the hold time.
  private static func around(_ hold: Double, _ random: inout SplitMix64) -> Int {
    let exact = Int((hold * 1_000_000).rounded())
    return random.pick([
      exact, exact, exact - 1, exact + 1, exact - 1000, exact + 1000, exact / 2, 2 * exact,
    ])
  }
}
