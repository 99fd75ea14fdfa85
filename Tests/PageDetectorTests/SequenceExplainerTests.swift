import PlankDetection
import PoseModel
import TestSupport
import Testing

@testable import PageDetector

@Suite("The detector of a page") struct SequenceExplainerTests {
  /// Every built-in detector, and one with an expression, hysteresis and debounce of its own.
  private let detectors: [BatchDetector]

  init() throws {
    detectors =
      try DetectorDefinition.builtIn.map { definition in try BatchDetector(definition) }
      + [Self.ownDetector()]
  }

  private static func ownDetector() throws -> BatchDetector {
    let limit = try ParameterDefinition(
      ParameterKey("limit"), unit: .degrees, default: 100, range: 0...180, meaning: "a limit")
    let bend = try Measurement("kneeBend", "angle(leftHip, leftKnee, leftAnkle)")
    let condition = try Condition(
      "kneeBend > limit and elbowAngle < elbow_split", measurements: [bend])
    let definition = try DetectorDefinition(
      name: "own", summary: "", axes: .article,
      plank: DecisionList(
        .plank, Rule.rules(.plank(.forearm), when: condition) + [Rule(.plank(.none))]),
      form: DetectorDefinition.gravity.form, expressions: [bend], custom: [limit])
    var parameters = definition.defaults
    for key in [ParameterKey.plankFrames, .formFrames] { try parameters.set(key, to: 1) }
    let debounce = try DebounceStrategy(
      plank: StrategySettings(.dwell, [.enter: 0.1]), form: StrategySettings(.vote),
      bands: [SchmittBand(.elbowSplit, halfWidth: 7.5)])
    return try BatchDetector(definition, parameters: parameters, debounce: debounce)
  }

  /// 240 frames with a gap, values around every threshold, some missing and some inapplicable.
  private static func values(of detector: BatchDetector) -> ([Measurement: [Float]], [Double]) {
    var generator = SplitMix64(seed: 7)
    let times = (0..<240).map { Double($0) / 30 + ($0 > 150 ? 3 : 0) }
    let predicates = AnswerStream.allCases.flatMap { detector.definition.list($0).rules }
      .flatMap(\.predicates)
    var columns: [Measurement: [Float]] = [:]
    for measurement in detector.measurements.members {
      let center =
        predicates.filter { $0.measurement == measurement }
        .compactMap { try? detector.parameters.threshold(of: $0) }.first ?? 1
      columns[measurement] = times.map { _ in
        let draw = Float.random(in: 0..<1, using: &generator)
        if draw < 0.01 { return MeasuredValue.missing.stored }
        if draw < 0.03 { return MeasuredValue.inapplicable.stored }
        return center + (draw - 0.5) * max(abs(center), 0.1)
      }
    }
    return (columns, times)
  }

  @Test("A detector comes back from its lines with all that rules and debounce need")
  func lines() throws {
    for detector in detectors {
      let read = try DetectorLines.detector(of: DetectorLines.text(of: detector))
      #expect(
        read.measurements.members.map(\.columnName)
          == detector.measurements.members.map(\.columnName))
      #expect(read.debounce == detector.debounce)
      #expect(read.definition.plank.sentences == detector.definition.plank.sentences)
      #expect(read.definition.form.sentences == detector.definition.form.sentences)
      for (definition, value) in detector.parameters.entries {
        #expect(read.parameters[definition.key] == value)
      }
    }
  }

  @Test("Lines that were changed are refused with their number")
  func changedLines() throws {
    let lines = DetectorLines.text(of: detectors[0])
    #expect(throws: UnreadableLines(line: 1)) {
      try DetectorLines.detector(of: "parameter\tsag\n" + lines)
    }
    #expect(throws: UnreadableLines(line: nil)) { try DetectorLines.detector(of: "") }
  }

  @Test("Answers, rules, margins and runs are those of the detector", arguments: [false, true])
  func frames(startsMid: Bool) throws {
    for detector in detectors {
      let (columns, times) = Self.values(of: detector)
      let read = try DetectorLines.detector(of: DetectorLines.text(of: detector))
      let explainer = SequenceExplainer(
        read, values: detector.measurements.members.flatMap { columns[$0] ?? [] }, times: times,
        startsMid: startsMid)
      let measured = MeasurementColumns(frameCount: times.count, columns: columns)
      let expected = detector.detect(measured, times: times, startsMid: startsMid)
      for stream in AnswerStream.allCases {
        let numbers = explainer.frames(stream)
        try #require(numbers.count == times.count * SequenceExplainer.frameWidth)
        var debouncer = detector.debouncer(stream, startsMid: startsMid)
        for frame in times.indices {
          let found = Array(numbers[frame * 8..<frame * 8 + 8])
          let traces = try detector.trace(stream, measured, times: times, at: frame)
          _ = debouncer.update(expected[stream].raw[frame], at: times[frame])
          #expect(found[0] == UInt32(expected[stream].raw[frame]))
          #expect(found[1] == UInt32(expected[stream].answers[frame]))
          #expect(found[2] == (expected[stream].isHeld[frame] ? 1 : 0))
          let rule = traces.firstIndex(where: \.decides)
          #expect(found[3] == rule.map(UInt32.init) ?? SequenceExplainer.none)
          let nearest = rule == nil ? nil : traces.nearestStep
          let steps = traces.flatMap(\.steps)
          #expect(
            found[4] == SequenceExplainer.none
              ? nearest == nil : steps[Int(found[4])] == nearest)
          #expect(found[6] == UInt32(debouncer.pending?.run ?? 0))
          #expect(Float(bitPattern: found[7]) == Float(debouncer.pendingSeconds.value))
          let comparisons = explainer.comparisons(stream, at: frame)
          #expect(
            comparisons
              == steps.flatMap { step in
                [
                  step.measured.stored.bitPattern, step.threshold.bitPattern,
                  (step.margin ?? .nan).bitPattern, step.holds ? 1 : 0,
                ]
              })
        }
      }
    }
  }

  @Test("The 256th rule is a rule")
  func longLists() throws {
    let condition = try Condition("elbowAngle > elbow_split")
    let high = Array(repeating: Rule.rules(.plank(.high), when: condition), count: 255)
    let definition = try DetectorDefinition(
      name: "long", summary: "", axes: .gravity,
      plank: DecisionList(.plank, high.flatMap(\.self) + [Rule(.plank(.forearm))]),
      form: DetectorDefinition.gravity.form)
    let detector = try BatchDetector(definition)
    let values = detector.measurements.members.map { $0 == .elbowAngle ? Float(90) : 0 }
    let explainer = SequenceExplainer(detector, values: values, times: [0], startsMid: false)
    #expect(explainer.frames(.plank)[3] == 255)
    #expect(explainer.frames(.plank)[4] == 0)
    let lost = SequenceExplainer(
      detector, values: values.map { _ in MeasuredValue.missing.stored }, times: [0],
      startsMid: false)
    #expect(lost.frames(.plank)[3] == SequenceExplainer.none)
  }

  @Test("A page calibrates as the detector does", arguments: [-6.5, 11])
  func calibrated(offset: Double) throws {
    let plain = try BatchDetector(.coach)
    let (columns, times) = Self.values(of: plain)
    let place = try #require(plain.measurements.members.firstIndex(of: .signedHipAngle))
    let explainer = SequenceExplainer(
      try DetectorLines.detector(of: DetectorLines.text(of: plain)),
      values: plain.measurements.members.flatMap { columns[$0] ?? [] }, times: times,
      startsMid: false, offset: (place: place, value: offset))
    let detector = try plain.calibrated(
      by: Calibration(
        measurement: "signedHipAngle", unit: .degrees, offset: offset, duration: Seconds(2),
        frames: 60))
    let measured = MeasurementColumns(frameCount: times.count, columns: columns)
    let expected = detector.detect(measured, times: times, startsMid: false)
    for stream in AnswerStream.allCases {
      let numbers = explainer.frames(stream)
      let answers = times.indices.map { numbers[$0 * SequenceExplainer.frameWidth + 1] }
      #expect(answers == expected[stream].answers.map(UInt32.init))
    }
    #expect(expected.form != plain.detect(measured, times: times, startsMid: false).form)
    for frame in [3, 77, 200] {
      let steps = try detector.trace(.form, measured, times: times, at: frame).flatMap(\.steps)
      let shown = explainer.comparisons(.form, at: frame)
      #expect(shown[0] == steps[0].measured.stored.bitPattern)
    }
  }
}
