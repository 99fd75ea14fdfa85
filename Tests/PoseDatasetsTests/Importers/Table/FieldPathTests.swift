import Testing

@testable import PoseDatasets

@Suite("Paths of fields")
struct FieldPathTests {
  @Test(
    "A path reads back as it was",
    arguments: [
      "", "t", "joints.left_hip.x", "landmarks[11]", "[0]", "rows[joint=left_hip]",
      #""a.b"[2]."c]d""#, #"rows["na=me"="x]y"].z"#, #""""#, #""tab\t".x"#,
    ])
  func readsBack(text: String) throws {
    let path = try #require(FieldPath(text))
    #expect(path.text == text)
    #expect(FieldPath(path.text) == path)
  }

  @Test(
    "A text that is no path is refused",
    arguments: ["a..b", "a[", "a[x]", "a[-1]", "a]", "[a=", ".a", "a.", "\"a", "a\"b"])
  func refused(text: String) { #expect(FieldPath(text) == nil) }

  @Test("A path leads through keys, elements and named elements; nil where there is nothing")
  func leads() throws {
    let frame = try JSONNode(
      #"{"a":{"b":[1,[2,3]]},"rows":[{"joint":"hip","x":4},{"joint":7,"x":5}]}"#, file: "f")
    func number(_ text: String) throws -> Double? {
      var reader = FieldReader(try #require(FieldPath(text)))
      return reader.field(of: frame)?.number
    }
    #expect(try number("a.b[0]") == 1)
    #expect(try number("a.b[1][1]") == 3)
    #expect(try number("rows[joint=hip].x") == 4)
    #expect(try number("rows[joint=7].x") == 5)
    #expect(try number("rows[joint=knee].x") == nil)
    #expect(try number("a.c") == nil)
    #expect(try number("a.b[9]") == nil)
  }
}

@Suite("JSON with lines")
struct JSONNodeTests {
  @Test("Every value knows its line")
  func lines() throws {
    let node = try JSONNode("{\n\"a\": 1,\n\"b\": [\n2, {\"c\":\nnull}]}", file: "f")
    #expect(node.line == 1 && node["a"]?.line == 2 && node["b"]?.line == 3)
    #expect(node["b"]?.element(1)?["c"]?.line == 5)
  }

  @Test(
    "What JSON does not allow is refused with its line",
    arguments: [
      ("{\"a\":1,}", 1), ("[1\n,2,\n]", 3), ("[01]", 1), ("[1.]", 1), ("[.5]", 1), ("[+1]", 1),
      ("[1e]", 1), ("[NaN]", 1), ("[1]\n[2]", 2), ("{\"a\":1,\n\"a\":2}", 2), ("\"\\q\"", 1),
      ("[1e999]", 1), ("", 1),
    ])
  func refused(text: String, line: Int) throws {
    let error = try #require(throws: FieldError.self) { try JSONNode(text, file: "f") }
    #expect(error.line == line, "\(error)")
  }

  @Test("Where Python wrote NaN, it is a number without a value")
  func notANumber() throws {
    var parser = JSONParser(Array("[NaN, -Infinity]".utf8), file: "f", allowsNotFinite: true)
    let values = try parser.value().flatNumbers
    #expect(values.count == 2 && values.allSatisfy { $0.isNaN })
  }

  @Test("Nesting beyond 200 levels is refused")
  func depth() {
    let text = String(repeating: "[", count: 201) + String(repeating: "]", count: 201)
    #expect(throws: FieldError.self) { try JSONNode(text, file: "f") }
  }
}
