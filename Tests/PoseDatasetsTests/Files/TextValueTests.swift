import PoseModel
import PoseRecording
import TestSupport
import Testing

@testable import PoseDatasets

@Suite("Decimal numbers") struct DecimalOracleTests {
  @Test(
    "Short numbers are those of the standard library to the last bit",
    arguments: Draws.seeds(20 as UInt64))
  func short(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    for _ in 0..<500 {
      let number = random.next()
      let fraction = String("\(random.next())".prefix(Int(number % 17) + 1))
      let text = (number.isMultiple(of: 2) ? "-" : "") + "\(number >> 51).\(fraction)"
      #expect(Double(decimal: text)?.bitPattern == Double(text)?.bitPattern, "\(text)")
    }
  }

  @Test(
    "What is no decimal number is none",
    arguments: ["", "-", ".", "1.2.3", "0x10", "nan", "inf", "1,5", "--1", " 1", "1e"])
  func refused(text: String) { #expect(Double(decimal: text) == nil) }

  @Test("What the fast way leaves out is read all the same")
  func slow() {
    for text in ["007", "5.", ".5", "+1", "1e3", "123456789012345678901", "0.1234567890123456789"] {
      #expect(Double(decimal: text) == Double(text), "\(text)")
    }
    #expect(Double(decimal: "\u{2212}0.5") == -0.5)
    #expect(Double(decimal: "\u{2212}-1") == nil && Double(decimal: "1\u{2212}") == nil)
  }
}

@Suite("Mistakes of JSON in files") struct JSONMistakeTests {
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

@Suite("Named texts") struct NamedTextTests {
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

@Suite("Paths of fields") struct FieldPathTests {
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

@Suite("Lists and points in texts") struct PrintedValueTests {
  private func numbers(_ text: String) -> [Double] {
    PrintedValue.node(text, line: 1)?.flatNumbers ?? []
  }

  @Test(
    "Lists are read as JSON, NumPy, Python and Swift print them",
    arguments: [
      "[0.1, 0.2, -3]", "[ 0.1  0.2\n -3. ]", "(0.1, 0.2, -3)", "SIMD3<Float>(0.1, 0.2, -3.0)",
      "[np.float64(0.1), np.float64(0.2), -3]",
      "array([0.1, 0.2, -3.], dtype=float32)", "[[0.1 0.2]\n [-3]]",
      "simd_float2x2([[0.1, 0.2], [-3.0]])",
    ])
  func lists(text: String) { #expect(numbers(text) == [0.1, 0.2, -3]) }

  @Test("A coordinate without a value keeps its place")
  func gaps() {
    let node = PrintedValue.node("SIMD3<Float>(0.1, nan, 0.3)", line: 1)
    #expect(node?.element(1)?.isEmpty == true && node?.element(2)?.number == 0.3)
  }

  @Test(
    "Points are objects",
    arguments: [
      "{\"x\": 0.1, \"y\": 0.2}", "{'x': 0.1, 'y': 0.2}", "Landmark(x=0.1, y=0.2)",
      "x: 0.1\ny: 0.2\n", "X=0.1 Y=0.2",
    ])
  func points(text: String) {
    let point = PrintedValue.node(text, line: 1)
    let (x, y) = text.hasPrefix("X") ? ("X", "Y") : ("x", "y")
    #expect(point?[x]?.number == 0.1 && point?[y]?.number == 0.2)
  }

  @Test("A dictionary of Swift has the names of joints as keys")
  func dictionary() {
    let key = "JointName(rawValue: VNRecognizedPointKey(rawValue: human_left_hip_3D))"
    let node = PrintedValue.node("[\(key): SIMD3<Float>(1, 2, 3)]", line: 1)
    #expect(node?["human_left_hip_3D"]?.flatNumbers == [1, 2, 3])
    #expect(JointNames([key])[key] == .leftHip)
  }

  @Test(
    "Other texts are only texts",
    arguments: [
      "", "plank", "[left]", "(1)", "plank (2)", "[1, 2", "1, 2]", "[1, 2] x", "x", "x:",
      String(repeating: "[", count: 100_000),
    ])
  func texts(text: String) { #expect(PrintedValue.node(text, line: 1) == nil) }

  @Test(
    "Names have the person in front of them split off",
    arguments: [
      ("inst0.leftHip", "inst0.", "leftHip"), ("person1/left_hip", "person1/", "left_hip"),
      ("skeleton_0_left_hip", "skeleton_0_", "left_hip"), ("Subject:LKnee", "Subject:", "LKnee"),
      ("left_hip", "", "left_hip"), ("left_foot_index", "", "left_foot_index"),
      ("timestamp", "", "timestamp"),
    ])
  func prefixes(label: String, prefix: String, name: String) {
    let parts = JointNames.split(label)
    #expect(parts.prefix == prefix && parts.name == name)
  }
}

@Suite("Times as texts") struct ClockTextTests {
  @Test(
    "Times since a start are read in their spellings",
    arguments: [
      ("7.367", 7.367), ("7,367", 7.367), (" 7.367 ", 7.367), ("7367 ms", 7.367), ("7,367s", 7.367),
      ("-5 ms", -0.005), ("1m 7.5s", 67.5), ("PT1M7.5S", 67.5), ("00:07.367", 7.367),
      ("0:07,367", 7.367), ("00:00:07.367", 7.367), ("00:00:07:367", 7.367), ("1:00:00", 3600),
      ("00:00:07:15", 7.5), ("00:00:07;15", 7.5), ("0 days 00:00:07.5", 7.5),
      ("1 day, 0:00:07.5", 86407.5), ("12:00:01 AM", 1), ("1:00:01 PM", 46801),
    ])
  func elapsed(text: String, seconds: Double) throws {
    let found = try #require(ClockText.seconds(text, rate: 30))
    #expect((found - seconds).magnitude < 1e-9)
  }

  @Test(
    "Dates are read in the spellings of programs",
    arguments: [
      "2026-11-25T10:00:01.125Z", "2026-11-25T10:00:01.125", "2026-11-25 10:00:01.125000",
      "2026-11-25 10:00:01,125", "2026-11-25T11:00:01.125+01:00", "2026-11-25T11:00:01.125+0100",
      "2026-11-25 11:00:01.125+01", "20261125T100001.125Z", "20261125_100001_125",
      "20261125100001125", "2026/11/25 10:00:01.125", "2026-11-25_10-00-01-125",
      "25/11/2026 10:00:01.125", "11/25/2026, 10:00:01.125 AM", "25.11.2026 10:00:01,125",
      "25/Nov/2026:10:00:01.125 +0000", "Nov 25, 2026 10:00:01.125",
      "Wed, 25 Nov 2026 10:00:01.125 GMT", "Wed Nov 25 10:00:01.125 2026",
      "Wed Nov 25 2026 11:00:01.125 GMT+0100 (Central European Standard Time)",
      "2026-11-25 10:00:01.125 +0000", "2026-11-25T10:00:01.125000000Z",
    ])
  func dates(text: String) throws {
    let clock = try #require(ClockText(text, isDate: true))
    #expect(clock.kind == .date)
    let seconds = try #require(clock.seconds())
    #expect((seconds - 1_795_600_801.125).magnitude < 1e-6, "\(seconds)")
  }

  @Test("A date of two readings needs the order")
  func order() {
    let text = "03/04/2026 00:00:00"
    #expect(ClockText.seconds(text) == nil)
    #expect(ClockText.seconds(text, order: .dayFirst) == 1_775_174_400)
    #expect(ClockText.seconds(text, order: .monthFirst) == 1_772_582_400)
    #expect(ClockText.seconds("04/04/2026 00:00:00") == 1_775_260_800)
    #expect(ClockText.seconds("25/11/2026 00:00:00", order: .monthFirst) == nil)
  }

  @Test(
    "What is no time is none",
    arguments: [
      "", " ", ":", "12:", "nan", "frame_12", "5 people", "1.2.3", "192.168.1.10", "1,234,567",
      "1.234,5", "2026-02-30 10:00:00", "2026-11-25", "10:61", "99999999999999999999:10",
    ])
  func none(text: String) { #expect(ClockText(text) == nil) }

  @Test("Frames of a second need a rate above them")
  func timecode() {
    #expect(ClockText.seconds("00:00:07:15") == nil)
    #expect(ClockText.seconds("00:00:07:15", rate: 15) == nil)
    #expect(ClockText.seconds("00:00:07:15", rate: 60) == 7.25)
  }

  @Test(
    "Numbers of a text are counted from its end, without its ending",
    arguments: [
      ("453.jpg", 1, 453.0), ("img-12-000453.png", 1, 453), ("img-12-000453.png", 2, 12),
      ("frame_0453_2d.mp4", 2, 453),
    ])
  func numbers(text: String, fromEnd: Int, number: Double) {
    #expect(NumberedText.number(of: text, fromEnd: fromEnd, withFraction: false) == number)
  }

  @Test("Times without a value lie between their neighbors")
  func filled() {
    #expect([0, .nan, .nan, 3, 4, .nan].filledBetweenNeighbors == [0, 1, 2, 3, 4, 5])
    #expect([.nan, 1, 2].filledBetweenNeighbors == [0, 1, 2])
  }

  @Test("Keys that differ in numbers are in the order of the numbers")
  func keys() {
    #expect(FrameKeys.order(of: ["0", "10", "2"]) == [0, 2, 1])
    #expect(FrameKeys.order(of: ["frame_2", "frame_0", "frame_10"]) == [1, 0, 2])
    let frames = (0..<6).map { "frame_\(5 - $0)" }
    #expect(FrameKeys.frames(among: ["fps"] + frames) == [6, 5, 4, 3, 2, 1])
    #expect(FrameKeys.frames(among: ["a", "b"] + frames.prefix(4)) == nil)
    #expect(FrameKeys.order(of: (0..<6).map { "00:0\($0).5" }) == Array(0..<6))
    #expect(FrameKeys.order(of: ["0:00:01.5", "0:00:01.25", "0:00:01"]) == [2, 1, 0])
    #expect(FrameKeys.order(of: (0..<6).map { "person_\($0)" }) == nil)
    #expect(FrameKeys.order(of: ["t", "joints"]) == nil && FrameKeys.order(of: []) == nil)
  }
}
