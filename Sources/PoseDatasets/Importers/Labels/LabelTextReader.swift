package import PoseModel

package enum LabelTextFormat: String, CaseIterable, Hashable, Sendable {
  case audacity
  case csv

  /// The most probable format of a text: Audacity's if its first line has a tab.
  package init(guessing source: NamedText) {
    let first = source.text.split(whereSeparator: \.isNewline).first ?? ""
    self = first.contains("\t") ? .audacity : .csv
  }
}

package struct SegmentColumns: Hashable, Sendable {
  package let start: String
  package let end: String
  package let label: String?
  package let form: String?

  package init(
    start: String = "start", end: String = "end", label: String? = nil, form: String? = nil
  ) {
    self.start = start
    self.end = end
    self.label = label
    self.form = form
  }
}

package struct LabelTextOptions: Hashable, Sendable {
  package let format: LabelTextFormat?
  package let labels: LabelMap
  package let columns: SegmentColumns
  /// The offset added to every time: where the labels' clock starts on the recording's clock.
  package let offset: Seconds

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

/// A label is one of this project's own words (`none`, `ignore`, `high`, `forearm/sag`), or its
/// meaning is in the options' map, which wins; segments are in order and do not overlap.
package struct LabelTextReader: Sendable {
  package let options: LabelTextOptions

  package init(options: LabelTextOptions) { self.options = options }

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

struct LabelRow: Hashable {
  let place: SourcePlace
  let start: Double
  let end: Double
  let label: String

  /// Lines that start with a backslash hold the frequencies of the label above and are skipped.
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

struct SegmentHeader {
  let count: Int
  let start: Int
  let end: Int
  let label: Int
  let form: Int?

  static let usualLabels = ["label", "class", "plank", "text"]

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
