import PlankDetection
import PoseModel
import TestSupport
import Testing

@Suite("Measurement columns")
struct MeasurementColumnsTests {
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

  @Test("A 2D recording has no value in any column")
  func flatRecording() {
    let header = RecordingHeader(
      skeleton: .coco17, joints: Skeleton.coco17.joints, frame: .image)
    var flat = Recording(header: header)
    flat.append(time: Seconds(0), pose: Array(repeating: 1, count: 34))
    let columns = Replay.measure(flat)
    #expect(Measurement.builtIn.allSatisfy { columns.value(of: $0, at: 0) == nil })
  }

  @Test("An empty recording gives empty columns")
  func emptyRecording() {
    let columns = Replay.measure(Recording(header: recording.header))
    #expect(columns.frameCount == 0)
    #expect(columns[.bodyAngle].isEmpty)
  }
}

extension [Float] {
  /// The bit patterns, so that NaN equals NaN.
  var bits: [UInt32] { map(\.bitPattern) }
}
