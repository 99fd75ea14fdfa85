import PoseModel

/// Rows that have one time or none.
extension LabelTable {
  private var ownColumn: Int? {
    let rows = sampleFields()
    guard columns.times == .rows, imageColumn == nil, rows.count > 1 else { return nil }
    return columns.fields.indices.first { column in
      column != columns.label && Set(rows.map { $0[column] }).count == rows.count
        && rows.allSatisfy { RawTime($0[column]) == nil }
    }
  }

  /// Refuses columns with numbers that never fall if no column is known as a time.
  private func requireNoUnknownTimes() throws {
    let rows = sampleFields()
    guard columns.times == .rows || momentRole == .end, imageColumn == nil, rows.count > 1 else {
      return
    }
    let rising = columns.unread.filter { column in
      let numbers = rows.compactMap { RawTime($0[column], hasFreeCommas: hasFreeCommas)?.rank }
      let steps = numbers.steps
      let countsRows = steps.allSatisfy { $0 == 1 } && [0, 1].contains(numbers.first)
      return numbers.count == rows.count && steps.allSatisfy { $0 >= 0 }
        && steps.contains { $0 > 0 } && !countsRows
    }
    let names = rising.map { columns.names[$0] }
    guard let name = names.first else { return }
    let wanted = names + [columns.names[columns.label]]
    throw place(ofLine: first - 1).unexpected(
      "the header", "without a known name for times, but numbers rise in \(LabelSheet.list(names))",
      names.count == 2 && wanted.allSatisfy(LabelGuess.isPrintable)
        ? "the columns to read: "
          + LabelTextReader.option("--columns", wanted.joined(separator: ","))
        : "`time_s` or `frame` instead of `\(name)` if it says when each row is")
  }

  private var momentRole: ColumnName.Role? {
    columns.times.columns.first.flatMap { columns.fields[$0].role }
  }

  func momentRows(_ sheet: inout LabelSheet) throws {
    if let column = ownColumn {
      throw place(ofLine: first).unexpected(
        "`\(columns.names[column])`", "different in every row",
        "rows that are frames of one video, or a start and an end for each label")
    }
    if columns.times == .rows || momentRole == .end, imageColumn == nil,
      let length = columns.fields.first(where: { $0.role == .duration })
    {
      throw place(ofLine: first).unusable(
        "`\(length.name)` says how long a label lasts, but no column says when it starts",
        "add a column `start`")
    }
    try requireNoUnknownTimes()
    var position = 0.0
    let timeColumn = columns.times.columns.first
    let kindColumn = kindColumn
    var kinds: [LabelEvents.Kind?] = []
    var moments = try rows { fields, row in
      kinds.append(kindColumn.flatMap { LabelEvents.Kind(fields[$0]) })
      row.start = try timeColumn.map { try time(fields, $0, row.place) } ?? .number(position)
      if let name = imageColumn.flatMap({ ImageName(fields[$0]) }) {
        row.start = .number(name.number)
        if row.recordings.isEmpty { row.recordings = [name.recording] }
      }
      row.end = row.start
      position += 1
    }
    if timeColumn == nil {
      sheet.unit = .frames
      sheet.firstFrame = imageColumn == nil ? 0 : nil
      sheet.unitEvidence =
        imageColumn.map { "the numbers in `\(columns.names[$0])`" }
        ?? "one row per frame, without a column of times"
      if imageColumn != nil, Set(moments.map(\.recordings)).count == 1 {
        sheet.media = moments[0].recordings
        for index in moments.indices { moments[index].recordings = [] }
      }
    }
    if kindColumn != nil {
      sheet.rows = try LabelEvents.paired(moments, kinds: kinds)
      sheet.notes.append(
        "segments were made from starts and stops in `\(columns.names[columns.label])`")
    } else if momentRole == .start, !LabelEvents.areFrames(moments) {
      try requireNoLengths(beside: moments)
      sheet.rows = LabelEvents.chain(moments)
      sheet.notes.append("each label lasts until the next one, as there is no column of ends")
    } else if momentRole == .end, !LabelEvents.areFrames(moments) {
      sheet.rows = LabelEvents.chain(fromEnds: moments)
      sheet.notes.append(
        "each label starts where the one above ends, the first at 0, as there is no column of "
          + "starts")
    } else {
      if let timeColumn {
        try requireNoLengths(moments, of: columns.names[timeColumn])
      } else if imageColumn == nil, options.rate == nil, !LabelEvents.areFrames(moments) {
        throw place(ofLine: first).unusable(
          "no column says when a label starts", "add the columns `start` and `end`")
      }
      if timeColumn == nil, imageColumn == nil { try requireNoBlankLines() }
      sheet.rows = try LabelEvents.runs(moments, file: text.file)
      sheet.includesEnd = false
      sheet.notes.append(
        "\(CountText.of(moments.count, "row")) with one label each became "
          + CountText.of(sheet.rows.count, "segment"))
    }
  }

  /// Refuses blank lines among lines that are frames, because leaving one out would move those below.
  private func requireNoBlankLines() throws {
    let content = contentLines(from: first)
    guard let top = content.first, let bottom = content.last,
      let blank = (top..<bottom).first(where: { index in
        !Self.isContent(text.lines[index]) && !text.lines[index].utf8.starts(with: "#".utf8)
          && !text.lines[index].utf8.starts(with: "\\".utf8)
      })
    else { return }
    throw place(ofLine: blank).unusable(
      "the line is blank among lines that are frames",
      "write `ignore` there if it is a frame without a label, otherwise remove the line")
  }

  private static let counts = [
    "score", "reps", "repetitions", "confidence", "rating", "set", "sets", "pulse",
  ]

  /// Refuses a column of numbers that fit between the starts and fill much of the time, as lengths
  /// do.
  private func requireNoLengths(beside rows: [LabelRow]) throws {
    let fields = sampleFields()
    let starts = rows.prefix(fields.count).map(\.start.rank)
    let steps = starts.steps
    let length = columns.fields.indices.first { column in
      let lengths = fields.compactMap { RawTime($0[column])?.rank }
      return !columns.times.columns.contains(column) && lengths.count == fields.count
        && !Self.counts.contains(where: columns.fields[column].isNamed)
        && lengths != lengths.sorted() && zip(lengths, steps).allSatisfy { $0 > 0 && $0 <= $1 }
        && 3 * lengths.reduce(0, +) > steps.reduce(0, +)
    }
    guard let length else { return }
    throw place(ofLine: first - 1).unusable(
      "`\(columns.names[length])` may say how long each label lasts",
      "if so, name it `duration`, with its unit; otherwise, remove the column")
  }

  private func requireNoLengths(_ rows: [LabelRow], of name: String) throws {
    let pairs = zip(rows, rows.dropFirst())
    guard pairs.contains(where: { $0.start.rank >= $1.start.rank }), let first = rows.first,
      pairs.allSatisfy({ $0.recordings == $1.recordings && $0.parties == $1.parties }),
      !LabelEvents.areFrames(rows)
    else { return }
    throw first.place.unusable(
      "`\(name)` does not increase, so it may say how long each label lasts",
      "if so, add a column `start`, and name this one `duration`, with its unit")
  }
}
