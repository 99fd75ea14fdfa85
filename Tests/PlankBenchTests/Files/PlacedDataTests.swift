import Testing

@testable import PlankBench

/// What a result may replace, by its first and its last bytes.
@Suite("Data in the place of a result")
struct PlacedDataTests {
  private static func kind(_ text: String) -> String? {
    PlacedData.kind(beginning: Array(text.utf8.prefix(4096)), ending: Array(text.utf8.suffix(4096)))
  }

  @Test(
    "Dumps, tables and labels stay",
    arguments: [
      "{\"format\": \"vision3d-dump\", \"version\": 1}\n",
      "{\"format\": \"planklab-poses\", \"version\": 1}\n", "[[0, 1, 2]]", "{\"Frames\": []}",
      "t,plank,form\n0.0,none,\n", "frame,row_id,type\n",
      "0\t1\tnone\n", "start;end;label\n0;1;a\n",
      "label, nose_x, nose_y\n0, 0.5, 0.25\n", "\u{FEFF}t,plank,form\n0,high,\n",
    ])
  func data(text: String) {
    #expect(Self.kind(text) != nil)
  }

  @Test(
    "What is not text stays",
    arguments: [[0x1F, 0x8B, 8, 0], [0x50, 0x4B, 3, 4, 0], [0x93, 0x4E, 0x55]])
  func bytes(_ bytes: [UInt8]) {
    #expect(PlacedData.kind(beginning: bytes, ending: bytes) == "not text, as every result is")
  }

  @Test(
    "Earlier results and prose are replaced",
    arguments: [
      "", "\n", "coach on small\n==============\n\ncoach, on small: the plank\n", "# coach, on x\n",
      "<!doctype html>\n<html>", "<?xml version=\"1.0\"?>\n", "old\n", "::error title=a,b::c\n",
      "// Thresholds, of coach\n\nenum Plank {}\n",
      "{\n  \"command\": \"evaluate\",\n  \"schema_version\": 3\n}\n",
      "{\n  \"runs\": [" + String(repeating: " ", count: 9000) + "],\n  \"schema_version\": 2\n}\n",
      "{\"cell\":0,\"counts\":{}}\n",
      "cell,stream,detector,smoothing,sag\n0,form,gravity,none,0.02\n",
      "[\n  {\n    \"extra\": \"passed\",\n    \"unit\": \"share\"\n  }\n]\n", "[]\n",
    ])
  func results(text: String) {
    #expect(Self.kind(text) == nil)
  }

  @Test("A character that is cut at the end of what is looked at is no reason")
  func cut() {
    let bytes = Array(("# " + String(repeating: "é", count: 3000)).utf8.prefix(4095))
    #expect(PlacedData.kind(beginning: bytes, ending: bytes) == nil)
  }
}
