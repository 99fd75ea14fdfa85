package import PoseModel

/// `sequence,start,end,activity`, one half-open segment per row; `activities.csv` is beside the
/// manifest.
///
/// A sequence is named as in reports, or by the last part of that name if it is unique.
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
