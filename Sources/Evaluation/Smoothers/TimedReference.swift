/// A column that is read between its frames, on straight lines.
struct TimedReference {
  /// The longest gap that a line bridges, in seconds.
  private static let longestGap = 0.5

  /// The times of the frames in seconds.
  let times: [Double]
  /// A number a frame, NaN where missing.
  let values: [Float]

  /// The values one step after a frame, at it, one step before it and so on.
  ///
  /// - Returns: `most` + 2 values; nil where any is missing or beyond the ends.
  /// - Complexity: O(most + frames within the steps).
  func values(at frame: Int, step: Double, most: Int) -> [Double]? {
    var result: [Double] = []
    result.reserveCapacity(most + 2)
    var index = frame
    while index + 1 < times.count, times[index + 1] < times[frame] + step { index += 1 }
    for lag in -1...most {
      let time = times[frame] - Double(lag) * step
      while index > 0, times[index] > time { index -= 1 }
      guard let value = value(at: time, after: index) else { return nil }
      result.append(value)
    }
    return result
  }

  private func value(at time: Double, after index: Int) -> Double? {
    let here = Double(values[index])
    if times[index] == time { return here.isFinite ? here : nil }
    guard times[index] < time, index + 1 < times.count else { return nil }
    let gap = times[index + 1] - times[index]
    let result = here + (Double(values[index + 1]) - here) * (time - times[index]) / gap
    return gap <= Self.longestGap && result.isFinite ? result : nil
  }
}
