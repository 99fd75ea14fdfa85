internal import PoseModel

/// The jitter of several signals over one kind of stretches; sums over sequences.
struct JitterTable: Hashable, Sendable {
  private var order: [JitterSignal] = []
  private var sums: [JitterSignal: SignalJitter] = [:]

  /// Adds the stretches of a sequence.
  mutating func add(
    _ signal: JitterSignal, _ series: StridedSeries, _ stretches: [Range<Int>], _ clock: Clock,
    _ detail: JitterDetail
  ) {
    var sum = SignalJitter(dimension: series.dimension, detail: detail)
    for stretch in stretches { sum.add(stretch, clock.times, interval: clock.interval, series) }
    update(signal, startingWith: sum) { $0.add(sum) }
  }

  /// The times of a sequence with their median interval, in seconds.
  struct Clock {
    let times: [Double]
    let interval: Double
  }

  static func += (left: inout JitterTable, right: JitterTable) {
    for signal in right.order {
      guard let sum = right.sums[signal] else { continue }
      left.update(signal, startingWith: sum) { $0.add(sum) }
    }
  }

  /// Measurements in the order in which they came, then joints in the order of `Joint`, each unit
  /// of a name on its own.
  var rows: [JitterRow] {
    let measurements = order.filter { $0.kind == .measurement }
    let joints = order.filter { $0.kind == .joint }.map { signal in
      (rank: Joint(name: signal.name)?.index ?? Joint.count, signal: signal)
    }
    let sorted = joints.sorted { ($0.rank, $0.signal.unit) < ($1.rank, $1.signal.unit) }
    return (measurements + sorted.map(\.signal)).compactMap { sums[$0]?.row($0) }
  }

  private mutating func update(
    _ signal: JitterSignal, startingWith first: SignalJitter, _ add: (inout SignalJitter) -> Void
  ) {
    guard sums[signal] != nil else {
      order.append(signal)
      sums[signal] = first
      return
    }
    add(&sums[signal, default: first])
  }
}
