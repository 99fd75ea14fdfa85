import Testing

@testable import PoseDatasets

@Suite("Named texts")
struct NamedTextTests {
  @Test("Bytes that are UTF-8 are read, a byte-order mark is dropped")
  func readable() throws {
    let text = try NamedText(name: "t", bytes: [0xEF, 0xBB, 0xBF] + Array("größe\r\n".utf8))
    #expect(text.text == "größe\r\n")
  }

  @Test(
    "Bytes that are not UTF-8 are an error with their line",
    arguments: [[0xFF], [0x61, 0xC3], [0xE2, 0x82], [0xC0, 0x80], [0xED, 0xA0, 0x80]] as [[UInt8]])
  func unreadable(bytes: [UInt8]) {
    #expect(throws: PoseSourceError.notText(SourcePlace(file: "t", line: 2))) {
      try NamedText(name: "t", bytes: Array("a\n".utf8) + bytes)
    }
  }
}
