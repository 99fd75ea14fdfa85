import PoseModel

enum LabelEvents {
  enum Kind: Hashable {
    case start, stop, point, state

    init?(_ text: some StringProtocol) {
      let word = text.lowercased()
      switch word.hasPrefix("state ") ? String(word.dropFirst(6)) : word {
      case "on": self = .start
      case "off": self = .stop
      case "point": self = .point
      case "state": self = .state
      case let word where ColumnName.starts.contains(word): self = .start
      case let word where ColumnName.ends.contains(word): self = .stop
      default: return nil
      }
    }

    static func column(of columns: LabelColumns, in rows: [[Substring]]) -> Int? {
      guard !rows.isEmpty else { return nil }
      return columns.names.indices.first { column in
        let texts = rows.map { $0[column] }.filter { !$0.isEmpty }
        return column != columns.label && texts.count * 2 > rows.count
          && texts.allSatisfy { Kind($0) != nil } && texts.contains { Kind($0) != .stop }
      }
    }
  }

  private struct Key: Hashable {
    let recording: String?
    let parties: [String]
    let label: String
  }

  static func paired(_ rows: [LabelRow], kinds: [Kind?]) throws -> [LabelRow] {
    var open: [Key: Int] = [:]
    var result: [LabelRow] = []
    for (row, kind) in zip(rows, kinds) {
      let key = Key(recording: row.recordings.first, parties: row.parties, label: row.label)
      switch kind {
      case .start:
        guard open[key] == nil else { throw unpaired(row, "starts again before it stops") }
        open[key] = result.count
        result.append(row)
      case .stop:
        guard let start = open.removeValue(forKey: key) else {
          throw unpaired(row, "stops without having started")
        }
        result[start].end = row.start
      case nil: throw unpaired(row, "has neither a start nor a stop")
      case .point, .state:
        var point = row
        point.isPoint = true
        result.append(point)
      }
    }
    if let index = open.values.min() { throw unpaired(result[index], "never stops") }
    return result
  }

  private static func unpaired(_ row: LabelRow, _ problem: String) -> PoseSourceError {
    row.place.unusable(
      "`\(row.label.prefix(80))` \(problem)",
      "add the missing row in the labeling program, and export the file again")
  }

  static func runs(_ rows: [LabelRow], file: String) throws -> [LabelRow] {
    try LabelGroup.groups(of: rows).flatMap { group in
      try runs(ofOne: group.rows.map { rows[$0] }, file: file)
    }
  }

  static func chain(_ rows: [LabelRow]) -> [LabelRow] {
    var rows = rows
    for group in LabelGroup.groups(of: rows) {
      for (place, index) in group.rows.enumerated() where rows[index].start == rows[index].end {
        let next = group.rows[safe: place + 1]
        rows[index].isOpen = next == nil
        if let next { rows[index].end = rows[next].start }
      }
    }
    return rows
  }

  /// Starts each label at the end of the one above, and the first at 0.
  static func chain(fromEnds rows: [LabelRow]) -> [LabelRow] {
    var rows = rows
    for group in LabelGroup.groups(of: rows) {
      var start = with(rows[group.rows[0]].end, 0)
      for index in group.rows {
        rows[index].start = start
        start = rows[index].end
      }
    }
    return rows
  }

  static func areFrames(_ rows: [LabelRow]) -> Bool {
    zip(rows.dropFirst(), rows).count { $0.label == $1.label } * 2 >= rows.count - 1
  }

  private static let farthest = 5.0
  private static let fewestRows = 3

  private static func runs(ofOne rows: [LabelRow], file: String) throws -> [LabelRow] {
    let times = rows.map(\.start.rank)
    let steps = times.steps
    if let back = steps.firstIndex(where: { $0 <= 0 }) {
      throw rows[back + 1].place.unusable(
        "the time is not later than that of the row above",
        "give one row per frame in order, and a column `recording` if there are several")
    }
    let median = steps.sorted()[safe: (steps.count - 1) / 2] ?? 0
    // In a list of changes, most rows have a new label, and the last row has no end.
    let isEven = steps.count { $0 <= 1.5 * median } * 10 >= steps.count * 8 && areFrames(rows)
    guard rows.count >= fewestRows, isEven, median > 0 else {
      throw PoseSourceError.unusable(
        rows.first?.place.description ?? file,
        "each row has only one time, and the times are not those of frames",
        "give a start and an end for each label: --columns \"START,END,LABEL\"; if each "
          + "label lasts until the next one, name the column of times `start`; if each starts where "
          + "the one above ends, add a column of starts")
    }
    var runs: [LabelRow] = []
    for (index, row) in rows.enumerated() {
      let isLast = index == rows.count - 1 || steps[index] > farthest * median
      let end = with(row.start, isLast ? times[index] + median : times[index + 1])
      let continues =
        index > 0 && rows[index - 1].label == row.label && steps[index - 1] <= farthest * median
      if continues {
        runs[runs.count - 1].end = end
      } else {
        var run = row
        run.end = end
        runs.append(run)
      }
    }
    let labeled = rows.count { !$0.label.isEmpty }
    runs.removeAll(where: \.label.isEmpty)
    guard labeled > runs.count || labeled < fewestRows || labeled * 2 > rows.count else {
      throw PoseSourceError.unusable(
        rows[0].place.description,
        "only the first row of each label seems to have it: \(labeled) of "
          + "\(CountText.of(rows.count, "row"))",
        "fill the labels down, so that each frame has its own")
    }
    return runs
  }

  private static func with(_ time: RawTime, _ value: Double) -> RawTime {
    let value = roundedToMicroseconds(value)
    return time.number == nil ? .seconds(value) : .number(value)
  }
}
