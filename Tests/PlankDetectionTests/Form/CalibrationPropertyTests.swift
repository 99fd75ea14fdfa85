import Foundation
import PlankDetection
import PoseModel
import TestSupport
import Testing

@Suite("Calibrated detectors")
struct CalibrationPropertyTests {
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

  @Test("An offset of 0 changes no answer", arguments: 0..<8 as Range<UInt64>)
  func zero(seed: UInt64) throws {
    for plain in try Self.detectors() {
      let calibrated = try plain.calibrated(by: Self.calibration(plain.definition, offset: 0))
      let columns = Self.columns(of: plain.definition, seed: seed)
      let expected = plain.detect(columns, times: Self.times, startsMid: false)
      #expect(calibrated.detect(columns, times: Self.times, startsMid: false) == expected)
      #expect(Set(expected.form.answers).count > 1, "\(plain.definition.name) tells nothing")
    }
  }

  @Test(
    "Measured too much by the offset, a body gets the form of one measured right",
    arguments: 0..<8 as Range<UInt64>, [-1.0, 0.5])
  func moved(seed: UInt64, share: Double) throws {
    for plain in try Self.detectors() {
      let isAngle = plain.definition.form.measurements.members.first?.unit == .degrees
      let offset = share * (isAngle ? 12 : 0.0625)
      let calibrated = try plain.calibrated(
        by: Self.calibration(plain.definition, offset: offset))
      let right = Self.columns(of: plain.definition, seed: seed)
      let wrong = Self.columns(of: plain.definition, seed: seed, moved: Float(offset))
      let expected = plain.detect(right, times: Self.times, startsMid: true).form
      #expect(calibrated.detect(wrong, times: Self.times, startsMid: true).form == expected)
      #expect(plain.detect(wrong, times: Self.times, startsMid: true).form != expected)
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
        let expected = plain.run(
          stream, columns.compared(by: stream, calibration), times: Self.times, startsMid: false)
        #expect(found == expected)
      }
    }
  }

  @Test("A trace explains the calibrated answer")
  func traces() throws {
    for plain in try Self.detectors() {
      let isAngle = plain.definition.form.measurements.members.first?.unit == .degrees
      let detector = try plain.calibrated(
        by: Self.calibration(plain.definition, offset: isAngle ? 9 : 0.03125))
      let columns = Self.columns(of: plain.definition, seed: 6)
      let raw = detector.detect(columns, times: Self.times, startsMid: false).form.raw
      for frame in stride(from: 0, to: 300, by: 7) {
        let traces = try detector.trace(.form, columns, times: Self.times, at: frame)
        let label = traces.first { $0.decides }?.label
        #expect(label == FormClass(code: raw[frame])?.name)
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
