import ArgumentParser
import Foundation
import TestSupport
import Testing

@testable import PlankBench
@testable import Reports

@Suite("Saved results") struct SavedResultTests {
  /// Small results of every command, by their names among the corpora.
  static let names = [
    "compare", "evaluate", "gate", "replay", "smoothers", "suggest", "sweep", "tune",
  ]
  private static let hostile = "</script><img src=x onerror=alert(1)> \" & {{script}}"

  private static func text(_ name: String) throws -> String {
    let texts = try Repository.text("Tests/FuzzTests/Corpora/results/inputs.json")
    return try #require(
      JSONDecoder().decode([String: String].self, from: Data(texts.utf8))["\(name).json"])
  }

  @Test(
    "A result reads back as it was written, has the same faces, and is as the schema says",
    arguments: names)
  func roundTrip(name: String) throws {
    let command = name == "smoothers" ? "smoothers compare" : name
    let kind = try #require(SavedResult.kinds.first { $0.command == command })
    try Self.expectSame(JSONDocument(Self.text(name), file: name), kind)
  }

  private static func expectSame<Result: CommandResult>(
    _ document: JSONDocument, _ kind: Result.Type
  ) throws {
    let envelope = try document.decode(ResultEnvelope<Result>.self)
    let again = try JSONDocument(envelope.json, file: "again.json")
      .decode(ResultEnvelope<Result>.self)
    #expect(again == envelope && again.json == envelope.json)
    #expect(again.page == envelope.page && again.document == envelope.document)
    let problems = try SchemaCheck()
      .problems(envelope.json, as: ResultSchema.envelopeName(kind.command))
    #expect(problems == [])
  }

  /// The texts of a sweep's small result are all names of settings, which are checked.
  @Test(
    "No text of a result becomes markup on its page", arguments: names.filter { $0 != "sweep" })
  func hostileTexts(name: String) throws {
    let text = try Self.text(name)
    let values = Set(text.matches(of: /"[^"\\\n]{2,}"(?!\s*:)/).map { String($0.output) })
    let literal = JSONText.of(Self.hostile, .line)
    let pages = values.sorted().compactMap { value in
      try? SavedResult(text.replacing(value, with: literal), path: "a.json").page.html.text
    }
    #expect(pages.count > 3)
    for page in pages { #expect(!page.contains("<img")) }
    #expect(pages.contains { $0.contains("&lt;/script&gt;&lt;img src=x onerror=alert(1)&gt;") })
  }

  @Test("A page of all results refers to nothing outside itself and sets texts, never markup")
  func isSelfContained() throws {
    let saved = try Self.names.map { try SavedResult(Self.text($0), path: $0 + ".json") }
    // The name of SVG is no address that anything loads.
    let html = try ReportPage.html(saved)
      .replacing("xmlns=\"http://www.w3.org/2000/svg\"", with: "")
    for reference in [
      "http:", "https:", "url(", "@import", "fetch(", "innerHTML", "outerHTML",
      "insertAdjacentHTML", "document.write", "eval(", " onclick=", " style=",
    ] { #expect(!html.contains(reference), "\(reference)") }
    #expect(!html.contains(#/\shref="[^#]/#))
  }

  @Test("What `evaluate` writes of everything that it can is as the schema says")
  func evaluation() async throws {
    let json = try await Evaluate.parse([
      Repository.file("datasets/scripted").path, "--verbose", "--source-tag", "view",
      "--smoothing", "ema", "--format", "json",
    ]).outcome().text
    #expect(try SchemaCheck().problems(json, as: "planklab-evaluate") == [])
  }

  @Test(
    "A result that is not as the schema says is refused",
    arguments: [
      (#""plank.accurate": 0.5"#, "has plank.accurate"),
      (#""plank.accuracy": "0.5""#, "is no number"), (#""plank.accuracy": 2"#, "high"),
      (#""plank.accuracy": {"value": null}"#, "lacks reason"),
    ])
  func refused(member: String, problem: String) throws {
    let found = try SchemaCheck().problems("{\(member)}", as: "MetricTable")
    #expect(found.contains { $0.contains(problem) }, "\(found)")
  }
}

/// As much of JSON Schema as the committed schema uses; an unknown word of it is a problem.
private struct SchemaCheck {
  private let definitions: [String: [String: Any]]

  init() throws {
    let root = try JSONSerialization.jsonObject(
      with: Data(contentsOf: Repository.file("docs/result.schema.json")))
    definitions = try #require((root as? [String: Any])?["$defs"] as? [String: [String: Any]])
  }

  func problems(_ text: String, as definition: String) throws -> [String] {
    let value = try JSONSerialization.jsonObject(with: Data(text.utf8))
    return problems(value, ["$ref": "#/$defs/" + definition], at: "$")
  }

  private static let known: Set<String> = [
    "$ref", "type", "enum", "properties", "required", "additionalProperties", "items", "minimum",
    "minProperties", "maxProperties",
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
    var found: [String] = []
    if let least = schema["minProperties"] as? Int, object.count < least {
      found.append("\(path): has fewer than \(least)")
    }
    if let most = schema["maxProperties"] as? Int, object.count > most {
      found.append("\(path): has more than \(most)")
    }
    found += required.filter { object[$0] == nil }.map { "\(path): lacks \($0)" }
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
