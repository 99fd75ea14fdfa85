internal import Evaluation
internal import PlankDetection
internal import PoseDatasets
internal import PoseModel
internal import Reports
internal import Tuning

struct BenchDetector: Sendable {
  static let standard = "coach"

  let detector: BatchDetector
  let thresholds: Thresholds
  let calibrating: CalibrationChoice?

  /// A nil detector, smoothing or debounce means that of the thresholds file.
  ///
  /// Without such a file, it means `standard`, no smoothing, and the detector's own debounce.
  init(_ settings: AnswerSettings = AnswerSettings(), source: ChoiceSource = .options) throws {
    var thresholds = try Self.start(settings, source)
    try Assignments.set(settings.assignments, in: &thresholds.parameters, source: source)
    if let text = settings.smoothing {
      thresholds.smoothing = try source.reading(
        "smoothing", text, advice: "; `planklab smoothers` lists all"
      ) { try SmoothingChoice(text: text) }
    }
    if let text = settings.debounce {
      thresholds.debounce = try source.reading(
        "debounce", text, advice: "; `planklab smoothers` lists all"
      ) { try DebounceStrategy(text: text, parameters: thresholds.parameters.definitions) }
    }
    let calibrating = try settings.calibrate.map { text in
      try source.reading("calibrate", text) {
        let choice = try CalibrationChoice(text)
        _ = try choice.hold(of: thresholds.definition)
        return choice
      }
    }
    do {
      try self.init(thresholds, calibrating: calibrating)
    } catch {
      throw source.failure(option: nil, fields: ["debounce", "smoothing", "set"], "\(error)")
    }
  }

  init(_ thresholds: Thresholds, calibrating: CalibrationChoice? = nil) throws {
    var causal = SmoothingStrategy.none
    if case .causal(let chain) = thresholds.smoothing { causal = chain }
    detector = try BatchDetector(
      thresholds.definition, parameters: thresholds.parameters, smoothing: causal,
      debounce: thresholds.debounce)
    self.thresholds = thresholds
    self.calibrating = calibrating
  }

  var judging: DetectorDefinition {
    calibrating == nil ? detector.definition : detector.definition.calibrated
  }

  var smoothing: SmoothingChoice { thresholds.smoothing }

  var isUnsmoothed: Bool { smoothing.isNone }

  var smoothingText: String { smoothing.text }

  var debounceText: String { thresholds.debounceText }

  func measure(_ recording: Recording, also extra: MeasurementSet = []) -> MeasurementColumns {
    smoothing.measure(recording, detector, also: extra)
  }

  var caution: String? {
    smoothing.isCausal
      ? nil
      : "The smoothing \(smoothingText) looks ahead, which no app can do; the result shows the "
        + "limit of what smoothing could achieve."
  }

  static func cautions(of mismatches: [PoseMismatch?]) -> [String] {
    mismatches.compactMap(\.self).distinct.map { reason in
      let count = NumberText.count(mismatches.count { $0 == reason }, "recording")
      return "The rules could not decide any frame of \(count): \(reason)"
    }
  }

  func plain(named name: String) throws -> BatchDetector {
    try require(
      smoothing.isNone && detector.debounce == .parameters, .usage,
      "\(name): has smoothing \(smoothingText) and debounce \(debounceText), which this command "
        + "does not apply; use evaluate, measure or replay")
    return detector
  }

  private static func start(
    _ settings: AnswerSettings, _ source: ChoiceSource
  ) throws -> Thresholds {
    let name = settings.detector
    guard let thresholds = settings.parameters else {
      let definition = try definition(name ?? standard, source)
      return Thresholds(
        definition: definition, parameters: definition.defaults, smoothing: .none,
        debounce: .parameters)
    }
    let file = try ThresholdsFile.read(thresholds)
    if let name, try definition(name, source) != file.definition {
      throw source.failure(
        option: "--detector", text: name, fields: ["detector"],
        "\(thresholds) has parameters of \(file.definition.name); remove one of the two")
    }
    return file
  }

  static func isFile(_ name: String) -> Bool {
    name.hasSuffix(".yaml") || name.hasSuffix(".yml") || name.contains("/")
  }

  private static func definition(
    _ name: String, _ source: ChoiceSource
  ) throws -> DetectorDefinition {
    if let builtIn = DetectorDefinition.builtIn(named: name) { return builtIn }
    guard isFile(name) else {
      let names = DetectorDefinition.builtIn.map(\.name)
      throw source.failure(
        option: nil, fields: ["detector"],
        "no detector `\(name)`; \(NearestNames.hint(name, among: names))the built-in detectors are "
          + "\(names.joined(separator: ", ")); a detector file ends in .yaml")
    }
    let text = try InputText.read(name)
    return try DetectorSpecification.parse(text, file: name)
  }

  var calibrationCaution: String? {
    let definition = detector.definition
    guard let calibrating, judging.form == definition.form,
      let hold = try? calibrating.hold(of: definition)
    else { return nil }
    let limits = definition.form.rules.flatMap(\.predicates).filter {
      $0.measurement == hold.measurement
    }
    guard limits.count == 2, let first = try? detector.parameters.threshold(of: limits[0]),
      let second = try? detector.parameters.threshold(of: limits[1]),
      limits.allSatisfy({ detector.parameters[$0.parameter] == definition.defaults[$0.parameter] })
    else { return nil }
    let (low, high) = (Double(min(first, second)), Double(max(first, second)))
    let quarter = (high - low) / 4
    guard !(low + quarter...high - quarter).contains(hold.confirmedValue) else { return nil }
    let names = limits.map { "`\($0.parameter.rawValue)`" }.joined(separator: " and ")
    return "The defaults of \(names) are for uncalibrated readings; set both limits around the "
      + "confirmed \(NumberText.short(hold.confirmedValue)) \(hold.measurement.unit.rawValue)."
  }
}

/// Which seconds of a recording calibrate the detector, such as `first=2s,angle=180deg`, or
/// `confirmed` for those that the manifest names.
struct CalibrationChoice: Hashable, Sendable {
  enum Place: Hashable, Sendable {
    /// The first stretch of this length that is accepted as a hold, with an assumed true angle; nil
    /// means a straight body.
    case first(Seconds, angle: Degrees?)
    case confirmed
  }

  let place: Place
  let measurement: String?

  init(_ text: String) throws {
    var values: [String: String] = [:]
    var isConfirmed = false
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let key = String(pair[0])
      if part == "confirmed", !isConfirmed {
        isConfirmed = true
      } else if pair.count == 2, ["first", "angle", "measurement"].contains(key),
        values.updateValue(String(pair[1]), forKey: key) == nil
      {
        continue
      } else {
        throw UnreadableCalibration(part: String(part))
      }
    }
    guard isConfirmed != (values["first"] != nil), !(isConfirmed && values["angle"] != nil) else {
      throw UnreadableCalibration(part: text)
    }
    measurement = values["measurement"]
    let angle = try values["angle"].map {
      Degrees(try Self.number($0, "angle", .degrees, usual: 180, ConfirmedHold.angles))
    }
    place =
      try values["first"].map {
        Place.first(
          Seconds(try Self.number($0, "first", .seconds, usual: 2, ConfirmedHold.durations)),
          angle: angle)
      } ?? .confirmed
  }

  var text: String {
    let named = measurement.map { ",measurement=\($0)" } ?? ""
    switch place {
    case .confirmed: return "confirmed" + named
    case .first(let duration, let angle):
      let seconds = "first=\(NumberText.shortest(duration.value))s"
      return seconds + (angle.map { ",angle=\(NumberText.shortest($0.value))deg" } ?? "") + named
    }
  }

  private static func number<Unit: Quantity>(
    _ text: String, _ key: String, _ unit: MeasurementUnit, usual: Double,
    _ range: ClosedRange<Unit>
  ) throws -> Double {
    try ParameterDefinition(
      ParameterKey(key), unit: unit, default: usual,
      range: range.lowerBound.value...range.upperBound.value, meaning: ""
    ).parse(text)
  }

  func hold(
    of definition: DetectorDefinition, _ confirmed: ConfirmedHold? = nil
  ) throws -> CalibrationHold {
    let compared = definition.form.measurements.members
    if let measurement, !compared.contains(where: { $0.name == measurement }) {
      throw CalibrationError.unknownMeasurement(
        measurement, detector: definition.name, available: compared.map(\.name))
    }
    let chosen = compared.first { $0.name == measurement }
    switch place {
    case .first(let duration, let angle):
      return try CalibrationHold(of: definition, chosen, confirmed: angle, duration: duration)
    case .confirmed:
      let duration = confirmed.map { $0.end.value - $0.start.value }
      return try CalibrationHold(
        of: definition, chosen, confirmed: confirmed?.angle, duration: Seconds(duration ?? 2))
    }
  }

  /// - Throws: the last refusal of a plank if the first seconds are searched, otherwise the first
  ///   refusal.
  func find(
    in sequence: DatasetSequence, _ detector: BatchDetector, _ columns: MeasurementColumns,
    _ answers: DetectionColumns
  ) throws -> FoundHold {
    var run = HoldRun(
      hold: try hold(of: detector.definition, sequence.calibration),
      times: sequence.recording.times, columns: columns, answers: answers)
    guard place == .confirmed, let confirmed = sequence.calibration else { return try run.first() }
    return try run.confirmed(confirmed)
  }

  func lacksHold(_ sequence: DatasetSequence) -> Bool {
    place == .confirmed && sequence.calibration == nil
  }
}

struct UnreadableCalibration: Error, CustomStringConvertible {
  let part: String

  var description: String {
    "`\(part)` does not say which seconds to calibrate with; give `first=2s` (add `,angle=175deg` "
      + "if the body was not straight), or `confirmed` for the manifest's seconds; if there are "
      + "several measurements, add `,measurement=NAME`"
  }
}

struct FoundHold {
  let calibration: Calibration
  let hold: ConfirmedHold

  func unscored(at times: [Double]) -> PerStream<Range<Int>> {
    let frames = hold.frames(at: times)
    return PerStream(plank: frames, form: 0..<frames.upperBound)
  }
}

private struct HoldRun {
  var hold: CalibrationHold
  let times: [Double]
  let columns: MeasurementColumns
  let answers: DetectionColumns

  mutating func first() throws -> FoundHold {
    var refusal: (any Error)?
    for frame in times.indices {
      let start = hold.start
      do {
        if let calibration = try update(frame), let start {
          return FoundHold(
            calibration: calibration,
            hold: ConfirmedHold(start: start, end: Seconds(start.value + hold.duration.value)))
        }
      } catch { if start != nil || refusal == nil { refusal = error } }
    }
    if let refusal, hold.start == nil { throw refusal }
    throw CalibrationError.tooShort(
      Seconds(hold.duration.value - hold.remaining.value), needed: hold.duration)
  }

  mutating func confirmed(_ confirmed: ConfirmedHold) throws -> FoundHold {
    for frame in confirmed.frames(at: times) { _ = try update(frame) }
    return FoundHold(calibration: try hold.finish(at: confirmed.end), hold: confirmed)
  }

  private mutating func update(_ frame: Int) throws -> Calibration? {
    try hold.update(
      answers.answer(at: frame).plank, columns.measured(hold.measurement, at: frame),
      at: Seconds(times[frame]))
  }
}

struct CalibratedRun: Sendable {
  private(set) var detector: BatchDetector
  private(set) var answers: DetectionColumns
  private(set) var truth: FrameTruth
  private(set) var hold: CalibrationReport.Hold?
  private let uncalibrated: DetectionColumns

  /// A nil `known` means that the answers are not known yet.
  init(
    _ bench: BenchDetector, _ sequence: DatasetSequence, _ columns: MeasurementColumns,
    _ known: DetectionColumns? = nil
  ) {
    detector = bench.detector
    answers = known ?? bench.detector.detect(columns, of: sequence)
    uncalibrated = answers
    truth = sequence.truth()
    guard let choice = bench.calibrating else { return }
    guard !choice.lacksHold(sequence) else {
      refuse(sequence, Self.notConfirmed)
      return
    }
    do {
      calibrate(sequence, columns, try choice.find(in: sequence, detector, columns, answers))
    } catch { refuse(sequence, "\(error)") }
  }

  func comparison(
    _ outcome: SequenceOutcome
  ) -> (hold: CalibrationReport.Hold, uncalibrated: SequenceScores)? {
    hold.map { ($0, SequenceScores(outcome.answered(PerStream(uncalibrated)), detail: .report)) }
  }

  private static let notConfirmed =
    "the manifest names no confirmed seconds of this recording; add `calibration` to its entry"

  private mutating func refuse(_ sequence: DatasetSequence, _ reason: String) {
    hold = CalibrationReport.Hold(
      sequence: sequence.name, subject: sequence.subject, refusal: reason)
  }

  private mutating func calibrate(
    _ sequence: DatasetSequence, _ columns: MeasurementColumns, _ found: FoundHold
  ) {
    do {
      detector = try detector.calibrated(by: found.calibration)
    } catch {
      preconditionFailure("a hold is of a measurement that the form rules compare: \(error)")
    }
    let times = sequence.recording.times
    answers = detector.detect(columns, of: sequence)
    let before = found.unscored(at: times)
    let unscored = PerStream { stream in
      before[stream].count { FrameTruth.isScored(truth.codes(stream)[$0]) }
    }
    for stream in AnswerStream.allCases { truth.ignore(before[stream], in: stream) }
    hold = CalibrationReport.Hold(
      sequence: sequence.name, subject: sequence.subject, start: found.hold.start,
      end: found.hold.end, offset: found.calibration.offset, unscored: unscored)
  }
}
