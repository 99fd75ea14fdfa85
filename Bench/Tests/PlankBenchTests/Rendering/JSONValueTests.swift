import Foundation
import Testing

@testable import PlankBench

/// The JSON face.
@Suite("JSON value")
struct JSONValueTests {
  @Test("Names are sorted, lists of plain values stand on one line")
  func layout() {
    let value = JSONValue.object(["b": .array([.integer(1), .null]), "a": .bool(true)])
    #expect(value.text == "{\n  \"a\": true,\n  \"b\": [1, null]\n}\n")
  }

  @Test("A line is the same value without line breaks and spaces")
  func line() {
    let value = JSONValue.object([
      "b": .array([.integer(1), .null, .array([]), .object([:])]), "a": .string("x\ny"),
    ])
    #expect(value.line == #"{"a":"x\ny","b":[1,null,[],{}]}"#)
  }

  @Test(
    "Numbers are the shortest decimals, whole ones without a point",
    arguments: [(0.1, "0.1"), (3, "3"), (-0.0, "0"), (1e-7, "1e-07"), (0.05, "0.05")])
  func numbers(value: Double, text: String) {
    #expect(JSONValue.number(value).text == text + "\n")
  }

  @Test("What is not finite is null", arguments: [Double.nan, .infinity, -.infinity])
  func notFinite(value: Double) {
    #expect(JSONValue.number(value).text == "null\n")
    #expect(JSONValue.optional(value) == .null)
  }

  @Test(
    "Any text reads back as it was written",
    arguments: ["", "a\"b\\c", "line\nbreak\ttab\r", "\u{0}\u{1F}\u{7F}", "\u{2028}é漢😀"])
  func strings(text: String) throws {
    let data = Data(JSONValue.array([.string(text)]).text.utf8)
    #expect(try JSONDecoder().decode([String].self, from: data) == [text])
  }

  @Test(
    "Characters that YAML refuses or changes are written by their numbers",
    arguments: [
      ("\u{80}", "0080"), ("\u{85}", "0085"), ("\u{7F}", "007f"), ("\u{2028}", "2028"),
      ("\u{FEFF}", "feff"), ("\u{FFFE}", "fffe"), ("\u{1B}", "001b"),
    ])
  func escapes(character: String, number: String) {
    #expect(JSONValue.string(character + "é").text == "\"\\u\(number)é\"\n")
  }
}
