import PoseModel
import Testing

@testable import PoseDatasets

extension NamedBytes {
  /// A text as a file.
  init(_ name: String, _ text: String) { self.init(name: name, bytes: Array(text.utf8)) }
}

extension ImageSize {
  static let portrait = ImageSize(width: 1080, height: 1920)
}

/// What doctor finds in a text, whose name says nothing.
func diagnose(_ text: String, size: ImageSize? = nil) -> PoseDiagnosis {
  PoseDoctor.diagnose(NamedBytes("a.jsonl", text), imageSize: size)
}

extension PoseDiagnosis {
  func found(_ topic: String) -> Conclusion? { conclusions.first { $0.topic == topic } }

  /// The problems that stop an import.
  var blocked: String {
    problems.filter(\.isBlocking).map(\.text).joined(separator: "\n")
  }
}

extension TableMap {
  /// The recordings that the map reads in a text.
  func recordings(in text: String) throws -> [Recording] {
    try TableSource(options: TableOptions(map: self)).sequences(from: [NamedBytes("a.jsonl", text)])
      .map(\.recording)
  }

  /// The only or first recording that the map reads in a text.
  func recording(in text: String) throws -> Recording {
    try #require(try recordings(in: text).first)
  }
}
