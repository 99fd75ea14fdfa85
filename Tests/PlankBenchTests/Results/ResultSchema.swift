import Foundation
import PlankDetection
import PoseModel
import Statistics
import TestSupport
import Testing
import Tuning

@testable import Evaluation
@testable import PlankBench
@testable import Reports

/// The JSON Schema of results, as their types say: a decoder that reads nothing writes down which
/// members each type asks for.
struct ResultSchema {
  typealias Part = [String: Any]

  private(set) var definitions: [String: Part] = [:]
  private var waiting: [any Decodable.Type] = []

  /// Generates the schema of every kind of result.
  ///
  /// - Throws: the error of a type whose members cannot be found this way.
  init() throws {
    definitions["MetricTable"] = Self.metricTable
    definitions["MetricValue"] = Self.metricValue
    definitions["IntervalValue"] = Self.intervalValue
    definitions["RuleEdit"] = try ruleEdit
    for kind in SavedResult.kinds { try addEnvelope(of: kind) }
    while let type = waiting.popLast() {
      let name = Self.name(of: type)
      if definitions[name] == nil { definitions[name] = try members(of: type) }
    }
  }

  var text: String {
    get throws {
      let names = SavedResult.kinds.map { Self.envelopeName($0.command) }
      let whole: Part = [
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Results of PlankLab",
        "description":
          "What `--output` and `--format json` write. A changed meaning or a removed member raises schema_version.",
        "anyOf": names.map { ["$ref": "#/$defs/" + $0] },
        "$defs": definitions,
      ]
      let data = try JSONSerialization.data(
        withJSONObject: whole, options: [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes])
      return String(decoding: data, as: UTF8.self) + "\n"
    }
  }

  static func envelopeName(_ command: String) -> String {
    "planklab-" + command.replacing(" ", with: "-")
  }

  private mutating func addEnvelope(of kind: any CommandResult.Type) throws {
    definitions[Self.envelopeName(kind.command)] = [
      "type": "object", "additionalProperties": false,
      "required": ["schema_version", "program", "command", "provenance", "result"],
      "properties": [
        "schema_version": ["enum": [kind.schemaVersion]] as Part,
        "program": ["type": "string"], "command": ["enum": [kind.command]] as Part,
        "dataset": part(of: DatasetIdentity.self),
        "provenance": ["type": "object", "additionalProperties": ["type": "string"]] as Part,
        "result": part(of: kind),
      ],
    ]
  }

  private mutating func members(of type: any Decodable.Type) throws -> Part {
    let members = SchemaMembers()
    _ = try type.init(from: SchemaDecoder(members: members))
    if let items = members.item {
      return ["type": "array", "items": part(of: items)]
    }
    if let value = members.value { return part(of: value) }
    var properties = Self.derived[Self.name(of: type)] ?? [:]
    let required = members.required.union(Self.alwaysDerived(properties))
    for (key, type) in members.types { properties[key] = part(of: type) }
    return [
      "type": "object", "additionalProperties": false, "properties": properties,
      "required": required.sorted(),
    ]
  }

  private static func alwaysDerived(_ properties: [String: Part]) -> [String] {
    properties.filter { !($0.value["type"] is [String]) }.map(\.key)
  }

  /// The schema of a type; one with members of its own is defined once and referred to.
  private mutating func part(of type: any Decodable.Type) -> Part {
    if let known = Self.leaf(type) { return known }
    if let list = type as? any SchemaList.Type {
      var items = part(of: list.element)
      if list.element is any SchemaOptional.Type, let type = items["type"] as? String {
        items["type"] = [type, "null"]
      }
      return ["type": "array", "items": items]
    }
    if let map = type as? any SchemaMap.Type {
      return ["type": "object", "additionalProperties": part(of: map.element)]
    }
    if let optional = type as? any SchemaOptional.Type { return part(of: optional.wrapped) }
    waiting.append(type)
    return ["$ref": "#/$defs/" + Self.name(of: type)]
  }

  private static func leaf(_ type: any Decodable.Type) -> Part? {
    switch type {
    case is String.Type, is UndefinedReason.Type, is GateRule.Subject.Type,
      is SmoothingChoice.Type, is SliceKey.Type, is ParameterKey.Type:
      ["type": "string"]
    case is IntervalValue.Type: ["$ref": "#/$defs/IntervalValue"]
    case is ClosedRange<Double>.Type: ["type": "array", "items": ["type": "number"]]
    case is ClosedRange<Int>.Type, is Range<Int>.Type:
      ["type": "array", "items": ["type": "integer"]]
    case is MetricKey.Type:
      ["type": "string", "enum": MetricKey.all.map(\.description)]
    case is Bool.Type: ["type": "boolean"]
    case is Double.Type, is Float.Type, is Seconds.Type, is Hertz.Type, is Meters.Type,
      is Degrees.Type:
      ["type": "number"]
    case is Int.Type, is UInt8.Type, is UInt64.Type: ["type": "integer"]
    case is MetricTable.Type: ["$ref": "#/$defs/MetricTable"]
    case is MetricValue.Type: ["$ref": "#/$defs/MetricValue"]
    case is RuleEdit.Type: ["$ref": "#/$defs/RuleEdit"]
    default: (SchemaSample.words(type)).map { ["type": "string", "enum": $0] }
    }
  }

  /// The name of a type without modules, and without characters that a reference must not have.
  static func name(of type: any Any.Type) -> String {
    let modules = [
      "Swift", "Foundation", "PoseModel", "PlankDetection", "Statistics", "Evaluation",
      "Tuning", "Reports", "PlankBench",
    ]
    return modules.reduce(String(reflecting: type)) { $0.replacing($1 + ".", with: "") }
      .replacing("<", with: "-").replacing(">", with: "").replacing(", ", with: "-")
  }
}

extension ResultSchema {
  private var ruleEdit: Part {
    mutating get throws {
      let (text, index, number): (Part, Part, Part) = (
        ["type": "string"], ["type": "integer"], ["type": "number"]
      )
      let condition = part(of: EditCondition.self)
      let kinds: [String: [String: Part]] = [
        "move": ["parameter": text, "value": number], "drop_rule": ["rule": index],
        "drop_condition": ["rule": index, "condition": index], "swap": ["rule": index],
        "narrow": ["rule": index, "condition": condition],
        "insert": [
          "position": index, "label": text,
          "conditions": ["type": "array", "items": condition] as Part,
        ],
      ]
      return [
        "description": "A change of a list of rules; exactly one member says of which kind.",
        "type": "object", "additionalProperties": false, "minProperties": 1, "maxProperties": 1,
        "properties": kinds.mapValues { members -> Part in
          [
            "type": "object", "additionalProperties": false, "properties": members,
            "required": members.keys.sorted(),
          ]
        },
      ]
    }
  }

  private static var metricValue: Part {
    [
      "description": "A number; null with the reason where it is undefined.",
      "type": ["number", "object"], "additionalProperties": false,
      "required": ["value", "reason"],
      "properties": ["value": ["type": "null"], "reason": ["type": "string"]],
    ]
  }

  private static var intervalValue: Part {
    [
      "description": "An interval; null with the reason where there is none.",
      "type": "object", "additionalProperties": false,
      "properties": [
        "method": ["type": "string", "enum": Interval.Method.allCases.map(\.rawValue)],
        "level": ["type": "number"], "lower": ["type": "number"], "upper": ["type": "number"],
        "subjects": ["type": "integer"], "value": ["type": "null"], "reason": ["type": "string"],
      ],
    ]
  }

  private static var metricTable: Part {
    var properties: [String: Part] = [:]
    for key in MetricKey.all {
      let range = key.metric.range
      var part = metricValue
      part["description"] =
        key.metric.meaning + (key.metric.unit == "-" ? "" : " Unit: \(key.metric.unit).")
      part["minimum"] = range.lowerBound
      if range.upperBound.isFinite { part["maximum"] = range.upperBound }
      properties[key.description] = part
    }
    return ["type": "object", "additionalProperties": false, "properties": properties]
  }

  private static var derived: [String: [String: Part]] {
    [
      "GateReport": [
        "verdict": ["type": "string", "enum": GateVerdict.allCases.map(\.rawValue)],
        "exit_code": ["type": "integer"],
        "metrics": ["type": "object", "additionalProperties": ["type": ["number", "null"]]],
      ],
      "GateSlice": ["value": ["type": ["string"]]],
      "GateFinding": [
        "difference": ["type": ["number"]], "over_limit": ["type": "boolean"],
        "stops": ["type": "boolean"], "warns": ["type": "boolean"],
      ],
    ]
  }
}

private final class SchemaMembers {
  var types: [String: any Decodable.Type] = [:]
  var required: Set<String> = []
  var item: (any Decodable.Type)?
  var value: (any Decodable.Type)?
}

/// Stands for a value of any type: every member is there, and each is the simplest that there is.
private struct SchemaDecoder: Decoder {
  let members: SchemaMembers
  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
    KeyedDecodingContainer(SchemaObject<Key>(members: members))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    throw SchemaProblem.unsupported("a list without a type")
  }

  func singleValueContainer() -> any SingleValueDecodingContainer { SchemaValue(members: members) }
}

/// A type whose members cannot be found.
enum SchemaProblem: Error { case unsupported(String) }

private struct SchemaObject<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let members: SchemaMembers
  var codingPath: [any CodingKey] { [] }
  var allKeys: [Key] { [] }

  func contains(_ key: Key) -> Bool { true }
  func decodeNil(forKey key: Key) -> Bool { false }

  func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
    members.types[key.stringValue] = type
    members.required.insert(key.stringValue)
    return try SchemaSample.of(type, key: key.stringValue)
  }

  func decodeIfPresent<T: Decodable>(_ type: T.Type, forKey key: Key) -> T? {
    members.types[key.stringValue] = type
    return nil
  }

  func decodeIfPresent(_ type: Bool.Type, forKey key: Key) -> Bool? { absent(type, key) }
  func decodeIfPresent(_ type: String.Type, forKey key: Key) -> String? { absent(type, key) }
  func decodeIfPresent(_ type: Double.Type, forKey key: Key) -> Double? { absent(type, key) }
  func decodeIfPresent(_ type: Int.Type, forKey key: Key) -> Int? { absent(type, key) }

  private func absent<T: Decodable>(_ type: T.Type, _ key: Key) -> T? {
    members.types[key.stringValue] = type
    return nil
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<Nested> {
    throw SchemaProblem.unsupported("a nested object `\(key.stringValue)`")
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    throw SchemaProblem.unsupported("a nested list `\(key.stringValue)`")
  }

  func superDecoder() throws -> any Decoder { throw SchemaProblem.unsupported("super") }
  func superDecoder(forKey key: Key) throws -> any Decoder { try superDecoder() }
}

private struct SchemaValue: SingleValueDecodingContainer {
  let members: SchemaMembers
  var codingPath: [any CodingKey] { [] }

  func decodeNil() -> Bool { false }

  func decode<T: Decodable>(_ type: T.Type) throws -> T {
    members.value = type
    return try SchemaSample.of(type, key: "")
  }
}

private enum SchemaSample {
  /// Texts that are checked as they are read, by the name of their member.
  private static let texts = ["method": Interval.Method.allCases[0].rawValue]

  static func of<T: Decodable>(_ type: T.Type, key: String) throws -> T {
    let sample: Any? =
      switch type {
      case is String.Type: texts[key] ?? ""
      case is MetricKey.Type: MetricKey.all[0]
      case is MetricValue.Type: MetricValue.value(0)
      case is MetricTable.Type: MetricTable([]) { _ in .value(0) }
      case is GateRule.Subject.Type: GateRule.Subject.frameCostRatio
      case is SmoothingChoice.Type: SmoothingChoice.none
      case is SliceKey.Type: SliceKey.subject
      case is RuleEdit.Type: RuleEdit.swap(rule: 0)
      case is ParameterKey.Type: ParameterKey.sag
      case is IntervalValue.Type: IntervalValue.undefined(.noVariation)
      case is ClosedRange<Double>.Type: 0.0...1.0
      case is ClosedRange<Int>.Type: 0...1
      case is Range<Int>.Type: 0..<1
      case is Bool.Type: false
      case is Double.Type: 0.0
      case is Float.Type: Float(0)
      case let type as any FixedWidthInteger.Type: type.init(0 as UInt8)
      case let type as any CaseIterable.Type: first(type)
      default: nil
      }
    if let sample = sample as? T { return sample }
    if let list = (type as? any SchemaList.Type)?.empty as? T { return list }
    if let map = (type as? any SchemaMap.Type)?.empty as? T { return map }
    return try T(from: SchemaDecoder(members: SchemaMembers()))
  }

  private static func first<T: CaseIterable>(_ type: T.Type) -> T? { type.allCases.first }

  static func words(_ type: any Decodable.Type) -> [String]? {
    (type as? any CaseIterable.Type).flatMap { rawValues($0) }
  }

  private static func rawValues<T: CaseIterable>(_ type: T.Type) -> [String]? {
    let words = type.allCases.compactMap { ($0 as? any RawRepresentable)?.rawValue as? String }
    return words.isEmpty ? nil : words
  }
}

private protocol SchemaList {
  static var element: any Decodable.Type { get }
  static var empty: Self { get }
}

extension Array: SchemaList where Element: Decodable {
  fileprivate static var element: any Decodable.Type { Element.self }
  fileprivate static var empty: [Element] { [] }
}

private protocol SchemaMap {
  static var element: any Decodable.Type { get }
  static var empty: Self { get }
}

extension Dictionary: SchemaMap where Key: CodingKeyRepresentable, Value: Decodable {
  fileprivate static var element: any Decodable.Type { Value.self }
  fileprivate static var empty: [Key: Value] { [:] }
}

private protocol SchemaOptional { static var wrapped: any Decodable.Type { get } }

extension Optional: SchemaOptional where Wrapped: Decodable {
  fileprivate static var wrapped: any Decodable.Type { Wrapped.self }
}

/// The schema that programs rely on, against the types that results are written from.
///
/// To write `docs/result.schema.json` again, run these tests with `PLANKLAB_RECORD=1`; they then fail
/// and say so.
@Suite("Schema of results, generated") struct ResultSchemaGoldenTests {
  private static let file = Repository.file("docs/result.schema.json")

  @Test("The committed schema is what the types say")
  func committed() throws {
    let text = try ResultSchema().text
    if ProcessInfo.processInfo.environment["PLANKLAB_RECORD"] != nil {
      try text.write(to: Self.file, atomically: true, encoding: .utf8)
      Issue.record("wrote \(Self.file.path); run again without PLANKLAB_RECORD")
    }
    #expect(try String(contentsOf: Self.file, encoding: .utf8) == text)
  }

  @Test("Every kind of result has a definition, and every type's members are found")
  func complete() throws {
    let definitions = try ResultSchema().definitions
    for kind in SavedResult.kinds {
      #expect(definitions[ResultSchema.envelopeName(kind.command)] != nil, "\(kind.command)")
    }
    #expect(definitions.count > 40)
    for (name, definition) in definitions where definition["type"] as? String == "object" {
      let properties = definition["properties"] as? [String: Any] ?? [:]
      #expect(!properties.isEmpty || name == "GateSlice", "\(name) has no members")
    }
  }
}
