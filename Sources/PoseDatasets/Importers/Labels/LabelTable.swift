import PoseModel
import PoseRecording

struct LabelTable {
  let options: LabelTextOptions
  var text: CSVText
  var columns: LabelColumns
  var first: Int
  var hasHeader: Bool
  private var isAudacity = false
  private var groupMark: Character?
  private var minuteColumns: [Int: Int] = [:]
  private var sideColumn: Int?
  private var ownUnits: [Int: LabelUnit] = [:]
  var recordings: [String] = []
  var imageColumn: Int?
  private var clipColumn: Int?
  private var rejected: Set<Int> = []
  private var blanked: Set<Int> = []
  private var summaries = 0

  static let sampleSize = 200

  static func sheet(_ source: NamedText, options: LabelTextOptions) throws -> LabelSheet {
    let isTrack = (options.format ?? LabelTextFormat(guessing: source)) == .audacity
    let source = isTrack ? source : CSVText.flattened(source)
    if let objects = LabelShapes.jsonLines(source) { return try LabelJSON.sheet(objects) }
    let plain = options.columns == SegmentColumns() ? try LabelShapes.plain(source) : nil
    var sheet = try LabelTable(plain?.source ?? source, options: options).sheet()
    sheet.notes += plain?.notes ?? []
    return sheet
  }

  private init(_ source: NamedText, options: LabelTextOptions) throws {
    self.options = options
    text = CSVText(source)
    columns = LabelColumns(.rows, label: 0, of: [])
    (first, hasHeader) = (0, false)
    guard let top = text.lines.firstIndex(where: Self.isContent) else {
      throw PoseSourceError.emptyTable(file: text.file)
    }
    if options.format == .audacity || (options.format == nil && looksLikeAudacity(top)) {
      isAudacity = true
      text.separator = UInt8(ascii: "\t")
      first = top
    } else if try !findHeader(from: top), try !guessColumns(from: top) {
      throw missingHeader(top)
    }
    guard !isAudacity else { return }
    removeSummaries()
    try requireNoHiddenRow()
    findRejected()
    let rows = sampleFields()
    sideColumn = columns.unread.first { column in
      let values = rows.map { $0[column] }.filter { !$0.isEmpty }
      return column != columns.label && !values.isEmpty && values.allSatisfy(LabelWords.isSide)
        && rows.contains { row in
          let label = String(row[columns.label])
          return LabelWords.label(label, side: row[column]) != label
        }
    }
    groupMark = GroupMark.find(
      in: rows.flatMap { fields in columns.times.columns.map { fields[$0] } },
      areWhole: columns.unit.map { $0 != .seconds && $0.seconds ?? 0 <= 1e-3 } ?? false)
    minuteColumns = hasHeader ? columns.minutes(in: rows) : [:]
    findOwnUnits(rows)
    clipColumn = options.offset == nil ? LabelOffsets.clipColumn(columns, rows) : nil
    guard columns.times == .rows else { return }
    imageColumn = columns.fields.indices.first { column in
      column != columns.label && rows.allSatisfy { ImageName($0[column]) != nil }
        && Set(rows.map { $0[column] }).count == rows.count
    }
  }

  private mutating func removeSummaries() {
    guard !columns.times.columns.isEmpty else { return }
    let (text, all) = (text, Array(contentLines(from: first)))
    let columns = columns.times.columns + [columns.label]
    let kept = all.reversed().drop { line in
      let fields = text.fields(ofLine: line)
      return columns.contains { CSVRows.statistics.contains(fields[safe: $0]?.lowercased() ?? "") }
    }
    guard let last = kept.first, let summary = all.last, last < summary else { return }
    summaries = all.count - kept.count
    self.text = CSVText(text, lines: Array(text.lines[...last]))
  }

  /// Refuses a line that looks like a comment because its first field, such as `#4`, is a name.
  private func requireNoHiddenRow() throws {
    let times = columns.times.columns
    guard !times.isEmpty else { return }
    for line in text.lines.indices.dropFirst(first)
    where text.lines[line].hasPrefix("#") && !text.lines[line].hasPrefix("# ") {
      let fields = text.fields(ofLine: line)
      guard fields.count == columns.names.count,
        times.allSatisfy({ column in
          column == 0
            ? Self.errors.contains(fields[0].uppercased())
            : RawTime(fields[column], hasFreeCommas: hasFreeCommas) != nil
        })
      else { continue }
      throw place(ofLine: line).unusable(
        "the line begins with `#`, as comments do, but has the fields of a row",
        "if it is a row, remove the `#` or correct a spreadsheet's error such as #REF!; otherwise, "
          + "remove the line")
    }
  }

  /// What spreadsheets show in place of a time that they cannot compute.
  private static let errors: Set = [
    "#REF!", "#N/A", "#VALUE!", "#NAME?", "#DIV/0!", "#NUM!", "#NULL!",
  ]

  private mutating func findRejected() {
    guard !columns.verdicts.isEmpty else { return }
    let (text, columns) = (text, columns)
    let lines = Array(contentLines(from: first)).filter { line in
      let fields = text.fields(ofLine: line)
      return columns.verdicts.contains { column in
        fields[safe: column].map { LabelReview.rejects($0, of: columns.fields[column]) } ?? false
      }
    }
    // A frame that is left out must not shift the frames after it.
    let isSegment = columns.times.columns.count == 2
    if isSegment || kindColumn != nil {
      rejected = Set(lines)
    } else {
      blanked = Set(lines)
    }
  }

  private mutating func findOwnUnits(_ rows: [[Substring]]) {
    let times = columns.times.columns
    guard times.count == 2, options.unit == nil else { return }
    var units = times.map { columns.fields[$0].unit }
    guard units[0] != units[1], !units.contains(.time) else { return }
    if let missing = units.firstIndex(of: nil), let other = units[1 - missing] {
      let numbers = rows.map { fields in times.map { RawTime(fields[$0])?.number ?? 0 } }
      let isDuration = if case .durations = columns.times { true } else { false }
      let overlaps = zip(numbers, numbers.dropFirst()).contains { one, next in
        next[0] >= one[0] && next[0] < (isDuration ? one[0] + one[1] : one[1])
      }
      let isOfTime = other == .frames && columns.fields[times[missing]].isOfTime
      guard other == .frames || other.seconds ?? 1 <= 1e-3,
        isOfTime || overlaps || numbers.contains(where: { $0[missing] != $0[missing].rounded() })
      else { return }
      units[missing] = .seconds
    }
    for (column, unit) in zip(times, units) { ownUnits[column] = unit }
  }

  static func isContent(_ line: Substring) -> Bool {
    line.utf8.first != UInt8(ascii: "#") && line.utf8.first != UInt8(ascii: "\\")
      && !line.utf8.allSatisfy { " \t,;|:-+=".utf8.contains($0) }
  }

  private func looksLikeAudacity(_ top: Int) -> Bool {
    guard options.columns == SegmentColumns() else { return false }
    let fields = text.lines[top].split(separator: "\t", omittingEmptySubsequences: false)
    return fields.count >= 2 && RawTime(fields[0]) != nil
      && (fields.count <= 3 || RawTime(fields[2]) == nil)
  }

  private func sheet() throws -> LabelSheet {
    let separator =
      switch text.separator {
      case UInt8(ascii: "\t"): "tabs"
      case UInt8(ascii: ";"): "semicolons"
      case UInt8(ascii: "|"): "bars"
      case CSVText.blanks: "blanks"
      default: "commas"
      }
    var sheet = LabelSheet(
      file: text.file, form: isAudacity ? "an Audacity label track" : "a table with \(separator)")
    if isAudacity {
      sheet.rows = try audacityRows()
      sheet.unit = nil
      return sheet
    }
    let names = columns.names
    sheet.parties = columns.parties.map { names[$0] }
    sheet.sampleRate = constantRate(
      columns.fields.firstIndex { name in
        LabelColumns.usualSampleRates.contains(where: name.isNamed)
      })
    sheet.rate =
      constantRate(columns.rate) ?? (ownUnits.values.contains(.frames) ? options.rate : nil)
    sheet.offset =
      LabelOffsets.ofComments(text.lines.prefix(first))
      ?? LabelOffsets.ofColumns(columns, sampleFields(), &sheet.notes)
    nameUnit(&sheet)
    let left = rejected.count + blanked.count
    if left > 0 {
      sheet.notes.append(
        "\(CountText.of(left, "row")) left out, taken back in "
          + LabelSheet.list(columns.verdicts.map { names[$0] }))
    }
    if summaries > 0 {
      sheet.notes.append("\(CountText.of(summaries, "row")) at the end left out, such as totals")
    }
    if columns.mayHaveLengths(in: sampleFields()), !hasHeader {
      sheet.notes.append(
        "unsure: column \(columns.times.columns[1] + 1) may have lengths instead of ends; then write a "
          + "first line such as start,duration,label")
    }
    switch columns.times {
    case .segments(let start, let end):
      try requireLengths(start, end)
      sheet.rows = try segmentRows(start, end)
      if hasHeader, columns.fields[end].isOfLastFrame { sheet.includesEnd = true }
      if let note = columnsNote(start, end) { sheet.notes.append(note) }
    case .durations(let start, let length):
      sheet.rows = try durationRows(start, length)
      sheet.notes.append("the ends are `\(names[start])` plus `\(names[length])`")
    case .moments, .rows: try momentRows(&sheet)
    }
    if !ownUnits.isEmpty {
      let units = columns.times.columns.map { "`\(names[$0])` in \(word(ofColumn: $0))" }
      sheet.notes.append("times are " + units.joined(separator: " and "))
    }
    if let clipColumn {
      sheet.notes.append(
        "`\(names[clipColumn])` is added to the times, because labels start before it")
    }
    for (column, minutes) in minuteColumns.sorted(by: { $0.key < $1.key }) {
      sheet.notes.append("`\(names[minutes])` adds minutes to `\(names[column])`")
    }
    let forms = columns.form.map { [$0] } ?? columns.remarks + columns.formMarks
    if !forms.contains(where: { columns.fields[$0].isNamed("form") }),
      sheet.rows.contains(where: { $0.hasFoundForm })
    {
      sheet.notes.append("forms are those named in " + LabelSheet.list(forms.map { names[$0] }))
    }
    guard !sheet.rows.isEmpty else {
      guard left == 0 else { throw LabelReview.nothingLeft(in: text.file) }
      throw PoseSourceError.emptyTable(file: text.file)
    }
    nameUnread(&sheet)
    return sheet
  }

  private func nameUnit(_ sheet: inout LabelSheet) {
    let times = columns.times.columns.map { columns.fields[$0] }
    sheet.strangeTime = times.first { $0.strangeUnit != nil || $0.unit == .time }?.name
    if let time = times.first(where: { $0.unit != nil }) {
      guard let unit = time.unit, unit != .time, ownUnits.isEmpty else { return }
      sheet.unit = unit
      sheet.unitEvidence = "the column `\(time.name)`"
      sheet.countsSamples = time.countsSamples
    } else if let column = columns.fields.firstIndex(where: \.isOfUnit) {
      let units = Set(sampleFields().map { String($0[column]) }.filter { !$0.isEmpty })
      sheet.unit = units.count == 1 ? units.first.flatMap { ColumnName($0).unit } : nil
      sheet.unitEvidence = "the column `\(columns.names[column])`"
      if sheet.unit == nil, !units.isEmpty { sheet.strangeTime = columns.names[column] }
    }
  }

  private func nameUnread(_ sheet: inout LabelSheet) {
    guard !(columns.unread + columns.otherClocks).isEmpty else { return }
    let rows = Array(contentLines(from: first)).map { text.fields(ofLine: $0) }
    let unread = columns.unread.filter { column in
      let values = Set(rows.compactMap { $0[safe: column] })
      return values.count > 1 && column != sideColumn
        && (columns.fields[column].mentionsForm
          || values.contains {
            !$0.isEmpty && RawTime($0) == nil && LabelEvents.Kind($0) == nil
          })
    }
    let clocks = columns.otherClocks.filter { column in
      column != clipColumn && !columns.fields[column].isOfOffset
        && rows.contains { ($0[safe: column].flatMap { RawTime($0) }?.rank ?? 0) != 0 }
    }
    func say(_ columns: [Int]) {
      guard hasHeader, !columns.isEmpty else { return }
      let names = LabelSheet.list(columns.map { self.columns.names[$0] }, most: 4)
      sheet.notes.append("not read: the columns \(names)")
    }
    guard rows.count == sheet.rows.count, columns.times != .rows, !unread.isEmpty else {
      return say(clocks)
    }
    let starts = sheet.rows.map(\.start.rank)
    let restarts = starts.indices.dropFirst().filter { starts[$0] < starts[$0 - 1] }
    func changesWithTime(_ column: Int) -> Bool {
      !restarts.isEmpty
        && rows.indices.dropFirst().allSatisfy { index in
          (rows[index][column] != rows[index - 1][column]) == restarts.contains(index)
        }
    }
    // If the labels also change exactly where times restart, the table is only sorted by label.
    let parting = changesWithTime(columns.label) ? nil : unread.first(where: changesWithTime)
    if let parting {
      sheet.parties.append(columns.names[parting])
      for index in rows.indices { sheet.rows[index].parties.append(String(rows[index][parting])) }
    }
    say((clocks + unread.filter { $0 != parting }).distinct)
  }

  private func columnsNote(_ start: Int, _ end: Int) -> String? {
    let names = [start, end, columns.label].map { columns.names[$0].lowercased() }
    guard !names.starts(with: ["start", "end"]) || !["label", "plank"].contains(names[2]),
      options.columns == SegmentColumns()
    else { return nil }
    return "start, end and label are in the columns \(columnName(start)), \(columnName(end)) and "
      + columnName(columns.label)
      + (hasHeader ? "" : " (there is no header; choose others with --columns)")
  }

  private func columnName(_ index: Int) -> String {
    hasHeader ? "`\(columns.names[index])`" : columns.names[index]
  }

  // MARK: Rows

  func contentLines(from first: Int) -> LazyFilterSequence<Range<Int>> {
    (first..<max(first, text.lines.count)).lazy.filter {
      Self.isContent(text.lines[$0]) && !rejected.contains($0)
    }
  }

  func place(ofLine index: Int) -> SourcePlace { SourcePlace(file: text.file, line: index + 1) }

  var hasFreeCommas: Bool { text.separator != UInt8(ascii: ",") }

  private func rate(_ fields: [Substring]) -> Double? {
    columns.rate.flatMap { Double(decimal: fields[$0]) }.flatMap { $0 > 0 ? $0 : nil }
  }

  private func word(ofColumn column: Int) -> String { ownUnits[column]?.word ?? "seconds" }

  func time(_ fields: [Substring], _ column: Int, _ place: SourcePlace) throws -> RawTime {
    let time = try time(fields[column], column, place)
    guard let value = time.number else { return time }
    if let minutes = minuteColumns[column].flatMap({ Double(decimal: fields[$0]) }) {
      return .seconds(roundedToMicroseconds(60 * minutes + value))
    }
    guard let unit = ownUnits[column] else { return time }
    if let factor = unit.seconds { return .seconds(roundedToMicroseconds(value * factor)) }
    guard let rate = options.rate ?? rate(fields) else {
      throw place.unexpected(
        "`\(columns.names[column])`", "a number of \(word(ofColumn: column)) without a rate",
        "the video's frames per second in a column `fps`, or, if all videos have one: --rate 30")
    }
    return .seconds(roundedToMicroseconds(value / rate))
  }

  private func time(_ field: Substring, _ column: Int, _ place: SourcePlace) throws -> RawTime {
    if hasHeader, columns.fields[column].endsInFrames {
      guard let time = RawTime("00:" + field) ?? RawTime(field), time.frames != nil else {
        throw place.unexpected(
          "`\(columns.names[column])`", "`\(field.prefix(80))`",
          "minutes, seconds and frames, such as 01:02:15")
      }
      return time
    }
    if let groupMark, let number = GroupMark.number(field, groupMark) { return .number(number) }
    if let time = RawTime(field, hasFreeCommas: hasFreeCommas) { return time }
    let name = isAudacity || !hasHeader ? (column == 0 ? "start" : "end") : columns.names[column]
    throw place.unexpected(
      "`\(name)`", "`\(field.prefix(80))`",
      "seconds with a decimal point, for example 12.5, or a time such as 00:00:12.500")
  }

  private func audacityRows() throws -> [LabelRow] {
    var rows: [LabelRow] = []
    for index in contentLines(from: first) {
      let line = text.lines[index]
      let place = place(ofLine: index)
      let fields = line.utf8.split(
        separator: UInt8(ascii: "\t"), maxSplits: 2, omittingEmptySubsequences: false
      ).map { Substring($0) }
      guard fields.count >= 2 else {
        throw place.unexpected(
          "the line", "`\(line.prefix(40))`",
          "start, end and text separated by tabs, as Audacity exports them")
      }
      rows.append(
        LabelRow(
          place: place, start: try time(fields[0], 0, place), end: try time(fields[1], 1, place),
          label: (fields[safe: 2] ?? "").trimmed))
    }
    guard !rows.isEmpty else { throw PoseSourceError.emptyTable(file: text.file) }
    return rows
  }

  private static let noForms: Set = ["", "-", "na", "n/a", "nan"]
  private static let openEnds = noForms.union(["end", "inf", "open", "none", "null"])

  func rows(_ readTimes: ([Substring], inout LabelRow) throws -> Void) throws -> [LabelRow] {
    var rows: [LabelRow] = []
    for index in contentLines(from: first) {
      let place = place(ofLine: index)
      var fields = text.fields(ofLine: index)
      while fields.count > columns.names.count, fields.last?.isEmpty == true { fields.removeLast() }
      guard fields.count == columns.names.count else {
        guard text.separator != CSVText.blanks else {
          throw place.unusable(
            "spaces divide the line into \(CountText.of(fields.count, "field")), but the header into "
              + "\(columns.names.count)",
            "separate the fields by tabs or commas, because labels may contain spaces")
        }
        throw PoseSourceError.wrongFieldCount(
          place, found: fields.count, expected: columns.names.count)
      }
      var row = LabelRow(place: place, label: String(fields[columns.label]))
      if let sideColumn { row.label = LabelWords.label(row.label, side: fields[sideColumn]) }
      if let form = columns.form.map({ fields[$0] }), !Self.noForms.contains(form.lowercased()) {
        guard !row.label.isEmpty else {
          throw place.unexpected(
            "`\(columns.names[columns.label])`", "empty beside the form `\(form.prefix(40))`",
            "a label in every row; fill merged cells down")
        }
        row.add(form: String(form))
      } else if columns.form == nil {
        let words = columns.remarks.flatMap { fields[$0].split { "|,;/+".contains($0) } }
        let marked = columns.formMarks.filter { LabelShapes.mark(fields[$0]) == true }
        let names = words.map { String($0) } + marked.map { columns.names[$0] }
        if let form = LabelWords.joined(names.filter { LabelWords.form($0) != nil }) {
          row.add(form: form)
        }
      }
      row.parties = columns.parties.map { String(fields[$0]) }
      row.rate = rate(fields)
      let own = columns.recordings.filter { $0 != imageColumn }.map { String(fields[$0]) }
        .filter { !$0.isEmpty }
      row.recordings = own.isEmpty ? recordings : own
      row.tier = columns.tier.map { String(fields[$0]) }
      if blanked.contains(index) { row.label = "" }
      try readTimes(fields, &row)
      try addClip(fields, &row)
      rows.append(row)
    }
    try requireFilledCells(rows)
    return rows
  }

  private func addClip(_ fields: [Substring], _ row: inout LabelRow) throws {
    guard let clipColumn else { return }
    let clip = try time(fields[clipColumn], clipColumn, row.place)
    guard let start = row.start.adding(clip), let end = row.end.adding(clip) else {
      throw row.place.unexpected(
        "`\(columns.names[clipColumn])`", "`\(fields[clipColumn].prefix(40))`",
        "a time in the unit of the start")
    }
    (row.start, row.end) = (start, end)
  }

  private func segmentRows(_ start: Int, _ end: Int) throws -> [LabelRow] {
    let kinds = kindColumn
    return try rows { fields, row in
      row.isPoint = kinds.map { LabelEvents.Kind(fields[$0]) == .point } ?? false
      row.start = try time(fields, start, row.place)
      row.isOpen = Self.openEnds.contains(fields[end].lowercased())
      row.end = row.isPoint || row.isOpen ? row.start : try time(fields, end, row.place)
    }
  }

  private func durationRows(_ start: Int, _ length: Int) throws -> [LabelRow] {
    let factor = (columns.fields[length].unit ?? .seconds).seconds
    return try rows { fields, row in
      row.start = try time(fields, start, row.place)
      let own = try time(fields, length, row.place)
      if let sum = row.start.adding(own) {
        row.end = sum
      } else if case .seconds(let one) = row.start, let other = own.number, let factor {
        row.end = .seconds(roundedToMicroseconds(one + other * factor))
      } else {
        throw row.place.unexpected(
          "`\(columns.names[length])`", "`\(fields[length].prefix(40))`",
          "a length in the unit of the start, or a column of ends for times that count frames")
      }
    }
  }

  func sampleFields(from first: Int) -> [[Substring]] {
    Array(contentLines(from: first).prefix(Self.sampleSize)).map { text.fields(ofLine: $0) }
  }

  func sampleFields() -> [[Substring]] {
    sampleFields(from: first).filter { $0.count >= columns.names.count }
  }

  var kindColumn: Int? { LabelEvents.Kind.column(of: columns, in: sampleFields()) }

  private func constantRate(_ column: Int?) -> Double? {
    guard let column else { return nil }
    let rates = Set(
      sampleFields().map { fields in RawTime(fields[column], hasFreeCommas: hasFreeCommas)?.number }
    )
    guard rates.count == 1, let rate = rates.first, let rate, rate > 0 else { return nil }
    return rate
  }
}
