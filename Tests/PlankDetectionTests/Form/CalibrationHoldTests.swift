import Foundation
import PlankDetection
import PoseModel
import TestSupport
import Testing

@Suite("Calibration holds") struct CalibrationHoldTests {
  /// A hold of `coach` that is fed one value per 0.1 s.
  private func calibrate(
    _ values: [Float?], plank: PlankClass = .forearm, confirmed: Degrees? = nil,
    step: Double = 0.1
  ) throws -> Calibration? {
    var hold = try CalibrationHold(of: .coach, confirmed: confirmed)
    for (index, value) in values.enumerated() {
      let found = try hold.update(
        plank, value.map(MeasuredValue.value) ?? .missing, at: Seconds(Double(index) * step))
      if let found { return found }
    }
    return nil
  }

  private let still = (0..<21).map { index -> Float? in 188 + Float(index % 3) }

  @Test("The offset is the median of the hold less what was confirmed")
  func offset() throws {
    let straight = try #require(try calibrate(still))
    #expect(straight.measurement == "signedHipAngle" && straight.unit == .degrees)
    #expect(straight.offset == 9 && straight.duration == Seconds(2) && straight.frames == 20)
    #expect(try calibrate(still, confirmed: Degrees(186))?.offset == 3)
  }

  @Test("A calibrated detector compares true angles with limits of its own, where they are defined")
  func limits() throws {
    let limits = DetectorDefinition.coach.calibrated.form.rules.flatMap(\.predicates)
    #expect(
      limits.map(\.parameter.rawValue) == [
        "coach_sag_angle_calibrated", "coach_pike_angle_calibrated",
      ])
    #expect(DetectorDefinition.gravity.calibrated == .gravity)
    var parameters = DetectorDefinition.coach.defaults
    try parameters.set("coach_pike_angle=205deg")
    try parameters.set("coach_pike_angle_calibrated=192deg")
    let calibration = try #require(try calibrate(still))
    let plain = try BatchDetector(.coach, parameters: parameters)
    let calibrated = try plain.calibrated(by: calibration)
    #expect(calibrated.list(.form) == DetectorDefinition.coach.calibrated.form)
    #expect(try calibrated.calibrated(by: nil).list(.form) == DetectorDefinition.coach.form)
    // 9 degrees too much: 201 is 192, and 201.5 is 192.5.
    func forms(_ detector: BatchDetector) -> [UInt8] {
      let columns = MeasurementColumns(
        of: detector.measurements,
        values: detector.measurements.members.flatMap { measurement in
          measurement.name == "signedHipAngle"
            ? [178, 201, 201.5, 206] : [Float](repeating: 0, count: 4)
        }, frameCount: 4)
      return detector.detect(columns, times: [0, 0.1, 0.2, 0.3], startsMid: true).form.raw
    }
    let (aligned, sag, pike) = (FormClass.aligned.code, FormClass.sag.code, FormClass.pike.code)
    #expect(forms(plain) == [aligned, aligned, aligned, pike])
    #expect(forms(calibrated) == [sag, aligned, pike, pike])
  }

  @Test("A hold ends with the first frame after its length, which is no part of it")
  func halfOpen() throws {
    #expect(try calibrate(Array(still.dropLast())) == nil)
    #expect(try calibrate(still.dropLast() + [300])?.offset == 9)
  }

  @Test("Frames without a value are skipped for half a second, not for longer")
  func gaps() throws {
    var values = still
    for frame in 5..<9 { values[frame] = nil }
    #expect(try calibrate(values)?.frames == 16)
    values[9] = nil
    #expect(throws: CalibrationError.interrupted(Seconds(0.6), at: Seconds(1))) {
      try calibrate(values.map { $0 })
    }
  }

  @Test("Only a forearm or high plank is a hold", arguments: PlankClass.allCases)
  func planks(plank: PlankClass) throws {
    guard plank != .forearm, plank != .high else {
      #expect(try calibrate(still, plank: plank) != nil)
      return
    }
    #expect(throws: CalibrationError.notAPlank(plank, at: Seconds(0))) {
      try calibrate(still, plank: plank)
    }
  }

  @Test("Hips that move are refused by the width of the middle half, bound included")
  func motion() throws {
    let halves = { (width: Float) in (0..<21).map { Float?(180 + ($0 % 2 == 0 ? 0 : width)) } }
    #expect(try calibrate(halves(5)) != nil)
    #expect(throws: CalibrationError.notStill(5.125, largest: 5, .degrees)) {
      try calibrate(halves(5.125))
    }
  }

  @Test("An offset beyond 20 degrees is refused", arguments: [Float(200.25), 159.75])
  func tooFar(value: Float) throws {
    #expect(
      throws: CalibrationError.offsetTooLarge(Double(value) - 180, largest: 20, .degrees)
    ) { try calibrate(Array(repeating: value, count: 21)) }
    #expect(try calibrate(Array(repeating: 200, count: 21))?.offset == 20)
  }

  @Test("After a refusal the next frame starts another hold")
  func again() throws {
    var hold = try CalibrationHold(of: .coach, duration: Seconds(1))
    #expect(try hold.update(.high, .value(180), at: Seconds(0)) == nil)
    #expect(hold.start == Seconds(0) && hold.remaining == Seconds(1))
    #expect(try hold.update(.high, .value(180), at: Seconds(0.25)) == nil)
    #expect(hold.remaining == Seconds(0.75))
    #expect(throws: CalibrationError.self) {
      try hold.update(.none, .value(180), at: Seconds(0.5))
    }
    #expect(hold.start == nil && hold.remaining == Seconds(1))
    for time in [0.75, 1.0, 1.25, 1.5] {
      #expect(try hold.update(.high, .value(184), at: Seconds(time)) == nil)
    }
    #expect(try hold.update(.high, .value(184), at: Seconds(1.75))?.offset == 4)
  }

  @Test("A hold that is ended early needs a second")
  func early() throws {
    var hold = try CalibrationHold(of: .coach)
    for time in [0, 0.25, 0.5, 0.75] {
      _ = try hold.update(.high, .value(176), at: Seconds(time))
    }
    var other = hold
    #expect(throws: CalibrationError.tooShort(Seconds(0.875), needed: Seconds(1))) {
      try other.finish(at: Seconds(0.875))
    }
    let calibration = try hold.finish(at: Seconds(1))
    #expect(calibration.offset == -4 && calibration.duration == Seconds(1))
    #expect(throws: CalibrationError.self) { try hold.finish(at: Seconds(9)) }
  }

  @Test("A straight body is at 180 degrees, or at 0 of a length")
  func straight() throws {
    #expect(try CalibrationHold(of: .coach).confirmedValue == 180)
    #expect(try CalibrationHold(of: .gravity).confirmedValue == 0)
    #expect(try CalibrationHold(of: .scaled).measurement == .hipDeviationFraction)
    #expect(try CalibrationHold(of: .profile).measurement.name == "hipAngle")
  }

  @Test("What cannot be calibrated or confirmed is refused with a remedy")
  func unsuitable() throws {
    #expect(throws: CalibrationError.unsuitableDuration(Seconds(0.5))) {
      try CalibrationHold(of: .coach, duration: Seconds(0.5))
    }
    for angle in [Degrees(361), Degrees(-1), Degrees(.nan)] {
      #expect(throws: CalibrationError.self) { try CalibrationHold(of: .coach, confirmed: angle) }
    }
    #expect(throws: CalibrationError.unsuitableAngle(Degrees(180), "hipDeviation", .meters)) {
      try CalibrationHold(of: .gravity, confirmed: Degrees(180))
    }
    #expect(
      throws: CalibrationError.unknownMeasurement(
        "kneeAngle", detector: "coach", available: ["signedHipAngle"])
    ) { try CalibrationHold(of: .coach, .kneeAngle) }
  }

  /// A standing body, then a forearm plank.
  private let frames = Array(
    ScriptedSession([.standing: 1, .forearm: 4], rate: 20).pelvisRecording(
      ScriptedCamera(azimuth: Degrees(25))
    ).poseFrames)

  @Test("A detector's own hold answers and calibrates like one that an app keeps beside it")
  func inside() throws {
    var detector = try PlankDetector(.coach)
    try detector.startHold(confirmed: Degrees(176), duration: Seconds(1))
    var other = try PlankDetector(.coach)
    var hold: CalibrationHold? = try CalibrationHold(
      of: .coach, confirmed: Degrees(176), duration: Seconds(1))
    for frame in frames {
      let answer = try other.update(frame)
      #expect(try detector.update(frame) == answer)
      do {
        if let found = try hold?.update(answer, of: other, at: frame.time) {
          hold = nil
          try other.calibrate(found)
        }
        #expect(detector.hold?.start == hold?.start)
      } catch {
        #expect(detector.refusal == error as? CalibrationError)
      }
    }
    #expect(detector.hold == nil && detector.refusal == nil)
    let calibration = try #require(detector.calibration)
    #expect(calibration == other.calibration)
  }

  @Test("A hold that cannot start changes nothing, and a reset starts one again")
  func restart() throws {
    var detector = try PlankDetector(.coach)
    #expect(throws: CalibrationError.unsuitableDuration(Seconds(60))) {
      try detector.startHold(duration: Seconds(60))
    }
    #expect(detector.hold == nil)
    try detector.startHold()
    for frame in frames.prefix(50) { _ = try detector.update(frame) }
    #expect(detector.refusal != nil && detector.hold?.start != nil)
    detector.reset()
    let hold = try #require(detector.hold)
    #expect(hold.start == nil)
    for frame in frames.dropFirst(50) { _ = try detector.update(frame) }
    #expect(detector.calibration?.frames == 40)
  }

  @Test("A hold that is stopped, or replaced by a calibration, changes nothing afterwards")
  func stopped() throws {
    var detector = try PlankDetector(.coach)
    try detector.startHold()
    for frame in frames.prefix(50) { _ = try detector.update(frame) }
    var other = detector
    detector.stopHold()
    #expect(detector.hold == nil && detector.refusal == nil)
    for frame in frames.dropFirst(50) { _ = try detector.update(frame) }
    #expect(detector.calibration == nil)
    let stored = try #require(try calibrate(still))
    try other.calibrate(stored)
    for frame in frames.dropFirst(50) { _ = try other.update(frame) }
    #expect(other.calibration == stored)
  }
}

@Suite("Calibrated detectors") struct CalibrationPropertyTests {
  /// Frames at 30 Hz in which the hips are anywhere, some of them missing or inapplicable.
  private static func columns(
    of definition: DetectorDefinition, seed: UInt64, moved offset: Float = 0
  ) -> MeasurementColumns {
    var generator = SplitMix64(seed: seed)
    let form = Set(definition.form.measurements.members.map(\.name))
    var columns: [PlankDetection.Measurement: [Float]] = [:]
    for measurement in definition.measurements.union([.bodyAngle]).members {
      columns[measurement] = (0..<300).map { _ in
        let draw = generator.next() % 512
        if draw < 8 { return MeasuredValue.missing.stored }
        if draw < 16 { return MeasuredValue.inapplicable.stored }
        // Eighths and sixteenths of them are exact, so that adding and taking off cancel out.
        let eighths = Float(draw) / 8
        let value = measurement.unit == .degrees ? 150 + eighths : eighths / 256 - 0.125
        return form.contains(measurement.name) ? value + offset : value
      }
    }
    return MeasurementColumns(frameCount: 300, columns: columns)
  }

  private static let times = (0..<300).map { Double($0) / 30 }

  private static func calibration(
    _ definition: DetectorDefinition, offset: Double
  ) throws -> Calibration {
    let measurement = try #require(definition.form.measurements.members.first)
    return try Calibration(
      measurement: measurement.name, unit: measurement.unit, offset: offset,
      duration: Seconds(2), frames: 60)
  }

  /// Every built-in detector, plain and with hysteresis around its limits of form.
  private static func detectors() throws -> [BatchDetector] {
    try DetectorDefinition.builtIn.flatMap { definition in
      let isAngle = definition.form.measurements.members.first?.unit == .degrees
      let bands = try definition.form.parameterKeys.map {
        try SchmittBand($0, halfWidth: isAngle ? 3 : 0.01)
      }
      return [
        try BatchDetector(definition),
        try BatchDetector(definition, debounce: DebounceStrategy(bands: bands)),
      ]
    }
  }

  /// The detector without a calibration that has the limits of calibrated people.
  private static func judging(_ detector: BatchDetector) throws -> BatchDetector {
    try BatchDetector(
      detector.definition.calibrated, parameters: detector.parameters, debounce: detector.debounce)
  }

  @Test("An offset of 0 changes no answer but by the limits", arguments: Draws.seeds(8 as UInt64))
  func zero(seed: UInt64) throws {
    for plain in try Self.detectors() {
      let calibrated = try plain.calibrated(by: Self.calibration(plain.definition, offset: 0))
      let columns = Self.columns(of: plain.definition, seed: seed)
      let expected = try Self.judging(plain).detect(columns, times: Self.times, startsMid: false)
      #expect(calibrated.detect(columns, times: Self.times, startsMid: false) == expected)
      #expect(Set(expected.form.answers).count > 1, "\(plain.definition.name) tells nothing")
    }
  }

  @Test(
    "Measured too much by the offset, a body gets the form of one measured right",
    arguments: Draws.seeds(8 as UInt64), [-1.0, 0.5])
  func moved(seed: UInt64, share: Double) throws {
    for plain in try Self.detectors() {
      let isAngle = plain.definition.form.measurements.members.first?.unit == .degrees
      let offset = share * (isAngle ? 12 : 0.0625)
      let calibrated = try plain.calibrated(
        by: Self.calibration(plain.definition, offset: offset))
      let right = Self.columns(of: plain.definition, seed: seed)
      let wrong = Self.columns(of: plain.definition, seed: seed, moved: Float(offset))
      let judging = try Self.judging(plain)
      let expected = judging.detect(right, times: Self.times, startsMid: true).form
      #expect(calibrated.detect(wrong, times: Self.times, startsMid: true).form == expected)
      #expect(judging.detect(wrong, times: Self.times, startsMid: true).form != expected)
    }
  }

  @Test("Planks are not calibrated, even by a measurement that their rules compare, too")
  func planks() throws {
    let plain = try BatchDetector(.coach)
    let calibrated = try plain.calibrated(by: Self.calibration(.coach, offset: -17))
    let columns = Self.columns(of: .coach, seed: 3)
    #expect(DetectorDefinition.coach.plank.measurements.members.contains(.signedHipAngle))
    #expect(
      calibrated.detect(columns, times: Self.times, startsMid: false).plank
        == plain.detect(columns, times: Self.times, startsMid: false).plank)
  }

  @Test("Calibrated columns and a calibrated detector are the same", arguments: [-7.3, 4.1])
  func columns(offset: Double) throws {
    for plain in try Self.detectors()
    where plain.definition.form.measurements.members.first?.unit == .degrees {
      let calibration = try Self.calibration(plain.definition, offset: offset)
      let calibrated = try plain.calibrated(by: calibration)
      let columns = Self.columns(of: plain.definition, seed: 5)
      for stream in AnswerStream.allCases {
        let found = calibrated.run(stream, columns, times: Self.times, startsMid: false)
        let expected = try Self.judging(plain).run(
          stream, columns.compared(by: stream, calibration), times: Self.times, startsMid: false)
        #expect(found == expected)
      }
    }
  }

  @Test("Frame by frame answers equal those of the batch, also if calibrated on the way")
  func streaming() throws {
    let recording = Sessions.full().recording(ScriptedCamera(azimuth: Degrees(20)))
    let calibration = try Self.calibration(.coach, offset: 6)
    let batch = try BatchDetector(.coach, calibration: calibration)
    let expected = batch.detect(
      batch.measure(recording), times: recording.times, startsMid: false)
    var detector = try PlankDetector(.coach, calibration: calibration)
    var late = try PlankDetector(.coach)
    let middle = recording.frameCount / 2
    var differs = false
    for (frame, pose) in recording.poseFrames.enumerated() {
      let answer = try detector.update(pose)
      #expect(answer.plank == expected.answer(at: frame).plank)
      #expect(answer.form == expected.answer(at: frame).form)
      if frame == middle { try late.calibrate(calibration) }
      let other = try late.update(pose)
      if frame >= middle { #expect(other.rawForm == answer.rawForm) }
      differs = differs || other.rawForm != answer.rawForm
    }
    #expect(differs && late.calibration == calibration)
  }

  @Test("A detector refuses a calibration of what its form rules do not compare, and stays")
  func foreign() throws {
    let foreign = try Self.calibration(.gravity, offset: 0.02)
    var detector = try PlankDetector(.coach)
    #expect(throws: DetectorError.self) { try detector.calibrate(foreign) }
    #expect(detector.calibration == nil)
    let error = #expect(throws: DetectorError.self) {
      try BatchDetector(.coach, calibration: foreign)
    }
    #expect(error?.description.contains("`hipDeviation` in m") == true)
    #expect(error?.description.contains("signedHipAngle in deg") == true)
  }

  @Test("A calibration comes back from JSON, and one beyond its bounds does not")
  func coding() throws {
    let calibration = try Self.calibration(.coach, offset: -6.75)
    let data = try JSONEncoder().encode(calibration)
    #expect(try JSONDecoder().decode(Calibration.self, from: data) == calibration)
    let text = String(decoding: data, as: UTF8.self)
    for (part, other) in [
      ("-6.75", "-20.5"), ("\"duration_s\":2", "\"duration_s\":11"),
      ("\"frames\":60", "\"frames\":0"),
      ("\"deg\"", "\"frames\""),
    ] {
      #expect(text.contains(part))
      let changed = Data(text.replacingOccurrences(of: part, with: other).utf8)
      #expect(throws: DecodingError.self) {
        try JSONDecoder().decode(Calibration.self, from: changed)
      }
    }
  }

  @Test(
    "Offsets end at their bounds, which NaN is beyond",
    arguments: [(20.0, true), (-20, true), (20.25, false), (.nan, false), (.infinity, false)])
  func bounds(offset: Double, isAllowed: Bool) {
    let found = try? Self.calibration(.coach, offset: offset)
    #expect((found != nil) == isAllowed)
  }
}

@Suite("Form grades") struct FormGradeTests {
  @Test(
    "Bands are half-open: a lower edge belongs to the better band",
    arguments: [PlankClass.forearm, .high, .sideLeft, .sideRight, .reverse])
  func bands(answer: PlankClass) {
    let isProne = answer == .forearm || answer == .high
    let (good, warning): (Float, Float) = isProne ? (165, 155) : (160, 150)
    let expected: [(Float, FormGrade)] = [
      (180, .good), (good, .good), (good.nextDown, .warning), (warning, .warning),
      (warning.nextDown, .bad), (0, .bad),
    ]
    for (angle, grade) in expected {
      #expect(FormGrade(bodyAngle: angle, answer: answer) == grade, "\(angle)")
    }
  }

  @Test("Bands are parameters of every detector")
  func parameters() throws {
    var values = DetectorDefinition.trunk.defaults
    #expect(GradeBands(values) == .published)
    try values.set("grade_good=170deg")
    try values.set("grade_warning=150")
    try values.set("grade_side_good=100")
    try values.set("grade_side_warning=90")
    let bands = GradeBands(values)
    #expect(FormGrade(bodyAngle: 169, answer: .high, bands) == .warning)
    #expect(FormGrade(bodyAngle: 149, answer: .forearm, bands) == .bad)
    #expect(FormGrade(bodyAngle: 100, answer: .reverse, bands) == .good)
    #expect(FormGrade(bodyAngle: 90, answer: .sideLeft, bands) == .warning)
  }

  @Test("There is no grade without a plank", arguments: [Float(180), 90])
  func noPlank(angle: Float) { #expect(FormGrade(bodyAngle: angle, answer: .none) == nil) }

  @Test("There is no grade for an angle without a value", arguments: PlankClass.allCases)
  func undefinedAngle(answer: PlankClass) {
    #expect(FormGrade(bodyAngle: nil, answer: answer) == nil)
    #expect(FormGrade(bodyAngle: .nan, answer: answer) == nil)
  }
}
