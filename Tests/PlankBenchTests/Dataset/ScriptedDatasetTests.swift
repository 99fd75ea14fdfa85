import Foundation
import PoseDatasets
import PoseModel
import Testing

@Suite("Scripted dataset")
struct ScriptedDatasetTests {
  private let sequences: [DatasetSequence]

  init() throws {
    let reader = try DatasetReader(path: ScriptedDatasetFiles.folder.path)
    sequences = try reader.sequences().map { try reader.load($0) }
  }

  @Test("It has six sequences of five people, two splits, and tags on every sequence")
  func manifest() {
    #expect(sequences.count == 6)
    #expect(Set(sequences.compactMap(\.subject)).count == 5)
    #expect(Set(sequences.compactMap(\.split)) == ["tune", "test"])
    #expect(sequences.allSatisfy { $0.tags["view"] != nil && $0.tags["noise_mm"] != nil })
    #expect(sequences.filter(\.startsMid).map(\.name) == ["s05-clip"])
  }

  @Test("Every plank class and every form class is labeled")
  func classes() {
    let truths = sequences.map { $0.truth() }
    let planks = Set(truths.flatMap(\.plank).filter(FrameTruth.isScored))
    let forms = Set(truths.flatMap(\.form).filter(FrameTruth.isScored))
    #expect(planks == Set(PlankClass.allCases.map(\.code)))
    #expect(forms == Set(FormClass.allCases.map(\.code)))
    #expect(truths.allSatisfy { !$0.plank.contains(FrameTruth.unlabeled) })
  }

  @Test("Rates, frames of reference and orientations differ")
  func variety() {
    let headers = sequences.map(\.recording.header)
    #expect(Set(headers.compactMap(\.nominalRate?.value)) == [8, 15, 30, 60])
    #expect(Set(headers.map(\.frame)) == [.camera, .pelvis, .world])
    #expect(Set(headers.compactMap(\.orientation)).count == 4)
    #expect(Set(headers.compactMap(\.bodyHeight)).count == 5)
    for sequence in sequences {
      let interval = sequence.recording.medianFrameInterval?.value ?? 0
      let rate = sequence.recording.header.nominalRate?.value ?? 0
      #expect(abs(interval * rate - 1) < 1e-3)
    }
  }

  @Test("Every recording has lost poses, some have lost joints, and no matrix is lacking")
  func dropouts() {
    var lostJoints = 0
    for sequence in sequences {
      let recording = sequence.recording
      let frames = 0..<recording.frameCount
      #expect(frames.contains { !recording.hasPose(at: $0) })
      #expect(sequence.posesWithoutMatrix == 0)
      lostJoints +=
        frames.filter { frame in
          recording.hasPose(at: frame)
            && recording.layout.joints.contains { recording.position(of: $0, at: frame) == nil }
        }.count
    }
    #expect(lostJoints > 0)
  }

  @Test("There is nothing to lint")
  func lint() throws {
    let checks = try DatasetChecks(datasetAt: ScriptedDatasetFiles.folder.path)
    #expect(checks.findings(try checks.sequences.map(checks.check)).isEmpty)
  }

  @Test("It is smaller than a megabyte")
  func size() throws {
    let folder = ScriptedDatasetFiles.folder
    let paths = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
    let sizes = try paths.map { path in
      let attributes = try FileManager.default.attributesOfItem(
        atPath: folder.appendingPathComponent(path).path)
      return attributes[.type] as? FileAttributeType == .typeRegular
        ? attributes[.size] as? Int ?? 0 : 0
    }
    #expect(sizes.reduce(0, +) < 1_000_000)
  }
}
