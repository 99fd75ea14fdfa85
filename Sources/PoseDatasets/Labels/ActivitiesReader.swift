package import PoseModel

/// Reads the activities of a dataset: `sequence,start,end,activity`, one half-open segment per row.
///
/// `activities.csv` is beside the manifest and covers all of its sequences. A sequence is named as
/// in reports, or by the last part of that name if no other sequence shares it.
package enum ActivitiesReader {
  /// The first line of every file of activities.
  package static let header = "sequence,start,end,activity"
  /// The name of the file, beside the manifest.
  package static let fileName = "activities.csv"
  /// The largest number of different activities in a dataset.
  package static let mostActivities = 1000
  /// The longest name of an activity, in characters.
  package static let longestName = 100

  /// Activities with their places and remarks on their text.
  package struct File: Sendable {
    /// The file's path.
    package let path: String
    /// The activities of each sequence, by the sequence's whole name.
    package let tracks: [String: ActivityTrack]
    /// The line of each segment, from 1, by the sequence's whole name.
    package let lines: [String: [Int]]
    /// Facts about the text that are worth reporting.
    package let notes: [TextNote]
  }

  /// Reads the file beside a manifest.
  ///
  /// - Parameter entries: the sequences of the manifest.
  /// - Returns: nil if there is no such file.
  /// - Throws: `DatasetError` with the line of the first mistake.
  package static func read(folder: String, of entries: [SequenceEntry]) throws -> File? {
    let path = DatasetPath.join(folder, fileName)
    guard try FileDescriptor.isFile(path) else { return nil }
    return try read(try FileBytes(path: path), name: path, of: entries)
  }

  /// Reads activities from a text.
  ///
  /// - Parameter name: the text's name in errors.
  package static func read(text: String, name: String, of entries: [SequenceEntry]) throws -> File {
    try read(MemoryBytes(Array(text.utf8)), name: name, of: entries)
  }

  private static func read(
    _ source: any ByteSource, name: String, of entries: [SequenceEntry]
  ) throws -> File {
    let lines = LineReader(source, name: name)
    guard let first = try lines.next() else {
      throw DatasetError.invalidLabels(file: name, line: nil, problem: .empty(header: header))
    }
    let found = try LabelsReader.text(of: first, lines)
    guard found == header else {
      throw DatasetError.invalidLabels(
        file: name, line: first.number,
        problem: .wrongHeader(found: String(found.prefix(80)), allowed: header))
    }
    var rows = ActivityRows(entries)
    while let line = try lines.next() {
      let row = try LabelsReader.text(of: line, lines)
      do {
        try rows.append(row, line: line.number)
      } catch {
        throw DatasetError.invalidLabels(file: name, line: line.number, problem: error)
      }
    }
    return File(
      path: name, tracks: try rows.tracks(file: name), lines: rows.lines, notes: lines.notes)
  }
}

/// The rows of a file of activities, by sequence.
private struct ActivityRows {
  /// The line of each segment, by the sequence's whole name.
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

  /// The checked segments of every sequence; of several faults, the one on the first line.
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

/// The names by which rows may call the sequences of a dataset.
private struct SequenceNames {
  /// The whole names, by whole name and by last part; several where sequences share a last part.
  private var byName: [String: [String]] = [:]
  private let all: [String]

  init(_ entries: [SequenceEntry]) {
    all = entries.map(\.name)
    for name in all {
      let last = String(name.split(separator: "/").last ?? "")
      for short in Set([name, last]) { byName[short, default: []].append(name) }
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
