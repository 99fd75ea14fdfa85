import Foundation
import PoseDatasets
import PoseModel
import PoseRecording
import TestSupport

@testable import PlankBench

/// A dataset of short recordings that ask everything of a detector: people of the scripted dataset,
/// bodies that cannot be, gaps around the hold time, lost joints, few joints, and images.
final class EngineRecordings {
  /// The recordings; a third of them start inside a hold.
  let collection: DatasetCollection
  /// The same recordings, loaded, in the same order.
  let sequences: [DatasetSequence]
  /// The folder of the dataset.
  let folder: URL

  /// Writes the dataset to a folder of its own and opens it, as `planklab evaluate` does.
  init(frames: Int = 150) throws {
    folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("planklab-engines-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    var manifest = "name: engines\ndescription: \"for engines\"\nlicense: MIT\nsequences:\n"
    for (index, recording) in try Self.recordings(frames).enumerated() {
      let name = "recording-\(index).poses.jsonl"
      try Data(PoseRecordingText.bytes(of: recording))
        .write(to: folder.appendingPathComponent(name))
      manifest += "  - poses: \(name)\n" + (index.isMultiple(of: 3) ? "    starts: mid\n" : "")
    }
    try Data(manifest.utf8).write(to: folder.appendingPathComponent("dataset.yaml"))
    let reader = try DatasetReader(path: folder.path)
    collection = try DatasetCollection([.init(reader, split: nil)])
    let opened = collection
    sequences = try opened.entries.map { try opened.load($0) }
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  private static func recordings(_ frames: Int) throws -> [Recording] {
    let scripted = try [
      "s01-floor", "s01-upside-down", "s02-sides", "s04-pelvis", "s05-clip",
    ].flatMap { name in
      let whole = try RecordingReader.read(
        path: Repository.file("datasets/scripted/\(name).poses.jsonl").path
      ).recording
      return [0, whole.frameCount - frames].map { slice(whole, from: max(0, $0), frames) }
    }
    let oracle = try (0..<8 as Range<UInt64>).map { seed in
      var generator = OracleGenerator(seed: seed)
      let text = generator.recordingText(frames: frames)
      return try RecordingReader.read(text: text, name: "oracle").recording
    }
    let nonsense = (0..<6 as Range<UInt64>).map { seed in
      RandomRecording.make(seed: seed, frames: frames, holdSeconds: 0.5)
    }
    var random = SplitMix64(seed: 3)
    let upper = Skeleton.vision3d.joints.filter { !"\($0)".contains("Ankle") }
    let few = scripted.prefix(2).map { copy($0, .vision3d, upper, losing: 0.02, &random) }
    let images = [scripted[0], scripted[5], oracle[1], oracle[2]].enumerated().map { index, one in
      let skeleton: Skeleton = index.isMultiple(of: 2) ? .vision2d : .coco17
      return copy(one, skeleton, skeleton.joints, losing: 0.03, &random)
    }
    return scripted + oracle + nonsense + few + images
  }

  private static func slice(_ recording: Recording, from start: Int, _ count: Int) -> Recording {
    var part = Recording(header: recording.header)
    for frame in start..<min(start + count, recording.frameCount) {
      let stride = recording.layout.stride
      let pose = Array(recording.positions[frame * stride..<(frame + 1) * stride])
      part.append(
        time: Seconds(recording.times[frame]), pose: recording.hasPose(at: frame) ? pose : nil,
        extras: recording.extras(at: frame))
    }
    return part
  }

  /// The same movement with other joints, some of them lost; an image shows its x and y.
  private static func copy(
    _ recording: Recording, _ skeleton: Skeleton, _ joints: [Joint], losing share: Double,
    _ random: inout SplitMix64
  ) -> Recording {
    let isImage = skeleton.dimension == 2
    var header = RecordingHeader(
      skeleton: skeleton, joints: joints,
      frame: isImage ? .image : recording.header.frame)
    if isImage { (header.imageWidth, header.imageHeight) = (1600, 800) }
    var copy = Recording(header: header)
    for frame in 0..<recording.frameCount {
      var pose: [Float] = []
      var confidences: [Float] = []
      for joint in joints {
        let position = recording.position(of: joint, at: frame)
        let isLost = random.chance(share)
        confidences.append(isLost || position == nil ? 0 : Float(random.uniform(0.1, 1)))
        guard let position, !isLost else {
          pose += Array(repeating: .nan, count: skeleton.dimension)
          continue
        }
        let (x, y) = (Float(0.5 + position.x / 4), Float(0.5 + position.y / 4))
        switch skeleton {
        case .vision3d: pose += [Float(position.x), Float(position.y), Float(position.z)]
        case .vision2d: pose += [x, y]
        case .coco17: pose += [x * 1600, (1 - y) * 800]
        }
      }
      let isFound = recording.hasPose(at: frame)
      pose.withUnsafeBufferPointer { pose in
        confidences.withUnsafeBufferPointer { confidences in
          copy.append(
            time: recording.times[frame], pose: isFound ? pose : nil,
            extras: isImage ? FrameExtras() : recording.extras(at: frame),
            confidences: isImage && isFound ? confidences : nil)
        }
      }
    }
    return copy
  }
}
