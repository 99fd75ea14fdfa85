import PoseModel
import PoseRecording

package struct PoseDiagnosis: Encodable, Sendable {
  package enum Certainty: String, Encodable, Sendable {
    /// The file says so, or its numbers allow nothing else.
    case sure
    /// The numbers speak for it.
    case likely
    /// Nothing speaks against it: check it.
    case unsure
  }

  package struct Conclusion: Encodable, Sendable {
    package let topic: String
    package let finding: String
    package let certainty: Certainty
    package let evidence: String
    package let alternatives: [String]
  }

  package struct Problem: Encodable, Sendable {
    package let isBlocking: Bool
    package let found: String
    package let remedy: String
  }

  /// A count of frames in steps: files of every fifth frame count 0, 5, 10.
  package struct Counter: Sendable {
    let title: String
    let step: Double

    /// The rate to give if `rate` is that of the frames in the file, and not that of the count.
    func otherRate(_ rate: Double) -> String? {
      guard step > 1 else { return nil }
      let frames = TableExamination.short(rate)
      return
        "--rate \(TableExamination.short(rate * step)), if \(frames) of the frames in the file "
        + "are taken in a second"
    }

    /// What a rate that the user gives is taken for; nil where it can mean one thing only.
    package func meaning(of rate: Double) -> String? {
      otherRate(rate).map { other in
        "time: --rate counts the units of \(title), which grows by \(TableExamination.short(step)): "
          + "\(TableExamination.short(rate / step)) frames of the file per second; otherwise \(other)"
      }
    }
  }

  package enum Reader: Sendable {
    case recording
    /// A dump that `import vision3d` or `import vision2d` reads.
    case command(String)
    case table(TableMap)
    case nothing
  }

  package let file: String
  package internal(set) var form = "unknown"
  package internal(set) var frames: Int?
  package internal(set) var seconds: Double?
  package internal(set) var conclusions: [Conclusion] = []
  package internal(set) var problems: [Problem] = []
  package internal(set) var reader = Reader.nothing
  /// Whether nothing in the file says when its frames were taken.
  package internal(set) var needsRate = false
  /// What counts frames, if something does.
  package internal(set) var counter: Counter?
  /// Who is shown, if the file says it.
  package internal(set) var subject: String?
  /// The frames, as the map of `reader` reads them.
  var clips: TableClips?

  package var isImportable: Bool {
    if case .nothing = reader { return false }
    return !problems.contains(where: \.isBlocking)
  }

  /// Nil, too, for a file that cannot be imported: no map mends it.
  package var map: TableMap? {
    if case .table(let map) = reader, isImportable { map } else { nil }
  }

  /// What `TableSource` makes of the file, from the frames that were read to examine it; nil where
  /// these options need other frames, or several files.
  package func sequences(_ options: TableOptions) throws -> [ImportedSequence]? {
    guard let map, var clips, !map.layout.isFramePerFile, options.map.readsFrames(like: map) else {
      return nil
    }
    clips.take(options)
    return try clips.sequences(name: NamedBytes(name: file, bytes: []).stem)
  }

  /// Lets go of the frames.
  package mutating func forgetFrames() { clips = nil }

  /// The built-in map that reads the file; nil where the file needs a map of its own.
  package var builtInName: String? { map?.readyName }

  /// Whether poses were found, be it in a shape that cannot be imported as it is.
  package var holdsPoses: Bool {
    if case .nothing = reader { return conclusions.contains { $0.topic == "joints" } }
    return true
  }

  /// Options that the command needs, such as `--subject anna`, word by word.
  var options: [String] {
    (needsRate ? ["--rate", "30"] : []) + (subject.map { ["--subject", $0] } ?? [])
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

  mutating func blockText() {
    block(
      "this is text, but neither JSON nor a table with columns",
      "save frames as JSON, or as a table whose columns are separated by commas, semicolons or tabs"
    )
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
    try container.encode(builtInName, forKey: .builtInMap)
    try container.encode(map?.yaml, forKey: .map)
  }
}

package struct ExaminedFile: Sendable {
  enum Content: Sendable {
    case foreign(ForeignFile)
    case known(form: String, PoseDiagnosis.Reader)
    case table(TableContent)
    case broken(any Error)
  }

  package let name: String
  let content: Content

  package init(_ packed: NamedBytes) {
    name = packed.name
    let source: NamedBytes
    do {
      source = try packed.unpacked()
    } catch {
      content = .broken(error)
      return
    }
    if let other = ForeignFile(source) {
      content = .foreign(other)
    } else if let known = Self.known(source) {
      content = known
    } else {
      do {
        let table = try TableContent(source)
        // A log that begins with a word looks like a table of one column.
        let mixed = table.form == .csv ? ForeignFile(mixedLines: source) : nil
        content = mixed.map { .foreign($0) } ?? .table(table)
      } catch {
        content = ForeignFile(mixedLines: source).map { .foreign($0) } ?? .broken(error)
      }
    }
  }

  private static func known(_ source: NamedBytes) -> Content? {
    let line = source.bytes.prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
    guard line.first == UInt8(ascii: "{"), line.count < longestHeader,
      let text = String(validating: line, as: UTF8.self),
      let header = try? JSONNode(text, file: source.name)
    else { return nil }
    return switch header["format"]?.text {
    case "planklab-poses": .known(form: "a recording of PlankLab", .recording)
    case "vision3d-dump": .known(form: "a dump of Vision's 3D poses", .command("vision3d"))
    case "vision2d-dump": .known(form: "a dump of Vision's 2D poses", .command("vision2d"))
    default: nil
    }
  }

  private static let longestHeader = 1 << 16
}

package enum PoseDoctor {
  package static func diagnose(
    _ source: NamedBytes, imageSize: ImageSize? = nil
  ) -> PoseDiagnosis {
    diagnose([ExaminedFile(source)], called: source.name, imageSize: imageSize)
  }

  /// Several files are one frame each, in the order of their names; `name` is what the diagnosis
  /// calls them together, usually their folder.
  package static func diagnose(
    _ files: [ExaminedFile], called name: String, imageSize: ImageSize? = nil
  ) -> PoseDiagnosis {
    var diagnosis = PoseDiagnosis(file: name)
    do {
      var contents: [TableContent] = []
      for file in files.sorted(by: { NaturalOrder.isBefore($0.name, $1.name) }) {
        switch file.content {
        case .foreign(let other) where other.isEmpty && files.count > 1:
          contents.append(.csv(CSVRows(nothingIn: file.name)))
        case .foreign(let other):
          diagnosis.form = other.name
          diagnosis.block(other.found, other.remedy)
          return diagnosis
        case .known(let form, let reader):
          (diagnosis.form, diagnosis.reader) = (form, reader)
          diagnosis.conclude("format", form, .sure, "the header says so")
          return diagnosis
        case .broken(let error): throw error
        case .table(let content): contents.append(content)
        }
      }
      var examination = try TableExamination(contents, diagnosis, imageSize: imageSize)
      try examination.run()
      return examination.diagnosis
    } catch PoseSourceError.wrongFieldCount(_, found: _, expected: 1) {
      diagnosis.blockText()
      return diagnosis
    } catch {
      diagnosis.block("\(error)", "")
      return diagnosis
    }
  }
}
