import PoseRecording
import Testing

@Suite("JSON with lines")
struct JSONParserTests {
  private func read(_ text: String) throws(JSONMistake) -> JSONNode {
    var parser = JSONParser(Array(text.utf8))
    let node = try parser.value()
    try parser.requireEnd()
    return node
  }

  @Test("Every value knows its line")
  func lines() throws {
    let node = try read("{\n\"a\": 1,\n\"b\": [\n2, {\"c\":\nnull}]}")
    #expect(node.line == 1 && node["a"]?.line == 2 && node["b"]?.line == 3)
    guard case .list(let elements)? = node["b"]?.content else {
      Issue.record("no list")
      return
    }
    #expect(elements.map(\.line) == [4, 4] && elements[1]["c"]?.line == 5)
  }

  @Test(
    "What JSON does not allow is refused with its line, what is there and what may be",
    arguments: [
      ("{\"a\":1,}", 1, "}", .key), ("[1\n,2,\n]", 3, "]", .value), ("[01]", 1, "01]", .value),
      ("[1.]", 1, "1.]", .value), ("[.5]", 1, ".5]", .value), ("[+1]", 1, "+1]", .value),
      ("[1e]", 1, "1e]", .value), ("[NaN]", 1, "NaN]", .value), ("[1]\n[2]", 2, "[2]", .end),
      ("{\"a\":1,\n\"a\":2}", 2, "a", .otherKey(than: "a")), ("\"\\q\"", 1, "\"\\q\"", .escapes),
      ("[1e999]", 1, "1e999]", .value), ("", 1, nil, .value), ("{\"a\" 1}", 1, "1}", .colon),
      ("[1 2]", 1, "2]", .comma(orEnd: "]")), ("{\"a\":1", 1, nil, .comma(orEnd: "}")),
      ("[\"a\nb\"]", 1, "", .quote), ("[\"a\\", 1, nil, .quote),
      ("\"\\ud83d\\u0041\"", 1, "\"\\ud83d\\u0041\"", .escapes),
      ("\"\\u+123\"", 1, "\"\\u+123\"", .escapes),
    ] as [(String, Int, String?, JSONMistake.Allowed)])
  func refused(text: String, line: Int, found: String?, allowed: JSONMistake.Allowed) throws {
    let mistake = try #require(throws: JSONMistake.self) { try read(text) }
    #expect(mistake.line == line && mistake.found == found && mistake.allowed == allowed)
  }

  @Test("Escapes are replaced")
  func escapes() throws {
    let node = try read(#""\"\\\/\b\f\n\r\t\u00e9\uD83D\ude00\u0000é""#)
    #expect(node.content == .text("\"\\/\u{8}\u{C}\n\r\té😀\0é"))
  }

  @Test("Where Python wrote NaN, it is a number without a value")
  func notANumber() throws {
    var parser = JSONParser(Array("[NaN, -Infinity]".utf8), allowsNotFinite: true)
    guard case .list(let elements) = try parser.value().content else {
      Issue.record("no list")
      return
    }
    for element in elements {
      guard case .number(let number) = element.content else {
        Issue.record("no number")
        continue
      }
      #expect(number.isNaN)
    }
  }

  @Test("Nesting beyond the limit is refused", arguments: [200, 1024])
  func depth(limit: Int) throws {
    func nested(_ levels: Int) throws(JSONMistake) {
      let text = String(repeating: "[", count: levels) + String(repeating: "]", count: levels)
      var parser = JSONParser(Array(text.utf8), depthLimit: limit)
      _ = try parser.value()
    }
    try nested(limit)
    let mistake = #expect(throws: JSONMistake.self) { try nested(limit + 1) }
    #expect(mistake?.allowed == .levels(limit))
  }

  @Test(
    "Where whole numbers are integers, -0 is 0 and more than 64 bits are refused",
    arguments: [
      ("-0", 0.0.bitPattern), ("-0.0", (-0.0).bitPattern), ("0", 0.0.bitPattern),
      ("18446744073709551615", 18_446_744_073_709_551_615.0.bitPattern),
      ("18446744073709551616", nil), ("1e40", 1e40.bitPattern),
    ] as [(String, UInt64?)])
  func integers(text: String, value: UInt64?) {
    var parser = JSONParser(Array(text.utf8), hasIntegers: true)
    var number: Double?
    if case .number(let read)? = try? parser.value().content { number = read }
    #expect(number?.bitPattern == value)
  }
}
