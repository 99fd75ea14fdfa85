import Foundation
import Testing

@testable import PlankBench
@testable import Reports

@Suite("JSON text") struct JSONTextTests {
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
  func numbers(value: Double, text: String) { #expect(JSONText.of([value]) == "[\(text)]\n") }

  @Test("A value that is not there is null where readers ask for null")
  func null() { #expect(JSONText.of([OrNull(1.5), OrNull(nil)]) == "[1.5, null]\n") }

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

@Suite("Comma-separated values") struct CSVTextTests {
  @Test(
    "A field reads back as it was written",
    arguments: ["", "plain", "a,b", "\"", "a\"b", "\"\"", ",", "\",\"", "a, \"b\", c", " x "])
  func roundTrip(field: String) {
    for fields in [[field], ["1", field, "2"], [field, field]] {
      let line = fields.map(CSVText.quoted).joined(separator: ",")
      #expect(CSVText.fields(of: line[...]).map(String.init) == fields, "\(line)")
    }
  }

  @Test("A line without quotes is split at every comma")
  func plain() { #expect(CSVText.fields(of: "t,,plank,") == ["t", "", "plank", ""]) }

  @Test("A name from a file stays on one line")
  func names() { #expect(CSVText.name("a\nb,c") == "\"a\\u{A}b,c\"") }
}

@Suite("Number text") struct NumberTextTests {
  @Test(
    "A number has exactly the decimals asked for",
    arguments: [
      (0.0, 3, "0.000"), (-0.0004, 3, "0.000"), (1.0005, 3, "1.001"), (-2.5, 0, "-3"),
      (123.456, 1, "123.5"), (0.05, 2, "0.05"),
    ])
  func fixed(value: Double, decimals: Int, text: String) {
    #expect(NumberText.fixed(value, decimals) == text)
  }

  @Test("What is not a number says so")
  func notFinite() {
    #expect(NumberText.fixed(.nan, 2) == "n/a")
    #expect(NumberText.fixed(-.infinity, 2) == "-inf")
  }

  @Test(
    "Counts have groups of three digits",
    arguments: [(0, "0"), (999, "999"), (1000, "1,000"), (-1_234_567, "-1,234,567")])
  func counts(value: Int, text: String) { #expect(NumberText.count(value) == text) }
}

@Suite("Columns that are packed for pages") struct PackedColumnTests {
  @Test("Steps of every number of a frame have their sign in the last bit, and wrap around")
  func steps() {
    let numbers: [Int16] = [5, -1, 4, 0, .min, 0, .max, 0]
    // By hand: 5 and -1; -1 and +1; -32772, which wraps to 32764, and 0; then to the other end.
    #expect(PackedSteps.steps(numbers, stride: 2) == [10, 1, 1, 2, 65528, 0, 1, 0])
  }

  @Test("The same numbers come back from their steps", arguments: [1, 3])
  func restored(stride: Int) {
    let numbers = (0..<300).map { Int16(truncatingIfNeeded: $0 &* 7_919 &* $0) } + [.min, .max, 0]
    var found: [Int16] = []
    for (place, step) in PackedSteps.steps(numbers, stride: stride).enumerated() {
      let change = Int16(bitPattern: (step >> 1) ^ (0 &- (step & 1)))
      found.append((place < stride ? 0 : found[place - stride]) &+ change)
    }
    #expect(found == numbers)
  }

  @Test(
    "Values are multiples of a thousandth of the power of ten below the largest one",
    arguments: [(174.3, 0.1), (1.9, 0.001), (0.08, 0.00001), (-1, 0.001)] as [(Float, Double)])
  func units(largest: Float, unit: Double) {
    let packed = PackedValues([largest, largest / 2, .nan])
    #expect(abs(packed.unit - unit) < unit * 1e-9)
    let multiples = [largest, largest / 2].map { Int16((Double($0) / packed.unit).rounded()) }
    #expect(
      packed.text == "steps:" + PackedSteps.text(multiples + [.min], stride: 1))
  }

  @Test(
    "Values stay as they are where the largest leaves the others no digits, or is not finite",
    arguments: [[Float](repeating: 0.5, count: 99) + [1e6], [1, .infinity]] as [[Float]])
  func exact(values: [Float]) {
    #expect(
      PackedValues(values).text == "bits:" + PackedColumn.text(values.map(\.bitPattern)))
  }

  @Test(
    "Values that are zero or undefined need no digits",
    arguments: [[], [.nan], [0, .nan]] as [[Float]])
  func nothing(values: [Float]) {
    let numbers = values.map { $0.isNaN ? Int16.min : 0 }
    #expect(PackedValues(values).text == "steps:" + PackedSteps.text(numbers, stride: 1))
  }
}

@Suite("Addresses of files beside a page") struct RelativeAddressTests {
  @Test(
    "A file is named from the page's folder, percent-encoded",
    arguments: [
      ("/d/videos/a.mp4", "/d/report.html", "./videos/a.mp4"),
      ("/d/videos/a.mp4", "/out/pages/report.html", "../../d/videos/a.mp4"),
      ("/d/a.mp4", "/d/a.mp4", "./a.mp4"),
      ("/d/./x/../a b#?&\"é.mp4", "/d/r.html", "./a%20b%23%3F%26%22%C3%A9.mp4"),
      ("/d/javascript:alert(1)", "/d/r.html", "./javascript%3Aalert%281%29"),
      ("/d/%41.mp4", "/d/r.html", "./%2541.mp4"),
    ])
  func addresses(file: String, page: String, address: String) throws {
    #expect(try RelativeAddress.text(of: file, from: page) == address)
  }
}
