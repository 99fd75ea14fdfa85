import PoseRecording
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
