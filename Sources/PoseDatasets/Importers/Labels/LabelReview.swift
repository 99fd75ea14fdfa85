import PoseModel

/// Finds what an annotator took back: `deleted` is 1, `valid` is no, or `status` is `rejected`.
enum LabelReview {
  static func isVerdict(_ name: ColumnName) -> Bool {
    [flags, approvals, states].contains { $0.contains(where: name.isNamed) }
  }

  static func rejects(_ value: some StringProtocol, of name: ColumnName) -> Bool {
    let value = value.lowercased()
    let isNo = noes.contains(value) || Double(decimal: value) == 0
    if flags.contains(where: name.isNamed) { return !isNo && !blanks.contains(value) }
    if approvals.contains(where: name.isNamed) { return isNo }
    return states.contains(where: name.isNamed) && rejections.contains(value)
  }

  static func nothingLeft(in file: String) -> PoseSourceError {
    .unusable(
      file, "every label is marked as deleted or rejected",
      "give the labels that count; if these do, remove the mark")
  }

  private static let flags = [
    "deleted", "is deleted", "deleted at", "removed", "is removed", "rejected", "is rejected",
    "discarded", "is discarded", "excluded", "is excluded", "exclude", "invalid", "is invalid",
    "cancelled", "canceled", "was cancelled", "was canceled",
  ]
  private static let approvals = [
    "valid", "is valid", "accepted", "is accepted", "approved", "is approved", "keep", "include",
    "included", "use", "used",
  ]
  private static let states = [
    "status", "state", "review", "review status", "review state", "annotation status",
    "label status", "decision", "verdict", "qa", "qa status",
  ]
  private static let rejections: Set = [
    "rejected", "reject", "deleted", "removed", "discarded", "excluded", "invalid", "cancelled",
    "canceled",
  ]
  private static let noes: Set = ["false", "no", "n", "f"]
  private static let blanks: Set = ["", "-", "none", "null", "nan", "na", "n/a"]
}

/// Merged cells of a spreadsheet, of which only the first keeps its value.
extension LabelTable {
  func requireFilledCells(_ rows: [LabelRow]) throws {
    let rows = rows.filter { !$0.label.isEmpty }
    if let name = columns.recordings.first.map({ columns.names[$0] }),
      rows.contains(where: { !$0.recordings.isEmpty }),
      let blank = rows.first(where: \.recordings.isEmpty)
    {
      throw blank.place.unexpected(
        "`\(name)`", "empty, but not in all rows",
        "the recording in every row; fill merged cells down")
    }
    for (index, column) in columns.parties.enumerated() {
      let values = rows.map { $0.parties[index] }
      // Blank cells may also mean nobody; above those that are merged, each value stands once.
      let areMerged =
        values.first?.isEmpty == false && Set(values.filter { !$0.isEmpty }).count > 1
        && zip(values, values.dropFirst()).allSatisfy { $0 != $1 || $0.isEmpty }
      guard areMerged, let blank = values.firstIndex(of: "") else { continue }
      throw rows[blank].place.unexpected(
        "`\(columns.names[column])`", "empty below `\(values[blank - 1].prefix(40))`",
        "a name in every row; fill merged cells down")
    }
  }
}

extension LabelTable {
  /// Refuses ends that contradict a column of durations, unless it has one value, which may be the
  /// length of the video.
  func requireLengths(_ start: Int, _ end: Int) throws {
    let (own, all) = (columns.fields[start], columns.fields)
    let lengths = all.indices.first { all[$0].role == .duration && all[$0].unit == own.unit }
    guard hasHeader, options.columns == SegmentColumns(), let lengths, all[end].unit == own.unit
    else { return }
    let lines = Array(contentLines(from: first))
    let rows = lines.map { text.fields(ofLine: $0) }
    guard Set(rows.compactMap { $0[safe: lengths] }).count > 1 else { return }
    for (line, fields) in zip(lines, rows) where fields.count >= all.count {
      let times = [start, end, lengths].compactMap { column in
        RawTime(fields[column], hasFreeCommas: hasFreeCommas)?.number
      }
      // Frames may be counted with the last one, and durations rounded.
      guard times.count == 3, (times[1] - times[0] - times[2]).magnitude > 1 + 1e-6 else {
        continue
      }
      throw place(ofLine: line).unusable(
        "`\(all[end].name)` is not `\(own.name)` plus `\(all[lengths].name)`",
        "correct the row, or choose the columns to read: "
          + LabelTextReader.option(
            "--columns", [start, end, columns.label].map { all[$0].name }.joined(separator: ",")))
    }
  }
}
