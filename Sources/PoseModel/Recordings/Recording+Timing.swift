extension Recording {
  /// The median distance of consecutive frames, or nil below two frames.
  ///
  /// An even number of intervals gives the mean of the two in the middle.
  public var medianFrameInterval: Seconds? {
    guard times.count >= 2 else { return nil }
    let intervals = zip(times.dropFirst(), times).map { $0 - $1 }.sorted()
    let middle = intervals.count / 2
    let median =
      intervals.count.isMultiple(of: 2)
      ? (intervals[middle - 1] + intervals[middle]) / 2 : intervals[middle]
    return Seconds(median)
  }

  /// The seconds that one frame stands for when counts are weighed.
  ///
  /// The median frame interval; for a single frame, what the nominal rate implies, else 1/30 s.
  public var frameWeight: Seconds {
    if let medianFrameInterval { return medianFrameInterval }
    guard let rate = header.nominalRate, rate.hasInterval else {
      return Seconds(1.0 / 30)
    }
    return Seconds(1 / rate.value)
  }
}
