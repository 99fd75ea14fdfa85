import PoseModel
import PoseRecording

/// Finds the separator and the columns, by names in a header or by what rows without one hold.
extension LabelTable {
  private static let separators = Array("\t;,|".utf8) + [CSVText.blanks]
  private static let headerLines = 60
  private static let mostStarts = 40

  mutating func findHeader(from top: Int) throws -> Bool {
    var best: (rank: Int, line: Int, separator: UInt8, columns: LabelColumns)?
    search: for separator in Self.separators where separator != CSVText.blanks || best == nil {
      text.separator = separator
      for index in top..<min(text.lines.count, top + Self.headerLines) {
        guard let found = try header(at: index) else { continue }
        let rank =
          switch found.times {
          case .segments, .durations: 0
          case .moments: 1
          case .rows: 2
          }
        if rank < best?.rank ?? .max { best = (rank, index, separator, found) }
        if rank == 0 { break search }
      }
    }
    // A comment such as `# start,end,label` may hold the names.
    if best == nil || best?.rank == 2 {
      for separator in Self.separators {
        text.separator = separator
        for index in 0..<top where text.lines[index].hasPrefix("#") {
          guard let found = try header(at: index), found.times != .rows else { continue }
          best = (0, index, separator, found)
        }
      }
    }
    guard let best else { return false }
    (columns, text.separator, first, hasHeader) = (
      best.columns, best.separator, best.line + 1, true
    )
    for index in top..<max(top, best.line) {
      let fields = text.fields(ofLine: index)
      let times = columns.timeColumns
      guard
        fields.count != columns.names.count || times.isEmpty
          || !times.allSatisfy({ RawTime(fields[$0]) != nil })
      else {
        throw SourcePlace(file: source.name, line: index + 1).unexpected(
          "the row", "above the header in line \(best.line + 1)", "the header above all rows")
      }
      guard fields.count >= 2, let name = fields.first.map({ ColumnName(String($0)) }),
        LabelColumns.usualRecordings.contains(where: name.isNamed), !fields[1].isEmpty
      else { continue }
      recordings.append(String(fields[1]))
    }
    return true
  }

  private func header(at index: Int) throws -> LabelColumns? {
    var names = text.fields(ofLine: index).map(String.init)
    if let name = names.first, name.hasPrefix("#"), name.count > 1 {
      names[0] = String(name.dropFirst().drop { $0 == " " })
    }
    let hasNames = names.contains { !$0.isEmpty }
    guard hasNames, !names.contains(where: { RawTime($0) != nil }) else { return nil }
    let rows = sampleFields(from: index + 1).filter { $0.count == names.count }
    return try LabelColumns(
      names, wanted: options.columns, place: SourcePlace(file: source.name, line: index + 1),
      rows: rows)
  }

  func missingHeader(_ top: Int) -> PoseSourceError {
    let wanted = options.columns
    let line = text.lines[top]
    let missing =
      [wanted.start ?? "start", wanted.end ?? "end", wanted.label ?? "label"]
      .first { name in !line.lowercased().contains(name.lowercased()) } ?? "start"
    return SourcePlace(file: source.name, line: top + 1).unexpected(
      "the header", "`\(line.prefix(120))`, without `\(missing)`",
      "a header line that names the columns, or the names of your columns: "
        + "--columns \"START,END,LABEL\"")
  }

  // MARK: A table without a header

  mutating func guessColumns(from top: Int) throws -> Bool {
    for separator in Self.separators {
      text.separator = separator
      let rows = sampleFields(from: top)
      guard let count = rows.first?.count, count >= 3, rows.allSatisfy({ $0.count == count }),
        let found = options.columns == SegmentColumns()
          ? Self.guess(rows, count, separator) : numbered(of: count)
      else { continue }
      columns = LabelColumns(
        start: found.0, end: found.1, label: found.2, of: (1...count).map(String.init))
      first = top
      return true
    }
    return false
  }

  private func numbered(of count: Int) -> (Int, Int, Int)? {
    let wanted = options.columns
    guard let start = wanted.start.flatMap({ Int($0) }), let end = wanted.end.flatMap({ Int($0) }),
      let label = wanted.label.flatMap({ Int($0) }),
      [start, end, label].allSatisfy((1...count).contains)
    else { return nil }
    return (start - 1, end - 1, label - 1)
  }

  private static func guess(
    _ rows: [[Substring]], _ count: Int, _ separator: UInt8
  ) -> (Int, Int, Int)? {
    let hasFreeCommas = separator != UInt8(ascii: ",")
    let times = (0..<count).map { column in
      rows.map { RawTime($0[column], hasFreeCommas: hasFreeCommas) }
    }
    func isClock(_ column: Int) -> Bool { times[column].first??.number == nil }
    let timed = times.indices.filter { column in
      times[column].allSatisfy { $0 != nil && ($0?.number == nil) == isClock(column) }
    }
    let texts = (0..<count).filter { column in
      times[column].allSatisfy { $0 == nil } && rows.contains { !$0[column].isEmpty }
    }
    let known = texts.last { column in
      rows.contains { LabelWords.target(String($0[column])) != nil }
    }
    guard let label = known ?? texts.last else { return nil }
    var best: (start: Int, end: Int, faults: Int)?
    for (index, start) in timed.enumerated().prefix(mostStarts) {
      for end in timed[(index + 1)...] where isClock(start) == isClock(end) {
        let pairs = zip(times[start], times[end]).map { one, other in
          (start: one?.rank ?? .infinity, end: other?.rank ?? .infinity)
        }
        guard pairs.allSatisfy({ $0.start <= $0.end }) else { continue }
        // Row numbers or frame numbers would give overlapping or empty segments.
        let faults =
          zip(pairs, pairs.dropFirst()).count { $1.start >= $0.start && $1.start < $0.end }
          + pairs.count { $0.start == $0.end }
        if faults < best?.faults ?? .max { best = (start, end, faults) }
      }
    }
    return best.map { ($0.start, $0.end, label) }
  }
}
