import Foundation
import PlankDetection
import PoseDatasets
import PoseModel
import TestSupport
import Testing

@testable import PlankBench

/// The answers from which labeling can begin.
@Suite("Guessed segments")
struct GuessedSegmentTests {
  private static func sample() throws -> (recording: Recording, detector: BatchDetector) {
    let path = Repository.root.appendingPathComponent("datasets/scripted/s01-floor.poses.jsonl")
      .path
    let context = try RecordingContext(path: path)
    return (context.sequence.recording, try BatchDetector(.gravity))
  }

  @Test("They are in order, do not overlap, and none is too short to be seen")
  func shape() throws {
    let (recording, detector) = try Self.sample()
    let segments = GuessedSegment.all(recording, detector, startsMid: false)
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
    for segment in GuessedSegment.all(recording, detector, startsMid: false)
    where segment.plank == "none" {
      #expect(segment.form.isEmpty)
    }
  }

  @Test("Page data carries them apart from labels")
  func apart() throws {
    let (recording, detector) = try Self.sample()
    let guesses = GuessedSegment.all(recording, detector, startsMid: false)
    let input = LabelingInput(name: "a.poses.jsonl", recording: recording, guesses: guesses)
    let data = try LabelingSample.data(of: LabelingSample.html([input]))
    #expect((data["labels"] as? [Any])?.isEmpty == true)
    #expect((data["guesses"] as? [Any])?.count == guesses.count)
  }
}
