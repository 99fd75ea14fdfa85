import Foundation
import PlankDetection
import PoseDatasets
import PoseModel
import TestSupport
import Testing

@testable import PlankBench
@testable import Reports

@Suite("Poses turned upright") struct UprightPosesTests {
  private static let directions = [
    Vector3(0, 1, 0), Vector3(0, -1, 0), Vector3(1, 0, 0), Vector3(-1, 0, 0), Vector3(0, 0, 1),
    Vector3(0, 0, -1), Vector3(0.6, 0.8, 0), Vector3(0, 0.6, 0.8), Vector3(0.48, -0.6, 0.64),
    Vector3(0.1, 0, 0.995) / Vector3(0.1, 0, 0.995).norm,
  ]

  @Test("Up becomes y by a proper rotation", arguments: directions)
  func upBecomesY(up: Vector3) {
    let turn = UprightPoses.uprightTurn(up: up)
    let (x, y, z) = turn.columns
    #expect((turn(up) - Vector3(0, 1, 0)).norm < 1e-12)
    for column in [x, y, z] { #expect(abs(column.norm - 1) < 1e-12) }
    #expect((x.cross(y) - z).norm < 1e-12)
  }

  @Test("A camera that is held level keeps its direction of view", arguments: directions)
  func viewIsKept(up: Vector3) {
    guard up.z == 0 else { return }
    #expect((UprightPoses.uprightTurn(up: up)(Vector3(0, 0, 1)) - Vector3(0, 0, 1)).norm < 1e-12)
  }

  @Test("A landscape recording is upright like a portrait one")
  func landscapeIsTurned() {
    let upright = UprightPoses(LabelingSample.recording())
    var turned = Recording(header: LabelingSample.header(up: Vector3(1, 0, 0)))
    // The image's x axis points up, so what lay along y in portrait lies along x here.
    turned.append(time: Seconds(0), pose: [0, 0, 0, 0.5, -0.1234, -0.2, 0, 0.1, 0])
    #expect(UprightPoses(turned).positions == Array(upright.positions.prefix(9)))
  }

  @Test("Images are drawn with the head up, whatever side their origin is on")
  func imagesStand() {
    var coco = Recording(
      header: RecordingHeader(skeleton: .coco17, joints: [.nose], frame: .image))
    coco.append(time: Seconds(0), pose: [100, 50])
    #expect(UprightPoses(coco).positions == [400, -200])
    var header = RecordingHeader(skeleton: .vision2d, joints: [.nose], frame: .image)
    (header.imageWidth, header.imageHeight) = (1920, 1080)
    var vision = Recording(header: header)
    vision.append(time: Seconds(0), pose: [0.75, 0.5])
    #expect(UprightPoses(vision).positions == [10923, 4096])
  }
}

@Suite("Where a detector is least sure") struct DoubtfulStretchesTests {
  private let recordings: [Recording]
  private let detector: BatchDetector

  init() throws {
    let reader = try DatasetReader(path: Repository.file("datasets/scripted").path)
    recordings = try reader.manifest.sequences.map { try reader.load($0).recording }
    detector = try BenchDetector(.init(detector: "gravity")).detector
  }

  @Test("Most changes come first, and of equals the nearest to a threshold")
  func order() {
    for recording in recordings {
      let found = DoubtfulStretches.find(recording, detector, detector.measure(recording))
      for (left, right) in zip(found, found.dropFirst()) {
        #expect(
          (-left.changes, left.distance ?? .infinity)
            <= (-right.changes, right.distance ?? .infinity))
      }
    }
  }

  @Test("Every change of the plank before debouncing is in a stretch")
  func changes() {
    var count = 0
    for recording in recordings {
      let columns = MeasurementColumns(
        recording, detector.measurements, reading: detector.definition.axes)
      let plank = detector.detect(columns, times: recording.times, startsMid: false).plank
      let found = DoubtfulStretches.find(recording, detector, detector.measure(recording))
      for frame in recording.times.indices.dropFirst()
      where plank.isDetermined(at: frame) && plank.isDetermined(at: frame - 1)
        && plank.raw[frame] != plank.raw[frame - 1]
      {
        count += 1
        #expect(found.contains { $0.frames.contains(frame) && $0.changes > 0 })
      }
    }
    #expect(count > 0)
  }

  @Test("A stretch begins and ends with an unsure frame, and pauses are short")
  func stretches() {
    for recording in recordings {
      let found = DoubtfulStretches.find(recording, detector, detector.measure(recording)).sorted {
        $0.frames.lowerBound < $1.frames.lowerBound
      }
      #expect(found.allSatisfy { $0.changes > 0 || ($0.distance ?? 1) < 0.02 })
      for (left, right) in zip(found, found.dropFirst()) {
        let pause =
          recording.times[right.frames.lowerBound] - recording.times[left.frames.upperBound - 1]
        #expect(pause > DoubtfulStretches.pause)
      }
    }
  }
}

@Suite("Guessed segments") struct GuessedSegmentTests {
  private static func sample() throws -> (recording: Recording, detector: BatchDetector) {
    let path = Repository.root.appendingPathComponent("datasets/scripted/s01-floor.poses.jsonl")
      .path
    let context = try RecordingContext(path: path)
    return (context.sequence.recording, try BatchDetector(.gravity))
  }

  @Test("They are in order, do not overlap, and none is too short to be seen")
  func shape() throws {
    let (recording, detector) = try Self.sample()
    let segments = GuessedSegment.all(
      recording, detector, detector.measure(recording), startsMid: false)
    #expect(segments.count > 3)
    for (left, right) in zip(segments, segments.dropFirst()) {
      #expect(left.end <= right.start)
      #expect(left.end < right.start || left.plank != right.plank || left.form != right.form)
    }
    for segment in segments.dropFirst() where segments.contains(where: { $0.end == segment.start })
    {
      let seconds = recording.times[segment.end - 1] - recording.times[segment.start]
      #expect(seconds >= GuessedSegment.shortest)
    }
  }

  @Test("A form stands beside planks only")
  func forms() throws {
    let (recording, detector) = try Self.sample()
    for segment in GuessedSegment.all(
      recording, detector, detector.measure(recording), startsMid: false)
    where segment.plank == "none" {
      #expect(segment.form.isEmpty)
    }
  }
}
