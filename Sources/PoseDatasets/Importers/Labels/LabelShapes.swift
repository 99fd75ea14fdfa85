import PoseModel
import PoseRecording

/// Rewrites tables of other shapes line by line, with columns for label, start and end, so that
/// line numbers stay the same.
enum LabelShapes {
  private static let mostTitles = 8

  static func plain(_ source: NamedText) throws -> (source: NamedText, notes: [String])? {
    var text = CSVText(source)
    if let lines = try annotatorLines(&text) { return (named(source, lines), []) }
    let tops = text.lines.indices.filter { LabelTable.isContent(text.lines[$0]) }.prefix(mostTitles)
    for separator in LabelTable.separators where separator != CSVText.blanks {
      text.separator = separator
      for top in tops {
        let names = withoutPrefix(text.fields(ofLine: top)).map { ColumnName(String($0)) }
        guard names.count > 1 else { continue }
        if let marks = Marks(names, text, below: top) {
          return (named(source, try marks.lines(of: text, top: top)), [marks.note])
        }
        if let lines = rangeLines(of: text, names, top: top) { return (named(source, lines), []) }
      }
    }
    return nil
  }

  private static func named(_ source: NamedText, _ lines: [String]) -> NamedText {
    NamedText(name: source.name, text: lines.joined(separator: "\n") + "\n")
  }

  private static func rows(of text: CSVText, below top: Int) -> [(line: Int, fields: [Substring])] {
    text.lines.indices.dropFirst(top + 1).filter { LabelTable.isContent(text.lines[$0]) }
      .map { ($0, text.fields(ofLine: $0)) }
  }

  private static func line(_ fields: [some StringProtocol], _ separator: UInt8) -> String {
    fields.map { "\"" + String($0).replacing("\"", with: "\"\"") + "\"" }
      .joined(separator: String(Unicode.Scalar(separator)))
  }

  // MARK: One column per class

  /// Returns `high` and `none` for `label_high` and `label_none`, as pandas names the columns that
  /// it makes of a column `label`.
  private static func withoutPrefix(_ names: [Substring]) -> [Substring] {
    let parts = names.map { $0.split(separator: "_", maxSplits: 1) }
    let known = parts.filter { $0.count == 2 && LabelWords.target(String($0[1])) != nil }
    guard known.count > 1, Set(known.map { $0[0] }).count == 1,
      let prefix = known.first.map({ ColumnName(String($0[0])) }), prefix.role == nil,
      !prefix.isOfRemark
    else { return names }
    return zip(names, parts).map { $1.count == 2 && $1[0] == known[0][0] ? $1[1] : $0 }
  }

  private static let marks = [
    "": false, "0": false, "0.0": false, "false": false, "f": false, "no": false, "n": false,
    "-": false, "na": false, "n/a": false, "nan": false, "null": false, "1": true, "1.0": true,
    "true": true, "t": true, "yes": true, "y": true, "x": true, "\u{2713}": true, "\u{2714}": true,
  ]

  static func mark(_ field: some StringProtocol) -> Bool? { marks[field.lowercased()] }

  private struct Marks {
    let names: [ColumnName]
    let planks: [Int]
    let forms: [Int]
    private let rows: [(line: Int, fields: [Substring])]

    private static let flags: Set = ["0", "0.0", "false", "1", "1.0", "true"]

    init?(_ names: [ColumnName], _ text: CSVText, below top: Int) {
      guard names.count(where: { LabelWords.target($0.name) != nil }) > 1 else { return nil }
      let rows = LabelShapes.rows(of: text, below: top)
      guard !rows.isEmpty, rows.allSatisfy({ $0.fields.count == names.count }),
        !names.indices.contains(where: { column in
          names[column].isUsualLabel
            && !rows.allSatisfy { Self.flags.contains($0.fields[column].lowercased()) }
        })
      else { return nil }
      self.rows = rows
      // Columns of unknown classes count as well; `--label` says what they mean.
      let marks = names.indices.filter { column in
        let name = names[column].name
        let isKnown = LabelWords.target(name) != nil || LabelWords.form(name) != nil
        return names[column].role == nil && !LabelReview.isVerdict(names[column])
          && rows.allSatisfy { row in
            let field = row.fields[column].lowercased()
            return isKnown ? mark(field) != nil : Self.flags.contains(field)
          }
      }
      guard
        names.indices.allSatisfy({ marks.contains($0) || LabelWords.target(names[$0].name) == nil })
      else { return nil }
      self.names = names
      forms = marks.filter {
        LabelWords.target(names[$0].name) == nil && LabelWords.form(names[$0].name) != nil
      }
      planks = marks.filter { [forms] in !forms.contains($0) }
    }

    var note: String {
      "a row's label is the marked column among \(LabelSheet.list(planks.map { names[$0].name }))"
        + (forms.isEmpty
          ? "" : ", and its form is that among \(LabelSheet.list(forms.map { names[$0].name }))")
    }

    func lines(of text: CSVText, top: Int) throws -> [String] {
      var lines = text.lines.map(String.init)
      func replace(_ line: Int, _ fields: [Substring], _ own: [String]) {
        let others = fields.indices.filter { !planks.contains($0) && !forms.contains($0) }
        lines[line] = LabelShapes.line(own + others.map { String(fields[$0]) }, text.separator)
      }
      // Without columns of forms, the table's own column `form` counts.
      replace(top, names.map { Substring($0.name) }, ["label"] + (forms.isEmpty ? [] : ["form"]))
      for (line, fields) in rows {
        let place = SourcePlace(file: text.file, line: line + 1)
        let plank = try marked(planks, fields, place)
        let form = try marked(forms, fields, place)
        let hasNone = planks.contains {
          LabelWords.target(names[$0].name)?.plank == PlankClass.none
        }
        guard plank != nil || hasNone else {
          throw place.unusable(
            "none of the columns \(LabelSheet.list(planks.map { names[$0].name })) is marked",
            "add a column `none` with 1 where there is no plank")
        }
        replace(line, fields, [plank ?? ""] + (forms.isEmpty ? [] : [form ?? ""]))
      }
      return lines
    }

    private func marked(
      _ columns: [Int], _ fields: [Substring], _ place: SourcePlace
    ) throws -> String? {
      let found = columns.filter { mark(fields[$0]) == true }.map { names[$0].name }
      guard found.count < 2 else {
        throw place.unusable(
          "several of the columns are marked: \(LabelSheet.list(found))",
          "mark only one of them, or remove a column that is not of a class")
      }
      return found.first
    }
  }

  // MARK: Ranges in one cell

  private static func rangeLines(of text: CSVText, _ names: [ColumnName], top: Int) -> [String]? {
    guard names.contains(where: \.isOfRange), !names.contains(where: { $0.role == .start }) else {
      return nil
    }
    let rows = rows(of: text, below: top)
    guard !rows.isEmpty, rows.allSatisfy({ $0.fields.count == names.count }),
      let column = names.indices.first(where: { column in
        names[column].isOfRange && rows.allSatisfy { range($0.fields[column]) != nil }
      })
    else { return nil }
    var lines = text.lines.map(String.init)
    func replace(_ line: Int, _ fields: [Substring], _ pair: [Substring]) {
      lines[line] = Self.line(
        Array(fields[..<column] + pair + fields[(column + 1)...]), text.separator)
    }
    let name = names[column].name
    replace(top, names.map { Substring($0.name) }, ["\(name) start", "\(name) end"])
    for (line, fields) in rows {
      guard let pair = range(fields[column]) else { continue }
      replace(line, fields, [pair.start, pair.end])
    }
    return lines
  }

  /// Parses `1.0-2.5`, `0:01 – 0:02`, `1 to 2` or `[1.0, 2.5]`.
  static func range(_ cell: Substring) -> (start: Substring, end: Substring)? {
    let isBracketed = cell.first.map { "[(".contains($0) } ?? false
    if isBracketed, cell.last.map({ !"])".contains($0) }) ?? true { return nil }
    let inner = isBracketed ? cell.dropFirst().dropLast() : cell
    for mark in ["\u{2013}", "\u{2014}", " to ", "-"] + (isBracketed ? [",", ";"] : []) {
      let parts = inner.split(separator: mark, omittingEmptySubsequences: false)
      guard parts.count == 2 else { continue }
      let times = parts.map { Substring($0.trimmed) }
      guard times.allSatisfy({ RawTime($0) != nil }) else { continue }
      return (times[0], times[1])
    }
    return nil
  }

  /// Whether a line of text has a range, as in `0:01-0:02 high`, `* 0 to 2 s: high` or `high: 0-2`.
  static func hasRange(_ line: Substring) -> Bool {
    func isMark(_ character: Character) -> Bool { "*:;,()\u{2022}".contains(character) }
    let words = line.split(whereSeparator: \.isWhitespace).map {
      String($0.drop(while: isMark).reversed().drop(while: isMark).reversed())
    }
    return words.indices.contains { index in
      range(words[index][...]) != nil
        || range(words[index...].prefix(3).joined(separator: " ")[...]) != nil
    }
  }

  // MARK: VGG Image Annotator

  private static let annotatorMark = "# CSV_HEADER = "

  private static func annotatorLines(_ text: inout CSVText) throws -> [String]? {
    text.separator = UInt8(ascii: ",")
    guard let top = text.lines.firstIndex(where: { $0.hasPrefix(annotatorMark) }) else {
      return nil
    }
    var names = text.fields(ofLine: top)
    names[0] = names[0].dropFirst(annotatorMark.count)
    let columns = ["temporal_coordinates", "metadata", "file_list"].compactMap {
      names.firstIndex(of: Substring($0))
    }
    guard columns.count == 3 else { return nil }
    var lines = text.lines.map(String.init)
    lines[top] = "start,end,label,file"
    for (index, fields) in rows(of: text, below: top) {
      let place = SourcePlace(file: text.file, line: index + 1)
      func texts(_ column: Int) throws -> [String] {
        try JSONNode(String(fields[column]), file: place.description).children.compactMap(\.text)
      }
      guard fields.count == names.count else {
        throw PoseSourceError.wrongFieldCount(place, found: fields.count, expected: names.count)
      }
      let (labels, files) = try (texts(columns[1]), texts(columns[2]))
      let label = labels.filter { !$0.isEmpty }.joined(separator: ", ")
      guard let times = range(fields[columns[0]]), files.count == 1,
        labels.count == 1 || LabelWords.target(label) != nil
      else {
        throw place.unexpected(
          "the row", "without one start and end, one attribute and one file",
          "temporal segments with one attribute each, or a plank and its form")
      }
      lines[index] = line(
        [String(times.start), String(times.end), label, files[0]], text.separator)
    }
    return lines
  }

  // MARK: JSON in cells

  /// Returns one object for each row, on its line, if cells hold JSON.
  static func jsonLines(_ source: NamedText) -> NamedText? {
    guard source.text.contains("[{\"\"") || source.text.contains("\t[{\"") else { return nil }
    var text = CSVText(source)
    guard text.lines.count > 1,
      let separator = LabelTable.separators.dropLast().max(by: { one, other in
        let counts = [one, other].map {
          text.separator = $0
          return text.fieldCount(ofLine: 0)
        }
        return counts[0] < counts[1]
      })
    else { return nil }
    text.separator = separator
    let names = text.fields(ofLine: 0)
    let columns = names.indices.filter { column in
      !names[column].isEmpty && !names[..<column].contains(names[column])
    }
    let recordings = Set(
      columns.filter { column in
        LabelColumns.usualRecordings.contains(where: ColumnName(String(names[column])).isNamed)
      })
    return named(
      source,
      [""]
        + text.lines.indices.dropFirst().map { index in
          let fields = text.fields(ofLine: index)
          let pairs = columns.filter(fields.indices.contains).map { column in
            let field = fields[column]
            let number = recordings.contains(column) ? nil : Double(decimal: field).map { "\($0)" }
            return json(names[column]) + ": "
              + (field.hasPrefix("[{") ? String(field) : number ?? json(field))
          }
          return "{\(pairs.joined(separator: ", "))}"
        })
  }

  private static func json(_ text: Substring) -> String {
    let plain = String(
      String.UnicodeScalarView(text.unicodeScalars.map { $0.value < 0x20 ? " " : $0 }))
    return "\"\(plain.replacing("\\", with: "\\\\").replacing("\"", with: "\\\""))\""
  }
}
