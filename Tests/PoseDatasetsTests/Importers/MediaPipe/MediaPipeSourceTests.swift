import PoseModel
import Testing

@testable import PoseDatasets

@Suite("MediaPipe tables") struct MediaPipeSourceTests {
  private static let limbs: Set<Joint> = Set(
    Skeleton.vision3d.joints.filter { $0.name.hasPrefix("left") || $0.name.hasPrefix("right") })

  @Test(
    "Columns are found by name, in any order and either naming",
    arguments: TableText.Naming.allCases, [false, true])
  func columnsByName(naming: TableText.Naming, isReversed: Bool) throws {
    let plain = try #require(try read(TableText(rows: [.init()])).first)
    let table = TableText(naming: naming, isReversed: isReversed, rows: [.init()])
    let other = try #require(try read(table).first)
    #expect(positions(other.recording) == positions(plain.recording))
  }

  @Test("A table without elbows and wrists gives recordings without them")
  func withoutArms() throws {
    let arms: Set<String> = ["left_elbow", "right_elbow", "left_wrist", "right_wrist"]
    let table = TableText(without: arms, rows: [.init()])
    let header = try #require(try read(table).first).recording.header
    let lacking: Set<Joint> = [.leftElbow, .rightElbow, .leftWrist, .rightWrist]
    #expect(Set(header.joints) == Self.limbs.subtracting(lacking).union([.root, .centerShoulder]))
  }

  @Test("The header says camera, portrait, up, reference body and the rate, and not mirrored")
  func header() throws {
    let header = try #require(try read(TableText(rows: [.init()]), isMirrored: true).first)
      .recording.header
    #expect(header.skeleton == .vision3d)
    #expect(header.frame == .camera)
    #expect(header.orientation == .portrait)
    #expect(header.upDirection == .known(.unitY))
    #expect(header.bodyHeight == Meters(1.8))
    #expect(header.heightEstimation == .reference)
    #expect(header.nominalRate == Hertz(30))
    #expect(!header.isMirrored)
  }

  @Test("The root is the origin, y points up and z toward the camera; the path gives the size")
  func axes() throws {
    let recording = try #require(try read(TableText(rows: [.init(shift: 0.25)])).first).recording
    // Trunk, thigh and shank are 1/4 + 1/8 + 1/8 of the image.
    let scale = 0.779 * 1.8 / 0.5
    let expected: [(Joint, Vector3)] = [
      (.root, Vector3(0, 0, 0)), (.centerShoulder, Vector3(-0.25, 0, 0)),
      (.leftElbow, Vector3(-0.25, -0.125, 0.125)), (.rightAnkle, Vector3(0.25, 0, -0.0625)),
    ]
    for (joint, position) in expected {
      #expect(distance(recording.position(of: joint, at: 0), position * scale) < 1e-6)
    }
  }

  @Test(
    "Image points keep their places, with the nose and how visible they are, mirrored or not",
    arguments: [false, true], TableText.Naming.allCases)
  func imagePoints(isMirrored: Bool, naming: TableText.Naming) throws {
    let source = MediaPipeSource(
      options: try MediaPipeOptions(
        labels: LabelMap(["C=forearm/aligned"]), output: .imagePoints, isMirrored: isMirrored))
    let row = TableText.Row(replaced: ["left_wrist_v": "0", "right_elbow_v": "0.25"])
    let file = TableText(naming: naming, rows: [row]).file
    let recording = try #require(try source.sequences(from: [file]).first).recording
    let header = recording.header
    #expect(header.skeleton == .vision2d && header.frame == .image && !header.isMirrored)
    #expect(header.imageWidth == 1920 && header.imageHeight == 1080)
    #expect(Set(header.joints) == Self.limbs.union([.nose]))
    let nose = try #require(recording.position(of: .nose, at: 0))
    #expect(nose == Vector3(isMirrored ? 0.875 : 0.125, 0.5, 0))
    let (wrist, elbow) =
      isMirrored ? (Joint.rightWrist, Joint.leftElbow) : (.leftWrist, .rightElbow)
    #expect(recording.position(of: wrist, at: 0) == nil)
    #expect(recording.position(of: wrist.mirrored, at: 0)?.y == 0.375)
    #expect(recording.confidence(of: elbow, at: 0) == 0.25)
    #expect(recording.confidence(of: .nose, at: 0) == 0.9)
  }

  @Test("Proportional coordinates are no image points")
  func proportionalPoints() {
    #expect(throws: PoseSourceError.self) {
      try MediaPipeOptions(
        labels: LabelMap(["C=none"]), coordinates: .proportional, output: .imagePoints)
    }
  }

  @Test("The aspect ratio stretches x and z against y")
  func aspectRatio() throws {
    let coordinates = LandmarkCoordinates.image(try AspectRatio("2:1"))
    let sequence = try read(TableText(rows: [.init()]), coordinates: coordinates).first
    let elbow = try #require(sequence?.recording.position(of: .leftElbow, at: 0))
    #expect(distance(elbow, Vector3(-0.5, -0.125, 0.25) * (0.779 * 1.8)) < 1e-6)
  }

  @Test("A mirrored table is turned back once, as a mirrored recording is")
  func mirroring() throws {
    let table = TableText(rows: [.init(), .init(shift: 0.001)])
    let plain = try #require(try read(table).first).recording
    var header = plain.header
    header.isMirrored = true
    var expected = Recording(header: header)
    for frame in 0..<plain.frameCount {
      let start = frame * plain.layout.stride
      let numbers = Array(plain.positions[start..<start + plain.layout.stride])
      expected.append(time: Seconds(plain.times[frame]), pose: numbers)
    }
    try expected.unmirror()
    let mirrored = try #require(try read(table, isMirrored: true).first)
    #expect(positions(mirrored.recording) == positions(expected))
    #expect(mirrored.notes.contains { $0.contains("swapped back") })
  }

  @Test("Times are whole microseconds and labels run from frame time to frame time")
  func times() throws {
    let labels = ["C", "C", "L", "X", "C2", "C"]
    let table = TableText(rows: labels.map { TableText.Row(label: $0) })
    let map = ["C=forearm/aligned", "C2=forearm/aligned", "L=forearm/sag", "X=ignore"]
    let sequence = try #require(try read(table, labels: map).first)
    let times = [0, 0.033333, 0.066667, 0.1, 0.133333, 0.166667]
    #expect(sequence.recording.times == times)
    let boundaries = [0, 0.066667, 0.1, 0.133333, 0.2].map { Seconds($0) }
    #expect(sequence.labels.segments.map(\.start) == Array(boundaries.dropLast()))
    #expect(sequence.labels.segments.map(\.end) == Array(boundaries.dropFirst()))
    #expect(sequence.labels.segments.map(\.plank) == [.forearm, .forearm, nil, .forearm])
    #expect(sequence.labels.segments.map(\.form) == [.aligned, .sag, nil, .aligned])
  }

  @Test("A clip starts inside a hold, is named after its file and says where it comes from")
  func descriptions() throws {
    let rows = [TableText.Row(), .init(shift: 0.5), .init(label: "L", shift: 0.5)]
    let sequences = try read(TableText(rows: rows))
    #expect(sequences.map(\.name) == ["clip-001", "clip-002"])
    #expect(sequences.map(\.startsMid) == [true, true])
    #expect(sequences[0].tags == ["source": "clip", "source_label": "C"])
    #expect(sequences[1].tags == ["source": "clip"])
    #expect(sequences[0].notes.first == "line 2 of tables/clip.csv")
    #expect(sequences[1].notes.first == "lines 3 to 4 of tables/clip.csv")
    #expect(sequences[1].notes.contains("labels in the source: `C` (1 row), `L` (1 row)"))
    #expect(sequences[1].notes.contains("times assume 30.0 Hz"))
  }

  @Test("CRLF, a byte-order mark, quotes and blank lines at the end change nothing")
  func textForms() throws {
    let plain = try #require(try read(TableText(rows: [.init(), .init()])).first).recording
    var table = TableText(labelColumn: "\"label\"", lineEnd: "\r\n", rows: [.init(), .init()])
    table.rows[0].label = "\"C\""
    let file = NamedText(name: "clip.csv", text: "\u{FEFF}" + table.text + "\r\n\n")
    let source = try MediaPipeSource(
      options: MediaPipeOptions(
        labels: LabelMap(["C=forearm/aligned"]), coordinates: .proportional))
    let other = try #require(try source.sequences(from: [file]).first).recording
    #expect(positions(other) == positions(plain))
  }
}

@Suite("Depth of landmarks") struct LandmarkDepthTests {
  @Test(
    "The anatomical factor brings shoulders and hips to people's widths", arguments: [0.4, 1, 2.5])
  func anatomical(exaggeration: Double) throws {
    let body = Self.body(shoulders: 0.207, hips: 0.135, exaggeration)
    let factor = try #require(LandmarkDepth.anatomical.factor(of: [body]))
    #expect(abs(factor * exaggeration - 1) < 1e-6)
    let other = Self.body(shoulders: 0.414, hips: 0.27, exaggeration)
    #expect(
      abs(try #require(LandmarkDepth.anatomical.factor(of: [other])) * exaggeration - 0.5) < 1e-6)
  }

  @Test("A body that faces the camera has no width in depth, and gives no factor")
  func frontal() {
    let body = Self.body(shoulders: 0.207, hips: 0.135, 1).map { Vector3($0.z, $0.y, 0) }
    #expect(LandmarkDepth.anatomical.factor(of: [body]) == nil)
    #expect(LandmarkDepth.scaled(0.5).factor(of: [body]) == 0.5)
  }

  @Test("A factor and `anatomical` are read, anything else is refused")
  func text() throws {
    #expect(try LandmarkDepth("0.4") == .scaled(0.4))
    #expect(try LandmarkDepth("anatomical") == .anatomical)
    for text in ["", "0", "-1", "21", "nan", "anatomy"] {
      #expect(throws: PoseSourceError.self) { try LandmarkDepth(text) }
    }
  }

  @Test("Points of an image have no depth to scale")
  func points() {
    #expect(throws: PoseSourceError.self) {
      try MediaPipeOptions(labels: LabelMap(["*=none"]), depth: .anatomical, output: .imagePoints)
    }
  }

  /// A body of height 1 on its side: x along it, its widths in depth, times an exaggeration.
  private static func body(shoulders: Double, hips: Double, _ exaggeration: Double) -> BodyPose {
    var limbs: [Joint: Vector3] = [:]
    let parts: [(Joint, Double, Double)] = [
      (.leftShoulder, 0, shoulders), (.leftHip, 0.288, hips), (.leftKnee, 0.533, hips),
      (.leftAnkle, 0.779, hips),
    ]
    for (joint, along, width) in parts {
      limbs[joint] = Vector3(along, 0, width / 2 * exaggeration)
      limbs[joint.mirrored] = Vector3(along, 0, -width / 2 * exaggeration)
    }
    return BodyPose(limbs: limbs)
  }
}

@Suite("Aspect ratios") struct AspectRatioTests {
  @Test(
    "A ratio is read as two numbers or one",
    arguments: [("16:9", 16.0 / 9.0), ("1280x720", 16.0 / 9.0), ("4:3", 4.0 / 3.0), ("0.5", 0.5)])
  func readable(text: String, value: Double) throws {
    #expect(try AspectRatio(text).value == value)
  }

  @Test(
    "Anything else is an error",
    arguments: ["", "16", "wide", "16:", ":9", "16:0", "0:9", "-16:9", "1:2:3", "nan"])
  func unreadable(text: String) { #expect(throws: PoseSourceError.self) { try AspectRatio(text) } }
}

/// A hand-made landmark table: one body, lying along the image, moved as a whole from row to row.
struct TableText {
  enum Naming: String, CaseIterable {
    case suffix
    case prefix
    case upperCase
  }

  /// A row: its label and how far the body is moved to the right.
  struct Row {
    var label = "C"
    var shift = 0.0
    /// Fields that replace the body's, by column as in `left_hip_x`.
    var replaced: [String: String] = [:]
  }

  /// Landmark positions in the image; sizes are sums of halves, quarters and so on.
  static let body: [(name: String, position: SIMD3<Double>)] = [
    ("nose", SIMD3(0.125, 0.5, 0)),
    ("left_shoulder", SIMD3(0.25, 0.5, -0.125)), ("right_shoulder", SIMD3(0.25, 0.5, 0.125)),
    ("left_elbow", SIMD3(0.25, 0.625, -0.125)), ("right_elbow", SIMD3(0.25, 0.625, 0.125)),
    ("left_wrist", SIMD3(0.125, 0.625, -0.125)), ("right_wrist", SIMD3(0.125, 0.625, 0.125)),
    ("left_hip", SIMD3(0.5, 0.5, -0.0625)), ("right_hip", SIMD3(0.5, 0.5, 0.0625)),
    ("left_knee", SIMD3(0.625, 0.5, -0.0625)), ("right_knee", SIMD3(0.625, 0.5, 0.0625)),
    ("left_ankle", SIMD3(0.75, 0.5, -0.0625)), ("right_ankle", SIMD3(0.75, 0.5, 0.0625)),
  ]

  var naming = Naming.suffix
  var without: Set<String> = []
  var isReversed = false
  var labelColumn = "label"
  var lineEnd = "\n"
  var rows: [Row]

  /// The columns as in `left_hip_x`, whatever their names in the table.
  private var columns: [(key: String, landmark: SIMD3<Double>?, axis: Int)] {
    let landmarks = Self.body.filter { !without.contains($0.name) }.flatMap { name, position in
      ["x", "y", "z", "v"].enumerated().map { axis, letter in
        (key: "\(name)_\(letter)", landmark: Optional(position), axis: axis)
      }
    }
    let all = [(key: "label", landmark: SIMD3<Double>?.none, axis: 0)] + landmarks
    return isReversed ? all.reversed() : all
  }

  var text: String {
    let header = columns.map { $0.landmark == nil ? labelColumn : name(of: $0.key) }
    let lines = rows.map { row in
      columns.map { column in field(column.key, column.landmark, column.axis, of: row) }
    }
    return ([header] + lines).map { $0.joined(separator: ",") + lineEnd }.joined()
  }

  var file: NamedText { NamedText(name: "tables/clip.csv", text: text) }

  private func field(_ key: String, _ body: SIMD3<Double>?, _ axis: Int, of row: Row) -> String {
    if let replaced = row.replaced[key] { return replaced }
    guard let body else { return row.label }
    if axis == 3 { return "0.9" }
    return "\(body[axis] + (axis == 0 ? row.shift : 0))"
  }

  private func name(of key: String) -> String {
    switch naming {
    case .suffix: key
    case .prefix: "\(key.suffix(1))_\(key.dropLast(2))"
    case .upperCase: key.uppercased()
    }
  }
}

/// Reads one hand-made table.
func read(
  _ table: TableText, labels: [String] = ["*=forearm/aligned"],
  coordinates: LandmarkCoordinates = .proportional, division: TableDivision = .defaultClips,
  frameRate: Double = 30, isMirrored: Bool = false
) throws -> [ImportedSequence] {
  try MediaPipeSource(
    options: MediaPipeOptions(
      labels: LabelMap(labels), coordinates: coordinates, division: division,
      frameRate: Hertz(frameRate), isMirrored: isMirrored)
  ).sequences(from: [table.file])
}

func read(text: String, labels: [String] = ["*=none"]) throws -> [ImportedSequence] {
  try MediaPipeSource(options: MediaPipeOptions(labels: LabelMap(labels)))
    .sequences(from: [NamedText(name: "t.csv", text: text)])
}

func distance(_ one: Vector3?, _ other: Vector3?) -> Double {
  guard let one, let other else { return one == other ? 0 : .infinity }
  return [one.x - other.x, one.y - other.y, one.z - other.z].map(\.magnitude).max() ?? 0
}

/// Every joint of every frame, for comparing recordings.
func positions(_ recording: Recording) -> [[Joint: Vector3]] {
  (0..<recording.frameCount).map { frame in
    Dictionary(
      uniqueKeysWithValues: recording.header.joints.compactMap { joint in
        recording.position(of: joint, at: frame).map { (joint, $0) }
      })
  }
}
