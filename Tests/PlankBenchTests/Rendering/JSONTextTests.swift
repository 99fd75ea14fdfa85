import Foundation
import Testing

@testable import PlankBench

/// Values as JSON.
@Suite("JSON text")
struct JSONTextTests {
  private struct Sample: Encodable {
    let b: [Int?]
    let a: Bool
    var rows: [[String: [Int]]] = []
  }

  @Test("Names are sorted, lists of plain values are on one line")
  func layout() {
    let value = Sample(b: [1, nil], a: true, rows: [["x": [1, 2], "w": []], [:]])
    #expect(
      JSONText.of(value) == """
        {
          "a": true,
          "b": [1, null],
          "rows": [
            {
              "w": [],
              "x": [1, 2]
            },
            {}
          ]
        }

        """)
    #expect(
      JSONText.of(value, .rows).contains(#"    {"w":[],"x":[1,2]},"#),
      "\(JSONText.of(value, .rows))")
  }

  @Test("A line is the same value without line breaks and spaces")
  func line() {
    #expect(
      JSONText.of(["b": ["x\ny", "1, 2"], "a": []], .line) == #"{"a":[],"b":["x\ny","1, 2"]}"#)
  }

  @Test(
    "Numbers are the shortest decimals, whole ones without a point",
    arguments: [(0.1, "0.1"), (3, "3"), (1e-7, "1e-07"), (0.05, "0.05"), (1e300, "1e+300")])
  func numbers(value: Double, text: String) {
    #expect(JSONText.of([value]) == "[\(text)]\n")
  }

  @Test("A value that is not there is null where readers ask for null")
  func null() {
    #expect(JSONText.of([OrNull(1.5), OrNull(nil)]) == "[1.5, null]\n")
  }

  @Test(
    "Any text reads back as it was written, in every layout",
    arguments: [
      "", "a\"b\\c", "line\nbreak\ttab\r", "\u{0}\u{1F}\u{7F}", "\u{2028}é漢😀", "]}\",[{", "a/b",
      "\\", "a\\\\", "\\\"", "\"\\\\\"",
    ])
  func strings(text: String) throws {
    for layout in [JSONText.Layout.indented, .rows, .line] {
      let data = Data(JSONText.of([["k" + text: [text]]], layout).utf8)
      #expect(
        try JSONDecoder().decode([[String: [String]]].self, from: data) == [["k" + text: [text]]])
    }
  }

  @Test(
    "Characters that terminals act on and that YAML refuses are written by their numbers",
    arguments: [
      ("\u{80}", "0080"), ("\u{85}", "0085"), ("\u{9B}", "009b"), ("\u{7F}", "007f"),
      ("\u{2028}", "2028"), ("\u{FEFF}", "feff"), ("\u{FFFE}", "fffe"), ("\u{1B}", "001b"),
    ])
  func escapes(character: String, number: String) {
    #expect(JSONText.of(["k": character + "é"], .line).lowercased() == "{\"k\":\"\\u\(number)é\"}")
  }
}
