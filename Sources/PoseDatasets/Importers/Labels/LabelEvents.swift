/// Makes segments of rows with one time each.
enum LabelEvents {
  /// What a row says about its event, in a column such as BORIS' `Behavior type`.
  enum Kind: Hashable {
    case start, stop, point, state

    init?(_ text: some StringProtocol) {
      switch text.lowercased() {
      case "start", "begin": self = .start
      case "stop", "end": self = .stop
      case "point": self = .point
      case "state": self = .state
      default: return nil
      }
    }

    /// The column whose every value is a kind.
    static func column(of columns: LabelColumns, in rows: [[Substring]]) -> Int? {
      guard !rows.isEmpty else { return nil }
      return columns.names.indices.first { column in
        column != columns.label && rows.allSatisfy { Kind($0[column]) != nil }
      }
    }
  }

  private struct Key: Hashable {
    let recording: String?
    let label: String
  }

  /// Pairs each start with the next stop of the same label in the same recording.
  static func paired(_ rows: [LabelRow], kinds: [Kind?]) throws -> [LabelRow] {
    var open: [Key: Int] = [:]
    var result: [LabelRow] = []
    for (row, kind) in zip(rows, kinds) {
      let key = Key(recording: row.recordings.first, label: row.label)
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
      default:
        var point = row
        point.isPoint = true
        result.append(point)
      }
    }
    if let index = open.values.min() { throw unpaired(result[index], "never stops") }
    return result
  }

  private static func unpaired(_ row: LabelRow, _ problem: String) -> PoseSourceError {
    .unusableValues(
      name: row.place.description, found: "`\(row.label.prefix(80))` \(problem)",
      remedy: "add the missing row where the label was made, and export it again")
  }

  /// Makes one segment of every run of rows with the same label in a recording.
  ///
  /// A run ends at the next row, or an interval after its last row if the next one is far away.
  static func runs(_ rows: [LabelRow], file: String) throws -> [LabelRow] {
    try LabelGroup.groups(of: rows).flatMap { group in
      try runs(ofOne: group.rows.map { rows[$0] }, file: file)
    }
  }

  private static let farthest = 5.0
  private static let fewestRows = 3

  private static func runs(ofOne rows: [LabelRow], file: String) throws -> [LabelRow] {
    let times = rows.map(\.start.rank)
    let steps = zip(times.dropFirst(), times).map { $0 - $1 }
    if let back = steps.firstIndex(where: { $0 <= 0 }) {
      throw PoseSourceError.unusableValues(
        name: rows[back + 1].place.description,
        found: "the time is not after that of the row above",
        remedy: "give one row per frame in order, and a column `recording` if there are several")
    }
    let median = steps.sorted()[safe: (steps.count - 1) / 2] ?? 0
    // Rows of changes are not frames: nearly each has another label, and the last one no end.
    let repeats = zip(rows.dropFirst(), rows).count { $0.label == $1.label }
    let isEven =
      steps.count { $0 <= 1.5 * median } * 10 >= steps.count * 8 && repeats * 2 >= steps.count
    guard rows.count >= fewestRows, isEven, median > 0 else {
      throw PoseSourceError.unusableValues(
        name: rows.first?.place.description ?? file,
        found: "rows have one time, and the times are not those of frames",
        remedy: "give a start and an end for each label: --columns \"START,END,LABEL\"")
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
    return runs.filter { !$0.label.isEmpty }
  }

  private static func with(_ time: RawTime, _ value: Double) -> RawTime {
    let value = roundedToMicroseconds(value)
    return time.number == nil ? .seconds(value) : .number(value)
  }
}

extension Array {
  subscript(safe index: Int) -> Element? { indices.contains(index) ? self[index] : nil }
}
