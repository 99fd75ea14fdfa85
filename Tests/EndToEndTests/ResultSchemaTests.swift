import Foundation
import Testing

/// The schema that programs rely on, and the results that it describes.
@Suite("Schema of results")
struct ResultSchemaTests {
  private static let schema = Program.root.appendingPathComponent("docs/result.schema.json")

  private func object(_ data: Data) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
  }

  /// What is wrong with a result of the program under a definition of the schema.
  private func problems(_ text: String, as definition: String) throws -> [String] {
    let root = try object(Data(contentsOf: Self.schema))
    let definitions = try #require(root["$defs"] as? [String: [String: Any]])
    let value = try JSONSerialization.jsonObject(with: Data(text.utf8))
    return SchemaCheck(definitions: definitions).problems(
      value, ["$ref": "#/$defs/" + definition], at: "$")
  }

  @Test(
    "What commands write is as the schema says",
    arguments: [
      ["evaluate", Program.scripted], ["evaluate", Program.scripted, "--verbose"],
      ["evaluate", Program.scripted, "--source-tag", "view"],
      ["evaluate", Program.scripted, "--smoothing", "ema"],
      ["compare", Program.scripted, "gravity", "article"],
      ["tune", Self.experiment], ["smoothers", "compare", Program.scripted],
      ["replay", Program.scripted, "s01-floor"],
    ])
  func written(arguments: [String]) throws {
    let run = try Program.run(arguments + ["--format", "json"])
    try #require(run.status == 0, "\(run.errors)")
    let command = arguments[0] + (arguments[0] == "smoothers" ? "-compare" : "")
    #expect(try problems(run.output, as: "planklab-" + command) == [])
  }

  private static let experiment = Program.root.appendingPathComponent("experiments/first-steps")
    .path

  @Test("What `evaluate` writes of a recording without labels is as the schema says")
  func unlabeled() throws {
    let workspace = try Workspace()
    let path = workspace.path("session.poses.jsonl")
    try FileManager.default.copyItem(
      atPath: Program.scripted + "/s05-clip.poses.jsonl", toPath: path)
    let run = try Program.run("evaluate", path, "--format", "json")
    #expect(try problems(run.output, as: "planklab-evaluate") == [])
    let replay = try Program.run("replay", path, "--format", "json")
    #expect(try problems(replay.output, as: "planklab-replay") == [])
  }

  @Test("What `sweep` writes is as the schema says")
  func sweep() throws {
    let workspace = try Workspace()
    let run = try Program.run(
      "sweep", Self.experiment, "--store", workspace.path("runs.sqlite"), "--format", "json")
    try #require(run.status == 0, "\(run.errors)")
    #expect(try problems(run.output, as: "planklab-sweep") == [])
  }

  @Test("What `gate` writes is as the schema says, and holds its rules' numbers by key")
  func gate() throws {
    let workspace = try Workspace()
    let file = try workspace.write(
      """
      dataset: \(Program.scripted)
      baseline: \(workspace.path("b.json"))
      rules:
        - {metric: plank.accuracy, at_least: 0.1, margin: 0.05}
        - {metric: plank.accuracy, subject: s01, at_least: 0.1}

      """, to: "gate.yaml")
    let update = try Program.run("baseline", "update", file, "--reason", "first")
    try #require(update.status == 0, "\(update.errors)")
    let run = try Program.run("gate", file, "--format", "json")
    #expect(try problems(run.output, as: "planklab-gate") == [], "\(run.errors)")
    let result = try #require(try object(Data(run.output.utf8))["result"] as? [String: Any])
    let metrics = try #require(result["metrics"] as? [String: Any])
    #expect(Set(metrics.keys) == ["plank.accuracy"])
  }

  @Test("The schema names every metric that `evaluate` writes, with its meaning")
  func keys() throws {
    let found = try EvaluationJSON(Program.scripted)
    let written = try #require(found["metrics"] as? [String: Any])
    let root = try object(Data(contentsOf: Self.schema))
    let definitions = try #require(root["$defs"] as? [String: [String: Any]])
    let metrics = try #require(
      definitions["MetricTable"]?["properties"] as? [String: [String: Any]])
    #expect(Set(metrics.keys) == Set(written.keys) && written.count > 50)
    #expect(metrics.values.allSatisfy { ($0["description"] as? String)?.isEmpty == false })
  }

  @Test(
    "A result that is not as the schema says is refused",
    arguments: [
      (#""plank.accurate": 0.5"#, "has plank.accurate"),
      (#""plank.accuracy": "0.5""#, "is no number"), (#""plank.accuracy": 2"#, "high"),
      (#""plank.accuracy": {"value": null}"#, "lacks reason"),
    ])
  func refused(member: String, problem: String) throws {
    let found = try problems("{\(member)}", as: "MetricTable")
    #expect(found.contains { $0.contains(problem) }, "\(found)")
  }
}

/// As much of JSON Schema as the committed schema uses; an unknown word of it is a problem.
private struct SchemaCheck {
  let definitions: [String: [String: Any]]

  private static let known: Set<String> = [
    "$ref", "type", "enum", "properties", "required", "additionalProperties", "items", "minimum",
    "maximum", "pattern", "description",
  ]

  func problems(_ value: Any, _ schema: [String: Any], at path: String) -> [String] {
    var found = schema.keys.filter { !Self.known.contains($0) }.map { "\(path): schema word \($0)" }
    if let reference = schema["$ref"] as? String {
      let name = reference.replacingOccurrences(of: "#/$defs/", with: "")
      found += definitions[name].map { problems(value, $0, at: path) } ?? ["no definition \(name)"]
    }
    let types = (schema["type"] as? [String]) ?? (schema["type"] as? String).map { [$0] } ?? []
    if !types.isEmpty, !types.contains(where: { Self.isOf($0, value) }) {
      found.append("\(path): is no \(types.joined(separator: " or "))")
    }
    if let allowed = schema["enum"] as? [NSObject], !allowed.contains(where: { $0.isEqual(value) })
    {
      found.append("\(path): is none of \(allowed)")
    }
    found += range(value, schema, path)
    if let pattern = schema["pattern"] as? String, let text = value as? String,
      text.range(of: pattern, options: .regularExpression) == nil
    {
      found.append("\(path): does not match \(pattern)")
    }
    return found + members(value, schema, path)
  }

  private func range(_ value: Any, _ schema: [String: Any], _ path: String) -> [String] {
    guard Self.isOf("number", value), let number = value as? Double else { return [] }
    var found: [String] = []
    if let minimum = schema["minimum"] as? Double, number < minimum { found.append("\(path): low") }
    if let maximum = schema["maximum"] as? Double, number > maximum {
      found.append("\(path): high")
    }
    return found
  }

  private func members(_ value: Any, _ schema: [String: Any], _ path: String) -> [String] {
    if let items = value as? [Any], let schema = schema["items"] as? [String: Any] {
      return items.enumerated().flatMap { problems($1, schema, at: "\(path)[\($0)]") }
    }
    guard let object = value as? [String: Any] else { return [] }
    let properties = schema["properties"] as? [String: [String: Any]] ?? [:]
    let required = schema["required"] as? [String] ?? []
    var found = required.filter { object[$0] == nil }.map { "\(path): lacks \($0)" }
    for (name, member) in object {
      if let own = properties[name] {
        found += problems(member, own, at: "\(path).\(name)")
      } else if let others = schema["additionalProperties"] as? [String: Any] {
        found += problems(member, others, at: "\(path).\(name)")
      } else if schema["additionalProperties"] as? Bool == false {
        found.append("\(path): has \(name)")
      }
    }
    return found
  }

  private static func isOf(_ type: String, _ value: Any) -> Bool {
    let isBool = isBool(value)
    switch type {
    case "null": return value is NSNull
    case "boolean": return isBool
    case "number": return !isBool && value is NSNumber
    case "integer": return !isBool && (value as? Double).map { $0 == $0.rounded() } ?? false
    case "string": return value is String
    case "array": return value is [Any]
    case "object": return value is [String: Any]
    default: return false
    }
  }

  private static func isBool(_ value: Any) -> Bool {
    (value as? NSNumber).map { String(cString: $0.objCType) == "c" } ?? false
  }
}
