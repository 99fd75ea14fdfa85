import PoseModel
import PoseRecording

/// An offset that a file names without saying whether its times include it.
struct StatedOffset: Hashable, Sendable {
  let found: String
  /// The offset in seconds; nil if it differs between rows or has no unit.
  let seconds: Double?

  func error(in file: String) -> PoseSourceError {
    .unusable(
      file, "\(found), and nothing says whether the times include it",
      (seconds.map {
        "if the times count from there, give --offset \(roundedToMicroseconds($0))"
      }
        ?? "add it to the times, and remove it")
        + "; if they need no change, give --offset 0")
  }
}

enum LabelOffsets {
  /// Finds lines such as ELAN's `#file:///anna.mp4 -- offset: 2500`, which is in milliseconds.
  static func ofComments(_ lines: some Sequence<Substring>) -> StatedOffset? {
    for line in lines where line.first.map({ "#\"".contains($0) }) ?? false {
      guard let name = line.lowercased().firstRange(of: "offset") else { continue }
      let text = line.lowercased()[name.upperBound...].drop { " :=".contains($0) }
      guard let number = Double(decimal: text.prefix { "+-.0123456789".contains($0) }), number != 0
      else { continue }
      return StatedOffset(
        found: "the line `\(line.prefix(120).filter { $0 != "`" })` names an offset",
        seconds: line.contains("-- offset:") ? number / 1000 : nil)
    }
    return nil
  }

  static func ofColumns(
    _ columns: LabelColumns, _ rows: [[Substring]], _ notes: inout [String]
  ) -> StatedOffset? {
    guard let start = columns.times.columns.first else { return nil }
    let own = columns.fields[start].unit ?? .seconds
    let others = columns.fields.indices.filter { column in
      // Beside other ends, a column `offset` with one value does not hold ends.
      columns.unread.contains(column)
        || !columns.times.columns.contains(column) && rows.count > 1
          && Set(rows.map { $0[column] }).count == 1
    }
    for column in others where columns.fields[column].isOfOffset {
      let unit = columns.fields[column].unit ?? (own == .time ? .seconds : own)
      let numbers = rows.map { RawTime($0[column])?.rank ?? 0 }
      guard let first = numbers.first(where: { $0 != 0 }) else { continue }
      let name = "`\(columns.names[column])`"
      let isOne = Set(numbers).count == 1
      guard let factor = unit.seconds,
        zip(rows, numbers).allSatisfy({ row, number in
          guard let time = RawTime(row[start]) else { return false }
          return time.rank * (time.number == nil ? 1 : own.seconds ?? 0) >= number * factor
        })
      else {
        return StatedOffset(
          found: name + (isOne ? " is \(first)" : " has an offset for each row"),
          seconds: isOne ? unit.seconds.map { first * $0 } : nil)
      }
      let offset = roundedToMicroseconds(-first * factor)
      notes.append("unsure: \(name) is \(first); if it is in the times, give --offset \(offset)")
    }
    return nil
  }

  /// Returns the column with the start of each row's clip if labels start before it, because their
  /// times then count from there.
  static func clipColumn(_ columns: LabelColumns, _ rows: [[Substring]]) -> Int? {
    let times = columns.times.columns
    guard times.count == 2, let start = times.first else { return nil }
    return columns.otherClocks.first { column in
      let pairs = rows.map { (clip: RawTime($0[column]), start: RawTime($0[start])) }
      return columns.fields[column].isOfClipStart
        && columns.fields[column].unit == columns.fields[start].unit
        && pairs.allSatisfy { $0.clip != nil && $0.clip?.kind == $0.start?.kind }
        && pairs.contains { ($0.start?.rank ?? 0) < ($0.clip?.rank ?? 0) }
    }
  }
}

/// Times that count from the start of the clip that contains the labels, or that are given twice.
extension LabelJSON {
  var offset: StatedOffset? {
    guard let name = earlyOrigins.min(), let values = origins[name] else { return nil }
    let factor = ColumnName(name).unit.map(\.seconds) ?? 1
    let seconds =
      values.count == 1 ? values.first.flatMap { value in factor.map { value * $0 } } : nil
    return StatedOffset(
      found: "labels start before `\(name.prefix(80).filter { $0 != "`" })`"
        + (values.count == 1 ? ", which is \(values.first ?? 0)" : ""), seconds: seconds)
  }

  mutating func noteOrigin(of row: LabelRow, _ start: ColumnName?, _ context: Context) {
    if let start, start.strangeUnit != nil || start.unit == .time {
      strangeTimes.insert(start.name)
    }
    guard let (origin, value) = context.origin else { return }
    let isSame = origin.unit == start?.unit
    let factor = isSame ? 1 : (origin.unit ?? .seconds).seconds
    let own = isSame || row.start.number == nil ? 1 : (start?.unit ?? .seconds).seconds
    guard let factor, let own, row.start.rank * own < value * factor else { return }
    earlyOrigins.insert(origin.name)
  }

  func requireNoTwin(
    of time: (index: Int, time: RawTime), _ names: [ColumnName], _ values: [JSONNode],
    _ place: SourcePlace
  ) throws {
    let own = names[time.index]
    let twin = names.indices.first { other in
      other != time.index && names[other].role == own.role && own.role != .time
        && names[other].unit == own.unit
        && Self.time(values[other]).map { $0 != time.time } ?? false
    }
    if let twin { throw own.twinError(names[twin], "fields", place) }
    let part = names.indices.first { other in
      guard names[other].role == own.role, own.role != .time, let number = time.time.number,
        let value = Self.time(values[other])?.number
      else { return false }
      return !own.agrees(number, with: names[other], value)
    }
    if let part { throw own.partError(names[part], place) }
  }
}
