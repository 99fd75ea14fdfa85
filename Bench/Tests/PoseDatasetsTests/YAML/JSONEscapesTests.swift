import Testing

@testable import PoseDatasets

@Suite("Escapes of JSON")
struct JSONEscapesTests {
  @Test(
    "Two escapes of one character become that character; everything else stays",
    arguments: [
      (text: #"{"a": "\ud83d\ude00"}"#, expected: #"{"a": "😀"}"#),
      (text: #"{"a": "x\uD83D\uDE00\n\u00e9"}"#, expected: #"{"a": "x😀\n\u00e9"}"#),
      (text: #"{"a": "\\ud83d\\ude00"}"#, expected: #"{"a": "\\ud83d\\ude00"}"#),
      (text: #"{"a": "\ud83d alone"}"#, expected: #"{"a": "\ud83d alone"}"#),
      (text: #"{"a": "\ud83d\u0041"}"#, expected: #"{"a": "\ud83d\u0041"}"#),
      (text: #"a: '\ud83d\ude00'"#, expected: #"a: '\ud83d\ude00'"#),
      (text: #"{"a": "\u"#, expected: #"{"a": "\u"#),
    ])
  func joined(text: String, expected: String) {
    #expect(JSONEscapes.joined(text) == expected)
  }

  @Test("A document in JSON reads them")
  func document() throws {
    let root = try YAMLDocument(text: #"{"question": "\ud83d\ude00?"}"#, file: "a.json").root
    #expect(try root.map().required("question").string() == "😀?")
  }
}
