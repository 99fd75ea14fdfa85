import Testing

@testable import PlankBench

@Suite("Comma-separated values")
struct CSVTextTests {
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
  func plain() {
    #expect(CSVText.fields(of: "t,,plank,") == ["t", "", "plank", ""])
  }

  @Test("A name from a file stays on one line")
  func names() {
    #expect(CSVText.name("a\nb,c") == "\"a\\u{A}b,c\"")
  }
}
