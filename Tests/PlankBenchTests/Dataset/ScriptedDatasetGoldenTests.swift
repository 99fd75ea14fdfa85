import PoseDatasets
import PoseModel
import Testing

/// The committed dataset equals its script.
///
/// To write it again, run these tests with `PLANKLAB_RECORD=1`; they then fail and say so.
@Suite("Scripted dataset, committed")
struct ScriptedDatasetGoldenTests {
  @Test("The plain files are what the script writes, byte for byte")
  func plainFiles() throws {
    for file in try ScriptedDatasetFiles.plainFiles() {
      if ScriptedDatasetFiles.isRecording {
        try ScriptedDatasetFiles.write(file.bytes, to: file.path)
        Issue.record("wrote \(file.path); run again without PLANKLAB_RECORD")
      } else {
        let isSame = try ScriptedDatasetFiles.committed(file.path) == file.bytes
        #expect(isSame, "\(file.path) is not what the script writes")
      }
    }
  }

  // Compressors differ between machines, so the unpacked contents count.
  @Test("The compressed recording unpacks to what the script writes, bit for bit")
  func compressedFile() throws {
    let sequence = try #require(
      ScriptedDataset.sequences.first { $0.entry.posesPath.hasSuffix(".gz") })
    let bytes = try ScriptedDatasetFiles.poses(sequence)
    let path = sequence.entry.posesPath
    guard !ScriptedDatasetFiles.isRecording else {
      try ScriptedDatasetFiles.writeCompressed(bytes, to: path)
      Issue.record("wrote \(path); run again without PLANKLAB_RECORD")
      return
    }
    let committed = try RecordingReader.read(path: ScriptedDatasetFiles.location(path)).recording
    let expected = try RecordingReader.read(bytes: bytes, name: "script").recording
    #expect(committed.header == expected.header)
    #expect(committed.times == expected.times)
    #expect(
      committed.positions.map(\.bitPattern) == expected.positions.map(\.bitPattern))
    let frames = 0..<expected.frameCount
    #expect(frames.map(committed.hasPose) == frames.map(expected.hasPose))
    #expect(frames.map(committed.extras) == frames.map(expected.extras))
  }
}
