import PlankDetection
import PoseModel
import TestSupport
import Testing

@Suite("The set of measurements") struct MeasurementTests {
  @Test("Names, units and order are the contract's table")
  func table() {
    let expected: [(String, MeasurementUnit)] = [
      ("verticalRatio", .ratio), ("shoulderRise", .meters), ("wristHipCosine", .ratio),
      ("elbowAngle", .degrees), ("bodyAngle", .degrees), ("hipDeviation", .meters),
      ("shoulderRiseFraction", .bodyHeights), ("hipDeviationFraction", .bodyHeights),
      ("signedHipAngle", .degrees), ("trunkRoll", .degrees), ("supportDrop", .bodyHeights),
      ("hipClearance", .bodyHeights), ("forearmVerticality", .ratio), ("kneeAngle", .degrees),
      ("thighSpread", .degrees), ("trunkIncline", .ratio), ("handHeight", .bodyHeights),
      ("upperArmIncline", .ratio),
      ("smallerKneeAngle", .degrees), ("kneeRise", .bodyHeights),
      ("kneeDeviation", .bodyHeights), ("elbowRise", .bodyHeights),
    ]
    #expect(Measurement.builtIn.map(\.name) == expected.map(\.0))
    #expect(Measurement.builtIn.map(\.unit) == expected.map(\.1))
  }

  @Test("A name reads back as its measurement; an unknown one does not read")
  func names() {
    for measurement in Measurement.builtIn {
      #expect(Measurement.builtIn(named: measurement.name) == measurement)
    }
    #expect(Measurement.builtIn(named: "VerticalRatio") == nil)
    #expect(Measurement.builtIn(named: "") == nil)
  }

  @Test("Column names contain the unit")
  func columnNames() {
    #expect(Measurement.verticalRatio.columnName == "verticalRatio")
    #expect(Measurement.elbowAngle.columnName == "elbowAngle_deg")
    #expect(Measurement.hipDeviation.columnName == "hipDeviation_m")
    #expect(Measurement.supportDrop.columnName == "supportDrop_bh")
    #expect(Set(Measurement.builtIn.map(\.columnName)).count == Measurement.builtIn.count)
  }
}

@Suite("Measurement sets") struct MeasurementSetTests {
  @Test("Expressions come after the built-in measurements, by name")
  func expressions() throws {
    let b = try Measurement("b", "kneeAngle")
    let a = try Measurement("a", "kneeAngle")
    let set: MeasurementSet = [b, .kneeRise, a, b]
    #expect(set.members == [.kneeRise, a, b])
    #expect(set.index(of: b) == 2)
  }
}

@Suite("Measurement columns") struct MeasurementColumnsTests {
  private let recording = Sessions.full().recording(ScriptedCamera())

  @Test("A column that was not asked for is empty and reads as missing")
  func missingColumn() {
    let columns = MeasurementColumns(
      recording, MeasurementSet([.bodyAngle]), reading: .gravity)
    #expect(columns[.elbowAngle].isEmpty)
    #expect(columns.measured(.elbowAngle, at: 0) == .missing)
    #expect(columns[.bodyAngle].count == recording.frameCount)
  }

  @Test("Everything is missing in frames without a pose")
  func missingFrames() throws {
    let columns = Replay.measure(recording)
    let missing = (0..<recording.frameCount).filter { !recording.hasPose(at: $0) }
    try #require(!missing.isEmpty)
    for frame in missing {
      #expect(
        Measurement.builtIn.allSatisfy { columns.measured($0, at: frame) == .missing })
    }
  }

  @Test("Smoothing leaves the reason why there is no value")
  func reasonsStay() throws {
    let stored = [1, MeasuredValue.inapplicable.stored, MeasuredValue.missing.stored, 3]
    let columns = MeasurementColumns(frameCount: 4, columns: [.bodyAngle: stored])
    let causal = try SmoothingStrategy([SmoothingStep(.median, on: .measurements)])
    for smoothed in [
      columns.smoothed(by: causal, times: [0, 0.1, 0.2, 0.3]),
      columns.mapped { _, column in column.map { _ in .nan } },
      columns.mapped { _, column in column.map { _ in 5 } },
    ] {
      #expect(smoothed.measured(.bodyAngle, at: 1) == .inapplicable)
      #expect(smoothed.measured(.bodyAngle, at: 2) == .missing)
    }
  }

  @Test("Measuring in pieces gives what measuring at once gives", arguments: [1, 7, 64, 1000])
  func pieces(size: Int) {
    let whole = Replay.measure(recording)
    var pieces = MeasurementRun(recording, .all, reading: .gravity, smoothing: .none)
    for start in stride(from: 0, to: recording.frameCount, by: size) {
      pieces.advance(to: min(start + size, recording.frameCount), recording)
    }
    for measurement in Measurement.builtIn {
      #expect(pieces.columns[measurement].bits == whole[measurement].bits, "\(measurement)")
    }
  }

  @Test("A value does not depend on what else is measured", arguments: Measurement.builtIn)
  func independence(measurement: Measurement) {
    let alone = MeasurementColumns(
      recording, MeasurementSet([measurement]), reading: .gravity)
    #expect(alone[measurement].bits == Replay.measure(recording)[measurement].bits)
  }
}

extension [Float] {
  /// The bit patterns, so that NaN equals NaN.
  var bits: [UInt32] { map(\.bitPattern) }
}
