import Foundation
import PlankDetection
import PoseDatasets
import PoseModel
import TestSupport
import Testing

@testable import PlankBench

@Suite("Where a detector is least sure")
struct DoubtfulStretchesTests {
  private let recordings: [Recording]
  private let detector: BatchDetector

  init() throws {
    let reader = try DatasetReader(path: Repository.file("datasets/scripted").path)
    recordings = try reader.manifest.sequences.map { try reader.load($0).recording }
    detector = try BenchDetector("gravity").detector
  }

  @Test("Most changes come first, and of equals the nearest to a threshold")
  func order() {
    for recording in recordings {
      let found = DoubtfulStretches.find(recording, detector)
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
      let found = DoubtfulStretches.find(recording, detector)
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
      let found = DoubtfulStretches.find(recording, detector).sorted {
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

  @Test("Poses of an image have no stretches: the rules do not apply to them")
  func images() {
    var header = LabelingSample.header()
    header.skeleton = .vision2d
    header.frame = .image
    #expect(DoubtfulStretches.find(Recording(header: header), detector).isEmpty)
  }
}
