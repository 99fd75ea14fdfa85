public import PlankDetection
public import PoseModel

/// The answers of a detector to one recording with the reasons for each, as numbers of 32 bits.
///
/// It starts from measurements, which the program made and smoothed, and asks the detection library
/// for everything else. A script reads the numbers, so whatever is a fraction stands as the bits of
/// a `Float`.
public struct SequenceExplainer: Sendable {
  /// How many numbers `frames` gives per frame.
  public static let frameWidth = 8
  /// How many numbers `comparisons` gives per comparison.
  public static let comparisonWidth = 4
  /// Where there is no rule or no comparison: a list may have more than 255 of either.
  public static let none = UInt32.max

  private let detector: BatchDetector
  private let columns: MeasurementColumns
  private let times: [Double]
  private let startsMid: Bool
  private let answers: DetectionColumns

  /// Runs a detector over a recording.
  ///
  /// - Parameters:
  ///   - detector: the detector.
  ///   - values: the columns of `detector.measurements`, one after the other, as `MeasuredValue`
  ///     stores them.
  ///   - times: the recording's timestamps in seconds, one per frame.
  ///   - startsMid: whether the recording begins inside a hold.
  ///   - offset: what the form rules take off a measurement, by its place among the columns; nil for
  ///     nothing.
  /// - Precondition: there is one value per measurement and frame.
  public init(
    _ detector: BatchDetector, values: [Float], times: [Double], startsMid: Bool,
    offset: (place: Int, value: Double)? = nil
  ) {
    let members = detector.measurements.members
    precondition(values.count == members.count * times.count, "one value per column and frame")
    let detector = Self.calibrated(detector, offset) ?? detector
    self.detector = detector
    self.times = times
    self.startsMid = startsMid
    columns = MeasurementColumns(
      of: detector.measurements, values: values, frameCount: times.count)
    answers = detector.detect(columns, times: times, startsMid: startsMid)
  }

  /// A detector whose form rules take an offset off a measurement; nil without one, and for one
  /// that no calibration has.
  private static func calibrated(
    _ detector: BatchDetector, _ offset: (place: Int, value: Double)?
  ) -> BatchDetector? {
    guard let offset, detector.measurements.members.indices.contains(offset.place) else {
      return nil
    }
    let measurement = detector.measurements.members[offset.place]
    let calibration = try? Calibration(
      measurement: measurement.name, unit: measurement.unit, offset: offset.value,
      duration: CalibrationHold.durations.lowerBound, frames: 1)
    return calibration.flatMap { try? detector.calibrated(by: $0) }
  }

  /// What became of every frame, `frameWidth` numbers each.
  ///
  /// In order: the label by the rules (255 for none), the answer, whether it was held over a
  /// dropout, the place of the rule that decided (or `none`), the place of the nearest comparison
  /// among those that were asked (or `none`), its margin as a `Float`, the frames that the candidate
  /// has, and for how many seconds as a `Float`.
  public func frames(_ stream: AnswerStream) -> [UInt32] {
    var debouncer = detector.debouncer(stream, startsMid: startsMid)
    var result: [UInt32] = []
    result.reserveCapacity(times.count * Self.frameWidth)
    let found = answers[stream]
    try? detector.forEachTrace(stream, columns, times: times, in: times.indices) { frame, traces in
      let rule = traces.firstIndex { $0.decides }
      let nearest = rule == nil ? nil : Self.nearest(traces)
      _ = debouncer.update(found.raw[frame], at: times[frame])
      let seconds = Float(debouncer.pendingSeconds.value)
      result += [
        UInt32(found.raw[frame]), UInt32(found.answers[frame]), found.isHeld[frame] ? 1 : 0,
        rule.map { UInt32($0) } ?? Self.none, nearest.map { UInt32($0.place) } ?? Self.none,
        (nearest?.margin ?? .nan).bitPattern, UInt32(debouncer.pending?.run ?? 0),
        seconds.bitPattern,
      ]
    }
    return result
  }

  /// What every comparison of a stream made of a frame, `comparisonWidth` numbers each.
  ///
  /// In order: the measurement as it is stored, the threshold and the margin, each as a `Float`, and
  /// whether the comparison holds.
  public func comparisons(_ stream: AnswerStream, at frame: Int) -> [UInt32] {
    let traces = try? detector.trace(stream, columns, times: times, at: frame)
    return (traces ?? []).flatMap { $0.steps }.flatMap { step in
      [
        step.measured.stored.bitPattern, step.threshold.bitPattern,
        (step.margin ?? .nan).bitPattern, step.holds ? 1 : 0,
      ]
    }
  }

  /// The comparison that was nearest to turning over, by its place among all of the list.
  private static func nearest(_ traces: [RuleTrace]) -> (place: Int, margin: Float)? {
    guard let step = traces.nearestStep, let margin = step.margin,
      let place = traces.flatMap({ $0.steps }).firstIndex(of: step)
    else { return nil }
    return (place: place, margin: margin)
  }
}
