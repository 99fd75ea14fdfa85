import Foundation
import PlankDetection
import PoseModel
import Testing

@Suite("Calibration holds")
struct CalibrationHoldTests {
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

  @Test("Every message says what is allowed or what to do")
  func messages() {
    let errors: [CalibrationError] = [
      .notAPlank(.none, at: Seconds(1.23456)), .interrupted(Seconds(0.75), at: Seconds(2)),
      .tooShort(Seconds(0.5), needed: Seconds(1)), .notStill(7.5, largest: 5, .degrees),
      .offsetTooLarge(-24.5, largest: 20, .degrees),
      .unknownMeasurement(nil, detector: "own", available: []),
      .unknownMeasurement(nil, detector: "own", available: ["a", "b"]),
      .unknownMeasurement("c", detector: "own", available: ["a"]), .noBounds("x", .ratio),
      .unsuitableAngle(Degrees(400), "a", .degrees), .unsuitableAngle(Degrees(180), "a", .meters),
      .unsuitableDuration(Seconds(11)),
    ]
    for error in errors {
      #expect(error.localizedDescription == error.description)
      #expect(error.description.contains { $0 == ";" || $0 == "," }, "\(error)")
    }
    #expect(errors[0].description.contains("at 1.235 s is none"))
    #expect(errors[4].description.contains("off by -24.5 deg, and 20 deg are allowed"))
  }
}
