internal import PoseModel

/// The detection latencies of a cell over some subjects; missed events are censored at their end.
struct Latencies {
  private var times: [(seconds: Double, isHit: Bool)] = []

  /// Collects the events of drawn subjects.
  init(_ table: SubjectTable, at position: Int, _ drawn: [Int]) {
    for subject in drawn {
      for sequence in table.sequences[subject] {
        let facts = table.cells.layout.facts.sequences[sequence]
        for (index, onset) in facts.onsets.enumerated() {
          let frames = table.cells.latency(at: position, sequence: sequence, onset: index)
          let seconds = frames.map { facts.latency(frames: $0, of: onset).value }
          times.append(
            (seconds: seconds ?? facts.duration(of: onset).value, isHit: seconds != nil))
        }
      }
    }
    times.sort { $0.seconds != $1.seconds ? $0.seconds < $1.seconds : $0.isHit && !$1.isHit }
  }

  /// The share of events that were detected, nil without events.
  var hitRate: Double? {
    times.isEmpty ? nil : Double(times.count { $0.isHit }) / Double(times.count)
  }

  /// The latency by which a share of events is detected, in seconds.
  ///
  /// Kaplan and Meier's estimate (1958, JASA 53:457): the smallest t with 1 - S(t) >= q, S falling
  /// at hits by the share of events still open. Nil where so many are never detected.
  func quantile(_ fraction: Double) -> Double? {
    var survival = 1.0
    var index = 0
    while index < times.count {
      let now = times[index].seconds
      let open = times.count - index
      var hits = 0
      while index < times.count, times[index].seconds == now {
        if times[index].isHit { hits += 1 }
        index += 1
      }
      survival *= 1 - Double(hits) / Double(open)
      if 1 - survival >= fraction - 1e-12 { return now }
    }
    return nil
  }
}
