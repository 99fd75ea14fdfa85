package import PoseModel

/// A text format in which another program writes labeled stretches of time.
package enum LabelTextFormat: String, CaseIterable, Hashable, Sendable {
  /// An exported Audacity label track: start, end and text, separated by tabs.
  case audacity
  /// A table with a header line, one segment per row.
  case csv

  /// The most probable format of a text: Audacity's if its first line has a tab.
  package init(guessing source: NamedText) {
    let first = source.text.split(whereSeparator: \.isNewline).first ?? ""
    self = first.contains("\t") ? .audacity : .csv
  }
}

/// The columns of a segment table by name, compared case-insensitively.
package struct SegmentColumns: Hashable, Sendable {
  /// The column of the start, in seconds.
  package let start: String
  /// The column of the end, in seconds.
  package let end: String
  /// The column of the label, or nil for the first of `label`, `class`, `plank` and `text`.
  package let label: String?
  /// The column of the form that completes the label, or nil for `form` if there is one.
  package let form: String?

  /// Names columns.
  package init(
    start: String = "start", end: String = "end", label: String? = nil, form: String? = nil
  ) {
    self.start = start
    self.end = end
    self.label = label
    self.form = form
  }
}

/// How to read a label text.
package struct LabelTextOptions: Hashable, Sendable {
  /// The format, or nil to guess it.
  package let format: LabelTextFormat?
  /// The meanings of labels that are not this project's own words.
  package let labels: LabelMap
  /// The columns of a table.
  package let columns: SegmentColumns
  /// The offset added to every time: where the labels' clock starts on the recording's clock.
  package let offset: Seconds

  /// Checks options and keeps them.
  ///
  /// - Throws: `PoseSourceError.invalidOption` for an offset that is not finite.
  package init(
    format: LabelTextFormat? = nil, labels: LabelMap = LabelMap(),
    columns: SegmentColumns = SegmentColumns(), offset: Seconds = Seconds(0)
  ) throws {
    guard offset.value.isFinite else {
      throw PoseSourceError.invalidOption(
        "the offset", found: "\(offset)", allowed: "seconds, for example 1.25")
    }
    self.format = format
    self.labels = labels
    self.columns = columns
    self.offset = offset
  }
}

/// Reads labels that were made with another program.
///
/// A label is one of this project's own words (`none`, `ignore`, `high`, `forearm/sag`), or its
/// meaning is in the options' map, which wins. Segments must be in order and must not overlap.
package struct LabelTextReader: Sendable {
  /// How to read texts.
  package let options: LabelTextOptions

  /// Makes a reader.
  package init(options: LabelTextOptions) { self.options = options }

  /// Reads the labels of one recording.
  ///
  /// - Throws: `PoseSourceError` with file and line of the first mistake, or with all labels
  ///   without a meaning.
  package func track(from source: NamedText) throws -> LabelTrack {
    let rows =
      switch options.format ?? LabelTextFormat(guessing: source) {
      case .audacity: try LabelRow.audacity(source)
      case .csv: try LabelRow.table(source, columns: options.columns)
      }
    let meanings = try meanings(of: rows, file: source.name)
    let segments = zip(rows, meanings).map { row, meaning in
      LabeledSegment(
        start: time(row.start), end: time(row.end), plank: meaning.plank, form: meaning.form)
    }
    do {
      return try LabelTrack(segments)
    } catch {
      throw PoseSourceError.unusableLabels(sequence: rows[error.segment].place.description, error)
    }
  }

  private func meanings(of rows: [LabelRow], file: String) throws -> [LabelTarget] {
    let meanings = rows.compactMap { meaning(of: $0.label) }
    guard meanings.count == rows.count else {
      let seen = LabelCount.counts(of: rows.map(\.label))
      throw PoseSourceError.unmappedLabels(
        file: file, seen: seen, unmapped: seen.map(\.label).filter { meaning(of: $0) == nil })
    }
    return meanings
  }

  private func meaning(of label: String) -> LabelTarget? {
    options.labels.targets[label] ?? (try? LabelTarget(label)) ?? options.labels[label]
  }

  private func time(_ seconds: Double) -> Seconds {
    let offset = options.offset.value
    return Seconds(offset == 0 ? seconds : roundedToMicroseconds(seconds + offset))
  }
}

/// One labeled stretch of time, as written in a text.
struct LabelRow: Hashable {
  /// Its place.
  let place: SourcePlace
  /// The first instant, in seconds.
  let start: Double
  /// The first instant after it, in seconds.
  let end: Double
  /// The label as written, without surrounding blanks.
  let label: String

  /// Reads an exported Audacity label track.
  ///
  /// Lines that start with a backslash hold the frequencies of the label above and are skipped.
  ///
  /// - Throws: `PoseSourceError` with the line of the first mistake.
  static func audacity(_ source: NamedText) throws -> [LabelRow] {
    var rows: [LabelRow] = []
    for (index, line) in CSVText(source).lines.enumerated() where !line.hasPrefix("\\") {
      let place = SourcePlace(file: source.name, line: index + 1)
      let fields = line.split(separator: "\t", maxSplits: 2, omittingEmptySubsequences: false)
      guard fields.count >= 2 else {
        throw PoseSourceError.unexpectedValue(
          file: place.description, path: "the line", found: "`\(line.prefix(40))`",
          allowed: "start, end and text separated by tabs, as Audacity exports them")
      }
      let row = LabelRow(
        place: place, start: try seconds(fields[0], "start", place),
        end: try seconds(fields[1], "end", place),
        label: trimmed(fields.count > 2 ? fields[2] : ""))
      guard row.start != row.end else {
        throw PoseSourceError.unexpectedValue(
          file: place.description, path: "the label `\(row.label)`",
          found: "a point at \(row.start) s",
          allowed: "a region: drag its edges apart, or remove it")
      }
      rows.append(row)
    }
    guard !rows.isEmpty else { throw PoseSourceError.emptyTable(file: source.name) }
    return rows
  }

  /// Reads a segment table.
  ///
  /// - Throws: `PoseSourceError` with the line of the first mistake.
  static func table(_ source: NamedText, columns: SegmentColumns) throws -> [LabelRow] {
    let text = CSVText(source)
    guard text.lines.count >= 2 else { throw PoseSourceError.emptyTable(file: source.name) }
    let header = try SegmentHeader(
      text.fields(ofLine: 0).map(String.init), columns: columns,
      place: SourcePlace(file: source.name, line: 1))
    var rows: [LabelRow] = []
    for index in 1..<text.lines.count {
      let place = SourcePlace(file: source.name, line: index + 1)
      let fields = text.fields(ofLine: index)
      guard fields.count == header.count else {
        throw PoseSourceError.wrongFieldCount(place, found: fields.count, expected: header.count)
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
  ) throws -> Double {
    let text = trimmed(field)
    guard let value = Double(decimal: text), value.isFinite else {
      throw PoseSourceError.unexpectedValue(
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

/// The positions of the columns of a segment table.
struct SegmentHeader {
  /// How many columns there are.
  let count: Int
  /// The position of the start's column.
  let start: Int
  /// The position of the end's column.
  let end: Int
  /// The position of the label's column.
  let label: Int
  /// The position of the form's column, if there is one.
  let form: Int?

  /// The columns of labels if none is given; the first that exists wins.
  static let usualLabels = ["label", "class", "plank", "text"]

  /// Finds the columns.
  ///
  /// - Throws: `PoseSourceError` for a column that is missing or repeated.
  init(_ names: [String], columns: SegmentColumns, place: SourcePlace) throws {
    let lowercased = names.map { $0.lowercased() }
    func position(_ name: String) throws -> Int? {
      let found = lowercased.indices.filter { lowercased[$0] == name.lowercased() }
      guard found.count < 2 else { throw PoseSourceError.repeatedColumn(place, column: name) }
      return found.first
    }
    func required(_ name: String) throws -> Int {
      if let position = try position(name) { return position }
      throw PoseSourceError.unexpectedValue(
        file: place.description, path: "the header",
        found: "`\(names.joined(separator: ","))`, without `\(name)`",
        allowed: "a header line that names the columns, or the names of your columns")
    }
    count = names.count
    start = try required(columns.start)
    end = try required(columns.end)
    var usual: Int?
    for name in Self.usualLabels where usual == nil { usual = try position(name) }
    if let named = columns.label {
      label = try required(named)
    } else if let usual {
      label = usual
    } else {
      throw PoseSourceError.noLabelColumn(place, expected: Self.usualLabels, columns: names)
    }
    if let named = columns.form { form = try required(named) } else { form = try position("form") }
  }
}
