import Foundation
import PoseModel
import Testing

@testable import PlankBench

/// Small inputs of labeling pages, and the data block of a page read back.
enum LabelingSample {
  /// What a name must not be able to do: end the block, start an element, break a line, fill in.
  static let hostile =
    "</script><img src=x onerror=alert(1)><!--<script>'\"`&lt;\u{2028}\u{2029}\\u003c{{script}}\0"

  /// A header of three joints in camera axes.
  static func header(up: Vector3? = nil) -> RecordingHeader {
    var header = RecordingHeader(
      skeleton: .vision3d, joints: [.root, .leftHip, .rightHip], frame: .camera)
    header.up = up
    return header
  }

  /// Four frames at 30 Hz: whole, without a pose, with a missing joint, far away.
  static func recording(up: Vector3? = nil) -> Recording {
    var recording = Recording(header: header(up: up))
    recording.append(time: Seconds(0), pose: [0, 0, 0, 0.1234, 0.5, -0.2, -0.1, 0, 0])
    recording.append(time: Seconds(0.033333), pose: nil)
    recording.append(time: Seconds(0.066667), pose: [0, 0, 0, .nan, .nan, .nan, -0.1, 0, 0])
    recording.append(time: Seconds(0.1), pose: [0, 0, 0, 100, -100, 0, -0.1, 0, 0])
    return recording
  }

  /// The text of a data block: of the first recording, or of the queue.
  static func block(of html: String, id: String = "recording-0") throws -> String {
    let open = try #require(
      html.range(of: "<script type=\"application/json\" id=\"\(id)-data\">"))
    let close = try #require(html.range(of: "</script>", range: open.upperBound..<html.endIndex))
    return String(html[open.upperBound..<close.lowerBound])
  }

  /// A data block as a dictionary.
  static func data(of html: String, id: String = "recording-0") throws -> [String: Any] {
    let bytes = Data(try block(of: html, id: id).utf8)
    return try #require(try JSONSerialization.jsonObject(with: bytes) as? [String: Any])
  }

  /// The page of some recordings.
  static func html(_ inputs: [LabelingInput], dataset: String? = nil) throws -> String {
    try LabelingPage.html(of: inputs.map(LabelingPage.Block.init), dataset: dataset)
  }
}
