import PlankDetection
import PoseModel
import TestSupport
import Testing

@Suite("Measurement columns")
struct MeasurementColumnsTests {
  private let recording = Sessions.full().recording(ScriptedCamera())

  @Test("A column that was not asked for is empty and reads as undefined")
  func missingColumn() {
    let columns = MeasurementColumns(
      recording, MeasurementSet([.bodyAngle]), reading: .gravity)
    #expect(columns[.elbowAngle].isEmpty)
    #expect(columns.value(of: .elbowAngle, at: 0) == nil)
    #expect(columns[.bodyAngle].count == recording.frameCount)
  }

  @Test("Frames without a pose are undefined in every column")
  func missingFrames() throws {
    let columns = Replay.measure(recording)
    let missing = (0..<recording.frameCount).filter { !recording.hasPose(at: $0) }
    try #require(!missing.isEmpty)
    for frame in missing {
      #expect(Measurement.allCases.allSatisfy { columns.value(of: $0, at: frame) == nil })
    }
  }

  @Test("Measuring in pieces gives what measuring at once gives", arguments: [1, 7, 64, 1000])
  func pieces(size: Int) {
    let whole = Replay.measure(recording)
    var pieces = MeasurementColumns(measurements: .all, frameCount: recording.frameCount)
    for start in stride(from: 0, to: recording.frameCount, by: size) {
      let end = min(start + size, recording.frameCount)
      pieces.measure(recording, start..<end, reading: .gravity)
    }
    for measurement in Measurement.allCases {
      #expect(pieces[measurement].bits == whole[measurement].bits, "\(measurement)")
    }
  }

  @Test("A value does not depend on what else is measured", arguments: Measurement.allCases)
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
    #expect(Measurement.allCases.allSatisfy { columns.value(of: $0, at: 0) == nil })
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
