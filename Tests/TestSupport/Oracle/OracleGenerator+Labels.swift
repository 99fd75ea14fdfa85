extension OracleGenerator {
  /// Random labels over the time of a recording, with gaps, `ignore` and empty forms.
  ///
  /// Boundaries lie on frame times or between them. Where `answers` are given (one plank answer
  /// and one form answer per frame), most segments take the answer of their first frame as truth.
  package mutating func labels(
    times: [Double], answers: [(plank: String, form: String)] = []
  ) -> OracleLabels {
    guard let first = times.first, let last = times.last else { return OracleLabels(segments: []) }
    var segments: [OracleSegment] = []
    var start = boundary(near: first + random.pick([-0.1, 0, 0.2]), times)
    while start < last {
      let end = boundary(near: start + random.uniform(0.2, 3), times)
      guard end > start else { continue }
      if random.chance(0.85) {
        segments.append(segment(start, end, times, answers))
      }
      start = end
    }
    return OracleLabels(segments: segments)
  }

  private mutating func segment(
    _ start: Double, _ end: Double, _ times: [Double], _ answers: [(plank: String, form: String)]
  ) -> OracleSegment {
    let index = times.firstIndex { $0 >= start } ?? 0
    let isAgreeing = index < answers.count && random.chance(0.6)
    var plank = random.pick(OracleLabels.plankClasses + ["ignore"])
    var form = random.pick(OracleLabels.formClasses)
    if isAgreeing { (plank, form) = answers[index] }
    let isWithoutForm = plank == "none" || plank == "ignore" || random.chance(0.15)
    return OracleSegment(start: start, end: end, plank: plank, form: isWithoutForm ? "" : form)
  }

  /// The time in whole microseconds, or that of the next frame; never negative.
  private mutating func boundary(near time: Double, _ times: [Double]) -> Double {
    if random.chance(0.5), let frame = times.first(where: { $0 >= time }) { return frame }
    return Swift.max(0, (time * 1e6).rounded() / 1e6)
  }
}
