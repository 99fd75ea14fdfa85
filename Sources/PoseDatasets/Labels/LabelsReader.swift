package import PoseModel

/// Reads label files: `start,end,plank,form`, one half-open segment per row.
package enum LabelsReader {
  /// The first line of every label file.
  package static let header = "start,end,plank,form"
  /// The name of segments that are not scored.
  package static let ignoreName = "ignore"

  /// Labels with remarks on their text.
  package struct File: Sendable {
    /// The segments.
    package let track: LabelTrack
    /// Facts about the text that are worth reporting.
    package let notes: [TextNote]
    /// The line of each segment, from 1.
    package let lines: [Int]
  }

  /// Reads a `.labels.csv` file.
  package static func read(path: String) throws -> File {
    try read(try FileBytes(path: path), name: path)
  }

  /// Reads labels from a text.
  ///
  /// - Parameter name: the text's name in errors.
  package static func read(text: String, name: String) throws -> File {
    try read(MemoryBytes(Array(text.utf8)), name: name)
  }

  /// Reads labels that are in memory.
  ///
  /// - Parameter name: their name in errors.
  package static func read(bytes: [UInt8], name: String) throws -> File {
    try read(MemoryBytes(bytes), name: name)
  }

  private static func read(_ source: any ByteSource, name: String) throws -> File {
    let lines = LineReader(source, name: name)
    guard let first = try lines.next() else {
      throw DatasetError.invalidLabels(file: name, line: nil, problem: .empty())
    }
    let found = try text(of: first, lines)
    guard found == header else {
      throw DatasetError.invalidLabels(
        file: name, line: first.number, problem: .wrongHeader(found: String(found.prefix(80))))
    }
    var segments: [LabeledSegment] = []
    var numbers: [Int] = []
    while let line = try lines.next() {
      let row = try text(of: line, lines)
      do {
        segments.append(try segment(of: row))
      } catch {
        throw DatasetError.invalidLabels(file: name, line: line.number, problem: error)
      }
      numbers.append(line.number)
    }
    return File(
      track: try track(segments, lines: numbers, name: name), notes: lines.notes, lines: numbers)
  }

  static func text(of line: LineReader.Line, _ lines: LineReader) throws -> String {
    guard let text = String(validating: line.bytes, as: UTF8.self) else {
      throw lines.error(.notUTF8, line: line.number)
    }
    return text
  }

  private static func segment(of row: String) throws(LabelsProblem) -> LabeledSegment {
    let fields = row.split(separator: ",", omittingEmptySubsequences: false)
    guard fields.count == 4 else { throw .wrongFieldCount(found: fields.count) }
    return LabeledSegment(
      start: try seconds(fields[0], column: "start"), end: try seconds(fields[1], column: "end"),
      plank: try plank(fields[2]), form: try form(fields[3]))
  }

  static func seconds(
    _ field: Substring, column: String
  ) throws(LabelsProblem) -> Seconds {
    guard let value = Double(decimal: field) else {
      throw .notANumber(column: column, found: String(field.prefix(80)))
    }
    return Seconds(value)
  }

  private static func plank(_ field: Substring) throws(LabelsProblem) -> PlankClass? {
    if field == ignoreName { return nil }
    return try plank(field, orElse: ignoreName)
  }

  /// A plank class by name.
  ///
  /// - Parameter other: other allowed contents of the field, for the message.
  static func plank(
    _ field: Substring, orElse other: String
  ) throws(LabelsProblem) -> PlankClass {
    guard let plank = PlankClass(name: String(field)) else {
      let allowed = PlankClass.allCases.map(\.name) + [other]
      throw .unknownName(column: "plank", found: String(field.prefix(80)), allowed: allowed)
    }
    return plank
  }

  /// A form class by name; nil if the field is empty.
  static func form(_ field: Substring) throws(LabelsProblem) -> FormClass? {
    if field.isEmpty { return nil }
    guard let form = FormClass(name: String(field)) else {
      let allowed = FormClass.allCases.map(\.name) + ["nothing"]
      throw .unknownName(column: "form", found: String(field.prefix(80)), allowed: allowed)
    }
    return form
  }

  private static func track(
    _ segments: [LabeledSegment], lines: [Int], name: String
  ) throws -> LabelTrack {
    do {
      return try LabelTrack(segments)
    } catch {
      throw DatasetError.invalidLabels(
        file: name, line: lines[error.segment], problem: .segment(error.problem))
    }
  }
}

/// Writes label files as `LabelsReader` reads them.
package enum LabelsWriter {
  /// The text of a label file; times are the shortest decimals that read back to themselves.
  package static func text(of track: LabelTrack) -> String {
    var text = LabelsReader.header + "\n"
    for segment in track.segments {
      let plank = segment.plank?.name ?? LabelsReader.ignoreName
      text += "\(segment.start.value),\(segment.end.value),\(plank),\(segment.form?.name ?? "")\n"
    }
    return text
  }
}

/// The possible faults of a file of labels, onsets or activities.
package enum LabelsProblem: Error, Hashable, Sendable {
  /// The file has no lines at all.
  case empty(header: String = LabelsReader.header)
  /// The first line is not that of labels, of onsets or of activities.
  case wrongHeader(found: String, allowed: String = LabelsReader.header)
  /// A row with more or fewer fields than the header.
  case wrongFieldCount(found: Int, header: String = LabelsReader.header)
  /// A time that is not a decimal number.
  case notANumber(column: String, found: String)
  /// A class that does not exist.
  case unknownName(column: String, found: String, allowed: [String])
  /// A segment that breaks a rule of label tracks.
  case segment(LabelTrackError.Problem)
  /// An onset that does not fit the labels.
  case onset(LabelOnsetError.Problem)
  /// An activity of a sequence that the manifest does not have.
  case unknownSequence(found: String, known: [String])
  /// A short name that several sequences share.
  case sharedSequenceName(found: String, names: [String])
  /// A text that cannot be the name of an activity.
  case notAnActivity(found: String)
  /// More different activities than anybody can read.
  case tooManyActivities(allowed: Int)

  /// The problem in words.
  var message: String {
    switch self {
    case .empty(let header): "found an empty file; allowed: a header such as `\(header)` and rows"
    case .wrongHeader(let found, let allowed):
      "found the header `\(found)`; allowed: `\(allowed)`"
    case .wrongFieldCount(let found, let header):
      "found \(CountText.of(found, "field")); allowed: \(header.count { $0 == "," } + 1)"
        + (header.hasSuffix(",form") ? ", form may be empty" : "")
    case .notANumber(let column, let found):
      "`\(column)`: found `\(found)`; allowed: seconds as a decimal number"
    case .unknownName(let column, let found, let allowed):
      "`\(column)`: found `\(found)`; allowed: \(allowed.joined(separator: ", "))"
    case .segment(let problem): String(parts(of: problem.rawValue).message)
    case .onset(let problem): String(parts(of: problem.rawValue).message)
    case .unknownSequence(let found, _):
      "`sequence`: found `\(found)`, which the manifest does not have"
    case .sharedSequenceName(let found, let names):
      "`sequence`: found `\(found)`, which may be \(names.prefix(3).joined(separator: " or "))"
    case .notAnActivity(let found):
      "`activity`: found `\(found)`; allowed: 1 to \(ActivitiesReader.longestName) characters, "
        + "no space at either end"
    case .tooManyActivities(let allowed):
      "found more than \(allowed) different activities; allowed: \(allowed)"
    }
  }

  /// What to do about it.
  var remedy: String {
    switch self {
    case .empty, .wrongHeader: "write the header line exactly like that"
    case .wrongFieldCount(_, let header): "write \(header)"
    case .notANumber: "write a number such as 12.5"
    case .unknownName(_, let found, let allowed):
      NearestNames.hint(found, among: allowed) + "write one of the allowed names; case matters"
    case .segment(let problem): String(parts(of: problem.rawValue).remedy)
    case .onset(let problem): String(parts(of: problem.rawValue).remedy)
    case .unknownSequence(let found, let known):
      NearestNames.hint(
        found,
        among: Set(known + known.map { String($0.split(separator: "/").last ?? "") }).sorted())
        + "name a recording of the manifest without its .poses.jsonl, or remove the row"
    case .sharedSequenceName: "write the whole name, with its folders"
    case .notAnActivity: "name what the person does, such as lying-prone"
    case .tooManyActivities: "give what is alike one name"
    }
  }

  /// The model's sentences have the form "problem; remedy".
  private func parts(of problem: String) -> (message: Substring, remedy: Substring) {
    let parts = problem.split(separator: "; ", maxSplits: 1)
    return (parts.first ?? "", parts.count == 2 ? parts[1] : "correct the row")
  }
}
