package enum UniformResampling {
  /// How far times may be from the grid, as a fraction of the step, and count as even: values are
  /// then left unchanged, because interpolation would smooth their noise.
  package static let evenness = 0.02

  /// Values at the first time, one step later and so on up to the last time, interpolated linearly
  /// between neighbors.
  ///
  /// Times within 2 % of a step from the grid keep their values. Interpolated white noise loses up
  /// to half of its variance; state the clock's share of jitter beside a spectrum of such data. No
  /// grid of more than 1,000 points per value is made: a clock must have jumped between two values,
  /// and the result is empty. `times` strictly increase. O(values + grid).
  package static func values(_ values: [Double], at times: [Double], step: Double) -> [Double] {
    precondition(values.count == times.count && step > 0, "one time a value, and a step")
    guard let first = times.first, let last = times.last, times.count > 1 else { return values }
    if isEven(times, step: step) { return values }
    var result: [Double] = []
    var index = 0
    let steps = ((last - first) / step + 1e-9).rounded(.down)
    guard steps < mostPerValue * Double(values.count) else { return [] }
    let count = Int(steps) + 1
    for n in 0..<count {
      let time = min(first + Double(n) * step, last)
      while index + 2 < times.count, times[index + 1] < time { index += 1 }
      let share = (time - times[index]) / (times[index + 1] - times[index])
      result.append(values[index] + share * (values[index + 1] - values[index]))
    }
    return result
  }

  private static let mostPerValue = 1000.0

  /// Whether every interval is a step, to 2 % of it.
  package static func isEven(_ times: [Double], step: Double) -> Bool {
    zip(times.dropFirst(), times).allSatisfy { abs($0 - $1 - step) <= evenness * step }
  }
}
