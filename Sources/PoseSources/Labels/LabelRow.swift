/// One labeled stretch of time as it stands in a text.
struct LabelRow: Hashable {
  /// Where it stands.
  let place: SourcePlace
  /// The first instant, in seconds.
  let start: Double
  /// The first instant after it, in seconds.
  let end: Double
  /// The label as it was written, without blanks around it.
  let label: String

  /// Reads an exported Audacity label track.
  ///
  /// Lines that begin with a backslash hold the frequencies of the label above and are skipped.
  ///
  /// - Throws: `PoseSourceError` with the line of the first fault.
  static func audacity(_ source: NamedText) throws(PoseSourceError) -> [LabelRow] {
    var rows: [LabelRow] = []
    for (index, line) in CSVText(source).lines.enumerated() where !line.hasPrefix("\\") {
      let place = SourcePlace(file: source.name, line: index + 1)
      let fields = line.split(separator: "\t", maxSplits: 2, omittingEmptySubsequences: false)
      guard fields.count >= 2 else {
        throw .unexpectedValue(
          file: place.description, path: "the line", found: "`\(line.prefix(40))`",
          allowed: "start, end and text separated by tabs, as Audacity exports them")
      }
      let row = LabelRow(
        place: place, start: try seconds(fields[0], "start", place),
        end: try seconds(fields[1], "end", place),
        label: trimmed(fields.count > 2 ? fields[2] : ""))
      guard row.start != row.end else {
        throw .unexpectedValue(
          file: place.description, path: "the label `\(row.label)`",
          found: "a point at \(row.start) s",
          allowed: "a region: drag its edges apart, or remove it")
      }
      rows.append(row)
    }
    guard !rows.isEmpty else { throw .emptyTable(file: source.name) }
    return rows
  }

  /// Reads a segment table.
  ///
  /// - Throws: `PoseSourceError` with the line of the first fault.
  static func table(
    _ source: NamedText, columns: SegmentColumns
  ) throws(PoseSourceError) -> [LabelRow] {
    let text = CSVText(source)
    guard text.lines.count >= 2 else { throw .emptyTable(file: source.name) }
    let header = try SegmentHeader(
      text.fields(ofLine: 0).map(String.init), columns: columns,
      place: SourcePlace(file: source.name, line: 1))
    var rows: [LabelRow] = []
    for index in 1..<text.lines.count {
      let place = SourcePlace(file: source.name, line: index + 1)
      let fields = text.fields(ofLine: index)
      guard fields.count == header.count else {
        throw .wrongFieldCount(place, found: fields.count, expected: header.count)
      }
      let form = header.form.map { trimmed(fields[$0]) } ?? ""
      let label = trimmed(fields[header.label])
      rows.append(
        LabelRow(
          place: place, start: try seconds(fields[header.start], columns.start, place),
          end: try seconds(fields[header.end], columns.end, place),
          label: form.isEmpty ? label : "\(label)/\(form)"))
    }
    return rows
  }

  private static func seconds(
    _ field: Substring, _ name: String, _ place: SourcePlace
  ) throws(PoseSourceError) -> Double {
    // Swift would also read hexadecimal numbers and spelled-out infinities.
    let text = trimmed(field)
    let isDecimal = text.utf8.allSatisfy { "0123456789+-.eE".utf8.contains($0) }
    guard isDecimal, let value = Double(text), value.isFinite else {
      throw .unexpectedValue(
        file: place.description, path: "`\(name)`", found: "`\(text)`",
        allowed: "seconds with a decimal point, for example 12.5")
    }
    return value
  }

  private static func trimmed(_ field: Substring) -> String {
    let blanks: Set<Character> = [" ", "\t"]
    var field = field.drop(while: blanks.contains)
    while let last = field.last, blanks.contains(last) { field.removeLast() }
    return String(field)
  }
}
