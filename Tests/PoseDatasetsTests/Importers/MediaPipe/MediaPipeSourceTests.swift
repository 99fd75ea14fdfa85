import PoseDatasets
import PoseModel
import Testing

@Suite("MediaPipe tables")
struct MediaPipeSourceTests {
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

  @Test("Joints are the twelve of the limbs and the two middles, nothing else")
  func joints() throws {
    let header = try #require(try read(TableText(rows: [.init()])).first).recording.header
    #expect(Set(header.joints) == Self.limbs.union([.root, .centerShoulder]))
    #expect(header.joints == Skeleton.vision3d.joints.filter(header.joints.contains))
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
