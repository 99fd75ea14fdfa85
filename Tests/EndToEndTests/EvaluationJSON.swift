import Foundation
import Testing

/// What `evaluate` writes as JSON.
struct EvaluationJSON {
  /// The envelope.
  let envelope: [String: Any]
  /// What was found.
  let result: [String: Any]

  /// Evaluates with the arguments behind `evaluate`.
  init(_ arguments: String...) throws { try self.init(arguments) }

  /// Evaluates with the arguments behind `evaluate`.
  init(_ arguments: [String]) throws {
    let run = try Program.run(["evaluate"] + arguments + ["--format", "json"])
    try #require(run.status == 0, "\(run.errors)")
    let value = try JSONSerialization.jsonObject(with: Data(run.output.utf8))
    envelope = try #require(value as? [String: Any])
    result = try #require(envelope["result"] as? [String: Any])
  }

  /// How the result was made.
  var provenance: [String: String] { envelope["provenance"] as? [String: String] ?? [:] }

  /// What is at a place in the result.
  subscript(path: String...) -> Any? {
    path.reduce(result as Any?) { ($0 as? [String: Any])?[$1] }
  }

  /// The number of a metric; nil if it is undefined.
  func metric(_ key: String, determined: Bool = false) -> Double? {
    self[determined ? "metrics_determined" : "metrics", key] as? Double
  }

  /// The scored frames of a stream: rows are truth, columns answers.
  func confusion(_ stream: String) throws -> [[Int]] {
    try #require(self["streams", stream, "counts", "confusion", "rows"] as? [[Int]])
  }
}
