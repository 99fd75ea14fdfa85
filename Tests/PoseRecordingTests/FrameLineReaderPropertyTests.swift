import PoseModel
import PoseRecording
import TestSupport
import Testing

/// The one pass that reads what recorders write, against the strict parser, which reads every line
/// with an unknown key.
@Suite("Frame lines read in one pass and by the strict parser")
struct FrameLineReaderPropertyTests {
  private static let layout = JointLayout(joints: [.root, .leftHip], dimension: 3)

  static let lines = [
    #"{"t":0.033333,"p":[0,0,0,-0.0365,0.0057,0.1345]}"#, #"{"t":1,"p":null}"#,
    #"{"t":12.5,"p":[null,null,null,1e-3,2E+1,-0.0],"up":[0,1,0]}"#,
    #"{"p":[0.12345678901234567,1.5,3.4e38,-7,8.25,90071992547409930],"t":3}"#,
    #"{"t": 2.0, "p": [1, 2, 3, 4, 5, 6], "c": [0.5, null], "a": ["high", null]}"#,
    #"{"t":4,"p":null,"a":["none","sag"],"height_m":1.82,"height_estimation":"measured"}"#,
    #"{"t":5,"p":null,"c":null,"a":null,"up":null,"camera":null,"height_m":null}"#,
    #"{"t":6,"p":[1,2,3,4,5,6],"camera":[1,0,0,0,0,1,0,0,0,0,1,0,0.1,-0.2,2.5,1]}"#,
    #"{"t":9007199254740993,"p":[4.35,0.1,123456789.123456789,1e22,1e23,2.2250738585072014e-308]}"#,
  ]

  /// What a reader makes of a line: its content, or its mistake.
  private enum Content: Hashable {
    case line(FrameLine, positions: [UInt32]?, confidences: [UInt32]?)
    case mistake(RecordingProblem)
  }

  private func read(_ bytes: [UInt8]) -> Content {
    var reader = FrameLineReader(layout: Self.layout)
    do throws(RecordingProblem) {
      try bytes.withUnsafeBufferPointer { line throws(RecordingProblem) in
        try reader.read(UnsafeRawBufferPointer(line))
      }
      var content = Content.line(reader.line, positions: nil, confidences: nil)
      try reader.withNumbers { pose, confidences throws(RecordingProblem) in
        content = .line(
          reader.line, positions: pose?.map(\.bitPattern),
          confidences: confidences?.map(\.bitPattern))
      }
      return content
    } catch {
      return .mistake(error)
    }
  }

  /// The line with a key that only the strict parser takes.
  private func strictly(_ line: [UInt8]) -> [UInt8]? {
    guard line.first == UInt8(ascii: "{"), line.count > 2 else { return nil }
    return Array(#"{"unknown":[],"#.utf8) + line.dropFirst()
  }

  @Test("A coordinate has the same value with any number of digits, anywhere in the line")
  func coordinates() throws {
    let texts = ["0.", "-0.", "7.", "-3.", "10.", "-12345.", "0", "-9", "x."].flatMap { whole in
      [
        "", "0", "5", "05", "987", "6543", "00001", "123456", "9999999", "12345678", "123456789",
        "1e2",
      ]
      .map { whole + $0 }
    }
    for text in texts {
      for place in 0..<6 {
        let numbers = (0..<6).map { $0 == place ? text : "1" }
        for end in ["}", ",\"up\":[0,1,0],\"height_m\":1.75}"] {
          let line = Array("{\"t\":1,\"p\":[\(numbers.joined(separator: ","))]\(end)".utf8)
          #expect(read(line) == read(try #require(strictly(line))), "\(text)")
        }
      }
    }
  }

  @Test("Lines of recorders give the same content", arguments: lines)
  func written(line: String) throws {
    let bytes = Array(line.utf8)
    let content = read(bytes)
    #expect(content == read(try #require(strictly(bytes))))
    if case .mistake(let problem) = content { Issue.record("\(problem)") }
  }

  @Test("Changed lines give the same content or the same mistake", arguments: lines)
  func changed(line: String) throws {
    var random = SplitMix64(seed: 48)
    let letters = Array("0123456789.-+eE,:[]{}\"\\ntup acn\t\u{00E9}".utf8)
    var (contents, mistakes) = (0, 0)
    for _ in Draws.seeds(4000) {
      var bytes = Array(line.utf8)
      for _ in 0...random.index(below: 2) {
        let place = 1 + random.index(below: bytes.count - 1)
        switch random.index(below: 4) {
        case 0: bytes.remove(at: place)
        case 1: bytes.insert(letters[random.index(below: letters.count)], at: place)
        case 2: bytes.removeSubrange(place...)
        default: bytes[place] = letters[random.index(below: letters.count)]
        }
        if bytes.count < 3 { break }
      }
      guard let strict = strictly(bytes) else { continue }
      let content = read(bytes)
      #expect(content == read(strict), "\(String(decoding: bytes, as: UTF8.self))")
      if case .mistake = content { mistakes += 1 } else { contents += 1 }
    }
    #expect(contents > 4 && mistakes > 200, "\(contents), \(mistakes)")
  }

  @Test("Decimal numbers are the nearest that there are")
  func numbers() {
    var random = SplitMix64(seed: 7)
    for _ in Draws.seeds(20_000) {
      let value = random.uniform(-1000, 1000)
      let scale = [1.0, 10, 1e3, 1e6, 1e9, 1e12][random.index(below: 6)]
      let text = "\((value * scale).rounded() / scale)"
      guard case .line(let line, _, _) = read(Array("{\"t\":\(text),\"p\":null}".utf8)) else {
        Issue.record("\(text) is not read")
        continue
      }
      #expect(line.time == Double(text), "\(text)")
    }
  }
}

@Suite("JSON with lines") struct JSONParserTests {
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
