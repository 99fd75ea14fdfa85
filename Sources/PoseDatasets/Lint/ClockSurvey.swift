package import PoseModel

package struct ClockSurvey: Codable, Hashable, Sendable {
  package let frames: Int
  package let start: Double?
  package let duration: Double
  package let medianStep: Double?
  package let longestStep: Double?
  package let repeated: Int
  package let backward: Int
  /// The unit in which the steps are those of a camera; nil if none fits, or there are too few.
  package let unit: TimeUnit?
  package let isDate: Bool

  private enum CodingKeys: String, CodingKey {
    case frames, start, duration, repeated, backward, unit
    case medianStep = "median_step"
    case longestStep = "longest_step"
    case isDate = "is_date"
  }

  /// The fewest times whose steps say anything about their unit; ours.
  static let fewestTimes = 10
  /// The fewest whole times a step of 1 apart that are taken to count frames: shorter recordings may
  /// have been made once a second; ours.
  static let fewestNumbers = 30
  /// 1980, in seconds since 1970: no recording is ten years long.
  static let earliestDate = 315_532_800.0

  package init(_ times: [Double]) {
    let steps = zip(times.dropFirst(), times).map { $0 - $1 }
    frames = times.count
    start = times.first
    duration = (times.last ?? 0) - (times.first ?? 0)
    medianStep = steps.median
    longestStep = steps.max()
    repeated = steps.count { $0 == 0 }
    backward = steps.count { $0 < 0 }
    let areNumbers =
      times.count >= Self.fewestNumbers && medianStep == 1
      && times.allSatisfy { $0 == $0.rounded() }
    let unit: TimeUnit? =
      if times.count < Self.fewestTimes { nil } else if areNumbers { .frames } else {
        medianStep.flatMap(TimeUnit.init(ofStep:))
      }
    self.unit = unit
    isDate = (times.first ?? 0) * (unit?.seconds ?? 1) >= Self.earliestDate
  }

  package var isInSeconds: Bool { unit == nil || unit == .seconds }

  /// The times in seconds since the recording's start, if they count from a date or in another
  /// unit; otherwise as they are.
  func corrected(_ times: [Double]) -> [Double] {
    guard isDate || !isInSeconds, let start, let seconds = (unit ?? .seconds).seconds else {
      return times
    }
    return times.map { ($0 - (isDate ? start : 0)) * seconds }
  }
}

package enum TimeUnit: String, Codable, CaseIterable, Hashable, Sendable {
  case seconds
  case milliseconds
  case microseconds
  case nanoseconds
  case frames

  /// The longest step of a camera, in seconds; the slowest real recording of ours has 1.4.
  private static let longestStep = 2.0
  /// The shortest step of a camera, in seconds, that is looked for in other units: 250 Hz.
  private static let shortestStep = 0.004

  /// The unit in which a step is that of a camera, nil where none is; the ranges do not overlap.
  init?(ofStep step: Double) {
    guard step > Self.longestStep else {
      self = .seconds
      return
    }
    let cameras = Self.shortestStep...Self.longestStep
    let unit = Self.allCases.first { $0.seconds.map { cameras.contains(step * $0) } ?? false }
    guard let unit else { return nil }
    self = unit
  }

  package init?(ofStep step: Seconds, frames: Int) {
    guard frames >= ClockSurvey.fewestTimes else { return nil }
    self.init(ofStep: step.value)
  }

  package var seconds: Double? {
    switch self {
    case .seconds: 1
    case .milliseconds: 1e-3
    case .microseconds: 1e-6
    case .nanoseconds: 1e-9
    case .frames: nil
    }
  }
}
