import Foundation
import TestSupport
import Testing

@testable import PlankBench

/// The schema that programs rely on, against the types that results are written from.
///
/// To write `docs/result.schema.json` again, run these tests with `PLANKLAB_RECORD=1`; they then fail
/// and say so.
@Suite("Schema of results, generated")
struct ResultSchemaGoldenTests {
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
