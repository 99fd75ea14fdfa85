import PoseModel
import PoseRecording

/// Finds the separator and the columns, by names in a header or, without one, by what the rows
/// hold.
extension LabelTable {
  static let separators = Array("\t;,|".utf8) + [CSVText.blanks]
  static let headerLines = 60

  mutating func findHeader(from top: Int) throws -> Bool {
    var best: (rank: Int, line: Int, separator: UInt8, columns: LabelColumns)?
    var problem: (line: Int, error: any Error)?
    search: for separator in Self.separators where separator != CSVText.blanks || best == nil {
      text.separator = separator
      for index in top..<min(text.lines.count, top + Self.headerLines) {
        let found: LabelColumns?
        do { found = try header(at: index) } catch {
          problem = problem ?? (index, error)
          continue
        }
        guard let found else { continue }
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
    // A line above the names may have titles that each span several columns.
    if let problem, best?.rank != 0 || problem.line + 1 != best?.line { throw problem.error }
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
      let times = columns.times.columns
      guard
        fields.count != columns.names.count || times.isEmpty
          || !times.allSatisfy({ RawTime(fields[$0]) != nil })
      else {
        throw place(ofLine: index).unexpected(
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
    guard hasNames, !names.contains(where: { RawTime($0) != nil }), mayBeHeader(index) else {
      return nil
    }
    let below = sampleFields(from: index + 1)
    // R writes the names of rows without a header above them.
    if text.separator == CSVText.blanks, !below.isEmpty,
      below.allSatisfy({ $0.count == names.count + 1 && Int($0[0]) != nil })
    {
      names.insert("", at: 0)
    }
    let above = index > 0 ? text.fields(ofLine: index - 1) : []
    if above.count == names.count, !above.contains(where: { RawTime($0) != nil }) {
      names = zip(names, above).map { $0.isEmpty ? String($1) : $0 }
    }
    let found = try LabelColumns(
      names, wanted: options.columns, place: place(ofLine: index),
      rows: below.filter { $0.count == names.count })
    // A last line of labels side by side is not a header.
    return found?.times == .rows && below.isEmpty && names.count > 1 ? nil : found
  }

  /// Blanks do not split the names of a header that another separator splits like the rows below
  /// it, because labels and names may contain blanks.
  private func mayBeHeader(_ index: Int) -> Bool {
    guard text.separator == CSVText.blanks else { return true }
    let line = text.lines[index]
    return !LabelShapes.hasRange(line) && LabelWords.target(String(line)) == nil
      && partingSeparator(index) == nil
  }

  private func partingSeparator(_ index: Int) -> UInt8? {
    let below = contentLines(from: index + 1).prefix(Self.sampleSize)
    return Self.separators.first { separator in
      guard separator != CSVText.blanks else { return false }
      var other = text
      other.separator = separator
      let count = other.fieldCount(ofLine: index)
      return count > 1 && below.count { other.fieldCount(ofLine: $0) == count } * 2 >= below.count
    }
  }

  func missingHeader(_ top: Int) -> PoseSourceError {
    var text = text
    text.separator = partingSeparator(top) ?? UInt8(ascii: ",")
    if text.fieldCount(ofLine: top) == 1,
      text.lines[top].split(separator: " ").contains(where: { RawTime($0) != nil })
    {
      text.separator = CSVText.blanks
    }
    let names = text.fields(ofLine: top).map(String.init)
    let lines = Array(contentLines(from: top).prefix(Self.sampleSize))
    let hasHeader = !names.contains { RawTime($0) != nil || ImageName($0) != nil }
    let rows = (hasHeader && names.count > 1 ? Array(lines.dropFirst()) : lines)
      .map { text.fields(ofLine: $0) }
    let guess = LabelGuess(rows, labels: options.labels)
    let line = text.lines[top]
    let place = place(ofLine: top)
    if options.columns == SegmentColumns(),
      let ranged = lines.map({ (line: text.lines[$0], place: self.place(ofLine: $0)) })
        .first(where: { LabelShapes.hasRange($0.line) })
    {
      let begins = LabelShapes.range(ranged.line.prefix { !": \t,;".contains($0) }) != nil
      let verb = begins ? "begins with" : "has"
      return ranged.place.unexpected(
        "the line", "`\(ranged.line.prefix(80))`, which \(verb) a range",
        "the start and the end in two columns, with the label in a third: 1.0,2.5,high")
    }
    if options.columns == SegmentColumns(),
      let problem = guess.problem(
        names, line: line, lines: lines.count,
        hasFreeCommas: hasHeader || text.separator != UInt8(ascii: ","), place: place)
    {
      return problem
    }
    let wanted = options.columns
    let missing =
      [wanted.start ?? "start", wanted.end ?? "end", wanted.label ?? "label"]
      .first { name in !line.lowercased().contains(name.lowercased()) } ?? "start"
    return place.unexpected(
      hasHeader ? "the header" : "the first line",
      "`\(line.prefix(120))`, without " + (hasHeader ? "`\(missing)`" : "names of columns"),
      "a header line that names the columns, or the \(hasHeader ? "names" : "numbers") of your "
        + "columns: \(guess.option(hasHeader ? names : names.indices.map { "\($0 + 1)" }))")
  }

  // MARK: A table without a header

  mutating func guessColumns(from top: Int) throws -> Bool {
    for separator in Self.separators {
      text.separator = separator
      let rows = sampleFields(from: top)
      guard
        let found = options.columns == SegmentColumns()
          ? LabelGuess(rows, labels: options.labels).columns(hasFreeCommas: hasFreeCommas)
          : numbered(rows)
      else { continue }
      columns = found
      first = top
      return true
    }
    return false
  }

  private func numbered(_ rows: [[Substring]]) -> LabelColumns? {
    let wanted = options.columns
    guard let count = rows.first?.count, count >= 3, rows.allSatisfy({ $0.count == count }),
      let start = wanted.start.flatMap({ Int($0) }), let end = wanted.end.flatMap({ Int($0) }),
      let label = wanted.label.flatMap({ Int($0) }),
      [start, end, label].allSatisfy((1...count).contains)
    else { return nil }
    return LabelColumns(
      .segments(start: start - 1, end: end - 1), label: label - 1, of: (1...count).map(String.init))
  }
}
