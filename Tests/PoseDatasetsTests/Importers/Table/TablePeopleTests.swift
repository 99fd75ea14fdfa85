import PoseModel
import Testing

@testable import PoseDatasets

@Suite("People and clocks of tables") struct TablePeopleTests {
  private static let joints: [(Joint, Double, Double)] = [
    (.leftShoulder, 10, 0), (.rightShoulder, 0, 0), (.leftHip, 10, 50), (.rightHip, 0, 50),
    (.leftAnkle, 10, 100), (.rightAnkle, 0, 100),
  ]

  private static func points(_ x: Double, size: Double = 1) -> String {
    "[" + joints.map { "[\(x + $0.1 * size),\(100 + $0.2 * size)]" }.joined(separator: ",") + "]"
  }

  private static func map(_ rest: String, at list: String) -> String {
    "table: 1\nskeleton: vision2d\nunits: pixels\nimage_size: 1000x1000\n" + rest + "joints:\n"
      + joints.enumerated().map { "  \($1.0.name): \(list)[\($0)]\n" }.joined()
  }

  private func read(
    _ text: String, _ map: String, person: Int? = nil, isEveryone: Bool = false
  ) throws -> [ImportedSequence] {
    let options = TableOptions(
      map: try TableMap(yaml: map, file: "m.yaml"), person: person, isEveryone: isEveryone)
    let file = NamedBytes("anna.json", text)
    return try TableSource(options: options).sequences(from: [file])
  }

  /// Where the right shoulder is, in pixels, rounded; nil without a pose.
  private func places(_ sequence: ImportedSequence) -> [Int?] {
    let recording = sequence.recording
    return (0..<recording.frameCount).map { frame in
      recording.position(of: .rightShoulder, at: frame).map { Int(($0.x * 1000).rounded()) }
    }
  }

  /// Anna, large, moves right from 100.
  ///
  /// Somebody small stands at 700 in two of three frames, now first, now second; the last frame has
  /// nobody.
  private static let frames: [[String]] =
    (0..<12).map { frame in
      let anna = points(100 + Double(frame), size: 2)
      let other = points(700)
      return frame % 3 == 2 ? [anna] : frame % 2 == 0 ? [anna, other] : [other, anna]
    } + [[]]

  private static let expected = (0..<12).map { 100 + $0 } + [nil]

  @Test("The most prominent person is followed, wherever the list has them; others are numbered")
  func lists() throws {
    let text = Self.frames.map { people in
      "{\"people\":[" + people.map { "{\"k\":\($0)}" }.joined(separator: ",") + "]}\n"
    }.joined()
    let map = Self.map("people: people\n", at: "people[0].k")
    let alone = try read(text, map)
    #expect(alone.map(places) == [Self.expected])
    #expect(
      alone[0].notes.contains { $0.contains("2 people seen, more than one in 8 of 13 frames") })
    #expect(
      try read(text, map, person: 2).map(places)[0].compactMap(\.self)
        == Array(repeating: 700, count: 8))
    #expect(try read(text, map, isEveryone: true).map(\.name) == ["anna-1", "anna-2"])
    #expect(throws: PoseSourceError.self) { try read(text, map, person: 3) }
  }

  @Test("Lists beside each other belong to the same people")
  func besides() throws {
    let text = Self.frames.map { people in
      let ids = people.map { $0.hasPrefix("[[7") ? "2" : "1" }.joined(separator: ",")
      return "{\"k\":[\(people.joined(separator: ","))],\"ids\":[\(ids)]}\n"
    }.joined()
    let map = Self.map("people: {list: k, track: \"ids[0]\"}\n", at: "k[0]")
    #expect(try read(text, map).map(places) == [Self.expected])
  }

  @Test("Rows of one image are people, in any order of rows")
  func rows() throws {
    let rows = Self.frames.enumerated().flatMap { frame, people in
      people.map { (frame, "{\"image\":\(frame),\"k\":\($0)}") }
    }
    let sorted = rows.sorted {
      ($0.1.contains("[[7") ? 0 : 1, $0.0) < ($1.1.contains("[[7") ? 0 : 1, $1.0)
    }
    let map = Self.map("layout: rows\ngroup: image\npeople: rows\n", at: "rows[0].k")
    for rows in [rows, sorted] {
      let text = "[" + rows.map(\.1).joined(separator: ",") + "]"
      #expect(try read(text, map).map(places) == [Array(Self.expected.prefix(12))])
    }
  }

  @Test("A map with people is written as it is read")
  func text() throws {
    for people in ["{list: people}", "{list: k, place: p, track: \"k[0].id\"}", "{list: \"\"}"] {
      let map = try TableMap(yaml: Self.map("people: \(people)\n", at: "k[0]"), file: "m.yaml")
      #expect(try TableMap(yaml: map.yaml, file: "m.yaml").people == map.people)
    }
  }

  @Test("A clock that starts again begins another recording; a small step back is refused")
  func restarts() throws {
    func text(_ times: [Double], moving: Bool = false) -> String {
      times.enumerated().map { index, time in
        "{\"t\":\(time),\"k\":\(Self.points(moving ? 100 + Double(index) : 100))}\n"
      }.joined()
    }
    let map = Self.map("time: {field: t, unit: s}\n", at: "k")
    let session = (0..<20).map { Double($0) / 10 }
    let found = try read(text(session + session.prefix(15)), map)
    #expect(found.map(\.name) == ["anna-1", "anna-2"])
    #expect(found.map(\.recording.frameCount) == [20, 15])
    func problem(_ times: [Double]) throws -> String {
      let moving = text(times, moving: true)
      return "\(try #require(throws: PoseSourceError.self) { _ = try read(moving, map) })"
    }
    #expect(try problem([0, 0.1, 0.3, 0.2, 0.4]).contains("two swapped frames"))
    #expect(try problem([0, 0.1, 0.2, 0.2, 0.3]).contains("a repeated frame"))
    let repeated = try #require(try read(text([0, 0.1, 0.2, 0.2, 0.3]), map).first)
    #expect(repeated.recording.times == [0, 0.1, 0.2, 0.3])
    #expect(repeated.notes.contains { $0.hasPrefix("1 frame with the time and the pose of") })
    #expect(try problem(session.map { $0 + 9 } + session).contains("parts were in the wrong order"))
  }

  @Test("Numbers in keys and names are in the order of numbers")
  func order() {
    #expect(FrameKeys.order(of: ["frame_10", "frame_9", "frame_100"]) == [1, 0, 2])
    #expect(FrameKeys.order(of: ["t_0.1", "t_0.033"]) == [1, 0])
    #expect(FrameKeys.order(of: ["2.jpg", "10.jpg"]) == [0, 1])
    #expect(FrameKeys.order(of: ["leftHip", "rightHip"]) == nil)
    #expect(FrameKeys.order(of: []) == nil)
    let names = ["10_pose.json", "2_pose.json", "1_pose.json", "02_pose.json"]
    #expect(
      names.sorted(by: NaturalOrder.isBefore)
        == ["1_pose.json", "02_pose.json", "2_pose.json", "10_pose.json"])
  }

  @Test("Files of a folder are one recording, or one for each beginning of their names")
  func folders() {
    func groups(_ names: [String]) -> [[String]] {
      FrameFiles.recordings(of: names) { $0 }.map(\.files)
    }
    #expect(
      groups(["f/0.json", "f/10.json", "f/9.json"]) == [["f/0.json", "f/9.json", "f/10.json"]])
    #expect(groups(["a_1", "b_0", "a_0", "b_1"]) == [["a_0", "a_1"], ["b_0", "b_1"]])
    #expect(
      groups(["take1_0", "take2_0", "take1_1", "take2_1"])
        == [["take1_0", "take1_1"], ["take2_0", "take2_1"]])
    // Dates: seconds do not count from 0 again and again.
    #expect(groups(["10-20.5", "10-20.9", "10-21.3"]).count == 1)
  }

  @Test("An object of many frames by their numbers is no frame")
  func keyedFrames() throws {
    func role(_ count: Int) throws -> FrameFiles.Role? {
      let frames = (0..<count).map { "\"\($0)\":{\"k\":\(Self.points(Double($0)))}" }
      let text = "{" + frames.joined(separator: ",") + "}"
      let content = try TableContent(NamedBytes("a.json", text))
      return FrameFiles.role(of: content)
    }
    #expect(try role(50) == nil)
    #expect(try role(2)?.isSure == false)
  }

  @Test("A time may stand with the people")
  func timesOfPeople() throws {
    let text = (0..<12).map { frame in
      "{\"p\":[{\"t\":\(Double(frame) / 10),\"k\":\(Self.points(Double(frame)))}]}\n"
    }.joined()
    let map = Self.map("people: p\ntime: {field: \"p[0].t\", unit: s}\n", at: "p[0].k")
    #expect(try read(text, map).first?.recording.times == (0..<12).map { Double($0) / 10 })
  }

  @Test("Images with nobody, one or two people are frames of one recording")
  func images() {
    func file(_ name: String, _ text: String) -> ExaminedFile {
      ExaminedFile(NamedBytes(name, text))
    }
    let one = "{\"k\":\(Self.points(1))}"
    let files = [
      file("f/0.json", "{\"people\":[]}"), file("f/1.json", "{\"people\":[\(one)]}"),
      file("f/2.json", "{\"people\":[\(one),\(one)]}"),
      file("f/3.json", "{\"frames\":[{\"t\":0,\"k\":[]},{\"t\":1,\"k\":[]}]}"),
    ]
    #expect(FrameFiles.groups(files).map(\.count).sorted() == [1, 3])
  }
}
