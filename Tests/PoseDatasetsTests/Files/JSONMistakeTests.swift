import PoseDatasets
import PoseRecording
import Testing

@Suite("Mistakes of JSON in files")
struct JSONMistakeTests {
  @Test(
    "A mistake is told with its place, what is there and what may be",
    arguments: [
      ("{\"a\":1,\n}", "f:2: the JSON cannot be read: found `}`; allowed: a key in double quotes"),
      ("[1", "f:1: the JSON cannot be read: found the end; allowed: a comma or `]`"),
      (
        "[\"a\nb\"]",
        "f:1: the JSON cannot be read: found nothing; allowed: text that ends with a double quote "
          + "on the same line"
      ),
      (
        "[\"a\\q\"]",
        "f:1: the JSON cannot be read: found `\"a\\q\"]`; allowed: text with valid JSON escapes"
      ),
    ])
  func words(text: String, words: String) throws {
    let error = try #require(throws: FieldError.self) { try JSONNode(text, file: "f") }
    #expect("\(error)" == words + "; correct it there, or write the file again")
  }

  @Test("A repeated key is told with the line of its second value")
  func repeated() throws {
    let error = try #require(throws: FieldError.self) {
      try JSONNode("{\"a\":1,\n\"a\":2}", file: "f")
    }
    #expect(
      "\(error)" == "f:2: found `a` more than once in one object; allowed: each key once; "
        + "remove or rename the repeated key")
  }
}
