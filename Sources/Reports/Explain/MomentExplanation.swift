package import Evaluation
package import PlankDetection
package import PoseDatasets
internal import PoseModel
package import Tuning

package struct MomentExplanation {
  let sequence: DatasetSequence
  let frame: Int
  let detector: BatchDetector
  private let smoothing: SmoothingChoice
  private let columns: MeasurementColumns
  package let answers: DetectionColumns
  private let hold: CalibrationReport.Hold?
  private let assumedHeight: UnmetNeed?

  package init(
    of sequence: DatasetSequence, frame: Int, _ detector: BatchDetector,
    smoothing: SmoothingChoice, _ columns: MeasurementColumns, _ answers: DetectionColumns,
    hold: CalibrationReport.Hold?, assumedHeight: UnmetNeed?
  ) {
    self.sequence = sequence
    self.frame = frame
    self.detector = detector
    self.smoothing = smoothing
    self.columns = columns
    self.answers = answers
    self.hold = hold
    self.assumedHeight = assumedHeight
  }

  var recording: Recording { sequence.recording }
  private var time: Double { recording.times[frame] }
  private var debounce: String {
    detector.debounce.text(parameters: detector.definition.parameters)
  }

  private func traces(_ stream: AnswerStream) -> [RuleTrace] {
    let traces = try? detector.trace(stream, columns, times: recording.times, at: frame)
    return traces ?? []
  }

  private func truth(_ stream: AnswerStream) -> String {
    let code = sequence.truth().codes(stream)[frame]
    switch code {
    case FrameTruth.unlabeled: return "unlabeled"
    case FrameTruth.ignored: return "ignore"
    case FrameTruth.unjudged: return "not judged"
    default: return stream.labels[Int(code)]
    }
  }

  private func rawLabel(_ stream: AnswerStream) -> String? {
    let code = answers[stream].raw[frame]
    return code == Debouncer.undetermined ? nil : stream.labels[Int(code)]
  }

  private func answer(_ stream: AnswerStream) -> String {
    stream.labels[Int(answers[stream].answers[frame])]
  }

  private var grade: FormGrade? {
    PlankClass(code: answers.plank.answers[frame]).flatMap {
      FormGrade(
        bodyAngle: columns.value(of: .bodyAngle, at: frame), answer: $0, detector.gradeBands)
    }
  }

  func document(isFull: Bool) -> Document {
    var document = Document()
    let title = "\(sequence.name) at \(NumberText.fixed(time, 3)) s, frame \(frame)"
    document.heading(title, level: 1)
    document.paragraph(
      "Detector \(detector.definition.name): \(detector.definition.summary).\(strategies)")
    document.paragraph(
      hold?.explanation(
        of: detector.calibration?.measurement, unit: detector.calibration?.unit.rawValue) ?? "")
    if let mismatch = detector.definition.mismatch(with: recording.header) {
      document.paragraph("The rules cannot decide any frame: \(mismatch)", .warning)
    }
    if recording.isMissing(at: frame) { document.paragraph(missingSentence, .warning) }
    if let need = assumedHeight {
      document.paragraph(
        UnmetNeed.sentences([need], of: detector.definition.name, in: 1)[0], .warning)
    }
    for stream in AnswerStream.allCases { append(stream, isFull, to: &document) }
    guard isFull else { return document }
    if let grade {
      document.paragraph(
        "The body angle is graded \(grade.rawValue); grades are never scored.")
    }
    document.heading("Measurements")
    document.table(measurementTable)
    return document
  }

  private var strategies: String {
    let smoothing = smoothing.isNone ? "" : " Smoothing: \(smoothing.text)."
    return smoothing + (detector.debounce == .parameters ? "" : " Debounce: \(debounce).")
  }

  private var missingSentence: String {
    recording.hasPose(at: frame)
      ? "The frame has a pose in pelvis axes but no camera matrix, so the pose counts as missing."
      : "No pose was found in this frame."
  }

  private static let mostNear = 4

  private func append(_ stream: AnswerStream, _ isFull: Bool, to document: inout Document) {
    document.heading("\(stream.rawValue): truth \(truth(stream)), answer \(answer(stream))")
    let traces = traces(stream)
    let isWrong = stream.labels.contains(truth(stream)) && truth(stream) != answer(stream)
    document.paragraph(reason(traces, stream), isWrong ? .bad : .strong)
    document.paragraph(debounceSentence(stream))
    if isFull {
      document.table(ruleTable(stream, traces))
    } else if rawLabel(stream) != nil {
      let pivots = traces.pivots
      if pivots.isEmpty {
        document.paragraph("No single comparison would change this answer.", .dim)
      } else {
        document.table(nearTable(pivots))
      }
    }
  }

  /// For example: high, because `forearmVerticality` 0.999 is 0.399 above
  /// `coach_forearm_verticality` 0.6.
  private func reason(_ traces: [RuleTrace], _ stream: AnswerStream) -> String {
    guard rawLabel(stream) != nil, let place = traces.firstIndex(where: \.decides) else {
      return "No rule decides, because a measurement is undefined."
    }
    let trace = traces[place]
    let first = "Rule \(place + 1) of \(traces.count) decides: \(trace.label), because "
    guard trace.steps.isEmpty else {
      return first + trace.steps.map(Self.text).joined(separator: " and ") + "."
    }
    let nearest = traces.nearestStep.map { "; closest: " + Self.text($0) } ?? ""
    return first + "no earlier rule holds\(nearest)."
  }

  private static func text(_ step: RuleTrace.Step) -> String {
    let measurement = step.predicate.measurement
    guard let value = step.value, let margin = step.margin else {
      return "\(measurement.name) is undefined"
    }
    return "`\(measurement.name)` \(number(value, measurement.unit))\(measurement.unit.suffix) is "
      + "\(number(margin.magnitude, measurement.unit)) "
      + "\(value > step.threshold ? "above" : "below") `\(step.predicate.parameter.rawValue)` "
      + number(step.threshold, measurement.unit)
  }

  private static func number(_ value: Float, _ unit: MeasurementUnit) -> String {
    NumberText.fixed(Double(value), unit == .degrees ? 1 : 3)
  }

  private func nearTable(_ pivots: [RuleTrace.Pivot]) -> Table {
    let near = pivots.sorted {
      ($0.step.relativeDistance ?? 0, $0.place) < ($1.step.relativeDistance ?? 0, $1.place)
    }
    return Table(near.prefix(Self.mostNear)) { row, one in
      let unit = one.step.predicate.measurement.unit
      row.words("closest to a change", one.step.predicate.measurement.name)
      row.number("measured", one.step.value.map { Self.number($0, unit) } ?? "")
      row.number("limit", Self.number(one.step.threshold, unit))
      row.number(
        "margin", one.step.margin.map { Self.number($0, unit) } ?? "",
        one.step.holds ? .good : .plain)
      row.words("gives", one.label)
      row.number("rule", "\(one.rule + 1)")
    }
  }

  private func ruleTable(_ stream: AnswerStream, _ traces: [RuleTrace]) -> Table {
    var table = Table()
    var isAsked = rawLabel(stream) != nil
    let reason = isAsked ? "not asked" : "not asked: a measurement is undefined"
    for (index, trace) in traces.enumerated() {
      let verdict = !isAsked ? reason : trace.decides ? "decides" : "does not hold"
      let tone: StyledText.Tone = !isAsked ? .dim : trace.decides ? .good : .plain
      // The last rule has no steps, and one row all the same.
      for place in 0..<max(1, trace.steps.count) {
        let step = trace.steps.isEmpty ? nil : trace.steps[place]
        let isFirst = place == 0
        table.row {
          $0.number("rule", isFirst ? "\(index + 1)" : "")
          $0.words("label", isFirst ? trace.label : "and")
          $0.words("condition", step.map { "\($0.predicate)" } ?? "otherwise")
          $0.number("measured", step.map(Self.measured) ?? "")
          $0.number("parameter", step.map { Self.fourDecimals($0.threshold) } ?? "")
          $0.number("margin", step?.margin.map(Self.fourDecimals) ?? "")
          $0.words("verdict", isFirst ? verdict : "", isFirst ? tone : .plain)
        }
      }
      isAsked = isAsked && !trace.decides
    }
    return table
  }

  private static func measured(_ step: RuleTrace.Step) -> String {
    step.measured.absence
      ?? "\(fourDecimals(step.measured.stored)) \(step.predicate.measurement.unit.rawValue)"
  }

  private static func fourDecimals(_ value: Float) -> String { NumberText.fixed(Double(value), 4) }

  private var measurementTable: Table {
    Table(detector.definition.reportedMeasurements.members) { row, measurement in
      let measured = columns.measured(measurement, at: frame)
      row.words("measurement", measurement.name)
      row.number(
        "value", measured.absence ?? Self.fourDecimals(measured.stored),
        measured.absence == nil ? .strong : .warning)
      row.words("unit", measurement.unit.rawValue)
      row.words("definition", measurement.definition, .dim)
    }
  }
}

extension MomentExplanation: JSONObject {
  private struct Stream: Encodable {
    let truth: String
    let raw: String?
    let prediction: String
    let rules: [TracedRule]
    let debounce: String
  }

  var members: [String: (any Encodable)?] {
    let reported = detector.definition.reportedMeasurements.members
    let values = reported.map { ($0.name, columns.value(of: $0, at: frame)) }
    let remarks = reported.compactMap { measurement in
      columns.measured(measurement, at: frame).absence.map { (measurement.name, $0) }
    }
    let streams = PerStream { stream in
      Stream(
        truth: truth(stream), raw: rawLabel(stream), prediction: answer(stream),
        rules: traces(stream).map(TracedRule.init), debounce: debounceSentence(stream))
    }
    return [
      "sequence": sequence.name, "frame": frame, "time_s": time,
      "detector": detector.definition.name, "smoothing": smoothing.text, "debounce": debounce,
      "calibration": hold, "is_missing": recording.isMissing(at: frame), "streams": streams,
      "grade": grade, "unmet_needs": [assumedHeight].compactMap(\.self),
      "measurements": Dictionary(uniqueKeysWithValues: values),
      "measurements_remarks": Dictionary(uniqueKeysWithValues: remarks),
    ]
  }
}

extension [MomentExplanation] {
  package func document(isFull: Bool) -> Document {
    var document = reduce(into: Document()) { $0.append($1.document(isFull: isFull)) }
    if !isFull, !isEmpty { document.code(["# every rule and measurement: --verbose"]) }
    return document
  }
}

private struct TracedRule: Encodable {
  struct Condition: Encodable {
    let predicate: String
    let value: Float?
    let remark: String?
    let threshold: Float
    let margin: Float?
    let holds: Bool
  }

  let label: String
  let decides: Bool
  let holds: Bool
  let conditions: [Condition]

  init(_ trace: RuleTrace) {
    label = trace.label
    decides = trace.decides
    holds = trace.holds
    conditions = trace.steps.map { step in
      Condition(
        predicate: "\(step.predicate)", value: step.value, remark: step.measured.absence,
        threshold: step.threshold, margin: step.margin, holds: step.holds)
    }
  }
}
