package import Evaluation
internal import Statistics

extension Baseline {
  /// The file: strict JSON with one metric and one sequence a line, so that reviews see what moved.
  package func text(format: String, schemaVersion: Int) -> String {
    let head: [(String, JSONValue)] = [
      ("format", .string(format)), ("schema_version", .integer(schemaVersion)),
      ("reason", .string(reason)), ("subjects", .integer(subjects)),
      ("frame_cost_ratio", .optional(frameCostRatio)), ("dataset", dataset.json),
    ]
    let lines =
      head.map { "  \(JSONValue.string($0).line): \($1.line)" } + [
        "  \"facts\": {\n"
          + facts.sorted { $0.key < $1.key }
          .map { "    \(JSONValue.string($0).line): \(JSONValue.string($1).line)" }
          .joined(separator: ",\n") + "\n  }",
        list("metrics", metrics.map(\.json)), list("sequences", sequences.map(\.json)),
      ]
    return "{\n" + lines.joined(separator: ",\n") + "\n}\n"
  }

  private func list(_ name: String, _ values: [JSONValue]) -> String {
    "  \"\(name)\": [\n" + values.map { "    " + $0.line }.joined(separator: ",\n") + "\n  ]"
  }
}

extension Baseline.Line {
  fileprivate var json: JSONValue {
    .object([
      "metric": .string("\(key)"), "value": .optional(value), "interval": interval?.json ?? .null,
    ])
  }
}

extension Baseline.Sequence {
  fileprivate var json: JSONValue {
    .object(["name": .string(name), "plank": .string(plank.text), "form": .string(form.text)])
  }
}
