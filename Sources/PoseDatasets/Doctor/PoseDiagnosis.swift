import PoseModel
import PoseRecording

package struct PoseDiagnosis: Encodable, Sendable {
  package enum Certainty: String, Encodable, Sendable {
    case sure
    case likely
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

    package var text: String { found + (remedy.isEmpty ? "" : "; " + remedy) }
  }

  package struct Counter: Sendable {
    let title: String
    let step: Double

    func otherRate(_ rate: Double) -> String? {
      guard step > 1, TableExamination.believedRates.contains(rate * step) else { return nil }
      let frames = TableExamination.short(rate)
      return
        "--rate \(TableExamination.short(rate * step)), if \(frames) of the frames in the file "
        + "cover a second"
    }

    package func meaning(of rate: Double) -> String? {
      otherRate(rate).map { other in
        "time: --rate counts the units of \(title), which grows by \(TableExamination.short(step)): "
          + "\(TableExamination.short(rate / step)) frames of the file per second; otherwise \(other)"
      }
    }
  }

  package enum Reader: Sendable {
    case recording
    case command(String)
    case table(TableMap)
    case nothing

    package var isRecording: Bool { if case .recording = self { true } else { false } }
  }

  package let file: String
  package internal(set) var form = "unknown"
  package internal(set) var frames: Int?
  package internal(set) var seconds: Double?
  package internal(set) var conclusions: [Conclusion] = []
  package internal(set) var problems: [Problem] = []
  package internal(set) var reader = Reader.nothing
  package internal(set) var needsRate = false
  package internal(set) var counter: Counter?
  /// What is wrong with a field that is named like a time but is not one.
  package internal(set) var unreadClock: String?
  package internal(set) var subject: String?
  var clips: TableClips?

  package var isImportable: Bool {
    if case .nothing = reader { return false }
    return !problems.contains(where: \.isBlocking)
  }

  package var map: TableMap? {
    if case .table(let map) = reader, isImportable { map } else { nil }
  }

  package func sequences(_ options: TableOptions) throws -> [ImportedSequence]? {
    guard let map, var clips, !map.layout.isFramePerFile, options.map.readsFrames(like: map) else {
      return nil
    }
    clips.take(options)
    return try clips.sequences(name: NamedBytes(name: file, bytes: []).stem)
  }

  package mutating func forgetFrames() { clips = nil }

  private static let mostLabelBytes = 1 << 22

  package mutating func lookForLabels(in source: NamedBytes) {
    guard !holdsPoses, source.bytes.count <= Self.mostLabelBytes,
      let text = try? NamedText(labels: source.unpacked()),
      let options = try? LabelTextOptions(),
      let sheet = try? LabelTextReader(options: options).sheet(from: text),
      sheet.includesEnd != false,  // Tables with a label in every frame may hold poses, too.
      sheet.rows.contains(where: { LabelWords.target($0.label) != nil })
    else { return }
    form = sheet.form
    problems = []
    block(
      "these are \(CountText.of(sheet.rows.count, "label")) (\(sheet.form)), not poses",
      "import them as labels: `planklab label import FILE --output NAME.labels.csv`")
  }

  package var builtInName: String? { map?.readyName }

  package var holdsPoses: Bool {
    if case .nothing = reader { return conclusions.contains { $0.topic == "joints" } }
    return true
  }

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

  mutating func blockText() { block(ForeignFile.textFound, ForeignFile.textRemedy) }

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
  private let head: [UInt8]?
  private var preamble: ForeignFile?

  /// What the file's text is, if no poses are found in it.
  var printed: ForeignFile? { head.flatMap(ForeignFile.init(printed:)) ?? preamble }

  package init(_ packed: NamedBytes) {
    name = packed.name
    let source: NamedBytes
    do {
      source = try packed.unpacked()
    } catch {
      (content, head) = (.broken(error), nil)
      return
    }
    head = ForeignFile.head(of: source)
    if let other = ForeignFile(source) ?? ForeignFile(brackets: source) {
      content = .foreign(other)
    } else if let known = Self.known(source) {
      content = known
    } else {
      do {
        let table = try TableContent(source)
        // A log may look like a table.
        let log = table.form == .csv ? ForeignFile(log: source, isTable: true) : nil
        if table.form == .csv { preamble = ForeignFile(preamble: source) }
        content = log.map { .foreign($0) } ?? .table(table)
      } catch {
        let other =
          ForeignFile(binary: source) ?? ForeignFile(log: source, isTable: false)
          ?? head.flatMap(ForeignFile.init(printed:))
          ?? ForeignFile(preamble: source)
        content = other.map { .foreign($0) } ?? .broken(error)
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
    case "planklab-poses": .known(form: "a PlankLab recording", .recording)
    case "vision3d-dump": .known(form: "a dump of Vision's 3D poses", .command("vision3d"))
    case "vision2d-dump": .known(form: "a dump of Vision's 2D poses", .command("vision2d"))
    default: nil
    }
  }

  private static let longestHeader = 1 << 16
}

package enum PoseDoctor {
  package static func diagnose(_ source: NamedBytes, imageSize: ImageSize? = nil) -> PoseDiagnosis {
    diagnose([ExaminedFile(source)], called: source.name, imageSize: imageSize)
  }

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
      diagnosis = examination.diagnosis
    } catch PoseSourceError.wrongFieldCount(_, found: _, expected: 1) {
      diagnosis.blockText()
    } catch PoseSourceError.repeatedColumn(_, let name)
      where !name.contains(where: \.isLetter)
      || name.contains(where: { "=<{".contains($0) })
    {
      diagnosis.blockText()
    } catch {
      diagnosis.block("\(error)", "")
    }
    if !diagnosis.holdsPoses, let text = files.first?.printed { diagnosis.name(text) }
    return diagnosis
  }
}

struct ForeignFile {
  let name: String
  let found: String
  let remedy: String
  private(set) var isEmpty = false
  private(set) var isWideText = false

  init(_ name: String, _ remedy: String, found: String? = nil) {
    self.name = name
    self.found = found ?? "this is \(name), which cannot be read"
    self.remedy = remedy
  }

  init?(_ source: NamedBytes) {
    let bytes = source.bytes
    guard !bytes.allSatisfy({ $0 <= 0x20 }) else {
      self.init("empty", "record again", found: "the file is empty")
      isEmpty = true
      return
    }
    if let kind = Self.kinds.first(where: { kind in
      kind.starts.contains { bytes.dropFirst(kind.offset).starts(with: $0) }
    }) {
      self.init(kind.name, kind.remedy)
    } else if let name = Self.wideText(bytes) {
      self.init(
        "text in UTF-16", "save it as UTF-8, for example with iconv -f \(name) -t UTF-8 FILE > NEW")
      isWideText = true
    } else if bytes.starts(with: Self.text("PK")),
      (try? NumpyArchive(source))?.names.isEmpty ?? false
    {
      self.init(
        "a ZIP archive without NumPy arrays",
        "unpack it, and give doctor the files; save a spreadsheet as CSV")
    } else {
      return nil
    }
  }

  init?(log source: NamedBytes, isTable: Bool) {
    guard let log = Self(mixedLines: source) ?? Self(prefixedLines: source, isTable: isTable)
    else { return nil }
    self = log
  }

  private init?(mixedLines source: NamedBytes) {
    var others: [(number: Int, text: String)] = []
    var count = 0
    for (index, line) in source.bytes.split(
      separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false
    ).enumerated() {
      guard let first = line.first(where: { $0 > 0x20 }), let last = line.last(where: { $0 > 0x20 })
      else { continue }
      if first == UInt8(ascii: "{"), last == UInt8(ascii: "}") {
        count += 1
      } else {
        others.append((index + 1, String(decoding: line.prefix(40), as: UTF8.self)))
      }
    }
    guard let first = others.first, count > others.count else { return nil }
    let numbers = others.prefix(5).map { "\($0.number)" }.joined(separator: ", ")
    self.init(
      "JSON lines with other text",
      "remove them, for example with grep '^{.*}[[:space:]]*$' FILE > NEW",
      found: (others.count == 1 ? "line \(numbers) is" : "lines \(numbers)")
        + (others.count > 5 ? " and \(others.count - 5) more" : "")
        + (others.count == 1 ? "" : " are") + " not JSON, such as `\(first.text)`, unlike "
        + CountText.of(count, "line") + " that are")
  }

  private init?(prefixedLines source: NamedBytes, isTable: Bool) {
    let lines = source.bytes.split(separator: UInt8(ascii: "\n"), maxSplits: Self.mostLines)
      .prefix(Self.mostLines)
    let prefixed = lines.filter { line in
      line.last { $0 > 0x20 } == UInt8(ascii: "}") && line.contains(UInt8(ascii: "{"))
        // A truncated list has no other text before it, nor has a YAML list.
        && line.prefix { $0 != UInt8(ascii: "{") }.contains { !"[-, \t\r".utf8.contains($0) }
    }
    // Below a header, the lines may be rows with JSON in their last column.
    guard let first = prefixed.first,
      isTable
        ? prefixed.count * 2 > lines.count && first.startIndex == lines.first?.startIndex
        : prefixed.count > 2 && prefixed.count * 4 > lines.count
    else { return nil }
    self.init(
      "JSON behind other text", "remove it, for example with grep -o '{.*}' FILE > NEW",
      found: "lines have other text before their JSON, such as "
        + "`\(String(decoding: first.prefix(40), as: UTF8.self))`")
  }

  init?(preamble source: NamedBytes) {
    // Truncated JSON has other faults.
    guard let first = source.bytes.first(where: { $0 > 0x20 }), !"[{".utf8.contains(first) else {
      return nil
    }
    let lines = source.bytes.split(
      separator: UInt8(ascii: "\n"), maxSplits: Self.mostLines, omittingEmptySubsequences: false
    ).prefix(Self.mostLines)
    let tables = Self.separators.compactMap { separator -> (start: Int, separator: UInt8)? in
      let fields = lines.map { line in 1 + line.count { $0 == separator } }
      // A spreadsheet fills up the lines above the table with empty cells.
      let filled = lines.map { line in
        (line.lastIndex { $0 != separator && $0 > 0x20 }).map { last in
          1 + line[...last].count { $0 == separator }
        } ?? 0
      }
      let counts = Dictionary(grouping: fields.filter { $0 >= Self.fewestFields }) { $0 }
      let usual = counts.max { ($0.value.count, $0.key) < ($1.value.count, $1.key) }?.key ?? 0
      let start = fields.indices.dropLast(2).first { index in
        2 * filled[index] > usual && fields[index..<index + 3].allSatisfy { $0 == usual }
      }
      guard let start, start > 0, filled[..<start].allSatisfy({ 2 * $0 <= usual }) else {
        return nil
      }
      return (start, separator)
    }
    // Cells may hold other separators, but a header does not.
    guard let (start, separator) = tables.min(by: { $0.start < $1.start }) else { return nil }
    let rate = TableHeader.rate(
      in: lines[..<start].map { line in
        line.split(separator: separator, omittingEmptySubsequences: false)
          .map { String(decoding: $0.filter { $0 != UInt8(ascii: "\r") }, as: UTF8.self) }
      })
    let begins = String(decoding: lines[start].prefix(40), as: UTF8.self)
    self.init(
      "a table below other text",
      "remove it, for example with tail -n +\(start + 1) FILE > NEW"
        + (rate.map {
          "; if the table has no times, import it with --rate \(LabelUnitChoice.text($0)), "
            + "as these lines say"
        } ?? ""),
      found: (start == 1 ? "the first line is" : "the first \(start) lines are")
        + " not part of the table, which begins with `\(begins.replacing("\t", with: " "))`")
  }

  private static let separators = [",", "\t", ";"].map { Array($0.utf8)[0] }
  private static let fewestFields = 4
  private static let mostLines = 200
  static let sampleSize = 4096

  private static func wideText(_ bytes: [UInt8]) -> String? {
    if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) { return "UTF-16" }
    let sample = bytes.prefix(sampleSize)
    guard sample.count > 3 else { return nil }
    let odd = sample.indices.count { !$0.isMultiple(of: 2) && sample[$0] == 0 }
    let even = sample.indices.count { $0.isMultiple(of: 2) && sample[$0] == 0 }
    let half = sample.count / 2
    if odd > half * 6 / 10, even == 0 { return "UTF-16LE" }
    return even > half * 6 / 10 && odd == 0 ? "UTF-16BE" : nil
  }

  private struct Kind {
    let name: String
    let remedy: String
    var offset = 0
    let starts: [[UInt8]]
  }

  private static func text(_ text: String) -> [UInt8] { Array(text.utf8) }

  private static let pictureRemedy = "detect poses in it and save them as JSON"
  private static let movieRemedy = "find its poses with `planklab record` (docs/recording.md)"

  private static let kinds = [
    // HEIF pictures have the structure of movies, but another brand.
    Kind(
      name: "a picture", remedy: pictureRemedy, offset: 4,
      starts: ["ftypheic", "ftypheix", "ftypmif1", "ftypavif"].map(text)),
    Kind(
      name: "a picture", remedy: pictureRemedy,
      starts: [
        [0x89, 0x50, 0x4E, 0x47], [0xFF, 0xD8, 0xFF], text("GIF8"), text("II*\0"), text("MM\0*"),
      ]),
    Kind(
      name: "a movie", remedy: movieRemedy, offset: 4,
      starts: ["ftyp", "moov", "mdat", "wide"].map(text)),
    Kind(name: "a movie", remedy: movieRemedy, starts: [[0x1A, 0x45, 0xDF, 0xA3], text("RIFF")]),
    Kind(
      name: "a Parquet file",
      remedy:
        "convert it with Python: pandas.read_parquet('FILE').to_csv('poses.csv', index=False)",
      starts: [text("PAR1")]),
    Kind(
      name: "a Feather file",
      remedy:
        "convert it with Python: pandas.read_feather('FILE').to_csv('poses.csv', index=False)",
      starts: [text("ARROW1"), text("FEA1")]),
    Kind(
      name: "a tar archive", remedy: "unpack it with tar -xf FILE, and give doctor the files",
      offset: 257, starts: [text("ustar")]),
    Kind(
      name: "an HDF5 or MATLAB file",
      remedy: "save the arrays of positions and times with numpy.savez",
      starts: [[0x89, 0x48, 0x44, 0x46], text("MATLAB 5.0")]),
    Kind(
      name: "a binary property list",
      remedy: "write JSON instead of an archive: JSONEncoder, or plutil -convert json",
      starts: [text("bplist")]),
    Kind(
      name: "a BVH motion", remedy: "export the positions of its joints as CSV",
      starts: [text("HIERARCHY")]),
    Kind(
      name: "a pose-format file (.pose)",
      remedy: "save its points with Python: numpy.savez('poses.npz', "
        + "points=pose.body.data.filled(), scores=pose.body.confidence)",
      starts: [[0xCD, 0xCC, 0xCC, 0x3D], [0xCD, 0xCC, 0x4C, 0x3E]]),
    Kind(name: "a database", remedy: "export the table of poses as CSV", starts: [text("SQLite")]),
    Kind(
      name: "a Python pickle", remedy: "save the arrays with numpy.savez",
      starts: [[0x80, 0x02], [0x80, 0x03], [0x80, 0x04], [0x80, 0x05]]),
    Kind(
      name: "an XML or HTML file", remedy: "write JSON or CSV instead",
      starts: ["<?xml", "<!DOCTYPE", "<!doctype", "<html", "<table"].map(text)),
    Kind(name: "a PDF file", remedy: "write JSON or CSV instead", starts: [text("%PDF")]),
    Kind(
      name: "a compressed archive", remedy: "unpack it and give doctor the files",
      starts: [
        [0x37, 0x7A, 0xBC, 0xAF], [0xFD, 0x37, 0x7A, 0x58], [0x28, 0xB5, 0x2F, 0xFD], text("BZh"),
      ]),
  ]
}
