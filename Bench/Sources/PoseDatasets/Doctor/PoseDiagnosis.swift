@_spi(Bench) import PoseModel

/// What a file that may hold poses is, how sure that is, what is wrong, and how to import it.
package struct PoseDiagnosis: Encodable, Sendable {
  /// How sure a conclusion is.
  package enum Certainty: String, Encodable, Sendable {
    /// The file says so, or its numbers allow nothing else.
    case sure
    /// The numbers speak for it.
    case likely
    /// Nothing speaks against it: check it.
    case unsure
  }

  /// Something that was found out.
  package struct Conclusion: Encodable, Sendable {
    /// What it is about, in a word.
    package let topic: String
    /// What was found.
    package let finding: String
    /// How sure that is.
    package let certainty: Certainty
    /// What it was seen by.
    package let evidence: String
    /// What else it could be.
    package let alternatives: [String]
  }

  /// Something that is wrong or that the file cannot tell.
  package struct Problem: Encodable, Sendable {
    /// Whether nothing can be imported as it is.
    package let isBlocking: Bool
    /// What is wrong.
    package let found: String
    /// What to do about it.
    package let remedy: String
  }

  /// How the file is imported.
  package enum Reader: Sendable {
    /// It is a recording of ours already.
    case recording
    /// A dump that `import vision3d` or `import vision2d` reads.
    case command(String)
    /// By a map.
    case table(TableMap)
    /// Not at all as it is.
    case nothing
  }

  /// The file as given.
  package let file: String
  /// What the file is, in a few words.
  package internal(set) var form = "unknown"
  /// How many frames it has.
  package internal(set) var frames: Int?
  /// How long it is.
  package internal(set) var seconds: Double?
  /// What was found out.
  package internal(set) var conclusions: [Conclusion] = []
  /// What is wrong or cannot be told.
  package internal(set) var problems: [Problem] = []
  /// How it is imported.
  package internal(set) var reader = Reader.nothing
  /// Options that the command needs, such as `--subject anna`, word by word.
  package internal(set) var options: [String] = []

  /// Starts a diagnosis.
  init(file: String) { self.file = file }

  /// Whether the file can be imported as it is.
  package var isImportable: Bool {
    if case .nothing = reader { return false }
    return !problems.contains(where: \.isBlocking)
  }

  /// The map that reads the file; nil where none is needed.
  package var map: TableMap? {
    if case .table(let map) = reader { map } else { nil }
  }

  mutating func conclude(
    _ topic: String, _ finding: String, _ certainty: Certainty, _ evidence: String,
    alternatives: [String] = []
  ) {
    conclusions.append(
      Conclusion(
        topic: topic, finding: finding, certainty: certainty, evidence: evidence,
        alternatives: alternatives))
  }

  mutating func warn(_ found: String, _ remedy: String) {
    problems.append(Problem(isBlocking: false, found: found, remedy: remedy))
  }

  mutating func block(_ found: String, _ remedy: String) {
    problems.append(Problem(isBlocking: true, found: found, remedy: remedy))
  }

  private enum CodingKeys: String, CodingKey {
    case file, form, frames, seconds, conclusions, problems, options, map
    case isImportable = "importable"
    case builtInMap = "built_in_map"
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(file, forKey: .file)
    try container.encode(form, forKey: .form)
    try container.encode(frames, forKey: .frames)
    try container.encode(seconds, forKey: .seconds)
    try container.encode(conclusions, forKey: .conclusions)
    try container.encode(problems, forKey: .problems)
    try container.encode(isImportable, forKey: .isImportable)
    try container.encode(options, forKey: .options)
    try container.encode(map?.readyName, forKey: .builtInMap)
    try container.encode(map?.yaml, forKey: .map)
  }
}

/// Finds out what a file holds.
package enum PoseDoctor {
  /// Files of other kinds, by their beginning, with the way out.
  private static let others: [(start: [UInt8], name: String, remedy: String)] = [
    (
      Array("PAR1".utf8), "a Parquet file",
      "convert it with Python: pandas.read_parquet('FILE').to_csv('poses.csv', index=False)"
    ),
    (
      Array("bplist".utf8), "a binary property list",
      "write JSON instead of an archive: JSONEncoder, or plutil -convert json"
    ),
    (Array("HIERARCHY".utf8), "a BVH motion", "export the positions of its joints as CSV"),
    (Array("PathFileType".utf8), "a TRC file", "export the positions of its markers as CSV"),
    (Array("SQLite".utf8), "a database", "export the table of poses as CSV"),
    ([0x80, 0x04], "a Python pickle", "save the arrays with numpy.savez"),
    ([0x80, 0x05], "a Python pickle", "save the arrays with numpy.savez"),
    (Array("<?xml".utf8), "an XML file", "write JSON or CSV instead"),
    ([0x89, 0x50, 0x4E, 0x47], "a picture", "detect poses in it and save them as JSON"),
    ([0xFF, 0xD8], "a picture", "detect poses in it and save them as JSON"),
  ]

  /// Finds out what a file holds.
  ///
  /// - Parameter imageSize: the size of the images, where the file does not say it.
  /// - Complexity: O(bytes).
  package static func diagnose(
    _ source: NamedBytes, imageSize: ImageSize? = nil
  ) -> PoseDiagnosis {
    var diagnosis = PoseDiagnosis(file: source.name)
    if source.bytes.allSatisfy({ $0 <= 0x20 }) {
      diagnosis.form = "empty"
      diagnosis.block("the file is empty", "record again")
      return diagnosis
    }
    if let other = others.first(where: { source.bytes.starts(with: $0.start) }) {
      diagnosis.form = other.name
      diagnosis.block("this is \(other.name), which is not read", other.remedy)
      return diagnosis
    }
    if source.bytes.dropFirst(4).starts(with: Array("ftyp".utf8)) {
      diagnosis.form = "a movie"
      diagnosis.block(
        "this is a movie",
        "detect poses in it, for example as docs/recording.md shows, and save them")
      return diagnosis
    }
    do throws(PoseSourceError) {
      if try isKnown(source, &diagnosis) { return diagnosis }
      var examination = try TableExamination(source, diagnosis, imageSize: imageSize)
      try examination.run()
      return examination.diagnosis
    } catch {
      diagnosis.block("\(error)", "")
      return diagnosis
    }
  }

  /// Files of formats that other commands read.
  private static func isKnown(
    _ source: NamedBytes, _ diagnosis: inout PoseDiagnosis
  ) throws(PoseSourceError) -> Bool {
    guard source.bytes.first.map({ $0 < 0x80 && $0 != 0x50 }) ?? false else { return false }
    let text = try NamedText(name: source.name, bytes: source.bytes)
    let line = text.text.prefix { !$0.isNewline }
    guard line.hasPrefix("{"), let header = try? JSONNode(String(line), file: source.name) else {
      return false
    }
    switch header["format"]?.text {
    case "planklab-poses":
      diagnosis.form = "a recording of PlankLab"
      diagnosis.reader = .recording
    case "vision3d-dump":
      diagnosis.form = "a dump of Vision's 3D poses"
      diagnosis.reader = .command("vision3d")
    case "vision2d-dump":
      diagnosis.form = "a dump of Vision's 2D poses"
      diagnosis.reader = .command("vision2d")
    default: return false
    }
    diagnosis.conclude("format", diagnosis.form, .sure, "the header says so")
    return true
  }
}
