import Foundation
import PlankDetection
import Testing

@testable import Tuning

/// Values that are read from saved results.
@Suite("Values in saved results")
struct SavedValuesTests {
  private func read<Value: Decodable>(_ text: String, as type: Value.Type) throws -> Value {
    try JSONDecoder().decode(type, from: Data(text.utf8))
  }

  /// Views with one axis and a slice of it by itself.
  private func views(
    values: String = "[1, 2]", objective: String = "[0.5, null]", chosen: String = "0",
    row: String = "0", cells: String = "[[1, 2], [3, null]]"
  ) -> String {
    """
    {"profiles": [{"parameter": "sag", "unit": "m", "values": \(values),
      "objective": \(objective), "chosen": \(chosen)}],
     "slice": {"row_axis": \(row), "column_axis": 0, "objective": \(cells),
      "is_on_plateau": [[true, false], [false, true]]}}
    """
  }

  @Test("Views read back as they were written")
  func views() throws {
    let found = try read(views(), as: ObjectiveViews.self)
    #expect(found.profiles[0].parameter == .sag && found.profiles[0].unit == .meters)
    #expect(found.known == [0.5, 1, 2, 3])
    let text = try JSONEncoder().encode(found)
    #expect(try JSONDecoder().decode(ObjectiveViews.self, from: text) == found)
  }

  @Test("Views that cannot be drawn are refused")
  func refusals() {
    let wrong = [
      views(values: "[1]"), views(values: "[]", objective: "[]"), views(chosen: "2"),
      views(chosen: "-1"), views(row: "1"), views(cells: "[[1, 2]]"),
      views(cells: "[[1, 2], [3]]"), views(values: "[1, 2e9]"),
    ]
    for text in wrong {
      #expect(throws: DecodingError.self, "\(text)") { try read(text, as: ObjectiveViews.self) }
    }
  }

  @Test("A part of a grid is saved as it is typed", arguments: ["1/1", "2/3", "3/3"])
  func shard(text: String) throws {
    let shard = try #require(Shard(text))
    #expect(shard.description == text)
    #expect(try read("[\"\(text)\"]", as: [Shard].self) == [shard])
  }

  @Test("A part that does not exist is none", arguments: ["0/2", "3/2", "1", "a/b", "1/0", ""])
  func noShard(text: String) {
    #expect(Shard(text) == nil)
    #expect(throws: DecodingError.self) { try read("[\"\(text)\"]", as: [Shard].self) }
  }

  @Test(
    "A smoothing is saved as text with every number",
    arguments: ["none", "ema:cutoff=2.0Hz@measurements"])
  func smoothing(text: String) throws {
    let choice = try SmoothingChoice(text: text)
    #expect(try read("[\"\(text)\"]", as: [SmoothingChoice].self) == [choice])
    #expect(throws: DecodingError.self) { try read("[\"fog\"]", as: [SmoothingChoice].self) }
  }
}
