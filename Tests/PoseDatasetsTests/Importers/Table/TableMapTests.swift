import PoseModel
import Testing

@testable import PoseDatasets

@Suite("Maps")
struct TableMapTests {
  @Test(
    "A built-in map reads back as it was, and is known by its contents",
    arguments: TableMap.ready.map(\.name))
  func ready(name: String) throws {
    let map = try #require(TableMap.ready.first { $0.name == name }?.map)
    var expected = map
    let again = try TableMap(yaml: map.yaml, file: "m.yaml")
    expected.coordinates = again.coordinates
    #expect(again == expected)
    #expect(map.readyName == name)
    #expect(map.joints.count >= 12)
  }

  @Test(
    "A mistake is an error with its line",
    arguments: [
      ("table: 2\njoints: {root: r}", 1, "write the map again"),
      ("table: 1\nunit: m\njoints: {root: r}", 2, "did you mean `units`?"),
      ("table: 1\nunits: yards\njoints: {root: r}", 2, "m, cm, mm"),
      ("table: 1\naxes: [x, x, z]\njoints: {root: r}", 2, "different axes"),
      ("table: 1\naxes: [x, up, z]\njoints: {root: r}", 2, "each once"),
      ("table: 1\njoints:\n  leftHand: r", 3, "leftWrist"),
      ("table: 1\njoints:\n  root: \"a[\"", 3, "path of a field"),
      ("table: 1\njoints:\n  root: [x, y]", 3, "3 fields"),
      ("table: 1\njoints: {}", 1, "at least one joint"),
      ("table: 1\nframe: pelvis\njoints: {root: r}", 1, "camera_matrix"),
      ("table: 1\nlayout: rows\njoints: {root: r}", 1, "group"),
      ("table: 1\nrate_hz: 0\njoints: {root: r}", 2, "0.1 to 1000"),
      ("table: 1\nimage_size: big\njoints: {root: r}", 2, "1080x1920"),
      ("table: 1\nlabels: {field: l, classes: {C: plonk}}\njoints: {root: r}", 2, "plonk"),
    ])
  func mistakes(text: String, line: Int, words: String) throws {
    let error = try #require(throws: FieldError.self) { try TableMap(yaml: text, file: "m.yaml") }
    #expect(error.line == line, "\(error)")
    #expect("\(error)".contains(words), "\(error)")
  }
}
