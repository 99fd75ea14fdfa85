package import PoseModel

/// Reads label files with the columns `start,end,plank,form`, one half-open segment per row.
package enum LabelsReader {
  package static let header = "start,end,plank,form"
  package static let ignoreName = "ignore"

  package struct File: Sendable {
    package let track: LabelTrack
    package let notes: [TextNote]
    package let lines: [Int]
  }

  package static func read(path: String) throws -> File {
    try read(try FileBytes(path: path), name: path)
  }

  package static func read(text: String, name: String) throws -> File {
    try read(MemoryBytes(Array(text.utf8)), name: name)
  }

  package static func read(bytes: [UInt8], name: String) throws -> File {
    try read(MemoryBytes(bytes), name: name)
  }

  private static func read(_ source: any ByteSource, name: String) throws -> File {
    let lines = LineReader(source, name: name)
    var segments: [LabeledSegment] = []
    var numbers: [Int] = []
    try forEachRow(of: lines, header: header) { row, number throws(LabelsProblem) in
      segments.append(try segment(of: row))
      numbers.append(number)
    }
    return File(
      track: try track(segments, lines: numbers, name: name), notes: lines.notes, lines: numbers)
  }

  fileprivate static func forEachRow(
    of lines: LineReader, header: String, _ body: (String, Int) throws(LabelsProblem) -> Void
  ) throws {
    guard let first = try lines.next() else {
      throw DatasetError.invalidLabels(file: lines.name, line: nil, problem: .empty(header: header))
    }
    let found = try text(of: first, lines)
    guard found == header else {
      throw DatasetError.invalidLabels(
        file: lines.name, line: first.number,
        problem: .wrongHeader(found: String(found.prefix(80)), allowed: header))
    }
    while let line = try lines.next() {
      let row = try text(of: line, lines)
      do {
        try body(row, line.number)
      } catch {
        throw DatasetError.invalidLabels(file: lines.name, line: line.number, problem: error)
      }
    }
  }

  private static func text(of line: LineReader.Line, _ lines: LineReader) throws -> String {
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

  static func seconds(_ field: Substring, column: String) throws(LabelsProblem) -> Seconds {
    guard let value = Double(decimal: field) else {
      throw .notANumber(column: column, found: String(field.prefix(80)))
    }
    return Seconds(value)
  }

  private static func plank(_ field: Substring) throws(LabelsProblem) -> PlankClass? {
    if field == ignoreName { return nil }
    return try plank(field, orElse: ignoreName)
  }

  static func plank(_ field: Substring, orElse other: String) throws(LabelsProblem) -> PlankClass {
    guard let plank = PlankClass(name: String(field)) else {
      let allowed = PlankClass.allCases.map(\.name) + [other]
      throw .unknownName(column: "plank", found: String(field.prefix(80)), allowed: allowed)
    }
    return plank
  }

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

package enum LabelsWriter {
  package static func text(of track: LabelTrack) -> String {
    var text = LabelsReader.header + "\n"
    for segment in track.segments {
      let plank = segment.plank?.name ?? LabelsReader.ignoreName
      text += "\(segment.start.value),\(segment.end.value),\(plank),\(segment.form?.name ?? "")\n"
    }
    return text
  }
}

package enum LabelsProblem: Error, Hashable, Sendable {
  case empty(header: String = LabelsReader.header)
  case wrongHeader(found: String, allowed: String = LabelsReader.header)
  case wrongFieldCount(found: Int, header: String = LabelsReader.header)
  case notANumber(column: String, found: String)
  case unknownName(column: String, found: String, allowed: [String])
  case segment(LabelTrackError.Problem)
  case onset(LabelOnsetError.Problem)
  case unknownSequence(found: String, known: [String])
  case sharedSequenceName(found: String, names: [String])
  case notAnActivity(found: String)
  case tooManyActivities(allowed: Int)

  var message: String {
    switch self {
    case .empty(let header): "found an empty file; allowed: a header such as `\(header)` and rows"
    case .wrongHeader(let found, let allowed): "found the header `\(found)`; allowed: `\(allowed)`"
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
      "`sequence`: found `\(found)`, which may mean \(names.prefix(3).joined(separator: " or "))"
    case .notAnActivity(let found):
      "`activity`: found `\(found)`; allowed: 1 to \(ActivitiesReader.longestName) characters, "
        + "no space at either end"
    case .tooManyActivities(let allowed):
      "found more than \(allowed) different activities; allowed: \(allowed)"
    }
  }

  var remedy: String {
    switch self {
    case .wrongHeader(_, LabelsReader.header):
      "write exactly that header line, or import another program's file with `planklab label import`"
    case .empty, .wrongHeader: "write exactly that header line"
    case .wrongFieldCount(_, let header): "write \(header)"
    case .notANumber: "write a number such as 12.5"
    case .unknownName(_, let found, let allowed):
      NearestNames.hint(found, among: allowed) + "write one of the allowed names; case matters"
    case .segment(let problem): String(parts(of: problem.rawValue).remedy)
    case .onset(let problem): String(parts(of: problem.rawValue).remedy)
    case .unknownSequence(let found, let known):
      NearestNames.hint(found, among: Set(known + known.map(\.lastComponent)).sorted())
        + "name a recording of the manifest without its .poses.jsonl, or remove the row"
    case .sharedSequenceName: "write the full name with its folders"
    case .notAnActivity: "name what the person does, such as lying-prone"
    case .tooManyActivities: "use one name for similar activities"
    }
  }

  private func parts(of problem: String) -> (message: Substring, remedy: Substring) {
    let parts = problem.split(separator: "; ", maxSplits: 1)
    return (parts.first ?? "", parts.count == 2 ? parts[1] : "correct the row")
  }
}

/// Reads `activities.csv` beside the manifest, one half-open segment per row.
///
/// The columns are `sequence,start,end,activity`. A sequence is given by its name in reports, or by
/// the last part of that name if no other sequence has it.
package enum ActivitiesReader {
  package static let header = "sequence,start,end,activity"
  package static let fileName = "activities.csv"
  package static let mostActivities = 1000
  package static let longestName = 100

  package struct File: Sendable {
    package let path: String
    package let tracks: [String: ActivityTrack]
    package let lines: [String: [Int]]
    package let notes: [TextNote]
  }

  package static func read(folder: String, of entries: [SequenceEntry]) throws -> File? {
    let path = DatasetPath.join(folder, fileName)
    guard try FileDescriptor.isFile(path) else { return nil }
    return try read(try FileBytes(path: path), name: path, of: entries)
  }

  package static func read(text: String, name: String, of entries: [SequenceEntry]) throws -> File {
    try read(MemoryBytes(Array(text.utf8)), name: name, of: entries)
  }

  private static func read(
    _ source: any ByteSource, name: String, of entries: [SequenceEntry]
  ) throws -> File {
    let lines = LineReader(source, name: name)
    var rows = ActivityRows(entries)
    try LabelsReader.forEachRow(of: lines, header: header) { row, number throws(LabelsProblem) in
      try rows.append(row, line: number)
    }
    return File(
      path: name, tracks: try rows.tracks(file: name), lines: rows.lines, notes: lines.notes)
  }
}

private struct ActivityRows {
  private(set) var lines: [String: [Int]] = [:]
  private var segments: [String: [ActivitySegment]] = [:]
  private var activities: Set<String> = []
  private let names: SequenceNames

  init(_ entries: [SequenceEntry]) { names = SequenceNames(entries) }

  mutating func append(_ row: String, line: Int) throws(LabelsProblem) {
    let fields = row.split(separator: ",", omittingEmptySubsequences: false)
    guard fields.count == 4 else {
      throw .wrongFieldCount(found: fields.count, header: ActivitiesReader.header)
    }
    let sequence = try names.whole(String(fields[0]))
    let segment = ActivitySegment(
      start: try LabelsReader.seconds(fields[1], column: "start"),
      end: try LabelsReader.seconds(fields[2], column: "end"), name: try Self.name(fields[3]))
    activities.insert(segment.name)
    guard activities.count <= ActivitiesReader.mostActivities else {
      throw .tooManyActivities(allowed: ActivitiesReader.mostActivities)
    }
    segments[sequence, default: []].append(segment)
    lines[sequence, default: []].append(line)
  }

  func tracks(file: String) throws -> [String: ActivityTrack] {
    var tracks: [String: ActivityTrack] = [:]
    var first: (line: Int, problem: LabelTrackError.Problem)?
    for (sequence, own) in segments {
      do {
        tracks[sequence] = try ActivityTrack(own)
      } catch {
        let line = lines[sequence]?[error.segment] ?? 0
        if line < first?.line ?? .max { first = (line, error.problem) }
      }
    }
    guard let first else { return tracks }
    throw DatasetError.invalidLabels(file: file, line: first.line, problem: .segment(first.problem))
  }

  private static func name(_ field: Substring) throws(LabelsProblem) -> String {
    let isPlain = !field.unicodeScalars.contains { $0.properties.generalCategory == .control }
    guard isPlain, (1...ActivitiesReader.longestName).contains(field.count),
      field.first != " ", field.last != " "
    else { throw .notAnActivity(found: String(field.prefix(80))) }
    return String(field)
  }
}

private struct SequenceNames {
  private var byName: [String: [String]] = [:]
  private let all: [String]

  init(_ entries: [SequenceEntry]) {
    all = entries.map(\.name)
    for name in all {
      for short in Set([name, name.lastComponent]) { byName[short, default: []].append(name) }
    }
  }

  func whole(_ name: String) throws(LabelsProblem) -> String {
    let found = byName[name] ?? []
    if found.contains(name) { return name }
    guard let only = found.first else {
      throw .unknownSequence(found: String(name.prefix(80)), known: all)
    }
    guard found.count == 1 else {
      throw .sharedSequenceName(found: String(name.prefix(80)), names: found)
    }
    return only
  }
}

/// Reads `NAME.onsets.csv` beside `NAME.labels.csv`: the times at which classes truly started, in
/// the columns `time,plank,form`.
package enum OnsetsReader {
  package static let header = "time,plank,form"
  package static let ending = ".onsets.csv"

  package static func path(besideLabelsAt path: String) -> String {
    let labels = ".labels.csv"
    return (path.hasSuffix(labels) ? String(path.dropLast(labels.count)) : path) + ending
  }

  package static func read(path: String, of labels: LabelTrack) throws -> LabelTrack {
    try read(try FileBytes(path: path), name: path, of: labels)
  }

  package static func read(text: String, name: String, of labels: LabelTrack) throws -> LabelTrack {
    try read(MemoryBytes(Array(text.utf8)), name: name, of: labels)
  }

  private static func read(
    _ source: any ByteSource, name: String, of labels: LabelTrack
  ) throws -> LabelTrack {
    var onsets: [LabelOnset] = []
    var numbers: [Int] = []
    try LabelsReader.forEachRow(of: LineReader(source, name: name), header: header) {
      row, number throws(LabelsProblem) in
      onsets.append(try onset(of: row))
      numbers.append(number)
    }
    do {
      return try labels.adding(onsets)
    } catch {
      throw DatasetError.invalidLabels(
        file: name, line: numbers[error.onset], problem: .onset(error.problem))
    }
  }

  private static func onset(of row: String) throws(LabelsProblem) -> LabelOnset {
    let fields = row.split(separator: ",", omittingEmptySubsequences: false)
    guard fields.count == 3 else { throw .wrongFieldCount(found: fields.count, header: header) }
    return LabelOnset(
      time: try LabelsReader.seconds(fields[0], column: "time"),
      plank: fields[1].isEmpty ? nil : try LabelsReader.plank(fields[1], orElse: "nothing"),
      form: try LabelsReader.form(fields[2]))
  }
}

package enum OnsetsWriter {
  package static func text(of onsets: [LabelOnset]) -> String {
    var text = OnsetsReader.header + "\n"
    for onset in onsets {
      text += "\(onset.time.value),\(onset.plank?.name ?? ""),\(onset.form?.name ?? "")\n"
    }
    return text
  }
}
