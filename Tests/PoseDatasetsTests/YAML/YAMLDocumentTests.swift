import PoseDatasets
import Testing

@Suite("YAML documents") struct YAMLDocumentTests {
  private func root(_ text: String) throws -> YAMLNode {
    try YAMLDocument(text: text, file: "x.yaml").root
  }

  @Test("Values come with their lines and their ways from the root")
  func tree() throws {
    let map = try root("# comment\na: 1\nb:\n  - x\n  - c: y\n").map()
    #expect(map.entries.map(\.key) == ["a", "b"])
    #expect(map.entries.map(\.line) == [2, 3])
    let list = try map.required("b").list()
    #expect(list.map(\.line) == [4, 5])
    let leaf = try list[1].map().required("c")
    #expect(try leaf.string() == "y")
    #expect(leaf.field == "b[1].c" && leaf.file == "x.yaml")
  }

  @Test(
    "Plain scalars are numbers",
    arguments: [("1", 1.0), ("-0.5", -0.5), ("1e3", 1000), ("+2.", 2), (".5", 0.5)])
  func numbers(text: String, value: Double) throws {
    #expect(try root("a: \(text)").map().required("a").double() == value)
  }

  @Test(
    "A text that is not a number is refused",
    arguments: ["x", "\"1\"", "0x10", ".nan", ".inf", "1e999", "[1]", "3cm", "1_000"])
  func notNumbers(text: String) throws {
    let node = try root("a: \(text)").map().required("a")
    let error = #expect(throws: FieldError.self) { try node.double() }
    #expect(
      error?.line == 1 && error?.field == "a"
        && error?.message.hasSuffix("; allowed: a number") == true)
  }

  @Test("Whole numbers may be written with a fraction of zero")
  func integers() throws {
    let map = try root("a: 30\nb: 30.0\nc: 30.5\nd: -4\ne: 1e400\n").map()
    #expect(try map.required("a").integer() == 30)
    #expect(try map.required("b").integer() == 30)
    #expect(try map.required("d").integer() == -4)
    #expect(throws: FieldError.self) { try map.required("c").integer() }
    #expect(throws: FieldError.self) { try map.required("e").integer() }
  }

  @Test("Truth values are true and false alone")
  func truthValues() throws {
    let map = try root("a: true\nb: False\nc: yes\nd: \"true\"\n").map()
    #expect(try map.required("a").bool())
    #expect(try map.required("b").bool() == false)
    #expect(throws: FieldError.self) { try map.required("c").bool() }
    #expect(throws: FieldError.self) { try map.required("d").bool() }
  }

  @Test("Null counts as absent, unless it is in quotes")
  func nulls() throws {
    let map = try root("a:\nb: ~\nc: null\nd: \"null\"\n").map()
    #expect(map.optional("a") == nil && map.optional("b") == nil && map.optional("c") == nil)
    #expect(try map.optional("d")?.string() == "null")
    let error = #expect(throws: FieldError.self) { try map.required("c") }
    #expect(error?.line == 3)
  }

  @Test("Unknown keys are refused with the list of known ones")
  func unknownKeys() throws {
    let map = try root("a: 1\nbb: 2\n").map()
    let error = #expect(throws: FieldError.self) { try map.rejectUnknownKeys(known: ["a", "b"]) }
    #expect(error?.line == 2 && error?.message == "found the key `bb`; allowed: a, b")
    #expect(error?.remedy == "did you mean `b`? correct or remove the key")
  }

  @Test(
    "Texts that are not YAML or repeat a key are reported with the line",
    arguments: [
      ("a: 1\nb: [\n", 3), ("a: 1\n\tb: 2\n", 2), ("a: 1\na: 2\n", 1), ("x: {b: 1, b: 2}\n", 1),
      ("a: *none\n", 1), ("a: 1\n--- \nb: 2\n", 2), ("? [a]\n: 1\n", 1), ("a: \"\u{1}\"\n", 1),
    ])
  func bad(text: String, line: Int) {
    let error = #expect(throws: FieldError.self) { try root(text) }
    #expect(error?.line == line, "\(error.map(\.description) ?? "nothing")")
    #expect(error?.description.hasPrefix("x.yaml:\(line): ") == true)
  }

  @Test("An empty text is null; a byte-order mark and carriage returns are read")
  func oddTexts() throws {
    #expect(try root("").isNull)
    #expect(try root("# nothing\n").isNull)
    #expect(try root("\u{FEFF}a: 1\r\nb: 2\r\n").map().required("b").integer() == 2)
  }

  @Test(
    "Anchors and aliases are refused with the line and a remedy",
    arguments: [
      ("a: 1\nb: &x {c: 1}\nd: *x\n", 2), ("a: 1\nb: &x 1\n", 2), ("a: 1\nb: *x\n", 2),
      ("a: &x [*x]\n", 1), ("r: R&D\nk: *x\n", 2), ("a: 1\n&x b: 1\n*x : 2\n", 2),
    ])
  func anchors(text: String, line: Int) {
    let error = #expect(throws: FieldError.self) { try root(text) }
    #expect(error?.line == line, "\(error.map(\.description) ?? "nothing")")
    #expect(error?.remedy.hasPrefix("repeat the value") == true)
  }

  @Test(
    "A bomb of aliases is refused before it goes off", .timeLimit(.minutes(1)),
    arguments: [
      "v: *a24\n", "? *a24\n: 1\n", "*a24 : 1\n", "k: {*a24 : 1}\n", "k: [{? [*a24] : 1}]\n",
      "k: \u{E000}\n*a24 : 1\n",
    ])
  func bomb(end: String) {
    var text = "a0: &a0 [x]\n"
    for level in 1...24 { text += "a\(level): &a\(level) [*a\(level - 1), *a\(level - 1)]\n" }
    let bomb = text + end
    let error = #expect(throws: FieldError.self) { try root(bomb) }
    #expect(error?.line == 1 && error?.message.contains("`&a0`") == true)
  }

  @Test(
    "Keys that are lists or maps are refused before they are compared", .timeLimit(.minutes(1)),
    arguments: ["? [a, b]\n: 1\n", "{[a]: 1}\n", "a:\n  - {b: 1}: 2\n", "? ? a\n: 1\n"])
  func compoundKeys(text: String) {
    let error = #expect(throws: FieldError.self) { try root(text) }
    #expect(error?.message.contains("a key that is a list or a map") == true, "\(text)")
  }

  @Test("Maps as keys that would take hours to sort are refused at once", .timeLimit(.minutes(1)))
  func sortedKeys() {
    // Sorting such keys for a message on repeated ones would take twice the time per level.
    let deep = (0..<60).reduce("z") { inner, _ in "{? \(inner) : 1}" }
    let keys = ["x", "x", "y", "y"].map { "? {? \(deep) : \($0)} : 1" }
    let error = #expect(throws: FieldError.self) {
      try root("a: 1\nb: {\(keys.joined(separator: ", "))}\n")
    }
    #expect(error?.line == 2)
    #expect(error?.message.contains("a key that is a list or a map") == true)
  }

  @Test("More than 200 lists in one another are refused")
  func depth() throws {
    func nested(_ levels: Int) -> String {
      String(repeating: "[", count: levels) + String(repeating: "]", count: levels)
    }
    #expect(try root(nested(200)).list().count == 1)
    let error = #expect(throws: FieldError.self) { try root(nested(201)) }
    #expect(
      error?.message.contains("found lists and maps nested more than 200 levels deep; allowed: ")
        == true)
  }

  @Test("Asterisks and ampersands within texts stay as they are")
  func asterisks() throws {
    let text =
      "a: \"*x\"\nb: '* y'\nc: 2*3 *z\nd: |\n  *block*\n# *comment\n\"*k\": \u{E000}\ne: R&D\n"
    let map = try root(text).map()
    #expect(try map.required("a").string() == "*x")
    #expect(try map.required("b").string() == "* y")
    #expect(try map.required("c").string() == "2*3 *z")
    #expect(try map.required("d").string() == "*block*\n")
    #expect(try map.required("*k").string() == "\u{E000}")
    #expect(try map.required("e").string() == "R&D")
  }

  @Test("Bytes that are not UTF-8 name their line")
  func bytes() {
    let bytes = Array("a: 1\nb: ".utf8) + [0xE9] + Array("\n".utf8)
    let error = #expect(throws: FieldError.self) { try YAMLDocument(bytes: bytes, file: "x.yaml") }
    #expect(error?.line == 2)
  }
}
