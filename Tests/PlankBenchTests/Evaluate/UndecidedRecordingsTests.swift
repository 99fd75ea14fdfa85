import Evaluation
import Foundation
import PlankDetection
import PoseDatasets
import PoseModel
import PoseRecording
import Testing

@testable import PlankBench

@Suite("Recordings that the rules cannot decide")
struct UndecidedRecordingsTests {
  private static let reason = "could not decide any frame in 1 recording: the poses are points"

  @Test("A 2D recording is undetermined, and the first screen and the JSON say why and what to do")
  func imageRecording() async throws {
    let report = try await report(skeleton: .vision2d, frame: .image)
    #expect(report.dataset.counts.undetermined == 10)
    let envelope = ResultEnvelope(report, on: nil, provenance: [:])
    let screen = TextRenderer().render(FirstScreen(envelope).document)
    // The screen breaks lines where it must.
    let words = screen.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    for text in [words, envelope.json] {
      #expect(text.contains(Self.reason), "\(text)")
      #expect(text.contains("`axes: image`"), "\(text)")
    }
  }

  @Test("A 3D recording without a decided frame is not said to be 2D")
  func recordingWithoutLegs() async throws {
    let report = try await report(skeleton: .vision3d, frame: .camera)
    #expect(report.dataset.counts.undetermined == 10)
    #expect(report.cautions.isEmpty)
  }

  /// The evaluation of ten frames of two shoulders, labeled `none`.
  private func report(
    skeleton: Skeleton, frame: FrameOfReference
  ) async throws -> EvaluationReport {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    var header = RecordingHeader(
      skeleton: skeleton, joints: [.leftShoulder, .rightShoulder], frame: frame)
    (header.imageWidth, header.imageHeight) = (1080, 1920)
    var recording = Recording(header: header)
    for index in 0..<10 {
      recording.append(
        time: Seconds(Double(index) / 10),
        pose: Array(repeating: 0.5, count: 2 * skeleton.dimension))
    }
    let files = [
      "one.poses.jsonl": Data(try PoseRecordingText.bytes(of: recording, decimals: 4)),
      "one.labels.csv": Data("start,end,plank,form\n0,1,none,\n".utf8),
      "dataset.yaml": Data(
        "name: test\nsequences:\n  - {poses: one.poses.jsonl, labels: one.labels.csv}\n".utf8),
    ]
    for (name, bytes) in files { try bytes.write(to: folder.appendingPathComponent(name)) }
    return try await DatasetEvaluation(
      of: DatasetCollection([.init(DatasetReader(path: folder.path), split: nil)]),
      detector: BenchDetector("gravity"), progress: { _, _, _ in }
    ).report
  }
}
