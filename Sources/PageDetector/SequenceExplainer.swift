public import PlankDetection
public import PoseModel

/// Runs a detector over one recording and gives its answers and their reasons as 32-bit numbers.
///
/// The recording is already measured and smoothed. A script reads the numbers, so fractions are
/// given as the bits of a `Float`.
public struct SequenceExplainer: Sendable {
  /// The number of values per frame in `frames`.
  public static let frameWidth = 8
  /// The value for no rule and no comparison, beyond the length of any list.
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
  ///   - offset: what the form rules subtract from a measurement, which is given by its index among
  ///     the columns; nil to subtract nothing.
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
    columns = MeasurementColumns(of: detector.measurements, values: values, frameCount: times.count)
    answers = detector.detect(columns, times: times, startsMid: startsMid)
  }

  /// Nil without an offset, and for an offset that no calibration can have.
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

  /// Returns the detector's reasoning in each frame, `frameWidth` numbers per frame.
  ///
  /// In order: the label by the rules (255 for none); the answer; whether it was held over a
  /// dropout; the index of the rule that decided (or `none`); the index of the comparison that was
  /// closest to changing the label (or `none`); its margin as a `Float`; and how long a new answer
  /// has been pending, in frames, and in seconds as a `Float`.
  public func frames(_ stream: AnswerStream) -> [UInt32] {
    var debouncer = detector.debouncer(stream, startsMid: startsMid)
    var result: [UInt32] = []
    result.reserveCapacity(times.count * Self.frameWidth)
    let found = answers[stream]
    try? detector.forEachTrace(stream, columns, times: times, in: times.indices) { frame, traces in
      let rule = traces.firstIndex { $0.decides }
      let nearest = traces.nearestPivot
      _ = debouncer.update(found.raw[frame], at: times[frame])
      let seconds = Float(debouncer.pendingSeconds.value)
      result += [
        UInt32(found.raw[frame]), UInt32(found.answers[frame]), found.isHeld[frame] ? 1 : 0,
        rule.map { UInt32($0) } ?? Self.none, nearest.map { UInt32($0.place) } ?? Self.none,
        (nearest?.step.margin ?? .nan).bitPattern, UInt32(debouncer.pending?.run ?? 0),
        seconds.bitPattern,
      ]
    }
    return result
  }

  /// Returns the result of each of a stream's comparisons in a frame, four numbers per comparison.
  ///
  /// In order: the stored measurement, the threshold and the margin, each as a `Float`, and whether
  /// the comparison holds.
  public func comparisons(_ stream: AnswerStream, at frame: Int) -> [UInt32] {
    let traces = try? detector.trace(stream, columns, times: times, at: frame)
    return (traces ?? []).flatMap { $0.steps }.flatMap { step in
      [
        step.measured.stored.bitPattern, step.threshold.bitPattern,
        (step.margin ?? .nan).bitPattern, step.holds ? 1 : 0,
      ]
    }
  }
}

/// A detector as lines of text, which a page passes to the detector code that runs in the page.
///
/// Fields are separated by tabs; numbers are the bits of a `Double` in hexadecimal, so that they
/// come back exactly. Smoothing and expressions are left out, because a page already has the
/// smoothed measurements; what reads expressions would be a third of the page's program.
///
/// ```
/// axes         AXES
/// measurement  NAME  UNIT
/// parameter    KEY   UNIT  LEAST  GREATEST  VALUE
/// plank        CODE  MEASUREMENT  COMPARISON  [-]KEY  ...
/// form         CODE  MEASUREMENT  COMPARISON  [-]KEY  ...
/// debounce     STREAM  KIND  KEY  VALUE  ...
/// band         KEY   HALF WIDTH
/// ```
public enum DetectorLines {
  /// The lines of a detector with its parameters and its debounce.
  public static func text(of detector: BatchDetector) -> String {
    let definition = detector.definition
    var lines = [["axes", definition.axes.rawValue]]
    lines += detector.measurements.members.filter { !$0.isBuiltIn }
      .map { ["measurement", $0.name, $0.unit.rawValue] }
    lines += detector.parameters.entries.map { definition, value in
      [
        "parameter", definition.key.rawValue, definition.unit.rawValue,
        bits(definition.range.lowerBound), bits(definition.range.upperBound), bits(value),
      ]
    }
    for stream in AnswerStream.allCases {
      lines += definition.list(stream).rules.map { rule in
        [stream.rawValue, String(rule.label.code)]
          + rule.predicates.flatMap { predicate in
            [
              predicate.measurement.name, predicate.comparison.rawValue,
              (predicate.isNegated ? "-" : "") + predicate.parameter.rawValue,
            ]
          }
      }
      guard let debounce = detector.debounce[stream] else { continue }
      lines.append(
        ["debounce", stream.rawValue, debounce.kind.rawValue]
          + debounce.entries.flatMap { [$0.definition.key.rawValue, bits($0.value)] })
    }
    lines += detector.debounce.bands.map { ["band", $0.parameter.rawValue, bits($0.halfWidth)] }
    return lines.map { $0.joined(separator: "\t") + "\n" }.joined()
  }

  /// Makes a detector from its lines; the detector does not smooth.
  ///
  /// - Throws: `UnreadableLines` for lines that `text(of:)` did not write.
  public static func detector(of text: String) throws(UnreadableLines) -> BatchDetector {
    var reader = DetectorLinesReader()
    let (newline, tab) = (UInt8(ascii: "\n"), UInt8(ascii: "\t"))
    for (index, line) in text.utf8.split(separator: newline).enumerated() {
      let fields = line.split(separator: tab, omittingEmptySubsequences: false)
        .map { String(decoding: $0, as: UTF8.self) }
      guard reader.take(fields) else { throw UnreadableLines(line: index + 1) }
    }
    guard let detector = reader.detector else { throw UnreadableLines(line: nil) }
    return detector
  }

  private static func bits(_ number: Double) -> String { String(number.bitPattern, radix: 16) }
}

/// Lines that do not describe a detector.
public struct UnreadableLines: Error, Hashable, Sendable, CustomStringConvertible {
  /// The number of the unreadable line, from 1; nil if the lines contradict each other.
  public let line: Int?

  /// The unreadable line, and what the user should do.
  public var description: String {
    let place = line.map { "line \($0) of the detector cannot be read" }
    return (place ?? "the lines of the detector do not go together")
      + "; write the page again with the program that it comes from"
  }
}

private struct DetectorLinesReader {
  private var axes = AxisReading.gravity
  private var measurements: [Measurement] = []
  private var parameters: [ParameterDefinition] = []
  private var rules: [AnswerStream: [Rule]] = [:]
  private var debounce: [AnswerStream: StrategySettings<DebounceKind>] = [:]
  private var bands: [SchmittBand] = []

  var detector: BatchDetector? {
    guard let plank = try? DecisionList(.plank, rules[.plank] ?? []),
      let form = try? DecisionList(.form, rules[.form] ?? []),
      let definition = try? DetectorDefinition(
        name: "", summary: "", axes: axes, plank: plank, form: form,
        expressions: measurements, custom: parameters, catalog: []),
      let strategy = try? DebounceStrategy(
        plank: debounce[.plank], form: debounce[.form], bands: bands)
    else { return nil }
    return try? BatchDetector(definition, debounce: strategy)
  }

  mutating func take(_ fields: [String]) -> Bool {
    switch (fields[0], fields.count) {
    case ("axes", 2):
      guard let axes = AxisReading(rawValue: fields[1]) else { return false }
      self.axes = axes
    case ("measurement", 3):
      guard let unit = MeasurementUnit(rawValue: fields[2]) else { return false }
      measurements.append(Measurement(measured: fields[1], unit, axes: axes))
    case ("band", 3):
      let band = number(fields[2]).flatMap {
        try? SchmittBand(ParameterKey(fields[1]), halfWidth: $0)
      }
      guard let band else { return false }
      bands.append(band)
    case ("parameter", 6): return takeParameter(fields)
    case ("debounce", 3...): return takeDebounce(fields)
    default: return takeRule(fields)
    }
    return true
  }

  private mutating func takeParameter(_ fields: [String]) -> Bool {
    guard let unit = MeasurementUnit(rawValue: fields[2]),
      let least = number(fields[3]), let greatest = number(fields[4]), least <= greatest,
      let value = number(fields[5]),
      let parameter = try? ParameterDefinition(
        ParameterKey(fields[1]), unit: unit, default: value, range: least...greatest, meaning: "")
    else { return false }
    parameters.append(parameter)
    return true
  }

  private mutating func takeRule(_ fields: [String]) -> Bool {
    guard fields.count % 3 == 2, let stream = AnswerStream(rawValue: fields[0]),
      let label = UInt8(fields[1]).flatMap({ AnswerLabel(stream, code: $0) })
    else { return false }
    var rule = Rule(label)
    for place in stride(from: 2, to: fields.count, by: 3) {
      let (name, key) = (fields[place], fields[place + 2].utf8)
      let isNegated = key.first == UInt8(ascii: "-")
      guard let comparison = Comparison(rawValue: fields[place + 1]),
        let measurement = measurements.first(where: { $0.name == name })
          ?? Measurement.builtIn(named: name)
      else { return false }
      let parameter = String(decoding: key.dropFirst(isNegated ? 1 : 0), as: UTF8.self)
      rule.predicates.append(
        Predicate(measurement, comparison, ParameterKey(parameter), negated: isNegated))
    }
    rules[stream, default: []].append(rule)
    return true
  }

  private mutating func takeDebounce(_ fields: [String]) -> Bool {
    guard !fields.count.isMultiple(of: 2), let stream = AnswerStream(rawValue: fields[1]),
      let kind = DebounceKind(rawValue: fields[2])
    else { return false }
    var values: [ParameterKey: Double] = [:]
    for place in stride(from: 3, to: fields.count, by: 2) {
      guard let value = number(fields[place + 1]) else { return false }
      values[ParameterKey(fields[place])] = value
    }
    debounce[stream] = try? StrategySettings(kind, values)
    return debounce[stream] != nil
  }

  private func number(_ bits: String) -> Double? {
    UInt64(bits, radix: 16).map { Double(bitPattern: $0) }
  }
}
