import PoseModel
import PoseRecording
import Testing

@testable import PoseDatasets

/// The 17 points of COCO in pixels with a score, in frames of somebody who moves a little.
enum ImagePoints {
  static let names = [
    "nose", "left_eye", "right_eye", "left_ear", "right_ear", "left_shoulder", "right_shoulder",
    "left_elbow", "right_elbow", "left_wrist", "right_wrist", "left_hip", "right_hip", "left_knee",
    "right_knee", "left_ankle", "right_ankle",
  ]
  private static let standing: [(x: Double, y: Double)] = [
    (540, 300), (550, 290), (530, 290), (560, 295), (520, 295), (590, 400), (490, 400), (600, 520),
    (480, 520), (605, 630), (475, 630), (570, 680), (510, 680), (572, 880), (508, 880), (574, 1080),
    (506, 1080),
  ]

  static let frames: [[[Double]]] = (0..<40).map { frame in
    standing.enumerated().map { index, point in
      [
        point.x + Double(frame), point.y + Double(frame % 5),
        0.5 + Double((frame + index) % 9) / 20,
      ]
    }
  }

  static func rows(_ separator: String = ",", _ number: (Double) -> String = { "\($0)" })
    -> [String]
  {
    frames.map { $0.flatMap { $0 }.map(number).joined(separator: separator) }
  }
}

@Suite("Shapes of tables that doctor reads") struct TableShapeTests {
  private func diagnose(_ text: String) -> PoseDiagnosis { diagnose(Array(text.utf8)) }

  private func diagnose(_ bytes: [UInt8]) -> PoseDiagnosis {
    PoseDoctor.diagnose(NamedBytes(name: "t.csv", bytes: bytes), imageSize: .portrait)
  }

  /// The left wrist of the sixth frame as the found map reads it, in pixels.
  private func wrist(_ text: String, _ diagnosis: PoseDiagnosis) throws -> [Double] {
    let map = try #require(diagnosis.map, "\(diagnosis.problems)")
    let recording = try map.recording(in: text)
    let point = try #require(recording.position(of: .leftWrist, at: 5))
    let isShare = map.skeleton == .vision2d
    return isShare ? [point.x * 1080, (1 - point.y) * 1920] : [point.x, point.y]
  }

  private func expectWrist(_ text: String, _ comment: Comment? = nil) throws {
    let diagnosis = diagnose(text)
    #expect(diagnosis.frames == 40 && diagnosis.isImportable, comment)
    let found = try wrist(text, diagnosis)
    let right = ImagePoints.frames[5][9]
    #expect(zip(found, right).allSatisfy { abs($0 - $1) < 0.01 }, comment)
  }

  private static let header = ImagePoints.names.flatMap { ["\($0)_x", "\($0)_y", "\($0)_v"] }

  @Test("A first row of numbers is a frame, with texts around it or not")
  func noHeader() throws {
    let plain = ImagePoints.rows().joined(separator: "\n")
    try expectWrist(plain)
    let named = ImagePoints.rows().enumerated().map { "image_\($0).png,\($1),plank" }
    try expectWrist(named.joined(separator: "\n"))
    let found = diagnose(named.joined(separator: "\n")).conclusions.map(\.finding)
    #expect(found.contains { $0.contains("the first row is not a header") })
  }

  @Test(
    "A header may count columns, or repeat x and y",
    arguments: [
      (0..<51).map { "\($0)" }, (1...51).map { "V\($0)" },
      Array(repeating: ["x", "y", "score"], count: 17).flatMap { $0 },
    ] as [[String]])
  func places(header: [String]) throws {
    let rows = ImagePoints.rows().map { $0 + ",plank" }
    try expectWrist(([header.joined(separator: ",") + ",label"] + rows).joined(separator: "\n"))
  }

  @Test(
    "Points may be numbered in the names of columns, from 0 or from 1",
    arguments: ["x1,y1,v1", "x0,y0,c0", "kpt_1_x,kpt_1_y,kpt_1_conf", "1_x,1_y,1_p"])
  func numbered(first: String) throws {
    let base = first.contains("0") ? 0 : 1
    let header = (0..<17).map { first.replacing("\(base)", with: "\($0 + base)") }.joined(
      separator: ",")
    let rows = ImagePoints.rows().map { "a," + $0 }
    try expectWrist((["class," + header] + rows).joined(separator: "\n"))
  }

  @Test("Numbers after a joint are its coordinates, from 0 or from 1", arguments: [0, 1])
  func counted(base: Int) throws {
    let header = ImagePoints.names.flatMap { ["\($0)_\(base)", "\($0)_\(base + 1)"] }
    let rows = ImagePoints.frames.map { points in
      points.map { "\($0[0]),\($0[1])" }.joined(separator: ",")
    }
    try expectWrist(([header.joined(separator: ",")] + rows).joined(separator: "\n"))
  }

  @Test("A dictionary that Swift encodes as a list is read by its keys")
  func dictionary() throws {
    let lines = ImagePoints.frames.enumerated().map { frame, points in
      let pairs = zip(ImagePoints.names, points).map { "\"\($0)\",[\($1[0]),\($1[1])]" }
      return
        "{\"k\":[\((pairs[(frame % 17)...] + pairs.prefix(frame % 17)).joined(separator: ","))]}"
    }
    try expectWrist(lines.joined(separator: "\n"))
  }

  @Test("Three rows of a header, four with one person, and pandas' row for the index are read")
  func levels() throws {
    let names = ImagePoints.names.flatMap { [$0, $0, $0] }
    let coordinates = ImagePoints.names.flatMap { _ in ["x", "y", "likelihood"] }
    let rows = ImagePoints.rows().enumerated().map { "\($0),\($1)" }
    func line(_ name: String, _ cells: [String]) -> String {
      ([name] + cells).joined(separator: ",")
    }
    let scorer = line("scorer", names.map { _ in "net" })
    let three = [scorer, line("bodyparts", names), line("coords", coordinates)]
    try expectWrist((three + rows).joined(separator: "\n"), "three")
    let people = line("individuals", names.map { _ in "anna" })
    try expectWrist(([scorer, people] + three.dropFirst() + rows).joined(separator: "\n"), "four")
    let index = line("frame", names.map { _ in "" })
    try expectWrist((three.dropFirst() + [index] + rows).joined(separator: "\n"), "index")
  }

  @Test("People of a header become columns of their own, and doctor says so")
  func people() throws {
    let names = ImagePoints.names.flatMap { [$0, $0, $0] }
    let coordinates = ImagePoints.names.flatMap { _ in ["x", "y", "likelihood"] }
    let top = [
      ["individuals"] + names.map { _ in "anna" } + names.map { _ in "bert" },
      ["bodyparts"] + names + names, ["coords"] + coordinates + coordinates,
    ].map { $0.joined(separator: ",") }
    let rows = ImagePoints.rows().enumerated().map { "\($0),\($1),\($1)" }
    let text = (top + rows).joined(separator: "\n")
    try expectWrist(text)
    let found = diagnose(text).conclusions.map(\.finding)
    #expect(found.contains { $0.contains("2 people: `anna`, `bert`") })
  }

  @Test("A declared separator, blank lines, quotes and decimal commas are read")
  func separators() throws {
    let rows = ImagePoints.rows(";") { "\($0)".replacing(".", with: ",") }
    let quoted = Self.header.map { "\" \($0) \"" }.joined(separator: ";")
    try expectWrist((["sep=;", quoted] + rows).joined(separator: "\n\n"), "semicolons")
    try expectWrist(rows.joined(separator: "\n"), "without a header")
    let blanks = ImagePoints.rows("   ")
    try expectWrist(
      (["# " + Self.header.joined(separator: " ")] + blanks).joined(separator: "\n"), "blanks")
  }

  @Test(
    "A text that stands for a missing number is none",
    arguments: ["-nan(ind)", "#DIV/0!", "<NA>", "\\N", "undefined", "(null)"])
  func missing(text: String) {
    var rows = ImagePoints.rows()
    rows[3] = ([text, text, text] + rows[3].split(separator: ",").dropFirst(3).map(String.init))
      .joined(separator: ",")
    #expect(
      diagnose(([Self.header.joined(separator: ",")] + rows).joined(separator: "\n")).isImportable)
  }

  @Test("The box and its score may follow the points, as in MoveNet")
  func boxLast() throws {
    try expectWrist(ImagePoints.rows().map { $0 + ",0.1,0.2,0.7,0.6,0.9" }.joined(separator: "\n"))
  }

  private func table(_ change: ([Double], [[Double]]) -> [Double]) -> String {
    let rows = ImagePoints.frames.map { points in
      points.flatMap { change($0, points) + [$0[2]] }.map { "\($0)" }.joined(separator: ",")
    }
    return ([Self.header.joined(separator: ",")] + rows).joined(separator: "\n")
  }

  @Test("Points around the hips and shares of the body's own box are refused")
  func moved() {
    let centered = table { point, all in
      [0, 1].map { point[$0] - (all[11][$0] + all[12][$0]) / 2 }
    }
    #expect(diagnose(centered).blocked.contains("the hips are at 0, 0"))
    let cropped = table { point, all in
      [0, 1].map { axis in
        let values = all.map { $0[axis] }
        let (low, high) = ((values.min() ?? 0) - 20, (values.max() ?? 0) + 20)
        return (point[axis] - low) / (high - low)
      }
    }
    #expect(diagnose(cropped).blocked.contains("the person's own box"))
  }

  @Test("Pixels outside of the images may be row and column")
  func rowFirst() {
    let found = diagnose(table { point, _ in [1.5 * point[1], 1.5 * point[0]] }).problems
    #expect(found.contains { $0.remedy.contains("if y comes before x, write `axes: [y, -x]`") })
  }

  @Test("A rotation of the images is said")
  func rotation() {
    let frames = ImagePoints.frames.map { points in
      "{\(zip(ImagePoints.names, points).map { "\"\($0)\":\($1)" }.joined(separator: ","))}"
    }
    let text = "{\"video\":{\"rotation\":90},\"frames\":[\(frames.joined(separator: ","))]}"
    let rotation = diagnose(text).found("rotation")
    #expect(rotation?.certainty == .unsure && rotation?.alternatives.count == 2)
  }

  @Test("Cells with other separators do not hide a header below other text")
  func preamble() {
    let rows = (0..<20).map { "\($0)" + String(repeating: "\t0.1,0.2,0.3", count: 12) }
    let header = "time" + String(repeating: "\tLElbow", count: 12)
    let text = (["DataRate=60", "version=3", "endheader", header] + rows).joined(separator: "\n")
    #expect(diagnose(text).blocked.contains("tail -n +4"))
  }

  @Test("Lines above a table may be filled up with empty cells")
  func filledPreamble() {
    let header = "Zeit;" + SwayingLimbs.header.joined(separator: ";")
    let rows = (0..<20).map { index in
      ([Double(index)] + SwayingLimbs.numbers(index)).map { "\($0)".replacing(".", with: ",") }
        .joined(separator: ";")
    }
    for width in [2, 35] {
      let empty = String(repeating: ";", count: width)
      let titles = ["Athlete;Anna\(empty)", "Date;5.3.\(empty)", ";\(empty)", header]
      let text = (titles + rows).joined(separator: "\n")
      #expect(diagnose(text).blocked.contains("tail -n +4"))
      let other = text.replacing(",", with: ".").replacing(";", with: ",")
      #expect(diagnose(other).blocked.contains("tail -n +4"))
    }
  }

  @Test("The header's unit stands if no body shows its size")
  func unit() {
    let names = ImagePoints.names[5..<13].joined(separator: "\t\t\t")
    let axes = (1...8).map { "X\($0)\tY\($0)\tZ\($0)" }.joined(separator: "\t")
    let rows = ImagePoints.frames.enumerated().map { frame, points in
      "\(frame + 1)\t\(Double(frame) / 10)\t"
        + points[5..<13].map { "\($0[0])\t\(-$0[1])\t\($0[0] / 7)" }.joined(separator: "\t")
    }
    let top = [
      "PathFileType\t4\t(X/Y/Z)\tt.trc", "DataRate\tCameraRate\tNumFrames\tNumMarkers\tUnits",
      "10\t10\t40\t8\tmm", "Frame#\tTime\t\(names)\t\t", "\t\t\(axes)", "",
    ]
    let diagnosis = diagnose((top + rows).joined(separator: "\n"))
    #expect(diagnosis.map?.units == .mm)
    #expect(!diagnosis.problems.contains { $0.found.contains("the header says") })
  }

  @Test("A row of another length is refused with its line")
  func ragged() {
    var rows = ImagePoints.rows()
    rows[7] += ",1"
    let text = ([Self.header.joined(separator: ",")] + rows).joined(separator: "\n")
    let problem = diagnose(text).problems.first?.found
    #expect(problem?.contains("t.csv:9: 52 fields, but the header has 51") ?? false)
  }

  @Test("A header whose integers grow is a header")
  func integers() {
    let header = "time," + (11..<25).map { "\($0)" }.joined(separator: ",")
    let row = (0..<15).map { "\($0).5" }.joined(separator: ",")
    let text = Array(repeating: row, count: 20).joined(separator: "\n")
    #expect(diagnose(header + "\n" + text).frames == 20)
  }

  @Test("Long tables are known by the values of a column, whatever it is called")
  func long() throws {
    let named = ImagePoints.frames.enumerated().flatMap { frame, points in
      zip(ImagePoints.names, points).map { "\(frame),\($0),\($1[0]),\($1[1]),\($1[2])" }
    }
    try expectWrist((["frame,node,x,y,score"] + named).joined(separator: "\n"))
    let counted = ImagePoints.frames.enumerated().flatMap { frame, points in
      points.enumerated().map { "\(frame),\($0),\($1[0]),\($1[1]),\($1[2])" }
    }
    try expectWrist((["frame,which,x,y,score"] + counted).joined(separator: "\n"))
  }

  @Test("All x before all y are points, with keys, in lists and flat")
  func blocks() throws {
    func list(_ axis: Int, _ points: [[Double]]) -> String {
      points.map { "\($0[axis])" }.joined(separator: ",")
    }
    let keyed = ImagePoints.frames.map {
      #"{"k":{"x":[\#(list(0, $0))],"y":[\#(list(1, $0))],"visible":[\#(list(2, $0))]}}"#
    }
    try expectWrist("[" + keyed.joined(separator: ",") + "]", "keys")
    let lists = ImagePoints.frames.map { points in
      "{\"k\":[" + (0..<3).map { "[\(list($0, points))]" }.joined(separator: ",") + "]}"
    }
    try expectWrist(lists.joined(separator: "\n"), "lists")
    let flat = ImagePoints.frames.map { points in
      "{\"k\":[" + (0..<3).map { list($0, points) }.joined(separator: ",") + "]}"
    }
    try expectWrist(flat.joined(separator: "\n"), "flat")
  }

  @Test("A column called z is depth, be it noise in front of a camera")
  func noisyDepth() {
    let header = ImagePoints.names.flatMap { ["\($0)_x", "\($0)_y", "\($0)_z"] }
    let rows = ImagePoints.frames.enumerated().map { frame, points in
      points.enumerated().map { index, point in
        "\(point[0] / 500),\(-point[1] / 500),\(2 + Double((7 * frame + 3 * index) % 5) / 20)"
      }.joined(separator: ",")
    }
    let text = ([header.joined(separator: ",")] + rows).joined(separator: "\n")
    #expect(diagnose(text).map?.skeleton == .vision3d)
  }

  @Test("A column with a number beyond all points is none")
  func farPoint() throws {
    let far = "kp_9223372036854775807"
    let rows = ImagePoints.rows().map { "\($0),1,2" }
    let text = (Self.header + ["\(far)_x", "\(far)_y"]).joined(separator: ",") + "\n"
    try expectWrist(text + rows.joined(separator: "\n"))
  }

  @Test("Tables as pandas writes them in JSON are read", arguments: ["columns", "split", "values"])
  func pandas(orient: String) throws {
    let rows = ImagePoints.frames.map { $0.flatMap { $0 } }
    let lists = "[" + rows.map { "\($0)" }.joined(separator: ",") + "]"
    let text =
      switch orient {
      case "columns":
        "{"
          + Self.header.enumerated().map { column, name in
            let cells = rows.indices.map { "\"\($0)\":\(rows[$0][column])" }
            return "\"\(name)\":{\(cells.joined(separator: ","))}"
          }.joined(separator: ",") + "}"
      case "split":
        "{\"columns\":\(Self.header),\"index\":\(Array(rows.indices)),\"data\":\(lists)}"
      default: lists
      }
    try expectWrist(text)
  }

  @Test("Images of COCO without annotations are frames without a pose")
  func annotations() {
    let images = (0..<40).map { #"{"id":\#($0 + 7),"file_name":"\#($0).jpg"}"# }
    let people = ImagePoints.frames.enumerated().dropFirst(5).map { frame, points in
      #"{"image_id":\#(frame + 7),"keypoints":\#(points.flatMap { $0 })}"#
    }
    let text =
      "{\"images\":[\(images.joined(separator: ","))],\"annotations\":["
      + people.joined(separator: ",") + "]}"
    let diagnosis = diagnose(text)
    #expect(diagnosis.frames == 40)
    #expect(diagnosis.map?.joints[.leftWrist] != nil)
  }

  @Test("Gzip is read under any name, and named where it is cut off")
  func gzip() throws {
    let packed = NumpyFile.gzip(ImagePoints.rows().joined(separator: "\n") + "\n")
    #expect(diagnose(packed).frames == 40)
    #expect(diagnose(packed + packed).frames == 80)
    let cut = diagnose(Array(packed.prefix(packed.count / 2)))
    #expect(cut.problems.first?.found.contains("ends early") ?? false)
  }

  @Test("Markers of a TRC file are joints, and a header of another size is warned of")
  func markers() throws {
    let names = ImagePoints.names.joined(separator: "\t\t\t")
    let axes = (1...17).map { "X\($0)\tY\($0)\tZ\($0)" }.joined(separator: "\t")
    let rows = ImagePoints.frames.enumerated().map { frame, points in
      "\(frame + 1)\t\(Double(frame) / 10)\t"
        + points.map { "\($0[0])\t\($0[1])\t0.0" }.joined(separator: "\t")
    }
    let top = [
      "PathFileType\t4\t(X/Y/Z)\tt.trc", "DataRate\tCameraRate\tNumFrames\tNumMarkers\tUnits",
      "10\t10\t40\t17\tm", "Frame#\tTime\t\(names)\t\t", "\t\t\(axes)", "",
    ]
    let text = (top + rows).joined(separator: "\n")
    try expectWrist(text)
    #expect(diagnose(text).problems.contains { $0.found.contains("the header says `m`") })
  }
}

@Suite("Tables that are one frame each") struct FrameTableTests {
  /// A line as YOLO writes it: class, box, points, and the number of the track.
  private static func line(_ frame: [[Double]], scale: Double, track: Int?) -> String {
    let points = frame.flatMap { [$0[0] * scale / 1080, $0[1] * scale / 1920, $0[2]] }
    let (x, y) = (frame.map { $0[0] * scale }, frame.map { $0[1] * scale })
    let (left, right) = (x.min() ?? 0, x.max() ?? 0)
    let (top, bottom) = (y.min() ?? 0, y.max() ?? 0)
    let box =
      [(left + right) / 2160, (top + bottom) / 3840, (right - left) / 1080]
      + [(bottom - top) / 1920]
    return "0 " + (box + points).map { "\($0)" }.joined(separator: " ")
      + (track.map { " \($0)" } ?? "")
  }

  private func diagnosis(_ files: [NamedBytes]) throws -> PoseDiagnosis {
    let groups = FrameFiles.groups(files.map { ExaminedFile($0) })
    #expect(groups.count == 1)
    return PoseDoctor.diagnose(groups[0], called: "labels", imageSize: .portrait)
  }

  private func recording(_ files: [NamedBytes], rate: Double) throws -> Recording {
    var map = try #require(try diagnosis(files).map)
    map.time.rate = rate
    let sequences = try TableSource(options: TableOptions(map: map)).sequences(from: files)
    #expect(sequences.count == 1)
    return try #require(sequences.first?.recording)
  }

  @Test("Numbers in names are frame numbers, an empty file is a frame without a pose")
  func numbers() throws {
    let files = ImagePoints.frames.enumerated().compactMap { index, frame -> NamedBytes? in
      guard index != 7 else { return nil }
      let text = index == 12 ? "" : Self.line(frame, scale: 1, track: nil) + "\n"
      return NamedBytes("labels/clip_\(index).txt", text)
    }
    let recording = try recording(files.reversed(), rate: 20)
    #expect(recording.frameCount == 39)
    #expect(!recording.hasPose(at: 11) && recording.hasPose(at: 10))
    #expect(abs(recording.times[7] - 0.4) < 1e-6 && abs(recording.times[38] - 1.95) < 1e-6)
  }

  @Test("Rows of a frame are people, told apart by the number of their track")
  func tracks() throws {
    let files = ImagePoints.frames.enumerated().map { index, frame in
      let people = [Self.line(frame, scale: 0.2, track: 8), Self.line(frame, scale: 1, track: 5)]
      let lines = index % 3 == 0 ? people : people.reversed()
      return NamedBytes("labels/vid_\(index).txt", lines.joined(separator: "\n"))
    }
    let map = try #require(try diagnosis(files).map)
    #expect(map.people?.track?.text == "rows[0][56]")
    let recording = try recording(files, rate: 30)
    for frame in 0..<40 {
      let wrist = try #require(recording.position(of: .rightWrist, at: frame))
      #expect(abs(wrist.x - 475 - Double(frame)) < 0.01)
    }
  }

  @Test("A file that is empty and called otherwise is no frame")
  func otherNames() {
    let files = ImagePoints.frames.enumerated().map { index, frame in
      NamedBytes("labels/vid_\(index).txt", Self.line(frame, scale: 1, track: nil))
    }
    let notes = NamedBytes(name: "labels/notes.txt", bytes: [])
    let groups = FrameFiles.groups((files + [notes]).map { ExaminedFile($0) })
    #expect(groups.map(\.count).sorted() == [1, 40])
  }

  @Test("Frames that repeat time and pose are left out, and counted")
  func repeats() throws {
    let names = ImagePoints.names.flatMap { ["\($0)_x", "\($0)_y", "\($0)_v"] }
    var rows = ["t," + names.joined(separator: ",")]
    for (index, row) in ImagePoints.rows().enumerated() {
      rows += Array(repeating: "\(Double(index) / 30),\(row)", count: index % 10 == 3 ? 2 : 1)
    }
    let file = NamedBytes("t.csv", rows.joined(separator: "\n"))
    let diagnosis = PoseDoctor.diagnose(file, imageSize: .portrait)
    #expect(
      diagnosis.problems.contains { $0.found.contains("4 frames with the time and the pose") })
    let map = try #require(diagnosis.map)
    let sequence = try #require(
      try TableSource(options: TableOptions(map: map)).sequences(from: [file]).first)
    #expect(sequence.recording.frameCount == 40)
    #expect(sequence.notes.contains { $0.contains("left out") })
  }

  @Test("Images stand in the order of their names where their list does not")
  func imageOrder() {
    func image(_ id: Int, _ name: String) -> JSONNode {
      JSONNode(
        .object(
          keys: ["id", "file_name"],
          values: [JSONNode(.number(Double(id)), line: 1), JSONNode(.text(name), line: 1)]), line: 1
      )
    }
    let named = ImageOrder([image(3, "f_10.jpg"), image(9, "f_2.jpg"), image(1, "f_30.jpg")])
    #expect(named.places == [1, 0, 2] && named.key == "file_name" && named.rival == "id")
    let unnamed = ImageOrder([image(3, "a1b.jpg"), image(1, "c.jpg"), image(2, "d9.jpg")])
    #expect(unnamed.places == [1, 2, 0] && unnamed.key == "id" && unnamed.rival == nil)
  }

  @Test("Lists of joints that leave frames out are refused")
  func unevenLists() {
    let joints = ["Shoulder", "Elbow", "Wrist", "Hip", "Knee", "Ankle"]
    let lists = ["left", "right"].flatMap { side in joints.map { side + $0 } }.map { joint in
      let points = (0..<(joint == "leftKnee" ? 39 : 40)).map { "[\($0),\(joint.count),1]" }
      return "\"\(joint)\":[\(points.joined(separator: ","))]"
    }
    let text = "{\(lists.joined(separator: ","))}"
    let problem = PoseDoctor.diagnose(NamedBytes("t.json", text)).problems
      .first
    #expect(problem?.found.contains("`leftKnee` is 39 long") == true, "\(problem?.found ?? "")")
  }

  @Test("Times of points are a clock")
  func timesOfPoints() {
    let joints = ["Shoulder", "Elbow", "Wrist", "Hip", "Knee", "Ankle"]
    let lists = ["left", "right"].flatMap { side in joints.map { side + $0 } }.map { joint in
      let points = (0..<40).map { frame in
        "{\"time\":\(Double(frame) / 10),\"x\":\(frame),\"y\":\(joint.count),\"z\":1}"
      }
      return "\"\(joint)\":[\(points.joined(separator: ","))]"
    }
    let text = "{\(lists.joined(separator: ","))}"
    let time = PoseDoctor.diagnose(NamedBytes("t.json", text)).conclusions
      .first { $0.topic == "time" }
    #expect(time?.finding.contains("10.0 frames per second") == true, "\(time?.finding ?? "")")
  }

  @Test("What is no JSON between lines of JSON is named with its lines")
  func mixedLines() {
    let line = "{\"t\": 1, \"x\": [1, 2]}"
    let text = (["INFO start"] + Array(repeating: line, count: 5) + ["W slow", line])
      .joined(separator: "\n")
    let problem = PoseDoctor.diagnose(NamedBytes("t.jsonl", text)).problems
      .first
    #expect(
      problem?.found == "lines 1, 7 are not JSON, such as `INFO start`, unlike 6 lines that are")
  }
}

@Suite("People in names of fields") struct PersonNameTests {
  private static let names =
    ["left_shoulder", "right_shoulder", "left_hip", "right_hip"]
    + ["left_knee", "right_knee", "left_ankle", "right_ankle"]

  @Test(
    "Names that say the person are told from those that say the space",
    arguments: [
      (["p1_%_x", "p1_%_y", "p2_%_x", "p2_%_y"], ["p1_*", "p2_*"]),
      (["person0_%_x", "person0_%_y", "person1_%_x", "person1_%_y"], ["person0_*", "person1_*"]),
      (["%_x_1", "%_y_1", "%_x_2", "%_y_2"], ["*_1", "*_2"]),
      (["%_1_x", "%_1_y", "%_2_x", "%_2_y"], ["*_1_*", "*_2_*"]),
      (["body1_%_x", "body1_%_y", "body2_%_x", "body2_%_y"], ["body1_*", "body2_*"]),
      (["ind1/%_x", "ind1/%_y", "ind2/%_x", "ind2/%_y"], ["ind1/*", "ind2/*"]),
      (["image_%_x", "image_%_y", "world_%_x", "world_%_y"], nil),
      (["cam1_%_x", "cam1_%_y", "cam2_%_x", "cam2_%_y"], nil),
      (["%_x", "%_y"], nil),
    ] as [([String], [String]?)])
  func names(patterns: [String], expected: [String]?) {
    let keys = Self.names.flatMap { name in patterns.map { $0.replacing("%", with: name) } }
    let values = keys.map { _ in JSONNode(.number(1), line: 1) }
    #expect(PersonNameSearch.names(keys, values)?.map(\.text) == expected)
  }

  @Test(
    "A field is called without its person",
    arguments: [
      ("p1_*", "p1_left_hip_x", "left_hip_x"), ("*_1", "left_hip_x_1", "left_hip_x"),
      ("*_1_*", "left_hip_1_x", "left_hip_x"), ("person1", "person1", "person"),
      ("p1_*", "p2_left_hip_x", nil), ("*_1", "left_hip_x_2", nil),
    ] as [(String, String, String?)])
  func fields(pattern: String, key: String, expected: String?) throws {
    let name = try #require(PersonName(text: pattern))
    #expect(name.field(key) == expected)
    #expect(name.text == pattern)
  }

  /// Somebody small who stands still, and in further columns somebody larger who moves.
  private static func rows(swapping: Int = 100) -> [String] {
    ImagePoints.frames.enumerated().map { index, frame in
      let small = frame.map { [100 + $0[0] / 8, 100 + $0[1] / 8] }
      let large = frame.map { Array($0.prefix(2)) }
      let people = index < swapping ? [small, large] : [large, small]
      return people.flatMap { $0 }.flatMap { $0 }.map { "\($0)" }.joined(separator: ",")
    }
  }

  @Test("The largest of two people in columns is followed where their columns are exchanged")
  func exchanged() throws {
    let header = ["p1", "p2"].flatMap { person in
      ImagePoints.names.flatMap { ["\(person)_\($0)_x", "\(person)_\($0)_y"] }
    }
    let text = ([header.joined(separator: ",")] + Self.rows(swapping: 20)).joined(separator: "\n")
    let diagnosis = diagnose(text, size: .portrait)
    #expect(
      diagnosis.conclusions.contains { $0.topic == "people" && $0.finding.contains("2 people") })
    let map = try #require(diagnosis.map)
    #expect(map.people?.fields.map(\.text) == ["p1_*", "p2_*"])
    #expect(try TableMap(yaml: map.yaml, file: "map.yaml") == map)
    let file = NamedBytes("t.csv", text)
    for (person, x) in [(1, 475.0), (2, 100 + 475.0 / 8)] {
      let options = TableOptions(map: map, person: person)
      let recording = try #require(
        try TableSource(options: options).sequences(from: [file]).first?.recording)
      for frame in [0, 19, 20, 39] {
        let wrist = try #require(recording.position(of: .rightWrist, at: frame))
        let moved = Double(frame) / (person == 1 ? 1 : 8)
        #expect(abs(wrist.x * 1080 - x - moved) < 0.01)
      }
    }
  }

  @Test("Objects of people beside each other are people, also where one is absent")
  func objects() throws {
    let lines = ImagePoints.frames.enumerated().map { index, frame in
      func body(_ scale: Double) -> String {
        let joints = zip(ImagePoints.names, frame).map {
          "\"\($0)\":[\($1[0] * scale),\($1[1] * scale)]"
        }
        return "{\(joints.joined(separator: ","))}"
      }
      let second = index % 4 == 0 ? "" : ",\"person2\":\(body(1))"
      return "{\"t\":\(Double(index) / 30),\"person1\":\(body(0.1))\(second)}"
    }
    let map = try #require(diagnose(lines.joined(separator: "\n"), size: .portrait).map)
    #expect(map.people?.fields.map(\.text) == ["person1", "person2"])
    #expect(map.joints[.leftHip] == .point(FieldPath([.key("person"), .key("left_hip")])))
  }
}
