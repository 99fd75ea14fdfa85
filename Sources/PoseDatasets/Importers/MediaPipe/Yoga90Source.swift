package import PoseModel

/// The poses of 3DYoga90: a table of all sequences, and MediaPipe's world landmarks of some.
///
/// One file is the published table of sequences (`3DYoga90.csv`). Every other one holds the
/// landmarks of one sequence, is named by its number, and has one row per frame and landmark
/// (`frame`, `type`, `landmark_index`, `x`, `y`, `z`), as the published Parquet files do. A sequence
/// shows one pose from its start to its end. Recordings are in camera axes, scaled to the reference
/// body.
package struct Yoga90Source: PoseSource {
  package static let name = "yoga90"
  package static let summary = "CSV tables of 3DYoga90 with its table of sequences"

  /// How to read tables.
  package let options: Yoga90Options

  /// Makes a source.
  package init(options: Yoga90Options) { self.options = options }

  package func sequences(
    from files: [NamedText]
  ) throws(PoseSourceError) -> [ImportedSequence] {
    var table: Yoga90Table?
    var landmarks: [CSVText] = []
    for file in files {
      let text = CSVText(file)
      guard text.lines.count >= 2 else { throw .emptyTable(file: file.name) }
      guard text.fields(ofLine: 0).contains("sequence_id") else {
        landmarks.append(text)
        continue
      }
      guard table == nil else {
        throw .unexpectedValue(
          file: file.name, path: "the table", found: "a second table of sequences",
          allowed: "one, and the landmarks of its sequences")
      }
      table = try Yoga90Table(text)
    }
    guard let table, !landmarks.isEmpty else {
      throw .unexpectedValue(
        file: files.first?.name ?? "the import", path: "the import",
        found: table == nil ? "without the table of sequences" : "without landmarks",
        allowed: "3DYoga90.csv and the landmarks of its sequences as CSV")
    }
    var sequences: [ImportedSequence] = []
    for text in landmarks { sequences.append(try sequence(text, table)) }
    try ImportedSequence.requireUniqueNames(sequences)
    return sequences
  }

  private func sequence(
    _ text: CSVText, _ table: Yoga90Table
  ) throws(PoseSourceError) -> ImportedSequence {
    let name = NamedText(name: text.file, text: "").stem
    guard let entry = table.entries[name] else {
      throw .unexpectedValue(
        file: text.file, path: "the file's name", found: "no number of a sequence in \(table.file)",
        allowed: "each file the name of its sequence_id, for example 1000.csv")
    }
    let meaning = try options.labels.meanings(of: [entry.pose], file: table.file)
    let frames = try Yoga90Landmarks(text, isMirrored: options.isMirrored).frames
    let poses = frames.map(\.pose)
    guard let scale = ReferenceBody.metersPerUnit(of: poses) else {
      throw .unscalableBody(file: text.file, lines: 2...text.lines.count)
    }
    let first = frames.first?.number ?? 0
    let times = frames.map {
      roundedToMicroseconds(Double($0.number - first) / options.frameRate.value)
    }
    let labels: LabelTrack
    do {
      labels = try LabelTrack.runs(
        of: poses.flatMap { _ in meaning }, times: times,
        end: roundedToMicroseconds(
          Double((frames.last?.number ?? 0) - first + 1) / options.frameRate.value))
    } catch {
      throw .unusableLabels(sequence: name, error)
    }
    return ImportedSequence(
      name: name, recording: recording(of: poses, times: times, scale: scale, entry: entry),
      labels: labels, startsMid: true, tags: entry.tags,
      notes: [
        "times assume \(options.frameRate)",
        "scaled to the reference body of \(ReferenceBody.height)",
        options.isMirrored
          ? "mirrored images: x was flipped back, and left and right were swapped back"
          : "images as they are",
        "the channel of the video stands for the person",
      ], split: entry.split)
  }

  private func recording(
    of poses: [BodyPose], times: [Double], scale: Double, entry: Yoga90Table.Entry
  ) -> Recording {
    var header = RecordingHeader(
      skeleton: .vision3d, joints: BodyPose.joints(from: Set(BodyPose.limbs.map(\.joint))),
      frame: .camera)
    header.orientation = .portrait
    header.up = .unitY
    header.subject = options.subject ?? entry.subject
    header.bodyHeight = ReferenceBody.height
    header.heightEstimation = .reference
    header.nominalRate = options.frameRate
    var recording = Recording(header: header)
    recording.reserveCapacity(poses.count)
    var origin = poses.lazy.compactMap { $0.positions[.root] }.first ?? Vector3(0, 0, 0)
    for (time, pose) in zip(times, poses) {
      origin = pose.positions[.root] ?? origin
      let isFound = !pose.positions.isEmpty
      recording.append(
        time: Seconds(time),
        pose: isFound ? pose.numbers(in: header.joints, origin: origin, scale: scale) : nil)
    }
    return recording
  }
}

/// How to read tables of 3DYoga90.
package struct Yoga90Options: Hashable, Sendable {
  /// What the poses of the table (`l3_pose`) mean.
  package let labels: LabelMap
  /// The rate of the videos; landmarks have frame numbers only.
  package let frameRate: Hertz
  /// Whether images were flipped before detection, as the published script does.
  package let isMirrored: Bool
  /// Who is shown, in place of the channel.
  package let subject: String?

  /// Checks options and keeps them.
  ///
  /// - Throws: `PoseSourceError.invalidOption` for a rate outside 0.1...1000 Hz.
  package init(
    labels: LabelMap, frameRate: Hertz = Hertz(30), isMirrored: Bool = true, subject: String? = nil
  ) throws(PoseSourceError) {
    guard (0.1...1000).contains(frameRate.value) else {
      throw .invalidOption(
        "the frame rate", found: "\(frameRate)", allowed: "0.1 to 1000 Hz, for example 30")
    }
    self.labels = labels
    self.frameRate = frameRate
    self.isMirrored = isMirrored
    self.subject = subject
  }
}

/// The published table of sequences.
struct Yoga90Table {
  /// One sequence.
  struct Entry {
    let pose: String
    let subject: String?
    let split: String?
    let tags: [String: String]
  }

  /// The table's name.
  let file: String
  /// Sequences by their number, as it stands in the table.
  private(set) var entries: [String: Entry] = [:]

  init(_ text: CSVText) throws(PoseSourceError) {
    file = text.file
    let columns = try TableColumns(text, required: ["sequence_id", "l3_pose"])
    for line in 1..<text.lines.count {
      let fields = try columns.fields(ofLine: line)
      let number = String(fields("sequence_id") ?? "")
      let pose = String(fields("l3_pose") ?? "")
      func text(_ name: String) -> String? {
        fields(name).flatMap { $0.isEmpty ? nil : String($0) }
      }
      var tags = ["source": "3DYoga90", "pose": pose]
      tags["kind"] = text("l2_pose")
      let entry = Entry(
        pose: pose, subject: text("source_id").map { "channel-\($0)" }, split: text("split"),
        tags: tags)
      guard entries.updateValue(entry, forKey: number) == nil else {
        throw .unexpectedValue(
          file: "\(file):\(line + 1)", path: "`sequence_id`", found: "`\(number.prefix(40))` again",
          allowed: "each sequence one row")
      }
    }
  }
}

/// The landmarks of a sequence.
struct Yoga90Landmarks {
  /// The frames in order, with their numbers.
  let frames: [(number: Int, pose: BodyPose)]

  /// The limb joints among MediaPipe's 33 landmarks.
  private static let joints: [Int: Joint] = [
    11: .leftShoulder, 12: .rightShoulder, 13: .leftElbow, 14: .rightElbow, 15: .leftWrist,
    16: .rightWrist, 23: .leftHip, 24: .rightHip, 25: .leftKnee, 26: .rightKnee, 27: .leftAnkle,
    28: .rightAnkle,
  ]

  /// Reads the rows of all frames; x right, y up, z toward the camera, unmirrored.
  ///
  /// - Throws: `PoseSourceError` with the line of the first fault.
  init(_ text: CSVText, isMirrored: Bool) throws(PoseSourceError) {
    let columns = try TableColumns(text, required: ["frame", "landmark_index", "x", "y", "z"])
    var limbs: [Int: [Joint: Vector3]] = [:]
    for line in 1..<text.lines.count {
      let fields = try columns.fields(ofLine: line)
      let place = SourcePlace(file: text.file, line: line + 1)
      if let type = fields("type"), type != "pose" { continue }
      let frame = try Self.number("frame", 0...100_000_000, fields, place)
      let landmark = try Self.number("landmark_index", 0...32, fields, place)
      if limbs[frame] == nil { limbs[frame] = [:] }
      guard let joint = Self.joints[landmark] else { continue }
      let x = try Self.coordinate("x", fields, place)
      let y = try Self.coordinate("y", fields, place)
      let z = try Self.coordinate("z", fields, place)
      let position = Vector3(isMirrored ? -x : x, -y, -z)
      let side = isMirrored ? joint.mirrored : joint
      guard limbs[frame]?.updateValue(position, forKey: side) == nil else {
        throw .unexpectedValue(
          file: place.description, path: "`landmark_index`", found: "\(landmark) again",
          allowed: "each landmark once per frame")
      }
    }
    frames = limbs.sorted { $0.key < $1.key }.map { ($0.key, BodyPose(limbs: $0.value)) }
  }

  private static func number(
    _ name: String, _ range: ClosedRange<Int>, _ fields: TableColumns.Row, _ place: SourcePlace
  ) throws(PoseSourceError) -> Int {
    let field = fields(name) ?? ""
    guard let number = Int(field), range.contains(number) else {
      throw .unexpectedValue(
        file: place.description, path: "`\(name)`", found: "`\(field.prefix(40))`",
        allowed: "a whole number from \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }

  private static func coordinate(
    _ name: String, _ fields: TableColumns.Row, _ place: SourcePlace
  ) throws(PoseSourceError) -> Double {
    let field = fields(name) ?? ""
    guard let number = field.isEmpty ? .nan : Double(field) else {
      throw .notANumber(place, column: name, found: String(field))
    }
    return number
  }
}

/// The columns of a table by name.
struct TableColumns {
  /// The fields of a row by their column's name; nil for a column that is not there.
  struct Row {
    fileprivate let positions: [Substring: Int]
    fileprivate let fields: [Substring]

    func callAsFunction(_ name: String) -> Substring? {
      positions[Substring(name)].map { fields[$0] }
    }
  }

  private let text: CSVText
  private let positions: [Substring: Int]
  private let count: Int

  /// Finds the columns of a table's first line.
  ///
  /// - Throws: `PoseSourceError` for a required column that is not there, or a repeated one.
  init(_ text: CSVText, required: [String]) throws(PoseSourceError) {
    let header = text.fields(ofLine: 0)
    let place = SourcePlace(file: text.file, line: 1)
    var positions: [Substring: Int] = [:]
    for (index, name) in header.enumerated() {
      guard positions.updateValue(index, forKey: name) == nil else {
        throw .repeatedColumn(place, column: String(name))
      }
    }
    for name in required where positions[Substring(name)] == nil {
      let hint = NearestNames.suggestion(name, among: header.map(String.init))
      throw .unexpectedValue(
        file: place.description, path: "the header",
        found: "without `\(name)`" + (hint.map { " (\($0))" } ?? ""),
        allowed: "the columns \(required.map { "`\($0)`" }.joined(separator: ", "))")
    }
    self.text = text
    self.positions = positions
    count = header.count
  }

  /// The fields of a line.
  ///
  /// - Throws: `PoseSourceError.wrongFieldCount`.
  func fields(ofLine line: Int) throws(PoseSourceError) -> Row {
    let fields = text.fields(ofLine: line)
    guard fields.count == count else {
      throw .wrongFieldCount(
        SourcePlace(file: text.file, line: line + 1), found: fields.count, expected: count)
    }
    return Row(positions: positions, fields: fields)
  }
}
